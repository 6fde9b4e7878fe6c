//! Rows as columns: Parquet.
//!
//! Nodes share most of their rows, and a row group contains each different row once: the columns are built from these.
//! Nodes of a class have the same list of rows, and a group contains each different list once, as indexes of its rows.
//! The encoding of a row is the index of its value in the dictionary of the column: it is computed once for each list,
//! and copied for each node.

use std::collections::hash_map::Entry;
use std::io::{self, Write};
use std::iter::repeat_n;
use std::sync::Arc;

use hieratic::value::collections::HashMap;
use hieratic::value::define_ids;
use hieratic::value::ids::{IndexVec, TooManyIds};
use parquet::basic::Compression;
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use rayon::prelude::*;

use super::column::{Chunk, Column, ColumnValue, IndexBuffers, PAGE, Piece, chunk, external};
use crate::rows::{Cell, Row, RowId, Rows, Scalar};

/// The columns. `value` is JSON; the typed columns have the value where it is of their type.
const SCHEMA: &str = "message lookups {
    REQUIRED BYTE_ARRAY node (STRING);
    REQUIRED BYTE_ARRAY key (STRING);
    OPTIONAL BYTE_ARRAY value (JSON);
    OPTIONAL BYTE_ARRAY string (STRING);
    OPTIONAL INT64 integer;
    OPTIONAL DOUBLE float;
    OPTIONAL BOOLEAN boolean;
    OPTIONAL BYTE_ARRAY error (STRING);
    OPTIONAL BYTE_ARRAY file (STRING);
    OPTIONAL INT32 line;
    OPTIONAL BYTE_ARRAY level (STRING);
    REQUIRED BOOLEAN secret;
}";

/// The columns in the order of the schema.
const COLUMNS: [ColumnSource; 12] = [
    ColumnSource::Node,
    ColumnSource::OfRow(|row| Some((row.hashes.key, ColumnValue::Text(&row.key)))),
    ColumnSource::Value,
    ColumnSource::OfValue(|cell| match &cell.scalar {
        Scalar::String(text) => Some(ColumnValue::Text(text)),
        _ => None,
    }),
    ColumnSource::OfValue(|cell| match &cell.scalar {
        Scalar::Integer(number) => Some(ColumnValue::Long(*number)),
        _ => None,
    }),
    ColumnSource::OfValue(|cell| match &cell.scalar {
        Scalar::Float(number) => Some(ColumnValue::Double(number.to_bits())),
        _ => None,
    }),
    ColumnSource::OfValue(|cell| match &cell.scalar {
        Scalar::Boolean(value) => Some(ColumnValue::Boolean(*value)),
        _ => None,
    }),
    ColumnSource::OfRow(|row| Some((row.hashes.answer, ColumnValue::Text(row.answer.as_ref().err()?)))),
    ColumnSource::OfRow(|row| Some((row.hashes.file, ColumnValue::Text(row.file.as_deref()?)))),
    ColumnSource::OfRow(|row| {
        // A line that does not fit into the column is missing there.
        row.line.and_then(|line| Some((line.into(), ColumnValue::Int(i32::try_from(line).ok()?))))
    }),
    ColumnSource::OfRow(|row| Some((row.hashes.level, ColumnValue::Text(row.level.as_deref()?)))),
    ColumnSource::OfRow(|row| Some((row.secret.into(), ColumnValue::Boolean(row.secret)))),
];

