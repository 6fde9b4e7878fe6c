//! [`Definition`]: the type and the constraints of a property or an input, and the check of a value against them.
//!
//! A value of a document is checked when the ensemble is read, the value of an expression when it is evaluated:
//! <https://docs.oasis-open.org/tosca/TOSCA-Simple-Profile-YAML/v1.3/> describes types and constraints.

use std::cmp::Ordering;

use hieratic_budget::Budget;
use hieratic_jinja::read_yaml;
use hieratic_python_values as python;
use hieratic_value::{Hash, HashBuilder, Str, Value};
use num_bigint::BigInt;

use crate::functions::conforms;
use crate::node_types::{NodeTypes, TypesFile};
use crate::notation::is_open;
use crate::units::{Amount, Unit};

/// The longest chain of data types, and the deepest nesting of values.
const MAX_DEPTH: usize = 100;

/// The definition of a property, a field of a data type, or an input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Definition<'a> {
    name: Option<&'a str>,
    schema: &'a Value,
    /// The file that sees the types that the definition names.
    home: TypesFile,
    types: &'a NodeTypes,
}

/// A field of a data type: its name, its schema, and the file that defines it.
type Field<'a> = (Str, &'a Value, TypesFile);

/// The parts of a schema that name a type.
#[derive(Clone, Copy)]
struct Typed<'a> {
    name: &'a str,
    entry: Option<&'a Value>,
    key: Option<&'a Value>,
}

