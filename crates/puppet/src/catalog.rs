//! [`Catalog`]: the resources and classes that were declared.
//!
//! Nothing is applied here; a catalog is kept because code asks for it: attributes of resources, what is defined, what
//! inherits, and because declaring something twice is an error.

use std::sync::Arc;

use hieratic_functions::Site;
use hieratic_pcore::{ResourceType, Type};
use hieratic_value::{Str, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::evaluator::ScopeId;

/// The resources and classes that were declared.
#[derive(Debug, Default)]
pub(crate) struct Catalog {
    pub resources: Vec<Resource>,
    /// Their places, by type and title in the form that makes them unique.
    index: FxHashMap<(Str, Str), usize>,
    pub relationships: Vec<Relationship>,
    pub collectors: Vec<Collector>,
    /// Types and titles of virtual resources that are wanted, wherever they are declared.
    pub realized: Vec<(Str, Str)>,
    /// Attributes for resources that were not there yet.
    pub overrides: Vec<Override>,
}

/// A resource or class.
#[derive(Debug)]
pub(crate) struct Resource {
    /// The type in lower case.
    pub kind: Str,
    pub title: Str,
    pub attributes: Vec<(Str, Value)>,
    pub is_virtual: bool,
    /// Whether its body, if it has one, has run.
    pub evaluated: bool,
    pub site: Site,
    /// The scope in which it was declared.
    pub scope: ScopeId,
    pub tags: Vec<Str>,
}

/// An order between two resources.
#[derive(Debug)]
pub(crate) struct Relationship {
    pub source: (Str, Str),
    pub target: (Str, Str),
}

/// A collector that waits for resources.
#[derive(Debug)]
pub(crate) struct Collector {
    pub kind: Str,
    pub query: Option<Query>,
    pub attributes: Vec<(Str, Value, bool)>,
    /// Resources that it has changed already.
    pub done: FxHashSet<usize>,
}

/// What a collector asks of a resource.
#[derive(Debug)]
pub(crate) enum Query {
    /// An attribute has, or has not, a value.
    Attribute {
        name: Str,
        value: Value,
        equal: bool,
    },
    And(Box<Query>, Box<Query>),
    Or(Box<Query>, Box<Query>),
}

/// Attributes for a resource that is declared later.
#[derive(Debug)]
pub(crate) struct Override {
    pub kind: Str,
    pub title: Str,
    pub attributes: Vec<(Str, Value, bool)>,
    pub site: Site,
    /// The scope that says it.
    pub scope: ScopeId,
}

impl Catalog {
    /// Makes the catalog hold what every catalog holds.
    pub fn start(&mut self) {
        for (kind, title) in [("stage", "main"), ("class", "Settings"), ("class", "main")] {
            let resource = Resource {
                kind: kind.into(),
                title: title.into(),
                attributes: Vec::new(),
                is_virtual: false,
                evaluated: true,
                site: Site::default(),
                scope: 0,
                tags: Vec::new(),
            };
            if self.find(kind, title).is_none() {
                self.add(resource);
            }
        }
    }

    /// The place of a resource.
    pub fn find(&self, kind: &str, title: &str) -> Option<usize> {
        self.index.get(&key(kind, title)).copied()
    }

    /// The resource of a type and title.
    pub fn get(&self, kind: &str, title: &str) -> Option<&Resource> {
        self.find(kind, title).and_then(|at| self.resources.get(at))
    }

    /// Adds a resource that is not there yet.
    pub fn add(&mut self, resource: Resource) -> usize {
        let at = self.resources.len();
        self.index.insert(key(&resource.kind, &resource.title), at);
        self.resources.push(resource);
        at
    }
}

impl Resource {
    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&Value> {
        self.attributes.iter().find(|(known, _)| **known == *name).map(|(_, value)| value)
    }

    /// Sets an attribute.
    pub fn set(&mut self, name: &str, value: Value) {
        match self.attributes.iter_mut().find(|(known, _)| **known == *name) {
            Some((_, old)) => *old = value,
            None => self.attributes.push((name.into(), value)),
        }
    }

    /// `Type[title]`.
    pub fn reference(&self) -> String {
        reference(&self.kind, &self.title)
    }
}

impl Query {
    /// Whether a resource is what is asked for.
    pub fn accepts(&self, resource: &Resource) -> bool {
        match self {
            Query::And(left, right) => left.accepts(resource) && right.accepts(resource),
            Query::Or(left, right) => left.accepts(resource) || right.accepts(resource),
            Query::Attribute { name, value, equal } => {
                let has = match &**name {
                    "title" => value.as_str() == Some(&resource.title),
                    "tag" => resource.tags.iter().any(|tag| value.as_str() == Some(tag)),
                    _ => match resource.attribute(name) {
                        Some(Value::Array(elements)) => elements.contains(value) || value.as_array() == Some(elements),
                        Some(own) => own == value,
                        None => value.is_undef(),
                    },
                };
                has == *equal
            }
        }
    }
}

/// Classes are one whatever the case of their names, and files whatever slashes end their paths.
fn key(kind: &str, title: &str) -> (Str, Str) {
    let title: Str = match kind {
        "class" => title.strip_prefix("::").unwrap_or(title).to_lowercase().into(),
        "file" if title.len() > 1 => title.trim_end_matches('/').into(),
        _ => title.into(),
    };
    (kind.into(), title)
}

/// `Type[title]` as messages show it.
pub(crate) fn reference(kind: &str, title: &str) -> String {
    let title = if kind == "class" { capitalized(title) } else { title.to_owned() };
    format!("{}[{title}]", capitalized(kind))
}

/// A name with each segment in capitals: `foo::bar` is `Foo::Bar`.
pub(crate) fn capitalized(name: &str) -> String {
    let capital = |segment: &str| {
        let mut letters = segment.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters.as_str().chars()).collect())
    };
    name.split("::").map(capital).collect::<Vec<String>>().join("::")
}

/// The type of a resource that was declared: for a class, a resource of the type `Class`, as the reference has it.
pub(crate) fn declared_type(kind: &str, title: &str) -> Type {
    if kind != "class" {
        return resource_type(kind, Some(title));
    }
    let title = capitalized(title.strip_prefix("::").unwrap_or(title));
    Type::Resource(Arc::new(ResourceType { name: Some("Class".into()), title: Some(title.into()) }))
}

/// The type that stands for a resource type or a resource.
pub(crate) fn resource_type(kind: &str, title: Option<&str>) -> Type {
    match (kind, title) {
        ("class", None) => Type::Class(None),
        ("class", Some(title)) => Type::Class(Some(title.strip_prefix("::").unwrap_or(title).to_lowercase().into())),
        _ => Type::Resource(Arc::new(ResourceType {
            name: Some(capitalized(kind).into()),
            title: title.map(Into::into),
        })),
    }
}
