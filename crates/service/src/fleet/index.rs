//! [`Index`]: the searchable answers of all nodes.

use std::collections::{BTreeMap, HashSet};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hieratic::budget::Budget;
use hieratic::value::ids::{Id, IndexVec};
use hieratic::value::text::REDACTED;

use super::ids::{AnswerPieceId, ClassId, FilePieceId, NodeId, ValueId, VariableId};
use super::lists::IdLists;
use super::template::{Bindings, Template, Values};
use crate::fingerprint::EnvironmentFingerprint;
use crate::levels::LevelUse;
use crate::nodes::exhausted;
use crate::problem::Problem;

/// The maximum number of stored positions of a value.
pub(super) const MAX_POSITIONS: usize = 5;

/// The values of a key for some nodes, which differ in the values of variables at most.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) key: Arc<str>,
    /// JSON on one line, with redacted secrets; or the message of an error.
    pub(super) template: Template,
    pub(crate) is_error: bool,
    pub(super) positions: Vec<(Arc<Path>, u32)>,
    /// The pieces of answers that it is in.
    pub(super) pieces: Vec<AnswerPieceId>,
}

impl Row {
    /// Returns whether a part of the value is redacted. Such a value has no placeholders.
    pub(crate) fn is_redacted(&self) -> bool {
        self.template.literal().contains(REDACTED)
    }
}

/// A value that a key has for some nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    /// JSON on one line, with redacted secrets; or the message of an error.
    pub(crate) text: Arc<str>,
    pub(crate) is_error: bool,
    /// Some of the positions of the value.
    pub(crate) positions: Vec<(Arc<Path>, u32)>,
    /// The nodes, sorted.
    pub(crate) nodes: Vec<NodeId>,
}

impl Value {
    /// Sorts values by their strings, and merges equal ones.
    pub(super) fn merge_equal(mut values: Vec<Value>) -> Vec<Value> {
        values.sort_by(|one, other| (&one.text, one.is_error).cmp(&(&other.text, other.is_error)));
        let mut merged: Vec<Value> = Vec::with_capacity(values.len());
        for value in values {
            match merged.last_mut() {
                Some(last) if last.text == value.text && last.is_error == value.is_error => {
                    last.positions.extend(value.positions);
                    last.positions.sort_unstable();
                    last.positions.dedup();
                    last.positions.truncate(MAX_POSITIONS);
                    last.nodes.extend(value.nodes);
                    last.nodes.sort_unstable();
                }
                _ => merged.push(value),
            }
        }
        merged
    }
}

/// The values of the placeholders.
#[derive(Default)]
pub(super) struct TemplateBindings {
    pub(super) by_class: IndexVec<ClassId, Arc<Bindings>>,
    pub(super) values: Values,
    /// For each variable of a placeholder, its values in any class.
    pub(super) by_variable: BTreeMap<VariableId, Vec<ValueId>>,
}

impl TemplateBindings {
    pub(super) fn new(by_class: IndexVec<ClassId, Arc<Bindings>>, values: Values) -> TemplateBindings {
        let mut by_variable: BTreeMap<VariableId, Vec<ValueId>> = BTreeMap::new();
        for (variable, value) in by_class.iter().flat_map(|bindings| bindings.iter()) {
            by_variable.entry(*variable).or_default().push(*value);
        }
        for values in by_variable.values_mut() {
            values.sort_unstable();
            values.dedup();
        }
        TemplateBindings { by_class, values, by_variable }
    }
}

/// A file that nodes read.
pub(crate) struct File {
    pub(crate) path: Arc<Path>,
    /// The pieces of lists of files that it is in.
    pub(super) pieces: Vec<FilePieceId>,
}

/// The answers of the nodes of an environment that were read.
///
/// All its lists are of one state of the builder: the ids in one are those of the others.
#[derive(Default)]
pub(crate) struct Table {
    pub(super) finished: Option<Instant>,
    /// The time that reading took.
    pub(super) duration: Duration,
    /// The time that reading the nodes so far took.
    pub(crate) elapsed: Duration,
    /// The id of the open environment.
    pub(super) environment_id: u64,
    /// The fingerprint of the files before the first node was read.
    pub(super) fingerprint: EnvironmentFingerprint,
    /// The nodes that were read, sorted.
    pub(crate) nodes: IndexVec<NodeId, String>,
    /// The number of all nodes.
    pub(crate) all: usize,
    /// Whether there are too many answers to store.
    pub(crate) is_full: bool,
    /// The nodes that cannot be looked up, with the reason.
    pub(crate) faults: Vec<(String, String)>,
    /// Sorted by key and text.
    pub(super) rows: Vec<Row>,
    pub(super) bindings: TemplateBindings,
    /// The class of each node.
    pub(super) class_of: IndexVec<NodeId, ClassId>,
    /// The nodes of each class.
    pub(super) classes: IndexVec<ClassId, Vec<NodeId>>,
    /// The classes that have each piece of answers.
    pub(super) answers: IdLists<AnswerPieceId, ClassId>,
    /// The classes that have each piece of lists of files.
    pub(super) readers: IdLists<FilePieceId, ClassId>,
    pub(super) files: Vec<File>,
    /// Facts with their values, and the nodes that have them.
    pub(super) facts: BTreeMap<(Arc<str>, Arc<str>), Vec<NodeId>>,
    /// The levels of all hierarchies, the highest first.
    pub(crate) levels: Vec<LevelUse>,
}

