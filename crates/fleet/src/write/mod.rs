//! [`Format`]: the output format of rows.

#[cfg(not(target_os = "wasi"))]
mod chunk;
#[cfg(not(target_os = "wasi"))]
mod column;
#[cfg(not(target_os = "wasi"))]
mod encoding;
#[cfg(not(target_os = "wasi"))]
mod group;
#[cfg(not(target_os = "wasi"))]
mod groups;
mod lines;
#[cfg(not(target_os = "wasi"))]
mod order;
#[cfg(not(target_os = "wasi"))]
mod parquet;
mod resumable;

use std::io::{self, Write};
use std::path::Path;
use std::str::FromStr;

use crate::options::Options;
use crate::rows::NodeRows;

#[cfg(not(target_os = "wasi"))]
pub use groups::join;
pub use lines::csv_field;
pub(crate) use resumable::ResumableWriter;

/// The format of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A JSON object on each line.
    Ndjson,
    /// Comma-separated values ([RFC 4180](https://www.rfc-editor.org/rfc/rfc4180)) with a line of names.
    Csv,
    /// A [Parquet](https://parquet.apache.org/docs/file-format/) file.
    Parquet,
}

impl Format {
    /// Returns the format of a file by its extension.
    ///
    /// ```
    /// use hieratic_fleet::Format;
    ///
    /// assert_eq!(Format::of_file("fleet.parquet".as_ref()), Some(Format::Parquet));
    /// assert_eq!(Format::of_file("fleet.txt".as_ref()), None);
    /// ```
    pub fn of_file(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()? {
            "ndjson" | "jsonl" => Some(Format::Ndjson),
            "csv" => Some(Format::Csv),
            "parquet" => Some(Format::Parquet),
            _ => None,
        }
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Format, String> {
        match name {
            "ndjson" => Ok(Format::Ndjson),
            "csv" => Ok(Format::Csv),
            "parquet" => Ok(Format::Parquet),
            other => Err(format!("unknown format '{other}'; the formats for many nodes are ndjson, csv and parquet")),
        }
    }
}

/// The error of WebAssembly, which is built without Parquet.
#[cfg(target_os = "wasi")]
fn no_tables() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "this build of hieratic writes no Parquet; write ndjson or csv")
}

/// Writes rows.
pub(crate) enum Writer<W: Write + Send> {
    Lines(lines::Lines<W>),
    #[cfg(not(target_os = "wasi"))]
    Parquet(Box<parquet::Columns<W>>),
}

impl<W: Write + Send> Writer<W> {
    #[cfg_attr(target_os = "wasi", expect(unused_variables, reason = "lines have no groups"))]
    pub(crate) fn new(format: Format, out: W, options: &Options<'_>) -> io::Result<Writer<W>> {
        Ok(match format {
            Format::Ndjson => Writer::Lines(lines::Lines::ndjson(out)),
            Format::Csv => Writer::Lines(lines::Lines::csv(out, true)?),
            #[cfg(target_os = "wasi")]
            Format::Parquet => return Err(no_tables()),
            #[cfg(not(target_os = "wasi"))]
            Format::Parquet => Writer::Parquet(Box::new(parquet::Columns::new(out, options)?)),
        })
    }

    /// Writes the rows of a node.
    pub(crate) fn write(&mut self, node: &str, rows: &NodeRows) -> io::Result<()> {
        match self {
            Writer::Lines(lines) => lines.write(node, rows, 0),
            #[cfg(not(target_os = "wasi"))]
            Writer::Parquet(columns) => columns.write(node, rows),
        }
    }

    /// Writes the buffered rows, and the metadata of the nodes.
    pub(crate) fn finish(self, coverage: &[(String, String)]) -> io::Result<()> {
        match self {
            // Lines have no place for it.
            Writer::Lines(lines) => lines.finish(),
            #[cfg(not(target_os = "wasi"))]
            Writer::Parquet(columns) => columns.finish(coverage),
        }
    }
}
