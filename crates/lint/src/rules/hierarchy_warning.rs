//! # hierarchy-warning
//!
//! A hiera.yaml is questionable. (warning)
//!
//! ## What is found
//!
//! Puppet warns about the configuration: its version is deprecated, it is not a hash, or it is a version 3 file in a
//! place where version 3 is ignored.
//!
//! ## Why it matters
//!
//! A future release of Puppet removes deprecated versions. An ignored file has no effect.
//!
//! ## How to fix it
//!
//! Convert the file to version 5.
//!
//! ## Example
//!
//! ```yaml
//! # hiera.yaml
//! ---
//! version: 4
//! hierarchy:
//!   - name: common
//!     backend: yaml
//! ```
//!
//! becomes
//!
//! ```yaml
//! # hiera.yaml
//! ---
//! version: 5
//! hierarchy:
//!   - name: common
//!     path: common.yaml
//! ```
//!
//! A comment `# hieratic: ignore hierarchy-warning` on the same line or the line before accepts the finding.

use std::path::Path;

use hieratic::lookup::Warning;
use hieratic_diagnostics::Source;

use crate::finding::Finding;
use crate::paths::shown;
use crate::rules;
use crate::texts::written_at;

/// The finding about a configuration that works, with a warning.
pub(crate) fn warned(warning: &Warning, file: &Path, source: Option<&Source>) -> Finding {
    let message = warning.message();
    let message = message.strip_prefix(&format!("{}: ", file.display())).unwrap_or(message);
    let finding = Finding::new(&rules::HIERARCHY_WARNING, message);
    match source {
        Some(source) => {
            let version = source.text().find("version").unwrap_or(0);
            let place = source.position(version);
            finding.at(source, written_at(source, place.line, place.column), "")
        }
        None => finding.in_file(shown(file)),
    }
}
