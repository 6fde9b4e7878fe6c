//! [`Row`]: the answer to a key, without the node that it is for.

use std::path::Path;
use std::sync::Arc;

use hieratic::{Environment, Error, Footprint, Mask, Node, Object, ObjectView, Origin, Query, quoted_key};
use hieratic_value::{Str, Value};
use rustc_hash::FxHashMap;

use crate::export::Options;

/// The answer to a key.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
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

/// The rows of a node, by key.
pub(crate) fn rows(
    environment: &Environment,
    node: &Node,
    footprint: &Footprint,
    options: &Options<'_>,
) -> Result<Vec<Row>, Error> {
    let mut keys = environment.keys(node)?;
    keys.retain(|key| (options.wanted)(key));
    keys.sort_unstable();
    let levels = levels(footprint);
    let budget = || hieratic::powers::Budget::new(options.limits);
    let row = |key: Str| -> Option<Row> {
        let quoted = quoted_key(&key);
        let query = Query { names: vec![&quoted], budget: budget(), ..Query::default() };
        let failed = |message: String| Row {
            key: key.clone(),
            answer: Err(message),
            file: None,
            line: None,
            level: None,
            secret: false,
        };
        match node.lookup_traced(&query) {
            Ok(answer) => {
                let object = answer.value;
                let (file, line) = place(&object).unzip();
                let value = match options.mask.reveals() {
                    true => options.mask.value(&object.to_value()),
                    false => options.mask.value(&object.masked()),
                };
                let level = file.as_ref().and_then(|file| levels.get(file).cloned());
                match cell(&value) {
                    Ok(cell) => Some(Row {
                        answer: Ok(cell),
                        file: file.map(|file| options.shown(&file)),
                        line,
                        level,
                        secret: object.has_hidden(),
                        key,
                    }),
                    Err(message) => Some(failed(message)),
                }
            }
            // A source may lie in a level that another layer's configuration hides.
            Err(error) if error.code() == Node::NOT_FOUND => None,
            Err(error) => Some(failed(message_of(&error, &options.mask))),
        }
    };
    Ok(keys.into_iter().map(Str::from).filter_map(row).collect())
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

fn cell(value: &Value) -> Result<Cell, String> {
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

/// The names of levels by the files that they have. `Hierarchy entry "Common"` is how explanations name one.
fn levels(footprint: &Footprint) -> FxHashMap<Arc<Path>, Str> {
    let name = |level: &Str| -> Str {
        let inner = level.strip_prefix("Hierarchy entry \"").and_then(|rest| rest.strip_suffix('"'));
        inner.map_or_else(|| level.clone(), Str::from)
    };
    let places = footprint.places.iter().rev();
    places.filter_map(|footing| Some((footing.path.clone()?, name(&footing.level)))).collect()
}
