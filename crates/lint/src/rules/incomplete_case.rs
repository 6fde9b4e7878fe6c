//! # incomplete-case
//!
//! A value of an Enum has no branch. (warning)
//!
//! ## What is found
//!
//! A selector over a parameter of a type `Enum` without an entry for one of its values and without a default. A `case`
//! that names several values and not the others is a note. A selector over a literal string without an entry for it is
//! an error.
//!
//! ## Why it matters
//!
//! A selector without an entry for a value fails. A `case` does nothing.
//!
//! ## How to fix it
//!
//! Add the value, or a default.
//!
//! ## Example
//!
//! ```puppet
//! class profile::web (Enum['http', 'https'] $scheme) {
//!   $port = $scheme ? {
//!     'http' => 80,
//!   }
//! }
//! ```
//!
//! becomes
//!
//! ```puppet
//! class profile::web (Enum['http', 'https'] $scheme) {
//!   $port = $scheme ? {
//!     'http'  => 80,
//!     'https' => 443,
//!   }
//! }
//! ```
//!
//! A comment `# hieratic: ignore incomplete-case` on the same line or the line before accepts the finding.
