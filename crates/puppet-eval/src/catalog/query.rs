//! [`Collector`] and [`Query`]: the resources that `File <| ... |>` finds, and its overrides.

use std::sync::Arc;

use hieratic_puppet_functions::Site;
use hieratic_value::collections::FixedState;
use hieratic_value::{Str, Value};
use indexmap::IndexMap;

use super::resource::{Attribute, Source};
use super::{CatalogBuilder, Tag};
use crate::evaluator::ScopeId;
use crate::operators::equal;

/// A collector that waits for resources.
#[derive(Debug)]
pub(crate) struct Collector {
    pub target: CollectorTarget,
    pub overrides: Option<Overrides>,
    /// The indices of the found resources.
    pub found: IndexMap<usize, (), FixedState>,
    /// The ends that replace it in relationships as long as it finds nothing.
    pub alternative: Vec<RelationshipEnd>,
    /// The scope of the collector.
    pub scope: ScopeId,
    /// Whether it has found all that it can find.
    pub is_done: bool,
}

/// The target of a collector.
#[derive(Clone, Debug)]
pub(crate) enum CollectorTarget {
    /// Resources of a type that a query accepts.
    Matching { kind: Str, query: Option<Arc<Query>> },
    /// Exported resources of a type that a query accepts, including those of other nodes.
    Exported { kind: Str, query: Option<Arc<Query>> },
    /// The resources that `realize` names, by type and title.
    Named(Vec<(Str, Str)>),
}

/// The attributes that a collector sets on its resources.
#[derive(Clone, Debug)]
pub(crate) struct Overrides {
    pub attributes: Vec<Attribute>,
    pub source: Source,
    pub scope: ScopeId,
    pub site: Site,
}

/// The condition of a collector.
#[derive(Debug)]
pub(crate) enum Query {
    /// An attribute is, or is not, equal to a value.
    Attribute {
        name: Str,
        value: Value,
        equal: bool,
    },
    /// The resource has one of the tags, in lower case.
    Tagged(Vec<(Str, Tag)>),
    And(Box<Query>, Box<Query>),
    Or(Box<Query>, Box<Query>),
}

/// One end of a relationship.
#[derive(Clone, Debug)]
pub(crate) enum RelationshipEnd {
    /// A resource, by type and title.
    Resource(Str, Str),
    /// The resources of a collector, by its index.
    Collector(usize),
}

/// An order between resources.
#[derive(Clone, Debug)]
pub(crate) struct Relationship {
    pub source: RelationshipEnd,
    pub target: RelationshipEnd,
    /// Whether the target is notified of changes of the source.
    pub notifies: bool,
    pub site: Site,
}

impl Query {
    /// Returns whether the resource at an index matches.
    pub fn accepts(&self, catalog: &CatalogBuilder, at: usize) -> bool {
        match self {
            Query::And(left, right) => left.accepts(catalog, at) && right.accepts(catalog, at),
            Query::Or(left, right) => left.accepts(catalog, at) || right.accepts(catalog, at),
            Query::Tagged(tags) => tags.iter().any(|(_, tag)| catalog.is_tagged(at, *tag)),
            Query::Attribute { name, value, equal: expected } => {
                let resource = &catalog[at];
                let title;
                let own = match &**name {
                    "title" => {
                        title = Value::from(&*resource.shown_title());
                        &title
                    }
                    name => resource.attribute(name).unwrap_or(&Value::Undef),
                };
                let has = match own {
                    Value::Array(elements) if *expected => elements.iter().any(|element| equal(element, value)),
                    own => equal(own, value),
                };
                has == *expected
            }
        }
    }

    /// Returns whether an exported resource matches exactly, as in a query to a database of catalogs.
    pub fn accepts_exported(&self, resource: &crate::ExportedResource) -> bool {
        match self {
            Query::And(left, right) => left.accepts_exported(resource) && right.accepts_exported(resource),
            Query::Or(left, right) => left.accepts_exported(resource) || right.accepts_exported(resource),
            Query::Tagged(tags) => tags.iter().any(|(word, _)| resource.tags.iter().any(|own| **own == **word)),
            Query::Attribute { name, value, equal } => {
                let has = match &**name {
                    "title" => value.as_str() == Some(&resource.title),
                    name => match resource.parameters.get(name).unwrap_or(&Value::Undef) {
                        Value::Array(elements) if *equal => {
                            elements.contains(value) || value.as_array().is_some_and(|all| all[..] == elements[..])
                        }
                        own => own == value,
                    },
                };
                has == *equal
            }
        }
    }
}
