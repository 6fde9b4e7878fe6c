//! [`difference`] compares two catalogs of a node.

use hieratic_puppet_eval::{CompiledCatalog, CompiledResource};
use hieratic_value::collections::HashMap;
use hieratic_value::{Str, Value};

/// The differences between two catalogs: resources, parameters and edges. Order and tags are ignored.
#[derive(Clone, Debug, Default)]
pub struct CatalogDifference {
    /// References of resources that only the second has, in its order.
    pub added: Vec<String>,
    /// References of resources that only the first has, in its order.
    pub removed: Vec<String>,
    /// Resources of both with different parameters, in the order of the second.
    pub changed: Vec<ResourceChange>,
    /// Edges that only the second has.
    pub added_edges: Vec<CatalogEdge>,
    /// Edges that only the first has.
    pub removed_edges: Vec<CatalogEdge>,
}

/// An edge of a catalog: `from` contains `to`. Both are references.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CatalogEdge {
    /// The reference of the container.
    pub from: String,
    /// The reference of the content.
    pub to: String,
}

/// A resource with different parameters.
#[derive(Clone, Debug)]
pub struct ResourceChange {
    /// Its reference.
    pub reference: String,
    /// The differing parameters: first those of the first catalog, then the new ones.
    pub parameters: Vec<ParameterChange>,
}

/// A parameter with different values.
#[derive(Clone, Debug)]
pub struct ParameterChange {
    /// Its name.
    pub name: Str,
    /// The value in the first catalog, or `None` if the parameter is new.
    pub before: Option<Value>,
    /// The value in the second catalog, or `None` if the parameter was removed.
    pub after: Option<Value>,
    /// Whether either value is secret.
    pub is_sensitive: bool,
}

impl CatalogDifference {
    /// Returns whether the catalogs are equal.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty()
            && self.removed.is_empty()
            && self.changed.is_empty()
            && self.added_edges.is_empty()
            && self.removed_edges.is_empty()
    }
}

/// Compares two catalogs.
pub fn difference(before: &CompiledCatalog, after: &CompiledCatalog) -> CatalogDifference {
    let table = |catalog: &CompiledCatalog| -> HashMap<String, usize> {
        catalog.resources.iter().enumerate().map(|(at, resource)| (resource.reference(), at)).collect()
    };
    let (old, new) = (table(before), table(after));
    let mut found = CatalogDifference::default();
    for resource in &after.resources {
        let reference = resource.reference();
        match old.get(&reference).and_then(|at| before.resources.get(*at)) {
            None => found.added.push(reference),
            Some(previous) => {
                let parameters = changed(previous, resource);
                if !parameters.is_empty() {
                    found.changed.push(ResourceChange { reference, parameters });
                }
            }
        }
    }
    found.removed =
        before.resources.iter().map(CompiledResource::reference).filter(|one| !new.contains_key(one)).collect();
    let edges = |catalog: &CompiledCatalog| -> Vec<CatalogEdge> {
        let name = |at: usize| catalog.resources.get(at).map(CompiledResource::reference).unwrap_or_default();
        let edge = |(from, to): &(usize, usize)| CatalogEdge { from: name(*from), to: name(*to) };
        catalog.edges.iter().map(edge).collect()
    };
    let (old, new) = (edges(before), edges(after));
    let without = |all: &[CatalogEdge], others: &[CatalogEdge]| {
        let others: hieratic_value::collections::HashSet<&CatalogEdge> = others.iter().collect();
        all.iter().filter(|edge| !others.contains(edge)).cloned().collect()
    };
    found.added_edges = without(&new, &old);
    found.removed_edges = without(&old, &new);
    found
}

fn changed(before: &CompiledResource, after: &CompiledResource) -> Vec<ParameterChange> {
    let is_sensitive = |name: &str| before.is_sensitive(name) || after.is_sensitive(name);
    let mut found = Vec::new();
    for old in &before.parameters {
        let new = after.parameter(&old.name);
        if new.map(|new| &new.value) != Some(&old.value) {
            let (before, after) = (Some(old.value.clone()), new.map(|new| new.value.clone()));
            let is_sensitive = is_sensitive(&old.name);
            found.push(ParameterChange { name: old.name.clone(), before, after, is_sensitive });
        }
    }
    for new in after.parameters.iter().filter(|new| before.parameter(&new.name).is_none()) {
        let after = Some(new.value.clone());
        let is_sensitive = is_sensitive(&new.name);
        found.push(ParameterChange { name: new.name.clone(), before: None, after, is_sensitive });
    }
    found
}
