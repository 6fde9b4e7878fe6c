//! [`SharedCode`]: files of code that are read once for many nodes.

use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};

use hieratic_puppet::Options;
use hieratic_puppet::read::CodeFile;
use rustc_hash::FxHashMap;

/// Files of code that are read once for many nodes of one run: what changes meanwhile is not seen.
#[derive(Debug, Default)]
pub(crate) struct SharedCode {
    files: RwLock<FxHashMap<PathBuf, Option<Arc<CodeFile>>>>,
}

impl SharedCode {
    /// A file, which is read if nobody has asked for it; none if it is not there.
    pub(crate) fn file(&self, path: &Path, options: &Options) -> Option<Arc<CodeFile>> {
        // A thread that panicked has left the table as good as it was: entries are put in whole.
        let known = self.files.read().unwrap_or_else(std::sync::PoisonError::into_inner).get(path).cloned();
        if let Some(known) = known {
            return known;
        }
        let file = CodeFile::read(path, options).map(Arc::new);
        let mut files = self.files.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        files.entry(path.to_owned()).or_insert(file).clone()
    }
}
