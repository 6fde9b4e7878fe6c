//! [`StoredIndex`]: an index of all nodes as bytes, for the next start of the service.
//!
//! The bytes may have been written by another program, and may be hostile. Every id is checked against its list, so
//! that an invalid index fails when it is read and not during a request.

use std::collections::{BTreeMap, HashMap};
use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use hieratic::value::ids::{Id, IndexVec, Interner};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::ids::{AnswerPieceId, ClassId, FilePieceId, NodeId, StringId, ValueId, VariableId};
use super::index::{File, MAX_POSITIONS, Row, Table, TemplateBindings};
use super::lists::IdLists;
use super::template::{Bindings, Template};
use crate::levels::{LevelUse, StoredLevel};

/// The first bytes of an index. The number changes with the format.
const MAGIC: &[u8] = b"hieratic index 3\n";

/// The maximum size of an index after decompression, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// The length of a digest, in bytes.
const DIGEST: usize = 32;

/// The key of an index: equal keys mean the same answers.
pub(super) type StoredKey = [u8; DIGEST];

/// A table of answers as plain lists. Strings are positions in the first list.
#[derive(Serialize, Deserialize)]
struct StoredIndex {
    strings: Vec<String>,
    /// The time that reading took, in milliseconds.
    duration: u64,
    all: usize,
    nodes: Vec<u32>,
    faults: Vec<(u32, u32)>,
    class_of: Vec<u32>,
    rows: Vec<StoredRow>,
    /// The values of the placeholders of each class.
    bindings: Vec<Vec<(u32, u32)>>,
    values: Vec<u32>,
    answers: Vec<Vec<u32>>,
    readers: Vec<Vec<u32>>,
    files: Vec<(u32, Vec<u32>)>,
    facts: Vec<(u32, u32, Vec<u32>)>,
    levels: Vec<StoredLevel>,
}

/// A row: its key, its text with the placeholders, whether it is an error, its positions, and its pieces.
type StoredRow = (u32, u32, Vec<(u32, u32)>, bool, Vec<(u32, u32)>, Vec<u32>);

/// The strings of an index, each once.
#[derive(Default)]
struct Strings(Interner<StringId, String>);

impl Strings {
    fn id(&mut self, text: &str) -> Option<u32> {
        // Without a further id, the index is too large to be kept.
        let (id, _) = self.0.intern(text, str::to_owned).ok()?;
        Some(id.as_u32())
    }

    /// Returns the id of a path; `None` if it is no Unicode.
    fn path(&mut self, path: &Path) -> Option<u32> {
        self.id(path.to_str()?)
    }
}

fn raw<I: Id>(ids: &[I]) -> Vec<u32> {
    ids.iter().map(|id| id.as_u32()).collect()
}

/// Returns a complete table as bytes; `None` if it has names that are no Unicode, or is too large.
pub(super) fn bytes_of(table: &Table, key: &StoredKey) -> Option<Vec<u8>> {
    let stored = StoredIndex::new(table)?;
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    let mut writer = CountingWriter { inner: &mut encoder, left: MAX_BYTES };
    // Memory takes everything until the limit is reached.
    serde_json::to_writer(&mut writer, &stored).ok()?;
    let body = encoder.finish().ok()?;
    let mut bytes = Vec::with_capacity(MAGIC.len() + 2 * DIGEST + body.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(key);
    bytes.extend_from_slice(&Sha256::digest(&body));
    bytes.extend_from_slice(&body);
    Some(bytes)
}

/// Writes up to a number of bytes.
struct CountingWriter<W> {
    inner: W,
    left: u64,
}

impl<W: Write> Write for CountingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.left = self
            .left
            .checked_sub(written as u64)
            .ok_or_else(|| std::io::Error::other("the index is too large to be kept"))?;
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.inner.flush()
    }
}

