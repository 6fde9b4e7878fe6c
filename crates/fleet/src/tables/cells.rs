//! The cells of a row, in whichever format the table is.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use hieratic::{Facts, Value};

use crate::facts::{facts_of, json_of};

/// How deep the types of columns may nest.
pub(super) const DEEPEST: usize = 64;

/// The facts of a row, of which the cells are given by the names of their columns; cells that are null are left out.
pub(super) fn facts_of_cells<'c>(
    cells: impl Iterator<Item = (&'c str, Result<Option<Value>, String>)>,
) -> Result<Facts, String> {
    let mut row = Vec::new();
    for (name, cell) in cells {
        let in_column = |message: String| format!("column '{name}': {message}");
        let value = match (name, cell.map_err(in_column)?) {
            (_, None) => continue,
            ("facts" | "values", Some(Value::String(text))) => {
                json_of(text.as_bytes(), "the cell").map_err(in_column)?
            }
            (_, Some(value)) => value,
        };
        row.push((Value::from(name), value));
    }
    facts_of(&row.into_iter().collect())
}

/// What is said of a cell that is no fact.
pub(super) fn no_fact(kind: impl std::fmt::Display) -> String {
    format!("values of the type {kind} are no facts; cast the column to strings or numbers")
}

/// What is said of a column whose type nests too deep.
pub(super) fn too_deep() -> String {
    format!("the type nests deeper than {DEEPEST} levels")
}

/// What is said of a file that a decoder cannot make sense of.
const DAMAGED: &str =
    "the file is damaged: its bytes are not what it says that they are; write it again, or export the facts as NDJSON";

thread_local! {
    /// Whether this thread decodes a file of somebody else.
    static DECODES: Cell<bool> = const { Cell::new(false) };
}

/// Runs a decoder. One that meets what it does not expect may panic: this is an error of the file, and nothing that the process has to
/// tell about itself.
pub(super) fn decoded<T>(decode: impl FnOnce() -> T) -> Result<T, String> {
    static SILENCED: Once = Once::new();
    // A thread that panics may not change what is said of panics.
    if !std::thread::panicking() {
        SILENCED.call_once(|| {
            let say = panic::take_hook();
            panic::set_hook(Box::new(move |panic| {
                if !DECODES.get() {
                    say(panic);
                }
            }));
        });
    }
    let around = DECODES.replace(true);
    let decoded = panic::catch_unwind(AssertUnwindSafe(decode));
    DECODES.set(around);
    decoded.map_err(|_| DAMAGED.to_owned())
}
