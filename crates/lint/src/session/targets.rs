//! [`CheckTargets`]: the files and environments that a session checks.

use std::path::{Path, PathBuf};

use hieratic::value::collections::HashSet;

use super::open_environment::OpenEnvironment;
use crate::code_folders::CodeFolders;
use crate::finding::Finding;
use crate::kind::Kind;
use crate::walk::FilesToCheck;

/// The files and environments to check.
pub(super) struct CheckTargets {
    pub(super) walked: FilesToCheck,
    pub(super) named: HashSet<PathBuf>,
    pub(super) roots: Vec<PathBuf>,
    pub(super) code: CodeFolders,
    pub(super) data: HashSet<PathBuf>,
    /// The findings about the paths themselves, and about environments that cannot be opened.
    pub(super) findings: Vec<Finding>,
    pub(super) opened: Vec<OpenEnvironment>,
}

impl CheckTargets {
    /// The files that are not data of a hierarchy.
    pub(super) fn files_to_check(&self) -> Vec<&(PathBuf, Kind)> {
        self.walked.files.iter().filter(|(path, _)| !self.data.contains(path)).collect()
    }

    /// Returns whether a file is one of those to check.
    pub(super) fn has(&self, path: &Path) -> bool {
        self.data.contains(path) || self.walked.files.binary_search_by(|(known, _)| known.as_path().cmp(path)).is_ok()
    }
}
