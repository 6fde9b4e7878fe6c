//! Rows as columns: Parquet.
//!
//! Nodes share most of their rows, and a group of rows has each different row once: the columns are made of these, and of a number for each
//! row of the group. What is written for a row is the number of its value in the dictionary of its column.

use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::column::{Chunk, Column, Plain, chunk};
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
const COLUMNS: [Field; 12] = [
    Field::Node,
    Field::OfRow(|row| Some((row.hashes.key, Plain::Text(&row.key)))),
    Field::Value,
    Field::OfValue(|cell| match &cell.scalar {
        Scalar::String(text) => Some(Plain::Text(text)),
        _ => None,
    }),
    Field::OfValue(|cell| match &cell.scalar {
        Scalar::Integer(number) => Some(Plain::Long(*number)),
        _ => None,
    }),
    Field::OfValue(|cell| match &cell.scalar {
        Scalar::Float(number) => Some(Plain::Double(number.to_bits())),
        _ => None,
    }),
    Field::OfValue(|cell| match &cell.scalar {
        Scalar::Boolean(value) => Some(Plain::Boolean(*value)),
        _ => None,
    }),
    Field::OfRow(|row| Some((row.hashes.answer, Plain::Text(row.answer.as_ref().err()?)))),
    Field::OfRow(|row| Some((row.hashes.file, Plain::Text(row.file.as_deref()?)))),
    Field::OfRow(|row| row.line.map(|line| (line.into(), Plain::Int(i32::try_from(line).unwrap_or(i32::MAX))))),
    Field::OfRow(|row| Some((row.hashes.level, Plain::Text(row.level.as_deref()?)))),
    Field::OfRow(|row| Some((row.secret.into(), Plain::Boolean(row.secret)))),
];

/// Where the values of a column come from.
enum Field {
    Node,
    /// From the row, with a hash.
    OfRow(fn(&Row) -> Option<(u64, Plain<'_>)>),
    /// The value as JSON.
    Value,
    /// From the value: equal values have equal ones.
    OfValue(fn(&Cell) -> Option<Plain<'_>>),
}

/// How many rows a group has, which are in memory until it is written.
pub(crate) const GROUP: usize = 1 << 22;

/// How much the different rows of a group may take, in bytes. A group is written when they take more.
const MOST_BYTES: usize = 256 << 20;

/// Writes rows, a group of them at a time.
pub(crate) struct Columns<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    group: Group,
    /// How many rows a group has.
    size: usize,
}

/// Rows that are written together.
#[derive(Default)]
pub(crate) struct Group {
    nodes: Vec<String>,
    /// The different rows.
    different: Vec<Arc<Row>>,
    /// Where in these a row is, by its number.
    known: FxHashMap<usize, u32>,
    /// What the different rows take, in bytes.
    bytes: usize,
    /// For each row its node and where it is among the different ones.
    rows: Vec<(u32, u32)>,
}

impl<W: Write + Send> Columns<W> {
    pub(crate) fn new(out: W, size: usize) -> io::Result<Columns<W>> {
        Ok(Columns { writer: file(out)?, group: Group::default(), size })
    }

    pub(crate) fn write(&mut self, node: &str, rows: &Rows) -> io::Result<()> {
        let mut rest = &**rows;
        while !rest.is_empty() {
            rest = self.group.take(node, rest, self.size);
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
        self.rows.is_empty()
    }

    /// Whether it is to be written, if so many rows are wanted.
    pub(super) fn is_full(&self, size: usize) -> bool {
        self.rows.len() >= size || self.bytes >= MOST_BYTES
    }

    /// Takes rows of a node until it is full; the rest of them.
    pub(super) fn take<'r>(&mut self, node: &str, rows: &'r [Arc<Row>], size: usize) -> &'r [Arc<Row>] {
        if self.nodes.last().is_none_or(|last| last != node) {
            self.nodes.push(node.to_owned());
        }
        let number = u32::try_from(self.nodes.len() - 1).unwrap_or(u32::MAX);
        for (done, row) in rows.iter().enumerate() {
            if self.is_full(size) {
                return &rows[done..];
            }
            let next = u32::try_from(self.different.len()).unwrap_or(u32::MAX);
            let at = *self.known.entry(row.number).or_insert(next);
            if at == next {
                self.bytes += row.weight();
                self.different.push(row.clone());
            }
            self.rows.push((number, at));
        }
        &[]
    }

    /// Writes the rows as a group of a file.
    pub(super) fn add_to<W: Write + Send>(&self, writer: &mut SerializedFileWriter<W>) -> io::Result<()> {
        let schema = writer.schema_descr();
        let columns = COLUMNS.iter().enumerate().map(|(at, field)| (schema.column(at), field)).collect::<Vec<_>>();
        let cells: Vec<Option<&Cell>> = self.different.iter().map(|row| row.answer.as_ref().ok()).collect();
        let hashes = self.different.iter().map(|row| row.hashes.answer);
        let values = Column::of(
            cells.len(),
            hashes.zip(&cells).map(|(hash, cell)| cell.map(|cell| (hash, Plain::Text(&cell.json)))),
        );
        let chunks: Vec<Chunk> = columns
            .into_par_iter()
            .map(|(description, field)| {
                let of_row = |column: &Column<'_>| {
                    let at = |range: Range<usize>| self.rows[range].iter().map(|(_, at)| *at);
                    chunk(description.clone(), column, self.rows.len(), at)
                };
                match field {
                    Field::Node => {
                        let nodes = self.nodes.iter().enumerate();
                        let nodes = nodes.map(|(number, node)| Some((number as u64, Plain::Text(node))));
                        let at = |range: Range<usize>| self.rows[range].iter().map(|(node, _)| *node);
                        chunk(description.clone(), &Column::of(self.nodes.len(), nodes), self.rows.len(), at)
                    }
                    Field::OfRow(value) => of_row(&Column::of(0, self.different.iter().map(|row| value(row)))),
                    Field::Value => of_row(&values),
                    Field::OfValue(part) => of_row(&values.derived(&cells, *part)),
                }
            })
            .collect::<Result<_, ParquetError>>()
            .map_err(failed)?;
        let mut out = writer.next_row_group().map_err(failed)?;
        for Chunk { bytes, metadata } in chunks {
            let close = ColumnCloseResult {
                bytes_written: bytes.len() as u64,
                rows_written: self.rows.len() as u64,
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
