//! Rows as columns: Parquet.
//!
//! The rows of a row group are sorted by key and then by node. A query for a key therefore reads one part of each
//! group, and similar neighbors compress well. In memory, a row group stores each distinct row once, and the columns
//! are built from these.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, SortingColumn};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnDescPtr;
use rayon::prelude::*;

use super::chunk::{Chunk, compression, external};
use super::column::{Column, ColumnValue, TextColumn, write_facts, write_nodes};
use super::group::Group;
use super::order::OrderedRows;
use crate::inserted::NodeTexts;
use crate::options::Options;
use crate::rows::{Cell, NodeRows, Row, Scalar, hash};

/// The columns. `value` is JSON; the typed columns have the value where it is of their type.
const SCHEMA: &str = "message lookups {
    REQUIRED BYTE_ARRAY node (STRING);
    REQUIRED BYTE_ARRAY key (STRING);
    OPTIONAL BYTE_ARRAY module (STRING);
    OPTIONAL BYTE_ARRAY value (JSON);
    OPTIONAL BYTE_ARRAY string (STRING);
    OPTIONAL INT64 integer;
    OPTIONAL DOUBLE float;
    OPTIONAL BOOLEAN boolean;
    OPTIONAL BYTE_ARRAY error (STRING);
    OPTIONAL BYTE_ARRAY file (STRING);
    OPTIONAL INT32 line;
    OPTIONAL BYTE_ARRAY level (STRING);
    OPTIONAL BYTE_ARRAY layer (STRING);
    OPTIONAL BYTE_ARRAY merge (STRING);
    OPTIONAL BYTE_ARRAY contributions (JSON);
    REQUIRED BOOLEAN secret;
    OPTIONAL BYTE_ARRAY facts (JSON);
}";

/// The position of the column by which the rows of a group are sorted.
const KEY: usize = 1;

/// The columns in the order of the schema. Those that take the most time are put together from variables.
const COLUMNS: [ColumnSource; 17] = [
    ColumnSource::Node,
    ColumnSource::OfRow(|row| Some((row.hashes.key, ColumnValue::Text(&row.key)))),
    ColumnSource::OfRow(|row| row.module().map(|module| (hash(module), ColumnValue::Text(module)))),
    ColumnSource::Value,
    ColumnSource::String,
    ColumnSource::OfValue(|cell| match &cell.scalar {
        Scalar::Integer(number) => Some((number.unsigned_abs(), ColumnValue::Long(*number))),
        _ => None,
    }),
    ColumnSource::OfValue(|cell| match &cell.scalar {
        Scalar::Float(number) => Some((number.to_bits(), ColumnValue::Double(number.to_bits()))),
        _ => None,
    }),
    ColumnSource::OfValue(|cell| match &cell.scalar {
        Scalar::Boolean(value) => Some(((*value).into(), ColumnValue::Boolean(*value))),
        _ => None,
    }),
    ColumnSource::OfRow(|row| Some((row.hashes.answer, ColumnValue::Text(row.answer.as_ref().err()?)))),
    ColumnSource::OfRow(|row| Some((row.hashes.file, ColumnValue::Text(row.file.as_deref()?)))),
    ColumnSource::OfRow(|row| {
        // A line that does not fit into the column is missing there.
        row.line.and_then(|line| Some((line.into(), ColumnValue::Int(i32::try_from(line).ok()?))))
    }),
    ColumnSource::OfRow(|row| Some((row.hashes.level, ColumnValue::Text(row.level.as_deref()?)))),
    ColumnSource::OfRow(|row| row.layer.as_deref().map(|layer| (hash(layer), ColumnValue::Text(layer)))),
    ColumnSource::OfRow(|row| row.merge.as_deref().map(|merge| (hash(merge), ColumnValue::Text(merge)))),
    ColumnSource::OfRow(|row| Some((row.hashes.contributions, ColumnValue::Text(row.contributions.as_deref()?)))),
    ColumnSource::OfRow(|row| Some((row.secret.into(), ColumnValue::Boolean(row.secret)))),
    ColumnSource::Facts,
];

