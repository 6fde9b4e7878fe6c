//! Converts values to JSON and back.

use crate::{ConversionError, Number, Text, Type, Value, convert};

impl Value {
    /// Converts JSON to a value of the implied type: arrays become tuples, objects become objects.
    pub fn from_json(json: &serde_json::Value) -> Value {
        match json {
            serde_json::Value::Null => Value::NULL,
            serde_json::Value::Bool(value) => Value::Bool(*value),
            serde_json::Value::Number(number) => Number::parse(number.as_str()).map_or(Value::DYNAMIC, Value::Number),
            serde_json::Value::String(text) => Value::string(text.as_str()),
            serde_json::Value::Array(items) => Value::tuple(items.iter().map(Value::from_json).collect()),
            serde_json::Value::Object(entries) => {
                let entry = |(name, value): (&String, _)| (normal(name), Value::from_json(value));
                Value::object(entries.iter().map(entry).collect())
            }
        }
    }

    /// Converts JSON to a value of a type.
    ///
    /// # Errors
    ///
    /// The JSON does not conform to the type.
    pub fn from_json_as(json: &serde_json::Value, ty: &Type) -> Result<Value, ConversionError> {
        use serde_json::Value as Json;
        match (ty, json) {
            (Type::Dynamic, json) => Ok(Value::from_json(json)),
            (ty, Json::Null) => Ok(Value::Null(ty.clone())),
            (Type::List(element), Json::Array(items)) => {
                let items: Result<_, _> = items.iter().map(|item| Value::from_json_as(item, element)).collect();
                Ok(Value::list((**element).clone(), items?))
            }
            (Type::Set(element), Json::Array(items)) => {
                let items: Result<_, _> = items.iter().map(|item| Value::from_json_as(item, element)).collect();
                Ok(Value::set((**element).clone(), items?))
            }
            (Type::Map(element), Json::Object(entries)) => {
                let entry = |(name, value): (&String, _)| Ok((normal(name), Value::from_json_as(value, element)?));
                let entries: Result<_, ConversionError> = entries.iter().map(entry).collect();
                Ok(Value::map((**element).clone(), entries?))
            }
            (Type::Tuple(types), Json::Array(items)) if types.len() == items.len() => {
                let items: Result<_, _> =
                    items.iter().zip(types.iter()).map(|(item, ty)| Value::from_json_as(item, ty)).collect();
                Ok(Value::tuple(items?))
            }
            (Type::Object(object), Json::Object(entries)) => {
                let mut found: Vec<(Text, Value)> = Vec::with_capacity(object.attributes().len());
                for attribute in object.attributes() {
                    let value = match entries.get(attribute.name.as_ref()) {
                        Some(value) => Value::from_json_as(value, &attribute.ty)?,
                        None => Value::Null(attribute.ty.clone()),
                    };
                    found.push((attribute.name.clone(), value));
                }
                if let Some(name) = entries.keys().find(|name| object.get(name).is_none()) {
                    return Err(ConversionError::new(format!("unsupported attribute {}", crate::quoted(name))));
                }
                Ok(Value::object(found))
            }
            (ty, json) if ty.is_primitive() && !json.is_array() && !json.is_object() => {
                convert(&Value::from_json(json), ty)
            }
            (ty, _) => Err(ConversionError::new(format!("{} is required", ty.friendly_name()))),
        }
    }

    /// Converts the value to JSON. Numbers have all their digits. Sets become arrays.
    ///
    /// # Errors
    ///
    /// The value contains an unknown or infinite value, which JSON cannot represent.
    pub fn to_json(&self) -> Result<serde_json::Value, ConversionError> {
        Ok(match self {
            Value::Null(_) => serde_json::Value::Null,
            Value::Unknown(_) => return Err(ConversionError::new("value is not known")),
            Value::Bool(value) => (*value).into(),
            Value::Number(number) if number.is_infinite() => {
                return Err(ConversionError::new("an infinite number has no JSON form"));
            }
            Value::Number(number) => {
                serde_json::Value::Number(serde_json::Number::from_string_unchecked(number.to_string()))
            }
            Value::String(text) => serde_json::Value::String(text.to_string()),
            Value::List(_) | Value::Set(_) | Value::Tuple(_) => {
                serde_json::Value::Array(self.elements().map(Value::to_json).collect::<Result<_, _>>()?)
            }
            Value::Map(_) | Value::Object(_) => {
                let entries = self.as_entries().unwrap_or_default().iter();
                let entry = |(name, value): &(Text, Value)| Ok((name.to_string(), value.to_json()?));
                serde_json::Value::Object(entries.map(entry).collect::<Result<_, ConversionError>>()?)
            }
        })
    }
}

fn normal(name: &str) -> Text {
    match Value::string(name) {
        Value::String(text) => text,
        _ => name.into(),
    }
}
