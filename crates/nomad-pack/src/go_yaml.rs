//! YAML as `gopkg.in/yaml.v2` reads it: the variables of levant.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::str::FromStr;

use hieratic_budget::{Budget, Depth};
use hieratic_go_template::{Key, Value};
use hieratic_hcl_types::go::integer;
use hieratic_hcl_types::go::yaml::{Keyword, keyword};
use hieratic_value::collections::HashMap;
use hieratic_yaml::events::{Events, Kind, Problem};

/// Reads the first document of a file. An empty file is nothing.
pub(crate) fn read(text: &str, budget: &Budget) -> Result<Value, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader =
        Reader { events: Events::new(text.as_bytes()), anchors: HashMap::default(), budget, depth: Depth::default() };
    loop {
        match reader.next()?.part {
            Part::Other => {}
            Part::DocumentStart => break,
            _ => return Ok(Value::Nil),
        }
    }
    let first = reader.next()?;
    match first.part {
        // The names of variables are strings, and keys in their values have the types of values.
        Part::MappingStart(_) => {
            Ok(Value::map(reader.mapping(true)?.iter().map(|(key, value)| (key_text(key), value.clone()))))
        }
        _ => reader.node(first),
    }
}

/// A part of a document, with its line.
struct Piece {
    line: u32,
    part: Part,
}

enum Part {
    DocumentStart,
    Scalar {
        text: String,
        is_plain: bool,
        tag: Option<String>,
        anchor: Option<String>,
    },
    Alias(String),
    SequenceStart(Option<String>),
    SequenceEnd,
    MappingStart(Option<String>),
    MappingEnd,
    /// The end of the document or of all, or the begin of all.
    Other,
    End,
}

impl Part {
    fn new(kind: Kind<'_>) -> Part {
        match kind {
            Kind::DocumentStart => Part::DocumentStart,
            Kind::Scalar(scalar) => Part::Scalar {
                text: scalar.text.into_owned(),
                is_plain: scalar.plain,
                tag: scalar.marks.tag.map(Cow::into_owned),
                anchor: scalar.marks.anchor.map(Cow::into_owned),
            },
            Kind::Alias(name) => Part::Alias(name.into_owned()),
            Kind::SequenceStart(marks) => Part::SequenceStart(marks.anchor.map(Cow::into_owned)),
            Kind::SequenceEnd => Part::SequenceEnd,
            Kind::MappingStart(marks) => Part::MappingStart(marks.anchor.map(Cow::into_owned)),
            Kind::MappingEnd => Part::MappingEnd,
            Kind::DocumentEnd | Kind::StreamEnd => Part::End,
            Kind::Other => Part::Other,
        }
    }
}

struct Reader<'s> {
    events: Events<'s>,
    anchors: HashMap<String, Value>,
    budget: &'s Budget,
    depth: Depth,
}

