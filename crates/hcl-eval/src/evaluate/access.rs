//! Variables, attributes and indexes.
//!
//! Source: <https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md#index-operator>.

use std::sync::Arc;

use hieratic_hcl_syntax::ast::{Index, RelativeTraversal, ScopeTraversal, Step};
use hieratic_hcl_syntax::{Problem, Source, Span};
use hieratic_hcl_types::{ListValue, Type, Value, convert, quoted};

use super::Evaluator;
use crate::context::{Context, Undefined};
use crate::suggestion::nearest;

const INVALID_INDEX: &str = "Invalid index";
const UNSUPPORTED_ATTRIBUTE: &str = "Unsupported attribute";

impl Evaluator<'_> {
    pub(super) fn scope_traversal(&mut self, traversal: &ScopeTraversal, context: &Context<'_>) -> Value {
        if let Some(value) = context.variable(&traversal.root) {
            return self.steps(value, &traversal.steps);
        }
        if let Some(hook) = context.undefined() {
            let reference = Undefined { name: &traversal.root, span: traversal.span, source: self.source };
            let (value, problems) = hook(reference);
            self.report_all(problems);
            return value;
        }
        if !context.allows_variables() {
            self.report_error("Variables not allowed", "Variables may not be used here.", traversal.root_span, None);
            return Value::DYNAMIC;
        }
        let suggestion = nearest(&traversal.root, context.variable_names());
        let suggestion = suggestion.map_or_else(String::new, |name| format!(" Did you mean {}?", quoted(name)));
        let detail = format!("There is no variable named {}.{suggestion}", quoted(&traversal.root));
        self.report_error("Unknown variable", detail, traversal.root_span, None);
        Value::DYNAMIC
    }

    pub(super) fn relative_traversal(&mut self, traversal: &RelativeTraversal, context: &Context<'_>) -> Value {
        let value = self.value(&traversal.source, context);
        self.steps(&value, &traversal.steps)
    }

    fn steps(&mut self, value: &Value, steps: &[Step]) -> Value {
        let mut current = std::borrow::Cow::Borrowed(value);
        for step in steps {
            let result = match step {
                Step::Attribute { name, span } => attribute(&current, name, self.source, *span),
                Step::Index { key, span } => index(&current, key, self.source, *span),
            };
            match result {
                Ok(value) => current = std::borrow::Cow::Owned(value),
                Err(problem) => {
                    self.report(*problem);
                    return Value::DYNAMIC;
                }
            }
        }
        current.into_owned()
    }

    pub(super) fn index(&mut self, node: &Index, context: &Context<'_>) -> Value {
        let collection = self.value(&node.collection, context);
        let key = self.value(&node.key, context);
        match index(&collection, &key, self.source, node.bracket_span) {
            Ok(value) => value,
            Err(problem) => {
                self.report(*problem);
                Value::DYNAMIC
            }
        }
    }
}

type AccessResult = Result<Value, Box<Problem>>;

fn access_error(summary: &'static str, detail: impl Into<String>, source: &Arc<Source>, span: Span) -> AccessResult {
    Err(Box::new(Problem::error(summary, detail.into()).at(source, span)))
}

/// The element of a collection at a key.
fn index(collection: &Value, key: &Value, source: &Arc<Source>, span: Span) -> AccessResult {
    if collection.is_null() {
        let detail = "This value is null, so it does not have any indices.";
        return access_error("Attempt to index null value", detail, source, span);
    }
    let invalid = |detail: String| access_error(INVALID_INDEX, detail, source, span);
    if key.is_null() {
        return invalid("Can't use a null value as an indexing key.".into());
    }
    if matches!(key, Value::Unknown(Type::Dynamic)) || matches!(collection, Value::Unknown(Type::Dynamic)) {
        return Ok(Value::DYNAMIC);
    }
    let no_element = "The given key does not identify an element in this collection value";
    let as_key = |ty: &Type| convert(key, ty).map_err(|error| format!("{no_element}: {error}."));
    match collection {
        Value::List(_) | Value::Tuple(_) | Value::Unknown(Type::List(_) | Type::Tuple(_)) => {
            let key = match as_key(&Type::Number) {
                Ok(key) => key,
                Err(detail) => return invalid(detail),
            };
            collection.index(&key).or_else(|_| invalid(explain_sequence_index(collection, &key, no_element)))
        }
        Value::Map(_) | Value::Unknown(Type::Map(_)) => match as_key(&Type::String) {
            Ok(key) => collection.index(&key).or_else(|_| invalid(format!("{no_element}."))),
            Err(detail) => invalid(detail),
        },
        Value::Object(object) => match as_key(&Type::String) {
            Ok(Value::String(name)) => object.get(&name).cloned().map_or_else(
                || {
                    let hint = if matches!(key, Value::Number(_)) {
                        " An object only supports looking up attributes by name, not by numeric index."
                    } else {
                        ""
                    };
                    invalid(format!("{no_element}.{hint}"))
                },
                Ok,
            ),
            Ok(_) => Ok(Value::DYNAMIC),
            Err(detail) => invalid(detail),
        },
        Value::Unknown(Type::Object(_)) => as_key(&Type::String).map_or_else(invalid, |_| Ok(Value::DYNAMIC)),
        Value::Set(_) | Value::Unknown(Type::Set(_)) => invalid(
            "Elements of a set are identified only by their value and don't have any separate index or key to select \
             with, so it's only possible to perform operations across all elements of the set."
                .into(),
        ),
        _ => invalid("This value does not have any indices.".into()),
    }
}

