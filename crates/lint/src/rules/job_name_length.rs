//! # job-name-length
//!
//! A name in a Nomad job is too long. (warning)
//!
//! ## What is found
//!
//! The name of a task has more than 242 bytes, so that Nomad cannot name files after it, or the `hostname` of a
//! container has more than 64.
//!
//! ## Why it matters
//!
//! Nomad accepts the job. The task fails when it starts.
//!
//! ## How to fix it
//!
//! Choose a shorter name.
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
//!       config {
//!         image    = "nginx:1"
//!         hostname = "nginx-of-the-front-group-of-the-web-job-in-the-production-cluster-of-europe"
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
//!       config {
//!         image    = "nginx:1"
//!         hostname = "nginx-front"
//!       }
//!     }
//!   }
//! }
//! ```
//!
//! A comment `# hieratic: ignore job-name-length` on the same line or the line before accepts the finding.
//! The code `job-lint` stands for this rule
//! and others of its kind, see [job-lint](job-lint.md).
