//! # failing-lookup
//!
//! Lookups of a key fail. (error)
//!
//! ## What is found
//!
//! - Values of several levels cannot be merged as `lookup_options` say: a list in a `hash` merge, a hash in a `unique`
//!   merge.
//! - `sort_merged_arrays` meets elements of different kinds.
//! - `convert_to` cannot convert the value.
//! - A value contains a symbol (`:name`), or a hash key that is neither a string nor a number (`yes:`, `~:`, `[1]:`).
//! - `%{lookup('a.b')}` selects a part of a string, a number or a list.
//!
//! Each merge and conversion is confirmed with a real lookup. The finding is at the value. Without `--facts`, a value
//! is not judged if facts, or levels that depend on facts, could change the result.
//!
//! ## Why it matters
//!
//! The catalog of every node that reads the value fails.
//!
//! ## How to fix it
//!
//! Write values of one kind in all levels, or change the merge. Quote words that YAML reads as booleans, null or
//! symbols.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! answers: {yes: 1, no: 0}
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! answers: {'yes': 1, 'no': 0}
//! ```
//!
//! A comment `# hieratic: ignore failing-lookup` on the same line or the line before accepts the finding.
