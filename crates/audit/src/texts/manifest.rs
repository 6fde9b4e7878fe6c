//! Manifests and EPP templates, as `puppet parser validate` checks them.

use std::path::{Path, PathBuf};

use hieratic::checker::{Options as Rules, validate};
use hieratic_diagnostics::{Severity, Source, Span};
use hieratic_syntax::ast::Program;
use hieratic_syntax::{Options as Syntax, parse};

use crate::finding::{Finding, Fix};
use crate::options::Options;
use crate::repository::legacy;
use crate::rules;
use crate::texts::variables;

/// Everything that is wrong with a manifest or template, and its tree if it can be read.
///
/// A plan is read as one if it lies among a module's plans, or if `tasks` says that a file that is named is one.
pub(crate) fn check(
    path: &Path,
    source: &Source,
    epp: bool,
    is_named: bool,
    modulepath: &[PathBuf],
    options: &Options,
) -> (Vec<Finding>, Option<Program>) {
    let tasks = is_plan(path) || is_named && options.tasks;
    let rules = Rules {
        version: options.settings.puppet_version,
        strict: options.strict,
        tasks,
        file: Some(path),
        modulepath,
        manifest: options.manifest.as_deref(),
        epp,
    };
    let parsed = parse(source, &Syntax { epp, tasks });
    let mut problems = parsed.problems;
    if let Some(program) = &parsed.program {
        problems.extend(validate(program, &rules));
    }
    let findings = problems.iter().map(|problem| {
        let mut diagnostic = problem.diagnostic(source);
        // The file has the name that people know it by, wherever the repository lies.
        diagnostic.message = diagnostic.message.replace(&path.display().to_string(), source.name());
        let finding = Finding::of(&rules::MANIFEST, diagnostic);
        match finding.primary().map(|(_, span)| span.start) {
            // The text keeps the backslash, and says so.
            Some(start) if finding.diagnostic.code == hieratic_syntax::codes::UNRECOGNIZED_ESCAPE => {
                finding.fix(Fix::new(source, Span { start, end: start }, "\\"))
            }
            _ => finding,
        }
    });
    let mut findings: Vec<Finding> = findings.collect();
    // Code that is refused is about to change.
    if findings.iter().all(|finding| finding.severity() != Severity::Error) {
        findings.extend(parsed.program.iter().flat_map(variables::unused));
        // Plans have no facts by themselves.
        if !tasks && !options.settings.puppet_version.has_legacy_facts() {
            findings.extend(parsed.program.iter().flat_map(legacy::in_program));
        }
    }
    (findings, parsed.program)
}

/// Whether a file lies in a folder `plans`, as those of modules and of Bolt's projects do.
///
/// See [writing plans](https://www.puppet.com/docs/bolt/latest/writing_plans.html).
pub fn is_plan(path: &Path) -> bool {
    const FOLDERS: [&str; 4] = ["plans", "manifests", "functions", "types"];
    let mut folders =
        path.parent().into_iter().flat_map(Path::ancestors).filter_map(|folder| folder.file_name()?.to_str());
    folders.find(|name| FOLDERS.contains(name)) == Some("plans")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_lie_in_folders_of_their_own() {
        for plan in ["modules/a/plans/init.pp", "plans/deep/er.pp", "manifests/plans/x.pp"] {
            assert!(is_plan(Path::new(plan)), "{plan}");
        }
        for other in ["modules/plans/manifests/init.pp", "a.pp", "plans/functions/f.pp", "plans"] {
            assert!(!is_plan(Path::new(other)), "{other}");
        }
    }
}
