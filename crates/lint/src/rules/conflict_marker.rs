//! # conflict-marker
//!
//! A merge conflict is not resolved. (error)
//!
//! ## What is found
//!
//! A file of any language that is checked with the three marks of a conflict at the beginning of lines: `<<<<<<<`,
//! `=======` and `>>>>>>>`, in this order. Nothing else in the file is checked: what else is wrong usually follows from
//! the marks.
//!
//! ## Why it matters
//!
//! Puppet and Nomad refuse such a file, and the message names a syntax error somewhere near the marks. Lookups that
//! need the file fail.
//!
//! ## How to fix it
//!
//! Choose one of the sides, or combine them, and remove the marks. `git diff --check` finds them before a commit.
//!
//! ## Example
//!
//! ```yaml
//! ntp::servers:
//! <<<<<<< HEAD
//!   - ntp1.example.com
//! =======
//!   - ntp2.example.com
//! >>>>>>> topic
//! ```
