//! # outside-repository
//!
//! A link or a relative path leads out of the repository. (warning)
//!
//! ## What is found
//!
//! A link in the repository points outside it, or a relative `datadir` in a `hiera.yaml` leads there. `hieratic check`
//! runs on untrusted pull requests, so it reads nothing outside the repository: neither the link's target nor the
//! level's data. An absolute `datadir` names a server's folder and appears in the note on what is [not in the
//! checkout](not-seen.md).
//!
//! ## Why it matters
//!
//! Findings that depend on the missing files are suppressed, because these could define any key. And other clones of
//! the repository do not have them.
//!
//! ## How to fix it
//!
//! Move the data into the repository, or remove the link. If the location is intended (data that a server stores
//! elsewhere), pass `--allow-outside`, or accept the finding.
//!
//! ## Example
//!
//! ```yaml
//! # hiera.yaml
//! hierarchy:
//!   - name: Secrets of the site
//!     datadir: ../../secrets
//!     path: common.yaml
//! ```
//!
//! becomes
//!
//! ```yaml
//! # hiera.yaml
//! hierarchy:
//!   - name: Secrets of the site
//!     datadir: secrets
//!     path: common.yaml
//! ```
//!
//! A comment `# hieratic: ignore outside-repository` on the same line or the line before accepts the finding.

use std::path::Path;

use crate::finding::Finding;
use crate::paths::shown;
use crate::rules;

const HELP: &str = "move it into the repository, or pass --allow-outside";

/// The finding about a link that leads out.
pub(crate) fn link(path: &Path) -> Finding {
    let path = shown(path);
    let message = format!("The link {path} leads out of the repository and was not followed");
    Finding::new(&rules::OUTSIDE, message).in_file(path).help(HELP)
}

/// The finding about a level whose data is outside of the repository. An absolute path names a folder on the servers that
/// the repository is deployed to; a checkout rarely has it, so it is reported as [not seen](super::not_seen) instead.
pub(crate) fn level(name: &str, folder: &Path) -> Finding {
    let message =
        format!("The level '{name}' reads {}, which is outside of the repository and was not checked", shown(folder));
    Finding::new(&rules::OUTSIDE, message).help(HELP)
}
