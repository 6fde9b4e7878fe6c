//! # unanswered-key
//!
//! No lookup finds a key. (warning)
//!
//! ## What is found
//!
//! - A key that is not a string: `yes: 1`, `80: http`.
//! - A key that begins with `::`, or that begins or ends with a space.
//! - A key that is nearly the name of a class parameter: `ntp:servers`, `Ntp::servers`, `ntp::servers.first`.
//!
//! Keys that code or data looks up as they are written are not reported.
//!
//! ## Why it matters
//!
//! The class parameter silently has its default.
//!
//! ## How to fix it
//!
//! Write the key as the class parameter is named: `class::parameter`, in lower case. Quote words that YAML reads as
//! booleans or null.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! ntp:servers: [pool.ntp.org]
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! ntp::servers: [pool.ntp.org]
//! ```
//!
//! A comment `# hieratic: ignore unanswered-key` on the same line or the line before accepts the finding.
