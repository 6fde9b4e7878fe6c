//! Services and their parts, as a server compares them.

use super::block::{Block, BlockPart, FlatFields};
use super::read::{Row, add_hidden, add_map, block, flat, inner, one, records, scalar, text, text_or, texts};
use super::view::InheritedDefaults;
use crate::record::{Data, Record};

/// The services of a group, or of a task that has a name.
pub(super) fn services(owner: Option<&Record>, above: InheritedDefaults<'_>, task: Option<&str>) -> BlockPart {
    BlockPart::Services(records(owner, "Services").into_iter().map(|record| service(record, above, task)).collect())
}

fn service(inner_record: &Record, above: InheritedDefaults<'_>, task: Option<&str>) -> Block {
    let record = Some(inner_record);
    let job = Some(above.job);
    let job_name = text(job, "Name").or_else(|| text(job, "ID")).unwrap_or_default();
    let usual = match task {
        Some(task) => format!("{job_name}-{}-{task}", above.group),
        None => format!("{job_name}-{}", above.group),
    };
    let of_task = task.unwrap_or("group");
    let base = format!("{job_name}-{}-{of_task}", above.group);
    let values = [("JOB", job_name.as_str()), ("TASKGROUP", above.group), ("TASK", of_task), ("BASE", base.as_str())];
    let name = values.iter().fold(text_or(record, "Name", &usual), |name, (variable, value)| {
        name.replace(&format!("${{{variable}}}"), value)
    });
    let rows: &[Row] = &[
        ("Address", "Address", ""),
        ("EnableTagOverride", "EnableTagOverride", "false"),
        ("Kind", "Kind", ""),
        ("PortLabel", "PortLabel", ""),
    ];
    let mut fields = flat(record, rows);
    let provider = text_or(record, "Provider", "consul");
    let namespace = match provider.as_str() {
        "nomad" => text_or(job, "Namespace", "default"),
        "consul" => "default".to_owned(),
        _ => String::new(),
    };
    let on_update = text_or(record, "OnUpdate", "require_healthy");
    let task_name = text_or(record, "TaskName", task.unwrap_or_default());
    for (shown, value) in [
        ("AddressMode", text_or(record, "AddressMode", "auto")),
        ("Cluster", text_or(record, "Cluster", "default")),
        ("Name", name.clone()),
        ("Namespace", namespace),
        ("OnUpdate", on_update.clone()),
        ("Provider", provider),
        ("TaskName", task_name.clone()),
    ] {
        fields.insert(shown.to_owned(), value);
    }
    for map in ["Meta", "CanaryMeta", "TaggedAddresses"] {
        add_map(&mut fields, record, map);
    }
    let restart = inner(record, "CheckRestart");
    let of_service = ServiceDefaults { name: &name, task: &task_name, on_update: &on_update, restart };
    let checks =
        records(record, "Checks").into_iter().map(|inner_record| check(inner_record, of_service, task.is_none()));
    let weights = inner(record, "Weights").map(|inner_record| {
        let at_least_one = |name: &str| {
            let number = text(Some(inner_record), name).filter(|text| !text.starts_with(['0', '-']));
            (name.to_owned(), number.unwrap_or_else(|| "1".to_owned()))
        };
        block("Weights", [at_least_one("Passing"), at_least_one("Warning")].into_iter().collect())
    });
    let parts = vec![
        BlockPart::Set("CanaryTags", texts(record, "CanaryTags")),
        BlockPart::Set("Tags", texts(record, "Tags")),
        BlockPart::Keyed(checks.collect()),
        one(inner(record, "Connect").map(super::connect::connect)),
        one(inner(record, "Identity").map(written_identity)),
        one(weights),
    ];
    Block { parts, ..block("Service", fields) }
}

/// The values that checks inherit from their service.
#[derive(Clone, Copy)]
struct ServiceDefaults<'s> {
    name: &'s str,
    task: &'s str,
    on_update: &'s str,
    restart: Option<&'s Record>,
}

