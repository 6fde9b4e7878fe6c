//! # dependency-cycle
//!
//! Resources wait for each other. (error)
//!
//! ## What is found
//!
//! With `--catalogs`, the relationships of every catalog are searched for cycles: `before`, `require`, `notify`,
//! `subscribe`, arrows, and containment. Relationships that the agent adds are not considered.
//!
//! ## Why it matters
//!
//! The catalog compiles, but the agent applies none of its resources.
//!
//! ## How to fix it
//!
//! Remove one of the relationships. `hieratic catalog NODE --origins` shows where each is written.
//!
//! ## Example
//!
//! ```puppet
//! # modules/web/manifests/init.pp
//! package { 'nginx': require => Service['nginx'] }
//! service { 'nginx': require => Package['nginx'] }
//! ```
//!
//! becomes
//!
//! ```puppet
//! # modules/web/manifests/init.pp
//! package { 'nginx': }
//! service { 'nginx': require => Package['nginx'] }
//! ```
//!
//! A comment `# hieratic: ignore dependency-cycle` on the same line or the line before accepts the finding.

use hieratic::Catalog;
use hieratic::catalog::cycles;

use crate::finding::Finding;
use crate::rules;
use crate::walks::catalogs::{CatalogFailure, Kind};

/// The first cycle of a catalog.
pub(crate) fn of_catalog(catalog: &Catalog) -> Option<CatalogFailure> {
    let cycle = cycles(catalog).into_iter().next()?;
    let in_cycle = |name: &String| catalog.resources.iter().find(|resource| resource.reference() == *name);
    let place = cycle
        .path
        .iter()
        .filter_map(in_cycle)
        .find_map(|resource| Some((resource.file.as_deref()?.to_owned(), resource.line?, 1)));
    let message = format!("Resources wait for each other: {}", cycle.path.join(" => "));
    let help = "remove one of the relationships: 'hieratic catalog NODE --origins' shows where each is written";
    Some(CatalogFailure { place, message, help: Some(help.into()), kind: Kind::Cycle })
}

/// The finding about such a cycle.
pub(crate) fn of_failure(message: &str) -> Finding {
    Finding::new(&rules::DEPENDENCY_CYCLE, message)
}
