//! # unreachable-code
//!
//! Code is never run. (warning)
//!
//! ## What is found
//!
//! Statements after `return`, `fail`, `next` or `break` in the same block.
//!
//! ## Why it matters
//!
//! The code does nothing, although it was written to do something.
//!
//! ## How to fix it
//!
//! Remove the code, or the statement before it.
//!
//! ## Example
//!
//! ```puppet
//! function profile::port() {
//!   return(80)
//!   notice('never')
//! }
//! ```
//!
//! becomes
//!
//! ```puppet
//! function profile::port() {
//!   notice('before')
//!   return(80)
//! }
//! ```
//!
//! A comment `# hieratic: ignore unreachable-code` on the same line or the line before accepts the finding.
