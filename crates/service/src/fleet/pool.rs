//! [`Pool`]: interns the keys, values and files of all nodes. Each is stored once and has an id.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use super::holes::{Leaving, Text};
use super::lists::Lists;

/// The answer to one key on some nodes.
pub(super) struct Answer {
    /// The key, by its number.
    pub(super) key: u32,
    /// JSON on one line, with redacted secrets; or the message of an error.
    pub(super) text: Text,
    pub(super) is_fault: bool,
    /// The position of its first part: path id and line.
    pub(super) place: Option<(u32, u32)>,
}

/// The identity of an answer: its key, its template, whether it is an error, and its position.
type Known = (u32, Text, bool, Option<(u32, u32)>);

/// The interned strings and lists of all nodes. It only grows, so that ids stay valid from one index to the next.
#[derive(Default)]
pub(super) struct Pool {
    keys: Names,
    /// The variables of placeholders, and their values.
    variables: Names,
    values: Names,
    paths: Vec<Arc<Path>>,
    path_numbers: HashMap<Arc<Path>, u32>,
    strings: HashSet<Arc<str>>,
    pub(super) answers: Vec<Answer>,
    answer_numbers: HashMap<Known, u32>,
    /// The answers of nodes.
    pub(super) answered: Lists,
    /// The files that nodes read.
    pub(super) read: Lists,
    bytes: usize,
}

/// The approximate overhead of an entry of a table, in bytes.
const OF_ENTRY: usize = 48;

impl Pool {
    /// Returns the approximate size of the pool, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes + self.answered.bytes() + self.read.bytes()
    }

    pub(super) fn key(&mut self, key: &str) -> u32 {
        let (number, bytes) = self.keys.number(key);
        self.bytes += bytes;
        number
    }

    pub(super) fn key_of(&self, number: u32) -> Arc<str> {
        self.keys.names.get(number as usize).cloned().unwrap_or_default()
    }

    /// Returns the number of keys.
    pub(super) fn keys(&self) -> usize {
        self.keys.names.len()
    }

    /// The number of a variable.
    pub(super) fn variable(&mut self, name: &str) -> u32 {
        let (number, bytes) = self.variables.number(name);
        self.bytes += bytes;
        number
    }

    pub(super) fn variable_of(&self, number: u32) -> Option<&Arc<str>> {
        self.variables.names.get(number as usize)
    }

    /// Returns the id of a value of a placeholder.
    pub(super) fn value(&mut self, value: &str) -> u32 {
        let (number, bytes) = self.values.number(value);
        self.bytes += bytes;
        number
    }

    /// Returns the values of placeholders by their ids.
    pub(super) fn values(&self) -> Vec<Arc<str>> {
        self.values.names.clone()
    }

    pub(super) fn path(&mut self, path: &Path) -> u32 {
        if let Some(known) = self.path_numbers.get(path) {
            return *known;
        }
        let made: Arc<Path> = path.into();
        let number = u32::try_from(self.paths.len()).unwrap_or(u32::MAX);
        self.bytes += path.as_os_str().len() + OF_ENTRY;
        self.paths.push(made.clone());
        self.path_numbers.insert(made, number);
        number
    }

    pub(super) fn path_of(&self, number: u32) -> Option<&Arc<Path>> {
        self.paths.get(number as usize)
    }

    /// Returns the number of files.
    pub(super) fn paths(&self) -> usize {
        self.paths.len()
    }

    /// Interns a string.
    pub(super) fn text(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.strings.get(text) {
            return known.clone();
        }
        let made: Arc<str> = text.into();
        self.bytes += text.len() + OF_ENTRY;
        self.strings.insert(made.clone());
        made
    }

    /// The number of an answer. `leaving` is what its text leaves out.
    pub(super) fn answer(
        &mut self,
        key: u32,
        text: &str,
        leaving: Option<&Leaving>,
        is_fault: bool,
        place: Option<(&Path, u32)>,
    ) -> u32 {
        let place = place.map(|(path, line)| (self.path(path), line));
        let text = match leaving.and_then(|leaving| leaving.leave_out(text)) {
            Some((written, holes)) => Text::with_holes(self.text(&written), &holes),
            None => Text::whole(self.text(text)),
        };
        let number = u32::try_from(self.answers.len()).unwrap_or(u32::MAX);
        let known = (key, text, is_fault, place);
        if let Some(known) = self.answer_numbers.get(&known) {
            return *known;
        }
        let text = known.1.clone();
        self.bytes += 2 * (size_of::<Answer>() + text.bytes_of_holes()) + OF_ENTRY;
        self.answers.push(Answer { key, text, is_fault, place });
        self.answer_numbers.insert(known, number);
        number
    }
}

/// Names with their numbers.
#[derive(Default)]
struct Names {
    names: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, u32>,
}

impl Names {
    /// The number of a name, and how many bytes it takes if it is new.
    fn number(&mut self, name: &str) -> (u32, usize) {
        if let Some(known) = self.numbers.get(name) {
            return (*known, 0);
        }
        let made: Arc<str> = name.into();
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(made.clone());
        self.numbers.insert(made, number);
        (number, name.len() + OF_ENTRY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_equal_has_one_number() {
        let mut pool = Pool::default();
        let (one, other) = (pool.key("a"), pool.key("b"));
        assert_eq!((pool.key("a"), pool.keys()), (one, 2));
        let place = Some((Path::new("a.yaml"), 1));
        let answer = pool.answer(one, "1", None, false, place);
        let bytes = pool.bytes();
        assert_eq!(pool.answer(one, "1", None, false, place), answer);
        assert_eq!(pool.bytes(), bytes);
        assert_ne!(pool.answer(other, "1", None, false, place), answer);
        assert_ne!(pool.answer(one, "1", None, false, None), answer);
        assert_ne!(pool.answer(one, "1", None, true, place), answer);
    }

    #[test]
    fn answers_that_differ_in_a_variable_have_one_number() {
        let mut pool = Pool::default();
        let key = pool.key("a");
        let mut answer = |host: &str| {
            let leaving = Leaving::new(vec![(0, host.to_string())]);
            pool.answer(key, &format!("at {host}"), leaving.as_ref(), false, None)
        };
        assert_eq!(answer("web1"), answer("db01"));
    }
}
