//! The cells of a row, for all formats of tables.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use hieratic::{Facts, Value};

use crate::facts::{facts_of, json_of};

/// The maximum nesting of column types.
pub(super) const MAX_DEPTH: usize = 64;

/// Reads the facts of a row from its cells with their column names; null cells are left out.
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

/// Returns the message for a cell that is not a fact.
pub(super) fn not_a_fact(kind: impl std::fmt::Display) -> String {
    format!("values of the type {kind} are not facts; cast the column to strings or numbers")
}

/// Returns the message for a column whose type nests too deep.
pub(super) fn too_deep() -> String {
    format!("the type nests deeper than {MAX_DEPTH} levels")
}

/// The message for a file that a decoder cannot process.
const DAMAGED: &str =
    "the file is damaged: its content contradicts its metadata; write it again, or export the facts as NDJSON";

thread_local! {
    /// Whether this thread is decoding an untrusted file. The panic hook is called without an argument, so that only the
    /// thread can tell it. It is set back below even if the decoder panics.
    static DECODES: Cell<bool> = const { Cell::new(false) };
}

/// Runs a decoder. It may panic on unexpected input: this is reported as an error of the file, without a panic message.
pub(super) fn run_decoder<T>(decode: impl FnOnce() -> T) -> Result<T, String> {
    static SILENCED: Once = Once::new();
    // A panicking thread must not change the panic hook.
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
    let outer = DECODES.replace(true);
    let decoded = panic::catch_unwind(AssertUnwindSafe(decode));
    DECODES.set(outer);
    decoded.map_err(|_| DAMAGED.to_owned())
}
