//! [`Schemas`]: types as schemas.

use hieratic_puppet_types::{IntegerRange, Patterns, StringType, StructType, TupleType, Type};
use serde_json::{Map, Value as Json, json};

/// The form of the values that a schema validates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// JSON values.
    AsValues,
    /// Values in data files: a string with an interpolation or an encrypted value may replace any value, and keys that
    /// are numbers reach a validator as strings.
    InData,
    /// JSON values of which each file has only a part, because levels are merged.
    InParts,
}

/// Builds schemas, and collects those of type aliases as definitions.
#[derive(Debug)]
pub struct Schemas {
    form: Form,
    definitions: Map<String, Json>,
    is_exact: bool,
}

/// The name of the schema of strings from which a lookup makes something else.
const COMPUTED: &str = "computed";

impl Schemas {
    /// Creates a builder of schemas for values in this form.
    pub fn new(form: Form) -> Schemas {
        Schemas { form, definitions: Map::new(), is_exact: true }
    }

    /// Sets the form of values for the following schemas. Existing definitions remain.
    pub fn set_form(&mut self, form: Form) {
        self.form = form;
    }

    /// Returns whether all schemas so far accept exactly the values of their types. The only exception is that a float
    /// without a fraction is an integer in JSON Schema.
    pub fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// Returns the schemas of the type aliases, by name.
    pub fn into_definitions(self) -> Map<String, Json> {
        self.definitions
    }

    /// Returns the schema of a type.
    pub fn schema(&mut self, kind: &Type) -> Json {
        let schema = self.bare(kind);
        self.or_computed(schema)
    }

    /// A schema that also takes strings from which a lookup makes the value.
    fn or_computed(&mut self, schema: Json) -> Json {
        if self.form == Form::AsValues || takes_all_strings(&schema) {
            return schema;
        }
        self.define_computed();
        json!({"anyOf": [schema, {"$ref": format!("#/definitions/{COMPUTED}")}]})
    }

    fn define_computed(&mut self) {
        let computed = json!({
            "type": "string",
            "pattern": r"%\{|ENC\[",
            "description": "A string with an interpolation, or an encrypted one",
        });
        self.definitions.entry(COMPUTED).or_insert(computed);
    }

