//! [`Resource`]: a resource, class or node of a catalog under construction.

use std::borrow::Cow;

use hieratic_puppet_functions::Site;
use hieratic_puppet_types::Type;
use hieratic_value::{Str, Value};

use super::tags::Tags;
use super::{Origin, OriginKind};
use crate::evaluator::ScopeId;
use crate::native_types::{self, NativeType};

/// The code that makes a declaration. It decides which overrides are allowed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) enum Source {
    /// The compiler itself.
    #[default]
    Nobody,
    /// The manifest outside of all definitions.
    Main,
    /// A class, by its lower-case name.
    Class(Str),
    /// A defined type, by its lower-case name.
    Define(Str),
    /// The definition of a node.
    Node(Str),
}

/// The kinds of definitions of resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResourceKind {
    /// A native type.
    Native,
    /// A defined type.
    Defined,
    /// A class.
    Class,
    /// A node.
    Node,
}

/// An attribute with its value.
#[derive(Clone, Debug)]
pub(crate) struct Attribute {
    pub name: Str,
    pub value: Value,
    /// Whether the value is appended to the existing one (`+>`).
    pub add: bool,
    /// The code that sets it.
    pub source: Source,
    /// The origin of the value.
    pub origin: Origin,
    /// The id of a shared array, or 0. Appending to one attribute appends to all attributes with the same id.
    pub shared: u32,
}

/// A resource, class or node.
#[derive(Debug)]
pub(crate) struct Resource {
    pub resource_kind: ResourceKind,
    /// Its native type, if it has one.
    pub native: Option<NativeType>,
    /// The type in lower case.
    pub kind: Str,
    /// The title; for a class its name in lower case, empty for the manifest itself.
    pub title: Str,
    /// The title as a value if it is a number: a key of a hash of resources.
    pub number: Option<Value>,
    pub attributes: Vec<Attribute>,
    pub is_virtual: bool,
    pub exported: bool,
    /// Whether the code does not mention exporting; the reference writes the field at another position then.
    pub exported_unsaid: bool,
    /// Whether its body, if it has one, was evaluated.
    pub evaluated: bool,
    /// Whether it was declared like a resource. To the reference, an included class has no known kind.
    pub declared: bool,
    pub site: Site,
    /// The scope in which it was declared.
    pub scope: ScopeId,
    /// The code that declares it.
    pub source: Source,
    /// The resource whose body declares it.
    pub container: Option<usize>,
    pub tags: Tags,
    /// Whether it has inherited the tags of its container.
    pub has_tags_of_container: bool,
    /// Attributes whose values are secret.
    pub sensitive: Vec<Str>,
    /// Whether its current attributes were checked against the parameters of its definition.
    pub is_checked: bool,
    /// The id of the exported resource that it was collected from.
    pub collected_from: Option<Str>,
}

impl Attribute {
    /// Creates an attribute with a value.
    pub fn new(name: impl Into<Str>, value: Value, source: Source, kind: OriginKind, site: Site) -> Attribute {
        Attribute { name: name.into(), value, add: false, source, origin: Origin { kind, site }, shared: 0 }
    }
}

impl Resource {
    /// Returns the attributes with their values.
    pub(crate) fn values(&self) -> Vec<(Str, Value)> {
        self.attributes.iter().map(|one| (one.name.clone(), one.value.clone())).collect()
    }

    /// Returns an attribute by its name.
    pub fn parameter(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|known| *known.name == *name)
    }

    /// Returns the value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&Value> {
        self.parameter(name).map(|known| &known.value)
    }

    /// Sets an attribute and keeps its position if it exists.
    pub fn set(&mut self, attribute: Attribute) {
        self.is_checked = false;
        match self.attributes.iter_mut().find(|known| known.name == attribute.name) {
            Some(known) => *known = attribute,
            None => self.attributes.push(attribute),
        }
    }

    /// Returns `Type[title]`.
    pub fn reference(&self) -> String {
        super::reference(&self.kind, &self.title)
    }

    /// Returns the title as the catalog shows it.
    pub fn shown_title(&self) -> Cow<'_, str> {
        super::shown_title(&self.kind, &self.title)
    }

    /// Returns whether another resource with the same key is a duplicate.
    pub fn is_isomorphic(&self) -> bool {
        self.native.as_ref().is_none_or(NativeType::isomorphic)
    }

    /// Returns the key that must be unique among the resources of its type.
    pub fn unique_key(&self) -> Value {
        let title = self.shown_title();
        native_types::unique_key(self.native.as_ref(), &title, |name| self.attribute(name))
    }
}

/// Returns the type and title that a value refers to, or `None` if it is not a reference.
pub(crate) fn referred(value: &Value) -> Option<(Str, Str)> {
    match Type::of_value(value)?.resolved() {
        Type::Class(Some(name)) => Some(("class".into(), super::class_key(name))),
        Type::Resource(one) => {
            let (name, title) = (one.name.as_ref()?, one.title.as_ref()?);
            let kind = name.strip_prefix("::").unwrap_or(name).to_lowercase();
            let title = if kind == "class" { super::class_key(title) } else { title.clone() };
            Some((kind.into(), title))
        }
        Type::Type(Some(inner)) => referred(&(**inner).clone().into_value()),
        _ => None,
    }
}

/// Parses a string `Type[title]` into type and title.
pub(crate) fn referred_in(text: &str) -> Option<(Str, Str)> {
    let (kind, rest) = text.split_once('[')?;
    let title = rest.strip_suffix(']').or_else(|| rest.strip_suffix("]\n"))?;
    if kind.is_empty() || kind.contains(']') || title.is_empty() {
        return None;
    }
    let kind = kind.to_lowercase();
    let title = if kind == "class" { super::class_key(title) } else { title.into() };
    Some((kind.into(), title))
}
