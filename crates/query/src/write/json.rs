//! Rows as JSON: objects on lines, or one array.

use std::io::{self, BufWriter, Write};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::json::writer::{JsonArray, LineDelimited, Writer, WriterBuilder};

use super::failed;

/// Writes rows as JSON. Every object has all columns.
pub(super) enum Json<W: Write> {
    Lines(Box<Writer<BufWriter<W>, LineDelimited>>),
    Array(Box<Writer<BufWriter<W>, JsonArray>>),
}

impl<W: Write> Json<W> {
    pub(super) fn lines(out: W) -> Json<W> {
        Json::Lines(Box::new(builder().build::<_, LineDelimited>(buffered(out))))
    }

    pub(super) fn array(out: W) -> Json<W> {
        Json::Array(Box::new(builder().build::<_, JsonArray>(buffered(out))))
    }

    pub(super) fn write(&mut self, rows: &RecordBatch) -> io::Result<()> {
        match self {
            Json::Lines(writer) => writer.write(rows),
            Json::Array(writer) => writer.write(rows),
        }
        .map_err(failed)
    }

    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            Json::Lines(mut writer) => {
                writer.finish().map_err(failed)?;
                writer.into_inner().flush()
            }
            Json::Array(mut writer) => {
                writer.finish().map_err(failed)?;
                let mut out = writer.into_inner();
                out.write_all(b"\n")?;
                out.flush()
            }
        }
    }
}

fn builder() -> WriterBuilder {
    WriterBuilder::new().with_explicit_nulls(true)
}

fn buffered<W: Write>(out: W) -> BufWriter<W> {
    BufWriter::with_capacity(1 << 16, out)
}
