//! The columns of a row group: their values, and the pages that these are written to.

use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use hieratic::value::collections::{HashMap, HashSet};
use hieratic::value::define_ids;
use hieratic::value::ids::{IndexVec, TooManyIds};
use parquet::errors::ParquetError;
use parquet::schema::types::ColumnDescPtr;

use super::chunk::{Chunk, ChunkWriter, PageKind, external};
use super::group::{DifferentId, Group, TextsId};
use super::order::{OrderedRow, OrderedRows};
use crate::inserted::{NodeTexts, RowText};

/// The minimum number of rows of a key that may have separate strings: so few take little room in any case.
const MIN_OWN: usize = 16;

define_ids! {
    /// The id of a value among the different ones of a column.
    struct ValueId: "values of a column";
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

/// The different values of a column.
pub(super) struct Column<'v> {
    values: IndexVec<ValueId, ColumnValue<'v>>,
    /// The value of each row, if it has one.
    at: IndexVec<DifferentId, Option<ValueId>>,
}

impl<'v> Column<'v> {
    /// Collects the values of the different rows, with hashes, which are equal for equal values.
    ///
    /// # Errors
    /// There are too many rows or values.
    pub(super) fn new(rows: impl Iterator<Item = Option<(u64, ColumnValue<'v>)>>) -> Result<Column<'v>, TooManyIds> {
        let mut known: HashMap<HashedValue<'v>, ValueId> = HashMap::default();
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

    /// Writes the values of all rows.
    pub(super) fn write(
        &self,
        description: ColumnDescPtr,
        rows: &OrderedRows,
        is_sorted: bool,
    ) -> Result<Chunk, ParquetError> {
        let mut out = ChunkWriter::new(description, is_sorted)?;
        let mut indexes: IndexVec<ValueId, Option<u32>> = self.values.map(|_| None);
        for of_key in rows.keys() {
            out.begin_key(of_key.len(), self.kind())?;
            for OrderedRow { row, .. } in of_key {
                match self.at[*row] {
                    None => out.null()?,
                    Some(value) => self.write_value(value, &mut indexes, &mut out)?,
                }
            }
            if let (true, Some(ColumnValue::Text(text))) = (is_sorted, self.value_of(of_key)) {
                out.sorted_by(text);
            }
        }
        out.finish()
    }

    /// Returns a value that is a string.
    fn text(&self, value: ValueId) -> Option<&'v str> {
        match self.values[value] {
            ColumnValue::Text(text) => Some(text),
            _ => None,
        }
    }

    fn kind(&self) -> PageKind {
        match self.values.iter().next() {
            Some(ColumnValue::Boolean(_)) => PageKind::Booleans,
            _ => PageKind::Indexes,
        }
    }

    fn value_of(&self, rows: &[OrderedRow]) -> Option<ColumnValue<'v>> {
        Some(self.values[self.at[rows.first()?.row]?])
    }

    fn write_value(
        &self,
        value: ValueId,
        indexes: &mut IndexVec<ValueId, Option<u32>>,
        out: &mut ChunkWriter,
    ) -> Result<(), ParquetError> {
        if let ColumnValue::Boolean(value) = self.values[value] {
            return out.boolean(value);
        }
        let index = match indexes[value] {
            Some(known) => known,
            None => *indexes[value].insert(out.define(self.values[value])?),
        };
        out.index(index)
    }
}

/// Writes the names of the nodes.
pub(super) fn write_nodes(
    group: &Group,
    description: ColumnDescPtr,
    rows: &OrderedRows,
) -> Result<Chunk, ParquetError> {
    let mut out = ChunkWriter::new(description, false)?;
    let mut indexes = group.nodes.map(|_| None);
    for of_key in rows.keys() {
        out.begin_key(of_key.len(), PageKind::Indexes)?;
        for OrderedRow { node, .. } in of_key {
            let index = match indexes[*node] {
                Some(known) => known,
                None => *indexes[*node].insert(out.define(ColumnValue::Text(&group.nodes[*node].name))?),
            };
            out.index(index)?;
        }
    }
    out.finish()
}

/// Writes the chosen facts of the nodes.
pub(super) fn write_facts(
    group: &Group,
    description: ColumnDescPtr,
    rows: &OrderedRows,
) -> Result<Chunk, ParquetError> {
    let mut out = ChunkWriter::new(description, false)?;
    let mut known: HashMap<&str, u32> = HashMap::default();
    for of_key in rows.keys() {
        out.begin_key(of_key.len(), PageKind::Indexes)?;
        for OrderedRow { node, .. } in of_key {
            match group.nodes[*node].facts.as_deref() {
                None => out.null()?,
                Some(facts) => {
                    let index = match known.get(facts) {
                        Some(index) => *index,
                        None => {
                            let index = out.define(ColumnValue::Text(facts))?;
                            known.insert(facts, index);
                            index
                        }
                    };
                    out.index(index)?;
                }
            }
        }
    }
    out.finish()
}

/// Appends the value of a row with variables.
pub(super) type AppendText = fn(&NodeTexts, &RowText, &mut Vec<u8>);

/// Writes strings, some of which are put together of variables.
pub(super) struct TextColumn<'v> {
    group: &'v Group,
    /// The strings of rows without variables.
    fixed: Column<'v>,
    append: AppendText,
}

