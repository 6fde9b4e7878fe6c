//! Converts values of parameters to JSON data: rich data is serialized or converted to strings.

use std::borrow::Cow;
use std::fmt::Write;

use hieratic_puppet_types::{ObjectValue, RegexpValue, Type, infer};
use hieratic_value::{Hash, HashBuilder, Rich, Value};

use super::{reference, referred};

/// The key for the type of a rich value.
const TYPE: &str = "__ptype";
/// The key for its content.
const VALUE: &str = "__pvalue";
/// The type of a reference to a resource, where references differ from strings.
const REFERENCE: &str = "Puppet::Resource";

/// The form of values that JSON cannot represent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DataForm {
    /// Strings, which loses information.
    #[default]
    Strings,
    /// Rich data, as agents receive it. References to resources are strings there.
    Rich,
    /// Rich data, and references to resources as rich data too: `{"__ptype": "Puppet::Resource", "__pvalue": "File[/x]"}`.
    References,
}

/// Converts rich data to strings and reports each conversion to `warn`.
///
/// `path` returns the location of the value for messages: `Notify[x]['message']`.
pub fn plain_data(value: &Value, path: impl FnOnce() -> String, warn: &mut dyn FnMut(String)) -> Value {
    converted(value, DataForm::Strings, path, warn).into_owned()
}

/// Serializes the rich data in a value, such as `Sensitive`, `Timestamp` and `Deferred`, as for agents.
pub fn rich_data(value: &Value, path: impl FnOnce() -> String, warn: &mut dyn FnMut(String)) -> Value {
    converted(value, DataForm::Rich, path, warn).into_owned()
}

/// Converts a value with or without rich data.
pub(super) fn converted<'v>(
    value: &'v Value,
    form: DataForm,
    path: impl FnOnce() -> String,
    warn: &mut dyn FnMut(String),
) -> Cow<'v, Value> {
    // Most values are already data.
    if is_plain(value) {
        return Cow::Borrowed(value);
    }
    Cow::Owned(Converter { form, path: path(), warn }.convert(value))
}

/// Returns whether a value is plain data, and no part of it resembles serialized rich data.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Array(elements) => elements.iter().all(is_plain),
        Value::Hash(hash) => {
            hash.iter().all(|(key, value)| key.as_str().is_some_and(|key| key != TYPE) && is_plain(value))
        }
        other => is_data(other),
    }
}

struct Converter<'w> {
    form: DataForm,
    path: String,
    warn: &'w mut dyn FnMut(String),
}

