//! # shadowed-value
//!
//! Every node overrides a value. (note)
//!
//! ## What is found
//!
//! With `--hygiene`: every node that reads the file also reads a level above that has the key, so the value is never
//! used. Nodes are those that `--facts` names. Without nodes, the value is reported if a file that every node reads is
//! above it.
//!
//! Keys whose values are merged, or that code looks up with a merge, are checked by
//! [`redundant-value`](redundant-value.md), which considers all levels. Keys of modules that are missing from the
//! checkout are not reported, because the data of the module can say that they are merged.
//!
//! ## Why it matters
//!
//! People change a value that has no effect.
//!
//! ## How to fix it
//!
//! Remove the value, or remove the one above.
//!
//! ## Example
//!
//! ```yaml
//! # data/os/Debian.yaml, above data/common.yaml, for a fleet of Debian nodes
//! ntp::package: ntpsec
//!
//! # data/common.yaml
//! ntp::package: ntp
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! # removed
//! ```
//!
//! A comment `# hieratic: ignore shadowed-value` on the same line or the line before accepts the finding.

use crate::finding::Finding;
use crate::hygiene::{ReadSets, overrides};
use crate::rules;

/// The finding about a key that a number of files override, the help, and the words about the other place.
pub(crate) fn of_key(
    read_sets: &ReadSets,
    key: &str,
    files: &str,
    count: usize,
) -> (Finding, &'static str, &'static str) {
    let message = format!("{} uses the value of '{key}': {files} {}", read_sets.no_node_subject(), overrides(count));
    (Finding::new(&rules::SHADOWED_VALUE, message), "remove it", "this value is used")
}
