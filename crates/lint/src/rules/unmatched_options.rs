//! # unmatched-options
//!
//! lookup_options match no key. (warning)
//!
//! ## What is found
//!
//! No data file contains the key, no class has such a parameter, and no code mentions it. A pattern (`^...`) matches
//! none of all keys and parameters. Nothing is reported if a level answers for keys that cannot be listed.
//!
//! ## Why it matters
//!
//! The options never apply. Usually the key was renamed, or the pattern is wrong.
//!
//! ## How to fix it
//!
//! Correct the key or remove the options.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! lookup_options:
//!   ntp::sservers: {merge: unique}
//! ntp::servers: [a]
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! lookup_options:
//!   ntp::servers: {merge: unique}
//! ntp::servers: [a]
//! ```
//!
//! A comment `# hieratic: ignore unmatched-options` on the same line or the line before accepts the finding.

use hieratic::value::collections::HashSet;

use crate::finding::Finding;
use crate::rules;
use crate::workspace::suggestions::Suggestions;

/// The finding about options that match neither a key of `data` nor a parameter.
pub(crate) fn unmatched(key: &str, data: &HashSet<&str>, suggestions: &mut Suggestions) -> Finding {
    let subject = if key.starts_with('^') { "pattern" } else { "key" };
    let message = format!("The {subject} '{key}' of lookup_options matches neither a data key nor a class parameter");
    let finding = Finding::new(&rules::UNMATCHED_OPTIONS, message);
    let near = suggestions.nearest(key.trim_start_matches('^'), data.iter().copied());
    finding.help(match near {
        Some(near) => format!("did you mean '{near}'?"),
        None => "fix it, or remove it".to_owned(),
    })
}