    /// The schema of a type for values in the form in which they are written.
    fn bare(&mut self, kind: &Type) -> Json {
        match kind {
            Type::Any | Type::Unit | Type::Init(None) => json!({}),
            Type::Undef | Type::Optional(None) => json!({"type": "null"}),
            Type::Scalar | Type::ScalarData => json!({"type": ["string", "number", "boolean"]}),
            Type::Numeric => json!({"type": "number"}),
            Type::Integer(range) => {
                let mut schema = object([("type", "integer".into())]);
                let number =
                    |number: &hieratic_puppet_types::Int| serde_json::from_str(&number.to_string()).unwrap_or_default();
                schema.extend(range.from().map(|from| ("minimum".to_owned(), number(from))));
                schema.extend(range.to().map(|to| ("maximum".to_owned(), number(to))));
                schema.into()
            }
            Type::Float(range) => {
                // JSON Schema does not distinguish 1 from 1.0.
                self.is_exact = false;
                let mut schema = object([("type", "number".into())]);
                schema.extend(range.from().map(|from| ("minimum".to_owned(), from.into())));
                schema.extend(range.to().map(|to| ("maximum".to_owned(), to.into())));
                schema.into()
            }
            Type::Boolean(None) => json!({"type": "boolean"}),
            Type::Boolean(Some(only)) => json!({"const": only}),
            Type::String(StringType::Any) => json!({"type": "string"}),
            Type::String(StringType::Size(size)) => {
                sized(object([("type", "string".into())]), Some(size), ["minLength", "maxLength"], true).into()
            }
            Type::String(StringType::Value(value)) => json!({"const": &**value}),
            Type::Enum(listed) if listed.values().is_empty() => nothing(),
            Type::Enum(listed) if listed.is_case_insensitive() => {
                let alternatives: Vec<String> = listed.values().iter().map(|value| in_any_case(value)).collect();
                json!({"type": "string", "pattern": format!("^(?:{})$", alternatives.join("|"))})
            }
            Type::Enum(listed) => json!({"enum": listed.values().iter().map(|value| &**value).collect::<Vec<_>>()}),
            Type::Pattern(patterns) => self.patterns(patterns),
            Type::Collection(size) => {
                let array = self.sized(object([("type", "array".into())]), size.as_ref(), ITEMS);
                let hash = self.sized(object([("type", "object".into())]), size.as_ref(), PROPERTIES);
                json!({"anyOf": [array, hash]})
            }
            Type::Array(array) => {
                let mut schema = object([("type", "array".into())]);
                add(&mut schema, "items", self.schema(array.element()));
                self.sized(schema, array.size(), ITEMS)
            }
            Type::Hash(hash) => {
                let mut schema = object([("type", "object".into())]);
                if let Some(names) = self.names(hash.key()) {
                    add(&mut schema, "propertyNames", names);
                }
                add(&mut schema, "additionalProperties", self.schema(hash.value()));
                self.sized(schema, hash.size(), PROPERTIES)
            }
            Type::Tuple(tuple) => self.tuple(tuple),
            Type::Struct(structure) => self.structure(structure),
            Type::Variant(variants) if variants.as_slice().is_empty() => nothing(),
            Type::Variant(variants) => {
                let each: Vec<Json> = variants.as_slice().iter().map(|one| self.bare(one)).collect();
                json!({"anyOf": each})
            }
            Type::Optional(Some(inner)) => json!({"anyOf": [self.bare(inner), {"type": "null"}]}),
            Type::NotUndef(None) => json!({"not": {"type": "null"}}),
            Type::NotUndef(Some(inner)) => json!({"allOf": [{"not": {"type": "null"}}, self.bare(inner)]}),
            Type::Iterable(inner) if inner.as_deref().is_none_or(|inner| matches!(inner.resolved(), Type::Any)) => {
                json!({"anyOf": [{"type": ["string", "array", "object"]}, {"type": "integer", "minimum": 0}]})
            }
            Type::Alias(alias) if *kind == Type::data() || *alias == hieratic_puppet_types::Alias::RICH_DATA => {
                json!({})
            }
            Type::Alias(alias) => self.alias(alias.name(), alias.resolved()),
            // JSON Schema cannot express the values of these types.
            Type::Iterable(_) | Type::Init(Some(_)) | Type::Runtime(_) => self.anything(),
            // No value of JSON is one of these. Data is converted to them.
            _ => match self.form {
                Form::AsValues => nothing(),
                Form::InData | Form::InParts => self.anything(),
            },
        }
    }

    /// The schema of what cannot be described.
    fn anything(&mut self) -> Json {
        self.is_exact = false;
        json!({})
    }

    fn alias(&mut self, name: &str, resolved: &Type) -> Json {
        let name = match self.form {
            Form::InParts => format!("{name} (part)"),
            _ => name.to_owned(),
        };
        if !self.definitions.contains_key(&name) {
            // It may speak of itself.
            self.definitions.insert(name.clone(), Json::Null);
            let schema = self.bare(resolved);
            self.definitions.insert(name.clone(), schema);
        }
        json!({"$ref": format!("#/definitions/{name}")})
    }

    fn patterns(&mut self, patterns: &Patterns) -> Json {
        let patterns = patterns.as_slice();
        let translated: Option<Vec<String>> = patterns.iter().map(|pattern| pattern.regexp().ecma()).collect();
        match translated.as_deref() {
            Some([]) => json!({"type": "string"}),
            Some([only]) => json!({"type": "string", "pattern": only}),
            Some(all) => {
                let all: Vec<Json> = all.iter().map(|one| json!({"pattern": one})).collect();
                json!({"type": "string", "anyOf": all})
            }
            None => {
                self.is_exact = false;
                let all: Vec<String> = patterns.iter().map(ToString::to_string).collect();
                json!({"type": "string", "description": format!("A string that matches {}", all.join(" or "))})
            }
        }
    }

    /// The schema for the property names of an object, from the type of the keys; `None` if every name is allowed.
    fn names(&mut self, key: &Type) -> Option<Json> {
        if self.form != Form::AsValues && takes_more_than_strings(key) {
            self.is_exact = false;
            return None;
        }
        let schema = self.schema(key);
        (!takes_all_strings(&schema)).then_some(schema)
    }

