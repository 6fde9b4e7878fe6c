//! [`ChunkWriter`]: one column of a row group, in the [format of
//! Parquet](https://parquet.apache.org/docs/file-format/data-pages/).
//!
//! A column chunk consists of a dictionary page with the distinct values, and of pages with the dictionary indexes of
//! the rows. Pages whose values differ from row to row have the values themselves. Booleans have no dictionary. The
//! division into pages depends only on the rows, so that a continued export writes the same bytes.

use std::io;

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, Type, ZstdLevel};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ColumnIndexBuilder, OffsetIndexBuilder};
use parquet::file::page_index::column_index::ColumnIndexMetaData;
use parquet::file::page_index::offset_index::OffsetIndexMetaData;
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use super::column::ColumnValue;
use super::encoding::{encode_hybrid, pack_bits};

/// The maximum number of rows in a page.
pub(super) const PAGE: usize = 20_000;

/// The size of the values in a page after which the next one begins, in bytes.
const PAGE_BYTES: usize = 1 << 20;

/// The maximum length of a string that is recorded as a column's minimum or maximum, in bytes.
const MAX_STATISTIC: usize = 64;

/// The effort of the compression: more effort saves less than it costs.
const ZSTD_LEVEL: i32 = 1;

/// The bytes of a column, with its metadata.
pub(super) struct Chunk {
    pub(super) bytes: Bytes,
    pub(super) metadata: ColumnChunkMetaData,
    pub(super) column_index: Option<ColumnIndexMetaData>,
    pub(super) offset_index: OffsetIndexMetaData,
}

/// The compression of all columns.
pub(super) fn compression() -> Result<Compression, ParquetError> {
    Ok(Compression::ZSTD(ZstdLevel::try_new(ZSTD_LEVEL)?))
}

/// The values of a page, without those of rows that have none.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PageKind {
    /// Indexes of the dictionary.
    Indexes,
    Booleans,
    /// Strings, each with its length.
    Texts,
}

/// Writes a column.
pub(super) struct ChunkWriter {
    description: ColumnDescPtr,
    compressor: zstd::bulk::Compressor<'static>,
    /// The dictionary: the different values in sequence.
    dictionary: Vec<u8>,
    dictionary_size: u32,
    page: OpenPage,
    pages: Vec<FinishedPage>,
    least_and_most: Limits,
    nulls: usize,
    rows: usize,
    /// Whether the rows are sorted by this column.
    is_sorted: bool,
}

/// A page that rows are added to.
struct OpenPage {
    kind: PageKind,
    rows: usize,
    values: usize,
    /// A definition level for each row: 1 if it has a value. Empty for columns that are never null.
    levels: Vec<u32>,
    numbers: Vec<u32>,
    texts: Vec<u8>,
    /// The first and the last value, if the rows are sorted by them.
    ends: Option<(Vec<u8>, Vec<u8>)>,
}

struct FinishedPage {
    page: CompressedPage,
    rows: usize,
    ends: Option<(Vec<u8>, Vec<u8>)>,
}

/// The minimum and the maximum of a column.
#[derive(Default)]
enum Limits {
    #[default]
    None,
    Texts(String, String),
    Longs(i64, i64),
    Ints(i32, i32),
    /// Zero has two forms, and NaN has no order.
    Doubles,
    Booleans(bool, bool),
}

impl ChunkWriter {
    pub(super) fn new(description: ColumnDescPtr, is_sorted: bool) -> Result<ChunkWriter, ParquetError> {
        let kind = match description.physical_type() {
            Type::BOOLEAN => PageKind::Booleans,
            _ => PageKind::Indexes,
        };
        Ok(ChunkWriter {
            description,
            compressor: zstd::bulk::Compressor::new(ZSTD_LEVEL).map_err(external)?,
            dictionary: Vec::new(),
            dictionary_size: 0,
            page: OpenPage::new(kind),
            pages: Vec::new(),
            least_and_most: Limits::None,
            nulls: 0,
            rows: 0,
            is_sorted,
        })
    }

    /// Begins the rows of a key: they are in one page, if it has room for them.
    pub(super) fn begin_key(&mut self, rows: usize, kind: PageKind) -> Result<(), ParquetError> {
        if self.page.kind != kind || self.page.rows + rows > PAGE {
            self.end_page()?;
            self.page.kind = kind;
        }
        Ok(())
    }

    /// Adds a value to the dictionary, and returns its index.
    pub(super) fn define(&mut self, value: ColumnValue<'_>) -> Result<u32, ParquetError> {
        match value {
            ColumnValue::Text(text) => write_text(text.as_bytes(), &mut self.dictionary)?,
            ColumnValue::Long(number) => self.dictionary.extend_from_slice(&number.to_le_bytes()),
            ColumnValue::Int(number) => self.dictionary.extend_from_slice(&number.to_le_bytes()),
            ColumnValue::Double(bits) => self.dictionary.extend_from_slice(&bits.to_le_bytes()),
            ColumnValue::Boolean(_) => {}
        }
        self.least_and_most.add(value);
        self.dictionary_size = self.dictionary_size.checked_add(1).ok_or_else(too_many)?;
        Ok(self.dictionary_size - 1)
    }

