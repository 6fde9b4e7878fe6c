//! # undefined-resource
//!
//! A reference names a resource that nothing declares. (warning)
//!
//! ## What is found
//!
//! A reference in `require`, `before`, `notify` or `subscribe`, next to an arrow, in `realize`, or before attributes
//! that override others, to a resource that no manifest declares. If some code computes the titles or the types of such
//! resources, or modules are missing, nothing is reported.
//!
//! ## Why it matters
//!
//! The catalog fails, or is refused by the agent, unless a function in Ruby declares the resource.
//!
//! ## How to fix it
//!
//! Correct the title, or declare the resource.
//!
//! ## Example
//!
//! ```puppet
//! service { 'nginx':
//!   ensure => running,
//! }
//! file { '/etc/nginx.conf':
//!   notify => Service['ngnix'],
//! }
//! ```
//!
//! becomes
//!
//! ```puppet
//! service { 'nginx':
//!   ensure => running,
//! }
//! file { '/etc/nginx.conf':
//!   notify => Service['nginx'],
//! }
//! ```
//!
//! A comment `# hieratic: ignore undefined-resource` on the same line or the line before accepts the finding.
