//! The manifests of an environment.

use std::path::{Path, PathBuf};

use hieratic_sandbox::{FileKind, Files, is_absence};
use hieratic_value::ErasedSort as _;

/// The maximum nesting of manifest folders.
const DEEPEST: usize = 64;

/// The manifests in a file or folder, in the order in which the reference reads them.
pub(crate) fn manifests_in(path: &Path, files: &Files) -> Vec<PathBuf> {
    if !files.is_folder(path) {
        // A path outside the visible files is an error when it is read, not a missing manifest.
        return if files.is_file(path) || files.is_hidden(path) { vec![path.to_owned()] } else { Vec::new() };
    }
    let mut found = Vec::new();
    let mut folders = vec![(path.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let entries = match files.list(&folder) {
            Ok(entries) => entries,
            Err(error) if is_absence(&error) => continue,
            // Reading the folder reports the error.
            Err(_) => {
                found.push(folder);
                continue;
            }
        };
        for entry in entries {
            let path = folder.join(&entry.name);
            // As in the reference's glob, which does not follow links to folders and skips hidden files.
            if entry.name.starts_with('.') {
                continue;
            }
            if entry.kind == FileKind::Folder && depth < DEEPEST {
                folders.push((path, depth + 1));
            } else if entry.name.ends_with(".pp") && entry.kind != FileKind::Folder {
                found.push(path);
            }
        }
    }
    // Ruby sorts whole strings, not path components.
    found.sort_erased_by(|one, other| one.as_os_str().cmp(other.as_os_str()));
    found
}
