//! Reads values of a job's structures as text, and builds blocks from them.

use super::block::{Block, BlockPart, CompareRule, FlatFields};
use crate::record::{Data, Datum, Record};

/// A field: its printed name, its name in the API, and its default.
pub(super) type Row = (&'static str, &'static str, &'static str);

/// Formats a scalar.
pub(super) fn scalar(data: &Data) -> Option<String> {
    Some(match data {
        Data::Bool(value) => value.to_string(),
        Data::Int(value) => value.to_string(),
        Data::Uint(value) => value.to_string(),
        Data::Float(value) => value.to_string(),
        Data::Text(text) => text.to_string(),
        Data::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        _ => return None,
    })
}

/// The text of a field of a structure that may be missing.
pub(super) fn text(record: Option<&Record>, name: &str) -> Option<String> {
    scalar(&record?.get(name)?.value)
}

/// The text of a field, or the default if it is missing or empty.
pub(super) fn text_or(record: Option<&Record>, name: &str, default: &str) -> String {
    text(record, name).filter(|text| !text.is_empty()).unwrap_or_else(|| default.to_owned())
}

pub(super) fn flat(record: Option<&Record>, rows: &[Row]) -> FlatFields {
    let value = |name: &str, default: &str| text(record, name).unwrap_or_else(|| default.to_owned());
    rows.iter().map(|(shown, name, default)| ((*shown).to_owned(), value(name, default))).collect()
}

/// The values of a map, by its name and their keys.
pub(super) fn add_map(fields: &mut FlatFields, record: Option<&Record>, name: &str) {
    if let Some(Data::Map(entries)) = record.and_then(|record| record.get(name)).map(|datum| &datum.value) {
        for (key, item) in entries {
            flatten(&format!("{name}[{key}]"), &item.value, fields);
        }
    }
}

/// Adds everything in the fields for comparison only: with types, and with empty values.
pub(super) fn add_hidden(hidden: &mut FlatFields, record: Option<&Record>, names: &[&str]) {
    for name in names {
        if let Some(datum) = record.and_then(|record| record.get(name)).filter(|datum| !is_empty(&datum.value)) {
            let value = Datum { value: datum.value.clone(), place: None };
            hidden.insert((*name).to_owned(), format!("{:?}", without_places(value)));
        }
    }
}

/// Whether a field has the value of one that is not written. JSON has all fields.
fn is_empty(value: &Data) -> bool {
    match value {
        Data::Null | Data::Bool(false) | Data::Int(0) | Data::Uint(0) => true,
        Data::Text(text) => text.is_empty(),
        Data::List(items) => items.is_empty(),
        Data::Map(entries) => entries.is_empty(),
        _ => false,
    }
}

/// Removes the positions from a value.
fn without_places(datum: Datum) -> Data {
    let inner = |datum: Datum| Datum { value: without_places(datum), place: None };
    match datum.value {
        Data::List(items) => Data::List(items.into_iter().map(inner).collect()),
        Data::Map(entries) => Data::Map(entries.into_iter().map(|(key, item)| (key, inner(item))).collect()),
        // All numbers of what plugins define are of one kind.
        Data::Int(number) => Data::Float(number as f64),
        Data::Uint(number) => Data::Float(number as f64),
        Data::Record(record) => {
            let fields = record.entries().filter(|(_, datum)| !is_empty(&datum.value));
            let fields = fields.map(|(field, datum)| (field.name.into(), inner(datum.clone())));
            Data::Map(fields.collect())
        }
        value => value,
    }
}

/// Collects all scalars within a value, by their paths.
pub(super) fn flatten(prefix: &str, data: &Data, texts: &mut FlatFields) {
    let nothing = || "nil".to_owned();
    match data {
        Data::List(items) => {
            for (at, item) in items.iter().enumerate() {
                flatten(&format!("{prefix}[{at}]"), &item.value, texts);
            }
        }
        Data::Map(entries) => {
            for (key, item) in entries {
                let way = if prefix.is_empty() { key.to_string() } else { format!("{prefix}[{key}]") };
                flatten(&way, &item.value, texts);
            }
        }
        Data::Record(record) => {
            for (field, datum) in record.entries() {
                flatten(&format!("{prefix}.{}", field.name), &datum.value, texts);
            }
        }
        Data::Null if prefix.is_empty() => {}
        // Values that plugins define come as JSON, where all numbers have one type.
        Data::Int(number) => drop(texts.insert(prefix.to_owned(), number_text(*number as f64))),
        Data::Uint(number) => drop(texts.insert(prefix.to_owned(), number_text(*number as f64))),
        Data::Float(number) => drop(texts.insert(prefix.to_owned(), number_text(*number))),
        value => drop(texts.insert(prefix.to_owned(), scalar(value).unwrap_or_else(nothing))),
    }
}

/// Formats a number with the fewest digits, as Go does: with an exponent from a million on, and below a ten thousandth.
fn number_text(number: f64) -> String {
    let scientific = format!("{number:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    match exponent.parse::<i32>() {
        Ok(power) if number != 0.0 && !(-4..6).contains(&power) => {
            let sign = if power < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", power.abs())
        }
        _ => number.to_string(),
    }
}

/// The structures in a list.
pub(super) fn records<'r>(record: Option<&'r Record>, name: &str) -> Vec<&'r Record> {
    let items: &[Datum] = record.map(|record| record.list(name)).unwrap_or_default();
    let records = items.iter().filter_map(|item| match &item.value {
        Data::Record(record) => Some(&**record),
        _ => None,
    });
    records.collect()
}

/// The structure in a field.
pub(super) fn inner<'r>(record: Option<&'r Record>, name: &str) -> Option<&'r Record> {
    record?.record(name).map(|record| &**record)
}

/// The strings in a list.
pub(super) fn texts(record: Option<&Record>, name: &str) -> Vec<String> {
    let items: &[Datum] = record.map(|record| record.list(name)).unwrap_or_default();
    items.iter().map(|item| scalar(&item.value).unwrap_or_default()).collect()
}

pub(super) fn block(name: &'static str, fields: FlatFields) -> Block {
    Block { name, fields, ..Block::default() }
}

/// A block with only these fields.
pub(super) fn of_fields(name: &'static str, fields: FlatFields) -> Block {
    Block { rule: CompareRule::Fields, ..block(name, fields) }
}

pub(super) fn one(block: Option<Block>) -> BlockPart {
    BlockPart::One(block.map(Box::new))
}