/// Explains why a number is not an index of a list or tuple.
fn explain_sequence_index(collection: &Value, key: &Value, no_element: &str) -> String {
    let length = match collection {
        Value::Unknown(Type::Tuple(types)) => types.len(),
        value => value.length().unwrap_or_default(),
    };
    let length = hieratic_hcl_types::Number::from(length);
    let reason = match key {
        Value::Number(number) if !number.is_whole() && !number.is_infinite() => {
            "indexing a sequence requires a whole number, but the given index has a fractional part"
        }
        Value::Number(number) if number.is_infinite() => {
            "indexing a sequence requires a whole number, but the given index has a fractional part"
        }
        Value::Number(number) if number.is_negative() && !number.is_zero() => {
            "a negative number is not a valid index for a sequence"
        }
        // The reference compares in the opposite direction, so it has a reason only for the index just after the end.
        Value::Number(number) if *number <= length && length.is_zero() => "the collection has no elements",
        Value::Number(number) if *number <= length => {
            "the given index is greater than or equal to the length of the collection"
        }
        _ => return format!("{no_element}."),
    };
    format!("{no_element}: {reason}.")
}

/// The attribute of an object, or the element of a map.
fn attribute(value: &Value, name: &str, source: &Arc<Source>, span: Span) -> AccessResult {
    if value.is_null() {
        let detail = "This value is null, so it does not have any attributes.";
        return access_error("Attempt to get attribute from null value", detail, source, span);
    }
    let unsupported = |detail: String| access_error(UNSUPPORTED_ATTRIBUTE, detail, source, span);
    let absent = |suggestion: Option<&str>| {
        let detail = format!("This object does not have an attribute named {}.", quoted(name));
        let problem = Problem::error(UNSUPPORTED_ATTRIBUTE, detail).at(source, span);
        Err(Box::new(match suggestion {
            Some(suggestion) => problem.with_hint(format!("did you mean {}?", quoted(suggestion))),
            None => problem,
        }))
    };
    let primitive = |ty: &Type| {
        unsupported(format!("Can't access attributes on a primitive-typed value ({}).", ty.friendly_name()))
    };
    match value {
        Value::Object(object) => match object.get(name) {
            Some(found) => Ok(found.clone()),
            None => absent(suggest_name(name, object.entries().iter().map(|(name, _)| &**name))),
        },
        Value::Unknown(Type::Object(object)) => match object.get(name) {
            Some(attribute) => Ok(Value::Unknown(attribute.ty.clone())),
            None => absent(suggest_name(name, object.attributes().iter().map(|attribute| &*attribute.name))),
        },
        Value::Map(map) => map.entries.get(name).cloned().map_or_else(
            || {
                let detail = format!("This map does not have an element with the key {}.", quoted(name));
                access_error("Missing map element", detail, source, span)
            },
            Ok,
        ),
        Value::Unknown(Type::Map(element)) => Ok(Value::Unknown((**element).clone())),
        Value::Unknown(Type::Dynamic) => Ok(Value::DYNAMIC),
        Value::List(list) => list_attribute(list, name, source, span),
        Value::Set(set) if set.element().is_object() => unsupported(
            "Can't access attributes on a set of objects. Did you mean to access an attribute across all elements of \
             the set?"
                .into(),
        ),
        Value::Bool(_) => primitive(&Type::Bool),
        Value::Number(_) => primitive(&Type::Number),
        Value::String(_) => primitive(&Type::String),
        Value::Unknown(ty) if ty.is_primitive() => primitive(ty),
        _ => unsupported("This value does not have any attributes.".into()),
    }
}

/// The maximum number of names for which suggestions are computed: `try` may evaluate a missing name many times.
const MOST_COMPARED: usize = 200;

fn suggest_name<'n>(name: &str, names: impl ExactSizeIterator<Item = &'n str>) -> Option<&'n str> {
    if names.len() > MOST_COMPARED { None } else { nearest(name, names) }
}

fn list_attribute(list: &ListValue, name: &str, source: &Arc<Source>, span: Span) -> AccessResult {
    let detail = match &list.element {
        Type::Object(object) if object.get(name).is_some() => format!(
            "Can't access attributes on a list of objects. Did you mean to access attribute {} for a specific element \
             of the list, or across all elements of the list?",
            quoted(name)
        ),
        Type::Object(_) => "Can't access attributes on a list of objects. Did you mean to access an attribute for a \
                            specific element of the list, or across all elements of the list?"
            .into(),
        _ => "This value does not have any attributes.".into(),
    };
    access_error(UNSUPPORTED_ATTRIBUTE, detail, source, span)
}
