//! # empty-interpolation
//!
//! An interpolation is empty for some nodes. (warning)
//!
//! ## What is found
//!
//! With `--facts`: a variable is missing, null or empty for some of the nodes that read the file, or a key is missing
//! from all levels of a node. The finding names the nodes.
//!
//! `%{lookup('key')}` interpolates the value of the key again. A `%{name}` that `%{literal('%')}{name}` protects in it
//! comes out empty.
//!
//! ## Why it matters
//!
//! Nothing fails. The string silently lacks a part, such as `https:///index.html`.
//!
//! ## How to fix it
//!
//! Give these nodes the fact, or set the key in a level that all nodes read.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! url: "https://%{facts.site}.example.com/"
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! url: "https://%{lookup('site')}.example.com/"
//! site: main
//! ```
//!
//! A comment `# hieratic: ignore empty-interpolation` on the same line or the line before accepts the finding.
