//! Tables of facts: a row for each node.
//!
//! Columns are facts, or `certname` and `facts`, or `name` and `values`, of which the second is a struct, a map, or a
//! string of JSON. If a fact is null in a row, the node does not have it.

mod arrow;
mod cells;
mod pages;
mod parquet;
mod thrift;

use std::fs::File;
use std::path::Path;

use hieratic::Facts;

pub use arrow::facts_of_row;

/// The nodes of a table, one after the other; the error of a row ends the table.
pub(crate) type Nodes = Box<dyn Iterator<Item = Result<Facts, String>> + Send>;

/// The formats of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Table {
    Parquet,
    Arrow,
}

impl Table {
    /// Returns the format for the extension of a file.
    pub(crate) fn from_path(path: &Path) -> Option<Table> {
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
            Table::Arrow => Box::new(arrow::nodes(file)?),
        };
        Ok(Box::new(WithRows { nodes, row: 0 }))
    }
}

/// Adds the number of the row to errors of a table.
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