impl Reader<'_> {
    fn next(&mut self) -> Result<Piece, String> {
        self.budget.step().map_err(|exhausted| exhausted.to_string())?;
        let event = self.events.next().map_err(|problem| message(&problem))?;
        Ok(Piece { line: event.at.line, part: Part::new(event.kind) })
    }

    fn node(&mut self, piece: Piece) -> Result<Value, String> {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.grown_node(piece))
    }

    fn grown_node(&mut self, piece: Piece) -> Result<Value, String> {
        let at = |text: String| format!("line {}: {text}", piece.line);
        let guard = self.budget.enter(&self.depth).map_err(|exhausted| exhausted.to_string())?;
        let (value, anchor) = match piece.part {
            Part::Scalar { text, is_plain, tag, anchor } => {
                (resolve(&text, is_plain, tag.as_deref().unwrap_or_default()).map_err(at)?, anchor)
            }
            Part::Alias(name) => {
                let known = self.anchors.get(&name).cloned();
                let value = known.ok_or_else(|| at(format!("unknown anchor '{name}' referenced")))?;
                // An alias repeats the whole value.
                self.budget.steps(weight(&value)).map_err(|exhausted| exhausted.to_string())?;
                (value, None)
            }
            Part::SequenceStart(anchor) => (self.sequence()?, anchor),
            Part::MappingStart(anchor) => (Value::any_map(self.mapping(false)?), anchor),
            Part::DocumentStart | Part::SequenceEnd | Part::MappingEnd | Part::Other | Part::End => {
                return Err(at("a value is missing".to_owned()));
            }
        };
        drop(guard);
        if let Some(anchor) = anchor {
            self.anchors.insert(anchor, value.clone());
        }
        Ok(value)
    }

    fn sequence(&mut self) -> Result<Value, String> {
        let mut values = Vec::new();
        loop {
            let piece = self.next()?;
            if matches!(piece.part, Part::SequenceEnd) {
                return Ok(Value::list(values));
            }
            values.push(self.node(piece)?);
        }
    }

    fn mapping(&mut self, has_string_keys: bool) -> Result<BTreeMap<Key, Value>, String> {
        let mut entries = BTreeMap::new();
        loop {
            let piece = self.next()?;
            if matches!(piece.part, Part::MappingEnd) {
                return Ok(entries);
            }
            let line = piece.line;
            let is_merge = matches!(&piece.part, Part::Scalar { text, is_plain: true, .. } if text == "<<");
            let key = match piece.part {
                Part::Scalar { text, .. } if has_string_keys && !is_merge => Value::from(text),
                _ => self.node(piece)?,
            };
            let next = self.next()?;
            let value = self.node(next)?;
            if is_merge {
                merge(&mut entries, &value).map_err(|error| format!("line {line}: {error}"))?;
            } else if let Some(key) = Key::new(&key) {
                entries.insert(key, value);
            } else {
                return Err(format!("line {line}: a list or a map cannot be a key"));
            }
        }
    }
}

/// The number of values in a value.
fn weight(value: &Value) -> u64 {
    match value {
        Value::List(values) => values.iter().map(weight).fold(1, u64::saturating_add),
        Value::AnyMap(entries) => entries.values().map(weight).fold(1, u64::saturating_add),
        _ => 1,
    }
}

fn message(problem: &Problem) -> String {
    let text = if problem.problem.is_empty() { "invalid YAML syntax" } else { problem.problem.as_str() };
    format!("line {}: {text}", problem.at.line)
}

/// A key as templates name it.
fn key_text(key: &Key) -> String {
    hieratic_go_template::sprig::printf("%v", &[key.to_value()])
}

/// Adds the entries of the maps behind `<<`.
fn merge(entries: &mut BTreeMap<Key, Value>, from: &Value) -> Result<(), String> {
    match from {
        Value::AnyMap(others) => {
            for (key, value) in others.iter() {
                entries.insert(key.clone(), value.clone());
            }
            Ok(())
        }
        // The first ones count most.
        Value::List(maps) if maps.iter().all(|map| matches!(map, Value::AnyMap(_))) => {
            maps.iter().rev().try_for_each(|map| merge(entries, map))
        }
        _ => Err("map merge requires map or sequence of maps as the value".to_owned()),
    }
}

const INT: &str = "tag:yaml.org,2002:int";
const FLOAT: &str = "tag:yaml.org,2002:float";
const BOOL: &str = "tag:yaml.org,2002:bool";
const NULL: &str = "tag:yaml.org,2002:null";

/// The value of a scalar, by its form or its tag.
fn resolve(text: &str, is_plain: bool, tag: &str) -> Result<Value, String> {
    let found = plain(text);
    // The reference has unsigned integers as well. As a floating-point number, the text would be another one.
    if is_plain && i64::from_str(text).is_err() && u64::from_str(text).is_ok() {
        return Err(format!("the integer {text} is larger than {}: only levant can read it", i64::MAX));
    }
    let wrong = |noun: &str| Err(format!("cannot decode `{text}` as a !!{noun}"));
    match tag {
        "" if !is_plain => Ok(Value::from(text)),
        "" => Ok(found.unwrap_or_else(|| Value::from(text))),
        INT => match found {
            Some(value @ Value::Int(_)) => Ok(value),
            _ => wrong("int"),
        },
        FLOAT => match found {
            Some(value @ Value::Float(_)) => Ok(value),
            #[expect(clippy::cast_precision_loss, reason = "the reference rounds as well")]
            Some(Value::Int(number)) => Ok(Value::Float(number as f64)),
            _ => wrong("float"),
        },
        BOOL => match found {
            Some(value @ Value::Bool(_)) => Ok(value),
            _ => wrong("bool"),
        },
        NULL => match found {
            Some(Value::Nil) => Ok(Value::Nil),
            _ => wrong("null"),
        },
        _ => Ok(Value::from(text)),
    }
}

