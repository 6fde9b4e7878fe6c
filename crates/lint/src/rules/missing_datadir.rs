//! # missing-datadir
//!
//! The folder of a level does not exist. (warning)
//!
//! ## What is found
//!
//! The `datadir` of a level, or the one in `defaults`, does not exist, and a folder next to it has almost the same
//! name. Or no level of an environment's hierarchy has an existing folder. Folders with interpolations are not checked.
//! A folder that is missing for another reason appears in the note on what is [not in the checkout](not-seen.md):
//! private data often is not, and data can be in a module of the Puppetfile.
//!
//! ## Why it matters
//!
//! The level silently never matches.
//!
//! ## How to fix it
//!
//! Create the folder, or correct `datadir`. It is relative to the folder of `hiera.yaml`.
//!
//! ## Example
//!
//! ```yaml
//! # hiera.yaml
//! version: 5
//! defaults: {datadir: dta}
//! hierarchy:
//!   - {name: Common, path: common.yaml}
//! ```
//!
//! becomes
//!
//! ```yaml
//! # hiera.yaml
//! version: 5
//! defaults: {datadir: data}
//! hierarchy:
//!   - {name: Common, path: common.yaml}
//! ```
//!
//! A comment `# hieratic: ignore missing-datadir` on the same line or the line before accepts the finding.

use std::path::Path;

use hieratic_diagnostics::Source;

use crate::finding::Finding;
use crate::paths::shown;
use crate::rules;
use crate::texts::written_at;
use crate::workspace::hierarchy::Level;

/// The finding about a folder that does not exist, and the one of nearly the same name that does.
pub(crate) fn misspelt(folder: &Path, level: &str, near: &str) -> Finding {
    let message = format!("The folder {} of the level '{level}' does not exist", shown(folder));
    Finding::new(&rules::MISSING_DATADIR, message).help(format!("did you mean '{near}'?"))
}

/// The finding about a hierarchy of which no folder of data is here: nothing that it would answer can be looked at.
pub(crate) fn without_data(levels: &[Level], source: Option<&Source>, root: &Path) -> Finding {
    let mut folders: Vec<String> = levels.iter().map(|level| shown(Path::new(&*level.level.datadir))).collect();
    folders.dedup();
    let message = match &folders[..] {
        [folder] => format!("The folder {folder} of all levels does not exist"),
        _ => "None of the datadirs exists".to_owned(),
    };
    let finding = Finding::new(&rules::MISSING_DATADIR, message);
    let finding = match source {
        Some(source) => finding.at(source, written_at(source, 1, 1), ""),
        None => finding.in_file(shown(&root.join("hiera.yaml"))),
    };
    let finding = match folders.len() {
        1 => finding,
        _ => folders.into_iter().fold(finding, Finding::note),
    };
    finding.help("fix the `datadir`, or check out the data")
}
