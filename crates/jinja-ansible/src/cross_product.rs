//! [`cross_product`]: one step of a product of lists, for the filter `product` and the lookup `nested`.

use hieratic_jinja::extend::{Result, Value, error, work};

/// The most rows.
const MAX_ROWS: usize = 1_000_000;

/// Returns one row for each pair of a row and an item: the row with the item appended.
///
/// # Errors
/// There are more than a million rows. The message is `refusal`, the number and `rows_are`.
pub fn cross_product(rows: &[Vec<Value>], items: &[Value], refusal: &str, rows_are: &str) -> Result<Vec<Vec<Value>>> {
    let count = rows.len().saturating_mul(items.len());
    if count > MAX_ROWS {
        return Err(error(format!("{refusal} {MAX_ROWS} {rows_are}")));
    }
    let width = rows.first().map_or(0, Vec::len) + 1;
    work::elements(count.saturating_mul(width).max(1))?;
    let after = |row: &Vec<Value>, item: &Value| [row.as_slice(), std::slice::from_ref(item)].concat();
    Ok(rows.iter().flat_map(|row| items.iter().map(move |item| after(row, item))).collect())
}
