//! Converts values of the data model to values of templates and back.

use std::any::Any;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use hieratic_value::{Extended, Rich, Value};
use minijinja::Value as Template;
use minijinja::value::ValueKind;

use crate::json_tree::{Json, JsonView, Rejected, parse_json};
use crate::objects::{
    Big, Convert, Datetime, Dict, Encrypted, HostVars, Hosts, List, Markup, Missing, OpaqueValue, Source, SourceView,
    Timedelta, Verbatim,
};
use crate::python::kind::invalid;
use crate::python::{Budget, str};
use crate::{TemplateError, TemplateErrorKind, work};

/// The maximum nesting depth of values that are converted back. The other direction follows values that are already in
/// memory.
const MAX_DEPTH: usize = 500;

/// Converts a value for templates.
///
/// `undef` is `none`, integers of any size stay exact, hashes keep the order of their keys and may have any scalar as a
/// key. A symbol is its name. A secret or a value of another kind is opaque: it can be passed on, and is converted back
/// unchanged.
///
/// A string with the tag `!unsafe` or `!vault` is a plain string.
pub fn from_value(value: &Value) -> Template {
    match Source::new(value, from_value) {
        Some(source) => given(value, source),
        None => converted(value, &Conversion { convert: from_value, marked: plain, is_own: false }),
    }
}

/// Converts a value that templates change in place instead of a copy.
pub fn from_value_to_change(value: &Value) -> Template {
    converted(value, &Conversion { convert: from_value_to_change, marked: plain, is_own: true })
}

/// Converts variables for an engine whose variables are templates ([`Options::templates`](crate::Options)): strings
/// with the tag `!unsafe` are not templates, and those with the tag `!vault` are decrypted on first use.
pub fn from_variables(value: &Value) -> Template {
    match Source::new(value, from_variables) {
        Some(source) => given(value, source),
        None => converted(value, &Conversion { convert: from_variables, marked: tagged, is_own: false }),
    }
}

/// A list or dictionary that is converted when it is used.
fn given(value: &Value, source: Source) -> Template {
    if matches!(value, Value::Array(_)) { List::source(source) } else { Dict::source(source) }
}

/// Returns the value of a document that is converted when a template uses it.
pub(crate) fn deferred(value: &Value) -> Option<JsonView<'_>> {
    let Deferred(json) = value.extended()?;
    Some(json.view())
}

/// Returns whether a value is a string with a tag that says how to read it.
pub(crate) fn is_marked(value: &Value) -> bool {
    let marked: Option<&Marked> = value.extended();
    marked.is_some()
}

/// A string with a tag, without the tag.
fn plain(marked: &Marked) -> Template {
    Template::from(&*marked.text)
}

/// A string with a tag among variables that are templates.
fn tagged(marked: &Marked) -> Template {
    match marked.mark {
        Mark::Unsafe => Template::from_object(Verbatim(marked.text.clone())),
        Mark::Vault => Template::from_object(Encrypted {
            text: marked.text.clone(),
            place: marked.place.clone().unwrap_or_default(),
            why: None,
        }),
    }
}

/// Creates the value of `hostvars` for these host names. The function reads the variables of a host on their first use,
/// or returns an error message.
///
/// ```
/// use hieratic_jinja::{Engine, Options, from_variables, hosts, with_hosts};
/// use hieratic_value::{Hash, Value};
///
/// let hosts = hosts(["web01".to_owned()], |_| Ok([("port", Value::from(80))].into_iter().collect()));
/// let variables = with_hosts(&from_variables(&Hash::default().into()), &hosts);
/// let engine = Engine::new(&Options { templates: true, ..Options::default() });
/// assert_eq!(engine.render_text("t.j2", "{{ hostvars['web01'].port }}", variables)?, "80");
/// # Ok::<(), hieratic_jinja::TemplateError>(())
/// ```
pub fn hosts(
    names: impl IntoIterator<Item = String>,
    read: impl Fn(&str) -> Result<hieratic_value::Hash, String> + Send + Sync + 'static,
) -> Hosts {
    Hosts::new(names, move |name| read(name).map(|variables| from_variables(&variables.into())))
}

/// Adds `hostvars` to variables: the variables of other hosts, by the names of the hosts.
pub fn with_hosts(variables: &Template, hosts: &Hosts) -> Template {
    let mut all = variables.downcast_object_ref::<Dict>().map(|dict| dict.read().clone()).unwrap_or_default();
    all.insert("hostvars".into(), Template::from_object(HostVars(hosts.clone())));
    Dict::given(all)
}

