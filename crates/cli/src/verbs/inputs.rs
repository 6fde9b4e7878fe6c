//! Warns of files and folders that flags name and that do not exist.
//!
//! The reference ignores them, so that a misspelled path answers with the defaults. Paths of settings are not looked at:
//! modules are often missing in a checkout, and the verbs report that.

use std::path::{Path, PathBuf};

use hieratic::SearchPath;
use hieratic::sandbox::Files;
use hieratic_diagnostics::{Diagnostic, Severity};

use super::Verb;
use crate::args::LazyArgs;
use crate::codes;
use crate::output::relative_file;
use crate::report::Reporter;

/// The files and folders that flags name, with the effect of their absence. Collected before settings add theirs.
pub(crate) struct NamedInputs(Vec<(PathBuf, &'static str)>);

impl NamedInputs {
    /// Collects the paths in the flags of a verb.
    pub(crate) fn of_flags(verb: &mut Verb) -> NamedInputs {
        let mut inputs = NamedInputs(Vec::new());
        match verb {
            Verb::Check(LazyArgs(check)) => {
                inputs.add(check.hiera_config.as_deref(), NO_LAYER);
                inputs.add_folders(check.modulepath.as_ref());
                inputs.add_data(&check.datadir);
            }
            verb => {
                if let Some(place) = verb.place() {
                    inputs.add(place.hiera_config.as_deref(), NO_LAYER);
                    inputs.add(place.config.as_deref(), "Puppet's settings have their defaults");
                    inputs.add_folders(place.modulepath.as_ref());
                    inputs.add_folders(place.basemodulepath.as_ref());
                    inputs.add_data(&place.datadir);
                }
            }
        }
        inputs
    }

    /// Warns of each path that does not exist.
    pub(crate) fn warn_of_missing(&self, reporter: &Reporter) {
        let files = Files::of_user();
        for (path, effect) in self.0.iter().filter(|(path, _)| !files.exists(path)) {
            let message = format!("{} does not exist: {effect}", relative_file(path));
            let warning = Diagnostic::new(Severity::Warning, codes::USAGE, message);
            reporter.diagnostic(&warning.help("check the path, which is relative to the current folder"));
        }
    }

    fn add(&mut self, path: Option<&Path>, effect: &'static str) {
        self.0.extend(path.map(|path| (path.to_owned(), effect)));
    }

    fn add_folders(&mut self, path: Option<&SearchPath>) {
        for folder in path.into_iter().flat_map(SearchPath::folders) {
            self.add(Some(folder), "it has no modules");
        }
    }

    fn add_data(&mut self, flags: &[String]) {
        for (_, here) in flags.iter().filter_map(|flag| flag.split_once('=')) {
            self.add(Some(Path::new(here)), "it has no data");
        }
    }
}

const NO_LAYER: &str = "the global layer has no hierarchy";