impl<'a> Definition<'a> {
    pub(crate) fn new(name: &'a str, schema: &'a Value, home: TypesFile, types: &'a NodeTypes) -> Definition<'a> {
        Definition { name: Some(name), schema, home, types }
    }

    /// A definition without a name, of the entries or keys of a collection.
    fn nameless(self, schema: &'a Value) -> Definition<'a> {
        Definition { name: None, schema, ..self }
    }

    fn type_name(self) -> &'a str {
        self.schema.at_path(&["type"]).and_then(Value::as_str).unwrap_or("any")
    }

    fn typed(self, name: &'a str) -> Typed<'a> {
        Typed { name, entry: self.schema.at_path(&["entry_schema"]), key: self.schema.at_path(&["key_schema"]) }
    }

    /// Checks the value of a property. The result is the value as the type has it: a number for digits, with the
    /// defaults of data types.
    pub(crate) fn property(self, value: &Value) -> Result<Value, String> {
        if matches!(value, Value::Undef) || is_open(value) {
            return Ok(value.clone());
        }
        // A data type may be a simple one: then its own constraints do not count, as in the reference.
        let name = self.simple_type(self.type_name());
        let mut value = value.clone();
        if name == "string" {
            value = python::text(&value).into();
        }
        let default_unit = self.schema.at_path(&["metadata", "default_unit"]).and_then(Value::as_str);
        if let (Some(unit), Some(_), Some(_)) = (default_unit, Unit::of_type(name), as_float(&value)) {
            value = format!("{}{unit}", python::text(&value)).into();
        }
        let value = self.of_type(self.typed(name), &value, 0)?;
        self.constrained(name, &value)?;
        Ok(value)
    }

    /// Checks the value of an input.
    pub(crate) fn input(self, value: &Value) -> Result<(), String> {
        if matches!(value, Value::Undef) || is_open(value) {
            return Ok(());
        }
        let name = self.type_name();
        let value = self.of_type(self.typed(name), value, 0)?;
        self.constrained(name, &value)
    }

    /// The simple type that a type is, if it is a data type that has one.
    fn simple_type(self, name: &'a str) -> &'a str {
        let known = self.types.find(self.home, name);
        let simple = known.and_then(|known| known.definition.at_path(&["type"])?.as_str());
        simple.unwrap_or(name)
    }

    /// Checks a value against a type, and converts it.
    fn of_type(self, typed: Typed<'a>, value: &Value, depth: usize) -> Result<Value, String> {
        if matches!(value, Value::Undef) || is_open(value) {
            return Ok(value.clone());
        }
        if depth > MAX_DEPTH {
            return Err("the value nests too deeply".to_owned());
        }
        let not = |subject: &str| format!("\"{}\" is not {subject}.", python::text(value));
        Ok(match typed.name {
            "string" if matches!(value, Value::String(_)) => value.clone(),
            "string" => return Err(not("a string")),
            "integer" => integer(value).ok_or_else(|| not("an integer"))?,
            "float" => as_float(value).map(Value::Float).ok_or_else(|| not("a float"))?,
            "number" if matches!(value, Value::Integer(_) | Value::Float(_) | Value::Boolean(_)) => value.clone(),
            "number" => as_float(value).map(Value::Float).ok_or_else(|| not("a numeric"))?,
            "boolean" => boolean(value).ok_or_else(|| not("a boolean"))?,
            "range" => range(value)?,
            "version" if is_version(&python::text(value)) => python::text(value).into(),
            "version" => {
                return Err(format!("Value of TOSCA version property \"{}\" is invalid.", python::text(value)));
            }
            "timestamp" => timestamp(value)?,
            "PortDef" | "tosca.datatypes.network.PortDef" => self.port(value)?,
            "list" => match value.as_array() {
                Some(items) => self.entries(items.iter(), typed.entry, depth)?.into_iter().collect(),
                None => return Err(not("a list")),
            },
            "map" => match value.as_hash() {
                Some(entries) => {
                    if let Some(schema) = typed.key {
                        self.entries(entries.keys(), Some(schema), depth)?;
                    }
                    let values = self.entries(entries.iter().map(|(_, value)| value), typed.entry, depth)?;
                    let entries: Hash = entries.keys().cloned().zip(values).collect();
                    entries.into()
                }
                None => return Err(not("a map")),
            },
            name => match Unit::of_type(name) {
                Some(unit) => {
                    let text = python::text(value);
                    let amount = Amount::parse(&text, unit);
                    amount.ok_or_else(|| format!("\"{text}\" is not a valid scalar-unit."))?.to_text().into()
                }
                None => self.of_data_type(name, value, depth)?,
            },
        })
    }

    /// Checks the entries or the keys of a collection. They are unchanged, except for the defaults of data types.
    fn entries<'v>(
        self,
        values: impl Iterator<Item = &'v Value>,
        schema: Option<&'a Value>,
        depth: usize,
    ) -> Result<Vec<Value>, String> {
        let Some(schema) = schema else { return Ok(values.cloned().collect()) };
        // A schema may be the name of a type.
        let inner = self.nameless(schema);
        let name = schema.as_str().unwrap_or_else(|| inner.type_name());
        values
            .map(|value| {
                let checked = inner.of_type(inner.typed(name), value, depth + 1)?;
                inner.constrained(name, value)?;
                Ok(if value.as_hash().is_some() || value.as_array().is_some() { checked } else { value.clone() })
            })
            .collect()
    }

    /// Checks a value of a data type that a file defines. Nothing is known of others.
    fn of_data_type(self, name: &'a str, value: &Value, depth: usize) -> Result<Value, String> {
        let Some((fields, metadata)) = self.fields(name) else { return Ok(value.clone()) };
        let Some(given) = value.as_hash() else {
            if let Some(known) = self.types.find(self.home, name)
                && let Some(simple) = known.definition.at_path(&["type"]).and_then(Value::as_str)
            {
                let inner = Definition { schema: &known.definition, home: known.home, ..self };
                let checked = inner.of_type(inner.typed(simple), value, depth + 1)?;
                inner.constrained(simple, &checked)?;
                return Ok(checked);
            }
            return Err(format!("{} must be of type \"{name}\".", python::text(value)));
        };
        if !metadata {
            for key in given.keys() {
                if !fields.iter().any(|(known, ..)| key.as_str() == Some(known)) {
                    return Err(format!(
                        "Data value of type \"{name}\" contains unknown field \"{}\". Refer to the definition to verify \
                         valid values.",
                        python::text(key)
                    ));
                }
            }
        }
        let default =
            |schema: &Value| schema.at_path(&["default"]).filter(|default| **default != Value::Undef).cloned();
        let missing = fields.iter().filter(|(field, schema, _)| {
            let is_required = schema.at_path(&["required"]) != Some(&Value::Boolean(false));
            is_required && default(schema).is_none() && !given.contains(field)
        });
        let missing: Vec<Value> = missing.map(|(field, ..)| Value::String(field.clone())).collect();
        if !missing.is_empty() {
            return Err(format!(
                "Data value of type \"{name}\" is missing required field \"{}\".",
                python::list(&missing)
            ));
        }
        let mut all = HashBuilder::default();
        for (key, value) in given.iter() {
            all.insert(key.clone(), value.clone());
        }
        for (field, schema, home) in &fields {
            let Some(value) = given.get(field).cloned().or_else(|| default(schema)) else { continue };
            let inner = Definition { name: Some(field), schema, home: *home, types: self.types };
            let name = inner.type_name();
            let checked = inner.of_type(inner.typed(name), &value, depth + 1)?;
            match value.as_array().filter(|_| value != Value::Undef) {
                // Of a list in a data type, each element is constrained.
                Some(items) => items.iter().try_for_each(|item| inner.constrained(name, item))?,
                None if value != Value::Undef => inner.constrained(name, &value)?,
                None => {}
            }
            let is_collection = value.as_hash().is_some() || value.as_array().is_some();
            all.insert(Value::String(field.clone()), if is_collection { checked } else { value });
        }
        Ok(Hash::from(all).into())
    }

    /// The fields of a data type and of those that it is derived from, and whether it may have others; `None` if they
    /// are not all known.
    fn fields(self, name: &str) -> Option<(Vec<Field<'a>>, bool)> {
        let mut fields: Vec<Field<'a>> = Vec::new();
        let (mut home, mut next): (TypesFile, &str) = (self.home, name);
        let mut takes_more = false;
        for _ in 0..MAX_DEPTH {
            let known = self.types.find(home, next)?;
            home = known.home;
            let own = known.definition.at_path(&["properties"]).and_then(Value::as_hash);
            for (field, schema) in own.into_iter().flat_map(Hash::iter) {
                let field = field.as_str()?;
                if !fields.iter().any(|(known, ..)| **known == *field) {
                    fields.push((field.into(), schema, home));
                }
            }
            let more = known.definition.at_path(&["metadata", "additionalProperties"]);
            takes_more |= more.is_some_and(python::truthy);
            match known.definition.at_path(&["derived_from"]).and_then(Value::as_str) {
                None | Some("tosca.datatypes.Root") => return Some((fields, takes_more)),
                Some(parent) => next = parent,
            }
        }
        None
    }

    /// A port, with its bounds.
    fn port(self, value: &Value) -> Result<Value, String> {
        let number = integer(value).ok_or_else(|| format!("\"{}\" is not an integer.", python::text(value)))?;
        match as_float(&number) {
            Some(port) if (1.0..=65_535.0).contains(&port) => Ok(number),
            _ => Err(format!(
                "The value \"{}\" of property \"{}\" is out of range \"(min:1, max:65535)\".",
                python::text(&number),
                self.shown_name()
            )),
        }
    }

    fn shown_name(self) -> &'a str {
        self.name.unwrap_or("None")
    }

    /// Checks a value against the constraints of a definition, given its simple type.
    fn constrained(self, name: &str, value: &Value) -> Result<(), String> {
        let Some(constraints) = self.schema.at_path(&["constraints"]).filter(|found| python::truthy(found)) else {
            return Ok(());
        };
        let invalid =
            |written: &Value| format!("Invalid constraint: {} (must be a map with one key)", python::text(written));
        let Some(constraints) = constraints.as_array() else {
            let first = constraints.as_hash().and_then(|map| map.keys().next());
            return Err(invalid(first.unwrap_or(constraints)));
        };
        for written in constraints {
            let only = written.as_hash().filter(|map| map.len() == 1).and_then(|map| map.iter().next());
            let Some((key, bound)) = only else { return Err(invalid(written)) };
            let key = python::text(key);
            let Some(kind) = Constraint::from_name(&key) else { return Err(format!("Invalid property \"{key}\".")) };
            if !kind.is_for(name) {
                return Err(format!("Property \"{key}\" is not valid for data type \"{name}\"."));
            }
            if !is_open(value) {
                self.holds(kind, name, bound, value)?;
            }
        }
        Ok(())
    }

    fn holds(self, kind: Constraint, name: &str, bound: &Value, value: &Value) -> Result<(), String> {
        let (shown, property, limit) = (python::text(value), self.shown_name(), python::text(bound));
        let subject = format!("The value \"{shown}\" of property \"{property}\"");
        let unit = Unit::of_type(name);
        let order = |value: &Value, bound: &Value| order(value, bound, unit);
        let compared = |expected: fn(Ordering) -> bool, label: &str| {
            if order(value, bound).is_some_and(expected) {
                Ok(())
            } else {
                Err(format!("{subject} must be {label} \"{limit}\"."))
            }
        };
        let length = || match value {
            Value::String(text) => Some(text.chars().count()),
            Value::Array(items) => Some(items.len()),
            Value::Hash(entries) => Some(entries.len()),
            _ => None,
        };
        let sized = |expected: fn(&usize, &usize) -> bool, label: &str| {
            let bound = match bound {
                Value::Integer(bound) => usize::try_from(*bound).unwrap_or(0),
                _ => return Err(format!("The property \"{}\" expects an integer.", kind.name())),
            };
            if length().is_some_and(|length| expected(&length, &bound)) {
                Ok(())
            } else {
                Err(format!("Length of value \"{shown}\" of property \"{property}\" must be {label} \"{limit}\"."))
            }
        };
        match kind {
            Constraint::Equal => {
                let is_same = match unit {
                    Some(_) => order(value, bound) == Some(Ordering::Equal),
                    None => python::equal(value, bound),
                };
                if is_same { Ok(()) } else { Err(format!("{subject} is not equal to \"{limit}\".")) }
            }
            Constraint::GreaterThan => compared(Ordering::is_gt, "greater than"),
            Constraint::GreaterOrEqual => compared(Ordering::is_ge, "greater than or equal to"),
            Constraint::LessThan => compared(Ordering::is_lt, "less than"),
            Constraint::LessOrEqual => compared(Ordering::is_le, "less than or equal to"),
            Constraint::InRange => {
                let Some([least, most]) = bound.as_array() else {
                    return Err("The property \"in_range\" expects a list.".to_owned());
                };
                let (start, end) = match value.as_array() {
                    Some([start, end]) => (start, end),
                    _ => (value, value),
                };
                let is_open_end = |bound: &Value| bound.as_str() == Some("UNBOUNDED");
                let is_within = (is_open_end(least) || order(start, least).is_some_and(Ordering::is_ge))
                    && (is_open_end(most) || order(end, most).is_some_and(Ordering::is_le));
                if is_within {
                    return Ok(());
                }
                let (least, most) = (python::text(least), python::text(most));
                Err(format!("{subject} is out of range \"(min:{least}, max:{most})\"."))
            }
            Constraint::ValidValues => {
                let Some(valid) = bound.as_array() else {
                    return Err("The property \"valid_values\" expects a list.".to_owned());
                };
                let is_one = |value: &Value| {
                    valid.iter().any(|known| match unit {
                        Some(_) => order(value, known) == Some(Ordering::Equal),
                        None => python::equal(known, value),
                    })
                };
                if value.as_array().map_or_else(|| is_one(value), |items| items.iter().all(is_one)) {
                    return Ok(());
                }
                let valid: Vec<String> = valid.iter().map(python::text).collect();
                Err(format!("{subject} is not valid. Expected a value from \"[{}]\".", valid.join(", ")))
            }
            Constraint::Length => sized(|length, bound| length == bound, "equal to"),
            Constraint::MinLength => sized(|length, bound| length >= bound, "at least"),
            Constraint::MaxLength => sized(|length, bound| length <= bound, "no greater than"),
            Constraint::Pattern => {
                let Some(pattern) = bound.as_str() else {
                    return Err("The property \"pattern\" expects a string.".to_owned());
                };
                // The first match of the pattern has to be the whole value.
                let whole = format!("\\A(?>{pattern})\\Z");
                let is_match = match value.as_str() {
                    Some(text) => hieratic_jinja_ansible::is_found(&whole, text, &Budget::default())
                        .map_err(|problem| problem.message)?,
                    None => false,
                };
                if is_match { Ok(()) } else { Err(format!("{subject} does not match pattern \"{limit}\".")) }
            }
            Constraint::Schema => {
                let Some(schema) = bound.as_str() else {
                    return Err("The \"schema\" constraint expects a string.".to_owned());
                };
                let read = |text: &str| read_yaml("schema", text).map_err(|problem| problem.message);
                let value = match value.as_str().filter(|_| name != "any") {
                    // A string is a document of YAML, and without a value a map.
                    Some(text) => match read(text)? {
                        Value::Undef => Hash::default().into(),
                        value => value,
                    },
                    None => value.clone(),
                };
                match conforms(&value, &read(schema)?) {
                    Ok(true) => Ok(()),
                    Ok(false) => Err(format!("{subject} does not conform to its JSON Schema.")),
                    Err(error) => Err(error.to_string()),
                }
            }
        }
    }
}

/// A constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Constraint {
    Equal,
    GreaterThan,
    GreaterOrEqual,
    LessThan,
    LessOrEqual,
    InRange,
    ValidValues,
    Length,
    MinLength,
    MaxLength,
    Pattern,
    Schema,
}