impl Converter<'_> {
    fn keeps_rich_data(&self) -> bool {
        self.form != DataForm::Strings
    }

    fn convert(&mut self, value: &Value) -> Value {
        match value {
            Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) => value.clone(),
            Value::Array(elements) => {
                if elements.iter().all(is_data) {
                    return value.clone();
                }
                elements.iter().enumerate().map(|(index, one)| self.at(&format!("[{index}]"), one)).collect()
            }
            Value::Hash(hash) => self.hash(hash),
            Value::Rich(rich) => match &**rich {
                Rich::BigInteger(_) => value.clone(),
                Rich::Default if self.keeps_rich_data() => tagged("Default", None),
                Rich::Default => {
                    let message = format!(
                        "{} contains the special value default. It will be converted to the String 'default'",
                        self.path
                    );
                    (self.warn)(message);
                    "default".into()
                }
                Rich::Symbol(text) => Value::String(text.clone()),
                Rich::Sensitive(inner) => {
                    let inner = self.convert(inner);
                    tagged("Sensitive", Some(inner))
                }
                Rich::Binary(_) | Rich::Extended(_) => self.rich(value),
            },
        }
    }

    fn at(&mut self, step: &str, value: &Value) -> Value {
        if is_data(value) {
            return value.clone();
        }
        let length = self.path.len();
        self.path.push_str(step);
        let result = self.convert(value);
        self.path.truncate(length);
        result
    }

    fn hash(&mut self, hash: &Hash) -> Value {
        let plain = hash.iter().all(|(key, _)| key.as_str().is_some_and(|key| key != TYPE));
        if !plain && self.keeps_rich_data() {
            let mut pairs = Vec::with_capacity(2 * hash.len());
            for (key, value) in hash {
                pairs.push(self.convert(key));
                pairs.push(self.convert(value));
            }
            return tagged("Hash", Some(Value::from(pairs)));
        }
        let mut result = HashBuilder::with_capacity_and_hasher(hash.len(), Default::default());
        for (key, value) in hash {
            let key = match key {
                Value::String(_) => key.clone(),
                Value::Rich(rich) => match &**rich {
                    Rich::Symbol(text) => Value::String(text.clone()),
                    Rich::Default => "default".into(),
                    _ => self.key(key),
                },
                other => self.key(other),
            };
            let mut step = String::from("['");
            let _ = write!(step, "{}", key.to_text());
            step.push_str("']");
            let value = self.at(&step, value);
            result.insert(key, value);
        }
        Value::Hash(result.into())
    }

    fn key(&mut self, key: &Value) -> Value {
        if let Some(text) = referenced(key) {
            return text.into();
        }
        let text = text_of(key);
        (self.warn)(format!(
            "{} contains a hash with {} key. It will be converted to the String '{text}'",
            self.path,
            with_article(class_of(key))
        ));
        text.into()
    }

    fn rich(&mut self, value: &Value) -> Value {
        if let Some(text) = referenced(value) {
            return match self.form {
                DataForm::References => tagged(REFERENCE, Some(text.into())),
                DataForm::Strings | DataForm::Rich => text.into(),
            };
        }
        let text = text_of(value);
        if self.keeps_rich_data()
            && let Some(result) = self.written_out(value, &text)
        {
            return result;
        }
        (self.warn)(format!(
            "{} contains {} value. It will be converted to the String '{text}'",
            self.path,
            with_article(class_of(value))
        ));
        text.into()
    }

    fn written_out(&mut self, value: &Value, text: &str) -> Option<Value> {
        if let Some(regexp) = RegexpValue::downcast(value) {
            return Some(tagged("Regexp", Some(regexp.source().into())));
        }
        let name = match infer(value) {
            Type::Timestamp(_) => "Timestamp".to_owned(),
            Type::Timespan(_) => "Timespan".to_owned(),
            Type::Binary => "Binary".to_owned(),
            Type::SemVer(_) => "SemVer".to_owned(),
            Type::SemVerRange => "SemVerRange".to_owned(),
            Type::Object(_) | Type::Alias(_) => {
                let object = value.extended::<ObjectValue>()?;
                let mut result = vec![(Value::from(TYPE), Value::from(object.kind().label()))];
                for (name, value) in &object.init_hash() {
                    let value = self.at(&format!("['{}']", name.to_text()), value);
                    result.push((name.clone(), value));
                }
                return Some(result.into_iter().collect::<Hash>().into());
            }
            _ => return None,
        };
        Some(tagged(&name, Some(text.into())))
    }
}

fn tagged(name: &str, value: Option<Value>) -> Value {
    let mut pairs = vec![(Value::from(TYPE), Value::from(name))];
    pairs.extend(value.map(|value| (Value::from(VALUE), value)));
    pairs.into_iter().collect::<Hash>().into()
}

/// Returns whether a value is a scalar of plain data.
fn is_data(value: &Value) -> bool {
    matches!(value, Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_))
}

/// Returns the string form of a reference to a resource.
fn referenced(value: &Value) -> Option<String> {
    if let Some(Type::Type(_)) = Type::of_value(value) {
        return None;
    }
    match referred(value) {
        Some((kind, title)) => Some(reference(&kind, &title)),
        // A type without a title does not refer to a resource.
        None => match Type::of_value(value)? {
            Type::Resource(one) => Some(format!("{}[]", one.name.as_deref().unwrap_or_default())),
            _ => None,
        },
    }
}

fn text_of(value: &Value) -> String {
    match RegexpValue::downcast(value) {
        Some(_) => value.inspect(),
        None => hieratic_puppet_functions::interpolated(value),
    }
}

fn with_article(name: String) -> String {
    let article = if name.starts_with(['A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
    format!("{article} {name}")
}

fn class_of(value: &Value) -> String {
    if let Some(kind) = Type::of_value(value).filter(|_| RegexpValue::downcast(value).is_none()) {
        // The reference shows types without their parameters.
        let text = kind.to_string();
        let name = text.split('[').next().unwrap_or_default();
        return format!("{name}-Type");
    }
    match value.extended::<ObjectValue>() {
        Some(object) => object.kind().label().to_owned(),
        None => value
            .as_rich()
            .map_or_else(
                || match value {
                    Value::Integer(_) => "Integer",
                    Value::Float(_) => "Float",
                    Value::Boolean(true) => "TrueClass",
                    Value::Boolean(false) => "FalseClass",
                    Value::Undef => "NilClass",
                    Value::Array(_) => "Array",
                    _ => "Hash",
                },
                Rich::ruby_class,
            )
            .to_owned(),
    }
}
