//! A job as a server compares it: with its defaults, under the names that a plan shows.
//!
//! Source of the defaults: <https://developer.hashicorp.com/nomad/docs/job-specification>.

use super::block::{Block, Flat, Part, Rule};
use super::service::{identity, services};
use crate::record::{Data, Datum, Record};

/// A job with its groups.
pub(super) struct JobView {
    pub(super) fields: Flat,
    pub(super) parts: Vec<Part>,
    pub(super) groups: Vec<GroupView>,
}

/// A group with its tasks.
pub(super) struct GroupView {
    pub(super) name: String,
    pub(super) block: Block,
    pub(super) tasks: Vec<Block>,
}

/// What groups and tasks take over from their job.
#[derive(Clone, Copy)]
pub(super) struct Above<'r> {
    pub(super) job: &'r Record,
    pub(super) group: &'r str,
}

const SECOND: i64 = 1_000_000_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;

/// A field: the name that is shown, that of the API, and its value where nothing is written.
type Row = (&'static str, &'static str, &'static str);

/// The text of a plain value.
pub(super) fn scalar(data: &Data) -> Option<String> {
    Some(match data {
        Data::Bool(value) => value.to_string(),
        Data::Int(value) => value.to_string(),
        Data::Uint(value) => value.to_string(),
        Data::Float(value) => value.to_string(),
        Data::Text(text) => text.to_string(),
        Data::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        _ => return None,
    })
}

/// The text of a field of a structure, which may not be there.
pub(super) fn text(record: Option<&Record>, name: &str) -> Option<String> {
    scalar(&record?.get(name)?.value)
}

/// The same, or what it is where nothing is written; an empty text is as good as none.
pub(super) fn text_or(record: Option<&Record>, name: &str, default: &str) -> String {
    text(record, name).filter(|text| !text.is_empty()).unwrap_or_else(|| default.to_owned())
}

pub(super) fn flat(record: Option<&Record>, rows: &[Row]) -> Flat {
    let value = |name: &str, default: &str| text(record, name).unwrap_or_else(|| default.to_owned());
    rows.iter().map(|(shown, name, default)| ((*shown).to_owned(), value(name, default))).collect()
}

/// The values of a map, by its name and their keys.
pub(super) fn add_map(fields: &mut Flat, record: Option<&Record>, name: &str) {
    if let Some(Data::Map(entries)) = record.and_then(|record| record.get(name)).map(|datum| &datum.value) {
        for (key, item) in entries {
            flatten(&format!("{name}[{key}]"), &item.value, fields);
        }
    }
}

/// All that is in a field, for the comparison alone: with types, and with what is empty.
pub(super) fn add_unseen(unseen: &mut Flat, record: Option<&Record>, names: &[&str]) {
    for name in names {
        if let Some(datum) = record.and_then(|record| record.get(name)) {
            let value = Datum { value: datum.value.clone(), place: None };
            unseen.insert((*name).to_owned(), format!("{:?}", without_places(value)));
        }
    }
}

/// A value without the places where its parts were written.
fn without_places(datum: Datum) -> Data {
    let inner = |datum: Datum| Datum { value: without_places(datum), place: None };
    match datum.value {
        Data::List(items) => Data::List(items.into_iter().map(inner).collect()),
        Data::Map(entries) => Data::Map(entries.into_iter().map(|(key, item)| (key, inner(item))).collect()),
        // All numbers of what plugins define are of one kind.
        Data::Int(number) => Data::Float(number as f64),
        Data::Uint(number) => Data::Float(number as f64),
        Data::Record(record) => {
            let fields = record.entries().map(|(field, datum)| (field.name.into(), inner(datum.clone())));
            Data::Map(fields.collect())
        }
        value => value,
    }
}

/// All values inside of one, by the way to them.
fn flatten(prefix: &str, data: &Data, texts: &mut Flat) {
    let nothing = || "nil".to_owned();
    match data {
        Data::List(items) => {
            for (at, item) in items.iter().enumerate() {
                flatten(&format!("{prefix}[{at}]"), &item.value, texts);
            }
        }
        Data::Map(entries) => {
            for (key, item) in entries {
                let way = if prefix.is_empty() { key.to_string() } else { format!("{prefix}[{key}]") };
                flatten(&way, &item.value, texts);
            }
        }
        Data::Record(record) => {
            for (field, datum) in record.entries() {
                flatten(&format!("{prefix}.{}", field.name), &datum.value, texts);
            }
        }
        Data::Null if prefix.is_empty() => {}
        // What plugins define comes as JSON, where all numbers are of one kind.
        Data::Int(number) => drop(texts.insert(prefix.to_owned(), number_text(*number as f64))),
        Data::Uint(number) => drop(texts.insert(prefix.to_owned(), number_text(*number as f64))),
        Data::Float(number) => drop(texts.insert(prefix.to_owned(), number_text(*number))),
        value => drop(texts.insert(prefix.to_owned(), scalar(value).unwrap_or_else(nothing))),
    }
}

/// A number in the fewest digits that are it, as Go prints it: with an exponent from a million on, and below a ten thousandth.
fn number_text(number: f64) -> String {
    let scientific = format!("{number:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    match exponent.parse::<i32>() {
        Ok(power) if number != 0.0 && !(-4..6).contains(&power) => {
            let sign = if power < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", power.abs())
        }
        _ => number.to_string(),
    }
}

/// The structures in a list.
pub(super) fn records<'r>(record: Option<&'r Record>, name: &str) -> Vec<&'r Record> {
    let items: &[Datum] = record.map(|record| record.list(name)).unwrap_or_default();
    let records = items.iter().filter_map(|item| match &item.value {
        Data::Record(record) => Some(&**record),
        _ => None,
    });
    records.collect()
}

