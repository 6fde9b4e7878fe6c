//! [`CatalogBuilder`]: the declared resources and classes, their containment, and the tables that find them.
//!
//! A catalog is built in these steps, as in Puppet's compiler:
//!
//! 1. It starts with the stage `main`, the class of the settings and the class that represents the manifest itself.
//! 2. Code declares: [`CatalogBuilder::add`] inserts a resource, indexes its names, and records its container.
//! 3. The evaluator's `compile` module runs collectors and defined types until nothing is new, converts relationships to attributes,
//!    applies overrides, passes metaparameters and tags down, and checks the declarations.
//! 4. [`compiled`] extracts the part that a node receives.

mod candidates;
mod checks;
mod compiled;
mod containment;
mod data;
mod document;
mod origin;
mod query;
mod relationships;
mod resource;
mod tags;

use std::borrow::Cow;
use std::ops::{Index, IndexMut};
use std::sync::Arc;

use hieratic_puppet_functions::{EvalError, Site};
use hieratic_puppet_types::{ResourceType, Type};
use hieratic_value::collections::{FixedState, HashMap, HashSet};
use hieratic_value::{Str, Value};
use indexmap::{IndexMap, IndexSet};

use crate::failure::site_text;
use crate::native_types::{self, NativeType};

pub(crate) use candidates::CandidateIndex;
pub use compiled::{CompiledCatalog, CompiledResource, Parameter};
pub use data::{DataForm, plain_data, rich_data};
pub use document::{CatalogDocument, CatalogNode, LossyConversion, ResourceDocument};
pub use origin::{Origin, OriginKind};
pub(crate) use query::{Collector, CollectorTarget, Overrides, Query, Relationship, RelationshipEnd};
pub(crate) use resource::{Attribute, Resource, ResourceKind, Source, referred, referred_in};
pub use tags::is_tag;
pub(crate) use tags::{Tag, TagInterner, Tags};

/// The declared resources and classes.
#[derive(Debug, Default)]
pub(crate) struct CatalogBuilder {
    /// All resources, in the order of declaration.
    resources: Vec<Resource>,
    /// Their indices by type.
    by_kind: HashMap<Str, TypeIndex>,
    /// The containers of each resource.
    containers: Vec<IndexSet<usize, FixedState>>,
    /// The contained resources of each resource.
    contents: Vec<Vec<usize>>,
    /// The names of evaluated classes; a name occurs as often as it was added.
    classes: Vec<Str>,
    /// The tags of the whole.
    tags: Tags,
    /// The words of all tags.
    tag_names: TagInterner,
    relationships: Vec<Relationship>,
    collectors: Vec<Collector>,
    /// Overrides of resources that are not declared yet.
    overrides: IndexMap<(Str, Str), Vec<Override>, FixedState>,
    /// The sources whose collectors have changed resources. Their code may override everything from then on.
    overriding: HashSet<Source>,
    /// The number of shared attribute arrays.
    shared: u32,
    /// The native types, by their names in lower case; `None` for names without such a type.
    kinds: HashMap<Str, Option<NativeType>>,
}

/// The resources of a type.
#[derive(Debug, Default)]
struct TypeIndex {
    /// Their indices.
    places: Vec<usize>,
    /// Their indices by title, alias or the single naming attribute.
    by_name: HashMap<Str, usize>,
    /// Their indices by several naming attributes.
    by_key: HashMap<Value, usize>,
}

impl TypeIndex {
    /// Returns the index of the resource with a name.
    fn find(&self, key: &Value) -> Option<usize> {
        match key {
            Value::String(name) => self.by_name.get(name).copied(),
            key => self.by_key.get(key).copied(),
        }
    }

    /// Adds a name of the resource at an index.
    fn name(&mut self, key: Value, at: usize) {
        match key {
            Value::String(name) => self.by_name.insert(name, at),
            key => self.by_key.insert(key, at),
        };
    }
}

