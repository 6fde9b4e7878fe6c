//! # job-driver-value
//!
//! A driver refuses a value in a Nomad job. (warning)
//!
//! ## What is found
//!
//! In `config` of a task with one of the drivers docker, exec, exec2, java, podman, qemu or raw_exec: a value that the
//! driver refuses although its type is right, such as an unknown `pid_mode`, a relative `work_dir` of exec, or an
//! empty `image`; and options that exclude or need each other. Values with `${...}` are not judged.
//!
//! ## Why it matters
//!
//! Nomad accepts the job, because only the driver knows its values. The task fails when it starts.
//!
//! ## How to fix it
//!
//! Correct the value.
//!
//! ## Example
//!
//! ```hcl
//! # web.nomad.hcl
//! job "web" {
//!   group "front" {
//!     task "nginx" {
//!       driver = "exec"
//!
//!       config {
//!         command  = "nginx"
//!         pid_mode = "hosts"
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
//!       driver = "exec"
//!
//!       config {
//!         command  = "nginx"
//!         pid_mode = "host"
//!       }
//!     }
//!   }
//! }
//! ```
//!
//! A comment `# hieratic: ignore job-driver-value` on the same line or the line before accepts the finding.
//! The code `job-lint` stands for this rule
//! and others of its kind, see [job-lint](job-lint.md).