    /// Adds a row without a value.
    pub(super) fn null(&mut self) -> Result<(), ParquetError> {
        self.row(false)
    }

    /// Adds a row with a value of the dictionary.
    pub(super) fn index(&mut self, index: u32) -> Result<(), ParquetError> {
        self.page.numbers.push(index);
        self.row(true)
    }

    /// Adds a row with a boolean.
    pub(super) fn boolean(&mut self, value: bool) -> Result<(), ParquetError> {
        self.least_and_most.add(ColumnValue::Boolean(value));
        self.page.numbers.push(value.into());
        self.row(true)
    }

    /// Adds a row with a separate string.
    pub(super) fn text(&mut self, text: &str) -> Result<(), ParquetError> {
        self.least_and_most.add(ColumnValue::Text(text));
        write_text(text.as_bytes(), &mut self.page.texts)?;
        self.row(true)
    }

    /// Records the value of the rows that were added last, by which the rows are sorted.
    pub(super) fn sorted_by(&mut self, text: &str) {
        match &mut self.page.ends {
            Some((_, last)) => *last = text.as_bytes().to_vec(),
            None => self.page.ends = Some((text.as_bytes().to_vec(), text.as_bytes().to_vec())),
        }
    }

    fn row(&mut self, has_value: bool) -> Result<(), ParquetError> {
        let page = &mut self.page;
        if self.description.max_def_level() > 0 {
            page.levels.push(has_value.into());
        }
        page.rows += 1;
        page.values += usize::from(has_value);
        // A sorted column ends its pages with its keys, so that the last value is known.
        if page.rows >= PAGE && !self.is_sorted || page.texts.len() >= PAGE_BYTES { self.end_page() } else { Ok(()) }
    }

    fn end_page(&mut self) -> Result<(), ParquetError> {
        if self.page.rows == 0 {
            return Ok(());
        }
        let next = OpenPage::new(self.page.kind);
        let page = std::mem::replace(&mut self.page, next);
        let mut bytes = Vec::new();
        if self.description.max_def_level() > 0 {
            let mut levels = Vec::new();
            encode_hybrid(&page.levels, 1, &mut levels);
            bytes.extend_from_slice(&u32::try_from(levels.len()).map_err(external)?.to_le_bytes());
            bytes.append(&mut levels);
        }
        let encoding = page.write_values(&mut bytes)?;
        let data = Page::DataPage {
            buf: self.compressor.compress(&bytes).map(Bytes::from).map_err(external)?,
            num_values: u32::try_from(page.rows).map_err(external)?,
            encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        self.rows += page.rows;
        self.nulls += page.rows - page.values;
        let page = FinishedPage { page: CompressedPage::new(data, bytes.len()), rows: page.rows, ends: page.ends };
        self.pages.push(page);
        Ok(())
    }

    /// Writes the dictionary and the pages.
    pub(super) fn finish(mut self) -> Result<Chunk, ParquetError> {
        self.end_page()?;
        let mut out = TrackedWrite::new(Vec::new());
        let mut writer = SerializedPageWriter::new(&mut out);
        let (mut uncompressed, mut data_at) = (0, 0);
        let has_dictionary = self.dictionary_size > 0;
        if has_dictionary {
            let page = Page::DictionaryPage {
                buf: self.compressor.compress(&self.dictionary).map(Bytes::from).map_err(external)?,
                num_values: self.dictionary_size,
                encoding: Encoding::PLAIN,
                is_sorted: false,
            };
            let written = writer.write_page(CompressedPage::new(page, self.dictionary.len()))?;
            (uncompressed, data_at) = (written.uncompressed_size, written.bytes_written);
        }
        let mut offsets = OffsetIndexBuilder::new();
        let mut limits = self.is_sorted.then(|| ColumnIndexBuilder::new(self.description.physical_type()));
        for FinishedPage { page, rows, ends } in self.pages {
            let written = writer.write_page(page)?;
            uncompressed += written.uncompressed_size;
            let size = i32::try_from(written.compressed_size).map_err(external)?;
            offsets.append_offset_and_size(i64::try_from(written.offset).map_err(external)?, size);
            offsets.append_row_count(i64::try_from(rows).map_err(external)?);
            if let (Some(limits), Some((first, last))) = (&mut limits, ends) {
                limits.append(false, first, last, 0, None);
            }
        }
        writer.close()?;
        let bytes = Bytes::from(out.into_inner()?);
        let mut encodings = vec![Encoding::PLAIN, Encoding::RLE];
        encodings.extend(has_dictionary.then_some(Encoding::RLE_DICTIONARY));
        let mut metadata = ColumnChunkMetaData::builder(self.description)
            .set_encodings(encodings)
            .set_compression(compression()?)
            .set_num_values(i64::try_from(self.rows).map_err(external)?)
            .set_total_compressed_size(i64::try_from(bytes.len()).map_err(external)?)
            .set_total_uncompressed_size(i64::try_from(uncompressed).map_err(external)?)
            .set_data_page_offset(i64::try_from(data_at).map_err(external)?)
            .set_dictionary_page_offset(has_dictionary.then_some(0));
        if let Some(statistics) = self.least_and_most.statistics(self.nulls as u64) {
            metadata = metadata.set_statistics(statistics);
        }
        let column_index = match limits {
            Some(mut limits) => {
                limits.set_boundary_order(parquet::basic::BoundaryOrder::ASCENDING);
                Some(limits.build()?)
            }
            None => None,
        };
        Ok(Chunk { bytes, metadata: metadata.build()?, column_index, offset_index: offsets.build() })
    }
}

impl OpenPage {
    fn new(kind: PageKind) -> OpenPage {
        let (levels, numbers, texts) = (Vec::new(), Vec::new(), Vec::new());
        OpenPage { kind, rows: 0, values: 0, levels, numbers, texts, ends: None }
    }

