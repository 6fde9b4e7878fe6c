//! # invalid-promise
//!
//! A promise cannot be read. (error)
//!
//! ## What is found
//!
//! A file in the folder `promises` has an unknown word, a type or a pattern that cannot be read, or requires nothing;
//! or the code of a [promise](../promises.md) fails. Or the promises together are more work than the
//! [limits](../reference/limits.md) allow.
//!
//! ## Why it matters
//!
//! The promise is not checked.
//!
//! ## How to fix it
//!
//! Fix the promise. If the promises are not checked to the end, name keys instead of `*`, or raise the limit that the
//! finding names.
//!
//! ## Example
//!
//! ```yaml
//! # promises/web.yaml
//! web ports are valid: {key: 'web::port', typ: 'Integer[1, 65535]'}
//! ```
//!
//! becomes
//!
//! ```yaml
//! # promises/web.yaml
//! web ports are valid: {key: 'web::port', type: 'Integer[1, 65535]'}
//! ```
//!
//! A comment `# hieratic: ignore invalid-promise` on the same line or the line before accepts the finding.

use hieratic::budget::Exhausted;
use hieratic_diagnostics::{Source, Span};

use crate::finding::Finding;
use crate::rules;

/// The finding about a promise that cannot be read.
pub(crate) fn not_valid(name: &str, message: &str, place: &(Source, Span)) -> Finding {
    Finding::new(&rules::INVALID_PROMISE, format!("The promise '{name}' is not valid: {message}"))
        .at(&place.0, place.1, "")
        .help("docs/promises.md lists the requirements of promises")
}

/// The finding about a promise that has no result.
pub(crate) fn not_evaluated(name: &str, message: &str, place: &(Source, Span)) -> Finding {
    let message = format!("The promise '{name}' cannot be evaluated: {message}");
    Finding::new(&rules::INVALID_PROMISE, message).at(&place.0, place.1, "")
}

/// The finding about a promise in the Puppet language that fails for a number of nodes.
pub(crate) fn fails(name: &str, message: &str, place: &(Source, Span), nodes: usize) -> Finding {
    let message = format!("The promise '{name}' fails: {message}");
    let finding = Finding::new(&rules::INVALID_PROMISE, message).at(&place.0, place.1, "");
    finding.note(if nodes == 1 { "for 1 node".to_owned() } else { format!("for {nodes} nodes") })
}

/// The finding that a limit has ended the check, at the first promise.
pub(crate) fn stopped(reason: Exhausted, place: Option<(Source, Span)>) -> Finding {
    let finding = Finding::new(&rules::INVALID_PROMISE, format!("The promises are not checked to the end: {reason}"));
    let finding = finding.help(reason.help().unwrap_or_else(|| "run the check again".to_owned()));
    match place {
        Some((source, span)) => finding.at(&source, span, ""),
        None => finding,
    }
}
