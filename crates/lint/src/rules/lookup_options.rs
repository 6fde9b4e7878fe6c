//! # lookup-options
//!
//! lookup_options are not valid. (error)
//!
//! ## What is found
//!
//! The options of a key are invalid: `merge` names no strategy, `convert_to` names no type, a pattern is invalid, the
//! options are not a hash, or a module sets options for keys that are not its own. An option that does not exist is a
//! warning.
//!
//! ## Why it matters
//!
//! Lookups of the keys fail, or the option is ignored.
//!
//! ## How to fix it
//!
//! The options are `merge` (first, unique, hash, deep, or a hash with `strategy`) and `convert_to` (a type). Options of
//! a deep merge are part of it: `merge: {strategy: deep, knockout_prefix: "--"}`.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! lookup_options:
//!   ntp::servers: {merge: uniq}
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! lookup_options:
//!   ntp::servers: {merge: unique}
//! ```
//!
//! A comment `# hieratic: ignore lookup-options` on the same line or the line before accepts the finding.
