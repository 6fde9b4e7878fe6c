//! [`Lists`]: many long lists that share most of their parts.
//!
//! A list of ids is divided into pieces, and equal pieces are stored once. Lists that are divided at the same ids
//! differ in few pieces, so thousands of lists with thousands of ids take little memory, and shared pieces are searched
//! once.

use std::sync::Arc;

use hieratic::value::ids::{Id, IndexVec, Interner, TooManyIds};

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

    /// Makes a list with an element for each piece.
    pub(super) fn map<'l, U>(&'l self, make: impl FnMut(&'l Arc<[T]>) -> U) -> IndexVec<P, U> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fleet::ids::{AnswerId, AnswerPieceId, KeyId};

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
