//! Tables of Arrow as facts: a row for each node.

use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use hieratic::{Facts, Hash, Rich, Value, json};
use hieratic_fleet::facts_of;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::faults::Fault;

/// How deep the types of columns may nest.
const DEEPEST: usize = 64;

/// The facts of a table: columns are facts, or `certname` and `facts`, or `name` and `values`, of which the second is a struct, a map, or a
/// string of JSON. A fact that is null in a row is one that the node does not have.
pub(crate) fn facts(table: &Bound<'_, PyAny>) -> PyResult<Vec<Facts>> {
    let capsule = table.call_method0("__arrow_c_stream__")?;
    let capsule = capsule.cast::<PyCapsule>()?;
    let stream = taken(capsule)?;
    let reader = RecordBatchStreamReader::try_new(stream).map_err(refused)?;
    // The producer may be Python, which takes the lock itself where it needs it.
    let mut nodes = Vec::new();
    for batch in reader {
        let batch = batch.map_err(refused)?;
        let before = nodes.len();
        for row in 0..batch.num_rows() {
            let number = before + row + 1;
            let node = object(&batch, row).and_then(|object| facts_of(&object));
            nodes.push(node.map_err(|message| at_row(number, &message))?);
        }
    }
    Ok(nodes)
}

/// The stream in a capsule, which is empty afterwards.
#[expect(unsafe_code, reason = "the C interface of Arrow is a struct behind a pointer")]
fn taken(capsule: &Bound<'_, PyCapsule>) -> PyResult<FFI_ArrowArrayStream> {
    let pointer = capsule.pointer_checked(Some(c"arrow_array_stream"))?;
    // SAFETY: a capsule of this name holds a valid `ArrowArrayStream`, as the interface says. It is moved out: what is left is marked as
    // released, and the destructor of the capsule leaves it alone.
    Ok(unsafe { FFI_ArrowArrayStream::from_raw(pointer.cast().as_ptr()) })
}

fn refused(error: arrow_schema::ArrowError) -> PyErr {
    Fault::plain(format!("the table of facts cannot be read: {error}"), "pass a table with one row for each node")
        .into()
}

fn at_row(number: usize, message: &str) -> PyErr {
    let help = "name the node in a column certname, clientcert, or name beside values";
    Fault::plain(format!("row {number} of the table of facts: {message}"), help).into()
}

/// A row as an object. What is null is left out.
fn object(batch: &RecordBatch, row: usize) -> Result<Hash, String> {
    let schema = batch.schema_ref();
    let mut pairs = Vec::with_capacity(batch.num_columns());
    for (field, column) in schema.fields().iter().zip(batch.columns()) {
        let in_column = |message: String| format!("column '{}': {message}", field.name());
        let Some(value) = cell(column, row, 0).map_err(in_column)? else { continue };
        let value = match (field.name().as_str(), &value) {
            ("facts" | "values", Value::String(text)) => {
                json::parse(text.as_bytes()).map_err(|error| in_column(error.to_string()))?
            }
            _ => value,
        };
        pairs.push((Value::from(field.name().as_str()), value));
    }
    Ok(pairs.into_iter().collect())
}

/// The value of a cell; none if it is null.
fn cell(array: &dyn Array, row: usize, depth: usize) -> Result<Option<Value>, String> {
    if depth > DEEPEST {
        return Err(format!("the type nests deeper than {DEEPEST} levels"));
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
        other => return Err(format!("values of the type {other} are no facts; cast the column to strings or numbers")),
    };
    Ok(Some(value))
}
