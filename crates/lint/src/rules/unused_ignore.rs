//! # unused-ignore
//!
//! A comment ignores nothing. (warning)
//!
//! ## What is found
//!
//! - A comment `hieratic: ignore` with a code that no rule has, such as a misspelled one.
//! - A code of which nothing is found on the line of the comment, or on the next one for a comment on a separate line.
//!
//! A code counts as unused only if its rule was run: `--hygiene`, `--unused`, `--all-nodes` and `--catalogs` add rules.
//! In a checkout that misses modules, data or functions, and beside an environment, only unknown codes are reported.
//!
//! ## Why it matters
//!
//! A misspelled code accepts nothing, although its author believes so. A code that is no longer needed hides the next
//! mistake on the line.
//!
//! ## How to fix it
//!
//! Write the code as `hieratic check` prints it, or remove it.
//!
//! ## Example
//!
//! ```yaml
//! port: 1 # hieratic: ignore duplicat-key
//! ```
//!
//! The code is `duplicate-key`.
