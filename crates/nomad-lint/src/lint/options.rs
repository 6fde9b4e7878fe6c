//! Options of Nomad's drivers.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/job-declare/task-driver>.

use hieratic_hcl_syntax::suggestion;
use hieratic_hcl_types::quoted;
use hieratic_nomad_job::Job;
use hieratic_nomad_job::record::Data;

use super::remark;
use crate::block::Block;
use crate::finding::Finding;
use crate::rule::Rule;

/// The type of an option. Values are converted: `"5"` is a valid number, and 5 a valid text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OptionType {
    Text,
    Bool,
    Number,
    /// A list of strings.
    List,
    /// A block or a map.
    Map,
    /// Several things.
    Any,
}

use OptionType::{Any, Bool, List, Map, Number, Text};

/// The drivers with their options.
pub(super) const DRIVERS: &[(&str, &[(&str, OptionType)])] = &[
    (
        "docker",
        &[
            ("advertise_ipv6_address", Bool),
            ("args", List),
            ("auth", Map),
            ("auth_soft_fail", Bool),
            ("cap_add", List),
            ("cap_drop", List),
            ("cgroupns", Text),
            ("command", Text),
            ("container_exists_attempts", Number),
            ("cpu_cfs_period", Number),
            ("cpu_hard_limit", Bool),
            ("cpuset_cpus", Text),
            ("devices", Map),
            ("dns_options", List),
            ("dns_search_domains", List),
            ("dns_servers", List),
            ("entrypoint", Any),
            ("extra_hosts", List),
            ("force_pull", Bool),
            ("group_add", List),
            ("healthchecks", Map),
            ("hostname", Text),
            ("image", Text),
            ("image_pull_timeout", Text),
            ("init", Bool),
            ("interactive", Bool),
            ("ipc_mode", Text),
            ("ipv4_address", Text),
            ("ipv6_address", Text),
            ("isolation", Text),
            ("labels", Map),
            ("load", Text),
            ("logging", Map),
            ("mac_address", Text),
            ("memory_hard_limit", Number),
            ("mount", Map),
            ("mounts", Map),
            ("network_aliases", List),
            ("network_mode", Text),
            ("oom_score_adj", Number),
            ("pid_mode", Text),
            ("pids_limit", Number),
            ("port_map", Map),
            ("ports", List),
            ("privileged", Bool),
            ("readonly_rootfs", Bool),
            ("runtime", Text),
            ("security_opt", List),
            ("shm_size", Number),
            ("storage_opt", Map),
            ("sysctl", Map),
            ("tty", Bool),
            ("ulimit", Map),
            ("userns_mode", Text),
            ("uts_mode", Text),
            ("volume_driver", Text),
            ("volumes", List),
            ("work_dir", Text),
        ],
    ),
    (
        "exec",
        &[
            ("args", List),
            ("cap_add", List),
            ("cap_drop", List),
            ("command", Text),
            ("ipc_mode", Text),
            ("pid_mode", Text),
            ("work_dir", Text),
        ],
    ),
    (
        "java",
        &[
            ("args", List),
            ("cap_add", List),
            ("cap_drop", List),
            ("class", Text),
            ("class_path", Text),
            ("ipc_mode", Text),
            ("jar_path", Text),
            ("jvm_options", List),
            ("pid_mode", Text),
            ("work_dir", Text),
        ],
    ),
    (
        "qemu",
        &[
            ("accelerator", Text),
            ("args", List),
            ("drive_interface", Text),
            ("emulator", Text),
            ("graceful_shutdown", Bool),
            ("guest_agent", Bool),
            ("image_path", Text),
            ("machine_type", Text),
            ("port_map", Map),
        ],
    ),
    (
        "raw_exec",
        &[
            ("args", List),
            ("cgroup_v1_override", Map),
            ("cgroup_v2_override", Text),
            ("command", Text),
            ("denied_envvars", List),
            ("oom_score_adj", Number),
            ("work_dir", Text),
        ],
    ),
];

