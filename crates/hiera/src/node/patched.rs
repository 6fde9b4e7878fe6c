//! The data files of a patched environment: unpatched files are taken from the original.

use std::path::Path;
use std::sync::Arc;

use hieratic_diagnostics::Source;
use hieratic_sandbox::Files;
use hieratic_value::Hash;

use super::shared::Shared;
use crate::Error;
use crate::source::{Data, Format, ReadFile, key_files};

impl Shared {
    /// The content of a file of data, as [`Store::file`](crate::source::Store::file) has it.
    pub(super) fn file(&self, path: &Arc<Path>, is_file: bool, format: Format, files: &Files) -> ReadFile {
        match self.unpatched_in(path, format, files) {
            Some(other) => self.store.file_from(path, format, || other.file(path, is_file, format, files)),
            None => self.store.file(path, is_file, format, files),
        }
    }

    /// Returns whether a file was read before, even if it has changed since.
    pub(super) fn has_file(&self, path: &Arc<Path>, format: Format, files: &Files) -> bool {
        match self.unpatched_in(path, format, files) {
            Some(other) => other.has_file(path, format, files),
            None => self.store.has(path, format),
        }
    }

    /// Returns the text of a data file as it was last read, if positions were requested.
    pub(crate) fn source_of(&self, path: &Arc<Path>) -> Option<Source> {
        self.store.source(path).or_else(|| self.like.as_deref()?.source_of(path))
    }

    /// Returns a file with encrypted strings, and its data, decrypted with the keys of the options, if it contains a
    /// hash.
    pub(super) fn encrypted_file(
        &self,
        path: &Arc<Path>,
        options: &Hash,
        files: &Files,
    ) -> Result<(ReadFile, Option<Arc<Data>>), Error> {
        if let Some(other) = &self.like
            && !std::iter::once(path.clone()).chain(key_files(options)).any(|path| files.is_patched(&path))
        {
            return other.encrypted_file(path, options, files);
        }
        let (file, now) = self.file(path, false, Format::Yaml, files);
        let data = self.store.decrypted(path, &file, options, files)?;
        Ok(((file, now), data))
    }

    /// Returns the environment whose copy of a file is the same.
    fn unpatched_in(&self, path: &Path, format: Format, files: &Files) -> Option<&Shared> {
        let other = self.like.as_deref()?;
        // Other formats may read further files, which may not be the same.
        let is_same = matches!(format, Format::Yaml | Format::Json | Format::Hocon) && !files.is_patched(path);
        is_same.then_some(other)
    }
}
