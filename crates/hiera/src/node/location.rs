//! [`Location`]: a location of a level's data.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hieratic_value::{Str, Value};

use crate::Error;
use crate::backend::function::{CachedAnswer, DataCache};
use crate::source::Data;
use hieratic_sandbox::SlashPath as _;

/// A location of data.
#[derive(Debug)]
pub(crate) struct Location {
    pub(crate) kind: LocationKind,
    pub(crate) data: OnceLock<Result<Option<Arc<Data>>, Error>>,
    /// The answers of an executable, by key.
    answers: Mutex<hieratic_value::collections::HashMap<Str, Option<Value>>>,
    /// The answers of a function of a language, by key; all its data is under the empty one.
    pub(crate) function_answers: Mutex<hieratic_value::collections::HashMap<Str, CachedAnswer>>,
    /// Whether the function is missing and, by its name, calls another system.
    pub(crate) is_remote: AtomicBool,
    /// The values that such a function caches between its calls.
    pub(crate) cache: DataCache,
}

#[derive(Debug)]
pub(crate) enum LocationKind {
    Unnamed,
    /// `is_file` means that a regular file was seen at the path.
    Path {
        original: Str,
        path: Arc<Path>,
        exists: bool,
        is_file: bool,
    },
    Uri {
        original: Str,
        uri: Str,
    },
}

impl Location {
    pub(super) fn new(kind: LocationKind) -> Location {
        Location {
            kind,
            data: OnceLock::new(),
            answers: Mutex::default(),
            function_answers: Mutex::default(),
            is_remote: AtomicBool::new(false),
            cache: DataCache::default(),
        }
    }

    /// The location as messages name it.
    pub(crate) fn text(&self) -> Option<String> {
        match &self.kind {
            LocationKind::Unnamed => None,
            LocationKind::Path { path, .. } => Some(path.to_slashes()),
            LocationKind::Uri { uri, .. } => Some(uri.to_string()),
        }
    }

    /// Returns the location as functions and executables receive it, with the name of its option.
    pub(crate) fn option(&self) -> Option<(&'static str, Str)> {
        match &self.kind {
            LocationKind::Unnamed => None,
            LocationKind::Path { path, .. } => Some(("path", path.to_slashes().into())),
            LocationKind::Uri { uri, .. } => Some(("uri", uri.clone())),
        }
    }

    /// Returns the cached answer of an executable for a key.
    pub(crate) fn cached_answer(&self, key: &Str) -> Option<Option<Value>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    /// Caches the answer of an executable for a key.
    pub(crate) fn cache_answer(&self, key: &Str, answer: &Option<Value>) {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone(), answer.clone());
    }
}
