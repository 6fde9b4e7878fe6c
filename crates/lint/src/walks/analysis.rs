//! Analyzes the manifests of an environment. Each rule is documented in its own module.

use crate::rules::RuleContext;

/// Reports errors and questionable code in the manifests of the environment.
pub(super) fn check(cx: &RuleContext<'_>) {
    let (workspace, code) = (cx.workspace, cx.code);
    let program = cx.analyzed.program(&workspace.environment, code, workspace.missing_parts.misses_modules());
    cx.report_all(cx.analyzed.findings(&program, code));
    cx.report_all(program.template_findings(code).iter().cloned());
}
