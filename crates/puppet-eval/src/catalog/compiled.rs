//! [`CompiledCatalog`]: the catalog that a node receives.
//!
//! It equals the result of `Puppet::Resource::Catalog#to_resource`: virtual resources are left out, the attributes that
//! name a resource get their values from its title, and attributes without a value are dropped.

use std::sync::Arc;

use hieratic_value::{Str, Value};

use super::{CatalogBuilder, Origin, OriginKind, Resource, ResourceKind, TagInterner};
use crate::native_types::ORDERING;

/// A finished catalog.
#[derive(Clone, Debug, Default)]
pub struct CompiledCatalog {
    /// The name of the node.
    pub name: String,
    /// The name of the environment.
    pub environment: String,
    /// The tags of the catalog.
    pub tags: Vec<Str>,
    /// The names of the classes, in the order of evaluation.
    pub classes: Vec<Str>,
    /// The resources, in the order of declaration.
    pub resources: Vec<CompiledResource>,
    /// The containment edges, as indices of resources.
    pub edges: Vec<(usize, usize)>,
}

/// A resource of a finished catalog.
#[derive(Clone, Debug)]
pub struct CompiledResource {
    /// The type: `File`.
    pub kind: String,
    /// The title.
    pub title: String,
    /// The title in the declaring expression.
    pub written_title: Str,
    /// The tags.
    pub tags: Vec<Str>,
    /// The file that declares the resource. `None` for a class declared with `include`.
    pub file: Option<Arc<str>>,
    /// The line of the declaration.
    pub line: Option<u32>,
    /// Whether it is exported to other nodes.
    pub exported: bool,
    /// Whether the code does not say `@@`, as with `create_resources`: the reference then writes the field at another
    /// position.
    pub exported_unsaid: bool,
    /// The reference's name for the kind of resource: `compilable_type`, `defined_type`, `class` or `unknown`.
    pub sort: &'static str,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The names of the sensitive parameters.
    pub sensitive: Vec<Str>,
}

/// A parameter of a resource.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The name, in lower case as the reference writes it.
    pub name: Str,
    /// The value.
    pub value: Value,
    /// The origin of its value.
    pub origin: Origin,
}

impl CompiledResource {
    /// Returns the reference, such as `File[/etc/hosts]`.
    pub fn reference(&self) -> String {
        format!("{}[{}]", self.kind, self.title)
    }

    /// Returns a parameter by its name.
    pub fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|known| *known.name == *name)
    }

    /// Returns whether a parameter is secret.
    pub fn is_sensitive(&self, name: &str) -> bool {
        self.sensitive.iter().any(|known| known.to_lowercase() == name)
    }
}

impl CompiledCatalog {
    /// Converts a finished catalog; exported resources are included if requested.
    pub(crate) fn from_catalog(
        mut catalog: CatalogBuilder,
        name: &str,
        environment: &str,
        with_exported: bool,
    ) -> CompiledCatalog {
        let mut tags = super::Tags::default();
        catalog.classes.iter().for_each(|class| catalog.tag_names.add_if_valid(class, &mut tags));
        tags.merge(&catalog.tags);
        let all = std::mem::take(&mut catalog.resources);
        let mut places = vec![None; all.len()];
        let mut resources = Vec::with_capacity(all.len());
        for (at, resource) in all.into_iter().enumerate() {
            if resource.is_virtual && !(resource.exported && with_exported) {
                continue;
            }
            places[at] = Some(resources.len());
            resources.push(compiled(resource, at, &mut catalog.tag_names));
        }
        let place = |at: usize| places.get(at).copied().flatten();
        let edges = catalog.edges().filter_map(|(one, other)| Some((place(one)?, place(other)?))).collect();
        CompiledCatalog {
            name: name.to_owned(),
            environment: environment.to_owned(),
            tags: catalog.tag_names.to_strings(&tags),
            classes: catalog.classes,
            resources,
            edges,
        }
    }
}

fn compiled(resource: Resource, at: usize, words: &mut TagInterner) -> CompiledResource {
    let title = resource.shown_title().into_owned();
    // The reference stores these two as symbols, and numeric titles as numbers; neither is ever equal to a string.
    let by_symbol = at < CatalogBuilder::FIRST && &*resource.kind == "stage"
        || at == CatalogBuilder::MAIN
        || resource.number.is_some();
    let native = resource.native.as_ref();
    let namevar = native.map_or("name", |kind| kind.namevar());
    let named = match native {
        Some(kind) => kind.parse_title(&title).unwrap_or_default(),
        None => vec![("name", title.as_str())],
    };
    let mut parameters: Vec<Parameter> = Vec::with_capacity(named.len() + resource.attributes.len());
    for (name, value) in named {
        let value = if *value == *resource.title { Value::String(resource.title.clone()) } else { value.into() };
        let origin = Origin { kind: OriginKind::Title, site: resource.site.clone() };
        parameters.push(Parameter { name: words.shared(name), value, origin });
    }
    for attribute in resource.attributes.into_iter().filter(|attribute| !attribute.value.is_undef()) {
        let name = match &*attribute.name {
            "name" => words.shared(namevar),
            name if name.chars().any(char::is_uppercase) => name.to_lowercase().into(),
            _ => attribute.name,
        };
        let value = match attribute.value {
            value @ Value::Array(_) if ORDERING.contains(&&*name) => {
                let flat = crate::values::flatten(vec![value]);
                Value::from(flat.into_iter().filter(|value| !value.is_undef()).collect::<Vec<Value>>())
            }
            value => value,
        };
        let parameter = Parameter { name, value, origin: attribute.origin };
        match parameters.iter_mut().find(|known| known.name == parameter.name) {
            Some(known) => *known = parameter,
            None => parameters.push(parameter),
        }
    }
    parameters.retain(|one| by_symbol || *one.name != *namevar || one.value.as_str() != Some(&title));
    let known = resource.site.line > 0 || resource.site.file.is_some();
    CompiledResource {
        kind: super::capitalized(&resource.kind),
        tags: words.to_strings(&resource.tags),
        file: resource.site.file,
        line: Some(resource.site.line).filter(|line| known && *line > 0),
        exported: resource.exported,
        exported_unsaid: resource.exported_unsaid && !resource.exported,
        sort: match (resource.resource_kind, resource.declared) {
            (ResourceKind::Native, _) => "compilable_type",
            (ResourceKind::Defined, _) => "defined_type",
            (ResourceKind::Class, true) => "class",
            _ => "unknown",
        },
        parameters,
        sensitive: resource.sensitive,
        written_title: resource.title,
        title,
    }
}