/// The structure in a field.
pub(super) fn inner<'r>(record: Option<&'r Record>, name: &str) -> Option<&'r Record> {
    record?.record(name).map(|record| &**record)
}

/// The texts in a list.
pub(super) fn texts(record: Option<&Record>, name: &str) -> Vec<String> {
    let items: &[Datum] = record.map(|record| record.list(name)).unwrap_or_default();
    items.iter().map(|item| scalar(&item.value).unwrap_or_default()).collect()
}

pub(super) fn block(name: &'static str, fields: Flat) -> Block {
    Block { name, fields, ..Block::default() }
}

/// A block of which only the fields count.
pub(super) fn of_fields(name: &'static str, fields: Flat) -> Block {
    Block { rule: Rule::Fields, ..block(name, fields) }
}

pub(super) fn one(block: Option<Block>) -> Part {
    Part::One(block.map(Box::new))
}

pub(super) fn job(job: &Record) -> JobView {
    let record = Some(job);
    let id = text_or(record, "ID", "");
    let kind = text(record, "Type").unwrap_or_else(|| "service".to_owned());
    let mut fields = flat(
        record,
        &[
            ("AllAtOnce", "AllAtOnce", "false"),
            ("Name", "Name", ""),
            ("NodePool", "NodePool", ""),
            ("Priority", "Priority", "50"),
            ("Region", "Region", "global"),
            ("Stop", "Stop", "false"),
            ("Type", "Type", "service"),
            ("VaultNamespace", "VaultNamespace", ""),
        ],
    );
    if job.get("Name").is_none() {
        fields.insert("Name".to_owned(), id);
    }
    fields.insert("Namespace".to_owned(), text_or(record, "Namespace", "default"));
    add_map(&mut fields, record, "Meta");
    let mut places = texts(record, "Datacenters");
    if places.is_empty() {
        places.push("*".to_owned());
    }
    let parts = vec![
        Part::QuietSet("Datacenters", places),
        constraints(record),
        affinities(record),
        one(inner(record, "Periodic").map(periodic)),
        one(inner(record, "ParameterizedJob").map(parameterized)),
        one(inner(record, "Multiregion").map(multiregion)),
        one(inner(record, "UI").map(ui)),
    ];
    let groups = records(record, "TaskGroups").into_iter().map(|own| group(own, job, &kind)).collect();
    JobView { fields, parts, groups }
}

fn constraints(owner: Option<&Record>) -> Part {
    Part::Keyed(records(owner, "Constraints").into_iter().map(|own| placement("Constraint", own, &[])).collect())
}

fn affinities(owner: Option<&Record>) -> Part {
    let weight: &[Row] = &[("Weight", "Weight", "50")];
    Part::Keyed(records(owner, "Affinities").into_iter().map(|own| placement("Affinity", own, weight)).collect())
}

fn placement(name: &'static str, own: &Record, more: &[Row]) -> Block {
    let rows: &[Row] = &[("LTarget", "LTarget", ""), ("RTarget", "RTarget", ""), ("Operand", "Operand", "")];
    let fields = flat(Some(own), &[rows, more].concat());
    Block { key: format!("{fields:?}"), ..of_fields(name, fields) }
}

