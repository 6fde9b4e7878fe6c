//! [`Source`]: the list or hash from which an input of a rendering is converted.

use std::borrow::Cow;
use std::sync::atomic::Ordering;

use hieratic_value::Value as Data;
use minijinja::Value;

use super::{Dict, Entries, Key, List};
use crate::json_tree::{Json, JsonView};

/// Converts a value of the data model.
pub type Convert = fn(&Data) -> Value;

/// A list or hash with the conversion of its values.
#[derive(Debug)]
pub struct Source {
    origin: SourceData,
    /// The lists and dictionaries in it that a template saw, by index: they stay the same objects.
    seen: Vec<(usize, Value)>,
}

/// An unconverted value.
#[derive(Clone, Debug)]
pub enum SourceData {
    /// A value of the data model.
    Data(Data, Convert),
    /// A value of a JSON document.
    Json(Json, Convert),
}

/// A borrowed unconverted value.
#[derive(Clone, Copy, Debug)]
pub enum SourceView<'s> {
    /// A value of the data model.
    Data(&'s Data, Convert),
    /// A value of a JSON document.
    Json(JsonView<'s>, Convert),
}

/// The most entries of a hash that are searched one by one.
const LINEAR_SEARCH_LIMIT: usize = 8;

impl Source {
    /// Creates a list, or a hash whose keys are all strings. Other keys can be different in the data model and equal in
    /// Python.
    pub fn new(data: &Data, convert: Convert) -> Option<Source> {
        let is_simple = match data {
            Data::Array(_) => true,
            Data::Hash(hash) => hash.keys().all(|key| matches!(key, Data::String(_))),
            _ => false,
        };
        is_simple.then(|| Source::from(SourceData::Data(data.clone(), convert)))
    }

    /// Returns the list or hash.
    pub fn view(&self) -> SourceView<'_> {
        self.origin.view()
    }

    /// Returns the list or hash, shared.
    pub fn data(&self) -> &SourceData {
        &self.origin
    }

    /// Returns the number of values.
    pub fn count(&self) -> usize {
        self.view().count()
    }

    /// Returns the items of a list.
    pub fn items(self) -> Vec<Value> {
        let view = self.view();
        (0..view.count()).filter_map(|at| Some(view.at(at)?.value())).collect()
    }

    /// Returns the entries of a hash.
    pub fn entries(self) -> Entries {
        let view = self.view();
        let mut entries: Entries =
            (0..view.count()).filter_map(|at| Some((view.key_at(at)?, view.at(at)?.value()))).collect();
        for (at, value) in self.seen {
            if let Some((_, slot)) = entries.get_index_mut(at) {
                *slot = value;
            }
        }
        entries
    }

    /// Returns the value of an attribute, or its index if it is a list or dictionary that must be [kept](Self::keep).
    #[inline]
    pub fn under(&self, key: &Key) -> Option<SourceEntry> {
        let view = self.view();
        let at = view.find(key)?;
        let value = view.at(at)?;
        if value.is_scalar() {
            return Some(SourceEntry::Value(value.value()));
        }
        match self.seen.iter().find(|(known, _)| *known == at) {
            Some((_, value)) => Some(SourceEntry::Value(value.clone())),
            None => Some(SourceEntry::Unseen(at)),
        }
    }

    /// Converts the value at an index and stores the object.
    pub fn keep(&mut self, at: usize) -> Option<Value> {
        // Another thread may have converted it first.
        if let Some((_, known)) = self.seen.iter().find(|(known, _)| *known == at) {
            return Some(known.clone());
        }
        let value = self.view().at(at)?.value();
        self.seen.push((at, value.clone()));
        Some(value)
    }
}

impl From<SourceData> for Source {
    fn from(origin: SourceData) -> Source {
        Source { origin, seen: Vec::new() }
    }
}

impl SourceData {
    /// Borrows the value.
    #[inline]
    pub fn view(&self) -> SourceView<'_> {
        match self {
            SourceData::Data(data, convert) => SourceView::Data(data, *convert),
            SourceData::Json(json, convert) => SourceView::Json(json.view(), *convert),
        }
    }
}

impl<'s> SourceView<'s> {
    /// Returns the value with its owner.
    pub fn own(self) -> SourceData {
        match self {
            SourceView::Data(data, convert) => SourceData::Data(data.clone(), convert),
            SourceView::Json(json, convert) => SourceData::Json(json.own(), convert),
        }
    }

    /// Returns whether the value is a list.
    pub fn is_list(self) -> bool {
        match self {
            SourceView::Data(data, _) => matches!(data, Data::Array(_)),
            SourceView::Json(json, _) => json.is_list(),
        }
    }

    /// Returns whether the value is neither a list nor a hash.
    fn is_scalar(self) -> bool {
        match self {
            SourceView::Data(data, _) => !matches!(data, Data::Array(_) | Data::Hash(_)),
            SourceView::Json(json, _) => !json.is_list() && !json.is_object(),
        }
    }

