//! [`Interner`]: assigns one id to equal values.

use std::borrow::Borrow;
use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;
use std::ops::Index;

use indexmap::IndexSet;

use super::index_vec::{known_id, wrong_id};
use super::{Id, IndexVec, TooManyIds};
use crate::collections::FixedState;

/// A table that assigns an id to each distinct value. It only grows.
pub struct Interner<I, T> {
    values: IndexSet<T, FixedState>,
    ids: PhantomData<fn(I)>,
}

impl<I: Id, T: Hash + Eq> Interner<I, T> {
    /// Returns the id of a value, and whether the value is new. `make` converts a new value to an owned one.
    ///
    /// # Errors
    /// The ids are exhausted.
    pub fn intern<'q, Q>(&mut self, value: &'q Q, make: impl FnOnce(&'q Q) -> T) -> Result<(I, bool), TooManyIds>
    where
        T: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        if let Some(index) = self.values.get_index_of(value) {
            return Ok((I::from_index(index)?, false));
        }
        let id = I::from_index(self.values.len())?;
        self.values.insert(make(value));
        Ok((id, true))
    }

    /// Returns the values with their ids, in order.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (I, &T)> {
        self.values.iter().enumerate().map(|(index, value)| (known_id(index), value))
    }

    /// Returns the values in order.
    pub fn into_values(self) -> impl ExactSizeIterator<Item = T> {
        self.values.into_iter()
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Creates a list with the result of `make` for each value.
    pub fn map<'v, U>(&'v self, make: impl FnMut(&'v T) -> U) -> IndexVec<I, U> {
        // Every value has an id.
        IndexVec::from_elements(self.values.iter().map(make)).unwrap_or_else(|error| unreachable!("{error}"))
    }
}

impl<I: Id, T> Index<I> for Interner<I, T> {
    type Output = T;

    #[track_caller]
    fn index(&self, id: I) -> &T {
        match self.values.get_index(id.index()) {
            Some(value) => value,
            None => wrong_id(id, self.values.len()),
        }
    }
}

impl<I, T> Default for Interner<I, T> {
    fn default() -> Interner<I, T> {
        Interner { values: IndexSet::default(), ids: PhantomData }
    }
}

impl<I, T: fmt::Debug> fmt::Debug for Interner<I, T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.values.fmt(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::define_ids! {
        struct KeyId: "keys";
    }

    #[test]
    fn equal_values_have_one_id() {
        let mut keys: Interner<KeyId, String> = Interner::default();
        let (one, is_new) = keys.intern("a", str::to_owned).unwrap();
        assert!(is_new);
        let (other, _) = keys.intern("b", str::to_owned).unwrap();
        assert_eq!(keys.intern("a", |_| unreachable!()).unwrap(), (one, false));
        assert_eq!((&*keys[one], &*keys[other], keys.len()), ("a", "b", 2));
        assert_eq!(keys.entries().map(|(id, key)| (id, &**key)).collect::<Vec<_>>(), [(one, "a"), (other, "b")]);
        assert_eq!(keys.map(String::len).ids().collect::<Vec<_>>(), [one, other]);
        assert_eq!(keys.into_values().collect::<Vec<_>>(), ["a", "b"]);
    }

    #[test]
    #[should_panic(expected = "KeyId(0) is not among 0 keys")]
    fn an_id_of_another_interner_is_reported() {
        let (id, _) = Interner::<KeyId, String>::default().intern("a", str::to_owned).unwrap();
        let _ = Interner::<KeyId, String>::default()[id];
    }
}