fn periodic(own: &Record) -> Block {
    let own = Some(own);
    let rows: &[Row] = &[
        ("Enabled", "Enabled", "true"),
        ("ProhibitOverlap", "ProhibitOverlap", "false"),
        ("Spec", "Spec", ""),
        ("SpecType", "SpecType", "cron"),
    ];
    let mut fields = flat(own, rows);
    fields.insert("TimeZone".to_owned(), text_or(own, "TimeZone", "UTC"));
    Block { parts: vec![Part::QuietSet("Specs", texts(own, "Specs"))], ..block("Periodic", fields) }
}

fn parameterized(own: &Record) -> Block {
    let own = Some(own);
    let mut fields = Flat::new();
    fields.insert("Payload".to_owned(), text_or(own, "Payload", "optional"));
    let parts = vec![
        Part::Set("MetaOptional", texts(own, "MetaOptional")),
        Part::Set("MetaRequired", texts(own, "MetaRequired")),
    ];
    Block { parts, ..block("ParameterizedJob", fields) }
}

fn multiregion(own: &Record) -> Block {
    let strategy = inner(Some(own), "Strategy");
    let strategy = flat(strategy, &[("MaxParallel", "MaxParallel", "0"), ("OnFailure", "OnFailure", "")]);
    let region = |own: &Record| {
        let own = Some(own);
        let mut fields = flat(own, &[("Count", "Count", "1"), ("Name", "Name", ""), ("NodePool", "NodePool", "")]);
        add_map(&mut fields, own, "Meta");
        let places = vec![Part::QuietSet("Datacenters", texts(own, "Datacenters"))];
        Block { key: text_or(own, "Name", ""), parts: places, ..of_fields("Region", fields) }
    };
    let regions = records(Some(own), "Regions").into_iter().map(region).collect();
    // All of it is sorted by name there, and a region comes before the strategy.
    let parts = vec![Part::Keyed(regions), one(Some(of_fields("Strategy", strategy)))];
    Block { parts, ..block("Multiregion", Flat::new()) }
}

fn ui(own: &Record) -> Block {
    let link = |own: &Record| block("Link", flat(Some(own), &[("Label", "Label", ""), ("Url", "URL", "")]));
    let mut links: Vec<Block> = records(Some(own), "Links").into_iter().map(link).collect();
    // One that says nothing is as good as none.
    while links.last().is_some_and(|link| link.fields.values().all(String::is_empty)) {
        links.pop();
    }
    let unseen = Flat::from([("Links".to_owned(), records(Some(own), "Links").len().to_string())]);
    Block {
        unseen,
        parts: vec![Part::Listed(links)],
        ..block("UI", flat(Some(own), &[("Description", "Description", "")]))
    }
}

fn group(own: &Record, job: &Record, kind: &str) -> GroupView {
    let record = Some(own);
    let name = text_or(record, "Name", "");
    let above = Above { job, group: &name };
    let scaling = inner(record, "Scaling");
    let count = text(record, "Count").or_else(|| text(scaling, "Min")).unwrap_or_else(|| "1".to_owned());
    let mut fields = Flat::from([("Count".to_owned(), count.clone())]);
    add_map(&mut fields, record, "Meta");
    fields.insert("ShutdownDelay".to_owned(), text(record, "ShutdownDelay").unwrap_or_default());
    let restart = restart(inner(record, "RestartPolicy"), kind);
    let tasks = records(record, "Tasks").into_iter().map(|own| task(own, above, &restart)).collect();
    let volumes = match own.get("Volumes").map(|datum| &datum.value) {
        Some(Data::Map(entries)) => entries
            .iter()
            .filter_map(|(name, item)| match &item.value {
                Data::Record(own) => Some(volume(name, own)),
                _ => None,
            })
            // Others are left out when a server reads them.
            .filter(|block| matches!(block.fields.get("Type").map(String::as_str), Some("host" | "csi")))
            .collect(),
        _ => Vec::new(),
    };
    let parts = vec![
        constraints(record),
        affinities(record),
        one(Some(of_fields("RestartPolicy", restart))),
        one(migrate(own, job, kind)),
        one(reschedule(own, job, kind)),
        one(Some(of_fields(
            "EphemeralDisk",
            flat(
                inner(record, "EphemeralDisk"),
                &[("Migrate", "Migrate", "false"), ("SizeMB", "SizeMB", "300"), ("Sticky", "Sticky", "false")],
            ),
        ))),
        one(consul(record)),
        one(update(own, job, kind)),
        one(inner(record, "Disconnect").map(disconnect)),
        networks(record),
        one(scaling.map(|own| scaling_policy(own, &count, above))),
        services(record, above, None),
        Part::Sorted(volumes),
    ];
    let mut unseen = Flat::new();
    add_unseen(&mut unseen, record, &["Spreads"]);
    if own.get("Volumes").is_some() {
        unseen.insert("Volumes".to_owned(), String::new());
    }
    let block = Block { fields, unseen, parts, ..Block::default() };
    GroupView { name: name.clone(), block, tasks }
}

