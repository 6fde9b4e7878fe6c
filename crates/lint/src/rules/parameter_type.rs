//! # parameter-type
//!
//! A value does not match the type of its parameter. (error)
//!
//! ## What is found
//!
//! A key is a parameter of a class in the module path, and its value does not match the declared type. Type aliases are
//! resolved in modules. No catalog is compiled. Values that are merged, converted or interpolated are looked up for the
//! given nodes, or for a node derived from the file's path; then only mismatches that no other level can change are
//! reported. Encrypted values are not checked.
//!
//! ## Why it matters
//!
//! The catalog of every node with the class fails to compile.
//!
//! ## How to fix it
//!
//! Correct the value, or convert it with `convert_to` in `lookup_options`.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! ntp::port: '123'    # class ntp(Integer $port)
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! ntp::port: 123      # class ntp(Integer $port)
//! ```
//!
//! A comment `# hieratic: ignore parameter-type` on the same line or the line before accepts the finding.