    /// Appends the values, and returns their encoding.
    fn write_values(&self, bytes: &mut Vec<u8>) -> Result<Encoding, ParquetError> {
        match self.kind {
            PageKind::Texts => bytes.extend_from_slice(&self.texts),
            PageKind::Booleans => pack_bits(self.numbers.iter().copied(), 1, bytes),
            PageKind::Indexes => {
                let Some(most) = self.numbers.iter().max() else { return Ok(Encoding::PLAIN) };
                let width = most.checked_ilog2().map_or(1, |bits| bits + 1);
                bytes.push(u8::try_from(width).map_err(external)?);
                encode_hybrid(&self.numbers, width, bytes);
                return Ok(Encoding::RLE_DICTIONARY);
            }
        }
        Ok(Encoding::PLAIN)
    }
}

impl Limits {
    fn add(&mut self, value: ColumnValue<'_>) {
        match (&mut *self, value) {
            (Limits::Texts(least, most), ColumnValue::Text(text)) => {
                if text < least.as_str() {
                    *least = text.to_owned();
                } else if text > most.as_str() {
                    *most = text.to_owned();
                }
            }
            (Limits::Longs(least, most), ColumnValue::Long(number)) => {
                (*least, *most) = ((*least).min(number), (*most).max(number));
            }
            (Limits::Ints(least, most), ColumnValue::Int(number)) => {
                (*least, *most) = ((*least).min(number), (*most).max(number));
            }
            (Limits::Booleans(least, most), ColumnValue::Boolean(value)) => {
                (*least, *most) = (*least && value, *most || value);
            }
            (limits, value) => {
                *limits = match value {
                    ColumnValue::Text(text) => Limits::Texts(text.to_owned(), text.to_owned()),
                    ColumnValue::Long(number) => Limits::Longs(number, number),
                    ColumnValue::Int(number) => Limits::Ints(number, number),
                    ColumnValue::Double(_) => Limits::Doubles,
                    ColumnValue::Boolean(value) => Limits::Booleans(value, value),
                }
            }
        }
    }

    /// Returns the statistics of a column, with the number of rows without a value.
    fn statistics(self, nulls: u64) -> Option<Statistics> {
        let nulls = Some(nulls);
        Some(match self {
            Limits::None => return None,
            Limits::Texts(least, most) => {
                let is_short = least.len() <= MAX_STATISTIC && most.len() <= MAX_STATISTIC;
                let limits = is_short.then(|| (ByteArray::from(&*least), ByteArray::from(&*most)));
                let (least, most) = limits.unzip();
                Statistics::byte_array(least, most, None, nulls, false)
            }
            Limits::Longs(least, most) => Statistics::int64(Some(least), Some(most), None, nulls, false),
            Limits::Ints(least, most) => Statistics::int32(Some(least), Some(most), None, nulls, false),
            Limits::Doubles => Statistics::double(None, None, None, nulls, false),
            Limits::Booleans(least, most) => Statistics::boolean(Some(least), Some(most), None, nulls, false),
        })
    }
}

/// Appends a string with its length.
fn write_text(text: &[u8], out: &mut Vec<u8>) -> Result<(), ParquetError> {
    out.extend_from_slice(&u32::try_from(text.len()).map_err(external)?.to_le_bytes());
    out.extend_from_slice(text);
    Ok(())
}

fn too_many() -> ParquetError {
    external(io::Error::other("a row group has too many values"))
}

pub(super) fn external(error: impl std::error::Error + Send + Sync + 'static) -> ParquetError {
    ParquetError::External(Box::new(error))
}
