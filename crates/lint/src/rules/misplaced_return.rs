//! # misplaced-return
//!
//! `next`, `break` or `return` has nothing to leave. (error)
//!
//! ## What is found
//!
//! `return` outside of a function, a class and a defined type, blocks at the top of a manifest or in a node included; `next`
//! at the top of a manifest or in a node, outside of all blocks; `break` outside of all blocks.
//!
//! ## Why it matters
//!
//! The server refuses to compile a catalog that reaches the call: `break() from context where this is illegal`.
//!
//! ## How to fix it
//!
//! Put the code that is to be skipped into a condition, or leave a class or a function by `return`.
//!
//! ## Example
//!
//! ```puppet
//! class profile::web {
//!   if $facts['os']['family'] == 'windows' {
//!     break()
//!   }
//! }
//! ```
//!
//! becomes
//!
//! ```puppet
//! class profile::web {
//!   if $facts['os']['family'] == 'windows' {
//!     return()
//!   }
//! }
//! ```
//!
//! A comment `# hieratic: ignore misplaced-return` on the same line or the line before accepts the finding.
