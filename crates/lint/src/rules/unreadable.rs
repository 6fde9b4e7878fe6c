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