/// The string of a row.
#[derive(Clone, Copy)]
enum CellText {
    None,
    Fixed(ValueId),
    /// The position among the strings of the key that were put together.
    Made(usize),
}

/// The strings of a key.
struct KeyTexts {
    cells: Vec<CellText>,
    /// The strings that were put together, in order.
    composed: Vec<u8>,
    ranges: Vec<Range<usize>>,
    /// For the strings of each class, the row that was put together last, in which key, and which string it is.
    last: IndexVec<TextsId, Option<(usize, DifferentId, usize)>>,
}

/// The strings that rows refer to by their number.
struct TextDictionary {
    by_text: HashMap<Box<str>, u32>,
    of_fixed: IndexVec<ValueId, Option<u32>>,
    /// The numbers of the strings of the current key that were put together.
    of_composed: Vec<Option<u32>>,
}

impl<'v> TextColumn<'v> {
    /// Creates the column from the strings of the rows without variables.
    pub(super) fn new(group: &'v Group, fixed: Column<'v>, append: AppendText) -> TextColumn<'v> {
        TextColumn { group, fixed, append }
    }

    /// Writes the strings of all rows. If most rows of a key differ, they have separate strings.
    pub(super) fn write(&self, description: ColumnDescPtr, rows: &OrderedRows) -> Result<Chunk, ParquetError> {
        let mut out = ChunkWriter::new(description, false)?;
        let mut dictionary = TextDictionary {
            by_text: HashMap::default(),
            of_fixed: self.fixed.values.map(|_| None),
            of_composed: Vec::new(),
        };
        let last = self.group.texts.map(|_| None);
        let mut texts = KeyTexts { cells: Vec::new(), composed: Vec::new(), ranges: Vec::new(), last };
        for (number, of_key) in rows.keys().enumerate() {
            self.collect(number, of_key, &mut texts);
            let composed = std::str::from_utf8(&texts.composed).map_err(external)?;
            let text = |cell: CellText| match cell {
                CellText::None => None,
                CellText::Made(at) => Some(&composed[texts.ranges[at].clone()]),
                CellText::Fixed(value) => self.fixed.text(value),
            };
            if of_key.len() >= MIN_OWN && self.count_different(&texts, composed) * 2 > of_key.len() {
                out.begin_key(of_key.len(), PageKind::Texts)?;
                for cell in &texts.cells {
                    match text(*cell) {
                        Some(text) => out.text(text)?,
                        None => out.null()?,
                    }
                }
                continue;
            }
            out.begin_key(of_key.len(), PageKind::Indexes)?;
            dictionary.of_composed = vec![None; texts.ranges.len()];
            for cell in &texts.cells {
                match text(*cell) {
                    Some(text) => dictionary.write(*cell, text, &mut out)?,
                    None => out.null()?,
                }
            }
        }
        out.finish()
    }

    /// Collects the strings of a key. Nodes of a class have the same.
    fn collect(&self, number: usize, rows: &[OrderedRow], texts: &mut KeyTexts) {
        texts.cells.clear();
        texts.composed.clear();
        texts.ranges.clear();
        for OrderedRow { node, row } in rows {
            let cell = match (&self.group.different[*row].text, self.fixed.at[*row]) {
                (Some(text), _) => {
                    let of_class = self.group.nodes[*node].texts;
                    match texts.last[of_class] {
                        Some((key, last, at)) if key == number && last == *row => CellText::Made(at),
                        _ => {
                            let (start, at) = (texts.composed.len(), texts.ranges.len());
                            (self.append)(&self.group.texts[of_class], text, &mut texts.composed);
                            texts.ranges.push(start..texts.composed.len());
                            texts.last[of_class] = Some((number, *row, at));
                            CellText::Made(at)
                        }
                    }
                }
                (None, Some(value)) => CellText::Fixed(value),
                (None, None) => CellText::None,
            };
            texts.cells.push(cell);
        }
    }

    /// Counts the different strings of a key.
    fn count_different(&self, texts: &KeyTexts, composed: &str) -> usize {
        let mut fixed: Vec<ValueId> = Vec::new();
        let mut last = None;
        for cell in &texts.cells {
            if let CellText::Fixed(value) = cell
                && last.replace(*value) != Some(*value)
            {
                fixed.push(*value);
            }
        }
        fixed.sort_unstable();
        fixed.dedup();
        if texts.ranges.is_empty() {
            return fixed.len();
        }
        let fixed = fixed.into_iter().filter_map(|value| self.fixed.text(value));
        let all: HashSet<&str> = fixed.chain(texts.ranges.iter().map(|range| &composed[range.clone()])).collect();
        all.len()
    }
}

impl TextDictionary {
    /// Writes the number of a string. A new one is added.
    fn write(&mut self, cell: CellText, text: &str, out: &mut ChunkWriter) -> Result<(), ParquetError> {
        let known = match cell {
            CellText::Fixed(value) => &mut self.of_fixed[value],
            CellText::Made(at) => &mut self.of_composed[at],
            CellText::None => return out.null(),
        };
        let index = match *known {
            Some(known) => known,
            None => {
                let index = match self.by_text.get(text) {
                    Some(index) => *index,
                    None => {
                        let index = out.define(ColumnValue::Text(text))?;
                        self.by_text.insert(text.into(), index);
                        index
                    }
                };
                *known.insert(index)
            }
        };
        out.index(index)
    }
}
