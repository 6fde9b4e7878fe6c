//! Decodes API JSON into a record: the input of `nomad job run -json`.
//!
//! Names are compared without regard to case, and unknown names are ignored. `null` does not change a field. A
//! duplicate field is decoded into the value of the first. The job is either the whole document or its member `Job`.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/api-docs/json-jobs> and
//! <https://pkg.go.dev/encoding/json#Unmarshal>.

mod json;

use std::sync::Arc;

use hieratic_value::ErasedSort as _;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use self::json::JsonNode;
use crate::record::{Data, Datum, Map, Record};
use crate::schema::{Field, JOB, Kind, Scalar, Struct};

/// Decodes the first JSON value of the text as a job.
///
/// # Errors
///
/// The reference's message: a syntax error, or the first value that does not have the type of its field.
pub(crate) fn parse(source: &[u8]) -> Result<Record, String> {
    let root = json::parse(source)?;
    let mut reader = JsonDecoder { error: None, path: Vec::new(), owner: "" };
    let members = match root {
        JsonNode::Object(members) => members,
        JsonNode::Null => Vec::new(),
        other => {
            let found = kind_of(&other);
            // The type's name in the reference's program.
            return Err(format!(
                "json: cannot unmarshal {found} into Go value of type struct {{ NestedJob *api.Job \"json:\\\"Job\\\"\"; \
                 api.Job }}"
            ));
        }
    };
    let mut alone = Record::new(&JOB);
    let mut below: Option<Arc<Record>> = None;
    reader.path.push("Job");
    for (name, node) in members {
        if folds_to(&name, "Job") {
            below = match node {
                JsonNode::Null => None,
                node => Some(reader.record_over(&JOB, below.take(), node, FieldOwner::Outer)),
            };
        } else {
            reader.member(&mut alone, &name, node);
        }
    }
    match reader.error {
        Some(error) => Err(error),
        None => Ok(below.map_or(alone, Arc::unwrap_or_clone)),
    }
}

/// The owner of the field of a structure, for messages.
enum FieldOwner {
    /// Of the unnamed structure around the job.
    Outer,
    /// Of the structure that is being read.
    Inner,
}

struct JsonDecoder {
    /// The first value of a wrong type. Decoding continues after it.
    error: Option<String>,
    /// The fields that lead to where we are.
    path: Vec<&'static str>,
    /// The structure whose field is being read.
    owner: &'static str,
}

impl JsonDecoder {
    /// Decodes a member of an object into the field of that name, if there is one.
    fn member(&mut self, record: &mut Record, name: &str, node: JsonNode) {
        let fields = record.shape().fields;
        let exact = fields.iter().position(|field| field.name == name);
        let Some(at) = exact.or_else(|| fields.iter().position(|field| folds_to(name, field.name))) else { return };
        let field: &'static Field = &fields[at];
        self.path.push(field.name);
        let before = record.at(at).map(|datum| datum.value.clone());
        if let Some(value) = self.field(field, before, node) {
            record.set_at(at, Datum::derived(value));
        }
        self.path.pop();
    }

    /// Returns the field's new value: [`Data::Null`] if it is cleared, `None` if it does not change.
    fn field(&mut self, field: &'static Field, before: Option<Data>, node: JsonNode) -> Option<Data> {
        match (field.kind, node) {
            (Kind::Plain(_), JsonNode::Null) => None,
            (_, JsonNode::Null) => Some(Data::Null),
            (Kind::Plain(of) | Kind::Maybe(of), node) => self.scalar(of, node),
            (Kind::List(of), JsonNode::Array(items)) => Some(self.scalars(of, items)),
            (Kind::Map(of), JsonNode::Object(members)) => Some(self.map(before, members, |reader, node| match node {
                JsonNode::Null => Some(zero(of)),
                node => reader.scalar(of, node).or(Some(zero(of))),
            })),
            (Kind::MapOfLists(of), JsonNode::Object(members)) => {
                Some(self.map(before, members, |reader, node| match node {
                    JsonNode::Null => Some(Data::Null),
                    JsonNode::Array(items) => Some(reader.scalars(of, items)),
                    node => {
                        reader.mismatch(&node, &format!("[]{}", type_name(of)));
                        Some(Data::Null)
                    }
                }))
            }
            (Kind::Any, JsonNode::Object(members)) => {
                Some(self.map(before, members, |reader, node| Some(reader.any(node))))
            }
            (Kind::Bytes, JsonNode::Text(text)) => self.bytes(&text),
            (Kind::Bytes, JsonNode::Array(items)) => {
                let byte = |item| match self.scalar(Scalar::Uint(8), item) {
                    Some(Data::Uint(byte)) => byte as u8,
                    _ => 0,
                };
                Some(Data::Bytes(items.into_iter().map(byte).collect()))
            }
            (Kind::One(of), node) => {
                let before = match before {
                    Some(Data::Record(record)) => Some(record),
                    _ => None,
                };
                Some(Data::Record(self.record_over(of, before, node, FieldOwner::Inner)))
            }
            (Kind::Many(of), JsonNode::Array(items)) => {
                let mut before = match before {
                    Some(Data::List(items)) => items.into_iter(),
                    _ => Vec::new().into_iter(),
                };
                let items = items.into_iter().map(|node| {
                    let before = match before.next() {
                        Some(Datum { value: Data::Record(record), .. }) => Some(record),
                        _ => None,
                    };
                    Datum::derived(match node {
                        // Lists of ports and checks contain the structures themselves, which cannot be missing.
                        JsonNode::Null if matches!(of.name, "Port" | "ServiceCheck") => {
                            Data::Record(before.unwrap_or_else(|| Arc::new(Record::new(of))))
                        }
                        JsonNode::Null => Data::Null,
                        node => Data::Record(self.record_over(of, before, node, FieldOwner::Inner)),
                    })
                });
                Some(Data::List(items.collect()))
            }
            (Kind::Keyed(of), JsonNode::Object(members)) => Some(self.map(before, members, |reader, node| {
                Some(match node {
                    JsonNode::Null => Data::Null,
                    node => Data::Record(reader.record_over(of, None, node, FieldOwner::Inner)),
                })
            })),
            (kind, node) => {
                self.mismatch(&node, &kind_name(kind));
                None
            }
        }
    }

