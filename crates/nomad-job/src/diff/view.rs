//! A job and its groups as a server compares them: with their defaults, under the names that a plan shows.
//!
//! Source of the defaults: <https://developer.hashicorp.com/nomad/docs/job-specification>.

use hieratic_hcl_types::go::duration::{HOUR, MINUTE, SECOND};

use super::block::{Block, BlockPart, CompareRule, FlatFields};
use super::read::{
    Row, add_hidden, add_map, block, flat, flatten, inner, of_fields, one, records, text, text_or, texts,
};
use super::service::services;
use super::task::task;
use crate::record::{Data, Record};

/// A job with its groups.
pub(super) struct JobView {
    pub(super) fields: FlatFields,
    pub(super) parts: Vec<BlockPart>,
    pub(super) groups: Vec<GroupView>,
}

/// A group with its tasks.
pub(super) struct GroupView {
    pub(super) name: String,
    pub(super) block: Block,
    pub(super) tasks: Vec<Block>,
}

/// The values that groups and tasks inherit from their job.
#[derive(Clone, Copy)]
pub(super) struct InheritedDefaults<'r> {
    pub(super) job: &'r Record,
    pub(super) group: &'r str,
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
        BlockPart::QuietSet("Datacenters", places),
        constraints(record),
        affinities(record),
        one(inner(record, "Periodic").map(periodic)),
        one(inner(record, "ParameterizedJob").map(parameterized)),
        one(inner(record, "Multiregion").map(multiregion)),
        one(inner(record, "UI").map(ui)),
    ];
    let groups =
        records(record, "TaskGroups").into_iter().map(|inner_record| group(inner_record, job, &kind)).collect();
    JobView { fields, parts, groups }
}

pub(super) fn constraints(owner: Option<&Record>) -> BlockPart {
    BlockPart::Keyed(
        records(owner, "Constraints").into_iter().map(|record| placement("Constraint", record, &[])).collect(),
    )
}

pub(super) fn affinities(owner: Option<&Record>) -> BlockPart {
    let weight: &[Row] = &[("Weight", "Weight", "50")];
    BlockPart::Keyed(
        records(owner, "Affinities").into_iter().map(|record| placement("Affinity", record, weight)).collect(),
    )
}

fn placement(name: &'static str, record: &Record, more: &[Row]) -> Block {
    let rows: &[Row] = &[("LTarget", "LTarget", ""), ("RTarget", "RTarget", ""), ("Operand", "Operand", "")];
    let fields = flat(Some(record), &[rows, more].concat());
    Block { key: format!("{fields:?}"), ..of_fields(name, fields) }
}

fn periodic(record: &Record) -> Block {
    let record = Some(record);
    let rows: &[Row] = &[
        ("Enabled", "Enabled", "true"),
        ("ProhibitOverlap", "ProhibitOverlap", "false"),
        ("Spec", "Spec", ""),
        ("SpecType", "SpecType", "cron"),
    ];
    let mut fields = flat(record, rows);
    fields.insert("TimeZone".to_owned(), text_or(record, "TimeZone", "UTC"));
    Block { parts: vec![BlockPart::QuietSet("Specs", texts(record, "Specs"))], ..block("Periodic", fields) }
}

fn parameterized(record: &Record) -> Block {
    let record = Some(record);
    let mut fields = FlatFields::new();
    fields.insert("Payload".to_owned(), text_or(record, "Payload", "optional"));
    let parts = vec![
        BlockPart::Set("MetaOptional", texts(record, "MetaOptional")),
        BlockPart::Set("MetaRequired", texts(record, "MetaRequired")),
    ];
    Block { parts, ..block("ParameterizedJob", fields) }
}

fn multiregion(record: &Record) -> Block {
    let strategy = inner(Some(record), "Strategy");
    let strategy = flat(strategy, &[("MaxParallel", "MaxParallel", "0"), ("OnFailure", "OnFailure", "")]);
    let region = |record: &Record| {
        let record = Some(record);
        let mut fields = flat(record, &[("Count", "Count", "1"), ("Name", "Name", ""), ("NodePool", "NodePool", "")]);
        add_map(&mut fields, record, "Meta");
        let places = vec![BlockPart::QuietSet("Datacenters", texts(record, "Datacenters"))];
        Block { key: text_or(record, "Name", ""), parts: places, ..of_fields("Region", fields) }
    };
    let regions = records(Some(record), "Regions").into_iter().map(region).collect();
    // The reference sorts all parts by name, and a region comes before the strategy.
    let parts = vec![BlockPart::Keyed(regions), one(Some(of_fields("Strategy", strategy)))];
    Block { parts, ..block("Multiregion", FlatFields::new()) }
}

