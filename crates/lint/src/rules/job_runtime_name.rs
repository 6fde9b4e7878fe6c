//! # job-runtime-name
//!
//! A Nomad job names a variable that tasks do not have. (warning)
//!
//! ## What is found
//!
//! A string names a variable that begins with `NOMAD_` and differs by one letter, or by two that changed places, from
//! one that tasks have.
//!
//! ## Why it matters
//!
//! The variable is empty when the task runs.
//!
//! ## How to fix it
//!
//! Correct the name.
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
//!       env {
//!         DIR = "${NOMAD_TASK_DRI}"
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
//!
//!       env {
//!         DIR = "${NOMAD_TASK_DIR}"
//!       }
//!     }
//!   }
//! }
//! ```
//!
//! A comment `# hieratic: ignore job-runtime-name` on the same line or the line before accepts the finding.
//! The code `job-lint` stands for this rule
//! and others of its kind, see [job-lint](job-lint.md).
