//! # repeated-attribute
//!
//! An attribute is set twice. (error)
//!
//! ## What is found
//!
//! Two values for one attribute of a resource.
//!
//! ## Why it matters
//!
//! Every catalog that reaches the code fails.
//!
//! ## How to fix it
//!
//! Remove one of them.
//!
//! ## Example
//!
//! ```puppet
//! file { '/etc/motd':
//!   ensure => file,
//!   mode   => '0644',
//!   ensure => absent,
//! }
//! ```
//!
//! becomes
//!
//! ```puppet
//! file { '/etc/motd':
//!   ensure => file,
//!   mode   => '0644',
//! }
//! ```
//!
//! A comment `# hieratic: ignore repeated-attribute` on the same line or the line before accepts the finding.
