//! [`Row`]: the answer for a key, without the node.

use std::hash::BuildHasher as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hieratic::value::collections::FixedState;
use hieratic::value::{Str, Value};

use crate::inserted::{NodeTexts, RowText};

/// The rows of a node, sorted by key. Nodes share equal rows.
pub type Rows = Arc<[Arc<Row>]>;

/// The rows of a node, some of which are completed with the node's own strings.
#[derive(Clone, Debug)]
pub(crate) struct NodeRows {
    /// Sorted by key.
    pub(crate) rows: Rows,
    pub(crate) texts: Arc<NodeTexts>,
    /// The chosen facts of the node as JSON, if some are chosen.
    pub(crate) facts: Option<Str>,
}

impl From<Rows> for NodeRows {
    fn from(rows: Rows) -> NodeRows {
        NodeRows { rows, texts: Arc::default(), facts: None }
    }
}

impl NodeRows {
    /// Returns the approximate size of the list and of the rows that no other list has, in bytes.
    pub(crate) fn unshared_size(&self) -> usize {
        let own = self.rows.iter().filter(|row| Arc::strong_count(row) == 1);
        size_of_val(&*self.rows) + own.map(|row| row.size()).sum::<usize>()
    }

    /// Returns the rows with their values.
    pub(crate) fn completed(&self) -> Rows {
        if self.rows.iter().all(|row| row.text.is_none()) {
            return self.rows.clone();
        }
        let complete = |row: &Arc<Row>| match &row.text {
            Some(text) => Arc::new(Row::completed(row, self.texts.cell(text))),
            None => row.clone(),
        };
        self.rows.iter().map(complete).collect()
    }
}

/// The answer for a key.
#[derive(Debug)]
pub struct Row {
    pub(crate) id: RowId,
    /// The hashes of its strings.
    pub(crate) hashes: Hashes,
    /// The key.
    pub key: Str,
    /// The value, or the error of the lookup.
    pub answer: Result<Cell, String>,
    /// The file that the value comes from, relative to the root of the repository if it is below. `None` for a value
    /// from several files or without a file.
    pub file: Option<Str>,
    /// The line in this file, counted from 1.
    pub line: Option<u32>,
    /// The name of the level of the file.
    pub level: Option<Str>,
    /// The layer of the level: `global`, `environment` or `module`.
    pub layer: Option<Str>,
    /// The merge strategy, if the value has several origins.
    pub merge: Option<Str>,
    /// The parts of a value with several origins, as JSON: a list of objects with `part`, `file`, `line` and `level`.
    pub contributions: Option<Str>,
    /// Whether a part of the value is secret. It is redacted unless the options reveal secrets.
    pub secret: bool,
    /// The value as a string with variables, if nodes share the row. Then `answer` is the value of one of them.
    pub(crate) text: Option<Box<RowText>>,
    /// The position of the first part of the value, or of the error.
    pub(crate) first: Option<(Arc<Path>, u32)>,
    /// Whether only nodes with the same answers have the row.
    pub(crate) is_own: bool,
}

/// The id of a row, unique in the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RowId(usize);

impl RowId {
    /// Returns the id of a new row.
    pub(crate) fn next() -> RowId {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        RowId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// The hashes of a row's strings. A row is a part of many row groups, each of which deduplicates strings.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Hashes {
    pub(crate) key: u64,
    pub(crate) answer: u64,
    pub(crate) file: u64,
    pub(crate) level: u64,
    pub(crate) contributions: u64,
}

/// Returns the hash of a string of a row.
pub(crate) fn hash(text: &str) -> u64 {
    FixedState.hash_one(text)
}

/// The value of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The value as JSON on one line.
    pub json: String,
    /// The value, if it is a scalar.
    pub scalar: Scalar,
}

/// A scalar, for columns with a type.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    /// Another value: an array, a hash, undef, or a number beyond 64 bits.
    None,
    /// A string.
    String(Str),
    /// An integer.
    Integer(i64),
    /// A float.
    Float(f64),
    /// A boolean.
    Boolean(bool),
}

impl Row {
    /// Returns the row of one node, with its value.
    fn completed(&self, cell: Cell) -> Row {
        let hashes = Hashes { answer: hash(&cell.json), ..self.hashes };
        Row { hashes, ..self.with_value(Ok(cell), None) }
    }

    /// Returns the row that nodes share, without the value of one of them.
    pub(crate) fn with_text(&self, text: RowText) -> Row {
        self.with_value(self.answer.clone(), Some(Box::new(text)))
    }

    fn with_value(&self, answer: Result<Cell, String>, text: Option<Box<RowText>>) -> Row {
        let Row { hashes, key, file, line, level, layer, merge, contributions, secret, first, .. } = self;
        let (key, file, level) = (key.clone(), file.clone(), level.clone());
        Row {
            id: RowId::next(),
            hashes: *hashes,
            key,
            answer,
            file,
            line: *line,
            level,
            layer: layer.clone(),
            merge: merge.clone(),
            contributions: contributions.clone(),
            secret: *secret,
            text,
            first: first.clone(),
            is_own: false,
        }
    }

    /// Returns the module that the key belongs to: the part before its first `::`.
    pub fn module(&self) -> Option<&str> {
        self.key.split_once("::").map(|(module, _)| module).filter(|module| !module.is_empty())
    }

    /// Roughly how many bytes it takes.
    pub(crate) fn size(&self) -> usize {
        let answer = match &self.answer {
            Ok(cell) => cell.json.len(),
            Err(message) => message.len(),
        };
        size_of::<Row>() + answer + self.contributions.as_ref().map_or(0, |parts| parts.len())
    }
}

impl Cell {
    /// Creates the cell of a value.
    ///
    /// # Errors
    /// JSON cannot represent the value. The error is the reason.
    pub fn from_value(value: &Value) -> Result<Cell, String> {
        let json = hieratic_output::json(value).map_err(|error| error.to_string())?;
        let scalar = match value {
            Value::String(text) => Scalar::String(text.clone()),
            Value::Integer(number) => Scalar::Integer(*number),
            Value::Float(number) => Scalar::Float(*number),
            Value::Boolean(value) => Scalar::Boolean(*value),
            _ => Scalar::None,
        };
        Ok(Cell { json, scalar })
    }
}
