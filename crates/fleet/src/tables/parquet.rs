//! Files of Parquet, row by row.

use std::fs::File;

use hieratic::value::Rich;
use hieratic::{Facts, Value};
use parquet::errors::ParquetError;
use parquet::record::Field;
use parquet::record::reader::RowIter;

use super::cells::{MAX_DEPTH, facts_of_cells, not_a_fact, run_decoder, too_deep};
use super::pages::CheckedFile;

/// The nodes of a file.
pub(super) fn nodes(file: File) -> Result<impl Iterator<Item = Result<Facts, String>> + Send, String> {
    let reader = run_decoder(|| CheckedFile::new(file))?.map_err(|error| refused(&error))?;
    let rows = run_decoder(|| RowIter::from_file_into(Box::new(reader)))?;
    Ok(Rows { rows: Some(rows) })
}

struct Rows {
    /// `None` after a row that cannot be read.
    rows: Option<RowIter<'static>>,
}

impl Iterator for Rows {
    type Item = Result<Facts, String>;

    fn next(&mut self) -> Option<Self::Item> {
        let rows = self.rows.as_mut()?;
        let row = match run_decoder(|| rows.next()) {
            Ok(row) => row?.map_err(|error| refused(&error)),
            Err(message) => Err(message),
        };
        if row.is_err() {
            self.rows = None;
        }
        let cells = |row: parquet::record::Row| {
            facts_of_cells(row.get_column_iter().map(|(name, field)| (name.as_str(), cell(field, 0))))
        };
        Some(row.and_then(cells))
    }
}

fn refused(error: &ParquetError) -> String {
    format!("the Parquet file cannot be read: {error}; write it again, or export the facts as NDJSON")
}

/// Returns the value of a cell, or `None` if it is null.
fn cell(field: &Field, depth: usize) -> Result<Option<Value>, String> {
    if depth > MAX_DEPTH {
        return Err(too_deep());
    }
    let inner = |field: &Field| cell(field, depth + 1);
    let or_null = |field: &Field| inner(field).map(Option::unwrap_or_default);
    let value: Value = match field {
        Field::Null => return Ok(None),
        Field::Bool(value) => (*value).into(),
        Field::Byte(value) => i64::from(*value).into(),
        Field::Short(value) => i64::from(*value).into(),
        Field::Int(value) => i64::from(*value).into(),
        Field::Long(value) => (*value).into(),
        Field::UByte(value) => i64::from(*value).into(),
        Field::UShort(value) => i64::from(*value).into(),
        Field::UInt(value) => i64::from(*value).into(),
        Field::ULong(value) => {
            i64::try_from(*value).map_or_else(|_| Value::Rich(Rich::BigInteger((*value).into()).into()), Value::from)
        }
        Field::Float16(value) => Value::Float(value.to_f64()),
        Field::Float(value) => Value::Float(f64::from(*value)),
        Field::Double(value) => Value::Float(*value),
        Field::Str(text) => text.as_str().into(),
        // Strings of programs that do not set the string type.
        Field::Bytes(bytes) => std::str::from_utf8(bytes.data()).map_err(|_| not_a_fact("BYTE_ARRAY"))?.into(),
        Field::Decimal(_) => return Err(not_a_fact("DECIMAL")),
        Field::Date(_) => return Err(not_a_fact("DATE")),
        Field::TimeMillis(_) | Field::TimeMicros(_) => return Err(not_a_fact("TIME")),
        Field::TimestampMillis(_) | Field::TimestampMicros(_) => return Err(not_a_fact("TIMESTAMP")),
        Field::Group(row) => {
            let mut pairs = Vec::new();
            for (name, field) in row.get_column_iter() {
                if let Some(value) = inner(field)? {
                    pairs.push((Value::from(name.as_str()), value));
                }
            }
            Value::Hash(pairs.into_iter().collect())
        }
        Field::ListInternal(list) => {
            list.elements().iter().map(or_null).collect::<Result<Vec<Value>, String>>()?.into()
        }
        Field::MapInternal(map) => {
            let mut pairs = Vec::new();
            for (key, field) in map.entries() {
                pairs.push((inner(key)?.ok_or("a key of the map is null")?, or_null(field)?));
            }
            Value::Hash(pairs.into_iter().collect())
        }
    };
    Ok(Some(value))
}
