//! Traverses a tree in the order of its output, without recursion.

use std::iter::Peekable;

use crate::{Scalar, Tree, View};

/// A collection that is being gone through.
pub(super) enum OpenCollection<T: Tree> {
    /// The rest of an array.
    Array(Peekable<T::Elements>),
    /// The rest of a hash, and the value of the last key.
    Hash(Peekable<T::Pairs>, Option<T>),
    /// The content of a Sensitive value, unless it came already.
    Sensitive(Option<T>),
}

impl<T: Tree> OpenCollection<T> {
    /// Opens a collection. A leaf is returned as the error.
    pub(super) fn from_view(view: View<'_, T>) -> Result<OpenCollection<T>, Scalar<'_>> {
        match view {
            View::Scalar(leaf) => Err(leaf),
            View::Sensitive(inner) => Ok(OpenCollection::Sensitive(Some(inner))),
            View::Array(elements) => Ok(OpenCollection::Array(elements.peekable())),
            View::Hash(pairs) => Ok(OpenCollection::Hash(pairs.peekable(), None)),
        }
    }

    /// Returns whether nothing is inside.
    pub(super) fn is_empty(&mut self) -> bool {
        match self {
            OpenCollection::Array(elements) => elements.peek().is_none(),
            OpenCollection::Hash(pairs, None) => pairs.peek().is_none(),
            OpenCollection::Hash(..) | OpenCollection::Sensitive(_) => false,
        }
    }

    /// The next node inside: of a hash the key, then its value.
    pub(super) fn next(&mut self) -> Option<T> {
        match self {
            OpenCollection::Array(elements) => elements.next(),
            OpenCollection::Sensitive(inner) => inner.take(),
            OpenCollection::Hash(pairs, value) => {
                if let Some(value) = value.take() {
                    return Some(value);
                }
                let (key, next) = pairs.next()?;
                *value = Some(next);
                Some(key)
            }
        }
    }
}