impl Constraint {
    const ALL: [Constraint; 12] = [
        Constraint::Equal,
        Constraint::GreaterThan,
        Constraint::GreaterOrEqual,
        Constraint::LessThan,
        Constraint::LessOrEqual,
        Constraint::InRange,
        Constraint::ValidValues,
        Constraint::Length,
        Constraint::MinLength,
        Constraint::MaxLength,
        Constraint::Pattern,
        Constraint::Schema,
    ];

    fn name(self) -> &'static str {
        match self {
            Constraint::Equal => "equal",
            Constraint::GreaterThan => "greater_than",
            Constraint::GreaterOrEqual => "greater_or_equal",
            Constraint::LessThan => "less_than",
            Constraint::LessOrEqual => "less_or_equal",
            Constraint::InRange => "in_range",
            Constraint::ValidValues => "valid_values",
            Constraint::Length => "length",
            Constraint::MinLength => "min_length",
            Constraint::MaxLength => "max_length",
            Constraint::Pattern => "pattern",
            Constraint::Schema => "schema",
        }
    }

    fn from_name(name: &str) -> Option<Constraint> {
        Constraint::ALL.into_iter().find(|known| known.name() == name)
    }

    /// Returns whether a type may have this constraint.
    fn is_for(self, name: &str) -> bool {
        let is_ordered = || {
            matches!(name, "integer" | "float" | "number" | "timestamp")
                || matches!(name, "scalar-unit.size" | "scalar-unit.frequency" | "scalar-unit.time")
        };
        match self {
            Constraint::Equal | Constraint::ValidValues => true,
            Constraint::GreaterThan | Constraint::GreaterOrEqual | Constraint::LessThan | Constraint::LessOrEqual => {
                is_ordered()
            }
            Constraint::InRange => {
                is_ordered() || matches!(name, "range" | "PortDef" | "tosca.datatypes.network.PortDef")
            }
            Constraint::Length | Constraint::Pattern => name == "string",
            Constraint::MinLength | Constraint::MaxLength => matches!(name, "string" | "map" | "list"),
            Constraint::Schema => matches!(name, "string" | "any"),
        }
    }
}

