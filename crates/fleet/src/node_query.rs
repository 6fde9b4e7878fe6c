//! [`NodeQuery`]: computes the rows of one node.

use std::cell::RefCell;
use std::hash::BuildHasher;
use std::path::Path;
use std::sync::Arc;

use hieratic::budget::Budget;
use hieratic::dependencies::NodeDependencies;
use hieratic::lookup::{Object, ObjectView, Origin, quoted_key};
use hieratic::value::Str;
use hieratic::value::collections::{FixedState, HashMap};
use hieratic::{Error, Node, Query, Redactor};

use crate::options::Options;
use crate::rows::{Cell, Hashes, Row, RowId, Rows};

/// Computes the rows of one node.
pub(crate) struct NodeQuery<'a> {
    pub(crate) node: &'a Node,
    options: &'a Options<'a>,
    /// The names of levels by the files that they have.
    levels: HashMap<Arc<Path>, Str>,
    /// The files of values so far, by the address of their paths.
    displayed: RefCell<HashMap<usize, DisplayedFile>>,
}

/// A file as rows name it.
struct DisplayedFile {
    name: HashedStr,
    level: Option<HashedStr>,
    /// Keeps the address of the path in use.
    _file: Arc<Path>,
}

/// A string with its hash.
#[derive(Clone, Debug)]
pub(crate) struct HashedStr {
    pub(crate) text: Str,
    pub(crate) hash: u64,
}

impl From<Str> for HashedStr {
    fn from(text: Str) -> HashedStr {
        HashedStr { hash: hash(&text), text }
    }
}

impl<'a> NodeQuery<'a> {
    pub(crate) fn new(node: &'a Node, footprint: &NodeDependencies, options: &'a Options<'a>) -> NodeQuery<'a> {
        let levels = if options.origins { levels(footprint) } else { HashMap::default() };
        NodeQuery { node, options, levels, displayed: RefCell::default() }
    }

    /// Returns whether a key is selected.
    pub(crate) fn is_selected(&self, key: &str) -> bool {
        (self.options.wanted)(key)
    }

    /// Returns the rows of all keys, and the number of keys.
    pub(crate) fn all(&self) -> Result<(Rows, u64), Error> {
        let mut keys = self.node.keys()?;
        keys.retain(|key| self.is_selected(key));
        keys.sort_unstable();
        let asked = keys.len() as u64;
        Ok((keys.into_iter().filter_map(|key| self.row(&key.into())).map(Arc::new).collect(), asked))
    }

    /// Returns the row of a key, or `None` if it has no value.
    pub(crate) fn row(&self, key: &HashedStr) -> Option<Row> {
        let options = self.options;
        let quoted = quoted_key(&key.text);
        let query = Query::within(&quoted, Budget::new(options.limits));
        let mut row = Row {
            id: RowId::next(),
            hashes: Hashes { key: key.hash, ..Hashes::default() },
            key: key.text.clone(),
            answer: Err(String::new()),
            file: None,
            line: None,
            level: None,
            secret: false,
        };
        let value = match options.origins {
            true => self.node.lookup_traced(&query).map(|answer| {
                let object = answer.value;
                if let Some((file, line)) = origin_of(&object) {
                    row.line = Some(line);
                    self.set_file(file, &mut row);
                }
                row.secret = object.has_hidden();
                options.mask.answer(&object)
            }),
            false if options.mask.reveals() => self.node.lookup(&query),
            false => self.node.lookup_redacted(&query),
        };
        row.answer = match value {
            Ok(value) => Cell::from_value(&options.mask.marked(&value)),
            // The source may be in a level that another layer's configuration overrides.
            Err(error) if error.code() == Node::NOT_FOUND => return None,
            Err(error) => Err(message_of(&error, &options.mask)),
        };
        match &row.answer {
            Ok(cell) => row.hashes.answer = hash(&cell.json),
            Err(message) => {
                row.hashes = Hashes { answer: hash(message), key: key.hash, ..Hashes::default() };
                (row.file, row.line, row.level, row.secret) = (None, None, None, false);
            }
        }
        Some(row)
    }

    /// Names the file that the value of a row comes from, and its level.
    fn set_file(&self, file: &Arc<Path>, row: &mut Row) {
        let mut shown = self.displayed.borrow_mut();
        let DisplayedFile { name, level, .. } =
            shown.entry(Arc::as_ptr(file).cast::<()>() as usize).or_insert_with(|| DisplayedFile {
                name: self.options.shown(file).into(),
                level: self.levels.get(file).cloned().map(HashedStr::from),
                _file: file.clone(),
            });
        (row.file, row.hashes.file) = (Some(name.text.clone()), name.hash);
        if let Some(level) = level {
            (row.level, row.hashes.level) = (Some(level.text.clone()), level.hash);
        }
    }
}

fn hash(text: &str) -> u64 {
    FixedState.hash_one(text)
}

/// The file and line that a value comes from, if all of it comes from one file.
fn origin_of(object: &Object) -> Option<(&Arc<Path>, u32)> {
    let Some(Origin::File { file, line, .. }) = object.origin() else { return None };
    is_all_of(object, file).then_some((file, *line))
}

fn is_all_of(object: &Object, file: &Arc<Path>) -> bool {
    let is_own = match object.origin() {
        Some(Origin::File { file: own, .. }) => own == file,
        Some(Origin::Named(_)) => false,
        None => true,
    };
    is_own
        && match object.view() {
            ObjectView::Scalar(_) => true,
            ObjectView::Array(elements) => elements.iter().all(|element| is_all_of(element, file)),
            ObjectView::Hash(pairs) => pairs.iter().all(|(_, value)| is_all_of(value, file)),
        }
}

/// Returns the message of an error, with secrets redacted.
pub(crate) fn message_of(error: &Error, mask: &Redactor) -> String {
    mask.message(&error.to_string()).into_owned()
}

/// The name of a level: explanations call it `Hierarchy entry "Common"`.
pub fn level_name(label: &str) -> &str {
    let inner = label.strip_prefix("Hierarchy entry \"").and_then(|rest| rest.strip_suffix('"'));
    inner.unwrap_or(label)
}

/// The names of levels by the files that they have.
fn levels(footprint: &NodeDependencies) -> HashMap<Arc<Path>, Str> {
    let places = footprint.places.iter().rev();
    places.filter_map(|footing| Some((footing.path.clone()?, Str::from(level_name(&footing.level))))).collect()
}
