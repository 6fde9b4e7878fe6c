//! [`KeyMentions`]: which keys data looks up, and where.

use hieratic_diagnostics::Span;
use std::path::{Path, PathBuf};

use hieratic::hiera::inspect::{InterpolationKind, interpolations};
use hieratic::lookup::Key;
use hieratic::value::collections::HashMap;
use hieratic_lint::{LOOKUP_OPTIONS, View};

/// The interpolations that look up keys, and the entries of `lookup_options` that name them.
#[derive(Debug, Default)]
pub(crate) struct KeyMentions {
    keys: HashMap<String, Vec<(PathBuf, Span)>>,
}

impl KeyMentions {
    /// Collects the keys that the data of environments mentions.
    pub(crate) fn collect(views: &[View]) -> KeyMentions {
        let mut mentioned = KeyMentions::default();
        for file in views.iter().flat_map(View::files) {
            mentioned.options(file.path(), file);
            if !file.source().text().contains("%{") {
                continue;
            }
            for text in file.texts().iter().filter(|text| text.text.contains("%{")) {
                let mut from = text.start;
                for found in interpolations(text.text) {
                    let span = file.find(from, &text.text[found.range.clone()]);
                    from = span.behind();
                    if let InterpolationKind::Lookup(key) | InterpolationKind::Alias { key, .. } = found.kind
                        && let Ok(key) = Key::parse(&key)
                    {
                        mentioned.add(key.root(), file.path(), span);
                    }
                }
            }
        }
        mentioned
    }

    fn options(&mut self, path: &Path, file: &hieratic_lint::DataFile) {
        let Some(options) = file.options().and_then(hieratic::Value::as_hash) else { return };
        for key in options.keys().filter_map(hieratic::Value::as_str) {
            let span = file.span_of(&[LOOKUP_OPTIONS, key]);
            self.add(key, path, span);
        }
    }

    fn add(&mut self, key: &str, path: &Path, span: Span) {
        self.keys.entry(key.to_owned()).or_default().push((path.to_owned(), span));
    }

    /// Returns the lookups of a key.
    pub(crate) fn lookups(&self, key: &str) -> &[(PathBuf, Span)] {
        self.keys.get(key).map_or(&[], Vec::as_slice)
    }
}
