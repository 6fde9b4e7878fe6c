//! Adds the derived parts of a job: defaults, ports, and the values that tasks inherit from the job.
//!
//! Only the defaults of the command are added, not those of the server. Source of the rules: the descriptions of
//! `vault`, `template`, `network`, `identity` and `periodic` below
//! <https://developer.hashicorp.com/nomad/docs/job-specification>.

use std::sync::Arc;

use hieratic_hcl_eval::Span;
use hieratic_hcl_types::go::duration::SECOND;

use crate::record::{Data, Datum, Record, Text};
use crate::schema::TASK_GROUP;

/// The parts of the `job` block that are not its fields: groups and tasks inherit them.
#[derive(Debug, Default)]
pub(crate) struct Extras {
    /// The label of the job, and its span.
    pub(crate) name: Option<(Text, Span)>,
    /// `vault`: for tasks without their own.
    pub(crate) vault: Option<Datum>,
    /// `secret`: for all tasks.
    pub(crate) secrets: Vec<Datum>,
    /// The tasks directly in the job. Each becomes a separate group.
    pub(crate) tasks: Vec<Datum>,
}

/// Completes the job.
pub(crate) fn job(job: &mut Record, mut extras: Extras) {
    for name in ["Name", "ID"] {
        if let (None, Some((label, place))) = (job.get(name), &extras.name) {
            job.set(name, Data::Text(label.clone()), Some(*place));
        }
    }
    if let Some(periodic) = record_mut(job.get_mut("Periodic"))
        && (periodic.get("Spec").is_some() || periodic.get("Specs").is_some())
    {
        periodic.set("SpecType", "cron".into(), None);
    }
    if let Some(vault) = record_mut(extras.vault.as_mut()) {
        self::vault(vault);
    }
    if !extras.tasks.is_empty() {
        let mut groups: Vec<Datum> = std::mem::take(&mut extras.tasks).into_iter().map(group_of_one).collect();
        groups.extend(job.list("TaskGroups").iter().cloned());
        job.set("TaskGroups", Data::List(groups), None);
    }
    for group in records_mut(job.get_mut("TaskGroups")) {
        networks(group);
        for task in records_mut(group.get_mut("Tasks")) {
            self::task(task, &extras);
        }
    }
}

/// The group for a task directly in the job.
fn group_of_one(task: Datum) -> Datum {
    let place = task.place;
    if task.value == Data::Unknown {
        return task;
    }
    let mut group = Record::new(&TASK_GROUP);
    if let Data::Record(record) = &task.value {
        group.set("Name", Data::Text(record.text("Name").cloned().unwrap_or_default()), None);
    }
    group.set("Tasks", Data::List(vec![task]), None);
    Datum { value: Data::Record(Arc::new(group)), place }
}

fn task(task: &mut Record, extras: &Extras) {
    if let Some(resources) = record_mut(task.get_mut("Resources")) {
        networks(resources);
    }
    for template in records_mut(task.get_mut("Templates")) {
        default(template, "ChangeMode", || "restart".into());
        default(template, "Perms", || "0644".into());
        default(template, "Splay", || Data::Int(5 * SECOND));
        default(template, "ErrMissingKey", || Data::Bool(false));
        if let Some(script) = record_mut(template.get_mut("ChangeScript")) {
            default(script, "Args", || Data::List(Vec::new()));
            default(script, "Timeout", || Data::Int(5 * SECOND));
            default(script, "FailOnError", || Data::Bool(false));
            default(script, "RunOnFirstRender", || Data::Bool(false));
        }
    }
    if let Some(vault) = record_mut(task.get_mut("Vault")) {
        self::vault(vault);
    } else if let (None, Some(vault)) = (task.get("Vault"), &extras.vault) {
        task.set("Vault", vault.value.clone(), vault.place);
    }
    if !extras.secrets.is_empty() {
        let mut secrets = task.list("Secrets").to_vec();
        secrets.extend(extras.secrets.iter().cloned());
        task.set("Secrets", Data::List(secrets), None);
    }
    identity(task);
}

fn vault(vault: &mut Record) {
    default(vault, "Env", || Data::Bool(true));
    default(vault, "DisableFile", || Data::Bool(false));
    default(vault, "ChangeMode", || "restart".into());
}

/// The first identity that has no name, or is named `default`, is stored separately.
fn identity(task: &mut Record) {
    let Some(Datum { value: Data::List(identities), .. }) = task.get_mut("Identities") else { return };
    let found = identities.iter().position(|identity| match &identity.value {
        Data::Record(record) if record.is_unknown("Name") => false,
        Data::Record(record) => matches!(record.text("Name").map(|name| &**name), None | Some("" | "default")),
        _ => false,
    });
    if let Some(found) = found {
        let Datum { value, place } = identities.remove(found);
        task.set("Identity", value, place);
    }
}

/// Ports with a static number are reserved; the others are chosen by the scheduler.
fn networks(owner: &mut Record) {
    for network in records_mut(owner.get_mut("Networks")) {
        let ports = network.list("DynamicPorts").to_vec();
        if ports.is_empty() {
            continue;
        }
        let fixed = |port: &Datum| match &port.value {
            Data::Record(record) => matches!(record.get("Value"), Some(Datum { value: Data::Int(1..), .. })),
            _ => false,
        };
        let (reserved, dynamic): (Vec<Datum>, Vec<Datum>) = ports.into_iter().partition(fixed);
        for (name, ports) in [("DynamicPorts", dynamic), ("ReservedPorts", reserved)] {
            network.set(name, if ports.is_empty() { Data::Null } else { Data::List(ports) }, None);
        }
    }
}

fn default(record: &mut Record, name: &str, value: impl FnOnce() -> Data) {
    if record.get(name).is_none() {
        record.set(name, value(), None);
    }
}

/// The structure in a value, mutably. A shared one is copied first.
pub(crate) fn record_mut(datum: Option<&mut Datum>) -> Option<&mut Record> {
    match datum {
        Some(Datum { value: Data::Record(record), .. }) => Some(Arc::make_mut(record)),
        _ => None,
    }
}

/// The structures in a list, to be changed.
pub(crate) fn records_mut(datum: Option<&mut Datum>) -> impl Iterator<Item = &mut Record> {
    let items: &mut [Datum] = match datum {
        Some(Datum { value: Data::List(items), .. }) => items,
        _ => &mut [],
    };
    items.iter_mut().filter_map(|item| record_mut(Some(item)))
}
