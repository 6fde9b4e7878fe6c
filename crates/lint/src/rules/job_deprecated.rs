//! # job-deprecated
//!
//! A Nomad job uses something deprecated. (warning)
//!
//! ## What is found
//!
//! What `nomad job validate` calls deprecated: `mbits` in a network, a `network` block in the resources of a task,
//! `iops`, `vault_grace`, and `cron` in `periodic`.
//!
//! ## Why it matters
//!
//! A later version of Nomad ignores or refuses it.
//!
//! ## How to fix it
//!
//! Remove the argument, or use the successor that the message names.
//!
//! ## Example
//!
//! ```hcl
//! # web.nomad.hcl
//! job "web" {
//!   type = "batch"
//!
//!   periodic {
//!     cron = "@daily"
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
//!   type = "batch"
//!
//!   periodic {
//!     crons = ["@daily"]
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
//! A comment `# hieratic: ignore job-deprecated` on the same line or the line before accepts the finding.
