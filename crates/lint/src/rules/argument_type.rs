//! # argument-type
//!
//! A function does not accept its arguments. (error)
//!
//! ## What is found
//!
//! A call that no signature of the function accepts, in the words of the compiler. Functions of the language and those of
//! modules in Puppet are judged. Functions in Ruby and those of stdlib, whose versions differ, are not.
//!
//! ## Why it matters
//!
//! Every catalog that reaches the code fails.
//!
//! ## How to fix it
//!
//! Correct the arguments.
//!
//! ## Example
//!
//! ```puppet
//! $parts = split($facts['path'])
//! ```
//!
//! becomes
//!
//! ```puppet
//! $parts = split($facts['path'], ':')
//! ```
//!
//! A comment `# hieratic: ignore argument-type` on the same line or the line before accepts the finding.
