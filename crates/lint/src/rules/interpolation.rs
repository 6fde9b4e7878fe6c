//! # interpolation
//!
//! An interpolation is malformed. (error)
//!
//! ## What is found
//!
//! The content of `%{...}` is neither a variable nor a call: a key without quotes, empty parts between dots, `alias`
//! inside a longer string, a missing `}`, or a call in `hiera.yaml`, where only variables are allowed.
//!
//! ## Why it matters
//!
//! The lookup fails, or the content is taken as the name of a variable and becomes empty.
//!
//! ## How to fix it
//!
//! Quote the keys of calls. Inside a longer string, use `lookup` instead of `alias`. Write a literal `%{` as
//! `%{literal('%')}{`.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! url: "https://%{lookup(host)}/"
//! host: www
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! url: "https://%{lookup('host')}/"
//! host: www
//! ```
//!
//! A comment `# hieratic: ignore interpolation` on the same line or the line before accepts the finding.

use crate::finding::Finding;
use crate::rules;

/// The finding about an interpolation that is neither a variable nor a call, or about the part of one that is wrong.
pub(crate) fn malformed(written: &str, reason: &str) -> Finding {
    let shown: String = written.chars().take(40).collect();
    let reason = if reason.is_empty() { "it is neither a variable nor a call" } else { reason };
    Finding::new(&rules::INTERPOLATION, format!("'{shown}' is malformed: {reason}"))
        .help("write `%{variable}`, `%{facts.name}`, or `%{lookup('key')}`; a literal %{ is `%{literal('%')}{`")
}

/// The finding about an alias that is a part of a string.
pub(crate) fn alias_inside(written: &str) -> Finding {
    Finding::new(&rules::INTERPOLATION, format!("'{written}' must be the entire string"))
        .help("alias() returns values of any type: use lookup() inside a longer string")
}

/// The finding about a variable of a hierarchy that is written as a call.
pub(crate) fn neither(written: &str) -> Finding {
    Finding::new(&rules::INTERPOLATION, format!("'{written}' is neither a variable nor a call"))
}

/// The finding about a variable of a hierarchy that is malformed.
pub(crate) fn no_variable(written: &str) -> Finding {
    Finding::new(&rules::INTERPOLATION, format!("'{written}' cannot be read as a variable"))
}

/// The finding about a call in a hierarchy.
pub(crate) fn call_in_hierarchy(written: &str) -> Finding {
    Finding::new(&rules::INTERPOLATION, format!("'{written}' calls a function where only variables are allowed"))
        .help("a hierarchy can use facts, trusted data and top-scope variables")
}
