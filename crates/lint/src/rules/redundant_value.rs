//! # redundant-value
//!
//! A value repeats a lower level. (note)
//!
//! ## What is found
//!
//! With `--hygiene`: every node that uses the value would find the same value in a level below. The sources of the
//! values are compared. Nodes are those that `--facts` names. Without nodes, every file that can be between the two has
//! to have the same value, and the lower one has to be in a file that every node reads.
//!
//! Where values are merged, by `lookup_options` or by code, a value is reported if merging without it gives the same
//! value for every node that reads it: the same elements in the same order, and the same keys in the same order. All
//! strategies that can apply to the key are tried. Not judged are values with interpolations, merges with a knockout
//! prefix or `merge_hash_arrays`, deep merges of encrypted values, keys in the data of modules, and keys for which the
//! nodes can read the files in too many combinations.
//!
//! The order of the keys in a hash counts, because code that iterates over it sees the order.
//!
//! All findings of `shadowed-value` and `redundant-value` can be fixed together: no answer changes.
//!
//! ## Why it matters
//!
//! A change of the lower value does not reach the nodes that repeat it.
//!
//! ## How to fix it
//!
//! Remove the value.
//!
//! ## Example
//!
//! ```yaml
//! # data/nodes/web01.yaml
//! ntp::servers: [a.example.com]
//!
//! # data/common.yaml
//! ntp::servers: [a.example.com]
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/nodes/web01.yaml
//! # removed
//!
//! # data/common.yaml
//! ntp::servers: [a.example.com]
//! ```
//!
//! A comment `# hieratic: ignore redundant-value` on the same line or the line before accepts the finding.

use crate::finding::Finding;
use crate::rules;

/// The finding about a key whose value is also in files below, the help, and the words about the other place.
pub(crate) fn below(key: &str, files: &str) -> (Finding, &'static str, &'static str) {
    let finding = Finding::new(&rules::REDUNDANT_VALUE, format!("The value of '{key}' repeats the value in {files}"));
    (finding, "remove it: lookups find the same value below", "the same value")
}

/// The finding about a key whose value is all in those that it is merged with, the help, and the words about the other
/// place.
pub(crate) fn merged(key: &str, files: &str) -> (Finding, &'static str, &'static str) {
    let message = format!("The value of '{key}' adds nothing to the merged values of {files}");
    let help = "remove it: the merged value stays the same";
    (Finding::new(&rules::REDUNDANT_VALUE, message), help, "the value it is merged with")
}
