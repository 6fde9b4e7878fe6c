//! # unused-result
//!
//! A result is not used. (warning)
//!
//! ## What is found
//!
//! - A call of a function such as `split`, `upcase` or `merge` as a statement, where no result is used.
//! - A call of `map`, `filter`, `reduce` and others as a statement, if the block declares no resource and calls no function that
//!   may do more than compute a value.
//!
//! ## Why it matters
//!
//! The statement does nothing. Values never change: a function returns a new one.
//!
//! ## How to fix it
//!
//! Use the result, or remove the statement.
//!
//! ## Example
//!
//! ```puppet
//! $names = ['b', 'a']
//! sort($names)
//! ```
//!
//! becomes
//!
//! ```puppet
//! $names = sort(['b', 'a'])
//! ```
//!
//! A comment `# hieratic: ignore unused-result` on the same line or the line before accepts the finding.
