//! # missing-attribute
//!
//! A resource lacks an attribute. (error)
//!
//! ## What is found
//!
//! A resource of a defined type without a value for a parameter that has no default, unless resource defaults, an
//! override or a collector anywhere set it. Literal hashes are checked after `*` and in `create_resources`. Classes are
//! not checked: data can have the values of their parameters.
//!
//! ## Why it matters
//!
//! Every catalog that reaches the code fails.
//!
//! ## How to fix it
//!
//! Add the attribute, or give the parameter a default.
//!
//! ## Example
//!
//! ```puppet
//! define profile::vhost (Integer $port) {
//! }
//! profile::vhost { 'www':
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
//! A comment `# hieratic: ignore missing-attribute` on the same line or the line before accepts the finding.
