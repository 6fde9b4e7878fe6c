//! The cells of a row, in whichever format the table is.

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

/// A decoder that meets what it does not expect may panic: this is an error of the file.
pub(super) fn decoded<T>(decode: impl FnOnce() -> T) -> Result<T, String> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(decode)).map_err(|_| "the file is damaged".to_owned())
}
