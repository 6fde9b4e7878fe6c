//! # broken-promise
//!
//! A promise of the repository is broken. (error, or as the promise says)
//!
//! ## What is found
//!
//! A file in the folder `promises` [states a promise](../promises.md) that does not hold. The finding is at the value
//! that breaks the promise, and lists the nodes.
//!
//! ## Why it matters
//!
//! Someone relies on the promise. Its text should give the reason.
//!
//! ## How to fix it
//!
//! Change the value, or the promise.
//!
//! ## Example
//!
//! ```yaml
//! # promises/web.yaml
//! web ports are valid: {key: 'web::port', type: 'Integer[1, 65535]'}
//!
//! # data/common.yaml
//! web::port: 0
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! web::port: 80
//! ```
//!
//! A comment `# hieratic: ignore broken-promise` on the same line or the line before accepts the finding.

use hieratic_diagnostics::{Source, Span};

use crate::finding::Finding;
use crate::rules;
use crate::walks::promises::Breach;
use crate::workspace::list;
use crate::workspace::nodes::GivenNode;

/// The finding about a breach, with the nodes that it is for.
pub(crate) fn of_breach(breach: Breach, nodes: &[&GivenNode<'_>]) -> Finding {
    let Breach { promise, severity, message, help, place, stated, nodes: mut affected } = breach;
    let finding = Finding::new(&rules::BROKEN_PROMISE, format!("{promise}: {message}")).with_severity(severity);
    let mut finding = finding.at(&place.0, place.1, "");
    if let Some((source, span)) = stated {
        finding = finding.related(&source, span, "the promise");
    }
    affected.sort_unstable();
    affected.dedup();
    if !affected.is_empty() {
        let names: Vec<&str> = affected.iter().filter_map(|node| nodes.get(*node)).map(|node| node.name).collect();
        finding = finding.note(format!("for {} of {} nodes: {}", names.len(), nodes.len(), list(&names)));
    }
    match help {
        Some(help) => finding.help(help),
        None => finding,
    }
}

/// The finding about breaches that are not listed, at the last of those that are.
pub(crate) fn more(count: usize, place: Option<(Source, Span)>) -> Finding {
    let message = format!("{count} more broken promises are not listed");
    let summary = Finding::new(&rules::BROKEN_PROMISE, message).help("fix those that are listed first");
    match place {
        Some((source, span)) => summary.at(&source, span, ""),
        None => summary,
    }
}
