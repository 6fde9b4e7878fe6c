//! [`WatchedCheck`]: a check that is repeated. Findings that a change does not reach are kept.

use std::path::{Path, PathBuf};

use hieratic::Error;
use hieratic::sandbox::plain;
use hieratic_lint::{Kind, Options, Report, Session};

use super::CheckArguments;
use crate::progress::Bar;

/// A check with its caches.
pub(super) struct WatchedCheck {
    /// The folder that is watched.
    folder: PathBuf,
    /// Files and folders that the options are made of.
    inputs: Vec<PathBuf>,
    /// Whether nothing is kept: other machines and files answer as well, or the files of a commit are checked.
    starts_anew: bool,
    session: Option<Session>,
}

impl WatchedCheck {
    pub(super) fn new(arguments: &CheckArguments, folder: &Path) -> WatchedCheck {
        WatchedCheck {
            folder: plain(folder),
            inputs: arguments.facts.iter().chain(&arguments.var_file).map(|path| plain(path)).collect(),
            starts_anew: arguments.inputs.any()
                || arguments.puppetdb.settings().is_some()
                || arguments.revision.commit.is_some(),
            session: None,
        }
    }

    /// Drops what is cached of some files.
    pub(super) fn apply(&mut self, changed: &[PathBuf]) {
        let Some(session) = &mut self.session else { return };
        let changed: Vec<PathBuf> = changed.iter().map(|path| plain(path)).collect();
        // Other files may be options: `.puppet-lint.rc`, `puppet.conf`.
        let is_content = |path: &PathBuf| {
            let is_code = path.extension().is_some_and(|extension| extension == "rb");
            (is_code || Kind::from_path(path).is_some()) && !self.inputs.iter().any(|input| path.starts_with(input))
        };
        if self.starts_anew || !changed.iter().all(is_content) {
            self.session = None;
            return;
        }
        changed.iter().for_each(|path| session.touch(path));
    }

    /// Checks what may have changed. The options are made for the first check.
    pub(super) fn check(
        &mut self,
        make_options: impl FnOnce() -> Result<Options, Error>,
        bar: &Bar,
    ) -> Result<(Report, Options), Error> {
        let mut session = match self.session.take() {
            Some(session) => session,
            None => Session::new(make_options()?).over(&self.folder),
        };
        let report = session.check(bar);
        let options = session.options().clone();
        self.session = Some(session);
        Ok((report, options))
    }
}