fn restart(own: Option<&Record>, kind: &str) -> Flat {
    let (attempts, interval) = match kind {
        "service" | "system" => (2, 30 * MINUTE),
        _ => (3, 24 * HOUR),
    };
    let mut fields = flat(own, &[("Mode", "Mode", "fail"), ("RenderTemplates", "RenderTemplates", "false")]);
    for (name, default) in [("Attempts", attempts), ("Delay", 15 * SECOND), ("Interval", interval)] {
        fields.insert(name.to_owned(), text(own, name).unwrap_or_else(|| default.to_string()));
    }
    fields
}

/// The fields of a block of a group over those of the same block of its job, and over what they are where nothing is written.
fn inherited(group: &Record, job: &Record, of_group: &str, of_job: &str, defaults: &[(&str, String)]) -> Flat {
    let (own, above) = (inner(Some(group), of_group), inner(Some(job), of_job));
    let value = |name: &str, default: &String| text(own, name).or_else(|| text(above, name)).unwrap_or(default.clone());
    defaults.iter().map(|(name, default)| ((*name).to_owned(), value(name, default))).collect()
}

fn migrate(own: &Record, job: &Record, kind: &str) -> Option<Block> {
    let is_there = own.get("Migrate").is_some() || job.get("Migrate").is_some() || kind == "service";
    let defaults = [
        ("MaxParallel", "1".to_owned()),
        ("HealthCheck", "checks".to_owned()),
        ("MinHealthyTime", (10 * SECOND).to_string()),
        ("HealthyDeadline", (5 * MINUTE).to_string()),
    ];
    is_there.then(|| of_fields("Migrate", inherited(own, job, "Migrate", "Migrate", &defaults)))
}

fn reschedule(own: &Record, job: &Record, kind: &str) -> Option<Block> {
    let is_there = own.get("ReschedulePolicy").is_some()
        || job.get("Reschedule").is_some()
        || !matches!(kind, "sysbatch" | "system");
    let (attempts, interval, delay, function, most, unlimited) = match kind {
        "service" => (0, 0, 30 * SECOND, "exponential", HOUR, true),
        "batch" => (1, 24 * HOUR, 5 * SECOND, "constant", 0, false),
        _ => (0, 0, 0, "", 0, false),
    };
    let defaults = [
        ("Attempts", attempts.to_string()),
        ("Interval", interval.to_string()),
        ("Delay", delay.to_string()),
        ("DelayFunction", function.to_owned()),
        ("MaxDelay", most.to_string()),
        ("Unlimited", unlimited.to_string()),
    ];
    is_there.then(|| of_fields("ReschedulePolicy", inherited(own, job, "ReschedulePolicy", "Reschedule", &defaults)))
}

fn update(own: &Record, job: &Record, kind: &str) -> Option<Block> {
    let above = inner(Some(job), "Update");
    // A block of the job that says nothing but what is nothing is not taken over.
    let says = |name: &str| text(above, name).is_some_and(|text| !matches!(text.as_str(), "" | "0" | "false"));
    let names = [
        "Stagger",
        "MaxParallel",
        "HealthCheck",
        "MinHealthyTime",
        "HealthyDeadline",
        "ProgressDeadline",
        "AutoRevert",
        "AutoPromote",
        "Canary",
    ];
    // The job's own block is filled in before that is asked.
    let of_job = match above {
        Some(_) => names.iter().any(|name| {
            says(name) || text(above, name).is_none() && !matches!(*name, "Canary" | "AutoRevert" | "AutoPromote")
        }),
        None => matches!(kind, "service" | "system"),
    };
    if own.get("Update").is_none() && !of_job {
        return None;
    }
    let defaults = [
        ("MaxParallel", "1".to_owned()),
        ("HealthCheck", "checks".to_owned()),
        ("MinHealthyTime", (10 * SECOND).to_string()),
        ("HealthyDeadline", (5 * MINUTE).to_string()),
        ("ProgressDeadline", (10 * MINUTE).to_string()),
        ("AutoRevert", "false".to_owned()),
        ("AutoPromote", "false".to_owned()),
        ("Canary", "0".to_owned()),
    ];
    Some(of_fields("Update", inherited(own, job, "Update", "Update", &defaults)))
}

