//! [`CheckedFile`]: a Parquet file whose parts fit into the memory limit.
//!
//! The reader allocates as much memory as the header of a page requests, so a file of a thousand bytes can request
//! gigabytes. Therefore the header of every page is checked before the reader sees it, and so are the types of columns
//! before they are built.

use std::fs::File;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use parquet::bloom_filter::Sbbf;
use parquet::column::page::PageReader;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::reader::{ChunkReader, FileReader, Length, RowGroupReader};
use parquet::file::serialized_reader::{SerializedFileReader, SerializedPageReader};
use parquet::record::reader::RowIter;
use parquet::schema::types::Type;

use super::cells::MAX_DEPTH;
use super::thrift::{Event, parse_struct};

/// The maximum size of the pages that are read at one time, in bytes: one of each column, and its dictionary.
const MAX_PAGE_MEMORY: u64 = 256 << 20;

/// The memory of a dictionary value besides its bytes.
const VALUE: u64 = 48;

/// The maximum length of a page header. It contains two values of the column for statistics.
const MAX_HEADER: u64 = 1 << 20;

/// The maximum length of a file's metadata, in bytes.
const MAX_METADATA: u64 = 64 << 20;

/// A file whose pages are looked at before they are read.
pub(super) struct CheckedFile {
    file: Arc<File>,
    reader: SerializedFileReader<File>,
}

impl CheckedFile {
    pub(super) fn new(file: File) -> Result<CheckedFile> {
        check_types(&file)?;
        let reader = SerializedFileReader::new(file.try_clone()?)?;
        Ok(CheckedFile { file: Arc::new(file), reader })
    }
}

fn parquet_error(message: impl Into<String>) -> ParquetError {
    ParquetError::General(message.into())
}

/// An element of the list of types, which has each type before those that it consists of.
const TYPE: [i16; 2] = [2, 0];

/// Of how many a type consists.
const CHILDREN: [i16; 3] = [2, 0, 5];

/// The maximum nesting of types. A list in a column takes two levels, and a map three.
const MAX_TYPE_DEPTH: usize = 3 * MAX_DEPTH;

/// The length of the trailer after the metadata of a file: its length, and four letters.
const END: u64 = 8;

/// Returns whether the types of columns nest too deep, or have more parts than the file describes: the reader builds
/// them recursively, and allocates memory for their parts.
fn check_types(file: &File) -> Result<()> {
    let Some(before) = file.len().checked_sub(END) else { return Err(parquet_error("it is too short")) };
    let end = file.get_bytes(before, 8)?;
    let (size, letters) = end.split_at(4);
    if letters != b"PAR1" {
        // Not a Parquet file: its reader has a better message.
        return Ok(());
    }
    let size = size.iter().rev().fold(0, |size, byte| size << 8 | u64::from(*byte));
    let start = before.checked_sub(size).filter(|_| size <= MAX_METADATA);
    let (Some(start), Ok(size)) = (start, usize::try_from(size)) else {
        return Err(parquet_error(format!(
            "its metadata has {size} bytes, which is more than the file or than {MAX_METADATA}"
        )));
    };
    let metadata = file.get_bytes(start, size)?;
    let most = i64::try_from(metadata.len()).map_err(|error| parquet_error(error.to_string()))?;
    // The number of remaining parts of each enclosing type.
    let mut outer: Vec<i64> = Vec::new();
    let (mut parts, mut is_deep, mut is_wide) = (0, false, false);
    let read = parse_struct(&metadata, &mut |path, field| match field {
        Event::Number(number) if *path == CHILDREN => parts = number,
        Event::End if *path == TYPE => {
            if let Some(left) = outer.last_mut() {
                *left -= 1;
            }
            is_wide |= parts > most;
            is_deep |= outer.len() > MAX_TYPE_DEPTH;
            if parts > 0 && !is_deep {
                outer.push(parts);
            }
            while outer.last() == Some(&0) {
                outer.pop();
            }
            parts = 0;
        }
        _ => {}
    });
    match read {
        None => Err(parquet_error("its metadata is damaged")),
        Some(()) if is_deep => Err(parquet_error(format!("its types nest deeper than {MAX_TYPE_DEPTH} levels"))),
        Some(()) if is_wide => Err(parquet_error("a type has more parts than the file describes")),
        Some(()) => Ok(()),
    }
}

impl FileReader for CheckedFile {
    fn metadata(&self) -> &ParquetMetaData {
        self.reader.metadata()
    }

    fn num_row_groups(&self) -> usize {
        self.reader.num_row_groups()
    }

    fn get_row_group(&self, at: usize) -> Result<Box<dyn RowGroupReader + '_>> {
        let Some(metadata) = self.metadata().row_groups().get(at) else {
            return Err(parquet_error("a group of rows is missing"));
        };
        let count = Arc::new(AtomicU64::new(0));
        Ok(Box::new(Group { file: self.file.clone(), metadata, bytes_taken: count }))
    }

    fn get_row_iter(&self, projection: Option<Type>) -> Result<RowIter<'_>> {
        RowIter::from_file(projection, self)
    }
}

/// A group of rows.
struct Group<'f> {
    file: Arc<File>,
    metadata: &'f RowGroupMetaData,
    /// The size of the pages that its columns have read last.
    bytes_taken: Arc<AtomicU64>,
}