    /// Returns the number of items or entries.
    pub fn count(self) -> usize {
        match self {
            SourceView::Data(Data::Array(items), _) => items.len(),
            SourceView::Data(Data::Hash(hash), _) => hash.len(),
            SourceView::Data(..) => 0,
            SourceView::Json(json, _) => json.count(),
        }
    }

    /// Returns the item of a list, or the value of an entry.
    #[inline]
    pub fn at(self, at: usize) -> Option<SourceView<'s>> {
        match self {
            SourceView::Data(Data::Array(items), convert) => Some(SourceView::Data(items.get(at)?, convert)),
            SourceView::Data(Data::Hash(hash), convert) => {
                Some(SourceView::Data(hash.as_map().get_index(at)?.1, convert))
            }
            SourceView::Data(..) => None,
            SourceView::Json(json, convert) => json.at(at).map(|json| SourceView::Json(json, convert)),
        }
    }

    /// The key of an entry.
    fn key_at(self, at: usize) -> Option<Value> {
        match self {
            SourceView::Data(Data::Hash(hash), convert) => Some(convert(hash.as_map().get_index(at)?.0)),
            SourceView::Data(..) => None,
            SourceView::Json(json, _) => json.key_at(at).map(|key| Value::from(&*key)),
        }
    }

    /// Returns the value of an attribute.
    #[inline]
    pub fn under(self, key: &Key) -> Option<SourceView<'s>> {
        self.at(self.find(key)?)
    }

    /// The place of an attribute. That of the last search is tried first.
    #[inline]
    fn find(self, key: &Key) -> Option<usize> {
        let (hash, map) = match self {
            SourceView::Data(Data::Hash(hash), _) => (hash, hash.as_map()),
            SourceView::Data(..) => return None,
            SourceView::Json(json, _) => return json.find(key),
        };
        let is_it = |known: &Data| matches!(known, Data::String(text) if **text == *key.text);
        let hint = key.hint.load(Ordering::Relaxed);
        if map.get_index(hint).is_some_and(|(known, _)| is_it(known)) {
            return Some(hint);
        }
        let at =
            if map.len() > LINEAR_SEARCH_LIMIT { hash.index_of(&key.text)? } else { map.keys().position(is_it)? };
        key.hint.store(at, Ordering::Relaxed);
        Some(at)
    }

    /// Returns whether attributes can be found quickly.
    pub fn is_searchable(self) -> bool {
        match self {
            SourceView::Data(..) => true,
            SourceView::Json(json, _) => json.is_small(),
        }
    }

    /// Returns whether the value is a hash whose keys are all strings.
    pub fn has_plain_keys(self) -> bool {
        match self {
            SourceView::Data(Data::Hash(hash), _) => hash.keys().all(|key| matches!(key, Data::String(_))),
            SourceView::Data(..) => false,
            SourceView::Json(json, _) => json.is_object(),
        }
    }

    /// Returns whether the value is a hash.
    pub fn is_hash(self) -> bool {
        !self.is_list() && !self.is_scalar()
    }

    /// Returns the string.
    #[inline]
    pub fn as_str(self) -> Option<Cow<'s, str>> {
        match self {
            SourceView::Data(Data::String(text), _) => Some(Cow::Borrowed(text)),
            SourceView::Data(..) => None,
            SourceView::Json(json, _) => json.as_str(),
        }
    }

    /// Returns the string, or the digits of an integer as Python prints it, if the source has them.
    #[inline]
    pub fn printed(self) -> Option<&'s str> {
        match self {
            SourceView::Data(Data::String(text), _) => Some(text),
            SourceView::Data(..) => None,
            SourceView::Json(json, _) => json.printed(),
        }
    }

    /// Returns the small integer.
    #[inline]
    pub fn small(self) -> Option<i64> {
        match self {
            SourceView::Data(Data::Integer(number), _) => Some(*number),
            SourceView::Data(..) => None,
            SourceView::Json(json, _) => match json.digits() {
                Some(digits) => digits.parse().ok(),
                None => match json.scalar()? {
                    Data::Integer(number) => Some(number),
                    _ => None,
                },
            },
        }
    }

    /// Converts the value.
    pub fn value(self) -> Value {
        match self {
            SourceView::Data(data, convert) => convert(data),
            SourceView::Json(json, convert) if json.is_list() => {
                List::source(SourceData::Json(json.own(), convert).into())
            }
            SourceView::Json(json, convert) => match json.scalar() {
                Some(scalar) => convert(&scalar),
                None => {
                    let source = Source::from(SourceData::Json(json.own(), convert));
                    if json.is_small() { Dict::source(source) } else { Dict::given(source.entries()) }
                }
            },
        }
    }
}

/// The result of the search for an attribute.
#[derive(Debug)]
pub enum SourceEntry {
    /// A value.
    Value(Value),
    /// The index of a list or dictionary that is not yet converted.
    Unseen(usize),
}
