//! # job-check-port
//!
//! A check of a Nomad job connects to the wrong network. (warning)
//!
//! ## What is found
//!
//! A group has its own network (`mode = "bridge"` or `cni/...`), and a check has a number as its `port` without
//! `address_mode`, or with `address_mode = "host"`. A number that is a static port of the group, and checks that are
//! exposed by a sidecar, are not judged.
//!
//! ## Why it matters
//!
//! The check connects to the node, where nothing listens at the port. The service stays unhealthy, and the deployment
//! fails.
//!
//! ## How to fix it
//!
//! Write `address_mode = "alloc"`, or the label of a port. A check does not inherit `address_mode` from its service.
//!
//! ## Example
//!
//! ```hcl
//! # web.nomad.hcl
//! job "web" {
//!   group "front" {
//!     shutdown_delay = "5s"
//!
//!     network {
//!       mode = "bridge"
//!     }
//!
//!     service {
//!       name = "web"
//!       port = "80"
//!
//!       check {
//!         type     = "tcp"
//!         port     = 80
//!         interval = "10s"
//!         timeout  = "2s"
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
//!     shutdown_delay = "5s"
//!
//!     network {
//!       mode = "bridge"
//!     }
//!
//!     service {
//!       name = "web"
//!       port = "80"
//!
//!       check {
//!         type         = "tcp"
//!         port         = 80
//!         address_mode = "alloc"
//!         interval     = "10s"
//!         timeout      = "2s"
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
//! A comment `# hieratic: ignore job-check-port` on the same line or the line before accepts the finding.
//! The code `job-lint` stands for this rule
//! and others of its kind, see [job-lint](job-lint.md).
