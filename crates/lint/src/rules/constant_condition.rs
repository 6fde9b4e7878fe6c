//! # constant-condition
//!
//! A condition always has the same result. (warning)
//!
//! ## What is found
//!
//! A comparison of values that have no type in common, such as a Boolean parameter and the string `'true'`; a
//! comparison or an option with a string that the `Enum` of the value does not have; a match with a type that the value
//! always or never is of; an option that repeats an earlier one; a condition that is a string or a number, which are
//! always true. The conditions around and before the code are taken into account.
//!
//! ## Why it matters
//!
//! The code in one branch is never run, which is probably unintended.
//!
//! ## How to fix it
//!
//! Correct the value that is compared, or the type of the parameter.
//!
//! ## Example
//!
//! ```puppet
//! class profile::web (Boolean $tls) {
//!   if $tls == 'true' {
//!     include profile::tls
//!   }
//! }
//! ```
//!
//! becomes
//!
//! ```puppet
//! class profile::web (Boolean $tls) {
//!   if $tls {
//!     include profile::tls
//!   }
//! }
//! ```
//!
//! A comment `# hieratic: ignore constant-condition` on the same line or the line before accepts the finding.
