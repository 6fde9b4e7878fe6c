//! # hierarchy
//!
//! A hiera.yaml is not valid. (error)
//!
//! ## What is found
//!
//! The configuration of a layer is invalid: an unknown key, a value of the wrong type, two functions or two kinds of
//! paths in one level, two levels with the same name, or `default_hierarchy` outside a module.
//!
//! ## Why it matters
//!
//! Every lookup in the layer fails.
//!
//! ## How to fix it
//!
//! The message is Puppet's, with the line added. See Puppet's documentation of
//! [hiera.yaml](https://www.puppet.com/docs/puppet/8/hiera_config_yaml_5.html).
//!
//! ## Example
//!
//! ```yaml
//! # hiera.yaml
//! version: 5
//! hierarchy:
//!   - name: Common
//!     path: common.yaml
//!     paths: [other.yaml]
//! ```
//!
//! becomes
//!
//! ```yaml
//! # hiera.yaml
//! version: 5
//! hierarchy:
//!   - name: Common
//!     paths: [common.yaml, other.yaml]
//! ```
//!
//! A comment `# hieratic: ignore hierarchy` on the same line or the line before accepts the finding.

use std::path::Path;

use hieratic::Error;
use hieratic_diagnostics::Source;

use crate::finding::Finding;
use crate::paths::shown;
use crate::rules;
use crate::texts::written_at;
use hieratic::sandbox::SlashPath as _;

/// The finding about a configuration that is refused.
pub(crate) fn refused(error: &Error, file: &Path, source: Option<&Source>) -> Finding {
    let mut message = error.to_string();
    // The position is shown next to the message.
    if let Some(at) = message.find(&format!(" (file: {}", file.display())) {
        message.truncate(at);
    }
    message = message.replace(&file.to_slashes(), &shown(file));
    let line = error.place().and_then(|place| place.line);
    let finding = match (source, line) {
        (Some(source), Some(line)) => {
            let column = error.place().and_then(|place| place.column).unwrap_or(1);
            Finding::new(&rules::HIERARCHY, message).at(source, written_at(source, line, column), "")
        }
        (Some(source), None) => Finding::new(&rules::HIERARCHY, message).at(source, written_at(source, 1, 1), ""),
        (None, _) => Finding::new(&rules::HIERARCHY, message).in_file(shown(file)),
    };
    match error.help_text() {
        Some(help) => finding.help(help),
        None => finding,
    }
}

/// The finding about an environment that cannot be opened.
pub(crate) fn unusable(error: &Error) -> Finding {
    let finding = Finding::new(&rules::HIERARCHY, error.to_string());
    match error.help_text() {
        Some(help) => finding.help(help),
        None => finding,
    }
}

/// The finding about a node for which the environment cannot be opened.
pub(crate) fn node(error: &str) -> Finding {
    Finding::new(&rules::HIERARCHY, error)
}
