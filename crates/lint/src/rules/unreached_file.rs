//! # unreached-file
//!
//! No node reads a data file. (warning)
//!
//! ## What is found
//!
//! With `--all-nodes`, which treats the given nodes as the whole fleet: a level could match the file, but does not for
//! any of them. The note says what a node would need.
//!
//! ## Why it matters
//!
//! The file belongs to a node, role or site that no longer exists.
//!
//! ## How to fix it
//!
//! Remove it, unless you are about to add a node that reads it.
//!
//! ## Example
//!
//! ```yaml
//! # data
//! # data/nodes/old.example.com.yaml, and no node is called old.example.com
//! ```
//!
//! A comment `# hieratic: ignore unreached-file` on the same line or the line before accepts the finding.
