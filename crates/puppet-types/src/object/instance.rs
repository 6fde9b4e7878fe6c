//! [`ObjectValue`]: an object of a user-defined type.

use std::any::Any;
use std::hash::{Hash as StdHash, Hasher};
use std::sync::Arc;

use hieratic_value::{Extended, Hash, Str, Value};

use super::extension::ObjectExtension;
use super::{Attribute, AttributeKind, ObjectType};
use crate::mismatch::signature::{Parameter, Signature, describe_call};
use crate::types::Type;
use crate::values::special_attribute;

/// An object.
#[derive(Clone, Debug)]
pub struct ObjectValue {
    pub(crate) kind: Arc<ObjectType>,
    /// The values of the attributes that are given, in their order.
    pub(crate) values: Arc<[Value]>,
}

impl ObjectValue {
    /// Returns the type of the object.
    pub fn kind(&self) -> &Arc<ObjectType> {
        &self.kind
    }

    /// Returns the value of an attribute, or `None` if the attribute does not exist or has no value.
    pub fn attribute(&self, name: &str) -> Option<Value> {
        let position = self.kind.given_attributes().iter().position(|one| *one.name == *name);
        if let Some(position) = position {
            return self.values.get(position).cloned();
        }
        if name == "message" && super::is_error(&self.kind) {
            return self.attribute("msg");
        }
        let constant = self.kind.attributes().into_iter().find(|one| *one.name == *name)?;
        constant.value.clone().filter(|_| constant.kind == Some(AttributeKind::Constant))
    }

    /// Returns the type of the object, with parameters if its type has some.
    pub(crate) fn own_type(&self) -> Type {
        let parameters = self.kind.type_parameters();
        if !parameters.is_empty() {
            let values: Vec<Value> =
                parameters.iter().map(|one| self.attribute(&one.name).unwrap_or_default()).collect();
            // If the attributes do not fit the parameters, only the type remains.
            if let Ok(extension) = ObjectExtension::new(&self.kind, &values) {
                return Type::ObjectOf(Arc::new(extension));
            }
        }
        Type::Object(Some(self.kind.clone()))
    }

    /// Returns the attributes with values that differ from their defaults.
    pub fn init_hash(&self) -> Hash {
        let attributes = self.kind.given_attributes();
        let given = attributes.iter().zip(self.values.iter());
        given
            .filter(|(attribute, value)| attribute.value.as_ref().is_none_or(|own| !own.loosely_equals(value)))
            .map(|(attribute, value)| (&attribute.name, value.clone()))
            .collect()
    }
}

/// Returns the value of an attribute of an object, or of a part of a URI; `None` for other values.
///
/// ```
/// use hieratic_puppet_types::{attribute, instantiate, object_type, parse};
/// use hieratic_value::{Hash, Value};
/// let attributes: Hash = [("x", parse("Integer").unwrap().into_value())].into_iter().collect();
/// let definition: Hash = [("attributes", Value::from(attributes))].into_iter().collect();
/// let point = instantiate(&object_type(Some("Point"), &definition).unwrap(), &[Value::from(5)]).unwrap();
/// assert_eq!(attribute(&point, "x"), Some(Value::from(5)));
/// assert_eq!(point.to_text(), "Point({'x' => 5})");
/// ```
pub fn attribute(value: &Value, name: &str) -> Option<Value> {
    match value {
        Value::Rich(_) => match value.extended::<ObjectValue>() {
            Some(object) => object.attribute(name),
            None => special_attribute(value, name),
        },
        _ => None,
    }
}

/// Returns the result of an access with brackets if the type of the object defines a function for it. Its code is
/// unknown, so this is an error.
pub(crate) fn index(value: &Value, _keys: &[Value]) -> Option<Result<Value, String>> {
    let object = value.extended::<ObjectValue>()?;
    let function = object.kind.functions().into_iter().find(|function| &*function.name == "[]")?;
    Some(Err(format!("no method is implemented for {}", function.label())))
}

/// Returns the attributes in the order of arguments: required ones first.
fn ordered(kind: &ObjectType) -> Vec<&Attribute> {
    let (required, optional): (Vec<&Attribute>, Vec<&Attribute>) =
        kind.given_attributes().into_iter().partition(|attribute| attribute.is_required());
    required.into_iter().chain(optional).collect()
}

/// Returns the signatures of `new`: a hash of attributes, or their values in order.
pub(crate) fn signatures(kind: &ObjectType) -> Vec<Signature> {
    let parameter = |name: &Str, kind: &Type, required: bool| Parameter {
        name: name.clone(),
        kind: kind.clone(),
        required,
        repeated: false,
    };
    let hash = vec![parameter(&"hash".into(), &kind.initializer(), true)];
    let values = ordered(kind).iter().map(|one| parameter(&one.name, &one.value_type, one.is_required())).collect();
    vec![Signature { parameters: hash, block: None }, Signature { parameters: values, block: None }]
}

/// Creates an object.
pub(crate) fn make(kind: &Arc<ObjectType>, arguments: &[Value]) -> Result<Value, String> {
    let signatures = signatures(kind);
    let Some(way) = signatures.iter().position(|signature| signature.accepts(arguments, None)) else {
        return Err(describe_call(&format!("new_{}", kind.label()), &signatures, arguments, None));
    };
    let ordered = ordered(kind);
    let value_of = |attribute: &&Attribute| -> Value {
        let given = match (way, arguments) {
            (0, [Value::Hash(hash)]) => hash.get(&attribute.name),
            _ => ordered.iter().position(|one| one.name == attribute.name).and_then(|at| arguments.get(at)),
        };
        given.or(attribute.value.as_ref()).cloned().unwrap_or_default()
    };
    let attributes = kind.given_attributes();
    let values: Vec<Value> = attributes.iter().map(value_of).collect();
    Ok(Value::from_extended(ObjectValue { kind: kind.clone(), values: values.into() }))
}

impl PartialEq for ObjectValue {
    fn eq(&self, other: &Self) -> bool {
        if std::ptr::eq(&*self.values, &*other.values) {
            return true;
        }
        let same_type = Arc::ptr_eq(&self.kind, &other.kind) || self.kind == other.kind;
        if self.kind.equality_include_type && !same_type {
            return false;
        }
        let names = self.kind.equality_attributes();
        // Without attributes to compare, only identical objects are equal, unless the type decides.
        (!names.is_empty() || self.kind.equality_include_type)
            && names.iter().all(|name| match (self.attribute(name), other.attribute(name)) {
                (Some(own), Some(theirs)) => own == theirs,
                _ => false,
            })
    }
}

impl Extended for ObjectValue {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, other: &dyn Extended) -> bool {
        other.as_any().downcast_ref::<ObjectValue>() == Some(self)
    }

    fn hash_into(&self, mut state: &mut dyn Hasher) {
        for name in self.kind.equality_attributes() {
            self.attribute(&name).hash(&mut state);
        }
    }

    fn to_text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = super::write_value(&mut text, &Value::from_extended(self.clone()), None);
        text
    }

    fn ruby_class(&self) -> &'static str {
        if super::is_error(&self.kind) { "Puppet::DataTypes::Error" } else { "Object" }
    }

    fn clone_box(&self) -> Box<dyn Extended> {
        Box::new(self.clone())
    }
}
