//! # job-driver-option
//!
//! A driver does not have an option of a Nomad job. (warning)
//!
//! ## What is found
//!
//! In `config` of a task with one of the drivers docker, exec, exec2, java, podman, qemu or raw_exec: an option that
//! the driver does not have, also in nested blocks such as `mount`; a value that it cannot convert (text for a list, a
//! list for text, `"yes"` for a truth value, `1.5` for a whole number); a block that may be written once and is
//! repeated; a missing option that is required; or a `dynamic` block, which Nomad does not expand there. Values with
//! `${...}` may be any scalar. A task without `config` is not judged.
//!
//! ## Why it matters
//!
//! Nomad accepts the job, because only the driver knows its options. The task fails when it starts.
//!
//! ## How to fix it
//!
//! Correct the name or the value. In place of a `dynamic` block, write a list of objects: `mount = [for name in
//! var.names : { type = "volume", target = name }]`.
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
//!         imgae      = "nginx:1"
//!         privileged = "yes"
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
//!         image      = "nginx:1"
//!         privileged = true
//!       }
//!     }
//!   }
//! }
//! ```
//!
//! A comment `# hieratic: ignore job-driver-option` on the same line or the line before accepts the finding.
//! The code `job-lint` stands for this rule
//! and others of its kind, see [job-lint](job-lint.md).
