//! # job-static-port
//!
//! Several allocations of a Nomad job need the same port. (note)
//!
//! ## What is found
//!
//! A group with a `count` of two or more has a port with `static`, and neither the group nor the job has a constraint
//! `distinct_hosts`. Jobs that run on every node, and ports with `ignore_collision`, are not judged.
//!
//! ## Why it matters
//!
//! If fewer nodes are free than the count, the other allocations stay pending. Updates wait until a node is free.
//!
//! ## How to fix it
//!
//! Remove `static` to let Nomad choose the port, and let clients find it through the service. If one allocation on each
//! node is intended, add the constraint `distinct_hosts`.
//!
//! ## Example
//!
//! ```hcl
//! # web.nomad.hcl
//! job "web" {
//!   group "front" {
//!     count = 3
//!
//!     network {
//!       port "http" {
//!         static = 8080
//!       }
//!     }
//!
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
//!   group "front" {
//!     count = 3
//!
//!     constraint {
//!       distinct_hosts = true
//!     }
//!
//!     network {
//!       port "http" {
//!         static = 8080
//!       }
//!     }
//!
//!     task "nginx" {
//!       driver = "docker"
//!     }
//!   }
//! }
//! ```
//!
//! A comment `# hieratic: ignore job-static-port` on the same line or the line before accepts the finding.
//! The code `job-lint` stands for this rule
//! and others of its kind, see [job-lint](job-lint.md).
