//! # unknown-attribute
//!
//! A resource has no such attribute. (error)
//!
//! ## What is found
//!
//! An attribute that the resource type does not have, a parameter that the class or the defined type does not declare.
//! Literal hashes are checked after `*` and in `create_resources`. Types of modules in Ruby are read. Types that are
//! missing or cannot be read are not checked.
//!
//! ## Why it matters
//!
//! Every catalog that reaches the code fails.
//!
//! ## How to fix it
//!
//! Correct the name, or remove the attribute.
//!
//! ## Example
//!
//! ```puppet
//! file { '/etc/motd':
//!   ensure => file,
//!   ownr   => 'root',
//! }
//! ```
//!
//! becomes
//!
//! ```puppet
//! file { '/etc/motd':
//!   ensure => file,
//!   owner  => 'root',
//! }
//! ```
//!
//! A comment `# hieratic: ignore unknown-attribute` on the same line or the line before accepts the finding.