/// The order of a value and a bound: of numbers, or of amounts of the same kind of unit.
fn order(value: &Value, bound: &Value, unit: Option<Unit>) -> Option<Ordering> {
    if let Some(unit) = unit {
        let amount = |value: &Value| Some(Amount::parse(&python::text(value), unit)?.in_default_unit());
        return amount(value)?.partial_cmp(&amount(bound)?);
    }
    match (value, bound) {
        (Value::Integer(value), Value::Integer(bound)) => Some(value.cmp(bound)),
        // Times are strings here, whose order is theirs.
        (Value::String(value), Value::String(bound)) => Some(value.cmp(bound)),
        (Value::String(_), _) | (_, Value::String(_)) => None,
        _ => as_float(value)?.partial_cmp(&as_float(bound)?),
    }
}

/// `int(value)`.
fn integer(value: &Value) -> Option<Value> {
    let big = |number: BigInt| {
        i64::try_from(&number).map_or_else(|_| python::text(&number.to_string().into()).into(), Value::Integer)
    };
    match value {
        Value::Integer(_) | Value::Boolean(_) => Some(value.clone()),
        Value::Float(number) => python::truncated(*number).map(big),
        Value::String(text) => python::parse_int(text, 10).map(big),
        _ => None,
    }
}

/// `float(value)`.
#[expect(clippy::cast_precision_loss, reason = "Python rounds likewise")]
fn as_float(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        Value::Boolean(truth) => Some(f64::from(u8::from(*truth))),
        Value::String(text) => python::parse_float(text),
        _ => None,
    }
}

