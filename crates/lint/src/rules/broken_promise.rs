//! # broken-promise
//!
//! A promise of the repository is broken. (error, or as the promise says)
//!
//! ## What is found
//!
//! A file in the folder `promises` [states what must hold](../promises.md), and it does not. The finding is at the
//! value that breaks the promise, and lists the nodes.
//!
//! ## Why it matters
//!
//! The promise was written for a reason, which its words should give.
//!
//! ## How to fix it
//!
//! Change the value, or the promise.
//!
//! ## Example
//!
//! ```yaml
//! # promises/web.yaml
//! web ports are valid: {key: 'web::port', type: 'Integer[1, 65535]'}
//!
//! # data/common.yaml
//! web::port: 0
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! web::port: 80
//! ```
//!
//! A comment `# hieratic: ignore broken-promise` on the same line or the line before accepts the finding.
