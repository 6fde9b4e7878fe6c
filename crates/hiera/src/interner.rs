//! [`KeyInterner`]: an interner, which assigns an id to each key of the shared files.
//!
//! The [indexes](crate::shared_index::SharedIndex) of shared files can be hundreds. Each is a list addressed by key id.
//! A key is therefore parsed and hashed once per lookup, in one table that stays in the processor's caches.

use std::sync::atomic::{AtomicU32, Ordering};

use hieratic_value::collections::FixedState;
use hieratic_value::ids::Id as _;
use hieratic_value::{Str, Value, define_ids};
use papaya::{Guard, LocalGuard};

use crate::key::Key;

/// The maximum number of ids. Files with further keys get no index.
const MAX_IDS: u32 = 1 << 18;

define_ids! {
    /// The id of a key, the same in all indexes.
    pub(crate) struct KeyId: "keys";
}

/// The interner, which never drops a key.
#[derive(Debug, Default)]
pub(crate) struct KeyInterner {
    known: papaya::HashMap<Str, InternedKey, FixedState>,
    count: AtomicU32,
}

#[derive(Debug)]
struct InternedKey {
    id: KeyId,
    /// The parsed key, if the string looks up exactly this key: `a.b` looks up a part of `a`.
    question: Option<Key>,
}

impl KeyInterner {
    /// Keeps borrowed keys alive.
    pub(crate) fn guard(&self) -> LocalGuard<'_> {
        self.known.guard()
    }

    /// The number of ids.
    pub(crate) fn count(&self) -> usize {
        self.count.load(Ordering::Acquire) as usize
    }

    /// Returns the parsed key of a string, if its root has an id and is all of the string.
    pub(crate) fn parsed_key<'g>(&self, text: &str, guard: &'g impl Guard) -> Option<&'g Key> {
        self.known.get(text, guard)?.question.as_ref()
    }

    /// Returns the id of a key's root.
    pub(crate) fn id_of(&self, key: &Key) -> Option<KeyId> {
        key.id().or_else(|| Some(self.known.get(&**key.root(), &self.guard())?.id))
    }

    /// Returns the ids of the keys of a file, in order: `None` for a key that is not a string, and `None` in all if the
    /// ids are exhausted.
    pub(crate) fn intern_all<'k>(&self, keys: impl Iterator<Item = &'k Value>) -> Option<Box<[Option<KeyId>]>> {
        let guard = self.guard();
        let id = |key: &Value| match key {
            Value::String(text) => self.intern(text, &guard).map(Some),
            _ => Some(None),
        };
        keys.map(id).collect()
    }

    /// Returns the id of a string, and assigns one if it has none.
    fn intern(&self, text: &Str, guard: &impl Guard) -> Option<KeyId> {
        if let Some(known) = self.known.get(text, guard) {
            return Some(known.id);
        }
        let index = self
            .count
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |count| (count < MAX_IDS).then_some(count + 1))
            // The ids are exhausted: the string gets none and is looked up separately.
            .ok()?;
        let id = KeyId::from_index(index as usize).ok()?;
        // A string that is not a key is never looked up.
        let question = Key::parse(text).ok().filter(|key| key.root() == text && key.segments().is_empty());
        let result = InternedKey { id, question: question.map(|key| key.with_id(id)) };
        // If another thread assigns one at the same time, this id stays unused.
        Some(self.known.get_or_insert(text.clone(), result, guard).id)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_key_has_one_id_wherever_it_is() {
        let interner = KeyInterner::default();
        let one = interner.intern_all(["a".into(), Value::Integer(1), "b".into()].iter()).unwrap();
        let two = interner.intern_all(["b".into(), "c".into(), "a".into()].iter()).unwrap();
        let [a, b, c] = [0, 1, 2].map(|index| KeyId::from_index(index).ok());
        assert_eq!((&*one, &*two), (&[a, None, b][..], &[b, c, a][..]));
        assert_eq!(interner.count(), 3);
        assert_eq!(interner.id_of(&Key::parse("c.d.0").unwrap()), c);
        assert_eq!(interner.id_of(&Key::parse("d").unwrap()), None);
    }

    #[test]
    fn a_text_asks_for_the_key_that_it_is_read_as() {
        let interner = KeyInterner::default();
        interner.intern_all(["a".into(), "a.b".into(), "m::c".into(), "'".into()].iter()).unwrap();
        let guard = interner.guard();
        for text in ["a", "m::c"] {
            let known = interner.parsed_key(text, &guard).unwrap();
            let read = Key::parse(text).unwrap();
            assert_eq!((known.text(), known.root(), known.module()), (read.text(), read.root(), read.module()));
            assert_eq!(known.id(), interner.id_of(&read));
        }
        for text in ["a.b", "'", "'a'", "x"] {
            assert!(interner.parsed_key(text, &guard).is_none(), "{text}");
        }
        // A key with a dot needs quotes.
        assert_eq!(interner.id_of(&Key::parse("'a.b'").unwrap()), KeyId::from_index(1).ok());
    }
}