fn disconnect(own: &Record) -> Block {
    let rows: &[Row] = &[
        ("LostAfter", "LostAfter", "0"),
        ("Reconcile", "Reconcile", ""),
        ("Replace", "Replace", "nil"),
        ("StopOnClientAfter", "StopOnClientAfter", "nil"),
    ];
    let mut fields = flat(Some(own), rows);
    if let Some(reconcile) = fields.get_mut("Reconcile").filter(|text| text.is_empty()) {
        "best_score".clone_into(reconcile);
    }
    if let Some(replace) = fields.get_mut("Replace").filter(|text| *text == "nil") {
        "true".clone_into(replace);
    }
    block("Disconnect", fields)
}

fn consul(owner: Option<&Record>) -> Option<Block> {
    let own = inner(owner, "Consul")?;
    let mut fields = flat(Some(own), &[("Namespace", "Namespace", ""), ("Partition", "Partition", "")]);
    fields.insert("Cluster".to_owned(), text_or(Some(own), "Cluster", "default"));
    Some(of_fields("Consul", fields))
}

fn scaling_policy(own: &Record, count: &str, above: Above<'_>) -> Block {
    let mut fields = flat(Some(own), &[("Enabled", "Enabled", "true"), ("Max", "Max", "-1")]);
    fields.insert("Min".to_owned(), text(Some(own), "Min").unwrap_or_else(|| count.to_owned()));
    let mut policy = Flat::new();
    if let Some(datum) = own.get("Policy") {
        flatten("", &datum.value, &mut policy);
    }
    let policy = (!policy.is_empty()).then(|| Block { rule: Rule::Terse, ..block("Policy", policy) });
    let unseen = Flat::from([("Namespace".to_owned(), text_or(Some(above.job), "Namespace", "default"))]);
    Block { rule: Rule::Terse, unseen, parts: vec![one(policy)], ..block("Scaling", fields) }
}

fn volume(name: &str, own: &Record) -> Block {
    let own = Some(own);
    let rows: &[Row] = &[
        ("AccessMode", "AccessMode", ""),
        ("AttachmentMode", "AttachmentMode", ""),
        ("Name", "Name", ""),
        ("PerAlloc", "PerAlloc", "false"),
        ("ReadOnly", "ReadOnly", "false"),
        ("Source", "Source", ""),
        ("Sticky", "Sticky", "false"),
        ("Type", "Type", ""),
    ];
    let options = inner(own, "MountOptions").map(|own| Block {
        parts: vec![Part::Set("MountFlags", texts(Some(own), "MountFlags"))],
        ..block("MountOptions", flat(Some(own), &[("FSType", "FSType", "")]))
    });
    Block { key: name.to_owned(), parts: vec![one(options)], ..block("Volume", flat(own, rows)) }
}

pub(super) fn networks(owner: Option<&Record>) -> Part {
    let network = |own: &Record| {
        let own = Some(own);
        let dns = inner(own, "DNS").map(|own| {
            let join = |name: &str| (name.to_owned(), texts(Some(own), name).join(","));
            let fields = ["Servers", "Searches", "Options"].map(join).into_iter().filter(|(_, text)| !text.is_empty());
            block("DNS", fields.collect())
        });
        let cni = inner(own, "CNI").map(|own| {
            let mut fields = Flat::new();
            if let Some(datum) = own.get("Args") {
                flatten("", &datum.value, &mut fields);
            }
            of_fields("CNIConfig", fields)
        });
        let ports = |name: &str, shown: &'static str, is_dynamic: bool| {
            let port = |own: &Record| {
                let own = Some(own);
                let mut fields = flat(own, &[("Label", "Label", ""), ("To", "To", "0")]);
                if !is_dynamic {
                    let rows: &[Row] = &[("Value", "Value", "0"), ("IgnoreCollision", "IgnoreCollision", "false")];
                    fields.extend(flat(own, rows));
                }
                fields.insert("HostNetwork".to_owned(), text_or(own, "HostNetwork", "default"));
                Block { key: text_or(own, "Label", ""), ..of_fields(shown, fields) }
            };
            Part::Keyed(records(own, name).into_iter().map(port).collect())
        };
        let parts = vec![
            ports("ReservedPorts", "Static Port", false),
            ports("DynamicPorts", "Dynamic Port", true),
            one(dns),
            one(cni),
        ];
        let mut unseen = Flat::new();
        add_unseen(&mut unseen, own, &["CIDR", "IP", "MBits"]);
        let fields = flat(own, &[("Hostname", "Hostname", ""), ("Mode", "Mode", "")]);
        let whole = Block { unseen, parts, ..block("Network", fields) };
        // They have no name, and what changes in one makes it another.
        Block { key: format!("{whole:?}"), ..whole }
    };
    Part::Keyed(records(owner, "Networks").into_iter().map(network).collect())
}

