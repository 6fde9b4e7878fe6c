//! [`Index`]: what is known of all nodes, to be searched.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::levels::LevelUse;
use crate::stamps::Stamp;

/// A value that a key has for some nodes.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) key: Arc<str>,
    /// As JSON on one line, with what is secret covered; the message of an error.
    pub(crate) text: Arc<str>,
    pub(crate) is_fault: bool,
    pub(crate) places: Vec<(Arc<Path>, u32)>,
    /// The pieces of answers that it is in.
    pub(super) pieces: Vec<u32>,
}

/// A file that nodes read.
pub(crate) struct File {
    pub(crate) path: Arc<Path>,
    /// The pieces of lists of files that it is in.
    pub(super) pieces: Vec<u32>,
}

/// What was read of all nodes of an environment.
#[derive(Default)]
pub(crate) struct Table {
    pub(super) made: Option<Instant>,
    /// How long it took.
    pub(super) took: Duration,
    /// The opening of the environment that was asked.
    pub(super) number: u64,
    /// What the files looked like before the first node was read.
    pub(super) stamp: Stamp,
    /// The nodes that were read, sorted.
    pub(crate) nodes: Vec<String>,
    /// How many nodes there are.
    pub(crate) all: usize,
    /// Whether there are too many answers to keep.
    pub(crate) is_full: bool,
    /// The nodes that cannot be asked, with the reason.
    pub(crate) faults: Vec<(String, String)>,
    /// Sorted by key and value.
    pub(crate) rows: Vec<Row>,
    /// The nodes of each class.
    pub(super) classes: Vec<Vec<u32>>,
    /// The classes that have each piece of answers.
    pub(super) answers: Vec<Vec<u32>>,
    /// The classes that have each piece of lists of files.
    pub(super) readers: Vec<Vec<u32>>,
    pub(super) files: Vec<File>,
    /// Facts with their values, and the nodes that have them.
    pub(super) facts: BTreeMap<(Arc<str>, Arc<str>), Vec<u32>>,
    /// The levels of all hierarchies, the highest first.
    pub(crate) levels: Vec<LevelUse>,
}

/// What is known of all nodes of an environment.
pub(crate) struct Index {
    pub(super) table: Arc<Table>,
    /// Whether files are as they were when the nodes were read.
    pub(super) is_current: bool,
}

impl Deref for Index {
    type Target = Table;

    fn deref(&self) -> &Table {
        &self.table
    }
}

impl Index {
    /// Whether every answer of every node is here, from the files as they are.
    pub(crate) fn is_complete(&self) -> bool {
        self.is_settled() && !self.is_full
    }

    /// Whether asking again brings nothing more.
    pub(crate) fn is_settled(&self) -> bool {
        self.is_whole() && self.is_current
    }
}

impl Table {
    /// How many nodes were read, or cannot be.
    pub(crate) fn read(&self) -> usize {
        self.nodes.len() + self.faults.len()
    }

    /// Whether all nodes were read, or as many as can be kept.
    pub(crate) fn is_whole(&self) -> bool {
        self.made.is_some()
    }

    pub(crate) fn node(&self, number: u32) -> &str {
        self.nodes.get(number as usize).map_or("", String::as_str)
    }

    /// The nodes for which a key has a value, sorted.
    pub(crate) fn nodes_of(&self, row: &Row) -> Vec<u32> {
        self.members(&self.answers, &row.pieces)
    }

    /// For how many nodes a key has a value.
    pub(crate) fn count_of(&self, row: &Row) -> usize {
        self.classes_with(&self.answers, &row.pieces).map(Vec::len).sum()
    }

    /// The nodes that read a file, sorted.
    pub(crate) fn readers_of(&self, file: &File) -> Vec<u32> {
        self.members(&self.readers, &file.pieces)
    }

    /// The nodes of each class, sorted.
    pub(crate) fn classes(&self) -> &[Vec<u32>] {
        &self.classes
    }

    /// The nodes of the classes that have some pieces, sorted. No class has two of them: an answer or a file is in it once.
    fn members(&self, of: &[Vec<u32>], pieces: &[u32]) -> Vec<u32> {
        let mut nodes: Vec<u32> = self.classes_with(of, pieces).flatten().copied().collect();
        nodes.sort_unstable();
        nodes
    }

    fn classes_with<'i>(&'i self, of: &'i [Vec<u32>], pieces: &'i [u32]) -> impl Iterator<Item = &'i Vec<u32>> {
        let classes = pieces.iter().filter_map(|piece| of.get(*piece as usize)).flatten();
        classes.filter_map(|class| self.classes.get(*class as usize))
    }

    /// The values of a key.
    pub(crate) fn values(&self, key: &str) -> &[Row] {
        let start = self.rows.partition_point(|row| &*row.key < key);
        let count = self.rows[start..].partition_point(|row| &*row.key == key);
        &self.rows[start..start + count]
    }

    /// The files that are read.
    pub(crate) fn files(&self) -> &[File] {
        &self.files
    }

    pub(crate) fn facts(&self) -> impl Iterator<Item = (&str, &str, &[u32])> {
        self.facts.iter().map(|((name, value), nodes)| (&**name, &**value, nodes.as_slice()))
    }
}
