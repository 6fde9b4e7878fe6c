//! [`Format`] and [`Writer`]: the output formats of rows.

mod json;
mod parquet;
mod table;

use std::io::{self, Write};
use std::path::Path;
use std::str::FromStr;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use hieratic_fleet::csv_field;

/// The format of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Columns for people.
    Table,
    /// A JSON object on each line.
    Ndjson,
    /// Comma-separated values ([RFC 4180](https://www.rfc-editor.org/rfc/rfc4180)) with a line of names.
    Csv,
    /// A JSON array of objects.
    Json,
    /// A [Parquet](https://parquet.apache.org/docs/file-format/) file.
    Parquet,
}

impl Format {
    /// Returns the format of a file by its extension.
    ///
    /// ```
    /// use hieratic_query::Format;
    ///
    /// assert_eq!(Format::of_file("ports.parquet".as_ref()), Some(Format::Parquet));
    /// assert_eq!(Format::of_file("ports.xlsx".as_ref()), None);
    /// ```
    pub fn of_file(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()? {
            "txt" => Some(Format::Table),
            "ndjson" | "jsonl" => Some(Format::Ndjson),
            "csv" => Some(Format::Csv),
            "json" => Some(Format::Json),
            "parquet" => Some(Format::Parquet),
            _ => None,
        }
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Format, String> {
        match name {
            "table" => Ok(Format::Table),
            "ndjson" => Ok(Format::Ndjson),
            "csv" => Ok(Format::Csv),
            "json" => Ok(Format::Json),
            "parquet" => Ok(Format::Parquet),
            other => Err(format!(
                "unknown format '{other}'; the formats of queries are table, ndjson, csv, json and parquet"
            )),
        }
    }
}

/// Writes rows in batches.
pub struct Writer<W: Write + Send>(WriterKind<W>);

enum WriterKind<W: Write + Send> {
    Table(table::Table<W>),
    Json(json::Json<W>),
    Csv(Csv<W>),
    Parquet(Box<parquet::Columns<W>>),
}

impl<W: Write + Send> Writer<W> {
    /// Starts an output with these columns.
    ///
    /// # Errors
    /// The format does not support them, or the output fails.
    pub fn new(format: Format, schema: SchemaRef, out: W) -> io::Result<Writer<W>> {
        Ok(Writer(match format {
            Format::Table => WriterKind::Table(table::Table::new(schema, out)),
            Format::Ndjson => WriterKind::Json(json::Json::lines(out)),
            Format::Json => WriterKind::Json(json::Json::array(out)),
            Format::Csv => WriterKind::Csv(Csv::new(schema, out)?),
            Format::Parquet => WriterKind::Parquet(Box::new(parquet::Columns::new(schema, out)?)),
        }))
    }

    /// Writes rows.
    ///
    /// # Errors
    /// The rows cannot be written.
    pub fn write(&mut self, rows: &RecordBatch) -> io::Result<()> {
        match &mut self.0 {
            WriterKind::Table(table) => table.write(rows),
            WriterKind::Json(json) => json.write(rows),
            WriterKind::Csv(csv) => csv.write(rows),
            WriterKind::Parquet(columns) => columns.write(rows),
        }
    }

    /// Writes the buffered rows.
    ///
    /// # Errors
    /// The rows cannot be written.
    pub fn finish(self) -> io::Result<()> {
        match self.0 {
            WriterKind::Table(table) => table.finish(),
            WriterKind::Json(json) => json.finish(),
            WriterKind::Csv(mut csv) => csv.out.flush(),
            WriterKind::Parquet(columns) => columns.finish(),
        }
    }
}

/// Returns a formatter for each column of some rows; nulls are empty.
fn formatters(rows: &RecordBatch) -> io::Result<Vec<ArrayFormatter<'_>>> {
    // The engine created the arrays: every value can be formatted, and time zones are valid.
    const OPTIONS: FormatOptions<'_> = FormatOptions::new();
    rows.columns().iter().map(|column| ArrayFormatter::try_new(column, &OPTIONS).map_err(failed)).collect()
}

fn failed(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        other => io::Error::other(other),
    }
}

/// Rows as comma-separated values.
struct Csv<W: Write> {
    out: io::BufWriter<W>,
    line: Vec<u8>,
}

impl<W: Write> Csv<W> {
    fn new(schema: SchemaRef, out: W) -> io::Result<Csv<W>> {
        let mut csv = Csv { out: io::BufWriter::with_capacity(1 << 16, out), line: Vec::new() };
        csv.row(schema.fields().iter().map(|field| field.name().clone()))?;
        Ok(csv)
    }

    fn write(&mut self, rows: &RecordBatch) -> io::Result<()> {
        let columns = formatters(rows)?;
        (0..rows.num_rows()).try_for_each(|row| self.row(columns.iter().map(|column| column.value(row).to_string())))
    }

    fn row(&mut self, fields: impl Iterator<Item = String>) -> io::Result<()> {
        self.line.clear();
        for (index, field) in fields.enumerate() {
            if index > 0 {
                self.line.push(b',');
            }
            csv_field(&mut self.line, &field);
        }
        self.line.extend_from_slice(b"\r\n");
        self.out.write_all(&self.line)
    }
}