/// An override of a resource that may be declared later.
#[derive(Clone, Debug)]
pub(crate) struct Override {
    pub kind: Str,
    pub title: Str,
    pub attributes: Vec<Attribute>,
    pub site: Site,
    pub source: Source,
}

impl Index<usize> for CatalogBuilder {
    type Output = Resource;

    fn index(&self, at: usize) -> &Resource {
        &self.resources[at]
    }
}

impl IndexMut<usize> for CatalogBuilder {
    fn index_mut(&mut self, at: usize) -> &mut Resource {
        &mut self.resources[at]
    }
}

impl CatalogBuilder {
    /// Sets a parameter that a resource has to another value.
    pub(crate) fn replace_parameter(&mut self, resource: usize, name: &str, value: Value) {
        let attributes = self.resources.get_mut(resource).map(|resource| &mut resource.attributes);
        if let Some(attribute) = attributes.and_then(|all| all.iter_mut().find(|attribute| &*attribute.name == name)) {
            attribute.value = value;
        }
    }

    /// Returns whether a resource has a parameter.
    pub(crate) fn has_parameter(&self, resource: usize, name: &str) -> bool {
        self.resources.get(resource).is_some_and(|one| one.attributes.iter().any(|attribute| &*attribute.name == name))
    }

    /// The index of the stage `main`.
    const STAGE: usize = 0;
    /// The index of the class of the settings.
    const SETTINGS: usize = 1;
    /// The index of the class that represents the manifest.
    pub const MAIN: usize = 2;
    /// The index of the first resource that the compiler itself has not declared.
    pub const FIRST: usize = 2;

    /// Adds the resources that every catalog has.
    pub fn start(&mut self) {
        if !self.resources.is_empty() {
            return;
        }
        for (kind, title, sort) in [
            ("stage", "main", ResourceKind::Native),
            ("class", "settings", ResourceKind::Class),
            ("class", "", ResourceKind::Class),
        ] {
            let mut tags = Tags::default();
            self.tag_names.add_if_valid(kind, &mut tags);
            if kind == "class" {
                self.tag_names.add_if_valid(title, &mut tags);
            }
            let resource = Resource {
                resource_kind: sort,
                native: if sort == ResourceKind::Native { native_types::find(kind) } else { None },
                kind: kind.into(),
                title: title.into(),
                attributes: Vec::new(),
                is_virtual: false,
                exported: false,
                exported_unsaid: false,
                evaluated: true,
                declared: false,
                site: Site::default(),
                scope: 0,
                source: Source::Main,
                container: None,
                tags,
                has_tags_of_container: true,
                sensitive: Vec::new(),
                is_checked: false,
                collected_from: None,
                number: None,
            };
            self.insert(resource);
        }
        self.add_class("settings");
        self.contain(CatalogBuilder::STAGE, CatalogBuilder::SETTINGS);
        self.contain(CatalogBuilder::STAGE, CatalogBuilder::MAIN);
    }

    /// Returns the number of resources.
    pub fn count(&self) -> usize {
        self.resources.len()
    }

    /// Returns the resource at an index.
    pub fn resource(&self, at: usize) -> Option<&Resource> {
        self.resources.get(at)
    }

    /// Adds a collector and returns its index.
    pub fn add_collector(&mut self, collector: Collector) -> usize {
        self.collectors.push(collector);
        self.collectors.len() - 1
    }

    /// Returns the number of collectors.
    pub fn count_collectors(&self) -> usize {
        self.collectors.len()
    }

    /// Returns a collector by its index.
    pub fn collector(&self, number: usize) -> &Collector {
        &self.collectors[number]
    }

    /// Returns a mutable collector by its index.
    pub fn collector_mut(&mut self, number: usize) -> &mut Collector {
        &mut self.collectors[number]
    }

    /// Adds a relationship, which becomes an attribute at the end.
    pub fn add_relationship(&mut self, relationship: Relationship) {
        self.relationships.push(relationship);
    }

