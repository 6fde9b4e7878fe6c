//! [`document`]: the schema of data files.

use hieratic_puppet_types::Type;
use hieratic_value::Value;
use serde_json::{Map, Value as Json, json};

use crate::kinds::{Form, Schemas};

/// A parameter of a class, whose value data files define under a key.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The key: `class::parameter`.
    pub key: String,
    /// Its type, if it is known.
    pub kind: Option<Type>,
    /// The type as source code. `None` if the parameter has no type.
    pub kind_text: Option<String>,
    /// The default, if it is a constant.
    pub default: Option<Value>,
    /// The default as source code. `None` if the parameter has no default.
    pub default_text: Option<String>,
    /// The documentation of the parameter in its class.
    pub documentation: Option<String>,
    /// The way in which the type applies to values in files.
    pub applies: Application,
}

/// The way in which the type of a parameter applies to values in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Application {
    /// The first value has the type.
    Whole,
    /// The values of all levels are merged as hashes. Each can have some of the keys.
    Hash,
    /// The values of all levels are merged deeply.
    Deep,
    /// The elements of all levels become one array.
    Elements,
    /// The value becomes a secret of the type.
    Secret,
    /// The conversion of the value is unknown.
    Unknown,
}

/// Returns the schema of all data files of a repository. Keys that are not parameters are allowed.
pub fn document(parameters: &[Parameter]) -> Json {
    let mut schemas = Schemas::new(Form::InData);
    let mut properties = Map::new();
    properties.insert("lookup_options".to_owned(), lookup_options());
    for parameter in parameters {
        properties.insert(parameter.key.clone(), property(parameter, &mut schemas));
    }
    let definitions = schemas.into_definitions();
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Hiera data",
        "type": ["object", "null"],
        "properties": properties,
        "definitions": definitions,
    })
}

fn property(parameter: &Parameter, schemas: &mut Schemas) -> Json {
    let mut property = Map::new();
    let mut description: Vec<String> = parameter.documentation.iter().cloned().collect();
    description.push(format!("Type: {}", parameter.kind_text.as_deref().unwrap_or("Any")));
    description.extend(parameter.default_text.as_ref().map(|default| format!("Default: {default}")));
    property.insert("description".to_owned(), description.join("\n\n").into());
    if let Some(default) = parameter.default.as_ref().and_then(json_of) {
        property.insert("default".to_owned(), default);
    }
    if let Some(kind) = &parameter.kind
        && let Some(schema) = schema_for_key(kind, parameter.applies, schemas)
    {
        // An empty value lets the default count. A schema after a reference would hide the description.
        let is_open = schema.as_object().is_some_and(Map::is_empty);
        if !is_open {
            property.insert("anyOf".to_owned(), with_null(schema));
        }
    }
    property.into()
}

/// The alternatives of a schema, and null.
fn with_null(schema: Json) -> Json {
    let null = json!({"type": "null"});
    let mut alternatives = match schema {
        Json::Object(mut only) if only.len() == 1 => match only.remove("anyOf") {
            Some(Json::Array(alternatives)) => alternatives,
            Some(other) => vec![json!({"anyOf": other})],
            None => vec![Json::Object(only)],
        },
        other => vec![other],
    };
    if !alternatives.contains(&null) {
        alternatives.push(null);
    }
    alternatives.into()
}

/// The schema for the key of a parameter in a file; `None` if the file may have any value.
fn schema_for_key(kind: &Type, applies: Application, schemas: &mut Schemas) -> Option<Json> {
    schemas.set_form(match applies {
        Application::Hash | Application::Deep | Application::Elements => Form::InParts,
        _ => Form::InData,
    });
    match applies {
        Application::Whole => Some(schemas.schema(kind)),
        // Of values in a part, nothing more is known than that they are parts.
        Application::Hash | Application::Deep => Some(schemas.schema(kind)),
        Application::Elements => match without_undef(kind) {
            Type::Array(array) => {
                let element = schemas.schema(array.element());
                Some(json!({"anyOf": [{"type": "array", "items": {"anyOf": [element, {"type": "array"}]}}, element]}))
            }
            _ => None,
        },
        Application::Secret => match without_undef(kind) {
            Type::Sensitive(inner) => Some(schemas.schema(inner)),
            _ => None,
        },
        Application::Unknown => None,
    }
}

/// The type that an optional type allows besides undef.
fn without_undef(kind: &Type) -> &Type {
    match kind.resolved() {
        Type::Optional(Some(inner)) | Type::NotUndef(Some(inner)) => without_undef(inner),
        other => other,
    }
}

/// Converts a value to JSON; `None` if JSON has no equivalent.
fn json_of(value: &Value) -> Option<Json> {
    Some(match value {
        Value::Boolean(truth) => (*truth).into(),
        Value::Integer(number) => (*number).into(),
        Value::Float(number) => serde_json::Number::from_f64(*number)?.into(),
        Value::String(text) => text.to_string().into(),
        Value::Array(elements) => elements.iter().map(json_of).collect::<Option<Vec<_>>>()?.into(),
        Value::Hash(hash) => hash
            .iter()
            .map(|(key, value)| Some((key.as_str()?.to_owned(), json_of(value)?)))
            .collect::<Option<Map<_, _>>>()?
            .into(),
        Value::Undef | Value::Rich(_) => return None,
    })
}

/// The schema of `lookup_options`.
fn lookup_options() -> Json {
    let strategies = json!(["first", "unique", "hash", "deep"]);
    json!({
        "description": "How the values of keys are merged and converted, by key or by a pattern that begins with ^",
        "type": ["object", "null"],
        "additionalProperties": {
            "type": ["object", "null"],
            "properties": {
                "merge": {
                    "description": "How the values of all levels become one",
                    "anyOf": [
                        {"enum": strategies},
                        {
                            "type": "object",
                            "properties": {
                                "strategy": {"enum": strategies},
                                "knockout_prefix": {"type": "string"},
                                "sort_merged_arrays": {"type": "boolean"},
                                "merge_hash_arrays": {"type": "boolean"},
                            },
                            "required": ["strategy"],
                        },
                    ],
                },
                "convert_to": {
                    "description": "The type that the value is converted to, alone or with arguments",
                    "type": ["string", "array"],
                },
            },
            "additionalProperties": false,
        },
    })
}