/// The source of a column's values.
enum ColumnSource {
    Node,
    /// From the row, with a hash.
    OfRow(fn(&Row) -> Option<(u64, ColumnValue<'_>)>),
    /// The value as JSON.
    Value,
    /// From the value: equal values have equal ones.
    OfValue(fn(&Cell) -> Option<ColumnValue<'_>>),
}

/// The maximum size of the different rows of a group, in bytes. A larger group is written.
const MAX_BYTES: usize = 256 << 20;

/// Writes rows, a group of them at a time.
pub(crate) struct Columns<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    group: Group,
    /// The number of rows in a group.
    size: usize,
}

define_ids! {
    /// The id of a node of a group.
    struct NodeId: "nodes of a row group";
    /// The id of a row among the different ones of a group.
    struct DifferentId: "different rows of a row group";
    /// The id of a list of rows.
    struct ListId: "lists of rows";
}

/// Rows that are written together.
#[derive(Default)]
pub(crate) struct Group {
    nodes: IndexVec<NodeId, String>,
    /// The different rows.
    different: IndexVec<DifferentId, Arc<Row>>,
    /// The different rows that other lists may have.
    known: HashMap<RowId, DifferentId>,
    /// The size of the different rows, in bytes.
    bytes: usize,
    /// The different lists of rows.
    lists: IndexVec<ListId, Vec<DifferentId>>,
    /// The list of a node's rows, by their address and range.
    known_lists: HashMap<(usize, usize, usize), ListId>,
    /// Keeps the addresses of the lists in use.
    held: Vec<Rows>,
    /// The rows: the lists in order.
    parts: Vec<ListId>,
    /// The last list, if it combines several nodes with few rows and may be extended.
    open: Option<ListId>,
    /// The number of rows, in total and for each node.
    count: usize,
    of_nodes: IndexVec<NodeId, usize>,
}

/// A list of fewer rows becomes a part of one of several nodes: it is not worth to be found again.
const FEW: usize = 64;

impl<W: Write + Send> Columns<W> {
    pub(crate) fn new(out: W, size: usize) -> io::Result<Columns<W>> {
        Ok(Columns { writer: file(out)?, group: Group::default(), size })
    }

    pub(crate) fn write(&mut self, node: &str, rows: &Rows) -> io::Result<()> {
        let mut done = 0;
        while done < rows.len() {
            done = self.group.take(node, rows, done, self.size).map_err(io::Error::other)?;
            if self.group.is_full(self.size) {
                std::mem::take(&mut self.group).add_to(&mut self.writer)?;
            }
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        if !self.group.is_empty() {
            self.group.add_to(&mut self.writer)?;
        }
        self.writer.close().map_err(failed)?;
        Ok(())
    }
}

/// A file without rows.
pub(super) fn file<W: Write + Send>(out: W) -> io::Result<SerializedFileWriter<W>> {
    let schema = parse_message_type(SCHEMA).map_err(failed)?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(concat!("hieratic ", env!("CARGO_PKG_VERSION")).to_owned())
        .build();
    SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties)).map_err(failed)
}

impl Group {
    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
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
    pub(super) fn take(&mut self, node: &str, rows: &Rows, mut done: usize, size: usize) -> Result<usize, TooManyIds> {
        let last = self.nodes.entries().next_back().filter(|(_, last)| *last == node);
        let node = match last {
            Some((last, _)) => last,
            None => {
                self.nodes.push(node.to_owned())?;
                self.of_nodes.push(0)?
            }
        };
        while done < rows.len() && !self.is_full(size) {
            let end = rows.len().min(done + PAGE).min(done + (size - self.count));
            let taken =
                if end - done < FEW { self.take_few(&rows[done..end])? } else { self.take_list(rows, done, end)? };
            self.of_nodes[node] += taken;
            self.count += taken;
            done += taken;
        }
        Ok(done)
    }

    /// Takes a few rows until the group is full; how many that were.
    fn take_few(&mut self, rows: &[Arc<Row>]) -> Result<usize, TooManyIds> {
        let id = match self.open.filter(|open| self.lists[*open].len() + rows.len() <= PAGE) {
            Some(open) => open,
            None => {
                let new = self.lists.push(Vec::new())?;
                self.parts.push(new);
                new
            }
        };
        self.open = Some(id);
        let mut list = std::mem::take(&mut self.lists[id]);
        let before = list.len();
        self.add(rows, &mut list, false)?;
        let taken = list.len() - before;
        self.lists[id] = list;
        Ok(taken)
    }

    /// Takes a part of the rows of a node until the group is full; how many rows that were.
    fn take_list(&mut self, rows: &Rows, start: usize, end: usize) -> Result<usize, TooManyIds> {
        self.open = None;
        let name = (rows.as_ptr() as usize, start, end);
        if let Some(known) = self.known_lists.get(&name) {
            self.parts.push(*known);
            return Ok(end - start);
        }
        let mut list = Vec::with_capacity(end - start);
        self.add(&rows[start..end], &mut list, true)?;
        let taken = list.len();
        let id = self.lists.push(list)?;
        self.parts.push(id);
        // A shorter list fills the group, so no other follows.
        self.known_lists.insert(name, id);
        self.held.push(rows.clone());
        Ok(taken)
    }