/// The way in which values are converted.
struct Conversion {
    /// Converts the values in a list or hash.
    convert: Convert,
    /// Converts a string with a tag.
    marked: fn(&Marked) -> Template,
    /// Whether the value belongs to the receiver.
    is_own: bool,
}

fn converted(value: &Value, conversion: &Conversion) -> Template {
    let Conversion { convert, marked, is_own } = *conversion;
    let list = if is_own { List::value } else { List::given };
    let dict = if is_own { Dict::value } else { Dict::given };
    match value {
        Value::Undef => Template::from(()),
        Value::Boolean(truth) => Template::from(*truth),
        Value::Integer(number) => Template::from(*number),
        Value::Float(number) => Template::from(*number),
        Value::String(text) => Template::from(text.clone()),
        Value::Array(items) => list(items.iter().map(convert).collect()),
        Value::Hash(hash) => dict(hash.iter().map(|(key, value)| (convert(key), convert(value))).collect()),
        Value::Rich(rich) => match &**rich {
            Rich::BigInteger(number) => Big::value(number),
            Rich::Symbol(name) => Template::from(name.clone()),
            Rich::Default => Template::from("default"),
            Rich::Binary(bytes) => Template::from_bytes(bytes.clone()),
            Rich::Sensitive(_) | Rich::Extended(_) => match (value.extended(), value.extended()) {
                (Some(Moment(time)), _) => Template::from_object(*time),
                (None, Some(string)) => marked(string),
                (None, None) => match deferred(value) {
                    Some(json) if is_own => convert(&json.to_data()),
                    Some(json) => SourceView::Json(json, from_value).value(),
                    None => Template::from_object(OpaqueValue(value.clone())),
                },
            },
        },
    }
}

/// Converts the result of a template to the data model.
///
/// # Errors
///
/// A lazy value cannot be computed, a value is undefined, it is not data (a function or a macro), or it is nested too
/// deeply.
///
/// ```
/// use hieratic_jinja::extend;
/// use hieratic_jinja::to_value;
/// use hieratic_value::Value;
///
/// assert_eq!(to_value(&extend::Value::from(vec![1, 2]))?, [1, 2].map(Value::from).into_iter().collect());
/// # Ok::<(), hieratic_jinja::TemplateError>(())
/// ```
pub fn to_value(value: &Template) -> Result<Value, TemplateError> {
    convert(value, MAX_DEPTH, &Budget::new())
}

/// Converts a value to the data model, with undef for everything that is not data, such as a macro or an undefined
/// value. The cost is charged to the rendering.
///
/// # Errors
///
/// The budget of the rendering is exhausted.
pub fn to_data(value: &Template) -> Result<Value, minijinja::Error> {
    data_in(value, MAX_DEPTH)
}

fn data_in(value: &Template, depth: usize) -> Result<Value, minijinja::Error> {
    work::steps(1)?;
    let Some(depth) = depth.checked_sub(1) else { return Ok(Value::Undef) };
    let item = |key: &Template| value.get_item(key).map_or(Ok(Value::Undef), |item| data_in(&item, depth));
    match (value.kind(), value.try_iter()) {
        (ValueKind::Map, Ok(keys)) => {
            let entries = keys.map(|key| Ok((data_in(&key, depth)?, item(&key)?)));
            Ok(Value::Hash(entries.collect::<Result<_, minijinja::Error>>()?))
        }
        (ValueKind::Seq | ValueKind::Iterable, Ok(items)) => items.map(|item| data_in(&item, depth)).collect(),
        // A value without parts is data, or nothing can be learned from it.
        _ => Ok(convert(value, 1, &Budget::new()).unwrap_or_default()),
    }
}

