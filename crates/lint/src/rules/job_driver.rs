//! # job-driver
//!
//! A Nomad job names a driver that resembles another one. (warning)
//!
//! ## What is found
//!
//! The name of the driver differs by one letter, or by two that changed places, from that of a driver that comes with
//! Nomad or is known beside it. Drivers of your own with other names are not judged.
//!
//! ## Why it matters
//!
//! No node has the driver, so the allocation stays pending.
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
//!       driver = "dcoker"
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
//! A comment `# hieratic: ignore job-driver` on the same line or the line before accepts the finding.
//! The code `job-lint` stands for this rule
//! and others of its kind, see [job-lint](job-lint.md).
