//! # cluster-file-remark
//!
//! Nomad, Consul or Vault ignores a part of a file. (warning)
//!
//! ## What is found
//!
//! An argument or block that the program does not know and silently leaves out, that a version has removed, or that is
//! deprecated, in the files that [cluster-file](cluster-file.md) lists.
//!
//! ## Why it matters
//!
//! The line has no effect: a misspelled name in a policy grants nothing.
//!
//! ## How to fix it
//!
//! Correct or remove the argument or block that the message names.
//!
//! ## Example
//!
//! ```hcl
//! # deploy.policy.hcl
//! namespace "default" {
//!   polcy = "read"
//! }
//! ```
//!
//! becomes
//!
//! ```hcl
//! # deploy.policy.hcl
//! namespace "default" {
//!   policy = "read"
//! }
//! ```
//!
//! A comment `# hieratic: ignore cluster-file-remark` on the same line or the line before accepts the finding.