/// The source of a column's values.
enum ColumnSource {
    Node,
    /// The chosen facts of the node.
    Facts,
    /// From the row, with a hash.
    OfRow(fn(&Row) -> Option<(u64, ColumnValue<'_>)>),
    /// The value as JSON.
    Value,
    /// The value, if it is a string.
    String,
    /// From the value, with a hash.
    OfValue(fn(&Cell) -> Option<(u64, ColumnValue<'_>)>),
}

/// Writes rows, a group of them at a time.
pub(crate) struct Columns<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    group: Group,
    /// The number of rows in a group.
    size: usize,
}

impl<W: Write + Send> Columns<W> {
    pub(crate) fn new(out: W, options: &Options<'_>) -> io::Result<Columns<W>> {
        Ok(Columns { writer: file(out, &options.metadata)?, group: Group::default(), size: options.group })
    }

    pub(crate) fn write(&mut self, node: &str, rows: &NodeRows) -> io::Result<()> {
        let mut done = 0;
        while done < rows.rows.len() {
            done = self.group.take(node, rows, done, self.size).map_err(io::Error::other)?;
            if self.group.is_full(self.size) {
                std::mem::take(&mut self.group).add_to(&mut self.writer)?;
            }
        }
        Ok(())
    }

    pub(crate) fn finish(mut self, coverage: &[(String, String)]) -> io::Result<()> {
        if !self.group.is_empty() {
            self.group.add_to(&mut self.writer)?;
        }
        for (name, value) in coverage {
            self.writer.append_key_value_metadata(KeyValue::new(name.clone(), value.clone()));
        }
        self.writer.close().map_err(failed)?;
        Ok(())
    }
}

/// A file without rows.
pub(super) fn file<W: Write + Send>(out: W, metadata: &[(String, String)]) -> io::Result<SerializedFileWriter<W>> {
    let schema = parse_message_type(SCHEMA).map_err(failed)?;
    let sorted = SortingColumn { column_idx: KEY as i32, descending: false, nulls_first: false };
    let properties = WriterProperties::builder()
        .set_compression(compression().map_err(failed)?)
        .set_sorting_columns(Some(vec![sorted]))
        .set_key_value_metadata(Some(
            metadata.iter().map(|(name, value)| KeyValue::new(name.clone(), value.clone())).collect(),
        ))
        .set_created_by(concat!("hieratic ", env!("CARGO_PKG_VERSION")).to_owned())
        .build();
    SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties)).map_err(failed)
}

impl Group {
    /// Writes the rows as a group of a file.
    pub(super) fn add_to<W: Write + Send>(&self, writer: &mut SerializedFileWriter<W>) -> io::Result<()> {
        let schema = writer.schema_descr();
        let columns: Vec<(ColumnDescPtr, &ColumnSource, bool)> =
            COLUMNS.iter().enumerate().map(|(at, source)| (schema.column(at), source, at == KEY)).collect();
        let rows = self.ordered();
        let chunks: Vec<Chunk> = columns
            .into_par_iter()
            .with_max_len(1)
            .map(|(description, source, is_key)| self.chunk(description, source, &rows, is_key))
            .collect::<Result<_, ParquetError>>()
            .map_err(failed)?;
        let mut out = writer.next_row_group().map_err(failed)?;
        for Chunk { bytes, metadata, column_index, offset_index } in chunks {
            let close = ColumnCloseResult {
                bytes_written: bytes.len() as u64,
                rows_written: self.count as u64,
                metadata,
                bloom_filter: None,
                column_index,
                offset_index: Some(offset_index),
            };
            out.append_column(&bytes, close).map_err(failed)?;
        }
        out.close().map_err(failed)?;
        Ok(())
    }

    /// Writes a column.
    fn chunk(
        &self,
        description: ColumnDescPtr,
        source: &ColumnSource,
        rows: &OrderedRows,
        is_key: bool,
    ) -> Result<Chunk, ParquetError> {
        let cells = || self.different.iter().map(|row| fixed_cell(row));
        match source {
            ColumnSource::Node => write_nodes(self, description, rows),
            ColumnSource::Facts => write_facts(self, description, rows),
            ColumnSource::OfRow(value) => {
                let column = Column::new(self.different.iter().map(|row| value(row))).map_err(external)?;
                column.write(description, rows, is_key)
            }
            ColumnSource::OfValue(value) => {
                let column = Column::new(cells().map(|cell| cell.and_then(value))).map_err(external)?;
                column.write(description, rows, is_key)
            }
            ColumnSource::Value => {
                let hashes = self.different.iter().map(|row| row.hashes.answer);
                let values = hashes.zip(cells()).map(|(hash, cell)| Some((hash, ColumnValue::Text(&cell?.json))));
                let column = Column::new(values).map_err(external)?;
                TextColumn::new(self, column, NodeTexts::append_json).write(description, rows)
            }
            ColumnSource::String => {
                let column = Column::new(cells().map(|cell| string_of(cell?))).map_err(external)?;
                TextColumn::new(self, column, NodeTexts::append).write(description, rows)
            }
        }
    }
}

/// Returns the value of a row, unless it is put together for each node.
fn fixed_cell(row: &Row) -> Option<&Cell> {
    if row.text.is_none() { row.answer.as_ref().ok() } else { None }
}

/// Returns the value of a cell if it is a string, with a hash.
fn string_of(cell: &Cell) -> Option<(u64, ColumnValue<'_>)> {
    match &cell.scalar {
        Scalar::String(text) => Some((hash(text), ColumnValue::Text(text))),
        _ => None,
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
