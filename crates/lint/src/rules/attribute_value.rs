//! # attribute-value
//!
//! A resource type does not allow a value. (error)
//!
//! ## What is found
//!
//! - A value that the attribute does not allow, such as `ensure => runing`.
//! - A mode of a file that is a number, or neither octal nor symbolic.
//! - A value of a wrong type, such as a hash for the command of an `exec`.
//! - A path or source of a file, or `creates` or `cwd` of an `exec`, that is not absolute; a file with both `content` and
//!   `source`.
//! - A title that is not a string, and a string in `require` and similar metaparameters that is not a reference.
//! - An invalid tag, and a provider that neither the agent nor a module has.
//! - A time of a `cron` job or a `schedule`, an age or a size of `tidy`, a number of a group or a user, a date, and an
//!   address of a `host` in a form that the agent refuses.
//!
//! For a resource type in Ruby, the words and patterns that `newvalues` lists are known, also those for titles. Of the
//! Resource API, any value of a read-only attribute is an error. Attributes with validating code and virtual resources
//! are not checked.
//!
//! These are warnings: a default of a resource type (`File { mode => 644 }`), a command of an `exec` without a path, and
//! a word for `ensure` of a file that makes it a link.
//!
//! ## Why it matters
//!
//! The server compiles the catalog, and the agent applies nothing of it.
//!
//! ## How to fix it
//!
//! Correct the value. `--fix` adds the quotes of a mode that begins with 0.
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
