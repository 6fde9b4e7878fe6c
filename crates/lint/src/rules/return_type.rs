//! # return-type
//!
//! A function returns a value of another type. (error)
//!
//! ## What is found
//!
//! A function with a type for its result whose last statement has another type. If that statement is an `if` without an
//! `else`, and the type does not allow `undef`, the finding is a warning.
//!
//! ## Why it matters
//!
//! Every catalog that reaches the code fails.
//!
//! ## How to fix it
//!
//! Correct the statement or the type.
//!
//! ## Example
//!
//! ```puppet
//! function profile::port() >> Integer {
//!   '80'
//! }
//! ```
//!
//! becomes
//!
//! ```puppet
//! function profile::port() >> Integer {
//!   80
//! }
//! ```
//!
//! A comment `# hieratic: ignore return-type` on the same line or the line before accepts the finding.
