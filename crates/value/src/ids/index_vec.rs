//! [`IndexVec`]: a list that is indexed by one kind of ids.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use super::{Id, TooManyIds};

/// A list with an element for each id of one kind. It only grows.
pub struct IndexVec<I, T> {
    elements: Vec<T>,
    ids: PhantomData<fn(I)>,
}

impl<I: Id, T> IndexVec<I, T> {
    /// Creates an empty list.
    pub fn new() -> IndexVec<I, T> {
        IndexVec::default()
    }

    /// Creates a list with a copy of an element for each element of another list.
    pub fn from_elem<U>(element: T, others: &IndexVec<I, U>) -> IndexVec<I, T>
    where
        T: Clone,
    {
        IndexVec { elements: vec![element; others.len()], ids: PhantomData }
    }

    /// Collects elements.
    ///
    /// # Errors
    /// There are more than [`MAX_IDS`](super::MAX_IDS) elements.
    pub fn from_elements(elements: impl IntoIterator<Item = T>) -> Result<IndexVec<I, T>, TooManyIds> {
        let elements: Vec<T> = elements.into_iter().collect();
        if let Some(last) = elements.len().checked_sub(1) {
            I::from_index(last)?;
        }
        Ok(IndexVec { elements, ids: PhantomData })
    }

    /// Adds an element, and returns its id.
    ///
    /// # Errors
    /// The ids are exhausted. The list is unchanged.
    pub fn push(&mut self, element: T) -> Result<I, TooManyIds> {
        let id = I::from_index(self.elements.len())?;
        self.elements.push(element);
        Ok(id)
    }

    /// Returns the element of an id. If the id is newer than the list, the list first grows with copies of `element`.
    pub fn get_or_grow(&mut self, id: I, element: T) -> &mut T
    where
        T: Clone,
    {
        if id.index() >= self.elements.len() {
            self.elements.resize(id.index() + 1, element);
        }
        &mut self.elements[id.index()]
    }

    /// Returns the element of an id, or `None` if the id is newer than the list. Use [indexing](Self::index) for ids
    /// that must exist.
    pub fn get(&self, id: I) -> Option<&T> {
        self.elements.get(id.index())
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Returns whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// Returns the last element.
    pub fn last(&self) -> Option<&T> {
        self.elements.last()
    }

    /// Returns the elements, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.elements.iter()
    }

    /// Returns mutable references to the elements, in order.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.elements.iter_mut()
    }

    /// Returns the ids, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.elements.len()).map(known_id)
    }

    /// Returns the elements with their ids, in order.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.elements.iter().enumerate().map(|(index, element)| (known_id(index), element))
    }

    /// Returns the elements with their ids, in order.
    pub fn into_entries(self) -> impl DoubleEndedIterator<Item = (I, T)> + ExactSizeIterator {
        self.elements.into_iter().enumerate().map(|(index, element)| (known_id(index), element))
    }

    /// Creates a list with the result of `make` for each element.
    pub fn map<'v, U>(&'v self, make: impl FnMut(&'v T) -> U) -> IndexVec<I, U> {
        IndexVec { elements: self.elements.iter().map(make).collect(), ids: PhantomData }
    }
}

/// Returns the id of a position that a list has.
pub(super) fn known_id<I: Id>(index: usize) -> I {
    // A list is made with as many elements as ids, and gets further ones with their ids.
    I::from_index(index).unwrap_or_else(|error| unreachable!("{error}"))
}

impl<I: Id, T> Index<I> for IndexVec<I, T> {
    type Output = T;

    #[track_caller]
    fn index(&self, id: I) -> &T {
        match self.elements.get(id.index()) {
            Some(element) => element,
            None => wrong_id(id, self.elements.len()),
        }
    }
}

impl<I: Id, T> IndexMut<I> for IndexVec<I, T> {
    #[track_caller]
    fn index_mut(&mut self, id: I) -> &mut T {
        let count = self.elements.len();
        match self.elements.get_mut(id.index()) {
            Some(element) => element,
            None => wrong_id(id, count),
        }
    }
}

/// Reports an id of another list.
#[cold]
#[track_caller]
pub(super) fn wrong_id<I: Id>(id: I, count: usize) -> ! {
    panic!("{id:?} is not among {count} {}", I::ELEMENTS)
}

impl<I, T> Default for IndexVec<I, T> {
    fn default() -> IndexVec<I, T> {
        IndexVec { elements: Vec::new(), ids: PhantomData }
    }
}

impl<I, T: Clone> Clone for IndexVec<I, T> {
    fn clone(&self) -> IndexVec<I, T> {
        IndexVec { elements: self.elements.clone(), ids: PhantomData }
    }
}

impl<I, T: PartialEq> PartialEq for IndexVec<I, T> {
    fn eq(&self, other: &IndexVec<I, T>) -> bool {
        self.elements == other.elements
    }
}

impl<I, T: Eq> Eq for IndexVec<I, T> {}

impl<I, T: fmt::Debug> fmt::Debug for IndexVec<I, T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.elements.fmt(out)
    }
}

impl<'v, I: Id, T> IntoIterator for &'v IndexVec<I, T> {
    type Item = &'v T;
    type IntoIter = std::slice::Iter<'v, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<I, T> IntoIterator for IndexVec<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.elements.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::define_ids! {
        struct NodeId: "nodes";
    }

    #[test]
    fn lists_of_one_kind_have_the_same_ids() {
        let mut names: IndexVec<NodeId, &str> = IndexVec::from_elements(["a", "b"]).unwrap();
        let mut lengths = names.map(|name| name.len());
        let last = names.push("ccc").unwrap();
        assert_eq!(lengths.get(last), None);
        *lengths.get_or_grow(last, 0) += 3;
        assert_eq!(lengths.get_or_grow(names.ids().next().unwrap(), 9), &1);
        assert_eq!(lengths.iter().copied().collect::<Vec<_>>(), [1, 1, 3]);
        assert_eq!(names.ids().map(|id| names[id]).collect::<Vec<_>>(), ["a", "b", "ccc"]);
        assert_eq!(names.entries().next_back(), Some((last, &"ccc")));
        assert_eq!(IndexVec::from_elem('x', &names).into_entries().next_back(), Some((last, 'x')));
    }

    #[test]
    #[should_panic(expected = "NodeId(1) is not among 1 nodes")]
    fn an_id_of_another_list_is_reported() {
        let others: IndexVec<NodeId, u8> = IndexVec::from_elements([1, 2]).unwrap();
        let few: IndexVec<NodeId, u8> = IndexVec::from_elements([1]).unwrap();
        others.ids().for_each(|id| assert_eq!(few[id], 1));
    }
}
