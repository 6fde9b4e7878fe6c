//! The limits of an answer, as `hieratic --limits` prints them.

use hieratic::budget::Limits;

/// Returns a line for each limit: its name, its default value, and the unit that it counts.
pub(crate) fn table() -> String {
    let rows = Limits::default().table();
    let width = |cell: fn(&(&'static str, String, &'static str)) -> usize| rows.iter().map(cell).max().unwrap_or(0);
    let (name, value) = (width(|row| row.0.len()), width(|row| row.1.len()));
    rows.iter().map(|row| format!("{:name$}  {:>value$}  {}\n", row.0, row.1, row.2)).collect()
}
