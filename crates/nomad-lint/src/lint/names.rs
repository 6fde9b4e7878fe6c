//! The names of the environment variables of a running task.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/reference/runtime-environment-settings>.

use hieratic_nomad_job::Origin;
use hieratic_nomad_job::record::Data;

use super::remark;
use crate::finding::Finding;
use crate::rule::Rule;

/// The complete names.
const NAMES: &[&str] = &[
    "NOMAD_ADDR",
    "NOMAD_ALLOC_DIR",
    "NOMAD_ALLOC_ID",
    "NOMAD_ALLOC_INDEX",
    "NOMAD_ALLOC_NAME",
    "NOMAD_CPU_CORES",
    "NOMAD_CPU_LIMIT",
    "NOMAD_DC",
    "NOMAD_GROUP_NAME",
    "NOMAD_JOB_ID",
    "NOMAD_JOB_NAME",
    "NOMAD_JOB_PARENT_ID",
    "NOMAD_MEMORY_LIMIT",
    "NOMAD_MEMORY_MAX_LIMIT",
    "NOMAD_NAMESPACE",
    "NOMAD_PARENT_CGROUP",
    "NOMAD_REGION",
    "NOMAD_SECRETS_DIR",
    "NOMAD_SHORT_ALLOC_ID",
    "NOMAD_TASK_DIR",
    "NOMAD_TASK_NAME",
    "NOMAD_TOKEN",
    "NOMAD_UNIX_ADDR",
];

/// Prefixes of names that end with the label of a port, a key or a service.
const PREFIXES: &[&str] = &[
    "NOMAD_ADDR_",
    "NOMAD_ALLOC_ADDR_",
    "NOMAD_ALLOC_INTERFACE_",
    "NOMAD_ALLOC_IP_",
    "NOMAD_ALLOC_PORT_",
    "NOMAD_HOST_ADDR_",
    "NOMAD_HOST_IP_",
    "NOMAD_HOST_PORT_",
    "NOMAD_IP_",
    "NOMAD_META_",
    "NOMAD_PORT_",
    "NOMAD_UPSTREAM_ADDR_",
    "NOMAD_UPSTREAM_IP_",
    "NOMAD_UPSTREAM_PORT_",
    "NOMAD_VAR_",
];

/// Returns the names of the environment variables of a running task, and the prefixes of those that end with a label.
pub fn runtime_names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().chain(PREFIXES).copied()
}

/// The maximum number of names that are checked in one string.
const MAX_NAMES: usize = 1_000;

/// Reports names in a string that resemble one of these.
pub(super) fn check(origin: &Origin<'_>, found: &mut Vec<Finding>) {
    let Data::Text(text) = origin.value else { return };
    for name in words(text) {
        if let Some(suggestion) = suggest(name) {
            let message = format!("the variable {name} does not exist at run time; did you mean {suggestion}?");
            found.push(remark(Rule::RuntimeName, message, format!("Job.{}", origin.path), origin.place.clone()));
        }
    }
}

/// The words of a string that begin like names of Nomad's variables. After `${` and in a call of `env` they may contain
/// hyphens.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("NOMAD_").take(MAX_NAMES).filter_map(|(at, _)| {
        let (before, rest) = text.split_at_checked(at)?;
        if before.ends_with(|letter: char| letter.is_alphanumeric() || letter == '_') {
            return None;
        }
        let in_braces = before.ends_with("${") || before.ends_with("env \"") || before.ends_with("env `");
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || in_braces && letter == '-';
        let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        rest.get(..end)
    })
}

/// Suggests a variable for an unknown name.
fn suggest(name: &str) -> Option<String> {
    if NAMES.contains(&name) || PREFIXES.iter().any(|beginning| name.starts_with(beginning)) {
        return None;
    }
    let whole = NAMES.iter().find(|other| is_similar(name, other)).map(|other| (*other).to_owned());
    whole.or_else(|| {
        PREFIXES.iter().find_map(|beginning| {
            // The rest of the name is the label.
            let (own, label) = name.split_at_checked(beginning.len())?;
            (!label.is_empty() && own.ends_with('_') && is_similar(own, beginning))
                .then(|| format!("{beginning}{label}"))
        })
    })
}

/// Returns whether two names differ by one letter, or by two swapped letters.
pub(super) fn is_similar(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[same..], &other[same..]);
    match (one, other) {
        ([a, b, rest @ ..], [c, d, others @ ..]) if a == d && b == c => rest == others,
        ([_, rest @ ..], [_, others @ ..]) if rest == others => true,
        ([_, rest @ ..], others) if rest == others => true,
        (rest, [_, others @ ..]) => rest == others,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names_are_suggested() {
        for (name, expected) in [
            ("NOMAD_PROT_http", Some("NOMAD_PORT_http")),
            ("NOMAD_PORT_http", None),
            ("NOMAD_ALOC_ID", Some("NOMAD_ALLOC_ID")),
            ("NOMAD_ALLOC_IDD", Some("NOMAD_ALLOC_ID")),
            ("NOMAD_TASK_DRI", Some("NOMAD_TASK_DIR")),
            ("NOMAD_CUSTOM", None),
            ("NOMAD_", None),
        ] {
            assert_eq!(suggest(name).as_deref(), expected, "{name}");
        }
    }
}
