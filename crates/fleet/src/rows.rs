//! [`Row`]: the answer to a key, without the node that it is for.

use std::cell::RefCell;
use std::hash::BuildHasher;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hieratic::powers::Budget;
use hieratic::{Error, Footprint, Mask, Node, Object, ObjectView, Origin, Query, quoted_key};
use hieratic_value::{Str, Value};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::export::Options;

/// The rows of a node, sorted by key. Nodes share those that are the same for them.
pub type Rows = Arc<[Arc<Row>]>;

/// The answer to a key.
#[derive(Clone, Debug)]
pub struct Row {
    /// No other row has this number.
    pub(crate) number: usize,
    /// What its texts hash to.
    pub(crate) hashes: Hashes,
    /// The key.
    pub key: Str,
    /// The value, or why the lookup failed.
    pub answer: Result<Cell, String>,
    /// The file that the value comes from, as a path below the root of the repository where it is below. None for a value that was merged
    /// from several places, and for one from no file.
    pub file: Option<Str>,
    /// The line in this file, counted from 1.
    pub line: Option<u32>,
    /// The name of the level that has the file.
    pub level: Option<Str>,
    /// Whether something in the value is secret. It is redacted, unless the options reveal it.
    pub secret: bool,
}

/// What texts of a row hash to. A row is a part of many groups of rows that are written, each of which looks for texts that are equal.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Hashes {
    pub(crate) key: u64,
    pub(crate) answer: u64,
    pub(crate) file: u64,
    pub(crate) level: u64,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The value as JSON on one line.
    pub json: String,
    /// The value itself where it is a scalar.
    pub scalar: Scalar,
}

/// A scalar, for columns with a type.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    /// No scalar: an array, a hash, undef, a number beyond 64 bits.
    None,
    /// A string.
    String(Str),
    /// An integer.
    Integer(i64),
    /// A float.
    Float(f64),
    /// A boolean.
    Boolean(bool),
}

impl Hashes {
    fn of(row: &Row) -> Hashes {
        let hash = |text: &str| FxBuildHasher.hash_one(text);
        let answer = match &row.answer {
            Ok(cell) => &cell.json,
            Err(message) => message,
        };
        let of = |text: &Option<Str>| text.as_deref().map(hash).unwrap_or_default();
        Hashes { key: hash(&row.key), answer: hash(answer), file: of(&row.file), level: of(&row.level) }
    }
}

/// The number of the next row.
static NEXT: AtomicUsize = AtomicUsize::new(0);

impl Row {
    /// Roughly how many bytes it takes.
    pub(crate) fn weight(&self) -> usize {
        let answer = match &self.answer {
            Ok(cell) => cell.json.len(),
            Err(message) => message.len(),
        };
        size_of::<Row>() + answer
    }
}

/// Asks a node for its rows.
pub(crate) struct Asking<'a> {
    pub(crate) node: &'a Node,
    options: &'a Options<'a>,
    /// The names of levels by the files that they have.
    levels: FxHashMap<Arc<Path>, Str>,
    /// Files as rows name them.
    shown: RefCell<FxHashMap<Arc<Path>, Str>>,
}

impl<'a> Asking<'a> {
    pub(crate) fn new(node: &'a Node, footprint: &Footprint, options: &'a Options<'a>) -> Asking<'a> {
        let levels = if options.origins { levels(footprint) } else { FxHashMap::default() };
        Asking { node, options, levels, shown: RefCell::default() }
    }

    /// Whether a key is asked for.
    pub(crate) fn is_wanted(&self, key: &str) -> bool {
        (self.options.wanted)(key)
    }

    /// The rows of all keys, and how many keys there are.
    pub(crate) fn all(&self) -> Result<(Rows, u64), Error> {
        let mut keys = self.node.keys()?;
        keys.retain(|key| self.is_wanted(key));
        keys.sort_unstable();
        let asked = keys.len() as u64;
        Ok((keys.iter().filter_map(|key| self.row(key)).map(Arc::new).collect(), asked))
    }

    /// The row of a key; none if it has no value.
    pub(crate) fn row(&self, key: &Str) -> Option<Row> {
        let options = self.options;
        let quoted = quoted_key(key);
        let query = Query { names: vec![&quoted], budget: Budget::new(options.limits), ..Query::default() };
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let key = key.clone();
        let hashes = Hashes::default();
        let mut row =
            Row { number, hashes, key, answer: Err(String::new()), file: None, line: None, level: None, secret: false };
        let value = match options.origins {
            true => self.node.lookup_traced(&query).map(|answer| {
                let object = answer.value;
                let (file, line) = place(&object).unzip();
                row.level = file.as_ref().and_then(|file| self.levels.get(file).cloned());
                row.file = file.map(|file| self.shown(file));
                row.line = line;
                row.secret = object.has_hidden();
                if options.mask.reveals() { object.to_value() } else { object.masked() }
            }),
            false if options.mask.reveals() => self.node.lookup(&query),
            false => self.node.lookup_masked(&query),
        };
        row.answer = match value {
            Ok(value) => Cell::of(&options.mask.value(&value)),
            // A source may lie in a level that another layer's configuration hides.
            Err(error) if error.code() == Node::NOT_FOUND => return None,
            Err(error) => Err(message_of(&error, &options.mask)),
        };
        if row.answer.is_err() {
            row = Row { file: None, line: None, level: None, secret: false, ..row };
        }
        row.hashes = Hashes::of(&row);
        Some(row)
    }

    fn shown(&self, file: Arc<Path>) -> Str {
        let mut shown = self.shown.borrow_mut();
        shown.entry(file).or_insert_with_key(|file| self.options.shown(file)).clone()
    }
}

/// The file and line that a value comes from, if all of it comes from one file.
fn place(object: &Object) -> Option<(Arc<Path>, u32)> {
    let Some(Origin::File { file, line, .. }) = object.origin() else { return None };
    is_all_of(object, file).then(|| (file.clone(), *line))
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

/// The message of an error, with secrets covered.
pub(crate) fn message_of(error: &Error, mask: &Mask) -> String {
    mask.message(&error.to_string()).into_owned()
}

impl Cell {
    /// A value as a cell of a row.
    ///
    /// # Errors
    /// Why the value has no form in JSON.
    pub fn of(value: &Value) -> Result<Cell, String> {
        let json = hieratic_render::json(value).map_err(|error| error.to_string())?;
        let scalar = match value {
            Value::String(text) => Scalar::String(text.clone()),
            Value::Integer(number) => Scalar::Integer(*number),
            Value::Float(number) => Scalar::Float(*number),
            Value::Boolean(value) => Scalar::Boolean(*value),
            _ => Scalar::None,
        };
        Ok(Cell { json, scalar })
    }
}

/// The name of a level: explanations call it `Hierarchy entry "Common"`.
pub fn level_name(label: &str) -> &str {
    let inner = label.strip_prefix("Hierarchy entry \"").and_then(|rest| rest.strip_suffix('"'));
    inner.unwrap_or(label)
}

/// The names of levels by the files that they have.
fn levels(footprint: &Footprint) -> FxHashMap<Arc<Path>, Str> {
    let places = footprint.places.iter().rev();
    places.filter_map(|footing| Some((footing.path.clone()?, Str::from(level_name(&footing.level))))).collect()
}
