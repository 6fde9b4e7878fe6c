//! Tables of Arrow as facts: a row for each node.

use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use hieratic::Facts;
use hieratic_fleet::facts_of_row;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::arguments::ITEMS_PER_SIGNAL;
use crate::error::PythonError;

/// The facts of a table: columns are facts, or `certname` and `facts`, or `name` and `values`, of which the second is a struct, a map, or a
/// string of JSON. A fact that is null in a row is one that the node does not have.
pub(crate) fn facts(table: &Bound<'_, PyAny>) -> PyResult<Vec<Facts>> {
    let capsule = table.call_method0("__arrow_c_stream__")?;
    let capsule = capsule.cast::<PyCapsule>()?;
    let stream = take_stream(capsule)?;
    let reader = RecordBatchStreamReader::try_new(stream).map_err(arrow_error)?;
    // The producer may be Python, which takes the lock itself where it needs it.
    let mut nodes = Vec::new();
    for batch in reader {
        let batch = batch.map_err(arrow_error)?;
        let before = nodes.len();
        for row in 0..batch.num_rows() {
            if row.is_multiple_of(ITEMS_PER_SIGNAL) {
                table.py().check_signals()?;
            }
            let number = before + row + 1;
            nodes.push(facts_of_row(&batch, row).map_err(|message| at_row(number, &message))?);
        }
    }
    Ok(nodes)
}

/// The stream in a capsule, which is empty afterwards.
#[expect(unsafe_code, reason = "the C interface of Arrow is a struct behind a pointer")]
fn take_stream(capsule: &Bound<'_, PyCapsule>) -> PyResult<FFI_ArrowArrayStream> {
    let pointer = capsule.pointer_checked(Some(c"arrow_array_stream"))?;
    // SAFETY: a capsule of this name holds a valid `ArrowArrayStream`, as the interface specifies. It is moved out: the
    // rest is marked as released, and the destructor of the capsule leaves it alone.
    Ok(unsafe { FFI_ArrowArrayStream::from_raw(pointer.cast().as_ptr()) })
}

fn arrow_error(error: arrow_schema::ArrowError) -> PyErr {
    PythonError::plain(format!("the table of facts cannot be read: {error}"), "pass a table with one row for each node")
        .into()
}

fn at_row(number: usize, message: &str) -> PyErr {
    let help = "name the node in a column certname or clientcert, or in a column name next to values";
    PythonError::plain(format!("row {number} of the table of facts: {message}"), help).into()
}
