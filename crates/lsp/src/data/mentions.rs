//! [`KeyMentions`]: the keys that data looks up, with their positions.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use hieratic::hiera::inspect::{InterpolationKind, interpolations};
use hieratic::lookup::Key;
use hieratic::value::collections::HashMap;
use hieratic_diagnostics::Span;
use hieratic_lint::{DataFile, LOOKUP_OPTIONS, View};

/// The interpolations that look up keys, and the entries of `lookup_options` that name them.
#[derive(Debug, Default)]
pub(crate) struct KeyMentions {
    keys: HashMap<String, Vec<(PathBuf, Span)>>,
}

/// The keys that a file mentions, each with its span.
type FileMentions = Arc<[(String, Span)]>;

/// The mentions of each file, with the file as it was checked.
type CheckedMentions = HashMap<PathBuf, (Arc<DataFile>, FileMentions)>;

/// The mentions of files. A check parses only files that changed, so the mentions of the others are known.
#[derive(Clone, Default)]
pub(crate) struct MentionCache(Arc<Mutex<CheckedMentions>>);

impl KeyMentions {
    /// Collects the keys that the data of environments mentions.
    pub(crate) fn collect(views: &[View], cache: &MentionCache) -> KeyMentions {
        let mut mentioned = KeyMentions::default();
        // The table is replaced as a whole, so it is consistent after a panic.
        let mut known = cache.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut current = HashMap::default();
        for file in views.iter().flat_map(View::files) {
            let found = match known.get(file.path()) {
                Some((checked, found)) if Arc::ptr_eq(checked, file) => found.clone(),
                _ => in_file(file).into(),
            };
            for (key, span) in found.iter() {
                mentioned.keys.entry(key.clone()).or_default().push((file.path().to_owned(), *span));
            }
            current.insert(file.path().to_owned(), (file.clone(), found));
        }
        *known = current;
        mentioned
    }

    /// Returns the lookups of a key.
    pub(crate) fn lookups(&self, key: &str) -> &[(PathBuf, Span)] {
        self.keys.get(key).map_or(&[], Vec::as_slice)
    }
}

/// Returns the keys that a file mentions.
fn in_file(file: &DataFile) -> Vec<(String, Span)> {
    let mut found = Vec::new();
    let options = file.options().and_then(hieratic::Value::as_hash);
    for key in options.into_iter().flat_map(|options| options.keys()).filter_map(hieratic::Value::as_str) {
        found.push((key.to_owned(), file.span_of(&[LOOKUP_OPTIONS, key])));
    }
    if !file.source().text().contains("%{") {
        return found;
    }
    for text in file.texts().iter().filter(|text| text.text.contains("%{")) {
        let mut from = text.start;
        for one in interpolations(text.text) {
            let span = file.find(from, &text.text[one.range.clone()]);
            from = span.behind();
            if let InterpolationKind::Lookup(key) | InterpolationKind::Alias { key, .. } = one.kind
                && let Ok(key) = Key::parse(&key)
            {
                found.push((key.root().to_string(), span));
            }
        }
    }
    found
}
