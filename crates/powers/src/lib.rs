//! What a repository may do, and how much of everything.
//!
//! A repository is hostile until the person at the keyboard says otherwise. Three powers are off unless a flag or a file
//! outside of the repository gives them: running programs, reading files outside of the repository (variables of the
//! environment count as outside), and the network. Whoever opens an environment decides; everything below is handed the
//! decision and cannot ask the system for itself, which `clippy.toml` enforces.
//!
//! - [`Powers`] are all of them, handed down from whoever opens a repository.
//! - [`Files`] reads regular files of bounded size below the folders that it was given.
//! - [`Tree`] is what [`Files`] can read instead of the disk: a revision, unsaved texts, one tree patched by another.
//! - [`Budget`] bounds the work for one answer: steps, bytes, depth and time, whatever language asks.
//!
//! `docs/security.md` describes the model, verb by verb.

#![allow(clippy::disallowed_methods, reason = "this is the place that the lint refers all other code to")]

mod budget;
mod clock;
mod denied;
mod files;
mod mount;
mod mounted;
mod open;
mod powers;
mod refused;
mod tree;

pub use budget::{Budget, Exhausted, Limits, Pace};
pub use clock::thread_time;
pub use denied::{Denied, Reason, is_absence, is_absence_or_refused};
pub use files::{Entry, Files, Kind, Outside, Stat, plain};
pub use mounted::Mounted;
pub use powers::{Powers, Programs, Variables};
pub use refused::Refused;
pub use tree::{Disk, Known, Memory, Patched, Tree};
