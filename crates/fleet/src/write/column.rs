//! [`chunk`]: one column of a row group, in the [format of
//! Parquet](https://parquet.apache.org/docs/file-format/data-pages/).
//!
//! A column chunk is a page with the different values, its dictionary, and pages with the dictionary indexes of the
//! rows. The writer of the `parquet` crate hashes each value of each row; here the indexes are known. Booleans have no
//! dictionary.
//!
//! Nodes of a class have the same rows, so their indexes are encoded once, as a [`Piece`], and copied into each page
//! that contains them.

use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};

use bytes::Bytes;
use hieratic::value::collections::HashMap;
use hieratic::value::define_ids;
use hieratic::value::ids::{Id, IndexVec, TooManyIds};
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor};

/// The maximum number of rows in a page.
pub(super) const PAGE: usize = 20_000;

/// The maximum length of a string that is recorded as a column's minimum or maximum, in bytes.
const MAX_STATISTIC: usize = 64;

define_ids! {
    /// The id of a value among the different ones of a column.
    pub(super) struct ValueId: "values of a column";
}

/// A value of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnValue<'v> {
    Text(&'v str),
    Long(i64),
    Int(i32),
    /// The bits of a float.
    Double(u64),
    Boolean(bool),
}

/// A value with its hash.
#[derive(PartialEq, Eq)]
struct HashedValue<'v> {
    hash: u64,
    value: ColumnValue<'v>,
}

impl Hash for HashedValue<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // It is a good hash already.
        state.write_usize(self.hash as usize);
    }
}

/// The different values of a column. `R` is the id of a row among the different ones.
pub(super) struct Column<'v, R> {
    values: IndexVec<ValueId, ColumnValue<'v>>,
    /// The value of each row, if it has one.
    at: IndexVec<R, Option<ValueId>>,
}

/// The bytes of a column, with its metadata.
pub(super) struct Chunk {
    pub(super) bytes: Bytes,
    pub(super) metadata: ColumnChunkMetaData,
}

impl<'v, R: Id> Column<'v, R> {
    /// Collects the values of the different rows, with hashes, which are equal for equal values. `expected` is about
    /// the number of different ones.
    ///
    /// # Errors
    /// There are too many rows or values.
    pub(super) fn new(
        expected: usize,
        rows: impl Iterator<Item = Option<(u64, ColumnValue<'v>)>>,
    ) -> Result<Column<'v, R>, TooManyIds> {
        let mut known: HashMap<HashedValue<'v>, ValueId> = HashMap::default();
        known.reserve(expected);
        let mut column = Column { values: IndexVec::new(), at: IndexVec::new() };
        for value in rows {
            let at = match value {
                None => None,
                Some((hash, value)) => Some(match known.entry(HashedValue { hash, value }) {
                    Entry::Occupied(known) => *known.get(),
                    Entry::Vacant(new) => *new.insert(column.values.push(value)?),
                }),
            };
            column.at.push(at)?;
        }
        Ok(column)
    }

    /// Derives a column from a part of each value, which only some values have. `all` are the values of the different
    /// rows of this column.
    ///
    /// # Errors
    /// There are too many values.
    pub(super) fn derived<T>(
        &self,
        all: &IndexVec<R, Option<&'v T>>,
        part: fn(&'v T) -> Option<ColumnValue<'v>>,
    ) -> Result<Column<'v, R>, TooManyIds> {
        // The parts so far: a value may have none.
        let mut parts: IndexVec<ValueId, Option<Option<ValueId>>> = IndexVec::from_elem(None, &self.values);
        let mut column = Column { values: IndexVec::new(), at: IndexVec::from_elem(None, &self.at) };
        for (row, value) in self.at.entries() {
            let (Some(value), Some(whole)) = (*value, all[row]) else { continue };
            column.at[row] = match parts[value] {
                Some(known) => known,
                None => *parts[value].insert(match part(whole) {
                    Some(part) => Some(column.values.push(part)?),
                    None => None,
                }),
            };
        }
        Ok(column)
    }

    fn has_dictionary(&self) -> bool {
        self.values.iter().next().is_some_and(|first| !matches!(first, ColumnValue::Boolean(_)))
    }

