//! # default-type
//!
//! A default does not match the type of its parameter. (error)
//!
//! ## What is found
//!
//! The default of a class parameter is a literal that does not match the declared type.
//!
//! ## Why it matters
//!
//! The class does not compile unless data sets the parameter.
//!
//! ## How to fix it
//!
//! Correct the default or the type.
//!
//! ## Example
//!
//! ```puppet
//! # modules/ntp/manifests/init.pp
//! class ntp (Integer $port = 'ntp') { }
//! ```
//!
//! becomes
//!
//! ```puppet
//! # modules/ntp/manifests/init.pp
//! class ntp (Integer $port = 123) { }
//! ```
//!
//! A comment `# hieratic: ignore default-type` on the same line or the line before accepts the finding.
