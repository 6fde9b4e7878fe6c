//! # job-main-task
//!
//! A group of a Nomad job has only lifecycle tasks. (error)
//!
//! ## What is found
//!
//! All tasks of a group have a `lifecycle` block.
//!
//! ## Why it matters
//!
//! Nomad refuses such a group since version 2.0.6. Older versions accept it, and the allocation never runs anything
//! that stays: if `--nomad-version` or the setting `nomad_version` names one of them, the finding is a warning.
//!
//! ## How to fix it
//!
//! Add a task without a `lifecycle` block, or remove the block from one of the tasks.
//!
//! ## Example
//!
//! ```hcl
//! # web.nomad.hcl
//! job "web" {
//!   group "front" {
//!     task "nginx" {
//!       driver = "docker"
//!
//!       lifecycle {
//!         hook = "prestart"
//!       }
//!     }
//!   }
//! }
//! ```
//!
//! becomes
//!
//! ```hcl
//! # web.nomad.hcl
//! job "web" {
//!   group "front" {
//!     task "nginx" {
//!       driver = "docker"
//!     }
//!   }
//! }
//! ```
//!
//! A comment `# hieratic: ignore job-main-task` on the same line or the line before accepts the finding.
//! The code `job-lint` stands for this rule
//! and others of its kind, see [job-lint](job-lint.md).
