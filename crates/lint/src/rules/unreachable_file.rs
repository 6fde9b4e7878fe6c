//! # unreachable-file
//!
//! No level can reach a data file. (warning)
//!
//! ## What is found
//!
//! A file is in the data folder of a level and has the format that the level reads, but no path or pattern of any
//! `hiera.yaml` in the checkout can match it, for any values of the variables. Nothing is reported if data is in the
//! same folder as `hiera.yaml`, or if another environment of the repository reads the file. Files of the
//! `plan_hierarchy` are read by plans. Unless `--environment` names the environment, `%{environment}` can have any
//! value, because a branch can be deployed under any name.
//!
//! ## Why it matters
//!
//! Its data has no effect. Usually the file has the wrong extension or folder.
//!
//! ## How to fix it
//!
//! Rename or remove the file, or add a level.
//!
//! ## Example
//!
//! ```yaml
//! # data
//! # hiera.yaml: path: "nodes/%{trusted.certname}.yaml"
//! # data/nodes/web01.example.com.yml is never read
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data
//! # data/nodes/web01.example.com.yaml is
//! ```
//!
//! A comment `# hieratic: ignore unreachable-file` on the same line or the line before accepts the finding.

use std::path::Path;

use super::RuleContext;
use crate::finding::Finding;
use crate::rules;
use crate::texts;
use crate::workspace::{Workspace, named};

/// Finds files that no level can reach.
pub(super) fn check(cx: &RuleContext<'_>) {
    let workspace = cx.workspace;
    for path in &workspace.unreachable {
        let message = format!("No level of the hierarchy can reach {}", named(path));
        let finding = Finding::new(&rules::UNREACHABLE_FILE, message);
        let finding = match texts::read(path, workspace.readable()) {
            Ok(source) => finding.at(&source, texts::written_at(&source, 1, 1), ""),
            Err(_) => finding.in_file(named(path)),
        };
        cx.report(finding.help(match intended_name(workspace, path) {
            Some(name) => format!("did you mean '{name}'? Else remove the file, or add a level that reads it"),
            None => "remove the file, rename it, or add a level that reads it".to_owned(),
        }));
    }
}

/// The probable intended name: that of a missing file in the same folder which a level reads by a path without
/// variables, if it is similar.
fn intended_name<'r>(workspace: &'r Workspace, path: &Path) -> Option<&'r str> {
    let name = path.file_name()?.to_str()?;
    let levels = workspace.configs.iter().flat_map(|config| &config.levels);
    let paths = levels.flat_map(|level| &level.level.sources).map(|source| Path::new(&source.text));
    let beside = paths.filter(|other| other.parent() == path.parent() && !workspace.readable().exists(other));
    let names = beside.filter_map(|other| other.file_name()?.to_str()).filter(|name| !name.contains("%{"));
    hieratic_diagnostics::nearest(name, names)
}