fn check(inner_record: &Record, service: ServiceDefaults<'_>, of_group: bool) -> Block {
    let record = Some(inner_record);
    let rows: &[Row] = &[
        ("AddressMode", "AddressMode", ""),
        ("Body", "Body", ""),
        ("Command", "Command", ""),
        ("Expose", "Expose", "false"),
        ("FailuresBeforeCritical", "FailuresBeforeCritical", "0"),
        ("FailuresBeforeWarning", "FailuresBeforeWarning", "0"),
        ("GRPCService", "GRPCService", ""),
        ("GRPCUseTLS", "GRPCUseTLS", "false"),
        ("InitialStatus", "InitialStatus", ""),
        ("Interval", "Interval", "0"),
        ("Method", "Method", ""),
        ("Notes", "Notes", ""),
        ("Path", "Path", ""),
        ("PortLabel", "PortLabel", ""),
        ("Protocol", "Protocol", ""),
        ("SuccessBeforePassing", "SuccessBeforePassing", "0"),
        ("TLSServerName", "TLSServerName", ""),
        ("TLSSkipVerify", "TLSSkipVerify", "false"),
        ("Timeout", "Timeout", "0"),
        ("Type", "Type", ""),
    ];
    let mut fields = flat(record, rows);
    for name in ["FailuresBeforeCritical", "FailuresBeforeWarning", "SuccessBeforePassing"] {
        if let Some(number) = fields.get_mut(name).filter(|number| number.starts_with('-')) {
            "0".clone_into(number);
        }
    }
    let name = text_or(record, "Name", &format!("service: {} check", hieratic_hcl_types::quoted(service.name)));
    // Only checks of a group keep the name of a task.
    let task = if of_group { text_or(record, "TaskName", "") } else { String::new() };
    let inherits = task.is_empty() && service.task != "group";
    fields.insert("TaskName".to_owned(), if inherits { service.task.to_owned() } else { task });
    fields.insert("OnUpdate".to_owned(), text_or(record, "OnUpdate", service.on_update));
    fields.insert("Name".to_owned(), name.clone());
    let parts = vec![one(header(inner_record)), one(check_restart(inner(record, "CheckRestart"), service.restart))];
    let mut hidden = FlatFields::new();
    add_hidden(&mut hidden, record, &["Args"]);
    Block { key: name, hidden, parts, ..block("Check", fields) }
}

fn header(record: &Record) -> Option<Block> {
    let Some(Data::Map(entries)) = record.get("Header").map(|datum| &datum.value) else { return None };
    let mut fields = FlatFields::new();
    for (key, item) in entries {
        if let Data::List(items) = &item.value {
            let values = items.iter().map(|item| scalar(&item.value).unwrap_or_default());
            fields.extend(values.enumerate().map(|(at, text)| (format!("{key}[{at}]"), text)));
        }
    }
    (!entries.is_empty()).then(|| block("Header", fields))
}

/// The restarts of a check over those of its service.
fn check_restart(inner_record: Option<&Record>, service: Option<&Record>) -> Option<Block> {
    inner_record.or(service)?;
    let limit = text(inner_record, "Limit").filter(|limit| service.is_none() || !limit.starts_with(['0', '-']));
    let limit = limit.or_else(|| text(service, "Limit")).unwrap_or_else(|| "0".to_owned());
    let grace =
        text(inner_record, "Grace").or_else(|| text(service, "Grace")).unwrap_or_else(|| "1000000000".to_owned());
    let is_set = |record: Option<&Record>| text(record, "IgnoreWarnings").is_some_and(|text| text == "true");
    let ignores = (is_set(inner_record) || is_set(service)).to_string();
    let fields = [("Limit", limit), ("Grace", grace), ("IgnoreWarnings", ignores)];
    Some(block("CheckRestart", fields.map(|(name, value)| (name.to_owned(), value)).into_iter().collect()))
}

/// An identity of a task, with the server's defaults; without a record, the identity of a task that declares none.
pub(super) fn identity(record: Option<&Record>) -> Block {
    let mut block = record.map_or_else(|| identity_block(None), written_identity);
    let name = text_or(record, "Name", "default");
    block.fields.insert("ChangeSignal".to_owned(), text_or(record, "ChangeSignal", "").to_uppercase());
    if name == "default" {
        block.parts = vec![BlockPart::Set("Audience", vec!["nomadproject.io".to_owned()])];
    }
    block.fields.insert("Name".to_owned(), name.clone());
    block.key = name;
    block
}

/// An identity without defaults.
pub(super) fn written_identity(record: &Record) -> Block {
    identity_block(Some(record))
}

fn identity_block(record: Option<&Record>) -> Block {
    let rows: &[Row] = &[
        ("ChangeMode", "ChangeMode", ""),
        ("ChangeSignal", "ChangeSignal", ""),
        ("Env", "Env", "false"),
        ("File", "File", "false"),
        ("Filepath", "Filepath", ""),
        ("Name", "Name", ""),
        ("ServiceName", "ServiceName", ""),
        ("TTL", "TTL", "0"),
    ];
    let parts = vec![BlockPart::Set("Audience", texts(record, "Audience"))];
    Block { key: text_or(record, "Name", ""), parts, ..block("Identity", flat(record, rows)) }
}
