//! # interpolation
//!
//! An interpolation is malformed. (error)
//!
//! ## What is found
//!
//! The content of `%{...}` is neither a variable nor a call: a key without quotes, empty parts between dots, `alias`
//! inside a longer string, a missing `}`, or a call in `hiera.yaml`, where only variables are allowed.
//!
//! ## Why it matters
//!
//! The lookup fails, or the content is taken as the name of a variable and becomes empty.
//!
//! ## How to fix it
//!
//! Quote the keys of calls. Inside a longer string, use `lookup` instead of `alias`. Write a literal `%{` as
//! `%{literal('%')}{`.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! url: "https://%{lookup(host)}/"
//! host: www
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! url: "https://%{lookup('host')}/"
//! host: www
//! ```
//!
//! A comment `# hieratic: ignore interpolation` on the same line or the line before accepts the finding.
