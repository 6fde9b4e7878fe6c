//! # job-version
//!
//! A Nomad job needs another version of Nomad. (warning)
//!
//! ## What is found
//!
//! The setting `nomad_version` or the flag `--nomad-version` names a version of Nomad that lacks a block, an argument
//! or a function of the job, or a function of its templates. [Versions of Nomad](../nomad-versions.md) lists what each
//! version added. Without a version, nothing is found.
//!
//! ## Why it matters
//!
//! That version refuses the job.
//!
//! ## How to fix it
//!
//! Use what the version has, or choose a later version.
//!
//! ## Example
//!
//! ```hcl
//! # web.nomad.hcl
//! job "web" {
//!   ui {
//!     description = "The web"
//!   }
//!
//!   group "front" {
//!     task "nginx" {
//!       driver = "docker"
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
//!   meta {
//!     description = "The web"
//!   }
//!
//!   group "front" {
//!     task "nginx" {
//!       driver = "docker"
//!     }
//!   }
//! }
//! ```
//!
//! A comment `# hieratic: ignore job-version` on the same line or the line before accepts the finding.
//! The code `job-lint` stands for this rule
//! and others of its kind, see [job-lint](job-lint.md).