    /// Stores an override of a resource that is not yet declared.
    pub fn postpone(&mut self, one: Override) {
        self.overrides.entry((one.kind.clone(), one.title.clone())).or_default().push(one);
    }

    /// Takes the overrides that preceded the declaration of a resource.
    pub fn take_overrides(&mut self, at: usize) -> Vec<Override> {
        let resource = &self.resources[at];
        let key = (resource.kind.clone(), resource.title.clone());
        self.overrides.shift_remove(&key).unwrap_or_default()
    }

    /// Permits a scope to override all attributes from now on.
    pub fn allow_overrides(&mut self, source: Source) {
        self.overriding.insert(source);
    }

    /// Returns whether a scope may override all attributes.
    pub fn may_override(&self, source: &Source) -> bool {
        self.overriding.contains(source)
    }

    /// Returns the cached search result for a native type, by its name in lower case.
    pub fn known_kind(&self, name: &str) -> Option<Option<NativeType>> {
        self.kinds.get(name).cloned()
    }

    /// Caches the search result for a native type.
    pub fn keep_kind(&mut self, name: &str, kind: Option<NativeType>) {
        self.kinds.insert(name.into(), kind);
    }

    /// Records that a class is part of the catalog.
    pub fn add_class(&mut self, name: &str) {
        self.classes.push(name.into());
        self.tag_names.add_if_valid(name, &mut self.tags);
    }

    /// Returns the index of a resource by its type and title or another name.
    pub fn find(&self, kind: &str, title: &str) -> Option<usize> {
        let all = self.by_kind.get(kind)?;
        if kind == "class" {
            let title = class_key(title);
            // `main` is the class of that name, not the manifest itself.
            return all.by_name.get(&title).copied().filter(|_| !title.is_empty());
        }
        if let Some(at) = all.by_name.get(title) {
            return Some(*at);
        }
        let native = match self.kinds.get(kind) {
            Some(known) => known.clone(),
            None => native_types::find(kind),
        };
        all.find(&native_types::unique_key(Some(&native?), title, |_| None))
    }

    /// Returns a resource by its type and title.
    pub fn get(&self, kind: &str, title: &str) -> Option<&Resource> {
        self.find(kind, title).and_then(|at| self.resources.get(at))
    }

    /// Adds a resource, whose name must be unique. It is contained in the declaring resource, except for stages and for
    /// classes, whose stage is only known at their evaluation.
    pub fn add(&mut self, resource: Resource) -> Result<usize, EvalError> {
        if let Some(at) = self.by_kind.get(&resource.kind).and_then(|all| all.by_name.get(&resource.title)) {
            return Err(duplicate(&self.resources[*at], &resource.site));
        }
        let is_class = resource.resource_kind == ResourceKind::Class;
        let is_stage = &*resource.kind == "stage";
        let container = resource.container;
        let staged = resource.attribute("stage").is_some_and(|stage| !stage.is_undef());
        let at = self.insert(resource);
        self.name(at)?;
        if staged && !is_class {
            let reference = self.resources[at].reference();
            let message =
                format!("Only classes can set 'stage'; normal resources like {reference} cannot change run stage");
            return Err(EvalError::new(message));
        }
        if let (Some(container), false, false) = (container, is_class, is_stage) {
            self.contain(container, at);
        }
        Ok(at)
    }

    fn insert(&mut self, resource: Resource) -> usize {
        let at = self.resources.len();
        let all = self.by_kind.entry(resource.kind.clone()).or_default();
        all.places.push(at);
        all.by_name.insert(resource.title.clone(), at);
        self.resources.push(resource);
        self.containers.push(IndexSet::default());
        self.contents.push(Vec::new());
        at
    }