fn task(own: &Record, above: Above<'_>, restart_of_group: &Flat) -> Block {
    let record = Some(own);
    let name = text_or(record, "Name", "");
    let rows: &[Row] = &[
        ("Driver", "Driver", ""),
        ("KillSignal", "KillSignal", ""),
        ("Kind", "Kind", ""),
        ("Leader", "Leader", "false"),
        ("ShutdownDelay", "ShutdownDelay", "0"),
        ("User", "User", ""),
    ];
    let mut fields = flat(record, rows);
    let kill = text(record, "KillTimeout").filter(|text| text != "0").unwrap_or_else(|| (5 * SECOND).to_string());
    fields.insert("KillTimeout".to_owned(), kill);
    add_map(&mut fields, record, "Env");
    add_map(&mut fields, record, "Meta");
    let parts = vec![
        constraints(record),
        affinities(record),
        one(config(record)),
        one(Some(resources(inner(record, "Resources")))),
        one(Some(of_fields("LogConfig", logs(inner(record, "LogConfig"))))),
        one(inner(record, "DispatchPayload")
            .map(|own| of_fields("DispatchPayload", flat(Some(own), &[("File", "File", "")])))),
        artifacts(record),
        services(record, above, Some(&name)),
        one(inner(record, "Vault").map(|own| vault(own, above.job))),
        secrets(record),
        one(consul(record)),
        Part::Templates(records(record, "Templates").into_iter().map(template).collect()),
        one(Some(default_identity(record))),
        Part::Keyed(identities(record)),
        Part::Listed(records(record, "Actions").into_iter().map(action).collect()),
        volume_mounts(record),
        one(inner(record, "Schedule").filter(|own| own.get("Cron").is_some()).map(schedule)),
    ];
    let mut unseen = unseen_of_task(record, above);
    let own_restart = inner(record, "RestartPolicy");
    for (name, value) in restart_of_group {
        unseen.insert(format!("RestartPolicy.{name}"), text(own_restart, name).unwrap_or_else(|| value.clone()));
    }
    Block { key: name, fields, unseen, parts, ..Block::default() }
}

/// What is for a plugin; an empty one is none.
pub(super) fn config(owner: Option<&Record>) -> Option<Block> {
    let datum = owner?.get("Config")?;
    let mut fields = Flat::new();
    flatten("", &datum.value, &mut fields);
    let is_there = !matches!(&datum.value, Data::Map(entries) if entries.is_empty());
    let mut unseen = Flat::new();
    add_unseen(&mut unseen, owner, &["Config"]);
    is_there.then(|| Block { unseen, ..block("Config", fields) })
}

pub(super) fn logs(own: Option<&Record>) -> Flat {
    let rows: &[Row] =
        &[("Disabled", "Disabled", "false"), ("MaxFileSizeMB", "MaxFileSizeMB", "10"), ("MaxFiles", "MaxFiles", "10")];
    flat(own, rows)
}

pub(super) fn resources(own: Option<&Record>) -> Block {
    let rows: &[Row] = &[
        ("Cores", "Cores", "0"),
        ("DiskMB", "", "0"),
        ("IOPS", "IOPS", "0"),
        ("MemoryMB", "MemoryMB", "300"),
        ("MemoryMaxMB", "MemoryMaxMB", "0"),
        ("SecretsMB", "SecretsMB", "0"),
    ];
    let mut fields = flat(own, rows);
    let has_cores = text(own, "Cores").is_some();
    let cpu = text(own, "CPU").unwrap_or_else(|| if has_cores { "0" } else { "100" }.to_owned());
    fields.insert("CPU".to_owned(), cpu);
    let device = |own: &Record| {
        let own = Some(own);
        let mut unseen = Flat::new();
        add_unseen(&mut unseen, own, &["Constraints", "Affinities"]);
        let fields = flat(own, &[("Count", "Count", "1"), ("Name", "Name", "")]);
        Block { key: text_or(own, "Name", ""), unseen, ..block("Device", fields) }
    };
    let numa = inner(own, "NUMA").map(|own| {
        let mut unseen = Flat::new();
        add_unseen(&mut unseen, Some(own), &["Devices"]);
        let affinity = text_or(Some(own), "Affinity", "none");
        Block { unseen, ..block("NUMA", Flat::from([("Affinity".to_owned(), affinity)])) }
    });
    let devices = Part::Keyed(records(own, "Devices").into_iter().map(device).collect());
    Block { parts: vec![networks(own), devices, one(numa)], ..block("Resources", fields) }
}

