//! Rows as a Parquet file.

use std::io::{self, Write};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

/// The maximum size of a row group in memory before it is written, in bytes.
const GROUP: usize = 64 << 20;

/// Writes rows as columns of a Parquet file.
pub(super) struct Columns<W: Write + Send>(ArrowWriter<W>);

impl<W: Write + Send> Columns<W> {
    pub(super) fn new(schema: SchemaRef, out: W) -> io::Result<Columns<W>> {
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("hieratic ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        Ok(Columns(ArrowWriter::try_new(out, schema, Some(properties)).map_err(failed)?))
    }

    pub(super) fn write(&mut self, rows: &RecordBatch) -> io::Result<()> {
        self.0.write(rows).map_err(failed)?;
        if self.0.in_progress_size() > GROUP { self.0.flush().map_err(failed) } else { Ok(()) }
    }

    pub(super) fn finish(self) -> io::Result<()> {
        self.0.close().map(|_| ()).map_err(failed)
    }
}

fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}
