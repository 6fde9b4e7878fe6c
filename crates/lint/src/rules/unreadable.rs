//! # unreadable
//!
//! A file cannot be read. (error)
//!
//! ## What is found
//!
//! The path does not exist, the file is not readable, or it is not UTF-8.
//!
//! ## Why it matters
//!
//! The file is not checked. Puppet cannot read it either: manifests and data must be UTF-8.
//!
//! ## How to fix it
//!
//! Correct the path, grant read permission, or save the file as UTF-8. The message names the first invalid byte.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! motd: "caf\xe9"   # saved as Latin-1
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! motd: "café"      # saved as UTF-8
//! ```
//!
//! A comment `# hieratic: ignore unreadable` on the same line or the line before accepts the finding.

use std::path::Path;
use std::string::FromUtf8Error;

use hieratic::json::Position;

use crate::finding::Finding;
use crate::paths::shown;
use crate::rules;
use hieratic::sandbox::SlashPath as _;

/// The finding about a file or folder that cannot be read.
pub(crate) fn of_path(path: &Path, reason: &str) -> Finding {
    let name = shown(path);
    Finding::new(&rules::UNREADABLE, format!("{name} cannot be read: {reason}")).in_file(name)
}

/// The finding about a file that is not UTF-8.
pub(crate) fn not_text(name: &str, error: &FromUtf8Error) -> Finding {
    let (at, bytes) = (error.utf8_error().valid_up_to(), error.as_bytes());
    let Position { line, column } = Position::at_offset(bytes, at);
    let byte = bytes.get(at).copied().unwrap_or_default();
    let message = format!("{name} is not valid UTF-8: byte {byte:#04x} at line {line}, column {column}");
    Finding::new(&rules::UNREADABLE, message).in_file(name).help("save the file as UTF-8")
}

/// The finding about a path that was named, and is not there.
pub(crate) fn missing(path: &Path) -> Finding {
    let message = format!("One or more file(s) specified did not exist:\n   {}", path.display());
    let help = "name existing files and folders; by default, the current folder is checked";
    Finding::new(&rules::UNREADABLE, message).help(help)
}

/// The finding about a pattern of files that are left out, which cannot be used.
pub(crate) fn pattern(pattern: &str, reason: &str) -> Finding {
    let message = format!("The pattern '{pattern}' cannot be used: {reason}");
    Finding::new(&rules::UNREADABLE, message).help("write it as a line of .gitignore: vendor/, *.bak")
}

/// The finding about a tree of files of which a part could not be read.
pub(crate) fn tree(root: &Path, error: String) -> Finding {
    Finding::new(&rules::UNREADABLE, error).in_file(root.to_slashes())
}