fn artifacts(owner: Option<&Record>) -> Part {
    let artifact = |own: &Record| {
        let own = Some(own);
        let rows: &[Row] = &[
            ("Chown", "Chown", "false"),
            ("GetterInsecure", "GetterInsecure", "false"),
            ("GetterMode", "GetterMode", "any"),
            ("GetterSource", "GetterSource", ""),
        ];
        let mut fields = flat(own, rows);
        add_map(&mut fields, own, "GetterOptions");
        add_map(&mut fields, own, "GetterHeaders");
        let place = text(own, "RelativeDest").unwrap_or_else(|| match fields.get("GetterMode").map(String::as_str) {
            Some("file") => {
                let source = fields.get("GetterSource").map_or("", String::as_str);
                format!("local/{}", source.trim_end_matches('/').rsplit('/').next().unwrap_or_default())
            }
            _ => "local/".to_owned(),
        });
        fields.insert("RelativeDest".to_owned(), place.clone());
        Block { key: place, ..of_fields("Artifact", fields) }
    };
    Part::Keyed(records(owner, "Artifacts").into_iter().map(artifact).collect())
}

fn vault(own: &Record, job: &Record) -> Block {
    let own = Some(own);
    let rows: &[Row] = &[
        ("AllowTokenExpiration", "AllowTokenExpiration", "false"),
        ("DisableFile", "DisableFile", "false"),
        ("Env", "Env", "true"),
        ("Role", "Role", ""),
    ];
    let mut fields = flat(own, rows);
    let of_job = text_or(Some(job), "VaultNamespace", "");
    fields.insert("Namespace".to_owned(), text_or(own, "Namespace", &of_job));
    fields.insert("Cluster".to_owned(), text_or(own, "Cluster", "default"));
    fields.insert("ChangeMode".to_owned(), text_or(own, "ChangeMode", "restart"));
    let signal = text(own, "ChangeSignal").unwrap_or_else(|| "SIGHUP".to_owned());
    fields.insert("ChangeSignal".to_owned(), signal.to_uppercase());
    block("Vault", fields)
}

fn secrets(owner: Option<&Record>) -> Part {
    let secret = |own: &Record| {
        let own = Some(own);
        let mut fields = flat(own, &[("Name", "Name", ""), ("Path", "Path", ""), ("Provider", "Provider", "")]);
        add_map(&mut fields, own, "Config");
        add_map(&mut fields, own, "Env");
        Block { key: text_or(own, "Name", ""), ..block("Secret", fields) }
    };
    Part::Keyed(records(owner, "Secrets").into_iter().map(secret).collect())
}

fn template(own: &Record) -> Block {
    let own = Some(own);
    let rows: &[Row] = &[
        ("ChangeMode", "ChangeMode", "restart"),
        ("DestPath", "DestPath", ""),
        ("EmbeddedTmpl", "EmbeddedTmpl", ""),
        ("Envvars", "Envvars", "false"),
        ("ErrMissingKey", "ErrMissingKey", "false"),
        ("LeftDelim", "LeftDelim", "{{"),
        ("Once", "Once", "false"),
        ("Perms", "Perms", "0644"),
        ("RightDelim", "RightDelim", "}}"),
        ("SourcePath", "SourcePath", ""),
        ("VaultGrace", "VaultGrace", "0"),
    ];
    let mut fields = flat(own, rows);
    fields.insert("Splay".to_owned(), text(own, "Splay").unwrap_or_else(|| (5 * SECOND).to_string()));
    let is_signal = fields.get("ChangeMode").is_some_and(|mode| mode == "signal");
    let signal = text(own, "ChangeSignal").unwrap_or_else(|| if is_signal { "SIGHUP" } else { "" }.to_owned());
    fields.insert("ChangeSignal".to_owned(), signal.to_uppercase());
    for name in ["Uid", "Gid"] {
        fields.extend(text(own, name).map(|number| (name.to_owned(), number)));
    }
    let wait = inner(own, "Wait")
        .map(|own| block("Template", flat(Some(own), &[("Max", "Max", "nil"), ("Min", "Min", "nil")])));
    let script = inner(own, "ChangeScript").map(|own| {
        let mut fields = flat(Some(own), &[("Command", "Command", ""), ("FailOnError", "FailOnError", "false")]);
        fields.insert("Timeout".to_owned(), text(Some(own), "Timeout").unwrap_or_else(|| (5 * SECOND).to_string()));
        Block { parts: vec![Part::Set("Args", texts(Some(own), "Args"))], ..block("ChangeScript", fields) }
    });
    let key = fields.get("DestPath").cloned().unwrap_or_default();
    Block { key, parts: vec![one(wait), one(script)], ..block("Template", fields) }
}

