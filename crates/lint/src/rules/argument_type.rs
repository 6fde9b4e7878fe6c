//! # argument-type
//!
//! A function does not accept its arguments. (error)
//!
//! ## What is found
//!
//! A call that no signature of the function accepts. The message is that of the compiler. Functions of the language and
//! of present modules are checked, in Puppet and in Ruby: the dispatches in the file of a function are its signatures.
//! Functions in Ruby for Puppet 3 accept as many arguments as they declare by `arity`, of any types.
//!
//! Literal values are checked further: regular expressions, formats of `sprintf`, conversions such as `Integer('x')`,
//! names of classes, merge strategies and their options, and tags. A default of `lookup` that is not of its type is a
//! warning.
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