    /// Decodes a structure over the earlier value of the same field.
    fn record_over(
        &mut self,
        of: &'static Struct,
        before: Option<Arc<Record>>,
        node: JsonNode,
        owner: FieldOwner,
    ) -> Arc<Record> {
        let mut record = before.map_or_else(|| Record::new(of), Arc::unwrap_or_clone);
        match node {
            JsonNode::Object(members) => {
                let outer = std::mem::replace(&mut self.owner, of.name);
                for (name, node) in members {
                    self.member(&mut record, &name, node);
                }
                self.owner = outer;
            }
            node => {
                let expected = format!("api.{}", of.name);
                if matches!(owner, FieldOwner::Outer) {
                    self.owner = "";
                }
                self.mismatch(&node, &expected);
            }
        }
        Arc::new(record)
    }

    fn map(
        &mut self,
        before: Option<Data>,
        members: Vec<(String, JsonNode)>,
        mut read: impl FnMut(&mut Self, JsonNode) -> Option<Data>,
    ) -> Data {
        let mut map: Map = match before {
            Some(Data::Map(map)) => map,
            _ => Map::new(),
        };
        for (key, node) in members {
            if let Some(value) = read(self, node) {
                map.push((key.into(), Datum::derived(value)));
            }
        }
        // Of several values under one key the last counts.
        map.reverse();
        map.sort_erased_by(|(one, _), (other, _)| one.cmp(other));
        map.dedup_by(|(one, _), (other, _)| one == other);
        Data::Map(map)
    }

    fn scalars(&mut self, of: Scalar, items: Vec<JsonNode>) -> Data {
        let items = items.into_iter().map(|node| match node {
            JsonNode::Null => zero(of),
            node => self.scalar(of, node).unwrap_or_else(|| zero(of)),
        });
        Data::List(items.map(Datum::derived).collect())
    }

    fn scalar(&mut self, of: Scalar, node: JsonNode) -> Option<Data> {
        match (of, node) {
            (Scalar::Text | Scalar::Named(_), JsonNode::Text(text)) => Some(Data::Text(text.into())),
            (Scalar::Bool, JsonNode::Bool(value)) => Some(Data::Bool(value)),
            (Scalar::Integer | Scalar::Int(_) | Scalar::Uint(_) | Scalar::Duration, JsonNode::Number(digits)) => {
                let value = whole(of, &digits);
                if value.is_none() {
                    self.fail(&format!("number {digits}"), &type_name(of));
                }
                value
            }
            (_, node) => {
                self.mismatch(&node, &type_name(of));
                None
            }
        }
    }

    /// Decodes a value that a plugin defines: its numbers are floating point.
    fn any(&mut self, node: JsonNode) -> Data {
        match node {
            JsonNode::Null => Data::Null,
            JsonNode::Bool(value) => Data::Bool(value),
            JsonNode::Text(text) => Data::Text(text.into()),
            JsonNode::Number(digits) => match digits.parse::<f64>() {
                Ok(value) if value.is_finite() => Data::Float(value),
                _ => {
                    self.fail(&format!("number {digits}"), "float64");
                    Data::Null
                }
            },
            JsonNode::Array(items) => {
                Data::List(items.into_iter().map(|node| Datum::derived(self.any(node))).collect())
            }
            JsonNode::Object(members) => self.map(None, members, |reader, node| Some(reader.any(node))),
        }
    }