/// Returns the table of some bytes. Its environment and fingerprint are those of the caller.
///
/// # Errors
/// The bytes are not an index of this version for this key, or are damaged: in words.
pub(super) fn table_of(bytes: &[u8], key: &StoredKey) -> Result<Table, &'static str> {
    let rest = bytes.strip_prefix(MAGIC).ok_or("it is not an index of this version")?;
    let (of, rest) = rest.split_at_checked(DIGEST).ok_or("it is cut off")?;
    let (digest, body) = rest.split_at_checked(DIGEST).ok_or("it is cut off")?;
    if of != key {
        return Err("it is of other files");
    }
    if *Sha256::digest(body) != *digest {
        return Err("it is damaged");
    }
    let mut text = Vec::new();
    let read = ZlibDecoder::new(body).take(MAX_BYTES).read_to_end(&mut text);
    read.map_err(|_| "it is damaged")?;
    let stored: StoredIndex = serde_json::from_slice(&text).map_err(|_| "it is damaged")?;
    stored.table().ok_or("its parts do not fit together")
}

impl StoredIndex {
    fn new(table: &Table) -> Option<StoredIndex> {
        let mut strings = Strings::default();
        let row = |strings: &mut Strings, row: &Row| -> Option<StoredRow> {
            let placeholders = row.template.placeholders().map(|(at, variable)| (at, variable.as_u32())).collect();
            let positions = row.positions.iter().map(|(path, line)| Some((strings.path(path)?, *line)));
            let positions = positions.collect::<Option<Vec<_>>>()?;
            let (key, text) = (strings.id(&row.key)?, strings.id(row.template.literal())?);
            Some((key, text, placeholders, row.is_error, positions, raw(&row.pieces)))
        };
        let pairs =
            |bindings: &Arc<Bindings>| bindings.iter().map(|(one, other)| (one.as_u32(), other.as_u32())).collect();
        Some(StoredIndex {
            duration: u64::try_from(table.duration.as_millis()).ok()?,
            all: table.all,
            nodes: table.nodes.iter().map(|name| strings.id(name)).collect::<Option<_>>()?,
            faults: table
                .faults
                .iter()
                .map(|(name, why)| Some((strings.id(name)?, strings.id(why)?)))
                .collect::<Option<_>>()?,
            class_of: table.class_of.iter().map(|class| class.as_u32()).collect(),
            rows: table.rows.iter().map(|one| row(&mut strings, one)).collect::<Option<_>>()?,
            bindings: table.bindings.by_class.iter().map(pairs).collect(),
            values: table.bindings.values.iter().map(|value| strings.id(value)).collect::<Option<_>>()?,
            answers: table.answers.iter().map(raw).collect(),
            readers: table.readers.iter().map(raw).collect(),
            files: table
                .files
                .iter()
                .map(|file| Some((strings.path(&file.path)?, raw(&file.pieces))))
                .collect::<Option<_>>()?,
            facts: table
                .facts
                .iter()
                .map(|((name, value), nodes)| Some((strings.id(name)?, strings.id(value)?, raw(nodes))))
                .collect::<Option<_>>()?,
            levels: table.levels.iter().map(LevelUse::stored).collect::<Option<_>>()?,
            strings: strings.0.into_values().collect(),
        })
    }

