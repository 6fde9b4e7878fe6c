//! # unknown-parameter
//!
//! A key names a parameter that its class does not have. (warning)
//!
//! ## What is found
//!
//! A key consists of the name of a class in the module path, `::`, and a name that is not one of its parameters, and no
//! manifest, template or function mentions the key. Classes that inherit are not checked.
//!
//! Or its class does not exist, and another one of the same module with nearly the same name has such a parameter.
//!
//! ## Why it matters
//!
//! The value has no effect. Usually the parameter is misspelled or was renamed.
//!
//! ## How to fix it
//!
//! The help line names the nearest parameter.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! ntp::sevrers: [a]   # class ntp(Array $servers)
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! ntp::servers: [a]   # class ntp(Array $servers)
//! ```
//!
//! A comment `# hieratic: ignore unknown-parameter` on the same line or the line before accepts the finding.
