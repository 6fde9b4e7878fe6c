//! # sensitive-interpolation
//!
//! A Sensitive value is interpolated into a string. (warning)
//!
//! ## What is found
//!
//! `lookup_options` convert a key to `Sensitive`, and a string contains `%{lookup('key')}`.
//!
//! ## Why it matters
//!
//! The string contains the words `Sensitive [value redacted]` in the place of the secret.
//!
//! ## How to fix it
//!
//! Use `%{alias('key')}` as the entire string, build the string in code with `unwrap`, or convert the whole string
//! instead of its part.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! lookup_options:
//!   password: {convert_to: Sensitive}
//! password: secret
//! url: "https://user:%{lookup('password')}@example.com/"
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! lookup_options:
//!   url: {convert_to: Sensitive}
//! password: secret
//! url: "https://user:%{lookup('password')}@example.com/"
//! ```
//!
//! A comment `# hieratic: ignore sensitive-interpolation` on the same line or the line before accepts the finding.