/// Parses a YAML file with at most one document, as PyYAML does. An empty file is undef. Timestamps keep their type in
/// templates and are strings elsewhere. The name is used in error positions.
///
/// # Errors
///
/// The file is not valid YAML, or has more than one document. The error has a position.
///
/// ```
/// let value = hieratic_jinja::read_yaml("vars.yaml", "at: 12:30").unwrap();
/// assert_eq!(value.as_hash().and_then(|hash| hash.get("at")), Some(&750.into()));
/// ```
pub fn read_yaml(name: &str, text: &str) -> Result<Value, TemplateError> {
    let mut documents = crate::yaml::read(name, text)?;
    let Some(document) = documents.pop() else { return Ok(Value::Undef) };
    if !documents.is_empty() {
        return Err(TemplateError::new(TemplateErrorKind::Render, "expected a single document, but found another one"));
    }
    let special = |value: &Template| {
        if let Some(time) = value.downcast_object_ref::<Datetime>() {
            return Some(Value::from_extended(Moment(*time)));
        }
        let marked = match (value.downcast_object_ref(), value.downcast_object_ref()) {
            (Some(Verbatim(text)), _) => Marked { mark: Mark::Unsafe, text: text.clone(), place: None },
            (None, Some(Encrypted { text, place, .. })) => {
                Marked { mark: Mark::Vault, text: text.clone(), place: Some(place.clone()) }
            }
            (None, None) => return None,
        };
        Some(Value::from_extended(marked))
    };
    convert_with(&document, MAX_DEPTH, &Budget::new(), &special)
}

/// Converts a time of the system's clock to a value of templates, in the local time zone. Returns `None` if it is out
/// of range.
///
/// ```
/// use hieratic_jinja::local_time;
///
/// let time = local_time(std::time::SystemTime::now()).map(|time| time.to_text());
/// assert!(time.is_some_and(|text| text.starts_with("20")));
/// ```
pub fn local_time(time: std::time::SystemTime) -> Option<Value> {
    Datetime::local(time).map(|time| Value::from_extended(Moment(time)))
}

/// Parses a Python literal, as `ast.literal_eval` does. Returns `None` if the string is not a literal.
///
/// ```
/// assert_eq!(hieratic_jinja::read_literal("0x10"), Some(16.into()));
/// assert_eq!(hieratic_jinja::read_literal("web"), None);
/// ```
pub fn read_literal(text: &str) -> Option<Value> {
    // A literal contains only data.
    crate::python::literal::parse(text).and_then(|value| to_value(&value).ok())
}

/// Parses a file of variables, as Ansible does: as JSON if it is JSON, otherwise as [`read_yaml`] does. JSON escapes
/// may form surrogate pairs, which YAML does not have, and `{"__ansible_unsafe": TEXT}` is a string with a tag.
///
/// # Errors
///
/// As [`read_yaml`].
///
/// ```
/// let value = hieratic_jinja::read_variables("vars.json", r#"{"face": "\ud83d\ude00"}"#).unwrap();
/// assert_eq!(value.as_hash().and_then(|hash| hash.get("face")), Some(&"\u{1f600}".into()));
/// ```
pub fn read_variables(name: &str, text: &str) -> Result<Value, TemplateError> {
    read_json_or_yaml(name, text.to_owned(), |json| json.to_data())
}

/// Parses a file of variables for templates only. Lists and objects of JSON are converted on first use. The result is
/// only valid for [`from_value`] and [`from_variables`].
///
/// # Errors
///
/// As [`read_yaml`].
///
/// ```
/// use hieratic_jinja::{Engine, Options, defer_variables, from_variables};
///
/// let variables = defer_variables("vars.json", r#"{"ports": [80, 443]}"#.to_owned()).unwrap();
/// let engine = Engine::new(&Options { templates: true, ..Options::default() });
/// assert_eq!(engine.render_text("t.j2", "{{ ports[1] }}", from_variables(&variables))?, "443");
/// # Ok::<(), hieratic_jinja::TemplateError>(())
/// ```
pub fn defer_variables(name: &str, text: String) -> Result<Value, TemplateError> {
    let defer = |json: JsonView<'_>| json.scalar().unwrap_or_else(|| Value::from_extended(Deferred(json.own())));
    read_json_or_yaml(name, text, |json| {
        if !json.is_object() {
            return json.to_data();
        }
        Value::Hash(json.keys().map(|key| Value::from(&*key)).zip(json.values().map(defer)).collect())
    })
}

