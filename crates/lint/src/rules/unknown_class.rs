//! # unknown-class
//!
//! Code includes a class that does not exist. (error)
//!
//! ## What is found
//!
//! A manifest includes, contains, requires or declares a class by its name. The module of the class is in the module
//! path and has other classes, but not this one. Modules that are missing here do not matter.
//!
//! ## Why it matters
//!
//! Every catalog that reaches the line fails.
//!
//! ## How to fix it
//!
//! Fix the name, or add the class to the module.
//!
//! ## Example
//!
//! ```puppet
//! # manifests/site.pp
//! include profile::webb
//! ```
//!
//! becomes
//!
//! ```puppet
//! # manifests/site.pp
//! include profile::web
//! ```
//!
//! A comment `# hieratic: ignore unknown-class` on the same line or the line before accepts the finding.
