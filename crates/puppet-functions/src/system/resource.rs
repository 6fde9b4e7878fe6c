//! [`LegacyResource`]: a resource reference as the oldest functions receive it.

use std::any::Any;
use std::hash::{Hash, Hasher};

use hieratic_puppet_types::{Type, capitalize_segments};
use hieratic_value::{Extended, Value};

/// A resource reference as the oldest functions receive it: not a type, but a resource, with another string form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LegacyResource {
    kind: String,
    title: String,
}

impl LegacyResource {
    /// Converts a type that names a resource; returns `None` for every other type.
    pub fn from_type(kind: &Type) -> Option<LegacyResource> {
        match kind {
            Type::Resource(one) => {
                Some(LegacyResource { kind: one.name.as_ref()?.to_string(), title: one.title.as_ref()?.to_string() })
            }
            Type::Class(Some(name)) => {
                Some(LegacyResource { kind: "Class".into(), title: capitalize_segments(name).to_string() })
            }
            _ => None,
        }
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
