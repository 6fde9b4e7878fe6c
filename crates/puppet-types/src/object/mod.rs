//! Object types and objects.
//!
//! An [`ObjectType`] is defined by a hash that declares the attributes of its objects. See the [Pcore
//! specification](https://github.com/puppetlabs/puppet-specifications/blob/master/language/types_values_variables.md).

mod define;
mod extension;
mod instance;
mod lookup_context;
mod member;
mod print;
mod schema;
mod standard;

use std::hash::{Hash as StdHash, Hasher};
use std::sync::Arc;

use hieratic_value::{Str, Value};

use crate::types::Type;

pub use define::object_type;
pub use extension::ObjectExtension;
pub(crate) use extension::extension;
pub use instance::{ObjectValue, attribute};
pub(crate) use instance::{index, make, signatures};
pub use lookup_context::{is_lookup_context, lookup_context};
pub use member::{Attribute, AttributeKind, Function};
pub(crate) use print::{print_extension, print_type, print_type_set, print_value, write_value};
pub(crate) use schema::{annotations, object_initializer, qualified_name, simple_name};
pub use standard::error_value;
pub(crate) use standard::{find as find_standard, is_error};

/// An object type.
#[derive(Clone, Debug)]
pub struct ObjectType {
    pub(crate) name: Option<Str>,
    /// The type that this one inherits from.
    pub(crate) parent: Option<Type>,
    pub(crate) type_parameters: Vec<Attribute>,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) functions: Vec<Function>,
    /// The attributes that equality compares; `None` for all.
    pub(crate) equality: Option<Vec<Str>>,
    /// Whether equality includes the type: if not, objects of different types can be equal.
    pub(crate) equality_include_type: bool,
    pub(crate) checks: Option<Value>,
    pub(crate) annotations: Option<Value>,
}

impl PartialEq for ObjectType {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
            && self.parent == other.parent
            && self.type_parameters == other.type_parameters
            && self.attributes == other.attributes
            && self.functions == other.functions
            && self.equality == other.equality
            && self.checks == other.checks
    }
}

impl Eq for ObjectType {}

impl StdHash for ObjectType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.name {
            Some(name) => name.hash(state),
            None => self.attributes.len().hash(state),
        }
    }
}

impl ObjectType {
    /// Returns the name, if the type has one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Sets the name of the type.
    pub(crate) fn rename(&mut self, name: &Str) {
        self.name = Some(name.clone());
        for attribute in self.type_parameters.iter_mut().chain(&mut self.attributes) {
            attribute.container = name.clone();
        }
        for function in &mut self.functions {
            function.container = name.clone();
        }
    }

    /// Returns the name as messages show it.
    pub fn label(&self) -> &str {
        self.name.as_deref().unwrap_or("Object")
    }

    /// Returns the object type that this one inherits from, if any.
    pub fn parent(&self) -> Option<&Arc<ObjectType>> {
        match self.parent.as_ref()?.resolved() {
            Type::Object(parent) => parent.as_ref(),
            _ => None,
        }
    }

    /// Returns the attributes, those of ancestors first. An overridden attribute keeps the position of the original.
    pub fn attributes(&self) -> Vec<&Attribute> {
        self.collect(&|kind| &kind.attributes, |attribute| &attribute.name)
    }

    /// Returns the functions, those of the ancestors first.
    pub fn functions(&self) -> Vec<&Function> {
        self.collect(&|kind| &kind.functions, |function| &function.name)
    }

    /// Returns the type parameters, those of the ancestors first.
    pub fn type_parameters(&self) -> Vec<&Attribute> {
        self.collect(&|kind| &kind.type_parameters, |parameter| &parameter.name)
    }

    fn collect<'a, T>(&'a self, of: &dyn Fn(&'a ObjectType) -> &'a Vec<T>, name: fn(&T) -> &Str) -> Vec<&'a T> {
        let mut line = vec![self];
        while let Some(parent) = line.last().and_then(|kind| kind.parent()) {
            line.push(parent);
        }
        let mut all: Vec<&T> = Vec::new();
        for kind in line.into_iter().rev() {
            for member in of(kind) {
                match all.iter_mut().find(|known| name(known) == name(member)) {
                    Some(known) => *known = member,
                    None => all.push(member),
                }
            }
        }
        all
    }

    /// Returns the attributes that are arguments of `new`, in their order.
    pub(crate) fn given_attributes(&self) -> Vec<&Attribute> {
        self.attributes().into_iter().filter(|attribute| attribute.is_given()).collect()
    }

    /// Returns the attributes that equality compares, including those of the ancestors.
    pub(crate) fn equality_attributes(&self) -> Vec<Str> {
        let mut all = self.parent().map(|parent| parent.equality_attributes()).unwrap_or_default();
        match &self.equality {
            Some(names) => all.extend(names.iter().cloned()),
            None => {
                let own = self.attributes.iter().filter(|one| one.kind != Some(AttributeKind::Constant));
                all.extend(own.map(|one| one.name.clone()));
            }
        }
        all
    }

    /// Returns whether objects of the other type are instances of this one.
    pub(crate) fn includes(&self, other: &ObjectType) -> bool {
        let mut current = Some(other);
        while let Some(kind) = current {
            if std::ptr::eq(self, kind) || self == kind {
                return true;
            }
            current = kind.parent().map(|parent| &**parent);
        }
        false
    }

    /// Returns the type of the hash that an object can be created from.
    pub(crate) fn initializer(&self) -> Type {
        let key = |one: &Attribute| crate::types::Key { name: one.name.clone(), optional: !one.is_required() };
        Type::structure(self.given_attributes().into_iter().map(|one| (key(one), one.value_type.clone())))
    }
}

#[cfg(test)]
mod tests;
