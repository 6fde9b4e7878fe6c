//! # undefined-fact
//!
//! A part of a fact does not exist. (warning)
//!
//! ## What is found
//!
//! - A key of `$facts['os']`, `$facts['networking']`, `$trusted` and others whose members are the same on all nodes.
//! - A key of `$facts` that neither Facter nor a module adds, if it differs in one letter from a fact: `$facts['kernal']`. A shorter one,
//!   such as `$facts['oss']`, is reported if the fact that it resembles has the next key: `$facts['oss']['family']`.
//!
//! ## Why it matters
//!
//! The value is `undef`.
//!
//! ## How to fix it
//!
//! Correct the key.
//!
//! ## Example
//!
//! ```puppet
//! if $facts['os']['famly'] == 'Debian' {
//!   include apt
//! }
//! ```
//!
//! becomes
//!
//! ```puppet
//! if $facts['os']['family'] == 'Debian' {
//!   include apt
//! }
//! ```
//!
//! A comment `# hieratic: ignore undefined-fact` on the same line or the line before accepts the finding.
