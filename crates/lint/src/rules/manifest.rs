//! # manifest
//!
//! A manifest or EPP template is not valid. (error or warning)
//!
//! ## What is found
//!
//! This rule reports the problems of `puppet parser validate`, with its messages: syntax errors, and code that the
//! language does not allow. Unlike the reference, it reports every problem of a file in one run. In JSON output, `code`
//! names the specific issue (such as `syntax-error`), and `rule` is `manifest`.
//!
//! A class, defined type or function of a module has to be in the file in which its name is looked for: see
//! [illegal-definition-location](../errors/illegal-definition-location.md). The module path is that of the environment,
//! or `--modulepath`.
//!
//! ## Why it matters
//!
//! The file does not compile, nor does any catalog that needs it.
//!
//! ## How to fix it
//!
//! The message and its help line name the expected syntax. `--strict` decides whether questionable code is ignored, a
//! warning or an error. `--tasks` allows plans.
//!
//! ## Example
//!
//! ```puppet
//! # manifests/site.pp
//! $ports = [80, 443
//! notice($ports)
//! ```
//!
//! becomes
//!
//! ```puppet
//! # manifests/site.pp
//! $ports = [80, 443]
//! notice($ports)
//! ```
//!
//! A comment `# hieratic: ignore manifest` on the same line or the line before accepts the finding.

use std::path::Path;

use hieratic_diagnostics::{Source, Span};
use hieratic_puppet_syntax::Problem;
use hieratic_puppet_syntax::codes::UNRECOGNIZED_ESCAPE;

use crate::finding::{Finding, Fix};
use crate::rules;
use hieratic::sandbox::SlashPath as _;

/// The finding about something that the parser or the validator refuses or questions.
pub(crate) fn of_problem(problem: &Problem, path: &Path, source: &Source) -> Finding {
    let mut diagnostic = problem.diagnostic(source);
    // Messages contain the name of the file, wherever the repository is.
    diagnostic.message = diagnostic.message.replace(&path.to_slashes(), source.name());
    let finding = Finding::from_diagnostic(&rules::MANIFEST, diagnostic);
    match finding.primary().map(|(_, span)| span.start) {
        // The string keeps the backslash. The fix makes that explicit.
        Some(start) if finding.diagnostic.code == UNRECOGNIZED_ESCAPE => {
            finding.fix(Fix::new(source, Span { start, end: start }, "\\"))
        }
        _ => finding,
    }
}
