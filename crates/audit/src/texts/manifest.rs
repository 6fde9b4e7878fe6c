//! Manifests and EPP templates, as `puppet parser validate` checks them.

use std::path::Path;

use hieratic_checker::{Options as Rules, validate};
use hieratic_diagnostics::Source;
use hieratic_syntax::ast::Program;
use hieratic_syntax::{Options as Syntax, parse};

use crate::finding::Finding;
use crate::options::Options;
use crate::rules;

/// Everything that is wrong with a manifest or template, and its tree if it can be read.
pub(crate) fn check(path: &Path, source: &Source, epp: bool, options: &Options) -> (Vec<Finding>, Option<Program>) {
    let modulepath: Vec<_> =
        options.settings.modulepath.iter().flat_map(|path| std::env::split_paths(path).collect::<Vec<_>>()).collect();
    let rules = Rules {
        strict: options.strict,
        tasks: options.tasks,
        file: Some(path),
        modulepath: &modulepath,
        manifest: options.manifest.as_deref(),
        epp,
    };
    let parsed = parse(source, &Syntax { epp, tasks: options.tasks });
    let mut problems = parsed.problems;
    if let Some(program) = &parsed.program {
        problems.extend(validate(program, &rules));
    }
    let findings = problems.iter().map(|problem| Finding::of(&rules::MANIFEST, problem.diagnostic(source))).collect();
    (findings, parsed.program)
}
