//! # job-unquoted-word
//!
//! A word in a Nomad job lacks its quotes. (warning)
//!
//! ## What is found
//!
//! A value is an undefined name. Nomad leaves such names to the client, as the text `${docker}`. Names that `env` or a
//! template with `env = true` sets in a task are not found.
//!
//! ## Why it matters
//!
//! The client does not know the name either, and the task gets the text with the braces.
//!
//! ## How to fix it
//!
//! Quote the text.
//!
//! ## Example
//!
//! ```hcl
//! # web.nomad.hcl
//! job "web" {
//!   group "front" {
//!     task "nginx" {
//!       driver = docker
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
//!     }
//!   }
//! }
//! ```
//!
//! A comment `# hieratic: ignore job-unquoted-word` on the same line or the line before accepts the finding.
//! The code `job-lint` stands for this rule
//! and others of its kind, see [job-lint](job-lint.md).
