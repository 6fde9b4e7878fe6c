//! # job
//!
//! A Nomad job is not valid. (error)
//!
//! ## What is found
//!
//! A job file (HCL with a `job` block) is invalid as a job: unknown arguments and blocks, values of the wrong type,
//! references to undeclared variables and functions, and every error that `nomad job validate` finds without a server.
//! Files that functions read are searched in the repository, from its root and next to the job.
//!
//! A variable without a value, and the answers of `hiera()`, are unknown. Everything that does not depend on them is
//! checked, so that findings hold for every value. The types of variables are checked as well.
//!
//! A value for a variable that no job declares is a warning: with `--var`, in a file of `--var-file`, or in one of the
//! settings if all its jobs are checked. A pattern of `[[jobs]]` that matches no file is a warning, too.
//!
//! ## Why it matters
//!
//! `nomad job run` refuses the file, or runs a different job than intended.
//!
//! ## How to fix it
//!
//! Fix the job at the place shown.
//!
//! ## Example
//!
//! ```hcl
//! # web.nomad.hcl
//! job "web" {
//!   group "front" {
//!     cuont = 3
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
//!     count = 3
//!
//!     task "nginx" {
//!       driver = "docker"
//!     }
//!   }
//! }
//! ```
//!
//! A comment `# hieratic: ignore job` on the same line or the line before accepts the finding.
