//! Analyzes the manifests of an environment. Each rule says in its own module what it finds.

use std::path::Path;

use rayon::prelude::*;

use crate::analysis::EnvironmentProgram;
use crate::finding::Finding;
use crate::paths::absolute;
use crate::rules::RuleContext;

/// Reports what a compiler will refuse in the manifests of the environment, and what is questionable in them.
pub(super) fn check(cx: &RuleContext<'_>) {
    let program =
        EnvironmentProgram::new(&cx.workspace.environment, cx.code, cx.workspace.missing_parts.misses_modules());
    let sources = cx.code.sources.par_iter();
    let found: Vec<Vec<Finding>> =
        sources.map(|source| program.analyze(&absolute(Path::new(source.name())), source)).collect();
    cx.report_all(found.into_iter().flatten());
}
