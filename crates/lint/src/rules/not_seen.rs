//! # not-seen
//!
//! Some data, modules or functions are missing here. (note)
//!
//! ## What is found
//!
//! The repository refers to something that the checkout does not contain:
//!
//! - data in a server's folder, such as `datadir: /etc/puppetlabs/code/private`, or in a `datadir` that does not exist;
//! - modules of the `Puppetfile`, `.fixtures.yml` or `metadata.json` that are not installed, or `modulepath` folders
//!   outside the repository;
//! - a level's function that comes with such a module or with a package of the server.
//!
//! Each environment has one note, after all findings. It never changes the exit status. `--quiet` omits it.
//!
//! ## Why it matters
//!
//! The missing part could define any key, class or function. Everything that depends on it is not judged: an
//! interpolation that looks up a key that no file in the checkout defines, `lookup_options` for a module that is not
//! installed, a lookup that a missing level could answer.
//!
//! ## How to fix it
//!
//! Nothing is wrong. To check more, install the modules first (`r10k puppetfile install`), or let the check read the
//! data in place with `--allow-outside`.
//!
//! ## Example
//!
//! ```yaml
//! # hiera.yaml
//! hierarchy:
//!   - name: Secrets of the site
//!     datadir: /srv/secrets
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

use std::path::Path;

use crate::finding::Finding;
use crate::paths::{is_here, shown};
use crate::rules;

/// The finding about an environment of which these parts are missing.
pub(crate) fn of_environment(root: &Path, parts: Vec<String>) -> Finding {
    let of_what = if is_here(root) { String::new() } else { format!(" of {}", shown(root)) };
    let message = format!("Some things{of_what} are missing here; findings that depend on them are not reported");
    parts.into_iter().fold(Finding::new(&rules::NOT_SEEN, message), Finding::note)
}

/// The finding about a catalog that Hieratic cannot compile, although the reference might.
pub(crate) fn not_compiled(message: &str) -> Finding {
    let message = format!("The catalog is not judged, because Hieratic cannot compile it: {message}");
    Finding::new(&rules::NOT_SEEN, message)
}

/// The finding about a catalog that fails here, where modules or data are missing that a server has.
pub(crate) fn missing_parts(message: &str) -> Finding {
    let message = format!("The catalog is not judged, because parts of the repository are missing here: {message}");
    Finding::new(&rules::NOT_SEEN, message)
}

/// The finding about a catalog without classes.
pub(crate) fn no_classes() -> Finding {
    let message = "The catalog has no classes: neither the main manifest nor a classifier assigns any";
    Finding::new(&rules::NOT_SEEN, message)
}
