//! HOCON as Ruby reads it: `Hocon.parse` of the gem hocon 1.3.1.
//!
//! The language: <https://github.com/lightbend/config/blob/main/HOCON.md>. The peculiarities of the gem are preserved:
//! values without a fraction are integers (`1.0` is 1, `0644` is 420), durations stay strings, the keys of a later
//! object come first, `include` with a name is ignored.
//!
//! ```
//! use hieratic_hocon as hocon;
//!
//! let value = hocon::parse(b"dir = /srv\nweb { root = ${dir}/www, ports = [80] }\nweb.ports += 443")?;
//! assert_eq!(value.inspect(), r#"{"dir"=>"/srv", "web"=>{"ports"=>[80, 443], "root"=>"/srv/www"}}"#);
//! # Ok::<(), hieratic_json::Error>(())
//! ```

mod environment;
mod error;
mod lower;
mod path;
mod resolve;
mod syntax;
mod token;
mod tokenizer;
mod value;
mod words;

use hieratic_value::Value;

pub use environment::Environment;
use error::{HoconError, HoconResult};
use hieratic_json::position_sink::{AllPositions, EntryPositions, NoPositions, PositionSink, TrackedHash};
use hieratic_json::{Document, Error};
use hieratic_source::Position;
use value::{ExpansionBudget, HoconData, Shared};
pub use words::{Word, WordKind, words};

/// The maximum nesting depth of a document, including the segments of paths. Ruby fails at some thousand levels.
pub const MAX_DEPTH: usize = 200;

/// The maximum nesting depth of substitutions, including the levels of their values.
pub const MAX_RESOLVE_DEPTH: usize = 400;

/// The maximum number of values in the result. With substitutions, a small document can expand to any number.
pub const MAX_VALUES: usize = 10_000_000;

/// Parses a document without environment variables.
pub fn parse(source: &[u8]) -> Result<Value, Error> {
    parse_in(source, &Environment::empty())
}

/// Parses a document with the variables of an environment.
pub fn parse_in(source: &[u8], environment: &Environment) -> Result<Value, Error> {
    read::<NoPositions>(source, environment).map(|(value, ())| value)
}

/// Parses a document with the variables of an environment, and returns the position of each part.
///
/// The value of a substitution has the position of its definition.
pub fn parse_with_positions(source: &[u8], environment: &Environment) -> Result<Document, Error> {
    read::<AllPositions>(source, environment).map(|(value, positions)| Document { value, positions })
}

fn read<T: PositionSink>(source: &[u8], environment: &Environment) -> Result<(Value, T::Node), Error> {
    let text = std::str::from_utf8(source).map_err(|error| {
        let at = Position::at_offset(source, error.valid_up_to());
        Error::new("invalid byte sequence in UTF-8").at(at).with_hint("save the file as UTF-8")
    })?;
    let mut budget = ExpansionBudget::new();
    let root = syntax::parse(text).and_then(|root| lower::lower(&root, &mut budget))?;
    if matches!(root.data, HoconData::List { .. }) {
        let message = " has type LIST rather than object at file root";
        return Err(HoconError::at(&root.origin, message).into());
    }
    let resolved = resolve::resolve(&root, environment, &mut budget)?;
    let mut left = MAX_VALUES;
    Ok(unwrap::<T>(&resolved, &mut left)?)
}

/// The value of a node in which everything is resolved.
fn unwrap<T: PositionSink>(node: &Shared, left: &mut usize) -> HoconResult<(Value, T::Node)> {
    let at = node.origin.at;
    *left = left
        .checked_sub(1)
        .ok_or_else(|| HoconError::limit(at, format!("the document expands to more than {MAX_VALUES} values")))?;
    match &node.data {
        HoconData::Literal(literal) => Ok((value::literal_value(literal), T::scalar(at))),
        HoconData::Text(text) => Ok((Value::from(&**text), T::scalar(at))),
        HoconData::List { items, .. } => {
            let (mut elements, mut nodes) = (Vec::with_capacity(items.len()), Vec::new());
            for item in items {
                let (element, node) = unwrap::<T>(item, left)?;
                elements.push(element);
                nodes.push(node);
            }
            Ok((Value::from(elements), T::array(at, nodes.into_iter())))
        }
        HoconData::Object(object) => {
            let mut hash = TrackedHash::<T>::with_capacity(object.entries.len());
            for (key, field) in &object.entries {
                let (value, node) = unwrap::<T>(&field.value, left)?;
                hash.insert(Value::from(&**key), value, EntryPositions { key: field.key_at, value: node });
            }
            Ok(hash.finish(at))
        }
        HoconData::Reference { .. } | HoconData::Concatenation(_) | HoconData::Merge { .. } => {
            let message = "called unwrapped() on value with unresolved substitutions, \
                           need to Config#resolve() first, see API docs";
            Err(HoconError::plain(at, message))
        }
    }
}

fn too_deep(at: Position) -> HoconError {
    HoconError::limit(
        at,
        format!("nested deeper than {MAX_DEPTH} levels, or substitutions deeper than {MAX_RESOLVE_DEPTH}"),
    )
}