/// Parses JSON, with a function that converts it, or YAML.
fn read_json_or_yaml(
    name: &str,
    text: String,
    convert: impl FnOnce(JsonView<'_>) -> Value,
) -> Result<Value, TemplateError> {
    if !text.trim_start().starts_with(['{', '[']) {
        return read_yaml(name, &text);
    }
    match parse_json(text) {
        Ok(json) if json.view().may_have_tags() => Ok(with_tags(json.view().to_data())),
        Ok(json) => Ok(convert(json.view())),
        // Invalid JSON is parsed as YAML, which then reports the error.
        Err(Rejected { text, .. }) => read_yaml(name, &text),
    }
}

/// Replaces the objects by which Ansible writes tags in JSON: `{"__ansible_unsafe": TEXT}` and `{"__ansible_vault": TEXT}`.
fn with_tags(value: Value) -> Value {
    let hash = match value {
        Value::Array(items) => return items.iter().cloned().map(with_tags).collect(),
        Value::Hash(hash) => hash,
        other => return other,
    };
    for (key, value) in hash.iter() {
        match (key.as_str(), value) {
            (Some("__ansible_unsafe"), value) => return without_templates(value),
            (Some("__ansible_vault"), Value::String(text)) => {
                return Value::from_extended(Marked { mark: Mark::Vault, text: text.clone(), place: None });
            }
            _ => {}
        }
    }
    Value::Hash(hash.iter().map(|(key, value)| (key.clone(), with_tags(value.clone()))).collect())
}

/// Marks all strings in a value as no templates.
fn without_templates(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::from_extended(Marked { mark: Mark::Unsafe, text: text.clone(), place: None }),
        Value::Array(items) => items.iter().map(without_templates).collect(),
        Value::Hash(hash) => {
            Value::Hash(hash.iter().map(|(key, value)| (key.clone(), without_templates(value))).collect())
        }
        other => other.clone(),
    }
}

/// Marks strings that would be templates as data, at all depths: in Ansible, facts are never templates.
pub fn mark_as_data(value: &Value) -> Value {
    // Most facts have no braces, and are shared instead of copied for each rendering.
    if !may_have_templates(value) {
        return value.clone();
    }
    match value {
        Value::Array(items) => items.iter().map(mark_as_data).collect(),
        Value::Hash(hash) => Value::Hash(hash.iter().map(|(key, value)| (key.clone(), mark_as_data(value))).collect()),
        other => without_templates(other),
    }
}

fn may_have_templates(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains(['{', '}']) && (crate::is_template(text) || text.contains("{#")),
        Value::Array(items) => items.iter().any(may_have_templates),
        Value::Hash(hash) => hash.iter().any(|(_, value)| may_have_templates(value)),
        _ => false,
    }
}

/// A list or an object of a JSON document, which is converted where it is used.
#[derive(Clone, Debug)]
struct Deferred(Json);

impl Extended for Deferred {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, other: &dyn Extended) -> bool {
        let other: Option<&Deferred> = other.as_any().downcast_ref();
        other.is_some_and(|Deferred(other)| self.0.view().to_data() == other.view().to_data())
    }

    fn hash_into(&self, mut state: &mut dyn Hasher) {
        self.0.view().to_data().hash(&mut state);
    }

    fn to_text(&self) -> String {
        self.0.view().to_data().to_text()
    }

    fn ruby_class(&self) -> &'static str {
        if self.0.view().is_list() { "Array" } else { "Hash" }
    }

    fn clone_box(&self) -> Box<dyn Extended> {
        Box::new(self.clone())
    }
}

/// A point in time among values of the data model: templates see it as one again.
#[derive(Clone, Copy, Debug)]
struct Moment(Datetime);

impl Extended for Moment {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, other: &dyn Extended) -> bool {
        other.as_any().downcast_ref().is_some_and(|Moment(other)| self.0.is_same(*other))
    }

    fn hash_into(&self, state: &mut dyn Hasher) {
        state.write_i64(self.0.microseconds());
    }

    fn to_text(&self) -> String {
        self.0.to_text(' ')
    }

    fn ruby_class(&self) -> &'static str {
        "Time"
    }

    fn clone_box(&self) -> Box<dyn Extended> {
        Box::new(*self)
    }
}

/// A string among values of the data model that has a tag of Ansible's.
#[derive(Clone, Debug)]
struct Marked {
    mark: Mark,
    text: Arc<str>,
    /// The position of the definition, which does not take part in comparisons.
    place: Option<Arc<str>>,
}

/// The property of a string that an Ansible tag declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Mark {
    /// The string is not a template.
    Unsafe,
    /// The string is encrypted.
    Vault,
}