    /// Returns the table; `None` if an id is of no element, or a list is not in its order.
    fn table(self) -> Option<Table> {
        let strings: Vec<Arc<str>> = self.strings.into_iter().map(Arc::from).collect();
        let text = |id: u32| strings.get(id as usize).cloned();
        let mut paths: HashMap<u32, Arc<Path>> = HashMap::new();
        let mut path = |id: u32| -> Option<Arc<Path>> {
            if let Some(known) = paths.get(&id) {
                return Some(known.clone());
            }
            let result: Arc<Path> = Path::new(&**strings.get(id as usize)?).into();
            paths.insert(id, result.clone());
            Some(result)
        };
        let node_count = self.nodes.len();
        let class_count = self.bindings.len();
        let class_of: Vec<ClassId> = ids(&self.class_of, class_count)?;
        if class_of.len() != node_count {
            return None;
        }
        let class_of: IndexVec<NodeId, ClassId> = IndexVec::from_elements(class_of).ok()?;
        let nodes: IndexVec<NodeId, String> = IndexVec::from_elements(
            self.nodes.iter().map(|id| text(*id).map(|name| name.to_string())).collect::<Option<Vec<_>>>()?,
        )
        .ok()?;
        let values: IndexVec<ValueId, Arc<str>> =
            IndexVec::from_elements(self.values.iter().map(|id| text(*id)).collect::<Option<Vec<_>>>()?).ok()?;
        let bindings = self.bindings.iter().map(|pairs| bindings(pairs, values.len())).collect::<Option<Vec<_>>>()?;
        let bindings: IndexVec<ClassId, Arc<Bindings>> = IndexVec::from_elements(bindings).ok()?;
        let mut classes: IndexVec<ClassId, Vec<NodeId>> = IndexVec::from_elem(Vec::new(), &bindings);
        for (node, class) in class_of.entries() {
            classes[*class].push(node);
        }
        let of_classes =
            |lists: &[Vec<u32>]| lists.iter().map(|list| sorted_ids(list, class_count)).collect::<Option<Vec<_>>>();
        let answers: IdLists<AnswerPieceId, ClassId> = IdLists::from_lists(of_classes(&self.answers)?);
        let readers: IdLists<FilePieceId, ClassId> = IdLists::from_lists(of_classes(&self.readers)?);
        let mut rows = Vec::with_capacity(self.rows.len());
        for (key, literal, placeholders, is_error, positions, pieces) in self.rows {
            let literal = text(literal)?;
            let placeholders = placeholders_of(&placeholders, &literal)?;
            let pieces: Vec<AnswerPieceId> = sorted_ids(&pieces, answers.len())?;
            let positions = positions.iter().take(MAX_POSITIONS).map(|(file, line)| Some((path(*file)?, *line)));
            let positions = positions.collect::<Option<Vec<_>>>()?;
            // A placeholder needs a value in each class that has the row.
            let has_values = |class: &ClassId| {
                let known = &bindings[*class];
                placeholders.iter().all(|(_, variable)| known.binary_search_by_key(variable, |(one, _)| *one).is_ok())
            };
            if !placeholders.is_empty() && !pieces.iter().all(|piece| answers[*piece].iter().all(has_values)) {
                return None;
            }
            let template = match placeholders.as_slice() {
                [] => Template::from_literal(literal),
                placeholders => Template::with_placeholders(literal, placeholders),
            };
            rows.push(Row { key: text(key)?, template, is_error, positions, pieces });
        }
        let mut files = Vec::with_capacity(self.files.len());
        for (file, pieces) in &self.files {
            files.push(File { path: path(*file)?, pieces: sorted_ids(pieces, readers.len())? });
        }
        let mut facts: BTreeMap<(Arc<str>, Arc<str>), Vec<NodeId>> = BTreeMap::new();
        for (name, value, nodes) in &self.facts {
            facts.insert((text(*name)?, text(*value)?), sorted_ids(nodes, node_count)?);
        }
        let faults = self.faults.iter().map(|(name, why)| Some((text(*name)?.to_string(), text(*why)?.to_string())));
        let faults = faults.collect::<Option<Vec<_>>>()?;
        let levels = self.levels.into_iter().map(|level| LevelUse::from_stored(level, &classes));
        let levels = levels.collect::<Option<Vec<_>>>()?;
        let is_ordered = rows.is_sorted_by(|one, other| one.key <= other.key)
            && files.is_sorted_by(|one, other| one.path <= other.path)
            && self.all == node_count + faults.len();
        is_ordered.then(|| Table {
            finished: Some(Instant::now()),
            duration: Duration::from_millis(self.duration),
            elapsed: Duration::from_millis(self.duration),
            nodes,
            all: self.all,
            faults,
            rows,
            bindings: TemplateBindings::new(bindings, values),
            class_of,
            classes,
            answers,
            readers,
            files,
            facts,
            levels,
            ..Table::default()
        })
    }
}

/// Returns ids of a list with `count` elements; `None` if one is of none.
pub(crate) fn ids<I: Id>(raw: &[u32], count: usize) -> Option<Vec<I>> {
    raw.iter().map(|id| I::from_index(*id as usize).ok().filter(|_| (*id as usize) < count)).collect()
}

/// Returns ids in ascending order, each once; `None` if they are not.
pub(crate) fn sorted_ids<I: Id>(raw: &[u32], count: usize) -> Option<Vec<I>> {
    let ids = ids(raw, count)?;
    ids.is_sorted_by(|one, other| one < other).then_some(ids)
}

/// Returns the values of the placeholders of a class, sorted by variable.
fn bindings(pairs: &[(u32, u32)], values: usize) -> Option<Arc<Bindings>> {
    let result = pairs.iter().map(|(variable, value)| {
        let value = ValueId::from_index(*value as usize).ok().filter(|_| (*value as usize) < values)?;
        Some((VariableId::from_index(*variable as usize).ok()?, value))
    });
    let result: Vec<(VariableId, ValueId)> = result.collect::<Option<_>>()?;
    result.is_sorted_by(|(one, _), (other, _)| one < other).then(|| result.into())
}

