//! [`BufferCheck`]: checks one open file, independent of others.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::value::collections::HashMap;
use hieratic_diagnostics::Source;
use hieratic_puppet_syntax::ast::Program;

use crate::analysis::EnvironmentProgram;
use crate::code_folders::CodeFolders;
use crate::comments::Ignores;
use crate::finding::Finding;
use crate::job_values::JobRuns;
use crate::kind::Kind;
use crate::options::Options;
use crate::run::FileToCheck;
use crate::workspace::{DataFile, Reader};

/// Checks single files. It is fast enough for every keystroke.
#[derive(Clone)]
pub struct BufferCheck {
    pub(super) options: Arc<Options>,
    pub(super) roots: Arc<[PathBuf]>,
    pub(super) code: Arc<CodeFolders>,
    pub(super) readers: Arc<HashMap<PathBuf, Reader>>,
}

impl BufferCheck {
    /// Checks the content of a file, independent of other files. A file of an unknown kind has no findings. Findings in
    /// other files, such as those with the values of a job, are left to the check of their folder.
    pub fn check(&self, path: &Path, text: &str) -> Vec<Finding> {
        let name = crate::paths::shown(path);
        let source = Source::new(name.clone(), text);
        let mut findings = match (self.readers.get(path), Kind::from_path(path)) {
            (Some(reader), _) => DataFile::parse(path, source, 0, Vec::new(), *reader).1,
            (None, Some(kind)) => {
                let runs = JobRuns::new(&self.options);
                let unread =
                    FileToCheck { path, kind, is_named: false, roots: &self.roots, runs: &runs, code: &self.code };
                crate::run::check_source(&unread, &source, &self.options, None).findings
            }
            (None, None) => Vec::new(),
        };
        findings.retain(|finding| finding.file() == name);
        findings.sort_by_cached_key(Finding::order);
        Ignores::remove_accepted(&mut findings);
        findings
    }

    /// Analyzes the tree of a manifest in its environment.
    pub fn analyze(&self, program: &EnvironmentProgram, path: &Path, tree: &Program) -> Vec<Finding> {
        let mut findings = program.analyze_edited(path, tree);
        findings.sort_by_cached_key(Finding::order);
        Ignores::remove_accepted(&mut findings);
        findings
    }

    /// Analyzes the content of an EPP or ERB template in its environment.
    pub fn analyze_template(&self, program: &EnvironmentProgram, path: &Path, text: &str) -> Vec<Finding> {
        let mut findings = program.analyze_template(path, text);
        findings.sort_by_cached_key(Finding::order);
        Ignores::remove_accepted(&mut findings);
        findings
    }

    /// Returns the backend that reads a file as data, or `None` if the file is not data.
    pub fn reader(&self, path: &Path) -> Option<Reader> {
        self.readers.get(path).copied()
    }
}
