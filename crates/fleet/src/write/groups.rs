//! Row groups in sequence, and [`join`], which combines them into one Parquet file.
//!
//! Each group is a Parquet file with this one group, preceded by its length in eight bytes.

use std::io::{self, Read, Write};

use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, PageIndexPolicy, ParquetMetaDataReader};

use super::group::Group;
use super::parquet::{failed, file};
use crate::export::coverage_of;
use crate::options::Options;
use crate::summary::Summary;

/// The maximum size of a group, in bytes. A damaged length must not exhaust memory.
const LARGEST: u64 = 4 << 30;

/// Appends a group.
pub(super) fn write_group(group: &Group, metadata: &[(String, String)], out: &mut impl Write) -> io::Result<()> {
    let mut bytes = Vec::new();
    let mut writer = file(&mut bytes, metadata)?;
    group.add_to(&mut writer)?;
    writer.close().map_err(failed)?;
    out.write_all(&(bytes.len() as u64).to_le_bytes())?;
    out.write_all(&bytes)
}

/// Combines the groups that [`export_continued`](crate::export_continued) has written into one Parquet file. The result
/// equals the file that [`export`](crate::export) writes with groups of this size, with `metadata` and the summary as
/// its metadata.
///
/// # Errors
/// The groups cannot be read, or the file cannot be written.
pub fn join<W: Write + Send>(
    mut groups: impl Read,
    out: W,
    options: &Options<'_>,
    summary: &Summary,
) -> io::Result<()> {
    let mut writer = file(out, &options.metadata)?;
    let mut length = [0; 8];
    while has_more(&mut groups, &mut length)? {
        let length = u64::from_le_bytes(length);
        if length > LARGEST {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a group of rows is damaged"));
        }
        let mut bytes = Vec::new();
        if (&mut groups).take(length).read_to_end(&mut bytes)? as u64 != length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        append(bytes.into(), &mut writer).map_err(failed)?;
    }
    for (name, value) in coverage_of(summary, options) {
        writer.append_key_value_metadata(KeyValue::new(name, value));
    }
    writer.close().map_err(failed)?;
    Ok(())
}

/// Reads the length of the next group, and returns whether there is one.
fn has_more(groups: &mut impl Read, length: &mut [u8; 8]) -> io::Result<bool> {
    let (first, rest) = length.split_at_mut(1);
    if groups.read(first)? == 0 {
        return Ok(false);
    }
    groups.read_exact(rest).map(|()| true)
}

/// Copies the columns of a file as they are.
fn append<W: Write + Send>(
    bytes: bytes::Bytes,
    writer: &mut parquet::file::writer::SerializedFileWriter<W>,
) -> Result<(), ParquetError> {
    let reader = ParquetMetaDataReader::new().with_page_index_policy(PageIndexPolicy::Optional);
    let metadata = reader.parse_and_finish(&bytes)?;
    for (number, group) in metadata.row_groups().iter().enumerate() {
        let pages = metadata.page_index_for_row_group(number);
        let mut out = writer.next_row_group()?;
        for (at, column) in group.columns().iter().enumerate() {
            let close = ColumnCloseResult {
                bytes_written: column.compressed_size().unsigned_abs(),
                rows_written: group.num_rows().unsigned_abs(),
                metadata: column.clone(),
                bloom_filter: None,
                column_index: pages.column_index(at).cloned(),
                offset_index: pages.offset_index(at).cloned(),
            };
            out.append_column(&bytes, close)?;
        }
        out.close()?;
    }
    Ok(())
}
