//! # dependency-cycle
//!
//! Resources wait for each other. (error)
//!
//! ## What is found
//!
//! With `--catalogs`, the relationships of every catalog are searched for cycles: `before`, `require`, `notify`,
//! `subscribe`, arrows, and what contains the resources. Relationships that the agent adds by itself are not
//! considered.
//!
//! ## Why it matters
//!
//! The catalog compiles, but the agent applies none of its resources.
//!
//! ## How to fix it
//!
//! Remove one of the relationships. `hieratic catalog NODE --origins` shows where each is written.
//!
//! ## Example
//!
//! ```puppet
//! # modules/web/manifests/init.pp
//! package { 'nginx': require => Service['nginx'] }
//! service { 'nginx': require => Package['nginx'] }
//! ```
//!
//! becomes
//!
//! ```puppet
//! # modules/web/manifests/init.pp
//! package { 'nginx': }
//! service { 'nginx': require => Package['nginx'] }
//! ```
//!
//! A comment `# hieratic: ignore dependency-cycle` on the same line or the line before accepts the finding.
