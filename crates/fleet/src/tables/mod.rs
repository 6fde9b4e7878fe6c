//! Tables of facts: a row for each node.
//!
//! Columns are facts, or `certname` and `facts`, or `name` and `values`. In the latter cases, the second is a struct, a
//! map, or a string of JSON. If a fact is null in a row, the node does not have it.

#[cfg(not(target_os = "wasi"))]
mod arrow;
#[cfg(not(target_os = "wasi"))]
mod cells;
#[cfg(not(target_os = "wasi"))]
mod pages;
#[cfg(not(target_os = "wasi"))]
mod parquet;
#[cfg(not(target_os = "wasi"))]
mod thrift;

use std::fs::File;
use std::path::Path;

use hieratic::Facts;

#[cfg(not(target_os = "wasi"))]
pub use arrow::facts_of_row;

/// The nodes of a table, in order; the error of a row ends the table.
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
    #[cfg(target_os = "wasi")]
    pub(crate) fn nodes(self, _: File) -> Result<Nodes, String> {
        Err("this build of hieratic reads no tables: export the facts as NDJSON".into())
    }

    /// Opens a table.
    #[cfg(not(target_os = "wasi"))]
    pub(crate) fn nodes(self, file: File) -> Result<Nodes, String> {
        let nodes: Nodes = match self {
            Table::Parquet => Box::new(parquet::nodes(file)?),
            Table::Arrow => Box::new(arrow::nodes(file)?),
        };
        Ok(Box::new(WithRows { nodes, row: 0 }))
    }
}

#[cfg(not(target_os = "wasi"))]
/// Adds the number of the row to errors of a table.
struct WithRows {
    nodes: Nodes,
    row: usize,
}

#[cfg(not(target_os = "wasi"))]
impl Iterator for WithRows {
    type Item = Result<Facts, String>;

    fn next(&mut self) -> Option<Self::Item> {
        self.row += 1;
        Some(self.nodes.next()?.map_err(|message| format!("row {}: {message}", self.row)))
    }
}
