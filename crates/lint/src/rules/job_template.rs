//! # job-template
//!
//! A template in a Nomad job cannot be parsed. (warning)
//!
//! ## What is found
//!
//! The `data` of a `template` block is not a valid Go template: an action or a quoted text is not closed, `if`, `range`
//! or `with` has no `end` or no condition, a variable such as `$x` is not defined, a second `else`, or a function that
//! neither Go, consul-template nor sprig has. The functions of sprig have the prefix `sprig_`. Delimiters that the
//! block sets are respected. Files of `source` are not read.
//!
//! ## Why it matters
//!
//! The task never starts: its allocation waits for the template and fails.
//!
//! ## How to fix it
//!
//! Correct the template. The message counts lines from the start of `data`.
//!
//! ## Example
//!
//! ```hcl
//! # web.nomad.hcl
//! job "web" {
//!   group "front" {
//!     task "nginx" {
//!       driver = "docker"
//!
//!       template {
//!         data        = "{{ if }}x{{ end }}"
//!         destination = "local/a"
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
//!       driver = "docker"
//!
//!       template {
//!         data        = "{{ if keyExists \"x\" }}x{{ end }}"
//!         destination = "local/a"
//!       }
//!     }
//!   }
//! }
//! ```
//!
//! A comment `# hieratic: ignore job-template` on the same line or the line before accepts the finding.
//! The code `job-lint` stands for this rule
//! and others of its kind, see [job-lint](job-lint.md).
