//! # puppetfile
//!
//! A Puppetfile is not valid. (error)
//!
//! ## What is found
//!
//! - the file is not valid Ruby
//! - a module is listed twice: r10k refuses the file
//! - an invalid version, an unknown option, an unknown word
//! - a module without an author and without a source
//!
//! Computed lists are not checked. Files of librarian-puppet are understood as well, with `path`, `exclusion` and
//! `metadata`.
//!
//! ## Why it matters
//!
//! r10k and Code Manager install nothing, or another version than the intended one, and the environment keeps the modules that
//! it has.
//!
//! ## How to fix it
//!
//! The finding names the line and a suggestion.
//!
//! ## Example
//!
//! ```ruby
//! # Puppetfile
//! mod 'puppetlabs/stdlib', '9.0.0'
//! mod 'stdlib', gti: 'https://github.com/puppetlabs/puppetlabs-stdlib'
//! ```
//!
//! becomes
//!
//! ```ruby
//! # Puppetfile
//! mod 'puppetlabs/stdlib', '9.0.0'
//! ```

use hieratic_diagnostics::Source;

use crate::finding::Finding;
use crate::modules::line_of;
use crate::rules;

/// The finding about a line.
pub(crate) fn of_line(source: &Source, line: u32, message: String) -> Finding {
    Finding::new(&rules::PUPPETFILE, message).at(source, line_of(source, line), "")
}
