//! # job-shutdown-delay
//!
//! A service has no shutdown_delay. (note)
//!
//! ## What is found
//!
//! A group or task has services, and neither it nor its tasks have a `shutdown_delay`. A server reports the same when
//! it accepts the job. A job has one finding, which names the lines of its other groups and tasks. If none of several
//! jobs has a `shutdown_delay`, only the first one has a finding.
//!
//! ## Why it matters
//!
//! Nomad removes the service from the catalog and stops the task at the same time. Clients that have not noticed yet
//! still send requests to it. If nothing in front of the service repeats failed requests, some fail during every
//! deployment.
//!
//! ## How to fix it
//!
//! Set `shutdown_delay` of the group to a little more than clients need to notice. To accept it for all jobs, put
//! `ignore = ["job-shutdown-delay"]` into the section `[check]` of `hieratic.toml`.
//!
//! ## Example
//!
//! ```hcl
//! # web.nomad.hcl
//! job "web" {
//!   group "front" {
//!     service {
//!       provider = "nomad"
//!       port     = "8080"
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
//!     service {
//!       provider = "nomad"
//!       port     = "8080"
//!     }
//!
//!     task "nginx" {
//!       driver = "docker"
//!     }
//!   }
//! }
//! ```
//!
//! A comment `# hieratic: ignore job-shutdown-delay` on the same line or the line before accepts the finding.