    /// Adds the other names of a resource: those of `alias`, and its unique key.
    fn name(&mut self, at: usize) -> Result<(), EvalError> {
        if let Some(aliases) = self.resources[at].attribute("alias").cloned() {
            for alias in crate::values::flatten(vec![aliases]).into_iter().filter(|alias| !alias.is_undef()) {
                self.alias(at, alias)?;
            }
        }
        let resource = &self.resources[at];
        if !resource.is_isomorphic() {
            return Ok(());
        }
        if resource.native.as_ref().is_some_and(|kind| kind.parse_title(&resource.title).is_none()) {
            return Err(EvalError::new(format!("No set of title patterns matched the title \"{}\".", resource.title)));
        }
        let key = resource.unique_key();
        let any = match &key {
            Value::Array(parts) => parts.iter().any(Value::is_truthy),
            one => one.is_truthy(),
        };
        if any && key.as_str() != Some(&resource.shown_title()) {
            self.alias(at, key)?;
        }
        Ok(())
    }

    fn alias(&mut self, at: usize, key: Value) -> Result<(), EvalError> {
        let all = self.by_kind.entry(self.resources[at].kind.clone()).or_default();
        match all.find(&key) {
            Some(existing) if existing != at => Err(self.name_taken_error(at, existing, &key)),
            Some(_) => Ok(()),
            None => {
                all.name(key, at);
                Ok(())
            }
        }
    }

    /// Returns the error for a resource whose name is already taken.
    fn name_taken_error(&self, at: usize, existing: usize, key: &Value) -> EvalError {
        let resource = &self.resources[at];
        let place = |site: &Site| site_text(&Site { column: 0, ..site.clone() });
        let here =
            if resource.site == Site::default() { String::new() } else { format!(" at{}", place(&resource.site)) };
        let mut listed = vec![Value::from(capitalized(&resource.kind))];
        let shown = match key {
            Value::Array(parts) => {
                listed.extend(crate::values::flatten(parts.to_vec()));
                key.inspect()
            }
            one => {
                listed.push(one.clone());
                // The reference shows keys from attributes as an array with one element.
                let explicit = resource
                    .attribute("alias")
                    .is_some_and(|alias| crate::values::flatten(vec![alias.clone()]).contains(one));
                if explicit { one.inspect() } else { Value::from(vec![one.clone()]).inspect() }
            }
        };
        EvalError::new(format!(
            "Cannot alias {} to {shown}{here}; resource {} already declared{}",
            resource.reference(),
            Value::from(listed).inspect(),
            place(&self.resources[existing].site)
        ))
    }

    /// Checks titles and aliases of non-virtual resources once more, since containers may have passed an alias down.
    pub fn check_names(&self) -> Result<(), EvalError> {
        let mut titles: HashMap<(&str, Cow<'_, str>), usize> =
            HashMap::with_capacity_and_hasher(self.resources.len(), FixedState);
        let mut keys: HashMap<(&str, Value), usize> = HashMap::default();
        let all = self.resources.iter().enumerate();
        for (at, resource) in all.filter(|(_, resource)| !resource.is_virtual || resource.exported) {
            if let Some(existing) = titles.insert((&resource.kind, resource.shown_title()), at) {
                return Err(duplicate(&self.resources[existing], &resource.site));
            }
            let Some(aliases) = resource.attribute("alias") else { continue };
            for alias in crate::values::flatten(vec![aliases.clone()]).into_iter().filter(|alias| !alias.is_undef()) {
                let taken = match &alias {
                    Value::String(title) => titles.insert((&resource.kind, title.to_string().into()), at),
                    key => keys.insert((&resource.kind, key.clone()), at),
                };
                if let Some(existing) = taken.filter(|existing| *existing != at) {
                    return Err(self.name_taken_error(at, existing, &alias));
                }
            }
        }
        Ok(())
    }

    /// Records that one resource contains another.
    pub fn contain(&mut self, container: usize, content: usize) {
        if self.containers[content].insert(container) {
            self.contents[container].push(content);
        }
    }

    /// Returns the resources in a container, in the order of their insertion.
    pub fn contents(&self, container: usize) -> &[usize] {
        &self.contents[container]
    }

    /// Returns pairs of container and content, in the order of the catalog.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> {
        self.containers
            .iter()
            .enumerate()
            .flat_map(|(content, all)| all.iter().map(move |container| (*container, content)))
    }

