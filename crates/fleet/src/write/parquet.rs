//! Rows as columns: Parquet.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use crate::rows::{Row, Scalar};

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

/// How many rows a group has, which are in memory until it is written.
pub(crate) const GROUP: usize = 1 << 18;

/// Writes rows, a group of them at a time.
pub(crate) struct Columns<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    group: Group,
    /// How many rows a group has.
    size: usize,
}

/// The rows of a group, by column.
#[derive(Default)]
pub(crate) struct Group {
    node: Vec<ByteArray>,
    key: Vec<ByteArray>,
    value: Column<ByteArray>,
    string: Column<ByteArray>,
    integer: Column<i64>,
    float: Column<f64>,
    boolean: Column<bool>,
    error: Column<ByteArray>,
    file: Column<ByteArray>,
    line: Column<i32>,
    level: Column<ByteArray>,
    secret: Vec<bool>,
}

/// The values of a column that not every row has.
struct Column<T> {
    values: Vec<T>,
    /// For each row 1 if it has a value.
    is_there: Vec<i16>,
}

impl<T> Default for Column<T> {
    fn default() -> Column<T> {
        Column { values: Vec::new(), is_there: Vec::new() }
    }
}

impl<T> Column<T> {
    fn push(&mut self, value: Option<T>) {
        self.is_there.push(i16::from(value.is_some()));
        self.values.extend(value);
    }
}

impl<W: Write + Send> Columns<W> {
    pub(crate) fn new(out: W, size: usize) -> io::Result<Columns<W>> {
        Ok(Columns { writer: file(out)?, group: Group::default(), size })
    }

    pub(crate) fn write(&mut self, node: &str, rows: &[Row]) -> io::Result<()> {
        let node = text(node);
        for row in rows {
            self.group.push(node.clone(), row);
            if self.group.len() >= self.size {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        let group = std::mem::take(&mut self.group);
        group.add_to(&mut self.writer)
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        if self.group.len() > 0 {
            self.flush()?;
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
    pub(super) fn len(&self) -> usize {
        self.node.len()
    }

    /// Writes the rows as a group of a file.
    pub(super) fn add_to<W: Write + Send>(&self, writer: &mut SerializedFileWriter<W>) -> io::Result<()> {
        let mut out = writer.next_row_group().map_err(failed)?;
        self.write(&mut out).map_err(failed)?;
        out.close().map_err(failed)?;
        Ok(())
    }

    pub(super) fn push(&mut self, node: ByteArray, row: &Row) {
        let cell = row.answer.as_ref().ok();
        let scalar = cell.map(|cell| &cell.scalar);
        self.node.push(node);
        self.key.push(text(&row.key));
        self.value.push(cell.map(|cell| text(&cell.json)));
        self.string.push(match scalar {
            Some(Scalar::String(value)) => Some(text(value)),
            _ => None,
        });
        self.integer.push(match scalar {
            Some(Scalar::Integer(value)) => Some(*value),
            _ => None,
        });
        self.float.push(match scalar {
            Some(Scalar::Float(value)) => Some(*value),
            _ => None,
        });
        self.boolean.push(match scalar {
            Some(Scalar::Boolean(value)) => Some(*value),
            _ => None,
        });
        self.error.push(row.answer.as_ref().err().map(|message| text(message)));
        self.file.push(row.file.as_deref().map(text));
        self.line.push(row.line.map(|line| i32::try_from(line).unwrap_or(i32::MAX)));
        self.level.push(row.level.as_deref().map(text));
        self.secret.push(row.secret);
    }

    /// Writes the columns in the order of the schema.
    fn write<W: Write + Send>(&self, out: &mut SerializedRowGroupWriter<'_, W>) -> Result<(), ParquetError> {
        column::<ByteArrayType, W>(out, &self.node, None)?;
        column::<ByteArrayType, W>(out, &self.key, None)?;
        optional::<ByteArrayType, W>(out, &self.value)?;
        optional::<ByteArrayType, W>(out, &self.string)?;
        optional::<Int64Type, W>(out, &self.integer)?;
        optional::<DoubleType, W>(out, &self.float)?;
        optional::<BoolType, W>(out, &self.boolean)?;
        optional::<ByteArrayType, W>(out, &self.error)?;
        optional::<ByteArrayType, W>(out, &self.file)?;
        optional::<Int32Type, W>(out, &self.line)?;
        optional::<ByteArrayType, W>(out, &self.level)?;
        column::<BoolType, W>(out, &self.secret, None)
    }
}

fn optional<T: DataType, W: Write + Send>(
    out: &mut SerializedRowGroupWriter<'_, W>,
    values: &Column<T::T>,
) -> Result<(), ParquetError> {
    column::<T, W>(out, &values.values, Some(&values.is_there))
}

fn column<T: DataType, W: Write + Send>(
    out: &mut SerializedRowGroupWriter<'_, W>,
    values: &[T::T],
    is_there: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let Some(mut column) = out.next_column()? else {
        return Err(ParquetError::General("a row has more columns than the schema".to_owned()));
    };
    column.typed::<T>().write_batch(values, is_there, None)?;
    column.close()
}

pub(super) fn text(text: &str) -> ByteArray {
    ByteArray::from(text.as_bytes().to_vec())
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