    /// Returns the number of bits of a dictionary index.
    fn width(&self) -> u32 {
        (self.values.len().saturating_sub(1)).checked_ilog2().map_or(1, |bits| bits + 1)
    }

    /// Encodes the different values one after the other.
    fn plain(&self) -> Result<Vec<u8>, ParquetError> {
        let mut out = Vec::new();
        for value in &self.values {
            match value {
                ColumnValue::Text(text) => {
                    out.extend_from_slice(&u32::try_from(text.len()).map_err(external)?.to_le_bytes());
                    out.extend_from_slice(text.as_bytes());
                }
                ColumnValue::Long(number) => out.extend_from_slice(&number.to_le_bytes()),
                ColumnValue::Int(number) => out.extend_from_slice(&number.to_le_bytes()),
                ColumnValue::Double(bits) => out.extend_from_slice(&bits.to_le_bytes()),
                ColumnValue::Boolean(value) => out.push((*value).into()),
            }
        }
        Ok(out)
    }

    /// Returns the minimum and the maximum, with the number of rows without a value.
    fn statistics(&self, nulls: u64) -> Option<Statistics> {
        let nulls = Some(nulls);
        let numbers = || self.values.iter();
        Some(match self.values.iter().next()? {
            ColumnValue::Text(_) => {
                let texts = || {
                    numbers().filter_map(|value| if let ColumnValue::Text(text) = value { Some(*text) } else { None })
                };
                // In one pass: there are many strings, scattered in memory.
                let both = |(least, most): (_, _), text| (std::cmp::min(least, text), std::cmp::max(most, text));
                let limits = texts().next().map(|first| texts().fold((first, first), both));
                let limits = limits.filter(|(least, most)| least.len() <= MAX_STATISTIC && most.len() <= MAX_STATISTIC);
                let (least, most) = limits.map(|(least, most)| (ByteArray::from(least), ByteArray::from(most))).unzip();
                Statistics::byte_array(least, most, None, nulls, false)
            }
            ColumnValue::Long(_) => {
                let all = || {
                    numbers()
                        .filter_map(|value| if let ColumnValue::Long(number) = value { Some(*number) } else { None })
                };
                Statistics::int64(all().min(), all().max(), None, nulls, false)
            }
            ColumnValue::Int(_) => {
                let all = || {
                    numbers()
                        .filter_map(|value| if let ColumnValue::Int(number) = value { Some(*number) } else { None })
                };
                Statistics::int32(all().min(), all().max(), None, nulls, false)
            }
            // Zero has two forms, and NaN has no order.
            ColumnValue::Double(_) => Statistics::double(None, None, None, nulls, false),
            ColumnValue::Boolean(_) => {
                let all = || {
                    numbers().filter_map(|value| if let ColumnValue::Boolean(one) = value { Some(*one) } else { None })
                };
                Statistics::boolean(all().min(), all().max(), None, nulls, false)
            }
        })
    }
}

/// Rows that are next to each other in a column, as bytes of a page.
#[derive(Default)]
pub(super) struct Piece {
    /// The number of rows, and the number of those with a value.
    rows: usize,
    values: usize,
    /// Which of them have a value, if not all have to.
    levels: Vec<u8>,
    /// The dictionary indexes of the values; for booleans their bits, where the last byte may have unused bits.
    numbers: Vec<u8>,
}

impl<R: Id> Column<'_, R> {
    /// Rows, each by its id among the different ones.
    pub(super) fn piece(&self, rows: &[R], description: &ColumnDescriptor, room: &mut IndexBuffers) -> Piece {
        let IndexBuffers { levels, numbers } = room;
        levels.clear();
        numbers.clear();
        let has_dictionary = self.has_dictionary();
        let is_true = |at: ValueId| self.values[at] == ColumnValue::Boolean(true);
        for row in rows {
            // The column was made of all rows of the group.
            let at = self.at[*row];
            levels.push(at.is_some().into());
            numbers.extend(at.map(|at| if has_dictionary { at.as_u32() } else { is_true(at).into() }));
        }
        let mut piece = Piece { rows: rows.len(), values: numbers.len(), ..Piece::default() };
        if description.max_def_level() > 0 {
            encode_hybrid(levels, 1, &mut piece.levels);
        }
        if has_dictionary {
            encode_hybrid(numbers, self.width(), &mut piece.numbers);
        } else {
            pack_bits(numbers.iter().copied(), 1, &mut piece.numbers);
        }
        piece
    }
}

