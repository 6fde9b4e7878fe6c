//! # data-syntax
//!
//! A YAML, JSON or HOCON file cannot be read. (error)
//!
//! ## What is found
//!
//! The file violates the syntax of its format. Data files are parsed as Ruby parses them, so everything that Psych
//! refuses is reported too, such as an unquoted date or an unknown tag. Other YAML files are checked against YAML's
//! grammar only.
//!
//! ## Why it matters
//!
//! Every lookup that needs the file fails, whatever its key.
//!
//! ## How to fix it
//!
//! Fix the syntax at the place shown. Quote strings that look like dates or begin with `%`, `@`, `*` or `&`.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! servers: [a, b
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! servers: [a, b]
//! ```
//!
//! A comment `# hieratic: ignore data-syntax` on the same line or the line before accepts the finding.
