//! [`Pool`]: interns the keys, values and files of all nodes. Each is stored once and has an id.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use super::lists::Lists;
use super::template::{Extractor, Template};

/// The answer to one key on some nodes.
pub(super) struct PooledAnswer {
    /// The id of the key.
    pub(super) key: u32,
    /// JSON on one line, with redacted secrets; or the message of an error.
    pub(super) template: Template,
    pub(super) is_error: bool,
    /// The position of its first part: path id and line.
    pub(super) position: Option<(u32, u32)>,
}

/// The identity of an answer: its key, its template, whether it is an error, and its position.
type AnswerIdentity = (u32, Template, bool, Option<(u32, u32)>);

/// The interned strings and lists of all nodes. It only grows, so that ids stay valid from one index to the next.
#[derive(Default)]
pub(super) struct Pool {
    keys: Interner,
    /// The variables of placeholders, and their values.
    variables: Interner,
    values: Interner,
    paths: Vec<Arc<Path>>,
    path_ids: HashMap<Arc<Path>, u32>,
    strings: HashSet<Arc<str>>,
    pub(super) answers: Vec<PooledAnswer>,
    answer_ids: HashMap<AnswerIdentity, u32>,
    /// The answers of nodes.
    pub(super) answer_lists: Lists,
    /// The files that nodes read.
    pub(super) file_lists: Lists,
    bytes: usize,
}

/// The approximate overhead of an entry of a table, in bytes.
const ENTRY_BYTES: usize = 48;

impl Pool {
    /// Returns the approximate size of the pool, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes + self.answer_lists.bytes() + self.file_lists.bytes()
    }

    pub(super) fn key_id(&mut self, key: &str) -> u32 {
        let (id, bytes) = self.keys.intern(key);
        self.bytes += bytes;
        id
    }

    pub(super) fn key(&self, id: u32) -> Arc<str> {
        self.keys.names.get(id as usize).cloned().unwrap_or_default()
    }

    /// Returns the number of keys.
    pub(super) fn key_count(&self) -> usize {
        self.keys.names.len()
    }

    /// The number of a variable.
    pub(super) fn variable_id(&mut self, name: &str) -> u32 {
        let (id, bytes) = self.variables.intern(name);
        self.bytes += bytes;
        id
    }

    pub(super) fn variable(&self, id: u32) -> Option<&Arc<str>> {
        self.variables.names.get(id as usize)
    }

    /// Returns the id of a value of a placeholder.
    pub(super) fn value_id(&mut self, value: &str) -> u32 {
        let (id, bytes) = self.values.intern(value);
        self.bytes += bytes;
        id
    }

    /// Returns the values of placeholders by their ids.
    pub(super) fn values(&self) -> Vec<Arc<str>> {
        self.values.names.clone()
    }

    pub(super) fn path_id(&mut self, path: &Path) -> u32 {
        if let Some(known) = self.path_ids.get(path) {
            return *known;
        }
        let made: Arc<Path> = path.into();
        let id = u32::try_from(self.paths.len()).unwrap_or(u32::MAX);
        self.bytes += path.as_os_str().len() + ENTRY_BYTES;
        self.paths.push(made.clone());
        self.path_ids.insert(made, id);
        id
    }

    pub(super) fn path(&self, id: u32) -> Option<&Arc<Path>> {
        self.paths.get(id as usize)
    }

    /// Returns the number of files.
    pub(super) fn path_count(&self) -> usize {
        self.paths.len()
    }

    /// Interns a string.
    pub(super) fn intern(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.strings.get(text) {
            return known.clone();
        }
        let made: Arc<str> = text.into();
        self.bytes += text.len() + ENTRY_BYTES;
        self.strings.insert(made.clone());
        made
    }

    /// Returns the id of an answer. `extractor` replaces values in its text by placeholders.
    pub(super) fn answer_id(
        &mut self,
        key: u32,
        text: &str,
        extractor: Option<&Extractor>,
        is_fault: bool,
        place: Option<(&Path, u32)>,
    ) -> u32 {
        let place = place.map(|(path, line)| (self.path_id(path), line));
        let text = match extractor.and_then(|extractor| extractor.extract(text)) {
            Some((written, holes)) => Template::with_placeholders(self.intern(&written), &holes),
            None => Template::from_literal(self.intern(text)),
        };
        let id = u32::try_from(self.answers.len()).unwrap_or(u32::MAX);
        let known = (key, text, is_fault, place);
        if let Some(known) = self.answer_ids.get(&known) {
            return *known;
        }
        let text = known.1.clone();
        self.bytes += 2 * (size_of::<PooledAnswer>() + text.placeholder_bytes()) + ENTRY_BYTES;
        self.answers.push(PooledAnswer { key, template: text, is_error: is_fault, position: place });
        self.answer_ids.insert(known, id);
        id
    }
}

/// Names with their numbers.
#[derive(Default)]
struct Interner {
    names: Vec<Arc<str>>,
    ids: HashMap<Arc<str>, u32>,
}

impl Interner {
    /// The number of a name, and how many bytes it takes if it is new.
    fn intern(&mut self, name: &str) -> (u32, usize) {
        if let Some(known) = self.ids.get(name) {
            return (*known, 0);
        }
        let made: Arc<str> = name.into();
        let id = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(made.clone());
        self.ids.insert(made, id);
        (id, name.len() + ENTRY_BYTES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_strings_have_one_id() {
        let mut pool = Pool::default();
        let (one, other) = (pool.key_id("a"), pool.key_id("b"));
        assert_eq!((pool.key_id("a"), pool.key_count()), (one, 2));
        let place = Some((Path::new("a.yaml"), 1));
        let answer = pool.answer_id(one, "1", None, false, place);
        let bytes = pool.bytes();
        assert_eq!(pool.answer_id(one, "1", None, false, place), answer);
        assert_eq!(pool.bytes(), bytes);
        assert_ne!(pool.answer_id(other, "1", None, false, place), answer);
        assert_ne!(pool.answer_id(one, "1", None, false, None), answer);
        assert_ne!(pool.answer_id(one, "1", None, true, place), answer);
    }

    #[test]
    fn answers_that_differ_in_a_variable_share_a_template() {
        let mut pool = Pool::default();
        let key = pool.key_id("a");
        let mut answer = |host: &str| {
            let extractor = Extractor::new(vec![(0, host.to_string())]);
            pool.answer_id(key, &format!("at {host}"), extractor.as_ref(), false, None)
        };
        assert_eq!(answer("web1"), answer("db01"));
    }
}
