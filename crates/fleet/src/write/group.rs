//! [`Group`]: the rows of a row group.
//!
//! Nodes share most of their rows, and a group stores each distinct row once. Nodes of a class have the same list of
//! rows, and a group stores each distinct list once.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use hieratic::value::Str;
use hieratic::value::collections::HashMap;
use hieratic::value::define_ids;
use hieratic::value::ids::{IndexVec, TooManyIds};

use super::order::OrderedRows;
use crate::inserted::NodeTexts;
use crate::rows::{NodeRows, Row, RowId, Rows};

/// The maximum size of the different rows and lists of a group, in bytes. A larger group is written.
const MAX_BYTES: usize = 192 << 20;

/// The maximum number of lists that are found by their addresses, which keeps them in memory.
const MAX_HELD: usize = 4096;

/// The approximate size of a node of a group, in bytes.
const NODE_BYTES: usize = 160;

define_ids! {
    /// The id of a node of a group.
    pub(super) struct NodeId: "nodes of a row group";
    /// The id of a row among the different ones of a group.
    pub(super) struct DifferentId: "different rows of a row group";
    /// The id of a list of rows.
    pub(super) struct ListId: "lists of rows";
    /// The id of the strings of nodes of a class.
    pub(super) struct TextsId: "strings of classes";
}

/// A node of a group.
pub(super) struct GroupNode {
    pub(super) name: String,
    /// Its chosen facts as JSON.
    pub(super) facts: Option<Str>,
    /// Its rows.
    pub(super) list: ListId,
    /// The strings that complete them.
    pub(super) texts: TextsId,
}

/// Rows that are written together.
#[derive(Default)]
pub(crate) struct Group {
    pub(super) nodes: IndexVec<NodeId, GroupNode>,
    /// The different rows.
    pub(super) different: IndexVec<DifferentId, Arc<Row>>,
    known: HashMap<RowId, DifferentId>,
    /// The different lists of rows.
    lists: IndexVec<ListId, Vec<DifferentId>>,
    /// The strings of the nodes. Those of a class share them.
    pub(super) texts: IndexVec<TextsId, Arc<NodeTexts>>,
    /// The strings by their address.
    known_texts: HashMap<usize, TextsId>,
    known_lists: HashMap<Vec<DifferentId>, ListId>,
    /// The list of a node's rows, by their address and range.
    by_address: HashMap<(usize, usize, usize), ListId>,
    /// Keeps the addresses of the lists in use.
    retained: Vec<Rows>,
    bytes: usize,
    /// The number of rows.
    pub(super) count: usize,
}

impl Group {
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns whether the group must be written, for this target size.
    pub(super) fn is_full(&self, size: usize) -> bool {
        self.count >= size || self.bytes >= MAX_BYTES
    }

    /// Adds rows of a node after the first `done`, until the group is full. Returns the number of rows that are then
    /// done.
    ///
    /// # Errors
    /// There are too many nodes or rows.
    pub(super) fn take(&mut self, node: &str, rows: &NodeRows, done: usize, size: usize) -> Result<usize, TooManyIds> {
        let end = rows.rows.len().min(done + (size - self.count));
        let list = self.list(&rows.rows, done, end)?;
        let count = self.lists[list].len();
        let texts = match self.known_texts.entry(Arc::as_ptr(&rows.texts).addr()) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => *new.insert(self.texts.push(rows.texts.clone())?),
        };
        self.nodes.push(GroupNode { name: node.to_owned(), facts: rows.facts.clone(), list, texts })?;
        self.bytes += NODE_BYTES + node.len() + rows.facts.as_ref().map_or(0, |facts| facts.len());
        self.count += count;
        Ok(done + count)
    }

    /// Returns the list of some rows, or of the first ones if the group is full then.
    fn list(&mut self, rows: &Rows, start: usize, end: usize) -> Result<ListId, TooManyIds> {
        let address = (rows.as_ptr() as usize, start, end);
        if let Some(known) = self.by_address.get(&address) {
            return Ok(*known);
        }
        let mut list = Vec::with_capacity(end - start);
        for row in &rows[start..end] {
            if self.bytes >= MAX_BYTES {
                break;
            }
            list.push(match self.known.entry(row.id) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => {
                    self.bytes += row.size();
                    *new.insert(self.different.push(row.clone())?)
                }
            });
        }
        let id = match self.known_lists.get(&list) {
            Some(known) => *known,
            None => {
                self.bytes += 2 * size_of_val(list.as_slice());
                let id = self.lists.push(list.clone())?;
                self.known_lists.insert(list, id);
                id
            }
        };
        if self.retained.len() < MAX_HELD {
            self.retained.push(rows.clone());
            self.by_address.insert(address, id);
        }
        Ok(id)
    }

    /// Returns the rows by key.
    pub(super) fn ordered(&self) -> OrderedRows {
        OrderedRows::new(&self.nodes, &self.lists, &self.different)
    }
}