fn ui(record: &Record) -> Block {
    let link = |record: &Record| block("Link", flat(Some(record), &[("Label", "Label", ""), ("Url", "URL", "")]));
    let mut links: Vec<Block> = records(Some(record), "Links").into_iter().map(link).collect();
    // An empty link counts as missing.
    while links.last().is_some_and(|link| link.fields.values().all(String::is_empty)) {
        links.pop();
    }
    let hidden = FlatFields::from([("Links".to_owned(), records(Some(record), "Links").len().to_string())]);
    Block {
        hidden,
        parts: vec![BlockPart::Listed(links)],
        ..block("UI", flat(Some(record), &[("Description", "Description", "")]))
    }
}

fn group(inner_record: &Record, job: &Record, kind: &str) -> GroupView {
    let record = Some(inner_record);
    let name = text_or(record, "Name", "");
    let above = InheritedDefaults { job, group: &name };
    let scaling = inner(record, "Scaling");
    let count = text(record, "Count").or_else(|| text(scaling, "Min")).unwrap_or_else(|| "1".to_owned());
    let mut fields = FlatFields::from([("Count".to_owned(), count.clone())]);
    add_map(&mut fields, record, "Meta");
    let of_both = vec![("ShutdownDelay", text(record, "ShutdownDelay").unwrap_or_default())];
    fields.insert("PreventRescheduleOnLost".to_owned(), "false".to_owned());
    let restart = restart(inner(record, "RestartPolicy"), kind);
    let tasks = records(record, "Tasks").into_iter().map(|inner_record| task(inner_record, above, &restart)).collect();
    let volumes = match inner_record.get("Volumes").map(|datum| &datum.value) {
        Some(Data::Map(entries)) => entries
            .iter()
            .filter_map(|(name, item)| match &item.value {
                Data::Record(inner_record) => Some(volume(name, inner_record)),
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
        one(migrate(inner_record, job, kind)),
        one(reschedule(inner_record, job, kind)),
        one(Some(of_fields(
            "EphemeralDisk",
            flat(
                inner(record, "EphemeralDisk"),
                &[("Migrate", "Migrate", "false"), ("SizeMB", "SizeMB", "300"), ("Sticky", "Sticky", "false")],
            ),
        ))),
        one(consul(record)),
        one(update(inner_record, job, kind)),
        one(inner(record, "Disconnect").map(disconnect)),
        networks(record),
        one(scaling.map(|inner_record| scaling_policy(inner_record, &count, above))),
        services(record, above, None),
        BlockPart::Sorted(volumes),
    ];
    let mut hidden = FlatFields::new();
    add_hidden(&mut hidden, record, &["MaxRunDuration", "Spreads"]);
    if inner_record.get("Volumes").is_some() {
        hidden.insert("Volumes".to_owned(), String::new());
    }
    let block = Block { fields, hidden, of_both, parts, ..Block::default() };
    GroupView { name: name.clone(), block, tasks }
}

fn restart(record: Option<&Record>, kind: &str) -> FlatFields {
    let (attempts, interval) = match kind {
        "service" | "system" => (2, 30 * MINUTE),
        _ => (3, 24 * HOUR),
    };
    let mut fields = flat(record, &[("Mode", "Mode", "fail"), ("RenderTemplates", "RenderTemplates", "false")]);
    for (name, default) in [("Attempts", attempts), ("Delay", 15 * SECOND), ("Interval", interval)] {
        fields.insert(name.to_owned(), text(record, name).unwrap_or_else(|| default.to_string()));
    }
    fields
}

/// The fields of a block of a group, with those of the same block of its job and then the defaults as fallbacks.
fn inherited(group: &Record, job: &Record, of_group: &str, of_job: &str, defaults: &[(&str, String)]) -> FlatFields {
    let (record, above) = (inner(Some(group), of_group), inner(Some(job), of_job));
    let value =
        |name: &str, default: &String| text(record, name).or_else(|| text(above, name)).unwrap_or(default.clone());
    defaults.iter().map(|(name, default)| ((*name).to_owned(), value(name, default))).collect()
}

fn migrate(record: &Record, job: &Record, kind: &str) -> Option<Block> {
    let is_there = record.get("Migrate").is_some() || job.get("Migrate").is_some() || kind == "service";
    let defaults = [
        ("MaxParallel", "1".to_owned()),
        ("HealthCheck", "checks".to_owned()),
        ("MinHealthyTime", (10 * SECOND).to_string()),
        ("HealthyDeadline", (5 * MINUTE).to_string()),
    ];
    is_there.then(|| of_fields("Migrate", inherited(record, job, "Migrate", "Migrate", &defaults)))
}

fn reschedule(record: &Record, job: &Record, kind: &str) -> Option<Block> {
    let is_there = record.get("ReschedulePolicy").is_some()
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
    is_there.then(|| of_fields("ReschedulePolicy", inherited(record, job, "ReschedulePolicy", "Reschedule", &defaults)))
}

fn update(record: &Record, job: &Record, kind: &str) -> Option<Block> {
    let above = inner(Some(job), "Update");
    // A block of the job with only empty values is not inherited.
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
    if record.get("Update").is_none() && !of_job {
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
    Some(of_fields("Update", inherited(record, job, "Update", "Update", &defaults)))
}

fn disconnect(record: &Record) -> Block {
    let rows: &[Row] = &[
        ("LostAfter", "LostAfter", "0"),
        ("Reconcile", "Reconcile", ""),
        ("Replace", "Replace", "nil"),
        ("StopOnClientAfter", "StopOnClientAfter", "nil"),
    ];
    let mut fields = flat(Some(record), rows);
    if let Some(reconcile) = fields.get_mut("Reconcile").filter(|text| text.is_empty()) {
        "best_score".clone_into(reconcile);
    }
    if let Some(replace) = fields.get_mut("Replace").filter(|text| *text == "nil") {
        "true".clone_into(replace);
    }
    block("Disconnect", fields)
}

pub(super) fn consul(owner: Option<&Record>) -> Option<Block> {
    let record = inner(owner, "Consul")?;
    let mut fields = flat(Some(record), &[("Namespace", "Namespace", ""), ("Partition", "Partition", "")]);
    fields.insert("Cluster".to_owned(), text_or(Some(record), "Cluster", "default"));
    Some(of_fields("Consul", fields))
}

fn scaling_policy(record: &Record, count: &str, above: InheritedDefaults<'_>) -> Block {
    let mut fields = flat(Some(record), &[("Enabled", "Enabled", "true"), ("Max", "Max", "-1")]);
    fields.insert("Min".to_owned(), text(Some(record), "Min").unwrap_or_else(|| count.to_owned()));
    let mut policy = FlatFields::new();
    if let Some(datum) = record.get("Policy") {
        flatten("", &datum.value, &mut policy);
    }
    let policy = (!policy.is_empty()).then(|| Block { rule: CompareRule::Terse, ..block("Policy", policy) });
    let hidden = FlatFields::from([("Namespace".to_owned(), text_or(Some(above.job), "Namespace", "default"))]);
    Block { rule: CompareRule::Terse, hidden, parts: vec![one(policy)], ..block("Scaling", fields) }
}

fn volume(name: &str, record: &Record) -> Block {
    let record = Some(record);
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
    let options = inner(record, "MountOptions").map(|record| Block {
        parts: vec![BlockPart::Set("MountFlags", texts(Some(record), "MountFlags"))],
        ..block("MountOptions", flat(Some(record), &[("FSType", "FSType", "")]))
    });
    Block { key: name.to_owned(), parts: vec![one(options)], ..block("Volume", flat(record, rows)) }
}

pub(super) fn networks(owner: Option<&Record>) -> BlockPart {
    let network = |record: &Record| {
        let record = Some(record);
        let dns = inner(record, "DNS").map(|record| {
            let join = |name: &str| (name.to_owned(), texts(Some(record), name).join(","));
            let fields = ["Servers", "Searches", "Options"].map(join).into_iter().filter(|(_, text)| !text.is_empty());
            block("DNS", fields.collect())
        });
        let cni = inner(record, "CNI").map(|record| {
            let mut fields = FlatFields::new();
            if let Some(datum) = record.get("Args") {
                flatten("", &datum.value, &mut fields);
            }
            of_fields("CNIConfig", fields)
        });
        let ports = |name: &str, shown: &'static str, is_dynamic: bool| {
            let port = |record: &Record| {
                let record = Some(record);
                let mut fields = flat(record, &[("Label", "Label", ""), ("To", "To", "0")]);
                if !is_dynamic {
                    let rows: &[Row] = &[("Value", "Value", "0"), ("IgnoreCollision", "IgnoreCollision", "false")];
                    fields.extend(flat(record, rows));
                }
                fields.insert("HostNetwork".to_owned(), text_or(record, "HostNetwork", "default"));
                Block { key: text_or(record, "Label", ""), ..of_fields(shown, fields) }
            };
            BlockPart::Keyed(records(record, name).into_iter().map(port).collect())
        };
        let parts = vec![
            ports("ReservedPorts", "Static Port", false),
            ports("DynamicPorts", "Dynamic Port", true),
            one(dns),
            one(cni),
        ];
        let mut hidden = FlatFields::new();
        add_hidden(&mut hidden, record, &["CIDR", "IP", "MBits"]);
        let fields = flat(record, &[("Hostname", "Hostname", ""), ("Mode", "Mode", "")]);
        let whole = Block { hidden, parts, ..block("Network", fields) };
        // They have no name, so a change makes it a different one.
        Block { key: format!("{whole:?}"), ..whole }
    };
    BlockPart::Keyed(records(owner, "Networks").into_iter().map(network).collect())
}
