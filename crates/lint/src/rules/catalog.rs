//! # catalog
//!
//! The catalog of a node does not compile. (error)
//!
//! ## What is found
//!
//! With `--catalogs`, the catalogs of all nodes of `--facts` are compiled as a server compiles them. A cause is
//! reported once, with the nodes it affects. If the repository names modules, data or functions that are missing here,
//! or if code needs something that Hieratic does not offer, the failure is only a note ([not-seen](not-seen.md)). A
//! class that is missing from a module that is here is always an error.
//!
//! A failure without a place in the code is reported at the main manifest. A catalog without classes is a note.
//! `--enc`, `--exported`, `--puppetdb`, `--puppetdb-answers` and `--server-facts` give the data that a server gets from
//! other programs.
//!
//! ## Why it matters
//!
//! The agent of the node applies nothing, or the catalog that it has cached.
//!
//! ## How to fix it
//!
//! Fix the code or the data that the message names. `hieratic catalog NODE` compiles one node.
//!
//! ## Example
//!
//! ```puppet
//! # modules/web/manifests/init.pp
//! class web { file { '/etc/web.conf': contents => 'x' } }
//! ```
//!
//! becomes
//!
//! ```puppet
//! # modules/web/manifests/init.pp
//! class web { file { '/etc/web.conf': content => 'x' } }
//! ```
//!
//! A comment `# hieratic: ignore catalog` on the same line or the line before accepts the finding.

use crate::finding::Finding;
use crate::rules;

/// The finding about a catalog that a server refuses to compile.
pub(crate) fn of_failure(message: &str) -> Finding {
    Finding::new(&rules::CATALOG, message)
}
