//! Tables of facts: a row for each node.
//!
//! Columns are facts, or `certname` and `facts`, or `name` and `values`, of which the second is a struct, a map, or a string of JSON. A fact
//! that is null in a row is one that the node does not have.

mod arrow;
mod parquet;

use std::fs::File;
use std::path::Path;

use hieratic::{Facts, Value};

pub use arrow::facts_of_row;

use crate::source::{facts_of, json_of};

/// How deep the types of columns may nest.
const DEEPEST: usize = 64;

/// The nodes of a table, one after the other; why a row has none ends the table.
pub(crate) type Nodes = Box<dyn Iterator<Item = Result<Facts, String>> + Send>;

/// The formats of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Table {
    Parquet,
    Arrow,
}

impl Table {
    /// The format that the name of a file says.
    pub(crate) fn of(path: &Path) -> Option<Table> {
        match path.extension()?.to_str()? {
            "parquet" => Some(Table::Parquet),
            "arrow" | "arrows" | "feather" => Some(Table::Arrow),
            _ => None,
        }
    }

    /// Opens a table.
    pub(crate) fn nodes(self, file: File) -> Result<Nodes, String> {
        let nodes: Nodes = match self {
            Table::Parquet => Box::new(parquet::nodes(file)?),
            Table::Arrow => arrow::nodes(file)?,
        };
        Ok(Box::new(WithRows { nodes, row: 0 }))
    }
}

/// Says in which row of a table something is wrong.
struct WithRows {
    nodes: Nodes,
    row: usize,
}

impl Iterator for WithRows {
    type Item = Result<Facts, String>;

    fn next(&mut self) -> Option<Self::Item> {
        self.row += 1;
        Some(self.nodes.next()?.map_err(|message| format!("row {}: {message}", self.row)))
    }
}

/// The facts of a row, of which the cells are given by the names of their columns; cells that are null are left out.
fn facts_of_cells<'c>(cells: impl Iterator<Item = (&'c str, Result<Option<Value>, String>)>) -> Result<Facts, String> {
    let mut row = Vec::new();
    for (name, cell) in cells {
        let in_column = |message: String| format!("column '{name}': {message}");
        let value = match (name, cell.map_err(in_column)?) {
            (_, None) => continue,
            ("facts" | "values", Some(Value::String(text))) => {
                json_of(text.as_bytes(), "the cell").map_err(in_column)?
            }
            (_, Some(value)) => value,
        };
        row.push((Value::from(name), value));
    }
    facts_of(&row.into_iter().collect())
}

fn no_fact(kind: impl std::fmt::Display) -> String {
    format!("values of the type {kind} are no facts; cast the column to strings or numbers")
}

fn too_deep() -> String {
    format!("the type nests deeper than {DEEPEST} levels")
}

/// A decoder that meets what it does not expect may panic: this is an error of the file.
fn decoded<T>(decode: impl FnOnce() -> T) -> Result<T, String> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(decode)).map_err(|_| "the file is damaged".to_owned())
}
