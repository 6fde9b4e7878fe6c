//! # unused-variable
//!
//! A variable is never read. (note)
//!
//! ## What is found
//!
//! A defined type, a function, a plan or a block sets a variable that nothing in it reads, or a block reads none of its
//! parameters. A parameter beside one that is read is needed, because functions give a block something else if it has
//! another number of parameters. It is not reported. Neither are names that begin with an underscore, variables of an
//! assignment to a list, and parameters of classes, defined types and functions.
//!
//! Variables of classes, of nodes and of the top scope are not reported: other code can read them by their names.
//!
//! A finding must be certain. Nothing is reported in code with errors, or where something could read variables without
//! naming them: templates (`template`, `epp`), lookups (`lookup`, `hiera`), `include` and declarations of classes,
//! functions that take names of variables (`getvar`, `defined`), and functions that are neither of the language nor of
//! stdlib.
//!
//! ## Why it matters
//!
//! The variable is left over from a change, or its name is misspelled where it is read.
//!
//! ## How to fix it
//!
//! Remove the variable. If a block is not about what its function gives it, begin the names of its parameters with an
//! underscore.
//!
//! ## Example
//!
//! ```puppet
//! define profile::site (Hash $sites) {
//!   $folder = "/srv/${title}"
//!   $sites.each |$site| {
//!     file { "/srv/${title}": ensure => directory }
//!   }
//! }
//! ```
//!
//! becomes
//!
//! ```puppet
//! define profile::site (Hash $sites) {
//!   $sites.each |$site| {
//!     file { "/srv/${title}/${site}": ensure => directory }
//!   }
//! }
//! ```
//!
//! A comment `# hieratic: ignore unused-variable` on the same line or the line before accepts the finding.