    fn bytes(&mut self, text: &str) -> Option<Data> {
        let config = GeneralPurposeConfig::new()
            .with_decode_allow_trailing_bits(true)
            .with_decode_padding_mode(DecodePaddingMode::RequireCanonical);
        let plain: Vec<u8> = text.bytes().filter(|byte| !matches!(byte, b'\r' | b'\n')).collect();
        match GeneralPurpose::new(&STANDARD, config).decode(&plain) {
            Ok(bytes) => Some(Data::Bytes(bytes.into())),
            Err(error) => {
                let at = match error {
                    base64::DecodeError::InvalidByte(at, _) => at,
                    base64::DecodeError::InvalidLastSymbol { offset, .. } => offset,
                    base64::DecodeError::InvalidLength(length) => length / 4 * 4,
                    base64::DecodeError::InvalidPadding if plain.contains(&b'=') => plain.len(),
                    base64::DecodeError::InvalidPadding => plain.len() / 4 * 4,
                };
                self.error.get_or_insert(format!("illegal base64 data at input byte {at}"));
                None
            }
        }
    }

    fn mismatch(&mut self, node: &JsonNode, expected: &str) {
        self.fail(kind_of(node), expected);
    }

    fn fail(&mut self, found: &str, expected: &str) {
        if self.error.is_none() {
            let (owner, path) = (self.owner, self.path.join("."));
            self.error =
                Some(format!("json: cannot unmarshal {found} into Go struct field {owner}.{path} of type {expected}"));
        }
    }
}

/// Parses an integer of that type.
fn whole(of: Scalar, digits: &str) -> Option<Data> {
    match of {
        Scalar::Uint(bits) => {
            let value: u64 = digits.parse().ok()?;
            (bits == 64 || value >> bits == 0).then_some(Data::Uint(value))
        }
        Scalar::Int(bits) if bits < 64 => {
            let value: i64 = digits.parse().ok()?;
            let limit = 1_i64 << (bits - 1);
            (-limit..limit).contains(&value).then_some(Data::Int(value))
        }
        _ => digits.parse().ok().map(Data::Int),
    }
}

/// The element of a list or a map for `null`.
fn zero(of: Scalar) -> Data {
    match of {
        Scalar::Text | Scalar::Named(_) => Data::from(""),
        Scalar::Bool => Data::Bool(false),
        Scalar::Uint(_) => Data::Uint(0),
        Scalar::Integer | Scalar::Int(_) | Scalar::Duration => Data::Int(0),
    }
}

/// Compares a name with that of a field without regard to case. Two characters beyond ASCII fold to letters in ASCII.
fn folds_to(name: &str, field: &str) -> bool {
    let folded = name.chars().map(|c| match c {
        '\u{17f}' => 's',
        '\u{212a}' => 'k',
        c => c.to_ascii_lowercase(),
    });
    folded.eq(field.chars().map(|c| c.to_ascii_lowercase()))
}

fn kind_of(node: &JsonNode) -> &'static str {
    match node {
        JsonNode::Null => "null",
        JsonNode::Bool(_) => "bool",
        JsonNode::Number(_) => "number",
        JsonNode::Text(_) => "string",
        JsonNode::Array(_) => "array",
        JsonNode::Object(_) => "object",
    }
}

/// The name of a scalar's type in messages.
fn type_name(of: Scalar) -> String {
    match of {
        Scalar::Text => "string".to_owned(),
        Scalar::Named(name) => name.to_owned(),
        Scalar::Bool => "bool".to_owned(),
        Scalar::Integer => "int".to_owned(),
        Scalar::Int(bits) => format!("int{bits}"),
        Scalar::Uint(bits) => format!("uint{bits}"),
        Scalar::Duration => "time.Duration".to_owned(),
    }
}

/// The name of a field's type in messages.
fn kind_name(kind: Kind) -> String {
    match kind {
        Kind::Plain(of) | Kind::Maybe(of) => type_name(of),
        Kind::List(of) => format!("[]{}", type_name(of)),
        Kind::Map(of) => format!("map[string]{}", type_name(of)),
        Kind::MapOfLists(of) => format!("map[string][]{}", type_name(of)),
        Kind::Any => "map[string]interface {}".to_owned(),
        Kind::Bytes => "[]uint8".to_owned(),
        Kind::One(of) => format!("api.{}", of.name),
        Kind::Many(of) if matches!(of.name, "Port" | "ServiceCheck") => format!("[]api.{}", of.name),
        Kind::Many(of) => format!("[]*api.{}", of.name),
        Kind::Keyed(of) => format!("map[string]*api.{}", of.name),
    }
}
