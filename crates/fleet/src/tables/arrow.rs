//! Files of Arrow, and rows of its tables.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType};
use hieratic::value::Rich;
use hieratic::{Facts, Value};

use super::cells::{MAX_DEPTH, facts_of_cells, not_a_fact, run_decoder, too_deep};

/// The first bytes of an Arrow file; a stream does not have them.
const MAGIC: &[u8] = b"ARROW1";

type Batches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>;

/// The nodes of a file or a stream.
pub(super) fn nodes(mut file: File) -> Result<impl Iterator<Item = Result<Facts, String>> + Send, String> {
    let mut begin = Vec::new();
    let looked =
        (&mut file).take(MAGIC.len() as u64).read_to_end(&mut begin).and_then(|_| file.seek(SeekFrom::Start(0)));
    looked.map_err(|error| format!("cannot be read: {error}"))?;
    let file = BufReader::new(file);
    let batches = run_decoder(|| -> Result<Batches, ArrowError> {
        Ok(if begin == MAGIC {
            Box::new(FileReader::try_new(file, None)?)
        } else {
            Box::new(StreamReader::try_new(file, None)?)
        })
    })?;
    Ok(Rows { batches: Some(batches.map_err(|error| refused(&error))?), batch: None })
}

struct Rows {
    /// `None` after a batch that cannot be read.
    batches: Option<Batches>,
    /// The current batch, and its next row.
    batch: Option<(RecordBatch, usize)>,
}

impl Iterator for Rows {
    type Item = Result<Facts, String>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((batch, row)) = self.batch.as_mut().filter(|(batch, row)| *row < batch.num_rows()) {
                *row += 1;
                let row = *row - 1;
                return Some(run_decoder(|| facts_of_row(batch, row)).flatten());
            }
            let batches = self.batches.as_mut()?;
            let next = match run_decoder(|| batches.next()) {
                Ok(next) => next?.map_err(|error| refused(&error)),
                Err(message) => Err(message),
            };
            match next {
                Ok(batch) => self.batch = Some((batch, 0)),
                Err(message) => {
                    (self.batches, self.batch) = (None, None);
                    return Some(Err(message));
                }
            }
        }
    }
}

fn refused(error: &ArrowError) -> String {
    format!("the Arrow file cannot be read: {error}")
}

/// Reads the facts of a row of a table. Columns are facts, or `certname` and `facts`, or `name` and `values`, of which
/// the second is a struct, a map, or a string of JSON. Null values are left out.
///
/// # Errors
/// The row does not contain the name of the node, or a cell cannot be a fact.
pub fn facts_of_row(batch: &RecordBatch, row: usize) -> Result<Facts, String> {
    let fields = batch.schema_ref().fields().iter().zip(batch.columns());
    facts_of_cells(fields.map(|(field, column)| (field.name().as_str(), cell(column, row, 0))))
}

/// Returns the value of a cell, or `None` if it is null.
fn cell(array: &dyn Array, row: usize, depth: usize) -> Result<Option<Value>, String> {
    if depth > MAX_DEPTH {
        return Err(too_deep());
    }
    if array.is_null(row) {
        return Ok(None);
    }
    let items = |items: &dyn Array| -> Result<Value, String> {
        let item = |at| Ok(cell(items, at, depth + 1)?.unwrap_or(Value::Undef));
        (0..items.len()).map(item).collect::<Result<Vec<Value>, String>>().map(Value::from)
    };
    let value: Value = match array.data_type() {
        DataType::Null => return Ok(None),
        DataType::Boolean => array.as_boolean().value(row).into(),
        DataType::Int8 => i64::from(array.as_primitive::<Int8Type>().value(row)).into(),
        DataType::Int16 => i64::from(array.as_primitive::<Int16Type>().value(row)).into(),
        DataType::Int32 => i64::from(array.as_primitive::<Int32Type>().value(row)).into(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).into(),
        DataType::UInt8 => i64::from(array.as_primitive::<UInt8Type>().value(row)).into(),
        DataType::UInt16 => i64::from(array.as_primitive::<UInt16Type>().value(row)).into(),
        DataType::UInt32 => i64::from(array.as_primitive::<UInt32Type>().value(row)).into(),
        DataType::UInt64 => {
            let number = array.as_primitive::<UInt64Type>().value(row);
            i64::try_from(number).map_or_else(|_| Value::Rich(Rich::BigInteger(number.into()).into()), Value::from)
        }
        DataType::Float32 => Value::Float(f64::from(array.as_primitive::<Float32Type>().value(row))),
        DataType::Float64 => Value::Float(array.as_primitive::<Float64Type>().value(row)),
        DataType::Utf8 => array.as_string::<i32>().value(row).into(),
        DataType::LargeUtf8 => array.as_string::<i64>().value(row).into(),
        DataType::Utf8View => array.as_string_view().value(row).into(),
        DataType::List(_) => items(&array.as_list::<i32>().value(row))?,
        DataType::LargeList(_) => items(&array.as_list::<i64>().value(row))?,
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns();
            let mut pairs = Vec::with_capacity(fields.len());
            for (field, column) in fields.iter().zip(columns) {
                if let Some(value) = cell(column, row, depth + 1)? {
                    pairs.push((Value::from(field.name().as_str()), value));
                }
            }
            Value::Hash(pairs.into_iter().collect())
        }
        DataType::Map(..) => {
            let entries = array.as_map().value(row);
            let (keys, values) = (entries.column(0), entries.column(1));
            let mut pairs = Vec::with_capacity(entries.len());
            for at in 0..entries.len() {
                let key = cell(keys, at, depth + 1)?.ok_or("a key of the map is null")?;
                pairs.push((key, cell(values, at, depth + 1)?.unwrap_or(Value::Undef)));
            }
            Value::Hash(pairs.into_iter().collect())
        }
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            let Some(Value::Integer(at)) = cell(dictionary.keys(), row, depth + 1)? else { return Ok(None) };
            let at = usize::try_from(at).map_err(|_| "a key of the dictionary is negative")?;
            return cell(dictionary.values(), at, depth + 1);
        }
        other => return Err(not_a_fact(other)),
    };
    Ok(Some(value))
}