    /// Adds rows to a list until the group is full; `once` if the same list is not added again.
    fn add(&mut self, rows: &[Arc<Row>], list: &mut Vec<DifferentId>, once: bool) -> Result<(), TooManyIds> {
        for row in rows {
            if self.bytes >= MAX_BYTES {
                break;
            }
            // A row that is in no other list needs no search.
            let is_alone = once && Arc::strong_count(row) == 1;
            let known = (!is_alone).then(|| self.known.entry(row.id));
            if let Some(Entry::Occupied(known)) = &known {
                list.push(*known.get());
                continue;
            }
            let id = self.different.push(row.clone())?;
            self.bytes += row.size();
            if let Some(Entry::Vacant(new)) = known {
                new.insert(id);
            }
            list.push(id);
        }
        Ok(())
    }

    /// Writes the rows as a group of a file.
    pub(super) fn add_to<W: Write + Send>(&self, writer: &mut SerializedFileWriter<W>) -> io::Result<()> {
        let schema = writer.schema_descr();
        let columns = COLUMNS.iter().enumerate().map(|(at, field)| (schema.column(at), field)).collect::<Vec<_>>();
        let cells: IndexVec<DifferentId, Option<&Cell>> = self.different.map(|row| row.answer.as_ref().ok());
        let hashes = self.different.iter().map(|row| row.hashes.answer);
        let values: Column<'_, DifferentId> = Column::new(
            cells.len(),
            hashes.zip(&cells).map(|(hash, cell)| cell.map(|cell| (hash, ColumnValue::Text(&cell.json)))),
        )
        .map_err(io::Error::other)?;
        let chunks: Vec<Chunk> = columns
            .into_par_iter()
            .map(|(description, field)| {
                let of_row = |column: &Column<'_, DifferentId>| {
                    let mut room = IndexBuffers::default();
                    let pieces = self.lists.map(|list| column.piece(list, &description, &mut room));
                    chunk(description.clone(), column, self.parts.iter().map(|list| &pieces[*list]))
                };
                match field {
                    ColumnSource::Node => {
                        let nodes = self.nodes.iter().enumerate();
                        let nodes = nodes.map(|(number, node)| Some((number as u64, ColumnValue::Text(node))));
                        let column: Column<'_, NodeId> = Column::new(self.nodes.len(), nodes).map_err(external)?;
                        let mut rows = self.of_nodes.entries().flat_map(|(node, rows)| repeat_n(node, *rows));
                        let (mut page, mut room) = (Vec::with_capacity(PAGE), IndexBuffers::default());
                        let pieces = std::iter::from_fn(|| {
                            page.clear();
                            page.extend(rows.by_ref().take(PAGE));
                            (!page.is_empty()).then(|| column.piece(&page, &description, &mut room))
                        });
                        let pieces: Vec<Piece> = pieces.collect();
                        chunk(description.clone(), &column, pieces.iter())
                    }
                    ColumnSource::OfRow(value) => {
                        let rows = self.different.iter().map(|row| value(row));
                        of_row(&Column::new(0, rows).map_err(external)?)
                    }
                    ColumnSource::Value => of_row(&values),
                    ColumnSource::OfValue(part) => of_row(&values.derived(&cells, *part).map_err(external)?),
                }
            })
            .collect::<Result<_, ParquetError>>()
            .map_err(failed)?;
        let mut out = writer.next_row_group().map_err(failed)?;
        for Chunk { bytes, metadata } in chunks {
            let close = ColumnCloseResult {
                bytes_written: bytes.len() as u64,
                rows_written: self.count as u64,
                metadata,
                bloom_filter: None,
                column_index: None,
                offset_index: None,
            };
            out.append_column(&bytes, close).map_err(failed)?;
        }
        out.close().map_err(failed)?;
        Ok(())
    }
}

pub(super) fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}
