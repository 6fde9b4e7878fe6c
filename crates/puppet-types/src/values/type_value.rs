//! A type as a value.

use std::any::Any;
use std::hash::{Hash, Hasher};

use hieratic_value::{Extended, Hash as Pairs, Value};

use crate::build::capitalize_segments;
use crate::types::Type;

/// A type that is itself a value, as in `$x = Integer[1]`.
#[derive(Clone, Debug)]
pub struct TypeValue {
    pub(crate) kind: Type,
    /// Whether the type was the value of a resource parameter: the reference copies it then, and the copy prints
    /// differently.
    is_given: bool,
}

/// The maximum number of parts that are searched for references. A value can share its parts, and thus be much larger
/// than its source.
const MAX_SEARCHED_PARTS: usize = 10_000;

impl Type {
    /// Returns the type as a value.
    pub fn into_value(self) -> Value {
        Value::from_extended(TypeValue { kind: self, is_given: false })
    }

    /// Returns the type in a value, or `None` for other values.
    pub fn of_value(value: &Value) -> Option<&Type> {
        value.extended::<TypeValue>().map(|value| &value.kind)
    }

    /// Returns whether this is a reference to a resource, or a resource type, which is a reference without a title.
    fn is_reference(&self) -> bool {
        match self {
            Type::Class(title) => title.is_some(),
            Type::Resource(resource) => resource.name.is_some(),
            _ => false,
        }
    }
}

/// Converts a value for a parameter of a resource: its references print without quotation marks (`File[/tmp]`), as in
/// the reference. Returns `None` if it contains no references.
pub fn given_to_parameter(value: &Value) -> Option<Value> {
    given(value, &mut 0)
}

fn given(value: &Value, parts: &mut usize) -> Option<Value> {
    *parts += 1;
    if *parts > MAX_SEARCHED_PARTS {
        return None;
    }
    match value {
        Value::Array(elements) => {
            let changed: Vec<Option<Value>> = elements.iter().map(|element| given(element, parts)).collect();
            changed.iter().any(Option::is_some).then(|| {
                let pairs = changed.into_iter().zip(elements.iter());
                pairs.map(|(new, old)| new.unwrap_or_else(|| old.clone())).collect::<Vec<Value>>().into()
            })
        }
        Value::Hash(hash) => {
            let changed: Vec<[Option<Value>; 2]> =
                hash.iter().map(|(key, value)| [given(key, parts), given(value, parts)]).collect();
            changed.iter().flatten().any(Option::is_some).then(|| {
                let pairs = changed.into_iter().zip(hash.iter());
                let pairs = pairs.map(|([new_key, new_value], (key, value))| {
                    (new_key.unwrap_or_else(|| key.clone()), new_value.unwrap_or_else(|| value.clone()))
                });
                pairs.collect::<Pairs>().into()
            })
        }
        _ => {
            let kind = Type::of_value(value).filter(|kind| kind.is_reference())?.clone();
            Some(Value::from_extended(TypeValue { kind, is_given: true }))
        }
    }
}

// Both forms are the same reference.
impl PartialEq for TypeValue {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl Eq for TypeValue {}

impl Hash for TypeValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind.hash(state);
    }
}

impl Extended for TypeValue {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, other: &dyn Extended) -> bool {
        other.as_any().downcast_ref::<TypeValue>() == Some(self)
    }

    fn hash_into(&self, mut state: &mut dyn Hasher) {
        self.kind.hash(&mut state);
    }

    fn to_text(&self) -> String {
        match &self.kind {
            Type::Class(Some(title)) if self.is_given => format!("Class[{}]", capitalize_segments(title)),
            Type::Resource(resource) if self.is_given => {
                let [name, title] = [&resource.name, &resource.title].map(|part| part.as_deref().unwrap_or_default());
                format!("{name}[{title}]")
            }
            kind => kind.to_string(),
        }
    }

    fn ruby_class(&self) -> &'static str {
        self.kind.ruby_class()
    }

    fn clone_box(&self) -> Box<dyn Extended> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::resource;

    fn reference(title: &str) -> Value {
        resource("file", Some(title.into())).into_value()
    }

    #[test]
    fn references_of_parameters_print_without_quotation_marks() {
        let class = Type::Class(Some("a::b".into())).into_value();
        let list: Value = vec![reference("/a b"), Value::from(1), class, resource("file", None).into_value()].into();
        let given = given_to_parameter(&list).unwrap();
        let texts: Vec<String> = given.as_array().unwrap().iter().map(Value::to_text).collect();
        assert_eq!(texts, ["File[/a b]", "1", "Class[A::B]", "File[]"]);
        assert_eq!(reference("/a b").to_text(), "File['/a b']");
        assert_eq!(given, list);
    }

    #[test]
    fn values_without_references_are_left_alone() {
        let class = Type::Class(None).into_value();
        for value in [Value::from("a"), vec![Value::from(1)].into(), class, Type::Any.into_value()] {
            assert_eq!(given_to_parameter(&value), None);
        }
    }

    #[test]
    fn values_that_share_their_parts_end() {
        let mut value = Value::from(vec![Value::from(1)]);
        for _ in 0..60 {
            value = vec![value.clone(), value].into();
        }
        assert_eq!(given_to_parameter(&value), None);
    }
}
