//! # job-lint
//!
//! A Nomad job is questionable. (the name of several rules)
//!
//! ## What is found
//!
//! Nomad accepts the job, but something in it is probably wrong. `job-lint` is the name of these rules, for `--select`,
//! `--ignore`, settings and comments:
//!
//! | code | about |
//! |---|---|
//! | [job-port](job-port.md) | a port that no network of the group has |
//! | [job-unquoted-word](job-unquoted-word.md) | a word without quotes, such as `driver = docker` |
//! | [job-driver](job-driver.md) | a misspelled driver |
//! | [job-driver-option](job-driver-option.md) | an option in `config` that the driver does not have, or a value of the wrong type |
//! | [job-template](job-template.md) | a template that cannot be parsed, or calls an unknown function |
//! | [job-runtime-name](job-runtime-name.md) | a misspelled variable such as `NOMAD_TASK_DRI` |
//! | [job-main-task](job-main-task.md) | a group that has only lifecycle tasks |
//! | [job-driver-value](job-driver-value.md) | a value in `config` that the driver refuses |
//! | [job-constraint](job-constraint.md) | constraints that no node satisfies |
//! | [job-static-port](job-static-port.md) | allocations that need the same port |
//! | [job-check-port](job-check-port.md) | a check that connects to the wrong network |
//! | [job-address](job-address.md) | a string that is not an address |
//! | [job-name-length](job-name-length.md) | a name that is too long |
//! | [job-volume-mount](job-volume-mount.md) | a mount without effect, or of a driver without mounts |
//! | [job-version](job-version.md) | a part of a job that the chosen version of Nomad lacks |
//!
//! ## Why it matters
//!
//! The error appears only when the job runs: the allocation fails, or the value is empty.
//!
//! ## How to fix it
//!
//! See the page of the rule.
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
//! A comment `# hieratic: ignore job-lint` on the same line or the line before accepts the finding.
