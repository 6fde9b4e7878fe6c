//! [`OrderedRows`]: the rows of a group sorted by key, so that a query for one key reads one part of the file.

use hieratic::value::collections::HashMap;
use hieratic::value::ids::IndexVec;

use super::group::{DifferentId, GroupNode, ListId, NodeId};
use crate::rows::Row;
use std::sync::Arc;

/// Rows, sorted by key; those of a key are in the order of the nodes.
pub(super) struct OrderedRows {
    rows: Vec<OrderedRow>,
    /// For each key, the end of its rows.
    ends: Vec<usize>,
}

/// A row: the node, and the row among the different ones.
#[derive(Clone, Copy)]
pub(super) struct OrderedRow {
    pub(super) node: NodeId,
    pub(super) row: DifferentId,
}

impl OrderedRows {
    /// Sorts the rows of nodes.
    pub(super) fn new(
        nodes: &IndexVec<NodeId, GroupNode>,
        lists: &IndexVec<ListId, Vec<DifferentId>>,
        different: &IndexVec<DifferentId, Arc<Row>>,
    ) -> OrderedRows {
        let mut names: Vec<&str> = different.iter().map(|row| &*row.key).collect();
        names.sort_unstable();
        names.dedup();
        let numbers: HashMap<&str, usize> = names.iter().enumerate().map(|(number, name)| (*name, number)).collect();
        let key_of: IndexVec<DifferentId, usize> = different.map(|row| numbers[&*row.key]);
        let mut nodes_of_lists = IndexVec::from_elem(0, lists);
        nodes.iter().for_each(|node| nodes_of_lists[node.list] += 1);
        let mut ends = vec![0; names.len()];
        for (list, nodes) in lists.iter().zip(&nodes_of_lists) {
            list.iter().for_each(|row| ends[key_of[*row]] += nodes);
        }
        let mut begin = 0;
        for end in &mut ends {
            let count = std::mem::replace(end, begin);
            begin += count;
        }
        // Each begin moves to the end while the rows of its key are put there.
        let mut rows: Vec<Option<OrderedRow>> = vec![None; begin];
        for (id, node) in nodes.entries() {
            for row in &lists[node.list] {
                let at = &mut ends[key_of[*row]];
                rows[*at] = Some(OrderedRow { node: id, row: *row });
                *at += 1;
            }
        }
        OrderedRows { rows: rows.into_iter().flatten().collect(), ends }
    }

    /// Returns the rows of each key.
    pub(super) fn keys(&self) -> impl Iterator<Item = &[OrderedRow]> {
        let begins = [0].into_iter().chain(self.ends.iter().copied());
        begins.zip(&self.ends).map(|(begin, end)| &self.rows[begin..*end])
    }
}
