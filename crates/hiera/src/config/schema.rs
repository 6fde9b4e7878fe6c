//! Checks a configuration against its type, with the position of a mismatch.

use hieratic_puppet_types::{self as pcore, Type};
use hieratic_value::{Hash, Value};

use super::source::Source;
use crate::Error;
use crate::codes;

/// Checks a configuration, with the reference's message.
pub(super) fn check(source: &Source, expected: &Type, config: &Hash) -> Result<(), Error> {
    let subject = format!("The Lookup Configuration at '{}'", source.path.display());
    pcore::assert_instance(&subject, expected, &Value::Hash(config.clone())).map_err(|mismatch| {
        let message = mismatch.to_string();
        let path = path_in(&message[subject.len().min(message.len())..]);
        let keys: Vec<&str> = path.iter().map(String::as_str).collect();
        let help = match path.last() {
            Some(key) if message.contains(&format!("unrecognized key '{key}'")) => format!("remove or rename '{key}'"),
            _ => {
                "see https://www.puppet.com/docs/puppet/8/hiera_config_yaml_5.html for the keys and their types".into()
            }
        };
        Error::puppet(codes::CONFIG_SCHEMA, message).at(source.place(&keys)).help(help)
    })
}

/// The keys and indexes that a mismatch names: `entry 'hierarchy' index 0 unrecognized key 'x'`.
fn path_in(message: &str) -> Vec<String> {
    let first = message.lines().next().unwrap_or("");
    let mut path = Vec::new();
    let mut rest = first;
    loop {
        let next = ["entry '", "unrecognized key '", "index "]
            .iter()
            .filter_map(|mark| rest.find(mark).map(|at| (at, *mark)))
            .min();
        let Some((at, mark)) = next else { return path };
        rest = &rest[at + mark.len()..];
        let end = rest.find(if mark.ends_with('\'') { '\'' } else { ' ' }).unwrap_or(rest.len());
        path.push(rest[..end].to_string());
        rest = &rest[end..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_a_mismatch_is_read_from_its_message() {
        assert_eq!(
            path_in(" has wrong type, entry 'hierarchy' index 0 entry 'mapped_paths' expects size to be 3, got 2"),
            ["hierarchy", "0", "mapped_paths"]
        );
        assert_eq!(
            path_in(" has wrong type, entry 'hierarchy' index 1 unrecognized key 'pth'"),
            ["hierarchy", "1", "pth"]
        );
    }
}
