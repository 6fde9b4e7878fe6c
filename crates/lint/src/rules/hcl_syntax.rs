//! # hcl-syntax
//!
//! An HCL file cannot be read. (error)
//!
//! ## What is found
//!
//! A Nomad job (`.nomad`, `.hcl`), a variable file (`.tfvars`, `.nomadvars`) or an HCL data file violates HCL's syntax.
//! Errors in jobs with valid syntax are reported as [job](job.md).
//!
//! ## Why it matters
//!
//! `nomad job run`, and levels with `hcl_data`, refuse the file.
//!
//! ## How to fix it
//!
//! Fix the syntax at the place shown.
//!
//! ## Example
//!
//! ```hcl
//! # web.nomad.hcl
//! job "web" {
//!   type = "service"
//! ```
//!
//! becomes
//!
//! ```hcl
//! # web.nomad.hcl
//! job "web" {
//!   type = "service"
//! }
//! ```
//!
//! A comment `# hieratic: ignore hcl-syntax` on the same line or the line before accepts the finding.
