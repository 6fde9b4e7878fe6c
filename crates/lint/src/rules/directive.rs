//! # directive
//!
//! A merge directive does not work. (error or warning)
//!
//! ## What is found
//!
//! A document with [merge directives](../merge-directives.md) refers to something missing, includes itself, or violates
//! their syntax. Misspelled strategies (`+%: whitout`), misspelled directives (`+inlcude`) and unknown keys of an
//! include are found as well. Documents are recognized by their directives, or by being named outside a control
//! repository.
//!
//! ## Why it matters
//!
//! Unfurl, `hieratic expand`, and levels with `options: {directives: true}` refuse the document.
//!
//! ## How to fix it
//!
//! Correct the path after `+/`, or write `+?` if the target may be missing. The help line names the nearest key.
//!
//! ## Example
//!
//! ```yaml
//! # site.yaml
//! base: {port: 80}
//! web: {+/bse: , name: web}
//! ```
//!
//! becomes
//!
//! ```yaml
//! # site.yaml
//! base: {port: 80}
//! web: {+/base: , name: web}
//! ```
//!
//! A comment `# hieratic: ignore directive` on the same line or the line before accepts the finding.
