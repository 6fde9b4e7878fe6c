//! Rows as aligned columns of text.

use std::io::{self, BufWriter, Write};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use hieratic::diagnostics::render;
use unicode_width::UnicodeWidthStr;

use super::formatters;

/// From how many rows on the widths of columns are taken; later rows may be wider.
const MEASURED: usize = 1_000;

/// The maximum width of a column: a wider cell moves the rest of its row.
const WIDEST: usize = 80;

/// Writes rows as aligned columns of text.
pub(super) struct Table<W: Write> {
    out: BufWriter<W>,
    /// The names of the columns, and whether each is numeric and so right-aligned.
    columns: Vec<(String, bool)>,
    /// The first rows, before widths are known.
    waiting: Vec<Vec<String>>,
    widths: Option<Vec<usize>>,
}

impl<W: Write> Table<W> {
    pub(super) fn new(schema: SchemaRef, out: W) -> Table<W> {
        let column =
            |field: &datafusion::arrow::datatypes::FieldRef| (shown(field.name()), field.data_type().is_numeric());
        let columns = schema.fields().iter().map(column).collect();
        Table { out: BufWriter::new(out), columns, waiting: Vec::new(), widths: None }
    }

    pub(super) fn write(&mut self, rows: &RecordBatch) -> io::Result<()> {
        let columns = formatters(rows)?;
        for row in 0..rows.num_rows() {
            let cells: Vec<String> = columns.iter().map(|column| shown(&column.value(row).to_string())).collect();
            if self.widths.is_some() {
                self.row(&cells)?;
            } else {
                self.waiting.push(cells);
                if self.waiting.len() == MEASURED {
                    self.begin()?;
                }
            }
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        if self.widths.is_none() {
            self.begin()?;
        }
        self.out.flush()
    }

    /// Writes the names and the rows so far.
    fn begin(&mut self) -> io::Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        let widest = |(index, (name, _)): (usize, &(String, bool))| {
            let cells = waiting.iter().filter_map(|row| row.get(index));
            cells.chain([name]).map(|cell| cell.width()).max().unwrap_or(0).min(WIDEST)
        };
        let widths: Vec<usize> = self.columns.iter().enumerate().map(widest).collect();
        let rules: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
        self.widths = Some(widths);
        let names: Vec<String> = self.columns.iter().map(|(name, _)| name.clone()).collect();
        self.row(&names)?;
        self.row(&rules)?;
        waiting.iter().try_for_each(|row| self.row(row))
    }

    fn row(&mut self, cells: &[String]) -> io::Result<()> {
        let mut line = String::new();
        let widths = self.widths.iter().flatten().copied();
        for (index, ((cell, (_, is_number)), width)) in cells.iter().zip(&self.columns).zip(widths).enumerate() {
            if index > 0 {
                line.push_str("  ");
            }
            let space = " ".repeat(width.saturating_sub(cell.width()));
            let parts: [&str; 2] = if *is_number { [&space, cell] } else { [cell, &space] };
            line.extend(parts);
        }
        // A line of CI systems may be a command.
        writeln!(self.out, "{}", render::escape_commands(line.trim_end()))
    }
}

/// Returns a string on one line for a terminal.
fn shown(text: &str) -> String {
    render::visible_line(text).to_string()
}
