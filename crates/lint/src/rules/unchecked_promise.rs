//! # unchecked-promise
//!
//! Promises were not checked. (note)
//!
//! ## What is found
//!
//! Promises with `where`, `required`, `equal`, `unique` or `sum`, and all functions, are about nodes and their facts.
//! No nodes were given.
//!
//! ## Why it matters
//!
//! A promise that is not checked can be broken.
//!
//! ## How to fix it
//!
//! Pass `--facts` with a folder that has one file of facts per node.
//!
//! ## Example
//!
//! ```toml
//! # hieratic.toml
//! [check]
//! fail-on = "warning"
//! ```
//!
//! becomes
//!
//! ```toml
//! # hieratic.toml
//! facts = "nodes"
//!
//! [check]
//! fail-on = "warning"
//! ```
//!
//! A comment `# hieratic: ignore unchecked-promise` on the same line or the line before accepts the finding.

use hieratic_diagnostics::{Source, Span};

use crate::finding::Finding;
use crate::rules;

/// The finding about promises that are about nodes, of which none are given, at the first of them.
pub(crate) fn without_nodes(count: usize, place: Option<(Source, Span)>) -> Finding {
    let promises = if count == 1 { "1 promise was".to_owned() } else { format!("{count} promises were") };
    let finding = Finding::new(&rules::UNCHECKED_PROMISE, format!("{promises} not checked: no nodes are given"));
    let finding = match place {
        Some((source, span)) => finding.at(&source, span, ""),
        None => finding,
    };
    finding.help("pass --facts with a folder that has one file of facts per node")
}
