//! Options of drivers that exclude or need each other.

use hieratic_nomad_job::record::{Data, Datum, Text};

use super::check::ConfigCheck;

/// Checks the options of a `config` together.
pub(super) fn check(check: &mut ConfigCheck<'_>, entries: &[(Text, Datum)]) {
    match check.driver {
        "docker" => {
            devices(check, entries);
            mounts(check, entries);
        }
        "java" => java(check, entries),
        "raw_exec" => control_groups(check, entries),
        _ => {}
    }
}

fn get<'m>(entries: &'m [(Text, Datum)], name: &str) -> Option<&'m Datum> {
    entries.iter().find(|(key, _)| **key == *name).map(|(_, datum)| datum).filter(|datum| !is_empty(&datum.value))
}

fn is_empty(value: &Data) -> bool {
    match value {
        Data::Text(text) => text.is_empty(),
        Data::List(items) => items.is_empty(),
        Data::Map(entries) => entries.is_empty(),
        value => *value == Data::Null,
    }
}

/// The maps of repeated blocks, with their places.
fn blocks<'m>(entries: &'m [(Text, Datum)], name: &str) -> Vec<(&'m Datum, &'m [(Text, Datum)])> {
    let items = match get(entries, name).map(|datum| (datum, &datum.value)) {
        Some((_, Data::List(items))) => items.iter().collect(),
        Some((datum, Data::Map(_))) => vec![datum],
        _ => Vec::new(),
    };
    items
        .into_iter()
        .filter_map(|item| match &item.value {
            Data::Map(entries) => Some((item, entries.as_slice())),
            _ => None,
        })
        .collect()
}

/// Nomad needs the path of a device on the host.
fn devices(check: &mut ConfigCheck<'_>, entries: &[(Text, Datum)]) {
    for (at, (item, device)) in blocks(entries, "devices").into_iter().enumerate() {
        if get(device, "host_path").is_none() {
            let message = "a device of the driver docker needs the option \"host_path\"".to_owned();
            let path = format!("{}[\"devices\"][{at}]", check.task.at("Config").path());
            check.refuse(message, None, path, Some(item));
        }
    }
}

/// A file system in memory has no source.
fn mounts(check: &mut ConfigCheck<'_>, entries: &[(Text, Datum)]) {
    for name in ["mount", "mounts"] {
        for (at, (_, mount)) in blocks(entries, name).into_iter().enumerate() {
            let is_in_memory =
                get(mount, "type").is_some_and(|kind| matches!(&kind.value, Data::Text(text) if &**text == "tmpfs"));
            if let Some(source) = get(mount, "source").filter(|_| is_in_memory) {
                let message = "a mount of the type \"tmpfs\" has no source".to_owned();
                let path = format!("{}[\"{name}\"][{at}][\"source\"]", check.task.at("Config").path());
                check.refuse(message, Some("remove the option source".to_owned()), path, Some(source));
            }
        }
    }
}

fn java(check: &mut ConfigCheck<'_>, entries: &[(Text, Datum)]) {
    if get(entries, "class").is_none() && get(entries, "jar_path").is_none() {
        let message = "the driver java needs one of the options \"class\" and \"jar_path\"".to_owned();
        check.refuse(message, None, check.task.at("Config").path(), None);
    }
}

fn control_groups(check: &mut ConfigCheck<'_>, entries: &[(Text, Datum)]) {
    if let (Some(_), Some(second)) = (get(entries, "cgroup_v1_override"), get(entries, "cgroup_v2_override")) {
        let message = "only one of the options \"cgroup_v1_override\" and \"cgroup_v2_override\" may be set".to_owned();
        let path = format!("{}[\"cgroup_v2_override\"]", check.task.at("Config").path());
        check.refuse(message, None, path, Some(second));
    }
}