    fn tuple(&mut self, tuple: &TupleType) -> Json {
        // Merged parts have no order.
        if tuple.types().is_empty() || self.form == Form::InParts {
            return self.sized(object([("type", "array".into())]), tuple.size(), ITEMS);
        }
        let each: Vec<Json> = tuple.types().iter().map(|one| self.schema(one)).collect();
        let last = each.last().cloned().unwrap_or_default();
        let exactly = IntegerRange::exactly(each.len());
        let mut schema = object([("type", "array".into())]);
        add(&mut schema, "items", each.into());
        add(&mut schema, "additionalItems", last);
        self.sized(schema, tuple.size().or(Some(&exactly)), ITEMS)
    }

    fn structure(&mut self, structure: &StructType) -> Json {
        let mut schema = object([("type", "object".into())]);
        let mut properties = Map::new();
        let mut required: Vec<&str> = Vec::new();
        for element in structure.elements() {
            if !element.key.optional && !required.contains(&&*element.key.name) {
                required.push(&element.key.name);
            }
            properties.insert(element.key.name.to_string(), self.schema(&element.value));
        }
        // Of a name that is there twice, the last counts.
        required.retain(|name| {
            structure.elements().iter().rev().find(|one| *one.key.name == **name).is_some_and(|one| !one.key.optional)
        });
        add(&mut schema, "properties", properties.into());
        if !required.is_empty() && self.form != Form::InParts {
            add(&mut schema, "required", required.into());
        }
        if self.form != Form::AsValues {
            add(&mut schema, "patternProperties", json!({r"%\{": {}}));
        }
        add(&mut schema, "additionalProperties", false.into());
        schema.into()
    }

    fn sized(&self, schema: Map<String, Json>, size: Option<&IntegerRange>, names: [&str; 2]) -> Json {
        sized(schema, size, names, self.form != Form::InParts).into()
    }
}

const ITEMS: [&str; 2] = ["minItems", "maxItems"];
const PROPERTIES: [&str; 2] = ["minProperties", "maxProperties"];

/// A schema with the limits of a size; the lower one only if values are whole.
fn sized(
    mut schema: Map<String, Json>,
    size: Option<&IntegerRange>,
    names: [&str; 2],
    is_whole: bool,
) -> Map<String, Json> {
    // No size is larger than what fits here.
    let number = |number: &hieratic_puppet_types::Int| number.to_string().parse::<u64>().ok();
    let least = size.and_then(IntegerRange::from).and_then(number).filter(|least| *least > 0 && is_whole);
    let most = size.and_then(IntegerRange::to).and_then(number);
    for (name, limit) in names.into_iter().zip([least, most]) {
        schema.extend(limit.map(|limit| (name.to_owned(), limit.into())));
    }
    schema
}

/// A schema that takes nothing.
fn nothing() -> Json {
    json!({"not": {}})
}

fn object<const N: usize>(pairs: [(&str, Json); N]) -> Map<String, Json> {
    pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Adds a keyword, unless its schema accepts everything.
fn add(schema: &mut Map<String, Json>, name: &str, value: Json) {
    if value.as_object().is_none_or(|value| !value.is_empty()) || name == "properties" {
        schema.insert(name.to_owned(), value);
    }
}

/// Returns whether a schema accepts all strings.
fn takes_all_strings(schema: &Json) -> bool {
    let Some(schema) = schema.as_object() else { return false };
    match schema.get("type") {
        None => schema.keys().all(|key| key == "description"),
        Some(Json::String(only)) => only == "string" && schema.keys().all(|key| key == "type" || key == "description"),
        Some(Json::Array(several)) => several.iter().any(|one| one == "string"),
        Some(_) => false,
    }
}

/// Returns whether a type of keys accepts more than strings. Property names in JSON are only strings.
fn takes_more_than_strings(kind: &Type) -> bool {
    match kind.resolved() {
        Type::String(_) | Type::Enum(_) | Type::Pattern(_) | Type::Undef => false,
        Type::Variant(variants) => variants.as_slice().iter().any(takes_more_than_strings),
        Type::Optional(inner) => inner.as_deref().is_some_and(takes_more_than_strings),
        Type::NotUndef(Some(inner)) => takes_more_than_strings(inner),
        _ => true,
    }
}

/// A pattern for a string in which the case of ASCII letters does not matter.
fn in_any_case(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            c if c.is_ascii_alphabetic() => format!("[{}{}]", c.to_ascii_lowercase(), c.to_ascii_uppercase()),
            c if r"^$\.*+?()[]{}|".contains(c) => format!("\\{c}"),
            c => c.to_string(),
        })
        .collect()
}