impl RowGroupReader for Group<'_> {
    fn metadata(&self) -> &RowGroupMetaData {
        self.metadata
    }

    fn num_columns(&self) -> usize {
        self.metadata.num_columns()
    }

    fn get_column_page_reader(&self, at: usize) -> Result<Box<dyn PageReader>> {
        let Some(column) = self.metadata.columns().get(at) else { return Err(parquet_error("a column is missing")) };
        let rows = usize::try_from(self.metadata.num_rows())?;
        let chunk = Chunk { file: self.file.clone(), bytes_taken: self.bytes_taken.clone(), own: AtomicU64::new(0) };
        Ok(Box::new(SerializedPageReader::new(Arc::new(chunk), column, rows, None)?))
    }

    fn get_column_bloom_filter(&self, _: usize) -> Option<&Sbbf> {
        None
    }

    fn get_row_iter(&self, projection: Option<Type>) -> Result<RowIter<'_>> {
        RowIter::from_row_group(projection, self)
    }
}

/// The part of a file that has the pages of a column.
struct Chunk {
    file: Arc<File>,
    bytes_taken: Arc<AtomicU64>,
    /// The size of this column's pages.
    own: AtomicU64,
}

/// Fields in the head of a page: how much it takes, and how many values a dictionary has.
const SIZE: [i16; 1] = [2];
const DICTIONARY_VALUES: [i16; 2] = [7, 1];

impl Chunk {
    /// Checks the header of the next page.
    fn check(&self, start: u64) -> Result<()> {
        let longest = self.file.len().saturating_sub(start).min(MAX_HEADER);
        let head = self.file.get_bytes(start, usize::try_from(longest)?)?;
        let (mut size, mut values) = (0, None);
        let read = parse_struct(&head, &mut |path, field| match field {
            Event::Number(number) if *path == SIZE => size = size.max(number),
            Event::Number(number) if *path == DICTIONARY_VALUES => values = values.max(Some(number)),
            _ => {}
        });
        let counts = (u64::try_from(size), u64::try_from(values.unwrap_or_default()));
        let (Some(()), (Ok(size), Ok(count))) = (read, counts) else {
            return Err(parquet_error("the head of a page is damaged"));
        };
        if count > size {
            return Err(parquet_error(format!("a dictionary of {size} bytes declares {count} values")));
        }
        // A dictionary stays as long as the column is read; of its other pages only the last one does.
        let takes = size.saturating_add(count.saturating_mul(VALUE));
        let before = match values {
            Some(_) => 0,
            None => self.own.swap(takes, Ordering::Relaxed),
        };
        let used = self.bytes_taken.fetch_add(takes, Ordering::Relaxed).saturating_add(takes).saturating_sub(before);
        self.bytes_taken.fetch_sub(before, Ordering::Relaxed);
        if used > MAX_PAGE_MEMORY {
            Err(parquet_error(format!(
                "the pages of a group of rows take {used} bytes at one time, which is more than {MAX_PAGE_MEMORY}"
            )))
        } else {
            Ok(())
        }
    }
}

impl Length for Chunk {
    fn len(&self) -> u64 {
        self.file.len()
    }
}

impl ChunkReader for Chunk {
    type T = <File as ChunkReader>::T;

    /// Reads from the header of a page: nothing else of a column is read by this method.
    fn get_read(&self, start: u64) -> Result<Self::T> {
        self.check(start)?;
        self.file.get_read(start)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        self.file.get_bytes(start, length)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::io::Write;

    use super::*;

    fn file(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file
    }

    /// Returns a file with this number of types, each with this number of parts.
    fn typed(types: u32, parts: &[u8]) -> File {
        let mut metadata = vec![0x15, 2, 0x19, 0xfc];
        let mut left = types;
        while left > 0x7f {
            metadata.push((left & 0x7f) as u8 | 0x80);
            left >>= 7;
        }
        metadata.push(left as u8);
        (0..types).for_each(|_| metadata.extend([&[0x48, 1, b'a', 0x15], parts, &[0]].concat()));
        metadata.push(0);
        let length = u32::try_from(metadata.len()).unwrap().to_le_bytes();
        file(&[b"PAR1", &metadata[..], &length, b"PAR1"].concat())
    }

    fn refusal(file: File) -> String {
        CheckedFile::new(file).err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn types_that_nest_too_deep_or_have_too_many_parts_are_refused() {
        assert!(refusal(typed(100_000, &[2])).contains("nest deeper"));
        assert!(refusal(typed(2, &[0xfe, 0xff, 0xff, 0xff, 0x0f])).contains("more parts"));
        assert!(refusal(file(b"PAR1\xff\xff\xff\xffPAR1")).contains("metadata"));
        assert!(refusal(file(b"PAR1")).contains("too short"));
    }

    #[test]
    fn pages_that_take_too_much_are_refused() {
        let chunk =
            |head: &[u8]| Chunk { file: Arc::new(file(head)), bytes_taken: Arc::default(), own: AtomicU64::default() };
        let sound = [0x15, 4, 0x15, 0x3c, 0x15, 0x38, 0x4c, 0x15, 0x0a, 0x15, 0, 0x12, 0, 0];
        assert!(chunk(&sound).check(0).is_ok());
        // A page of a gigabyte, and a dictionary of more values than bytes.
        let large = [0x15, 0, 0x15, 0x80, 0x80, 0x80, 0x80, 0x08, 0x15, 0x38, 0];
        assert!(chunk(&large).check(0).unwrap_err().to_string().contains("bytes at one time"));
        let many = [0x15, 4, 0x15, 0x3c, 0x15, 0x38, 0x4c, 0x15, 0xfe, 0xff, 0xff, 0xff, 0x0f, 0x15, 0, 0x12, 0, 0];
        assert!(chunk(&many).check(0).unwrap_err().to_string().contains("values"));
        // A page takes the place of the one before it; dictionaries add up.
        let page = [0x15, 0, 0x15, 0x80, 0x80, 0x80, 0x80, 0x01, 0x15, 0x38, 0];
        let one = chunk(&page);
        (0..100).for_each(|_| one.check(0).unwrap());
    }
}
