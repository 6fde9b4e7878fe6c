//! [`ObjectExtension`]: an object type with parameters, `Sized[5]`.

use std::hash::{Hash as StdHash, Hasher};
use std::sync::{Arc, LazyLock};

use hieratic_value::{Hash, HashBuilder, Value};

use super::instance::ObjectValue;
use super::{Attribute, ObjectType};
use crate::build::{BuildResult, is_default};
use crate::check::Check;
use crate::mismatch::assert_instance;
use crate::types::Type;
use crate::values::matches_option_in;

/// An object type with parameters that narrow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectExtension {
    pub(crate) base: Arc<ObjectType>,
    /// The values of the parameters, by name.
    pub(crate) parameters: Value,
}

impl StdHash for ObjectExtension {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.base.hash(state);
    }
}

impl ObjectExtension {
    /// Returns the type without its parameters.
    pub fn base(&self) -> &Arc<ObjectType> {
        &self.base
    }

    /// Returns the values of the parameters, by name.
    pub fn parameters(&self) -> &Hash {
        match &self.parameters {
            Value::Hash(hash) => hash,
            // The constructor makes a hash only.
            _ => {
                static NONE: LazyLock<Hash> = LazyLock::new(Hash::default);
                &NONE
            }
        }
    }

    /// Creates the type from parameters in order, or by name in a hash.
    pub(crate) fn new(base: &Arc<ObjectType>, keys: &[Value]) -> BuildResult<ObjectExtension> {
        let known = base.type_parameters();
        let label = base.label();
        let Some(first) = known.first() else {
            return Err(format!("The {label}-Type cannot be parameterized using []"));
        };
        let mut parameters = HashBuilder::default();
        match keys {
            [Value::Hash(named)] if !first.value_type.is_instance(&keys[0]) => {
                for (name, value) in named {
                    let Some(parameter) = known.iter().find(|one| name.as_str() == Some(&*one.name)) else {
                        let name = name.to_text();
                        return Err(format!("'{name}' is not a known type parameter for {label}-Type"));
                    };
                    add(&mut parameters, parameter, value)?;
                }
            }
            keys => {
                for (parameter, value) in known.iter().zip(keys) {
                    add(&mut parameters, parameter, value)?;
                }
            }
        }
        if parameters.is_empty() {
            return Err(format!("The {label}-Type cannot be parameterized using an empty parameter list"));
        }
        Ok(ObjectExtension { base: base.clone(), parameters: Value::from(Hash::from(parameters)) })
    }

    /// Returns the parameters as written: in order, or by name if there are many.
    pub(crate) fn init_parameters(&self) -> Value {
        let known = self.base.type_parameters();
        if known.len() > 2 {
            return self.parameters.clone();
        }
        let default = || Value::from(hieratic_value::Rich::Default);
        let mut values: Vec<Value> =
            known.iter().map(|one| self.parameters().get(&one.name).cloned().unwrap_or_else(default)).collect();
        while values.last().is_some_and(is_default) {
            values.pop();
        }
        Value::from(values)
    }

    /// Returns whether the attributes of an object of the base type match the parameters.
    pub(crate) fn matches_object(&self, object: &ObjectValue, check: &Check<'_>) -> bool {
        self.base.includes(&object.kind)
            && self.parameters().iter().all(|(name, expected)| {
                name.as_str()
                    .and_then(|name| object.attribute(name))
                    .is_some_and(|actual| matches_option_in(&actual, expected, check))
            })
    }

    /// Returns whether the parameters of another type match those of this one.
    pub(crate) fn includes(&self, other: Option<&ObjectExtension>, check: &Check<'_>) -> bool {
        self.parameters().iter().all(|(name, expected)| {
            let actual = other.and_then(|other| other.parameters().get_value(name));
            actual.is_some_and(|actual| {
                matches_option_in(actual, expected, check)
                    || matches!(
                        (Type::of_value(actual), Type::of_value(expected)),
                        (Some(actual), Some(expected)) if expected.is_assignable_in(actual, check)
                    )
            })
        })
    }
}

/// Adds parameters to an object type.
pub(crate) fn extension(base: &Arc<ObjectType>, keys: &[Value]) -> BuildResult<Type> {
    ObjectExtension::new(base, keys).map(|extension| Type::ObjectOf(Arc::new(extension)))
}

fn add(parameters: &mut HashBuilder, parameter: &Attribute, value: &Value) -> BuildResult<()> {
    if is_default(value) {
        return Ok(());
    }
    assert_instance(&parameter.label(), &parameter.value_type, value).map_err(|mismatch| mismatch.to_string())?;
    parameters.insert(Value::from(&parameter.name), value.clone());
    Ok(())
}
