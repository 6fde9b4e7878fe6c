//! [`Lists`]: many long lists that have most of their parts in common.
//!
//! A list of ids is divided into pieces, and equal pieces are stored once. Lists that are divided at the same ids
//! differ in few pieces, so thousands of lists with thousands of ids take little memory, and shared pieces are searched
//! once.

use std::collections::HashMap;
use std::sync::Arc;

/// The number of neighboring groups in a piece, as a power of two.
const GROUP_BITS: u32 = 6;

/// Pieces of lists, each stored once.
#[derive(Default)]
pub(super) struct Lists {
    pieces: Vec<Arc<[u32]>>,
    known: HashMap<Arc<[u32]>, u32>,
    bytes: usize,
}

impl Lists {
    /// Returns the ids of the pieces of a list: pairs of a group, by which the list is sorted, and an element.
    pub(super) fn divide(&mut self, list: &[(u32, u32)]) -> Box<[u32]> {
        list.chunk_by(|one, other| one.0 >> GROUP_BITS == other.0 >> GROUP_BITS)
            .map(|piece| self.piece(piece))
            .collect()
    }

    fn piece(&mut self, piece: &[(u32, u32)]) -> u32 {
        let piece: Vec<u32> = piece.iter().map(|(_, item)| *item).collect();
        if let Some(known) = self.known.get(piece.as_slice()) {
            return *known;
        }
        let id = u32::try_from(self.pieces.len()).unwrap_or(u32::MAX);
        // The overhead: two references, an id, the entry of the table and the reference count.
        self.bytes += piece.len() * size_of::<u32>() + 80;
        let piece: Arc<[u32]> = piece.into();
        self.pieces.push(piece.clone());
        self.known.insert(piece, id);
        id
    }

    pub(super) fn piece_of(&self, id: u32) -> &[u32] {
        self.pieces.get(id as usize).map_or(&[], |piece| piece)
    }

    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Returns the approximate size of all pieces, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_share_the_pieces_that_they_have_in_common() {
        let mut lists = Lists::default();
        let mut list: Vec<(u32, u32)> = (0..2000).map(|id| (id, id + 7)).collect();
        let first = lists.divide(&list);
        let (pieces, bytes) = (lists.len(), lists.bytes());
        assert_eq!(lists.divide(&list), first);
        assert_eq!((lists.len(), lists.bytes()), (pieces, bytes));
        list[1000].1 = 5000;
        let second = lists.divide(&list);
        assert_eq!(lists.len(), pieces + 1);
        assert!(lists.bytes() - bytes < 400, "one piece is new");
        let whole: Vec<u32> = second.iter().flat_map(|piece| lists.piece_of(*piece)).copied().collect();
        assert_eq!(whole, list.iter().map(|(_, item)| *item).collect::<Vec<u32>>());
    }
}
