//! # unused-ignore
//!
//! A comment ignores nothing. (warning)
//!
//! ## What is found
//!
//! - A comment `hieratic: ignore` with a code that no rule has, such as a misspelled one.
//! - A code of which nothing is found on the line of the comment, or on the next one for a comment on a separate line.
//!
//! A code counts as unused only if its rule was run: `--hygiene`, `--unused`, `--all-nodes` and `--catalogs` add rules.
//! In a checkout that misses modules, data or functions, and outside of an environment, only unknown codes are
//! reported.
//!
//! ## Why it matters
//!
//! A misspelled code accepts nothing, although its author believes so. A code that is no longer needed hides the next
//! mistake on the line.
//!
//! ## How to fix it
//!
//! Write the code as `hieratic check` prints it, or remove it.
//!
//! ## Example
//!
//! ```yaml
//! port: 1 # hieratic: ignore duplicat-key
//! ```
//!
//! The code is `duplicate-key`.

use hieratic_diagnostics::{Source, Span, nearest};

use crate::finding::Finding;
use crate::rules;

/// The finding about a comment that names a rule, and ignores no finding of it.
pub(crate) fn without_finding(source: &Source, span: Span, code: &str) -> Finding {
    let message = format!("The comment ignores '{code}', but the line has no such finding");
    Finding::new(&rules::UNUSED_IGNORE, message).at(source, span, "").help("remove the code")
}

/// The finding about a comment that names no rule.
pub(crate) fn unknown(source: &Source, span: Span, code: &str) -> Finding {
    let finding =
        Finding::new(&rules::UNUSED_IGNORE, format!("The comment ignores '{code}', but no rule has this name"));
    let finding = finding.at(source, span, "");
    match nearest(code, rules::codes().map(|code| code.id())) {
        Some(near) => finding.help(format!("did you mean '{near}'?")),
        None => finding.help("docs/findings lists all rules"),
    }
}
