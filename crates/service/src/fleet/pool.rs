//! [`Pool`]: keys, values and files of all nodes, each kept once and known by a number.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use super::lists::Lists;

/// What one key has on some nodes.
pub(super) struct Answer {
    /// The key, by its number.
    pub(super) key: u32,
    /// As JSON on one line, with what is secret covered; the message of an error.
    pub(super) text: Arc<str>,
    pub(super) is_fault: bool,
    /// Where its first part is.
    pub(super) place: Option<(u32, u32)>,
}

/// What an answer is known by: its key, its value, whether it is a fault, and its place.
type Known = (u32, Arc<str>, bool, Option<(u32, u32)>);

/// What nodes are made of. It only grows, so that numbers stay what they are from one index to the next.
#[derive(Default)]
pub(super) struct Pool {
    keys: Names,
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

/// What a table takes for each entry beside what is in it, roughly.
const OF_ENTRY: usize = 48;

impl Pool {
    /// How many bytes all of it takes, roughly.
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

    /// How many keys there are.
    pub(super) fn keys(&self) -> usize {
        self.keys.names.len()
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

    /// How many files there are.
    pub(super) fn paths(&self) -> usize {
        self.paths.len()
    }

    /// A text that is kept once.
    pub(super) fn text(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.strings.get(text) {
            return known.clone();
        }
        let made: Arc<str> = text.into();
        self.bytes += text.len() + OF_ENTRY;
        self.strings.insert(made.clone());
        made
    }

    pub(super) fn answer(&mut self, key: u32, text: &str, is_fault: bool, place: Option<(&Path, u32)>) -> u32 {
        let place = place.map(|(path, line)| (self.path(path), line));
        let text = self.text(text);
        let number = u32::try_from(self.answers.len()).unwrap_or(u32::MAX);
        let known = *self.answer_numbers.entry((key, text.clone(), is_fault, place)).or_insert(number);
        if known == number {
            self.bytes += 2 * size_of::<Answer>() + OF_ENTRY;
            self.answers.push(Answer { key, text, is_fault, place });
        }
        known
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
        let answer = pool.answer(one, "1", false, place);
        let bytes = pool.bytes();
        assert_eq!(pool.answer(one, "1", false, place), answer);
        assert_eq!(pool.bytes(), bytes);
        assert_ne!(pool.answer(other, "1", false, place), answer);
        assert_ne!(pool.answer(one, "1", false, None), answer);
        assert_ne!(pool.answer(one, "1", true, place), answer);
    }
}
