//! # lookup-cycle
//!
//! Keys look each other up in a circle. (error)
//!
//! ## What is found
//!
//! Values lead back to themselves through `lookup`, `hiera` or `alias`. Hieratic confirms each suspected cycle with a
//! real lookup, for the given nodes, or for a node whose variables match the paths of the files. If no node reads all
//! files of a cycle, it is not reported.
//!
//! ## Why it matters
//!
//! Every lookup of one of the keys fails with `Recursive lookup detected`.
//!
//! ## How to fix it
//!
//! Write the value out in one of the places.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! a: "%{lookup('b')}"
//! b: "%{lookup('a')}"
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! a: "%{lookup('b')}"
//! b: value
//! ```
//!
//! A comment `# hieratic: ignore lookup-cycle` on the same line or the line before accepts the finding.