impl Extended for Marked {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, other: &dyn Extended) -> bool {
        let other: Option<&Marked> = other.as_any().downcast_ref();
        other.is_some_and(|other| (other.mark, &other.text) == (self.mark, &self.text))
    }

    fn hash_into(&self, mut state: &mut dyn Hasher) {
        (self.mark, &self.text).hash(&mut state);
    }

    fn to_text(&self) -> String {
        self.text.to_string()
    }

    fn ruby_class(&self) -> &'static str {
        "String"
    }

    fn clone_box(&self) -> Box<dyn Extended> {
        Box::new(self.clone())
    }
}

fn convert(value: &Template, depth: usize, budget: &Budget) -> Result<Value, TemplateError> {
    convert_with(value, depth, budget, &|value| {
        let time: &Datetime = value.downcast_object_ref()?;
        Some(Value::from(time.to_text(' ')))
    })
}

fn convert_with(
    value: &Template,
    depth: usize,
    budget: &Budget,
    special: &dyn Fn(&Template) -> Option<Value>,
) -> Result<Value, TemplateError> {
    let convert = |value: &Template, depth, budget| convert_with(value, depth, budget, special);
    budget.step().map_err(TemplateError::from_engine)?;
    let Some(depth) = depth.checked_sub(1) else {
        return Err(TemplateError::new(TemplateErrorKind::Render, "the value nests too deeply to be converted"));
    };
    Ok(match value.kind() {
        ValueKind::None => Value::Undef,
        ValueKind::Bool => Value::Boolean(value.is_true()),
        ValueKind::Number if value.is_integer() => integer(value),
        ValueKind::Number => Value::Float(f64::try_from(value.clone()).map_err(TemplateError::from_engine)?),
        ValueKind::String => Value::from(value.as_str().unwrap_or_default()),
        ValueKind::Bytes => Rich::Binary(value.as_bytes().unwrap_or_default().to_vec()).into(),
        ValueKind::Seq | ValueKind::Iterable => {
            let items = value.try_iter().map_err(TemplateError::from_engine)?;
            items.map(|item| convert(&item, depth, budget)).collect::<Result<Value, TemplateError>>()?
        }
        ValueKind::Map => {
            let keys = value.try_iter().map_err(TemplateError::from_engine)?;
            let entry = |key: Template| {
                let item = value.get_item(&key).map_err(TemplateError::from_engine)?;
                Ok((convert(&key, depth, budget)?, convert(&item, depth, budget)?))
            };
            Value::Hash(keys.map(entry).collect::<Result<_, TemplateError>>()?)
        }
        ValueKind::Undefined => return Err(TemplateError::new(TemplateErrorKind::Undefined, "the value is undefined")),
        ValueKind::Invalid => return Err(TemplateError::from_engine(invalid(value))),
        _ => {
            if let Some(Big(number)) = value.downcast_object_ref() {
                return Ok(Rich::BigInteger(number.clone()).into());
            }
            if let Some(missing) = value.downcast_object_ref::<Missing>() {
                // An allowed undefined value converts to the string that it prints as.
                return if missing.strict {
                    Err(TemplateError::new(TemplateErrorKind::Undefined, missing.message()))
                } else {
                    Ok(Value::from(missing.placeholder()))
                };
            }
            if let Some(special) = special(value) {
                return Ok(special);
            }
            if value.downcast_object_ref::<Timedelta>().is_some() {
                return str(value).map(Value::from).map_err(TemplateError::from_engine);
            }
            if let Some(Markup(text)) = value.downcast_object_ref() {
                return Ok(Value::from(&**text));
            }
            if let Some(OpaqueValue(opaque)) = value.downcast_object_ref() {
                return Ok(opaque.clone());
            }
            let message = format!("{value} is not data: the result of a template must be representable as YAML");
            return Err(TemplateError::new(TemplateErrorKind::Render, message));
        }
    })
}

/// An integer in 128 bits.
fn integer(value: &Template) -> Value {
    match (value.as_i64(), i128::try_from(value.clone())) {
        (Some(small), _) => Value::Integer(small),
        (None, Ok(number)) => Rich::BigInteger(number.into()).into(),
        // The remaining integers are unsigned ones of 128 bits, whose digits are parsed.
        (None, Err(_)) => value.to_string().parse().map_or(Value::Undef, |number| Rich::BigInteger(number).into()),
    }
}
