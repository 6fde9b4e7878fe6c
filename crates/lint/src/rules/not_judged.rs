//! # not-judged
//!
//! Something was not judged. (note)
//!
//! ## What is found
//!
//! Everything below the paths is either checked, or listed here with the reason and the remedy. The last line of
//! `hieratic check` has the sum. JSON has every file, SARIF notifications, JUnit skipped tests.
//!
//! | reason | what changes it |
//! |---|---|
//! | no `hiera.yaml` | add one, or pass `--hiera_config` |
//! | modules of `Puppetfile`, `metadata.json` or `.fixtures.yml` are missing | install them |
//! | modules that code names are missing, and no file lists them | install them |
//! | folders of the module path are missing | `--modulepath` |
//! | data of a level is not here | `--datadir` |
//! | the function of a level is not here | install its module |
//! | no value for a variable of a job | `--var-file` |
//! | a template that another program fills in | |
//! | a file that Ansible Vault has encrypted | |
//! | tests of a module (`MODULE/spec`, `MODULE/tests`) | name the folder |
//! | a link that leads to a file outside the paths, or nowhere | name the file |
//! | more than 200 folders in each other | |
//! | a device, a pipe or a socket | |
//! | embedded Ruby outside of a folder `templates` | name the file |
//! | content of a module: a `.pp` file below `files` or `templates` | name the file |
//! | excluded by `hieratic.toml` or `--exclude` | |
//! | ignored by git | `--no-ignore` |
//! | hidden: the name begins with a dot | name the file |
//! | in no language that is checked | |
//!
//! ## Why it matters
//!
//! "Nothing found" applies only to checked files.
//!
//! ## How to fix it
//!
//! With `--strict-coverage`, or `strict-coverage = true` in `hieratic.toml`, everything in this list is an error,
//! except deliberate exclusions: content of modules, excluded, ignored and hidden files, and other languages.
//!
//! ## Example
//!
//! ```text
//! Checked 214 files: nothing found. Not judged: 12 manifests (modules of Puppetfile are missing: install them)
//! ```

use std::path::Path;

use crate::coverage::OmissionGroup;
use crate::finding::Finding;
use crate::paths::shown;
use crate::rules;

/// The finding about things that were not judged for one reason, in a file if it is only one.
pub(crate) fn of_group(group: &OmissionGroup<'_>, file: Option<&Path>) -> Finding {
    let finding = Finding::new(&rules::NOT_JUDGED, format!("Not judged: {}", group.words()));
    match file {
        Some(file) => finding.in_file(shown(file)),
        None => finding,
    }
}
