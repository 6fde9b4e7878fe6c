//! # job-address
//!
//! A Nomad job has a string that is not an address. (warning)
//!
//! ## What is found
//!
//! A name server in `dns`, the `local_bind_address` of an upstream or the `local_service_address` of a proxy is not an
//! IP address. Strings with `${...}` or `{{ }}` are not judged.
//!
//! ## Why it matters
//!
//! The container cannot resolve names, or the proxy does not start.
//!
//! ## How to fix it
//!
//! Write the IP address.
//!
//! ## Example
//!
//! ```hcl
//! # web.nomad.hcl
//! job "web" {
//!   group "front" {
//!     network {
//!       mode = "bridge"
//!
//!       dns {
//!         servers = ["dns.example.com"]
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
//!     network {
//!       mode = "bridge"
//!
//!       dns {
//!         servers = ["192.0.2.53"]
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
//! A comment `# hieratic: ignore job-address` on the same line or the line before accepts the finding.
//! The code `job-lint` stands for this rule
//! and others of its kind, see [job-lint](job-lint.md).
