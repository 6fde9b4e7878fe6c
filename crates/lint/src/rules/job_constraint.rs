//! # job-constraint
//!
//! Constraints of a Nomad job exclude each other. (warning)
//!
//! ## What is found
//!
//! Two constraints that apply to the same task and that no node can satisfy: two values for one attribute, a value and
//! its negation, an attribute that is set and not set, an empty range. A constraint on `${node.datacenter}` is
//! compared with `datacenters`. Constraints with references on both sides, versions, patterns and sets are not judged.
//!
//! ## Why it matters
//!
//! The allocation stays pending, and the evaluation is blocked.
//!
//! ## How to fix it
//!
//! Remove one of the constraints, or move it to the intended group or task.
//!
//! ## Example
//!
//! ```hcl
//! # web.nomad.hcl
//! job "web" {
//!   constraint {
//!     attribute = "${attr.kernel.name}"
//!     value     = "linux"
//!   }
//!
//!   group "front" {
//!     constraint {
//!       attribute = "${attr.kernel.name}"
//!       value     = "windows"
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
//!   constraint {
//!     attribute = "${attr.kernel.name}"
//!     value     = "linux"
//!   }
//!
//!   group "front" {
//!     constraint {
//!       attribute = "${attr.cpu.arch}"
//!       value     = "amd64"
//!     }
//!
//!     task "nginx" {
//!       driver = "docker"
//!     }
//!   }
//! }
//! ```
//!
//! A comment `# hieratic: ignore job-constraint` on the same line or the line before accepts the finding.
//! The code `job-lint` stands for this rule
//! and others of its kind, see [job-lint](job-lint.md).
