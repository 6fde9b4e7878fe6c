//! The capabilities of a repository: the files, programs and variables that it may use.
//!
//! A repository is hostile until the person at the keyboard trusts it. Three capabilities are off unless a flag or a
//! file outside of the repository grants them: running programs, reading files outside of the repository (environment
//! variables count as outside), and the network. The code that opens an environment decides. All code below receives
//! the decision and cannot call the system directly, which `clippy.toml` enforces.
//!
//! - [`Capabilities`] are all capabilities. The code that opens a repository creates them.
//! - [`Files`] reads regular files of bounded size below the allowed folders.
//! - [`name_pattern`] matches file names.
//! - A [`Tree`] replaces a folder of the disk: a revision, unsaved files, one tree patched by another.
//!
//! `docs/security.md` describes the model, verb by verb.

#![allow(clippy::disallowed_methods, reason = "this is the place that the lint refers all other code to")]

mod capabilities;
mod denied;
mod files;
mod mount;
mod mounted;
pub mod name_pattern;
mod open;
mod real;
mod refused;
mod tree;
#[cfg(windows)]
mod windows;

pub use capabilities::{Capabilities, HiddenVariable, Programs, Variables};
pub use denied::{Denied, DeniedReason, is_absence, is_absence_or_refused};
pub use files::{DirEntry, FileKind, Files, Outside, SlashPath, Stat, plain, real_path, slashes};
pub use mounted::Mounted;
pub use refused::RefusedPaths;
pub use tree::{Disk, Memory, Patched, Tree, TreeEntry};
