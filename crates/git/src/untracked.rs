//! The untracked files of a working tree, without those in `.gitignore`.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use hieratic_budget::Budget;
use hieratic_sandbox::{Disk, FileKind, Tree, is_absence};
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::changed::{Changed, MAX_DEPTH, too_deep, unreadable_name_note};
use crate::error::Error;
use crate::repository::Repository;
use crate::repository_paths::file_error;

/// The size of the largest file of names that are ignored.
const LARGEST: u64 = 1 << 20;
/// The number of patterns that are matched for one step.
const PATTERNS_PER_STEP: u64 = 16;
/// The overhead of a path in bytes.
const PATH_OVERHEAD: usize = 64;

/// The patterns of a folder and of those around it, the innermost first.
struct IgnoreRules {
    patterns: Gitignore,
    around: Option<Arc<IgnoreRules>>,
}

/// The paths of the files. Files in submodules belong to another repository. Names that cannot be read become notes.
pub(crate) fn untracked(
    repository: &Repository,
    disk: &Disk,
    known: &BTreeSet<String>,
    submodules: &BTreeSet<String>,
    changed: &mut Changed,
) -> Result<Vec<String>, Error> {
    let budget = repository.budget();
    let exclude = repository.place().common.join("info/exclude");
    let exclude = repository.place().read(&exclude, LARGEST)?.map(|bytes| patterns(Path::new(""), &bytes, budget));
    let outermost = exclude.transpose()?.map(|patterns| Arc::new(IgnoreRules { patterns, around: None }));
    let mut found = Vec::new();
    let mut folders = vec![(String::new(), outermost)];
    while let Some((folder, outer)) = folders.pop() {
        budget.step()?;
        let whole = Path::new(&folder);
        if folder.matches('/').count() > MAX_DEPTH {
            return Err(too_deep(whole));
        }
        let to_error = |error: &std::io::Error| file_error(&disk.root().join(whole), error);
        let entries = match disk.list(whole) {
            Ok(entries) => entries,
            // It has gone meanwhile.
            Err(error) if is_absence(&error) => continue,
            Err(error) => return Err(to_error(&error)),
        };
        budget.steps(entries.len() as u64)?;
        for name in disk.unnamed(whole).map_err(|error| to_error(&error))? {
            let note = unreadable_name_note(whole, &name);
            if !changed.notes.contains(&note) {
                changed.note(note, budget)?;
            }
        }
        let ignored = if entries.iter().any(|entry| entry.name == ".gitignore" && entry.kind == FileKind::File) {
            let bytes = disk.with_largest(LARGEST).read(&whole.join(".gitignore"));
            let bytes = bytes.map_err(|error| file_error(&disk.root().join(whole).join(".gitignore"), &error))?;
            Some(Arc::new(IgnoreRules { patterns: patterns(whole, &bytes, budget)?, around: outer }))
        } else {
            outer
        };
        for entry in entries {
            if entry.name == ".git" {
                continue;
            }
            let path = if folder.is_empty() { entry.name } else { format!("{folder}/{}", entry.name) };
            let is_folder = entry.kind == FileKind::Folder;
            if is_folder && submodules.contains(&path) || !is_folder && known.contains(&path) {
                continue;
            }
            if is_ignored(ignored.as_deref(), Path::new(&path), is_folder, budget)? {
                continue;
            }
            budget.bytes(path.len() + PATH_OVERHEAD)?;
            match entry.kind {
                FileKind::Folder => folders.push((path, ignored.clone())),
                FileKind::File | FileKind::Link => found.push(path),
                // Git does not see devices and pipes.
                FileKind::Other => {}
            }
        }
    }
    Ok(found)
}

fn is_ignored(ignored: Option<&IgnoreRules>, path: &Path, is_folder: bool, budget: &Budget) -> Result<bool, Error> {
    let mut at = ignored;
    while let Some(IgnoreRules { patterns, around: outer }) = at {
        budget.steps(patterns.len() as u64 / PATTERNS_PER_STEP + 1)?;
        match patterns.matched(path, is_folder) {
            ignore::Match::None => at = outer.as_deref(),
            ignore::Match::Ignore(_) => return Ok(true),
            ignore::Match::Whitelist(_) => return Ok(false),
        }
    }
    Ok(false)
}

/// The patterns in a file of a folder.
fn patterns(folder: &Path, bytes: &[u8], budget: &Budget) -> Result<Gitignore, Error> {
    // Making something of a pattern takes about as long as a hundred steps.
    budget.steps(bytes.len() as u64 * 16)?;
    let mut builder = GitignoreBuilder::new(folder);
    for line in bytes.split(|byte| *byte == b'\n') {
        // A malformed pattern matches nothing, as in git.
        if let Ok(line) = std::str::from_utf8(line) {
            let _ = builder.add_line(None, line.strip_suffix('\r').unwrap_or(line));
        }
    }
    let path = folder.join(".gitignore");
    builder.build().map_err(|error| Error::damaged(path.display(), error))
}
