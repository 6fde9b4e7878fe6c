//! # misplaced-definition
//!
//! The autoloader does not look here for a definition. (warning)
//!
//! ## What is found
//!
//! A class or a defined type in a manifest of a module whose path is that of another name, and which does not define that
//! name.
//!
//! ## Why it matters
//!
//! A server reads the file for the name of its path only. The definition is not found unless something else reads the
//! file.
//!
//! ## How to fix it
//!
//! Move the definition to the file of its name.
//!
//! ## Example
//!
//! ```puppet
//! # modules/web/manifests/site.pp
//! class web::site::tls {
//! }
//! ```
//!
//! becomes
//!
//! ```puppet
//! # modules/web/manifests/site/tls.pp
//! class web::site::tls {
//! }
//! ```
//!
//! A comment `# hieratic: ignore misplaced-definition` on the same line or the line before accepts the finding.
