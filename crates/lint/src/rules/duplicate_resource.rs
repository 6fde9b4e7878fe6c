//! # duplicate-resource
//!
//! A resource is declared twice. (error)
//!
//! ## What is found
//!
//! Two resources of one type and title in the same scope, if the first is always evaluated before the second. Titles with
//! the same variables count as equal, and slashes at the end of the path of a file do not count. A class that is declared
//! as a resource after an `include` of it. A condition with `defined` around the second one is respected.
//!
//! Two definitions of one name in the same file: nodes, classes and defined types, functions, type aliases.
//!
//! ## Why it matters
//!
//! Every catalog that reaches the code fails.
//!
//! ## How to fix it
//!
//! Remove one of them, or give it another title.
//!
//! ## Example
//!
//! ```puppet
//! package { 'nginx':
//!   ensure => installed,
//! }
//! package { ['nginx', 'curl']:
//!   ensure => installed,
//! }
//! ```
//!
//! becomes
//!
//! ```puppet
//! package { ['nginx', 'curl']:
//!   ensure => installed,
//! }
//! ```
//!
//! A comment `# hieratic: ignore duplicate-resource` on the same line or the line before accepts the finding.
