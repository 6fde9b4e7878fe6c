//! Absolute paths, and paths for messages.

use std::path::{Path, PathBuf};

use hieratic::sandbox::Files;
use hieratic::sandbox::SlashPath as _;

/// A path as the current folder makes it absolute, without `.` in between.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut plain = PathBuf::new();
    for component in whole.components() {
        match component {
            std::path::Component::CurDir => {}
            // Behind a link `..` leads elsewhere, and so it stays there.
            std::path::Component::ParentDir if is_true_folder(&plain) => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

/// Returns whether a path is a folder and not a link to one.
fn is_true_folder(path: &Path) -> bool {
    let files = Files::anywhere();
    files.real(path).is_ok_and(|real| real == path) && files.is_folder(path)
}

/// Returns whether a path is the current folder.
pub(crate) fn is_here(path: &Path) -> bool {
    std::env::current_dir().is_ok_and(|here| here == path)
}

/// A path as people read it: relative to the current folder if it is below.
pub(crate) fn shown(path: &Path) -> String {
    let here = std::env::current_dir().ok();
    let below = here.as_deref().and_then(|here| path.strip_prefix(here).ok());
    below.filter(|below| !below.as_os_str().is_empty()).unwrap_or(path).to_slashes()
}