/// Returns the placeholders of a string, which are in order and between its characters.
fn placeholders_of(raw: &[(u32, u32)], literal: &str) -> Option<Vec<(u32, VariableId)>> {
    let is_ordered = raw.is_sorted_by(|(one, _), (other, _)| one <= other);
    let result = raw.iter().map(|(at, variable)| {
        let variable = VariableId::from_index(*variable as usize).ok()?;
        literal.is_char_boundary(*at as usize).then_some((*at, variable))
    });
    result.collect::<Option<Vec<_>>>().filter(|_| is_ordered)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> StoredIndex {
        StoredIndex {
            strings: ["n1", "n2", "port", "at ", "web1", "web2", "/data/a.yaml", "role", "web"]
                .map(String::from)
                .into(),
            duration: 1200,
            all: 2,
            nodes: vec![0, 1],
            faults: Vec::new(),
            class_of: vec![0, 1],
            rows: vec![(2, 3, vec![(3, 0)], false, vec![(6, 4)], vec![0])],
            bindings: vec![vec![(0, 0)], vec![(0, 1)]],
            values: vec![4, 5],
            answers: vec![vec![0, 1]],
            readers: vec![vec![0, 1]],
            files: vec![(6, vec![0])],
            facts: vec![(7, 8, vec![0, 1])],
            levels: Vec::new(),
        }
    }

    #[test]
    fn a_table_survives_its_bytes() {
        let result = table().table().unwrap();
        let bytes = bytes_of(&result, &[7; DIGEST]).unwrap();
        let read = table_of(&bytes, &[7; DIGEST]).unwrap();
        let budget = hieratic::budget::Budget::new(hieratic::budget::Limits::default());
        let texts = |table: &Table| {
            let values = table.values("port", &budget).unwrap();
            values.into_iter().map(|value| (value.text, value.positions, value.nodes)).collect::<Vec<_>>()
        };
        assert_eq!(texts(&read), texts(&result));
        assert_eq!(texts(&read).iter().map(|(text, ..)| &**text).collect::<Vec<_>>(), ["at web1", "at web2"]);
        assert_eq!((read.duration, read.all, &read.facts), (result.duration, result.all, &result.facts));
        assert_eq!(bytes_of(&read, &[7; DIGEST]).unwrap(), bytes);
    }

    #[test]
    fn foreign_and_damaged_bytes_are_refused() {
        let bytes = bytes_of(&table().table().unwrap(), &[7; DIGEST]).unwrap();
        let refused = |bytes: &[u8], key: u8| table_of(bytes, &[key; DIGEST]).err();
        assert_eq!(refused(&bytes, 8), Some("it is of other files"));
        assert_eq!(refused(b"", 7), Some("it is not an index of this version"));
        assert_eq!(refused(&bytes[..MAGIC.len() + 40], 7), Some("it is cut off"));
        for at in MAGIC.len() + DIGEST..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert_eq!(refused(&damaged, 7), Some("it is damaged"), "byte {at}");
        }
        for length in 0..bytes.len() {
            assert!(refused(&bytes[..length], 7).is_some(), "{length} bytes");
        }
    }

    #[test]
    fn parts_that_do_not_fit_are_refused() {
        let changes: [fn(&mut StoredIndex); 14] = [
            |index| index.nodes[0] = 99,
            |index| index.class_of[1] = 2,
            |index| index.class_of.truncate(1),
            |index| index.rows[0].0 = 99,
            |index| index.rows[0].2[0].0 = 4,
            |index| index.rows[0].2[0].1 = 1,
            |index| index.rows[0].5 = vec![1],
            |index| index.bindings[1].clear(),
            |index| index.bindings[0][0].1 = 2,
            |index| index.answers[0] = vec![1, 0],
            |index| index.readers[0] = vec![7],
            |index| index.files[0].1 = vec![0, 0],
            |index| index.facts[0].2 = vec![2],
            |index| index.all = 3,
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut index = table();
            change(&mut index);
            assert!(index.table().is_none(), "change {number}");
        }
    }
}
