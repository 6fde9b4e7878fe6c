//! # attribute-value
//!
//! A resource type does not allow a value. (error)
//!
//! ## What is found
//!
//! A value that is not one of those that the attribute allows, such as `ensure => runing`; a mode of a file that is a
//! number or not octal; a value of a kind that the attribute refuses, such as a hash for the command of an `exec`; a
//! path or source of a file that is not absolute; a file with both `content` and `source`; a title that is no string; a
//! string in `require` and its like that is no reference. Of a resource type in Ruby, the words that `newvalues` lists are
//! known; an attribute with a pattern or code that validates is not judged. A default of a resource type (`File { mode => 644 }`), a
//! command of an `exec` without a path, and a word for `ensure` of a file that makes it a link, are warnings. Virtual
//! resources are not judged.
//!
//! ## Why it matters
//!
//! The server compiles the catalog, and the agent applies nothing of it.
//!
//! ## How to fix it
//!
//! Correct the value. `--fix` adds the quotes of a mode.
//!
//! ## Example
//!
//! ```puppet
//! service { 'nginx':
//!   ensure => runing,
//! }
//! ```
//!
//! becomes
//!
//! ```puppet
//! service { 'nginx':
//!   ensure => running,
//! }
//! ```
//!
//! A comment `# hieratic: ignore attribute-value` on the same line or the line before accepts the finding.