/// Buffers for the indexes of rows, reused for all pieces.
#[derive(Default)]
pub(super) struct IndexBuffers {
    levels: Vec<u32>,
    numbers: Vec<u32>,
}

/// Writes a column that consists of pieces, each of no more rows than a page has.
pub(super) fn chunk<'p>(
    description: ColumnDescPtr,
    column: &Column<'_, impl Id>,
    pieces: impl Iterator<Item = &'p Piece>,
) -> Result<Chunk, ParquetError> {
    let mut out = TrackedWrite::new(Vec::new());
    let mut writer = SerializedPageWriter::new(&mut out);
    let mut compressor = snap::raw::Encoder::new();
    let mut compressed = |bytes: &[u8]| compressor.compress_vec(bytes).map(Bytes::from).map_err(external);
    let (mut uncompressed_size, mut data_at) = (0, 0);
    let has_dictionary = column.has_dictionary();
    if has_dictionary {
        let plain = column.plain()?;
        let page = Page::DictionaryPage {
            buf: compressed(&plain)?,
            num_values: u32::try_from(column.values.len()).map_err(external)?,
            encoding: Encoding::PLAIN,
            is_sorted: false,
        };
        let written = writer.write_page(CompressedPage::new(page, plain.len()))?;
        (uncompressed_size, data_at) = (written.uncompressed_size, written.bytes_written);
    }
    let encoding = if has_dictionary { Encoding::RLE_DICTIONARY } else { Encoding::PLAIN };
    let (mut count, mut nulls) = (0, 0);
    let mut page = OpenPage::default();
    let mut bytes = Vec::new();
    let mut pieces = pieces.peekable();
    while let Some(piece) = pieces.next() {
        page.add(piece, has_dictionary);
        if pieces.peek().is_some_and(|next| page.rows + next.rows <= PAGE) {
            continue;
        }
        bytes.clear();
        if description.max_def_level() > 0 {
            bytes.extend_from_slice(&u32::try_from(page.levels.len()).map_err(external)?.to_le_bytes());
            bytes.extend_from_slice(&page.levels);
        }
        if has_dictionary {
            bytes.push(u8::try_from(column.width()).map_err(external)?);
        }
        bytes.extend_from_slice(&page.numbers);
        let data = Page::DataPage {
            buf: compressed(&bytes)?,
            num_values: u32::try_from(page.rows).map_err(external)?,
            encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        uncompressed_size += writer.write_page(CompressedPage::new(data, bytes.len()))?.uncompressed_size;
        count += page.rows;
        nulls += (page.rows - page.values) as u64;
        page.clear();
    }
    writer.close()?;
    let bytes = Bytes::from(out.into_inner()?);
    let encodings = match has_dictionary {
        true => vec![Encoding::PLAIN, Encoding::RLE, Encoding::RLE_DICTIONARY],
        false => vec![Encoding::PLAIN, Encoding::RLE],
    };
    let mut metadata = ColumnChunkMetaData::builder(description)
        .set_encodings(encodings)
        .set_compression(Compression::SNAPPY)
        .set_num_values(i64::try_from(count).map_err(external)?)
        .set_total_compressed_size(i64::try_from(bytes.len()).map_err(external)?)
        .set_total_uncompressed_size(i64::try_from(uncompressed_size).map_err(external)?)
        .set_data_page_offset(i64::try_from(data_at).map_err(external)?)
        .set_dictionary_page_offset(has_dictionary.then_some(0));
    if let Some(statistics) = column.statistics(nulls) {
        metadata = metadata.set_statistics(statistics);
    }
    Ok(Chunk { bytes, metadata: metadata.build()? })
}

/// A page that pieces are added to.
#[derive(Default)]
struct OpenPage {
    rows: usize,
    values: usize,
    levels: Vec<u8>,
    numbers: Vec<u8>,
}

impl OpenPage {
    fn add(&mut self, piece: &Piece, has_dictionary: bool) {
        self.levels.extend_from_slice(&piece.levels);
        if has_dictionary || self.values.is_multiple_of(8) {
            self.numbers.extend_from_slice(&piece.numbers);
        } else {
            self.append_bits(&piece.numbers, piece.values);
        }
        self.rows += piece.rows;
        self.values += piece.values;
    }

    /// Appends `count` bits to the existing ones, which end within a byte. All further bits of the last byte are 0.
    fn append_bits(&mut self, bits: &[u8], count: usize) {
        let used = self.values % 8;
        for byte in bits {
            if let Some(last) = self.numbers.last_mut() {
                *last |= byte << used;
            }
            self.numbers.push(byte >> (8 - used));
        }
        self.numbers.truncate((self.values + count).div_ceil(8));
    }

    fn clear(&mut self) {
        (self.rows, self.values) = (0, 0);
        self.levels.clear();
        self.numbers.clear();
    }
}

pub(super) fn external(error: impl std::error::Error + Send + Sync + 'static) -> ParquetError {
    ParquetError::External(Box::new(error))
}

/// Encodes numbers as runs of equal ones and, in groups of eight, as their bits: the [hybrid
/// encoding](https://parquet.apache.org/docs/file-format/data-pages/encodings/#run-length-encoding--bit-packing-hybrid-rle--3).
/// The output contains exactly these numbers, so that more may be appended.
fn encode_hybrid(numbers: &[u32], width: u32, out: &mut Vec<u8>) {
    let mut written = 0;
    let mut at = 0;
    while at < numbers.len() {
        let first = numbers[at];
        let length = numbers[at..].iter().take_while(|number| **number == first).count();
        // The group before the run is filled up to eight with numbers of the run.
        let fill = (at - written).next_multiple_of(8) - (at - written);
        if length < fill + 8 {
            at += length;
            continue;
        }
        encode_bit_packed(&numbers[written..at + fill], width, out);
        encode_run(first, length - fill, width, out);
        at += length;
        written = at;
    }
    let rest = &numbers[written..];
    let (eights, few) = rest.split_at(rest.len() / 8 * 8);
    encode_bit_packed(eights, width, out);
    for equal in few.chunk_by(|one, other| one == other) {
        encode_run(equal[0], equal.len(), width, out);
    }
}

/// Encodes a run of one number.
fn encode_run(number: u32, times: usize, width: u32, out: &mut Vec<u8>) {
    varint(times << 1, out);
    out.extend_from_slice(&number.to_le_bytes()[..width.div_ceil(8) as usize]);
}

/// Encodes groups of eight numbers as their bits.
fn encode_bit_packed(eights: &[u32], width: u32, out: &mut Vec<u8>) {
    if eights.is_empty() {
        return;
    }
    varint((eights.len() / 8) << 1 | 1, out);
    pack_bits(eights.iter().copied(), width, out);
}

/// Concatenates the lowest bits of numbers.
fn pack_bits(numbers: impl Iterator<Item = u32>, width: u32, out: &mut Vec<u8>) {
    let (mut waiting, mut bits) = (0_u64, 0);
    for number in numbers {
        waiting |= u64::from(number) << bits;
        bits += width;
        if bits >= 32 {
            out.extend_from_slice(&(waiting as u32).to_le_bytes());
            waiting >>= 32;
            bits -= 32;
        }
    }
    out.extend_from_slice(&waiting.to_le_bytes()[..bits.div_ceil(8) as usize]);
}

fn varint(mut number: usize, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    define_ids! {
        struct RowId: "rows";
    }

    /// A decoder, written from the description of the encoding.
    fn read(mut bytes: &[u8], width: u32, count: usize) -> Vec<u32> {
        let mut numbers = Vec::new();
        while numbers.len() < count {
            let (mut head, mut shift) = (0_usize, 0);
            loop {
                let byte = bytes[0];
                bytes = &bytes[1..];
                head |= usize::from(byte & 0x7f) << shift;
                shift += 7;
                if byte < 0x80 {
                    break;
                }
            }
            if head & 1 == 0 {
                let length = width.div_ceil(8) as usize;
                let mut number = [0; 4];
                number[..length].copy_from_slice(&bytes[..length]);
                bytes = &bytes[length..];
                numbers.extend(std::iter::repeat_n(u32::from_le_bytes(number), head >> 1));
            } else {
                let length = (head >> 1) * width as usize;
                let bit = |at: usize| u32::from(bytes[at / 8] >> (at % 8) & 1);
                for number in 0..(head >> 1) * 8 {
                    let start = number * width as usize;
                    numbers.push((0..width as usize).map(|at| bit(start + at) << at).sum());
                }
                bytes = &bytes[length..];
            }
        }
        assert!(bytes.is_empty() && numbers.len() - count < 8, "{} bytes are left", bytes.len());
        numbers.truncate(count);
        numbers
    }

    #[test]
    fn numbers_are_read_as_they_were_written() {
        let mut state = 1_u64;
        let mut below = |most: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % most
        };
        for round in 0..2000 {
            let width = 1 + below(20) as u32;
            let mut numbers = Vec::new();
            for _ in 0..below(6) {
                let length = 1 + below(40) as usize;
                match below(2) {
                    0 => numbers.extend(std::iter::repeat_n(below(1 << width) as u32, length)),
                    _ => numbers.extend((0..length).map(|_| below(1 << width) as u32)),
                }
            }
            let mut bytes = Vec::new();
            encode_hybrid(&numbers, width, &mut bytes);
            // Appended numbers are decoded after the first ones.
            encode_hybrid(&numbers, width, &mut bytes);
            numbers.extend_from_within(..);
            assert_eq!(read(&bytes, width, numbers.len()), numbers, "round {round}, {width} bits");
        }
    }

    #[test]
    fn equal_numbers_take_little_room() {
        let mut bytes = Vec::new();
        encode_hybrid(&[3; 20_000], 17, &mut bytes);
        assert_eq!(bytes.len(), 6);
    }

    #[test]
    fn bits_are_appended_wherever_a_byte_ends() {
        let both = [false, true].map(|value| Some((u64::from(value), ColumnValue::Boolean(value))));
        let column: Column<'_, RowId> = Column::new(2, both.into_iter()).unwrap();
        let ids: Vec<RowId> = column.at.ids().collect();
        let schema = parquet::schema::parser::parse_message_type("message m { REQUIRED BOOLEAN b; }").unwrap();
        let description = parquet::schema::types::SchemaDescriptor::new(std::sync::Arc::new(schema)).column(0);
        let mut state = 1_u32;
        let mut page = OpenPage::default();
        let mut expected = Vec::new();
        for length in (0..40).chain([1, 1, 7, 9, 100]) {
            let rows: Vec<u32> = (0..length)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    state >> 31
                })
                .collect();
            let rows_by_id: Vec<RowId> = rows.iter().map(|row| ids[*row as usize]).collect();
            page.add(&column.piece(&rows_by_id, &description, &mut IndexBuffers::default()), false);
            expected.extend(rows);
            assert_eq!(page.numbers.len(), expected.len().div_ceil(8));
        }
        let found = (0..expected.len()).map(|at| u32::from(page.numbers[at / 8] >> (at % 8) & 1));
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn equal_values_are_kept_once() {
        // Different values may have the same hash.
        let rows = ["a", "", "b", "a"].map(|text| (!text.is_empty()).then_some((7, ColumnValue::Text(text))));
        let column: Column<'_, RowId> = Column::new(0, rows.into_iter()).unwrap();
        let at = |column: &Column<'_, RowId>| column.at.iter().map(|at| at.map(Id::as_u32)).collect::<Vec<_>>();
        assert_eq!((column.values.len(), at(&column)), (2, vec![Some(0), None, Some(1), Some(0)]));
        assert_eq!(column.width(), 1);
        let cells = ["a", "-", "b", "a"];
        let cells = IndexVec::from_elements(cells.iter().map(Some)).unwrap();
        let derived = column.derived(&cells, |text| (*text == "b").then_some(ColumnValue::Int(1))).unwrap();
        assert_eq!(derived.values.iter().collect::<Vec<_>>(), [&ColumnValue::Int(1)]);
        assert_eq!(at(&derived), [None, None, Some(0), None]);
        let numbers: Vec<_> =
            (0..257).map(|number: i64| Some((number as u64 % 16, ColumnValue::Long(number)))).collect();
        let numbers: Column<'_, RowId> = Column::new(0, numbers.into_iter()).unwrap();
        assert_eq!(numbers.width(), 9);
    }
}