/// The answers of all nodes of an environment, as far as they have been read.
pub(crate) struct Index {
    pub(super) table: Arc<Table>,
    /// Whether files have not changed since the nodes were read.
    pub(super) is_current: bool,
}

impl Deref for Index {
    type Target = Table;

    fn deref(&self) -> &Table {
        &self.table
    }
}

impl Index {
    /// Returns whether the index has every answer of every node, from the current files.
    pub(crate) fn is_complete(&self) -> bool {
        self.is_final() && !self.is_full
    }

    /// Returns whether another request would return no more answers.
    pub(crate) fn is_final(&self) -> bool {
        self.has_all_nodes() && self.is_current
    }
}

impl Table {
    /// Returns the number of nodes that were read or are unreadable.
    pub(crate) fn nodes_read(&self) -> usize {
        self.nodes.len() + self.faults.len()
    }

    /// Returns the time that reading the other nodes takes, if they take as long as those before.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        let read = u32::try_from(self.nodes_read()).ok().filter(|read| *read > 0)?;
        let rest = u32::try_from(self.all.saturating_sub(self.nodes_read())).ok()?;
        (!self.has_all_nodes()).then(|| self.elapsed / read * rest)
    }

    /// Returns whether all nodes were read, or as many as fit.
    pub(crate) fn has_all_nodes(&self) -> bool {
        self.finished.is_some()
    }

    pub(crate) fn class_of(&self, node: NodeId) -> ClassId {
        self.class_of[node]
    }

    /// Returns the nodes that are not among some, sorted.
    pub(crate) fn nodes_without<'n>(&self, nodes: impl Iterator<Item = &'n NodeId>) -> Vec<NodeId> {
        let mut is_among = IndexVec::from_elem(false, &self.nodes);
        nodes.for_each(|node| is_among[*node] = true);
        is_among.entries().filter(|(_, is_among)| !**is_among).map(|(node, _)| node).collect()
    }

    /// The nodes for which a key has a value of a row, sorted.
    pub(super) fn nodes_of(&self, row: &Row) -> Vec<NodeId> {
        self.members(&self.answers, &row.pieces)
    }

    /// The classes of these nodes.
    pub(super) fn classes_of(&self, row: &Row) -> impl Iterator<Item = ClassId> {
        row.pieces.iter().flat_map(|piece| &self.answers[*piece]).copied()
    }

    /// The nodes that read a file, sorted.
    pub(crate) fn readers_of(&self, file: &File) -> Vec<NodeId> {
        self.members(&self.readers, &file.pieces)
    }

    /// The nodes of each class, sorted.
    pub(crate) fn classes(&self) -> &IndexVec<ClassId, Vec<NodeId>> {
        &self.classes
    }

    /// The nodes of the classes that have some pieces, sorted. No class has two of them: an answer or a file is in it once.
    fn members<P: Id>(&self, classes_of: &IdLists<P, ClassId>, pieces: &[P]) -> Vec<NodeId> {
        let classes = pieces.iter().flat_map(|piece| &classes_of[*piece]);
        let mut nodes: Vec<NodeId> = classes.flat_map(|class| &self.classes[*class]).copied().collect();
        nodes.sort_unstable();
        nodes
    }

    /// The rows of each key.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &[Row]> {
        self.rows.chunk_by(|one, other| one.key == other.key)
    }

    /// The rows of a key.
    pub(crate) fn rows_of(&self, key: &str) -> &[Row] {
        let start = self.rows.partition_point(|row| &*row.key < key);
        let count = self.rows[start..].partition_point(|row| &*row.key == key);
        &self.rows[start..start + count]
    }

    /// The values of a key, sorted.
    ///
    /// # Errors
    /// They are more than the budget allows.
    pub(crate) fn values(&self, key: &str, budget: &Budget) -> Result<Vec<Value>, Problem> {
        let mut values = Vec::new();
        for row in self.rows_of(key) {
            if row.template.is_literal() {
                values.push(self.literal_value(row));
            } else {
                values.extend(self.render_row(row, budget, |_| true, |_| true)?);
            }
        }
        Ok(Value::merge_equal(values))
    }

    /// Counts the values of some rows of a key, and their nodes.
    ///
    /// # Errors
    /// The budget is exhausted.
    pub(crate) fn count(&self, rows: &[Row], budget: &Budget) -> Result<(usize, usize), Problem> {
        let hashes = RandomState::new();
        let mut values = HashSet::new();
        let mut nodes = 0;
        for row in rows {
            let mut insert_value = |parts: &mut dyn Iterator<Item = &str>| {
                let mut hasher = hashes.build_hasher();
                hasher.write_u8(row.is_error.into());
                parts.for_each(|part| hasher.write(part.as_bytes()));
                values.insert(hasher.finish());
            };
            if row.template.is_literal() {
                insert_value(&mut [&**row.template.literal()].into_iter());
            }
            for class in self.classes_of(row) {
                budget.step().map_err(exhausted)?;
                nodes += self.classes[class].len();
                if !row.template.is_literal() {
                    let bindings = &self.bindings.by_class[class];
                    insert_value(&mut row.template.rendered_parts(bindings, &self.bindings.values));
                }
            }
        }
        Ok((values.len(), nodes))
    }

    /// The files that are read.
    pub(crate) fn files(&self) -> &[File] {
        &self.files
    }

    pub(crate) fn facts(&self) -> impl Iterator<Item = (&str, &str, &[NodeId])> {
        self.facts.iter().map(|((name, value), nodes)| (&**name, &**value, nodes.as_slice()))
    }
}