/// The identity that every task has: the last one of the usual name.
fn default_identity(owner: Option<&Record>) -> Block {
    let named = records(owner, "Identities");
    let named = default_of(&named).and_then(|at| named.get(at).copied());
    identity(named.or_else(|| inner(owner, "Identity")))
}

fn default_of(identities: &[&Record]) -> Option<usize> {
    identities.iter().rposition(|own| text_or(Some(own), "Name", "default") == "default")
}

fn identities(owner: Option<&Record>) -> Vec<Block> {
    let all = records(owner, "Identities");
    let default = default_of(&all);
    let others = all.into_iter().enumerate().filter(|(at, _)| Some(*at) != default);
    others.map(|(_, own)| identity(Some(own))).collect()
}

/// What makes tasks different without being shown.
fn unseen_of_task(own: Option<&Record>, above: Above<'_>) -> Flat {
    let mut unseen = Flat::new();
    let mut add = |name: &str, fields: Flat| unseen.insert(name.to_owned(), format!("{fields:?}"));
    let lifecycle = flat(inner(own, "Lifecycle"), &[("Hook", "Hook", ""), ("Sidecar", "Sidecar", "false")]);
    add("Lifecycle", lifecycle);
    if let Some(plugin) = inner(own, "CSIPluginConfig") {
        let rows: &[Row] =
            &[("ID", "ID", ""), ("Type", "Type", ""), ("StagePublishBaseDir", "StagePublishBaseDir", "")];
        let mut fields = flat(Some(plugin), rows);
        fields.insert("MountDir".to_owned(), text_or(Some(plugin), "MountDir", "/csi"));
        let health = text(Some(plugin), "HealthTimeout").filter(|text| text != "0");
        fields.insert("HealthTimeout".to_owned(), health.unwrap_or_else(|| (30 * SECOND).to_string()));
        add("CSIPluginConfig", fields);
    }
    for (at, policy) in records(own, "ScalingPolicies").into_iter().enumerate() {
        let rows: &[Row] =
            &[("Enabled", "Enabled", "true"), ("Max", "Max", "-1"), ("Min", "Min", "0"), ("Type", "Type", "")];
        let mut fields = flat(Some(policy), rows);
        add_unseen(&mut fields, Some(policy), &["Policy"]);
        fields.insert("Namespace".to_owned(), text_or(Some(above.job), "Namespace", "default"));
        add(&format!("ScalingPolicies[{at}]"), fields);
    }
    unseen
}

fn action(own: &Record) -> Block {
    let own = Some(own);
    let fields = flat(own, &[("Command", "Command", ""), ("Name", "Name", "")]);
    Block { parts: vec![Part::Set("Args", texts(own, "Args"))], ..block("Action", fields) }
}

/// Mounts; those without a volume are left out when a server reads them.
pub(super) fn volume_mounts(owner: Option<&Record>) -> Part {
    let mounts = records(owner, "VolumeMounts").into_iter().filter(|own| own.get("Volume").is_some());
    Part::Listed(mounts.map(volume_mount).collect())
}

fn volume_mount(own: &Record) -> Block {
    let rows: &[Row] = &[
        ("Destination", "Destination", ""),
        ("PropagationMode", "PropagationMode", "private"),
        ("ReadOnly", "ReadOnly", "false"),
        ("SELinuxLabel", "SELinuxLabel", ""),
        ("Volume", "Volume", ""),
    ];
    block("VolumeMount", flat(Some(own), rows))
}

fn schedule(own: &Record) -> Block {
    let rows: &[Row] = &[("End", "End", ""), ("Start", "Start", ""), ("Timezone", "Timezone", "")];
    of_fields("Schedule", flat(inner(Some(own), "Cron"), rows))
}
