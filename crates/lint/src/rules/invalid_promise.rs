//! # invalid-promise
//!
//! A promise cannot be read. (error)
//!
//! ## What is found
//!
//! A file in the folder `promises` has an unknown word, a type or a pattern that cannot be read, or requires nothing;
//! or the code of a [promise](../promises.md) fails. Or the promises together are more work than the
//! [limits](../reference/limits.md) allow.
//!
//! ## Why it matters
//!
//! Nobody knows whether the promise holds.
//!
//! ## How to fix it
//!
//! Fix the promise. If the promises are not checked to the end, name keys instead of `*`, or raise the limit that the
//! finding names.
//!
//! ## Example
//!
//! ```yaml
//! # promises/web.yaml
//! web ports are valid: {key: 'web::port', typ: 'Integer[1, 65535]'}
//! ```
//!
//! becomes
//!
//! ```yaml
//! # promises/web.yaml
//! web ports are valid: {key: 'web::port', type: 'Integer[1, 65535]'}
//! ```
//!
//! A comment `# hieratic: ignore invalid-promise` on the same line or the line before accepts the finding.
