//! [`Row`]: the answer to a key, without the node that it is for.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hieratic::value::{Str, Value};

/// The rows of a node, sorted by key. Nodes share those that are the same for them.
pub type Rows = Arc<[Arc<Row>]>;

/// The answer to a key.
#[derive(Clone, Debug)]
pub struct Row {
    pub(crate) id: RowId,
    /// The hashes of its strings.
    pub(crate) hashes: Hashes,
    /// The key.
    pub key: Str,
    /// The value, or why the lookup failed.
    pub answer: Result<Cell, String>,
    /// The file that the value comes from, relative to the root of the repository if it is below. `None` for a value
    /// that was merged from several files, or comes from none.
    pub file: Option<Str>,
    /// The line in this file, counted from 1.
    pub line: Option<u32>,
    /// The name of the level that has the file.
    pub level: Option<Str>,
    /// Whether a part of the value is secret. It is redacted, unless the options reveal it.
    pub secret: bool,
}

/// The id of a row, unique in the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RowId(usize);

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
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The value as JSON on one line.
    pub json: String,
    /// The value itself where it is a scalar.
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
    /// Roughly how many bytes it takes.
    pub(crate) fn size(&self) -> usize {
        let answer = match &self.answer {
            Ok(cell) => cell.json.len(),
            Err(message) => message.len(),
        };
        size_of::<Row>() + answer
    }
}

impl Cell {
    /// A value as a cell of a row.
    ///
    /// # Errors
    /// Why the value has no form in JSON.
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