/// The value of a plain scalar that is no string. A time stays a string.
fn plain(text: &str) -> Option<Value> {
    if let Some(keyword) = keyword(text) {
        return Some(match keyword {
            Keyword::Null => Value::Nil,
            Keyword::Bool(truth) => Value::Bool(truth),
            Keyword::Infinity => Value::Float(f64::INFINITY),
            Keyword::NegativeInfinity => Value::Float(f64::NEG_INFINITY),
            Keyword::NotANumber => Value::Float(f64::NAN),
        });
    }
    let first = text.chars().next()?;
    if first == '.' {
        return text.parse().ok().filter(|_| is_float(text)).map(Value::Float);
    }
    if !first.is_ascii_digit() && !matches!(first, '+' | '-') || is_time(text) {
        return None;
    }
    let text = text.replace('_', "");
    integer::parse(&text).map(Value::Int).or_else(|| text.parse().ok().filter(|_| is_float(&text)).map(Value::Float))
}

/// Whether a string has the form of a number with a point or an exponent.
fn is_float(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (number, exponent) = match digits.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (digits, None),
    };
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    is_digits(whole)
        && is_digits(part)
        && !(whole.is_empty() && part.is_empty())
        && exponent.is_none_or(|exponent| !exponent.is_empty() && is_digits(exponent))
}

/// Whether a string begins like a date: four digits of the year, and one or two of the month and the day.
fn is_time(text: &str) -> bool {
    let date = text.split(['T', 't', ' ']).next().unwrap_or_default();
    let parts: Vec<&str> = date.split('-').collect();
    let is_part = |part: &str, counts: std::ops::RangeInclusive<usize>| {
        counts.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    match parts.as_slice() {
        [year, month, day] => is_part(year, 4..=4) && is_part(month, 1..=2) && is_part(day, 1..=2),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use hieratic_budget::Budget;
    use hieratic_go_template::sprig;

    use super::*;

    fn shown(text: &str) -> String {
        sprig::printf("%v", &[read(text, &Budget::default()).unwrap()])
    }

    #[test]
    fn scalars_have_the_types_of_go() {
        for (text, expected) in [
            ("a: yes\nb: no\n", "map[a:true b:false]"),
            ("a: 010\nb: 0o10\nc: 1_000\nd: 0x1F\n", "map[a:8 b:8 c:1000 d:31]"),
            ("a: 1.50\nb: 1e3\nc: .5\nd: 1e7\n", "map[a:1.5 b:1000 c:0.5 d:1e+07]"),
            ("a: 2020-01-01\nb: 1.2.3\nc: 08\n", "map[a:2020-01-01 b:1.2.3 c:8]"),
            ("a: \"5\"\nb: ~\nc:\n", "map[a:5 b:<nil> c:<nil>]"),
            ("a: &x {k: 1}\nb: {<<: *x, l: 2}\n", "map[a:map[k:1] b:map[k:1 l:2]]"),
            ("a: !!float 5\nb: !!str 5\n", "map[a:5 b:5]"),
            ("1: a\nn: b\nm: {n: c}\n", "map[1:a m:map[false:c] n:b]"),
            ("", "<nil>"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
        assert!(read("a: *x\n", &Budget::default()).unwrap_err().contains("unknown anchor"));
        assert!(read("a: [\n", &Budget::default()).is_err());
    }
}