fn boolean(value: &Value) -> Option<Value> {
    match value {
        Value::Boolean(_) => Some(value.clone()),
        Value::String(text) if text.eq_ignore_ascii_case("true") => Some(true.into()),
        Value::String(text) if text.eq_ignore_ascii_case("false") => Some(false.into()),
        _ => None,
    }
}

/// Checks a timestamp as far as the parser of the reference is known to refuse it: a value that is not a string, a string without a number
/// and a name of a month or day, and a date that no month has.
fn timestamp(value: &Value) -> Result<Value, String> {
    const NAMES: [&str; 19] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mon", "tue", "wed", "thu",
        "fri", "sat", "sun",
    ];
    let refused = |reason: &str| Err(format!("\"{}\" is not a valid timestamp. \"{reason}\"", python::text(value)));
    let Value::String(text) = value else { return refused("Parser must be a string or character stream") };
    let mut words = text.split(|c: char| !c.is_ascii_alphabetic());
    let has_name =
        words.any(|word| word.get(..3).is_some_and(|start| NAMES.iter().any(|name| name.eq_ignore_ascii_case(start))));
    if !has_name && !text.contains(|c: char| c.is_ascii_digit()) {
        return refused(if text.trim().is_empty() {
            "String does not contain a date"
        } else {
            "Unknown string format"
        });
    }
    let date = text.get(..10).unwrap_or_default();
    let mut numbers = date.split('-').map(|part| part.parse::<u32>().ok());
    if let (Some(Some(1000..)), Some(Some(one)), Some(Some(other)), None) =
        (numbers.next(), numbers.next(), numbers.next(), numbers.next())
        // The parser takes the larger number for the day.
        && (one.min(other) == 0 || one.min(other) > 12 || one.max(other) > 31)
    {
        return refused("month must be in 1..12");
    }
    Ok(value.clone())
}

