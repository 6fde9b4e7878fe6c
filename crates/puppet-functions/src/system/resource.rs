//! [`LegacyResource`]: a resource reference as the oldest functions receive it.

use std::any::Any;
use std::hash::{Hash, Hasher};

use hieratic_puppet_types::{Type, capitalize_segments};
use hieratic_value::{Extended, Value};

/// A resource reference as the oldest functions receive it: not a type, but a resource, with another string form.
#[derive(Clone, Debug)]
pub(crate) struct LegacyResource {
    kind: String,
    title: String,
    /// The type that it was.
    origin: Type,
}

impl PartialEq for LegacyResource {
    fn eq(&self, other: &LegacyResource) -> bool {
        (&self.kind, &self.title) == (&other.kind, &other.title)
    }
}

impl Eq for LegacyResource {}

impl Hash for LegacyResource {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.kind, &self.title).hash(state);
    }
}

impl LegacyResource {
    /// Converts a type that names a resource; returns `None` for every other type.
    pub fn from_type(kind: &Type) -> Option<LegacyResource> {
        let (name, title) = match kind {
            Type::Resource(one) => (one.name.as_ref()?.to_string(), one.title.as_ref()?.to_string()),
            Type::Class(Some(name)) => ("Class".into(), capitalize_segments(name).to_string()),
            _ => return None,
        };
        Some(LegacyResource { kind: name, title, origin: kind.clone() })
    }

    /// Returns the type that it was.
    pub fn origin(&self) -> &Type {
        &self.origin
    }

    pub fn into_value(self) -> Value {
        Value::from_extended(self)
    }
}

impl Extended for LegacyResource {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, other: &dyn Extended) -> bool {
        other.as_any().downcast_ref::<LegacyResource>() == Some(self)
    }

    fn hash_into(&self, mut state: &mut dyn Hasher) {
        self.hash(&mut state);
    }

    fn to_text(&self) -> String {
        format!("{}[{}]", self.kind, self.title)
    }

    fn inspect(&self) -> String {
        let attribute = if self.kind == "File" { "path" } else { "name" };
        format!("{}{{:{attribute}=>{}}}", self.to_text(), Value::from(&*self.title).inspect())
    }

    fn ruby_class(&self) -> &'static str {
        "Puppet::Resource"
    }

    fn clone_box(&self) -> Box<dyn Extended> {
        Box::new(self.clone())
    }
}