/// Options that the task's driver does not have, and values that it cannot take.
pub(super) fn check(job: &Job, task: &Block<'_>, found: &mut Vec<Finding>) {
    let driver = task.text("Driver");
    let Some((_, options)) = DRIVERS.iter().find(|(name, _)| *name == driver) else { return };
    for (key, value) in task.map("Config") {
        let mut help = None;
        let message = match options.iter().find(|(name, _)| **name == **key) {
            Some((_, wanted)) => match wanted.describe_mismatch(&value.value) {
                Some(given) => {
                    format!("the driver {driver} takes {} for the option \"{key}\", not {given}", wanted.name())
                }
                None => continue,
            },
            None if &**key == "dynamic" => {
                help = Some(help_for_dynamic(&value.value));
                format!("the driver {driver} has no option \"dynamic\": dynamic blocks are not expanded in config")
            }
            None => {
                let hint = suggestion(key, options.iter().map(|(name, _)| *name));
                let hint = hint.map_or_else(String::new, |name| format!("; did you mean \"{name}\"?"));
                format!("the driver {driver} has no option \"{key}\"{hint}")
            }
        };
        let path = format!("{}[{}]", task.at("Config").path(), quoted(key));
        found.push(Finding { help, ..remark(Rule::DriverOption, message, path, job.place(value)) });
    }
}

/// Suggests a replacement for a `dynamic` block in `config`.
fn help_for_dynamic(value: &Data) -> String {
    let name = match value {
        Data::List(items) => items.first().and_then(|item| match &item.value {
            Data::Map(entries) => entries.first().map(|(key, _)| &**key),
            _ => None,
        }),
        _ => None,
    };
    let name = name.unwrap_or("mount");
    format!("write {name} = [for item in LIST : {{ ... }}] instead: plugins take a list of objects for blocks")
}

impl OptionType {
    /// Describes a value that cannot be converted to this type; `None` if it can be.
    fn describe_mismatch(self, value: &Data) -> Option<String> {
        match (self, value) {
            // The value of a reference is known only to the client, and may be any scalar.
            (Bool | Number, Data::Text(text)) if text.contains("${") => None,
            (Bool, Data::Text(text)) => (!matches!(&**text, "true" | "false" | "1" | "0")).then(|| quoted(text)),
            (Number, Data::Text(text)) => hieratic_hcl_types::Number::parse(text).is_none().then(|| quoted(text)),
            (Bool, Data::Int(_) | Data::Uint(_) | Data::Float(_)) => Some("a number".to_owned()),
            (Number, Data::Bool(_)) => Some("a truth value".to_owned()),
            (Text | Bool | Number, Data::List(_)) => Some("a list".to_owned()),
            (Text | Bool | Number | List, Data::Map(_)) => Some("a map".to_owned()),
            (List | Map, Data::Text(text)) => Some(quoted(text)),
            (List | Map, Data::Bool(_)) => Some("a truth value".to_owned()),
            (List | Map, Data::Int(_) | Data::Uint(_) | Data::Float(_)) => Some("a number".to_owned()),
            _ => None,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Text => "text",
            Bool => "true or false",
            Number => "a number",
            List => "a list",
            Map => "a block or a map",
            Any => "anything",
        }
    }
}

#[cfg(test)]
mod tests {
    use hieratic_nomad_job::record::Datum;

    use super::*;

    #[test]
    fn values_are_converted() {
        let list = || Data::List(vec![Datum::derived("a".into())]);
        for (wanted, value, refused) in [
            (Text, Data::Int(5), None),
            (Text, list(), Some("a list")),
            (Bool, Data::from("true"), None),
            (Bool, Data::from("yes"), Some("\"yes\"")),
            (Bool, Data::from("${meta.privileged}"), None),
            (Bool, Data::Int(1), Some("a number")),
            (Number, Data::from("64"), None),
            (Number, Data::from("64mb"), Some("\"64mb\"")),
            (List, list(), None),
            (List, Data::from("a:b"), Some("\"a:b\"")),
            (Map, list(), None),
            (Map, Data::Map(Vec::new()), None),
            (Any, Data::from("x"), None),
        ] {
            assert_eq!(wanted.describe_mismatch(&value).as_deref(), refused, "{wanted:?} {value:?}");
        }
    }

    #[test]
    fn options_are_sorted() {
        for (driver, options) in DRIVERS {
            assert!(options.is_sorted_by_key(|(name, _)| *name), "{driver}");
        }
    }
}
