//! # job-remark
//!
//! A server would accept a Nomad job with a remark. (warning)
//!
//! ## What is found
//!
//! What `nomad job validate` warns about, except deprecated arguments ([job-deprecated](job-deprecated.md)) and a
//! missing `shutdown_delay` ([job-shutdown-delay](job-shutdown-delay.md)): `max_parallel` is greater than the count of
//! the group, `auto_promote` is not the same for all groups, an identity is exposed in a way that is not recommended.
//!
//! ## Why it matters
//!
//! The job runs, but an update replaces everything at once, never promotes itself, or exposes a token.
//!
//! ## How to fix it
//!
//! Change the value that the remark names.
//!
//! ## Example
//!
//! ```hcl
//! # web.nomad.hcl
//! job "web" {
//!   group "front" {
//!     count = 2
//!
//!     update {
//!       max_parallel = 5
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
//!     count = 2
//!
//!     update {
//!       max_parallel = 1
//!     }
//!
//!     task "nginx" {
//!       driver = "docker"
//!     }
//!   }
//! }
//! ```
//!
//! A comment `# hieratic: ignore job-remark` on the same line or the line before accepts the finding.
