//! [`OpenEnvironment`]: an environment that a session keeps up to date, with the results of earlier checks.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::Environment;
use hieratic::budget::Progress;
use hieratic::sandbox::Mounted;

use crate::analysis::Analyzed;
use crate::coverage::Omission;
use crate::finding::Finding;
use crate::hygiene::Needed;
use crate::options::Options;
use crate::rules::UnjudgedKey;
use crate::runner::Runner;
use crate::workspace::{Answers, Code, CodePart, DataFile, Workspace};

/// An environment that is checked again and again.
pub(super) struct OpenEnvironment {
    /// The environment in its present state.
    pub(super) workspace: Workspace,
    /// The environment as it was opened first. Later states are patches of it.
    base: Environment,
    /// Its files of code, with whether each is a manifest.
    pub(super) code_files: Vec<(PathBuf, bool)>,
    /// The findings about unreadable folders of code.
    pub(super) unlisted: Vec<Finding>,
    /// Its code, if no file of it has changed since the last check.
    pub(super) code: Option<Arc<Code>>,
    /// The answers of synthetic nodes that no change reaches.
    answers: Answers,
    /// The findings of the analysis of its manifests.
    pub(super) analyzed: Analyzed,
    /// Entries of its data that another environment needs.
    pub(super) needed: Needed,
}

impl OpenEnvironment {
    pub(super) fn new(workspace: Workspace) -> OpenEnvironment {
        let (code_files, unlisted) = workspace.code_files();
        OpenEnvironment {
            base: workspace.environment().clone(),
            workspace,
            code_files,
            unlisted,
            code: None,
            answers: Answers::default(),
            analyzed: Analyzed::default(),
            needed: Needed::default(),
        }
    }

    /// Returns whether a file is one of its code.
    pub(super) fn is_code(&self, path: &Path) -> bool {
        self.code_files.binary_search_by(|(known, _)| known.as_path().cmp(path)).is_ok()
    }

    /// Reads a patch of the files that were opened first, and again the data files that `changed` selects. Returns false
    /// if one of them cannot be read any more.
    pub(super) fn update(&mut self, patch: &Mounted, changed: &dyn Fn(&DataFile) -> bool) -> bool {
        self.workspace.patch(&self.base, patch);
        if self.workspace.has_other_sources() {
            // Anything may be part of what functions, executables and included files answer.
            self.answers.clear();
        }
        let mut is_whole = true;
        for index in 0..self.workspace.files.len() {
            if !changed(&self.workspace.files[index]) {
                continue;
            }
            match self.workspace.reread(index) {
                Ok(before) => {
                    let files = &self.workspace.files;
                    self.answers.forget(&before, &files[index], files);
                }
                // Another finding says why.
                Err(_) => is_whole = false,
            }
        }
        is_whole
    }

    /// Runs the rules.
    pub(super) fn check(
        &self,
        code: &Code,
        options: &Options,
        progress: &dyn Progress,
    ) -> (Vec<Finding>, Vec<UnjudgedKey>) {
        let OpenEnvironment { workspace, answers, needed, analyzed, .. } = self;
        Runner { workspace, code, options, answers, needed, analyzed }.run(progress)
    }

    /// The parts of it and of these files of code that were not checked.
    pub(super) fn omissions<'c>(&self, code: impl Iterator<Item = (&'c Path, &'c Arc<CodePart>)>) -> Vec<Omission> {
        self.workspace.omissions(code)
    }
}
