//! Manifests and EPP templates, as `puppet parser validate` checks them.

use std::path::Path;

use hieratic::puppet_validator::{Options as Rules, validate};
use hieratic_diagnostics::{Severity, Source};
use hieratic_puppet_syntax::ast::Program;
use hieratic_puppet_syntax::{Options as Syntax, parse};

use crate::code_folders::CodeFolders;
use crate::finding::Finding;
use crate::options::Options;
use crate::rules::{ProgramContext, manifest};

/// Checks a manifest or template. Returns its tree if it can be parsed.
///
/// A file is parsed as a plan if it is among the plans of a module, or if it is named and `tasks` is set.
pub(crate) fn check(
    path: &Path,
    source: &Source,
    epp: bool,
    is_named: bool,
    code: &CodeFolders,
    options: &Options,
) -> (Vec<Finding>, Option<Program>) {
    let modulepath = code.modulepath_of(path);
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
    let mut findings: Vec<Finding> =
        problems.iter().map(|problem| manifest::of_problem(problem, path, source)).collect();
    // Code that is refused is about to change.
    if let Some(program) = &parsed.program
        && findings.iter().all(|finding| finding.severity() != Severity::Error)
    {
        findings.extend(ProgramContext::new(program, options, tasks, code).run());
    }
    (findings, parsed.program)
}

/// Returns whether a file is in a folder `plans` of a module or of a project of Bolt.
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
    fn plans_are_in_a_folder_plans() {
        for plan in ["modules/a/plans/init.pp", "plans/deep/er.pp", "manifests/plans/x.pp"] {
            assert!(is_plan(Path::new(plan)), "{plan}");
        }
        for other in ["modules/plans/manifests/init.pp", "a.pp", "plans/functions/f.pp", "plans"] {
            assert!(!is_plan(Path::new(other)), "{other}");
        }
    }
}
