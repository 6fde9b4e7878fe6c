//! # attribute-type
//!
//! A value does not match the type of its parameter. (error)
//!
//! ## What is found
//!
//! A value of a parameter that is never of the declared type. The value may be a literal, or have an inferred type: see
//! [how inference works](../analysis.md). Attributes of the Resource API are compared with their declared types, too. A
//! default of another type is a warning: code and data may always give the
//! parameter.
//!
//! ## Why it matters
//!
//! Every catalog that reaches the code fails.
//!
//! ## How to fix it
//!
//! Correct the value, or the type. `--fix` removes the quotes from numbers and booleans.
//!
//! ## Example
//!
//! ```puppet
//! define profile::vhost (Integer $port) {
//! }
//! profile::vhost { 'www':
//!   port => '80',
//! }
//! ```
//!
//! becomes
//!
//! ```puppet
//! define profile::vhost (Integer $port) {
//! }
//! profile::vhost { 'www':
//!   port => 80,
//! }
//! ```
//!
//! A comment `# hieratic: ignore attribute-type` on the same line or the line before accepts the finding.
