//! # missing-file
//!
//! A file of a module does not exist. (error)
//!
//! ## What is found
//!
//! A literal name in `template`, `epp`, `file` or `source => 'puppet:///modules/...'`, of a module that is present.
//! Calls with several names, of which the first existing one is used, are not checked. For `source`, it is a warning:
//! only the agent fails.
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
