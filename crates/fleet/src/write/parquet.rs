//! Rows as columns: Parquet.
//!
//! Nodes share most of their rows, and a row group contains each different row once: the columns are built from these.
//! Nodes of a class have the same list of rows, and a group contains each different list once, as indexes of its rows.
//! The encoding of a row is the index of its value in the dictionary of the column: it is computed once for each list,
//! and copied for each node.

use std::io::{self, Write};
use std::iter::repeat_n;
use std::sync::Arc;

use hieratic_value::collections::HashMap;
use parquet::basic::Compression;
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use rayon::prelude::*;

use super::column::{Chunk, Column, ColumnValue, IndexBuffers, PAGE, Piece, chunk};
use crate::rows::{Cell, Row, Rows, Scalar};

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
        row.line.map(|line| (line.into(), ColumnValue::Int(i32::try_from(line).unwrap_or(i32::MAX))))
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

/// Rows that are written together.
#[derive(Default)]
pub(crate) struct Group {
    nodes: Vec<String>,
    /// The different rows.
    different: Vec<Arc<Row>>,
    /// The index of a row in these, by its id.
    known: HashMap<usize, u32>,
    /// The size of the different rows, in bytes.
    bytes: usize,
    /// The different lists of rows, each row by where it is among the different ones.
    lists: Vec<Vec<u32>>,
    /// The index of a node's rows in these, by their address and range.
    known_lists: HashMap<(usize, usize, usize), u32>,
    /// Keeps the addresses of the lists in use.
    held: Vec<Rows>,
    /// The rows: the lists in order.
    parts: Vec<u32>,
    /// Whether the last list combines several nodes with few rows, and may be extended.
    is_open: bool,
    /// The number of rows, in total and for each node.
    count: usize,
    of_nodes: Vec<usize>,
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
            done = self.group.take(node, rows, done, self.size);
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
    pub(super) fn take(&mut self, node: &str, rows: &Rows, mut done: usize, size: usize) -> usize {
        if self.nodes.last().is_none_or(|last| last != node) {
            self.nodes.push(node.to_owned());
            self.of_nodes.push(0);
        }
        while done < rows.len() && !self.is_full(size) {
            let end = rows.len().min(done + PAGE).min(done + (size - self.count));
            let taken =
                if end - done < FEW { self.take_few(&rows[done..end]) } else { self.take_list(rows, done, end) };
            if let Some(of_node) = self.of_nodes.last_mut() {
                *of_node += taken;
            }
            self.count += taken;
            done += taken;
        }
        done
    }

    /// Takes a few rows until the group is full; how many that were.
    fn take_few(&mut self, rows: &[Arc<Row>]) -> usize {
        if !self.is_open || self.lists.last().is_none_or(|last| last.len() + rows.len() > PAGE) {
            self.parts.push(number(self.lists.len()));
            self.lists.push(Vec::new());
            self.is_open = true;
        }
        let mut last = self.lists.pop().unwrap_or_default();
        let before = last.len();
        self.add(rows, &mut last, false);
        let taken = last.len() - before;
        self.lists.push(last);
        taken
    }

    /// Takes a part of the rows of a node until the group is full; how many rows that were.
    fn take_list(&mut self, rows: &Rows, start: usize, end: usize) -> usize {
        self.is_open = false;
        let name = (rows.as_ptr() as usize, start, end);
        if let Some(known) = self.known_lists.get(&name) {
            self.parts.push(*known);
            return end - start;
        }
        let mut list = Vec::with_capacity(end - start);
        self.add(&rows[start..end], &mut list, true);
        let taken = list.len();
        self.parts.push(number(self.lists.len()));
        // A shorter list fills the group, so no other follows.
        self.known_lists.insert(name, number(self.lists.len()));
        self.lists.push(list);
        self.held.push(rows.clone());
        taken
    }

    /// Adds rows to a list until the group is full; `once` if the same list is not added again.
    fn add(&mut self, rows: &[Arc<Row>], list: &mut Vec<u32>, once: bool) {
        for row in rows {
            if self.bytes >= MAX_BYTES {
                return;
            }
            let next = number(self.different.len());
            // A row that is in no other list needs no search.
            let is_alone = once && Arc::strong_count(row) == 1;
            let place = if is_alone { next } else { *self.known.entry(row.id).or_insert(next) };
            if place == next {
                self.bytes += row.size();
                self.different.push(row.clone());
            }
            list.push(place);
        }
    }

    /// Writes the rows as a group of a file.
    pub(super) fn add_to<W: Write + Send>(&self, writer: &mut SerializedFileWriter<W>) -> io::Result<()> {
        let schema = writer.schema_descr();
        let columns = COLUMNS.iter().enumerate().map(|(at, field)| (schema.column(at), field)).collect::<Vec<_>>();
        let cells: Vec<Option<&Cell>> = self.different.iter().map(|row| row.answer.as_ref().ok()).collect();
        let hashes = self.different.iter().map(|row| row.hashes.answer);
        let values = Column::new(
            cells.len(),
            hashes.zip(&cells).map(|(hash, cell)| cell.map(|cell| (hash, ColumnValue::Text(&cell.json)))),
        );
        let chunks: Vec<Chunk> = columns
            .into_par_iter()
            .map(|(description, field)| {
                let of_row = |column: &Column<'_>| {
                    let mut room = IndexBuffers::default();
                    let piece = |list: &Vec<u32>| column.piece(list, &description, &mut room);
                    let pieces: Vec<Piece> = self.lists.iter().map(piece).collect();
                    chunk(description.clone(), column, self.parts.iter().map(|list| &pieces[*list as usize]))
                };
                match field {
                    ColumnSource::Node => {
                        let nodes = self.nodes.iter().enumerate();
                        let nodes = nodes.map(|(number, node)| Some((number as u64, ColumnValue::Text(node))));
                        let column = Column::new(self.nodes.len(), nodes);
                        let of_nodes = (0..).zip(&self.of_nodes);
                        let mut rows = of_nodes.flat_map(|(node, rows)| repeat_n(node, *rows));
                        let (mut page, mut room) = (Vec::with_capacity(PAGE), IndexBuffers::default());
                        let pieces = std::iter::from_fn(|| {
                            page.clear();
                            page.extend(rows.by_ref().take(PAGE));
                            (!page.is_empty()).then(|| column.piece(&page, &description, &mut room))
                        });
                        let pieces: Vec<Piece> = pieces.collect();
                        chunk(description.clone(), &column, pieces.iter())
                    }
                    ColumnSource::OfRow(value) => of_row(&Column::new(0, self.different.iter().map(|row| value(row)))),
                    ColumnSource::Value => of_row(&values),
                    ColumnSource::OfValue(part) => of_row(&values.derived(&cells, *part)),
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

fn number(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
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
