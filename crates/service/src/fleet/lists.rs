//! [`Lists`]: many long lists that share most of their parts, and [`IdLists`]: many short ones.
//!
//! A long list of ids is divided into pieces, and equal pieces are stored once. Lists that are divided at the same ids
//! differ in few pieces, so thousands of lists with thousands of ids take little memory, and shared pieces are searched
//! once.

use std::marker::PhantomData;
use std::ops::Index;
use std::sync::Arc;

#[cfg(test)]
use hieratic::value::ids::IndexVec;
use hieratic::value::ids::{Id, Interner, TooManyIds};

/// The number of neighboring groups in a piece, as a power of two. A list that differs from others in a few places has
/// another piece at each: large pieces repeat what is equal, and small ones make many of them.
const GROUP_BITS: u32 = 4;

/// Pieces of lists, each stored once. `P` is the id of a piece, and `T` that of an element.
pub(super) struct Lists<P, T> {
    pieces: Interner<P, Arc<[T]>>,
    bytes: usize,
}

impl<P, T> Default for Lists<P, T> {
    fn default() -> Lists<P, T> {
        Lists { pieces: Interner::default(), bytes: 0 }
    }
}

impl<P: Id, T: Id + 'static> Lists<P, T> {
    /// Returns the ids of the pieces of a list: pairs of a group, by which the list is sorted, and an element.
    pub(super) fn divide(&mut self, list: &[(impl Id, T)]) -> Result<Box<[P]>, TooManyIds> {
        list.chunk_by(|(one, _), (other, _)| one.as_u32() >> GROUP_BITS == other.as_u32() >> GROUP_BITS)
            .map(|piece| self.piece(piece.iter().map(|(_, element)| *element).collect()))
            .collect()
    }

    fn piece(&mut self, elements: Vec<T>) -> Result<P, TooManyIds> {
        let (id, is_new) = self.pieces.intern(elements.as_slice(), Arc::from)?;
        if is_new {
            // The overhead: a reference, the entry of the table and the reference count.
            self.bytes += size_of_val(elements.as_slice()) + 64;
        }
        Ok(id)
    }

    /// Returns the number of pieces.
    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Makes a list with an element for each piece.
    #[cfg(test)]
    fn map<'l, U>(&'l self, make: impl FnMut(&'l Arc<[T]>) -> U) -> IndexVec<P, U> {
        self.pieces.map(make)
    }

    /// Returns the pieces with their elements.
    pub(super) fn entries(&self) -> impl Iterator<Item = (P, &[T])> {
        self.pieces.entries().map(|(id, piece)| (id, &**piece))
    }

    /// Returns the approximate size of all pieces, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

/// A list of ids for each of many ids, all in one piece of memory: most have one or two elements.
pub(super) struct IdLists<K, T> {
    /// The end of each list among the elements; it begins where the one before ends.
    ends: Vec<usize>,
    elements: Vec<T>,
    keys: PhantomData<fn(K)>,
}

impl<K, T> Default for IdLists<K, T> {
    fn default() -> IdLists<K, T> {
        IdLists { ends: Vec::new(), elements: Vec::new(), keys: PhantomData }
    }
}

impl<K: Id, T: Copy> IdLists<K, T> {
    /// Groups pairs by their first ids, of which there are `count`. Each list is in the order of the pairs, which are walked twice.
    pub(super) fn grouped<I: Iterator<Item = (K, T)>>(count: usize, pairs: impl Fn() -> I) -> IdLists<K, T> {
        let mut ends = vec![0; count];
        pairs().for_each(|(key, _)| ends[key.index()] += 1);
        let mut all = 0;
        for end in &mut ends {
            // The place of the next element of the list, which becomes its end.
            all += std::mem::replace(end, all);
        }
        let Some((_, any)) = pairs().next() else { return IdLists { ends, ..IdLists::default() } };
        let mut elements = vec![any; all];
        for (key, element) in pairs() {
            let next = &mut ends[key.index()];
            elements[*next] = element;
            *next += 1;
        }
        IdLists { ends, elements, keys: PhantomData }
    }

    /// Joins lists, one for each id.
    pub(super) fn from_lists(lists: impl IntoIterator<Item = Vec<T>>) -> IdLists<K, T> {
        let mut joined = IdLists::default();
        for list in lists {
            joined.elements.extend(list);
            joined.ends.push(joined.elements.len());
        }
        joined
    }

    /// Returns the number of lists.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the lists in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[T]> {
        (0..self.len()).map(|index| self.list(index))
    }

    fn list(&self, index: usize) -> &[T] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.elements[start..self.ends[index]]
    }
}

impl<K: Id, T: Copy> Index<K> for IdLists<K, T> {
    type Output = [T];

    fn index(&self, key: K) -> &[T] {
        self.list(key.index())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fleet::ids::{AnswerId, AnswerPieceId, KeyId};

    #[test]
    fn pairs_are_grouped_in_their_order() {
        let id = |index: usize| KeyId::from_index(index).unwrap();
        let pairs = [(3, 'a'), (1, 'b'), (3, 'c'), (0, 'd')];
        let lists = IdLists::grouped(5, || pairs.iter().map(|(key, element)| (id(*key), *element)));
        let all: Vec<String> = lists.iter().map(|list| list.iter().collect()).collect();
        assert_eq!(all, ["d", "b", "", "ac", ""]);
        assert_eq!((&lists[id(3)], lists.len()), (&['a', 'c'][..], 5));
        let joined: IdLists<KeyId, char> = IdLists::from_lists(all.iter().map(|list| list.chars().collect()));
        assert!(joined.iter().eq(lists.iter()));
        assert_eq!(IdLists::<KeyId, char>::grouped(2, std::iter::empty).iter().map(<[char]>::len).sum::<usize>(), 0);
    }

    #[test]
    fn lists_share_the_pieces_that_they_have_in_common() {
        let mut lists: Lists<AnswerPieceId, AnswerId> = Lists::default();
        let mut list: Vec<(KeyId, AnswerId)> = (0..2000)
            .map(|index| (KeyId::from_index(index).unwrap(), AnswerId::from_index(index + 7).unwrap()))
            .collect();
        let first = lists.divide(&list).unwrap();
        let (pieces, bytes) = (lists.entries().count(), lists.bytes());
        assert_eq!(lists.divide(&list).unwrap(), first);
        assert_eq!((lists.entries().count(), lists.bytes()), (pieces, bytes));
        list[1000].1 = AnswerId::from_index(5000).unwrap();
        let second = lists.divide(&list).unwrap();
        assert_eq!(lists.entries().count(), pieces + 1);
        assert!(lists.bytes() - bytes < 400, "one piece is new");
        let elements = lists.map(|piece| piece.to_vec());
        let whole: Vec<AnswerId> = second.iter().flat_map(|piece| elements[*piece].clone()).collect();
        assert_eq!(whole, list.iter().map(|(_, element)| *element).collect::<Vec<_>>());
    }
}
