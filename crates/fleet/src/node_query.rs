//! [`NodeQuery`]: computes the rows of one node.

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;

use hieratic::budget::Budget;
use hieratic::dependencies::{DataDependency, NodeDependencies};
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
    levels: HashMap<Arc<Path>, LevelInLayer>,
    /// The files of values so far, by the address of their paths.
    displayed: RefCell<HashMap<usize, DisplayedFile>>,
}

/// A file as rows name it.
struct DisplayedFile {
    name: HashedStr,
    level: Option<HashedStr>,
    layer: Option<Str>,
    /// Keeps the address of the path in use.
    _file: Arc<Path>,
}

/// A level, and the layer that it is in.
#[derive(Clone)]
struct LevelInLayer {
    level: Str,
    layer: &'static str,
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
        dependencies: &NodeDependencies,
        options: &'a Options<'a>,
        budget: Option<&'a Budget>,
    ) -> NodeQuery<'a> {
        let levels = if options.origins { levels(dependencies, options) } else { HashMap::default() };
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
        (self.options.selects_key)(key)
    }

    /// Returns the rows of all keys, and the number of keys.
    pub(crate) fn all(&self) -> Result<(Rows, u64), Error> {
        let mut keys = self.node.keys()?;
        keys.retain(|key| self.is_selected(key));
        keys.sort_unstable();
        let count = keys.len() as u64;
        let mut rows = Vec::new();
        for key in keys {
            let row = self.row(&key.into());
            self.check()?;
            rows.extend(row.map(|row| Arc::new(Row { is_own: true, ..row })));
        }
        Ok((rows.into(), count))
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
            layer: None,
            merge: None,
            contributions: None,
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
                } else {
                    self.set_contributions(&object, &query, &mut row);
                }
                row.first = first_origin(&object);
                row.secret = object.has_hidden();
                options.redactor.answer(&object)
            }),
            false if options.redactor.reveals() => self.node.lookup(&query),
            false => self.node.lookup_redacted(&query),
        };
        row.answer = match value {
            Ok(value) => Cell::from_value(&options.redactor.marked(&value)),
            // The source may be in a level that another layer's configuration overrides.
            Err(error) if error.code() == Node::NOT_FOUND => return None,
            Err(error) => {
                row.first = error.place().map(|place| (place.file.clone(), place.line.unwrap_or(1)));
                Err(message_of(&error, &options.redactor))
            }
        };
        match &row.answer {
            Ok(cell) => row.hashes.answer = hash(&cell.json),
            Err(message) => {
                row.hashes = Hashes { answer: hash(message), key: key.hash, ..Hashes::default() };
                (row.file, row.line, row.level, row.layer, row.secret) = (None, None, None, None, false);
                (row.merge, row.contributions) = (None, None);
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
        let DisplayedFile { name, level, layer, .. } =
            shown.entry(Arc::as_ptr(file).cast::<()>() as usize).or_insert_with(|| {
                let level = self.levels.get(file);
                DisplayedFile {
                    name: self.options.shown(file).into(),
                    level: level.map(|level| level.level.clone().into()),
                    layer: level.map(|level| level.layer.into()),
                    _file: file.clone(),
                }
            });
        row.layer.clone_from(layer);
        (row.file, row.hashes.file) = (Some(name.text.clone()), name.hash);
        if let Some(level) = level {
            (row.level, row.hashes.level) = (Some(level.text.clone()), level.hash);
        }
    }
}

/// The maximum number of parts of a value that a row lists.
const MAX_CONTRIBUTIONS: usize = 1_000;

impl NodeQuery<'_> {
    /// Lists the places of a value that comes from several, and what merged them.
    fn set_contributions(&self, object: &Object, query: &Query<'_>, row: &mut Row) {
        let mut parts = Vec::new();
        let mut more = 0;
        self.add_contributions(object, &mut Vec::new(), &mut parts, &mut more);
        if parts.is_empty() {
            return;
        }
        if more > 0 {
            parts.push(serde_json::json!({ "more": more }));
        }
        let text = serde_json::Value::from(parts).to_string();
        row.hashes.contributions = hash(&text);
        row.contributions = Some(text.into());
        // The strategy is determined only for merged values: an answer without it is several times faster.
        let query = Query { budget: self.one_budget(), ..query.clone() };
        // Without a strategy, the first value answers; it may consist of others that it names.
        row.merge = Some(match self.node.why(&query).merge.strategy {
            "default" => "first".into(),
            strategy => strategy.into(),
        });
    }

    /// Adds the largest parts of a value that come from one file each.
    fn add_contributions(
        &self,
        object: &Object,
        path: &mut Vec<String>,
        parts: &mut Vec<serde_json::Value>,
        more: &mut usize,
    ) {
        let place = origin_of(object);
        let is_whole = place.is_some() || object.is_hidden();
        match object.view() {
            ObjectView::Array(elements) if !is_whole && !elements.is_empty() => {
                for (index, element) in elements.iter().enumerate() {
                    path.push(index.to_string());
                    self.add_contributions(element, path, parts, more);
                    path.pop();
                }
            }
            ObjectView::Hash(pairs) if !is_whole && !pairs.is_empty() => {
                for (key, value) in pairs.iter() {
                    // A key may be secret, too.
                    path.push(self.options.redactor.message(&key.to_text()).into_owned());
                    self.add_contributions(value, path, parts, more);
                    path.pop();
                }
            }
            _ if parts.len() == MAX_CONTRIBUTIONS => *more += 1,
            _ => {
                let mut part = serde_json::json!({ "part": path.join(".") });
                match (place, object.origin()) {
                    (Some((file, line)), _) => {
                        part["file"] = (*self.options.shown(file)).into();
                        part["line"] = line.into();
                        if let Some(level) = self.levels.get(file) {
                            part["level"] = (*level.level).into();
                        }
                    }
                    (None, Some(Origin::Named(name))) => part["source"] = (**name).into(),
                    (None, _) if path.is_empty() => return,
                    (None, _) => {}
                }
                parts.push(part);
            }
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
pub(crate) fn message_of(error: &Error, redactor: &Redactor) -> String {
    redactor.message(&error.to_string()).into_owned()
}

/// Returns the name of a level from its label in explanations: `Hierarchy entry "Common"`.
pub fn level_name(label: &str) -> &str {
    let inner = label.strip_prefix("Hierarchy entry \"").and_then(|rest| rest.strip_suffix('"'));
    inner.unwrap_or(label)
}

/// The levels by the files that they have.
fn levels(dependencies: &NodeDependencies, options: &Options<'_>) -> HashMap<Arc<Path>, LevelInLayer> {
    let is_global = |path: &Path| {
        let global = options.global.as_ref().is_some_and(|folder| path.starts_with(folder));
        global && (options.root.as_os_str().is_empty() || !path.starts_with(&options.root))
    };
    let places = dependencies.places.iter().rev();
    let level = |place: &DataDependency| {
        let path = place.path.clone()?;
        let layer = match &place.module {
            Some(_) => "module",
            None if is_global(&path) => "global",
            None => "environment",
        };
        Some((path, LevelInLayer { level: level_name(&place.level).into(), layer }))
    };
    places.filter_map(level).collect()
}
