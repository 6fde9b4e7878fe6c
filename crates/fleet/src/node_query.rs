//! [`NodeQuery`]: computes the rows of one node.

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;

use hieratic::budget::Budget;
use hieratic::dependencies::NodeDependencies;
use hieratic::lookup::{Object, ObjectView, Origin, quoted_key};
use hieratic::value::Str;
use hieratic::value::collections::HashMap;
use hieratic::value::ids::TooManyIds;
use hieratic::{Error, Node, Query, Redactor};

use crate::inserted::{InsertedVariables, NodeTexts, RowText};
use crate::options::Options;
use crate::rows::{Cell, Hashes, Row, RowId, Rows, hash};

/// Computes the rows of one node.
pub(crate) struct NodeQuery<'a> {
    pub(crate) node: &'a Node,
    options: &'a Options<'a>,
    /// The budget that all lookups of the node are charged to; without one, each has the limits of the options.
    budget: Option<&'a Budget>,
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
    pub(crate) fn new(
        node: &'a Node,
        footprint: &NodeDependencies,
        options: &'a Options<'a>,
        budget: Option<&'a Budget>,
    ) -> NodeQuery<'a> {
        let levels = if options.origins { levels(footprint) } else { HashMap::default() };
        NodeQuery { node, options, budget, levels, displayed: RefCell::default() }
    }

    /// Returns the budget of one lookup.
    fn one_budget(&self) -> Budget {
        match self.budget {
            Some(whole) => whole.child(self.options.limits),
            None => Budget::new(self.options.limits),
        }
    }

    /// Checks the budget of the node. An answer that was not looked up when it ended is not complete.
    ///
    /// # Errors
    /// The budget is exhausted.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match self.budget {
            Some(whole) => Ok(whole.check()?),
            None => Ok(()),
        }
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
        let mut rows = Vec::new();
        for key in keys {
            let row = self.row(&key.into());
            self.check()?;
            rows.extend(row.map(|row| Arc::new(Row { is_own: true, ..row })));
        }
        Ok((rows.into(), asked))
    }

    /// Returns the row of a key, or `None` if it has no value.
    pub(crate) fn row(&self, key: &HashedStr) -> Option<Row> {
        let options = self.options;
        let quoted = quoted_key(&key.text);
        let query = Query { conceal: options.conceal, ..Query::within(&quoted, self.one_budget()) };
        let mut row = Row {
            id: RowId::next(),
            hashes: Hashes { key: key.hash, ..Hashes::default() },
            key: key.text.clone(),
            answer: Err(String::new()),
            file: None,
            line: None,
            level: None,
            secret: false,
            text: None,
            first: None,
            is_own: false,
        };
        let value = match options.origins {
            true => self.node.lookup_traced(&query).map(|answer| {
                let object = answer.value;
                if let Some((file, line)) = origin_of(&object) {
                    row.line = Some(line);
                    self.set_file(file, &mut row);
                }
                row.first = first_origin(&object);
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
            Err(error) => {
                row.first = error.place().map(|place| (place.file.clone(), place.line.unwrap_or(1)));
                Err(message_of(&error, &options.mask))
            }
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

    /// Returns the row that nodes share whose value differs from the one of this node in variables only, or `None` if
    /// there is no such.
    ///
    /// # Errors
    /// There are too many variables.
    pub(crate) fn as_text(
        &self,
        row: &Row,
        texts: &mut NodeTexts,
        variables: &InsertedVariables,
    ) -> Result<Option<Row>, TooManyIds> {
        let Ok(cell) = &row.answer else { return Ok(None) };
        if row.secret {
            return Ok(None);
        }
        let budget = self.one_budget();
        let Some(template) = self.node.answer_template(&quoted_key(&row.key), &budget) else { return Ok(None) };
        let text = RowText::new(&template, cell, self.node, texts, variables)?;
        Ok(text.map(|text| row.with_text(text)))
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

/// The file and line that a value comes from, if all of it comes from one file.
fn origin_of(object: &Object) -> Option<(&Arc<Path>, u32)> {
    let Some(Origin::File { file, line, .. }) = object.origin() else { return None };
    is_all_of(object, file).then_some((file, *line))
}

/// The file and line that the first part of a value comes from.
fn first_origin(object: &Object) -> Option<(Arc<Path>, u32)> {
    let own = || match object.origin() {
        Some(Origin::File { file, line, .. }) => Some((file.clone(), *line)),
        _ => None,
    };
    match object.view() {
        _ if object.is_hidden() => own(),
        ObjectView::Array(elements) if !elements.is_empty() => elements.iter().find_map(first_origin),
        ObjectView::Hash(pairs) if !pairs.is_empty() => pairs.iter().find_map(|(_, value)| first_origin(value)),
        _ => own(),
    }
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