    /// Returns the indices of the resources of a type.
    pub fn of_kind(&self, kind: &str) -> Vec<usize> {
        self.places_of(kind).iter().copied().filter(|at| *at >= CatalogBuilder::FIRST).collect()
    }

    /// Returns the indices of the resources of a type, with those that are always there.
    pub fn places_of(&self, kind: &str) -> &[usize] {
        self.by_kind.get(kind).map_or(&[][..], |all| all.places.as_slice())
    }

    /// Returns the number of resources of a type.
    pub fn count_of_kind(&self, kind: &str) -> usize {
        self.places_of(kind).len()
    }

    /// Returns whether a resource has a tag, or will inherit it from its containers.
    pub fn is_tagged(&self, at: usize, tag: Tag) -> bool {
        self.with_containers(at).any(|resource| resource.tags.has(tag))
    }

    /// Returns the tags of a resource, with those that it will inherit from its containers.
    pub fn tags_of(&self, at: usize) -> impl Iterator<Item = Tag> {
        self.with_containers(at).flat_map(|resource| resource.tags.iter())
    }

    /// Returns a resource and its containers, innermost first.
    fn with_containers(&self, at: usize) -> impl Iterator<Item = &Resource> {
        let outer = |place: &usize| self.resources[*place].container.filter(|container| container != place);
        std::iter::successors(Some(at), outer).map(|place| &self.resources[place])
    }

    /// Returns a new id for a shared array of attributes.
    pub fn share(&mut self) -> u32 {
        self.shared += 1;
        self.shared
    }

    /// Returns the reference of the resource whose scope is `source`.
    pub fn source_text(source: &Source) -> String {
        match source {
            Source::Nobody | Source::Main => " by Class[main]".into(),
            Source::Class(name) => format!(" by {}", reference("class", name)),
            Source::Define(name) => format!(" by {}", capitalized(name)),
            Source::Node(name) => format!(" by Node[{name}]"),
        }
    }
}

/// Returns the error for a duplicate declaration.
pub(crate) fn duplicate(previous: &Resource, site: &Site) -> EvalError {
    let place = |site: &Site| site_text(&Site { column: 0, ..site.clone() });
    let first = if previous.site == Site::default() { String::new() } else { format!(" at{}", place(&previous.site)) };
    EvalError::new(format!(
        "Duplicate declaration: {} is already declared{first}; cannot redeclare{}",
        previous.reference(),
        place(site)
    ))
}

/// The names of classes are case-insensitive.
pub(crate) fn class_key(name: &str) -> Str {
    name.strip_prefix("::").unwrap_or(name).to_lowercase().into()
}

/// Returns the title as in the catalog: the names of classes are capitalized.
pub(crate) fn shown_title<'t>(kind: &str, title: &'t str) -> Cow<'t, str> {
    match (kind, title) {
        ("class", "") => "main".into(),
        ("class", title) => capitalized(title).into(),
        _ => title.into(),
    }
}

/// Returns `Type[title]` for messages.
pub(crate) fn reference(kind: &str, title: &str) -> String {
    format!("{}[{}]", capitalized(kind), shown_title(kind, title))
}

/// Capitalizes each segment of a name: `foo::bar` becomes `Foo::Bar`.
pub fn capitalized(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for (at, segment) in name.split("::").enumerate() {
        if at > 0 {
            text.push_str("::");
        }
        let mut letters = segment.chars();
        text.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        text.push_str(letters.as_str());
    }
    text
}

/// Returns the type of a declared resource: for a class, a resource of the type `Class`, as in the reference.
pub(crate) fn declared_type(kind: &str, title: &str) -> Type {
    if kind != "class" {
        return resource_type(kind, Some(title));
    }
    let title = capitalized(title.strip_prefix("::").unwrap_or(title));
    Type::Resource(Arc::new(ResourceType { name: Some("Class".into()), title: Some(title.into()) }))
}

/// Returns the type of a resource type or of a resource.
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