/// Checks a range: two numbers in order, or `UNBOUNDED`.
fn range(value: &Value) -> Result<Value, String> {
    let text = python::text(value);
    let Some(items) = value.as_array() else { return Err(format!("\"{text}\" is not a list.")) };
    let [start, end] = items else { return Err(format!("\"{text}\" is not a valid range.")) };
    let bound = |bound: &Value| match bound {
        Value::String(text) if &**text == "UNBOUNDED" => Ok(None),
        other => as_float(other).map(Some).ok_or_else(|| format!("\"{}\" is not a numeric.", python::text(other))),
    };
    match (bound(start)?, bound(end)?) {
        (Some(start), Some(end)) if start > end => Err(format!("\"{text}\" is not a valid range.")),
        _ => Ok(value.clone()),
    }
}

/// Returns whether a string is a version: numbers with points between them, then a qualifier, a build, a prerelease.
fn is_version(text: &str) -> bool {
    let (text, metadata) = text.split_once('+').map_or((text, None), |(text, metadata)| (text, Some(metadata)));
    let (numbers, after) = text.split_once('-').map_or((text, None), |(text, after)| (text, Some(after)));
    let mut parts = numbers.strip_prefix('v').unwrap_or(numbers).split('.');
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_word = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_tail = |part: &str| part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'));
    if !parts.next().is_some_and(is_number) {
        return false;
    }
    let rest: Vec<&str> = parts.collect();
    let count = rest.iter().take(2).take_while(|part| is_number(part)).count();
    let qualifier = match rest.get(count..).unwrap_or_default() {
        [] => None,
        [one] if is_word(one) => Some(*one),
        _ => return false,
    };
    let is_zero = |part: &&str| part.bytes().all(|byte| byte == b'0');
    let is_null =
        rest.len() >= 2 && rest.iter().take(2).all(is_zero) && numbers.trim_start_matches('v').starts_with('0');
    let has_fix = count == 2;
    let needs_fix = |is_there: bool| !is_there || has_fix && !is_null;
    if !needs_fix(qualifier.is_some()) || !needs_fix(metadata.is_some()) {
        return false;
    }
    let metadata_is_valid = metadata.is_none_or(|tail| !tail.is_empty() && is_tail(tail));
    metadata_is_valid
        && match after {
            None => true,
            // A build needs a qualifier, and a prerelease excludes one.
            Some(build) if is_number(build) => qualifier.is_some(),
            Some(tail) => qualifier.is_none() && !tail.is_empty() && is_tail(tail) && needs_fix(true),
        }
}
