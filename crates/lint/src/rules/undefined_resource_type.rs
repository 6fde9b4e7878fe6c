//! # undefined-resource-type
//!
//! A resource type does not exist. (error)
//!
//! ## What is found
//!
//! A resource, or a call of `create_resources`, of a type that is neither a type of the agent, nor a defined type, nor
//! a type in Ruby. The name of a module that is present is enough to be certain. If modules are missing, a name without
//! a module is reported as a warning, and only if it resembles another type.
//!
//! ## Why it matters
//!
//! Every catalog that reaches the code fails.
//!
//! ## How to fix it
//!
//! Correct the name, or install the module that has the type.
//!
//! ## Example
//!
//! ```puppet
//! packge { 'nginx':
//!   ensure => installed,
//! }
//! ```
//!
//! becomes
//!
//! ```puppet
//! package { 'nginx':
//!   ensure => installed,
//! }
//! ```
//!
//! A comment `# hieratic: ignore undefined-resource-type` on the same line or the line before accepts the finding.
