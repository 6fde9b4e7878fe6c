//! # operand-type
//!
//! An operator does not accept its operands. (error)
//!
//! ## What is found
//!
//! Operands of `+`, `-`, `*`, `/`, `%`, `<`, `<=`, `>`, `>=`, `=~` with a regular expression, `[]` and the arrows that
//! the operator never accepts. Structured facts have known types, so that `$facts['os']['release']['major'] > 7`
//! compares a string with a number. `file['/x']`, which is not a reference, and assignments to several variables with
//! another number of values are found, too.
//!
//! ## Why it matters
//!
//! Every catalog that reaches the code fails.
//!
//! ## How to fix it
//!
//! Convert the operand, for example by `Integer($value)`.
//!
//! ## Example
//!
//! ```puppet
//! class profile::web (String $count) {
//!   if $count > 5 {
//!     include profile::more
//!   }
//! }
//! ```
//!
//! becomes
//!
//! ```puppet
//! class profile::web (Integer $count) {
//!   if $count > 5 {
//!     include profile::more
//!   }
//! }
//! ```
//!
//! A comment `# hieratic: ignore operand-type` on the same line or the line before accepts the finding.
