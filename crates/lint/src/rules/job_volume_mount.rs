//! # job-volume-mount
//!
//! A mount in a Nomad job has no effect or fails. (warning)
//!
//! ## What is found
//!
//! A `volume_mount` has no `volume`, so that Nomad drops it without a message; the driver of the task is exec2, qemu or
//! raw_exec, which cannot mount volumes; or a CSI volume has an `access_mode` or `attachment_mode` that does not exist.
//!
//! ## Why it matters
//!
//! The task runs without its data, or fails when it starts.
//!
//! ## How to fix it
//!
//! Name the volume, or use a driver with mounts such as docker, podman or exec.
//!
//! ## Example
//!
//! ```hcl
//! # web.nomad.hcl
//! job "web" {
//!   group "front" {
//!     volume "data" {
//!       type   = "host"
//!       source = "data"
//!     }
//!
//!     task "nginx" {
//!       driver = "docker"
//!
//!       volume_mount {
//!         destination = "/data"
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
//!     volume "data" {
//!       type   = "host"
//!       source = "data"
//!     }
//!
//!     task "nginx" {
//!       driver = "docker"
//!
//!       volume_mount {
//!         volume      = "data"
//!         destination = "/data"
//!       }
//!     }
//!   }
//! }
//! ```
//!
//! A comment `# hieratic: ignore job-volume-mount` on the same line or the line before accepts the finding.
//! The code `job-lint` stands for this rule
//! and others of its kind, see [job-lint](job-lint.md).
