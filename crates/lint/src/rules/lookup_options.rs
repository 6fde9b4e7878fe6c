//! # lookup-options
//!
//! lookup_options are not valid. (error)
//!
//! ## What is found
//!
//! The options of a key are invalid: `merge` names no strategy, `convert_to` names no type, a pattern is invalid, the
//! options are not a hash, or a module sets options for keys outside of its namespace. An option that does not exist is
//! a warning.
//!
//! ## Why it matters
//!
//! Lookups of the keys fail, or the option is ignored.
//!
//! ## How to fix it
//!
//! The options are `merge` (first, unique, hash, deep, or a hash with `strategy`) and `convert_to` (a type). Options of
//! a deep merge are part of it: `merge: {strategy: deep, knockout_prefix: "--"}`.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! lookup_options:
//!   ntp::servers: {merge: uniq}
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! lookup_options:
//!   ntp::servers: {merge: unique}
//! ```
//!
//! A comment `# hieratic: ignore lookup-options` on the same line or the line before accepts the finding.

use std::fmt::Display;

use hieratic::puppet_types::parse as parse_type;
use hieratic::{Strategy, Value};

use crate::finding::Finding;
use crate::rules;

/// The options of a deep merge, which are sometimes misplaced next to `merge`.
const OF_DEEP: [&str; 3] = ["knockout_prefix", "merge_hash_arrays", "sort_merged_arrays"];

/// The finding about `lookup_options` that have no entries.
pub(crate) fn not_a_hash() -> Finding {
    let finding = Finding::new(&rules::LOOKUP_OPTIONS, "The value of lookup_options must be a hash");
    finding.help("write one entry per key under lookup_options")
}

/// The finding about an entry for something that is not a key.
pub(crate) fn no_string(key: &Value) -> Finding {
    let message = format!("The key {} of lookup_options is not a string", key.inspect());
    Finding::new(&rules::LOOKUP_OPTIONS, message).help("write the key in quotes")
}

/// The finding about a pattern of keys that cannot be read.
pub(crate) fn unreadable_pattern(pattern: &str, error: &dyn Display) -> Finding {
    let message = format!("The pattern '{pattern}' cannot be read: {error}");
    Finding::new(&rules::LOOKUP_OPTIONS, message).help("its syntax is Ruby's")
}

/// The finding about options that cannot be used.
pub(crate) struct InvalidOptions<'o> {
    pub(crate) finding: Finding,
    /// The option that it is about; `None` for all options of the key.
    pub(crate) option: Option<&'o str>,
}

/// Returns the finding about options that cannot be used.
pub(crate) fn invalid<'o>(module: Option<&str>, key: &str, value: &'o Value) -> Option<InvalidOptions<'o>> {
    let invalid = |message: String, help: &str, option: Option<&'o str>| {
        Some(InvalidOptions { finding: Finding::new(&rules::LOOKUP_OPTIONS, message).help(help), option })
    };
    let wrong = |message: String, help: &str| invalid(message, help, None);
    if let Some(module) = module {
        let name = key.strip_prefix('^').unwrap_or(key);
        if !name.strip_prefix(module).is_some_and(|rest| rest.starts_with("::")) {
            let message =
                format!("The options of '{key}' are in the data of the module '{module}', which cannot set them");
            return wrong(message, "the keys of a module's options start with its name and '::'");
        }
    }
    let Some(options) = value.as_hash() else {
        return match value {
            Value::Undef => None,
            _ => wrong(format!("The options of '{key}' are not a hash"), "write a hash such as `{merge: unique}`"),
        };
    };
    for (name, option) in options {
        let wrong = |message: String, help: &str| invalid(message, help, name.as_str());
        match name.as_str() {
            Some("merge") => {
                if let Err(error) = Strategy::parse(option) {
                    let message = format!("The merge of '{key}' is invalid: {error}");
                    return wrong(message, "the strategies are first, unique, hash and deep");
                }
            }
            Some("convert_to") => {
                let kind = match option {
                    Value::Array(elements) => elements.first(),
                    other => Some(other),
                };
                let parsed = kind.and_then(Value::as_str).map(parse_type);
                match parsed {
                    Some(Ok(kind)) => {
                        // A name with '::' may be that of a module's alias.
                        let Some(unknown) = unresolved(&kind.to_string()) else { continue };
                        let message = format!("The convert_to type of '{key}' does not exist: '{unknown}'");
                        let near = hieratic_diagnostics::nearest(&unknown, TYPES);
                        return wrong(
                            message,
                            &near.map_or_else(
                                || "write a type such as `Integer` or `Sensitive`".to_owned(),
                                |near| format!("did you mean '{near}'?"),
                            ),
                        );
                    }
                    Some(Err(error)) => {
                        let message = format!("The convert_to type of '{key}' is invalid: {error}");
                        return wrong(message, "write a type such as `Integer` or `Sensitive`");
                    }
                    None => {
                        let message = format!("The convert_to type of '{key}' is not a string");
                        return wrong(message, "write a type such as `Integer` or `Sensitive`");
                    }
                }
            }
            _ => {
                let message = format!("The lookup option {} of '{key}' does not exist and is ignored", name.inspect());
                let help = match name.as_str() {
                    Some(option) if OF_DEEP.contains(&option) => {
                        format!("write it inside `merge`: `merge: {{strategy: deep, {option}: ...}}`")
                    }
                    _ => "the options are merge and convert_to".to_owned(),
                };
                // Lookups of the key succeed, without the option.
                let finding = Finding::new(&rules::LOOKUP_OPTIONS, message).help(help).softened();
                return Some(InvalidOptions { finding, option: name.as_str() });
            }
        }
    }
    None
}

/// The types that values are converted to.
const TYPES: [&str; 19] = [
    "Any",
    "Array",
    "Binary",
    "Boolean",
    "Enum",
    "Float",
    "Hash",
    "Integer",
    "Numeric",
    "Optional",
    "Regexp",
    "Scalar",
    "SemVer",
    "Sensitive",
    "String",
    "Struct",
    "Timespan",
    "Timestamp",
    "Tuple",
];

/// The first name in a type that names none, unless a module could have it.
fn unresolved(kind: &str) -> Option<String> {
    let names = kind.split("TypeReference['").skip(1).filter_map(|rest| rest.split('\'').next());
    names.into_iter().find(|name| !name.contains("::")).map(str::to_owned)
}
