//! [`Resource`]: a resource, class or node while a catalog is being made.

use std::borrow::Cow;

use hieratic_functions::Site;
use hieratic_pcore::Type;
use hieratic_value::{Str, Value};

use super::tags::Tags;
use super::{Origin, OriginKind};
use crate::evaluator::ScopeId;
use crate::resource_kinds::{self, Kind};

/// Whose code says something: what may override what depends on it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) enum Source {
    /// Nobody's: the compiler itself.
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

/// What kind of definition a resource is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// A type that the agent knows.
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
    /// Whether the value is added to what is there (`+>`).
    pub add: bool,
    /// Whose code says it.
    pub source: Source,
    /// Where it comes from.
    pub origin: Origin,
    /// Attributes with the same number, other than 0, share one array: what is appended to one is appended to all.
    pub shared: u32,
}

/// A resource, class or node.
#[derive(Debug)]
pub(crate) struct Resource {
    pub sort: Sort,
    /// Its type, if that is not written in the language.
    pub native: Option<Kind>,
    /// The type in lower case.
    pub kind: Str,
    /// The title; of a class its name in lower case, empty for the manifest itself.
    pub title: Str,
    /// The title as a value, where it is a number: a key of a hash of resources.
    pub number: Option<Value>,
    pub attributes: Vec<Attribute>,
    pub is_virtual: bool,
    pub exported: bool,
    /// Whether nobody said anything of exporting it; the reference writes that elsewhere then.
    pub exported_unsaid: bool,
    /// Whether its body, if it has one, has run.
    pub evaluated: bool,
    /// Whether it was declared as a resource is: what is included is of unknown kind to the reference.
    pub declared: bool,
    pub site: Site,
    /// The scope in which it was declared.
    pub scope: ScopeId,
    /// Whose code declares it.
    pub source: Source,
    /// The resource whose body declares it.
    pub container: Option<usize>,
    pub tags: Tags,
    /// Whether it has the tags of its container.
    pub has_tags_of_container: bool,
    /// Attributes whose values are secret.
    pub sensitive: Vec<Str>,
    /// Whether its attributes are those that were held against the parameters of its definition.
    pub is_checked: bool,
    /// Which exported resource of which node it was.
    pub collected_from: Option<Str>,
}

impl Attribute {
    /// An attribute that is set.
    pub fn new(name: impl Into<Str>, value: Value, source: Source, kind: OriginKind, site: Site) -> Attribute {
        Attribute { name: name.into(), value, add: false, source, origin: Origin { kind, site }, shared: 0 }
    }
}

impl Resource {
    /// The attribute of a name.
    pub fn parameter(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|known| *known.name == *name)
    }

    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&Value> {
        self.parameter(name).map(|known| &known.value)
    }

    /// Sets an attribute, in its old place if it has one.
    pub fn set(&mut self, attribute: Attribute) {
        self.is_checked = false;
        match self.attributes.iter_mut().find(|known| known.name == attribute.name) {
            Some(known) => *known = attribute,
            None => self.attributes.push(attribute),
        }
    }

    /// `Type[title]`.
    pub fn reference(&self) -> String {
        super::reference(&self.kind, &self.title)
    }

    /// The title as the catalog shows it.
    pub fn shown_title(&self) -> Cow<'_, str> {
        super::shown_title(&self.kind, &self.title)
    }

    /// Whether no other resource may manage the same.
    pub fn is_isomorphic(&self) -> bool {
        self.native.as_ref().is_none_or(Kind::isomorphic)
    }

    /// What makes it the only one of its type.
    pub fn unique_key(&self) -> Value {
        let title = self.shown_title();
        resource_kinds::unique_key(self.native.as_ref(), &title, |name| self.attribute(name))
    }
}

/// The type and title that a value refers to; none if it is no reference.
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

/// The type and title in a text `Type[title]`.
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
