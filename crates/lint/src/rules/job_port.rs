//! # job-port
//!
//! A Nomad job names a port that no network has. (warning)
//!
//! ## What is found
//!
//! A service, a check or the option `ports` or `port_map` of a driver names a port that no network of the group has, or
//! a string in the group names a variable such as `NOMAD_PORT_http` or `NOMAD_ADDR_http` of such a port. Ports with a
//! number, and strings that only the client knows, are not judged.
//!
//! A variable such as `NOMAD_PORT_web-api` outside of `env` and `meta` is found, too: Nomad writes `_` in place of `-`
//! before it fills in other strings and templates.
//!
//! ## Why it matters
//!
//! The service is registered without a port, or the variable is empty when the task runs.
//!
//! ## How to fix it
//!
//! Correct the label, or add the port to the network of the group.
//!
//! ## Example
//!
//! ```hcl
//! # web.nomad.hcl
//! job "web" {
//!   group "front" {
//!     network {
//!       port "http" {}
//!     }
//!
//!     task "nginx" {
//!       driver = "docker"
//!
//!       env {
//!         LISTEN = "0.0.0.0:${NOMAD_PORT_htp}"
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
//!     network {
//!       port "http" {}
//!     }
//!
//!     task "nginx" {
//!       driver = "docker"
//!
//!       env {
//!         LISTEN = "0.0.0.0:${NOMAD_PORT_http}"
//!       }
//!     }
//!   }
//! }
//! ```
//!
//! A comment `# hieratic: ignore job-port` on the same line or the line before accepts the finding.
//! The code `job-lint` stands for this rule
//! and others of its kind, see [job-lint](job-lint.md).
