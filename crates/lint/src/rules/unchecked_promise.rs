//! # unchecked-promise
//!
//! Promises were not checked. (note)
//!
//! ## What is found
//!
//! Promises with `where`, `required`, `equal`, `unique` or `sum`, and all functions, are about nodes and their facts.
//! No nodes were given.
//!
//! ## Why it matters
//!
//! A promise that is not checked can be broken.
//!
//! ## How to fix it
//!
//! Pass `--facts` with a folder that has one file of facts per node.
//!
//! ## Example
//!
//! ```toml
//! # hieratic.toml
//! [check]
//! fail-on = "warning"
//! ```
//!
//! becomes
//!
//! ```toml
//! # hieratic.toml
//! facts = "nodes"
//!
//! [check]
//! fail-on = "warning"
//! ```
//!
//! A comment `# hieratic: ignore unchecked-promise` on the same line or the line before accepts the finding.
