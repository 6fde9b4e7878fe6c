//! # lost-knockout
//!
//! A knockout is lost. (warning)
//!
//! ## What is found
//!
//! A deep merge with `knockout_prefix` removes an element in one level, and a lower level brings it back. Hieratic
//! confirms each suspected case with a real lookup.
//!
//! A knockout that no merge recognizes is reported too: of a hash key (`--guest: {}`), or under options without
//! `knockout_prefix`. It stays in the answer.
//!
//! ## Why it matters
//!
//! A knockout affects only the next level's value, not the whole merge. The removed element is silently back.
//!
//! ## How to fix it
//!
//! Add `strict_knockout: true` to the merge options, or repeat the knockout.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! lookup_options:
//!   users: {merge: {strategy: deep, knockout_prefix: '--'}}
//! users: [root, guest]
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! lookup_options:
//!   users: {merge: {strategy: deep, knockout_prefix: '--', strict_knockout: true}}
//! users: [root, guest]
//! ```
//!
//! A comment `# hieratic: ignore lost-knockout` on the same line or the line before accepts the finding.
