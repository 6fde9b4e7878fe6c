//! # missing-file
//!
//! A file of a module does not exist. (error)
//!
//! ## What is found
//!
//! A name that is written out in `template`, `epp`, `file` or `source => 'puppet:///modules/...'`, of a module that is
//! present. Several names, of which the first that exists is used, are not judged. For `source`, it is a warning: only
//! the agent fails.
//!
//! ## Why it matters
//!
//! Every catalog that reaches the code fails.
//!
//! ## How to fix it
//!
//! Correct the name, or add the file.
//!
//! ## Example
//!
//! ```puppet
//! file { '/etc/motd':
//!   content => epp('profile/mtd.epp'),
//! }
//! ```
//!
//! becomes
//!
//! ```puppet
//! file { '/etc/motd':
//!   content => epp('profile/motd.epp'),
//! }
//! ```
//!
//! A comment `# hieratic: ignore missing-file` on the same line or the line before accepts the finding.
