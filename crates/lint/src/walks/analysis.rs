//! Analyzes the manifests of an environment. Each rule says in its own module what it finds.

use crate::rules::RuleContext;

/// Reports what a compiler will refuse in the manifests of the environment, and what is questionable in them.
pub(super) fn check(cx: &RuleContext<'_>) {
    let (workspace, code) = (cx.workspace, cx.code);
    let program = cx.analyzed.program(&workspace.environment, code, workspace.missing_parts.misses_modules());
    cx.report_all(cx.analyzed.findings(&program, code));
    cx.report_all(program.template_findings(code).iter().cloned());
}
