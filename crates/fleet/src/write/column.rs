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
use super::group::{DifferentId, Group};
use super::order::{OrderedRow, OrderedRows};
use crate::inserted::{NodeTexts, RowText};

/// The minimum number of rows of a key that may have strings of their own: so few take little room in any case.
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
#[derive(Clone)]
enum CellText {
    None,
    Fixed(ValueId),
    /// A range of the strings that were put together.
    Made(Range<usize>),
}

impl<'v> TextColumn<'v> {
    /// Creates the column from the strings of the rows without variables.
    pub(super) fn new(group: &'v Group, fixed: Column<'v>, append: AppendText) -> TextColumn<'v> {
        TextColumn { group, fixed, append }
    }

    /// Writes the strings of all rows. If most rows of a key differ, they have strings of their own.
    pub(super) fn write(&self, description: ColumnDescPtr, rows: &OrderedRows) -> Result<Chunk, ParquetError> {
        let mut out = ChunkWriter::new(description, false)?;
        let mut dictionary: HashMap<Box<str>, u32> = HashMap::default();
        let mut indexes: IndexVec<ValueId, Option<u32>> = self.fixed.values.map(|_| None);
        let (mut cells, mut made) = (Vec::new(), Vec::new());
        for of_key in rows.keys() {
            cells.clear();
            made.clear();
            cells.extend(of_key.iter().map(|row| self.cell(*row, &mut made)));
            let made = std::str::from_utf8(&made).map_err(external)?;
            if of_key.len() >= MIN_OWN && self.count_different(&cells, made) * 2 > of_key.len() {
                out.begin_key(of_key.len(), PageKind::Texts)?;
                for cell in &cells {
                    match self.text(cell, made) {
                        Some(text) => out.text(text)?,
                        None => out.null()?,
                    }
                }
                continue;
            }
            out.begin_key(of_key.len(), PageKind::Indexes)?;
            for cell in &cells {
                let Some(text) = self.text(cell, made) else {
                    out.null()?;
                    continue;
                };
                let known = match cell {
                    CellText::Fixed(value) => indexes[*value],
                    _ => None,
                };
                let index = match known.or_else(|| dictionary.get(text).copied()) {
                    Some(known) => known,
                    None => {
                        let index = out.define(ColumnValue::Text(text))?;
                        dictionary.insert(text.into(), index);
                        index
                    }
                };
                if let CellText::Fixed(value) = cell {
                    indexes[*value] = Some(index);
                }
                out.index(index)?;
            }
        }
        out.finish()
    }

    fn cell(&self, OrderedRow { node, row }: OrderedRow, made: &mut Vec<u8>) -> CellText {
        match (&self.group.different[row].text, self.fixed.at[row]) {
            (Some(text), _) => {
                let start = made.len();
                (self.append)(&self.group.nodes[node].texts, text, made);
                CellText::Made(start..made.len())
            }
            (None, Some(value)) => CellText::Fixed(value),
            (None, None) => CellText::None,
        }
    }

    fn text<'t>(&'t self, cell: &CellText, made: &'t str) -> Option<&'t str> {
        match cell {
            CellText::None => None,
            CellText::Made(range) => Some(&made[range.clone()]),
            CellText::Fixed(value) => match self.fixed.values[*value] {
                ColumnValue::Text(text) => Some(text),
                _ => None,
            },
        }
    }

    /// Counts the different strings of a key.
    fn count_different(&self, cells: &[CellText], made: &str) -> usize {
        let mut fixed: Vec<ValueId> = Vec::new();
        let mut last = None;
        for cell in cells {
            if let CellText::Fixed(value) = cell
                && last.replace(*value) != Some(*value)
            {
                fixed.push(*value);
            }
        }
        fixed.sort_unstable();
        fixed.dedup();
        if !cells.iter().any(|cell| matches!(cell, CellText::Made(_))) {
            return fixed.len();
        }
        let fixed = fixed.into_iter().map(CellText::Fixed);
        let own = cells.iter().filter(|cell| matches!(cell, CellText::Made(_))).cloned();
        let all: HashSet<&str> = fixed.chain(own).filter_map(|cell| self.text(&cell, made)).collect();
        all.len()
    }
}
