//! # foreign-key
//!
//! A module has data outside of its namespace. (warning)
//!
//! ## What is found
//!
//! A data file of a module contains a key that does not begin with the module's name and `::`.
//!
//! ## Why it matters
//!
//! Hiera reads a module's data only for keys in its namespace, so this key can never match.
//!
//! ## How to fix it
//!
//! Rename the key, or move it to the data of the environment.
//!
//! ## Example
//!
//! ```yaml
//! # modules/ntp/data/common.yaml
//! servers: [a]
//! ```
//!
//! becomes
//!
//! ```yaml
//! # modules/ntp/data/common.yaml
//! ntp::servers: [a]
//! ```
//!
//! A comment `# hieratic: ignore foreign-key` on the same line or the line before accepts the finding.

use super::RuleContext;
use crate::finding::Finding;
use crate::rules;

/// Finds keys of modules outside of their namespaces.
pub(super) fn check(cx: &RuleContext<'_>) {
    for file in &cx.workspace.files {
        let Some(module) = cx.workspace.module_of(file) else { continue };
        for (key, _) in file.entries() {
            if key.strip_prefix(module).is_some_and(|rest| rest.starts_with("::")) {
                continue;
            }
            let message = format!("The key '{key}' is in the data of the module '{module}', which never answers it");
            let help = match key.split_once("::") {
                Some((other, _)) => format!("move it to the data of the module '{other}' or of the environment"),
                None => format!("write '{module}::{key}', or move it to the data of the environment"),
            };
            let finding = Finding::new(&rules::FOREIGN_KEY, message);
            cx.report(finding.at(&file.source, file.key_span(key), "").help(help));
        }
    }
}
