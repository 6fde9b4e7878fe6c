//! [`Index`]: the definitions of all files, by their names.

use std::cell::Cell;
use std::sync::{Arc, RwLock};

use hieratic::puppet_eval;
use hieratic::puppet_types::{Alias, Type, parse_with};
use hieratic::value::Str;
use hieratic::value::collections::{HashMap, HashSet};

use crate::summary::{Definition, DefinitionKind, FileSummary, TemplateUse};

/// The definitions and declarations of all files.
#[derive(Debug, Default)]
pub struct Index {
    definitions: HashMap<DefinitionKind, HashMap<Str, Arc<Definition>>>,
    top_variables: HashSet<Str>,
    set_attributes: HashSet<(Str, Str)>,
    /// The titles that are written out, by the resource type.
    titles: HashMap<Str, HashSet<Str>>,
    computed_titles: HashSet<Str>,
    computes_types: bool,
    used_kinds: HashSet<Str>,
    named_modules: HashSet<Str>,
    called: HashSet<Str>,
    /// The uses of templates by their names; those of computed names have an empty one.
    templates: HashMap<Str, Vec<TemplateUse>>,
    types: RwLock<HashMap<Str, Option<Type>>>,
}

/// The deepest nesting of aliases that is resolved. One that refers to itself is not judged.
const DEEPEST_ALIAS: usize = 20;

impl Index {
    /// Adds the definitions of a file.
    pub fn add(&mut self, file: &FileSummary) {
        for one in &file.definitions {
            // The reference refuses a second definition of a name; the first is as good as any.
            let of_kind = self.definitions.entry(one.kind).or_default();
            of_kind.entry(one.name.clone()).or_insert_with(|| one.clone());
        }
        self.top_variables.extend(file.top_variables.iter().cloned());
        self.set_attributes.extend(file.set_attributes.iter().cloned());
        for (kind, title) in &file.titles {
            self.titles.entry(kind.clone()).or_default().insert(title_key(kind, title));
        }
        self.computed_titles.extend(file.computed_titles.iter().cloned());
        self.computes_types |= file.computes_types;
        let kinds = file.titles.iter().chain(&file.set_attributes).map(|(kind, _)| kind).chain(&file.computed_titles);
        self.used_kinds.extend(kinds.cloned());
        self.named_modules.extend(file.named_modules.iter().cloned());
        self.called.extend(file.called.iter().cloned());
        for one in &file.templates {
            self.templates.entry(one.name.clone().unwrap_or_default()).or_default().push(one.clone());
        }
    }

    /// Returns the index with another version of a file. Declarations of the previous version stay.
    pub fn replacing(&self, before: Option<&FileSummary>, after: &FileSummary) -> Index {
        let mut index = Index {
            definitions: self.definitions.clone(),
            top_variables: self.top_variables.clone(),
            set_attributes: self.set_attributes.clone(),
            titles: self.titles.clone(),
            computed_titles: self.computed_titles.clone(),
            computes_types: self.computes_types,
            used_kinds: self.used_kinds.clone(),
            named_modules: self.named_modules.clone(),
            called: self.called.clone(),
            templates: self.templates.clone(),
            types: RwLock::default(),
        };
        for one in before.iter().flat_map(|file| &file.definitions) {
            if let Some(of_kind) = index.definitions.get_mut(&one.kind) {
                of_kind.remove(&one.name);
            }
        }
        index.add(after);
        index
    }

    /// Returns a definition by its name in lower case.
    pub fn find(&self, kind: DefinitionKind, name: &str) -> Option<&Arc<Definition>> {
        self.definitions.get(&kind)?.get(name)
    }

    /// Returns the names of all definitions of a kind.
    pub fn names(&self, kind: DefinitionKind) -> impl Iterator<Item = &str> {
        self.definitions.get(&kind).into_iter().flat_map(HashMap::keys).map(|name| &**name)
    }

    /// Returns whether a manifest sets a variable in the top scope or in the scope of a node.
    pub fn sets_top_variable(&self, name: &str) -> bool {
        self.top_variables.contains(name)
    }

    /// Returns whether defaults, overrides or collectors can set an attribute of resources of a type.
    pub fn can_set_attribute(&self, kind: &str, name: &str) -> bool {
        let has = |kind: &str, name: &str| self.set_attributes.contains(&(Str::from(kind), Str::from(name)));
        has(kind, name) || has(kind, "") || has("", name) || has("", "")
    }

    /// Returns whether some code may declare a resource.
    pub fn can_declare(&self, kind: &str, title: &str) -> bool {
        self.computes_types || self.computed_titles.contains(kind) || self.has_title(kind, title)
    }

    /// Returns whether some code declares a resource with this literal title.
    pub fn has_title(&self, kind: &str, title: &str) -> bool {
        self.titles.get(kind).is_some_and(|titles| titles.contains(&title_key(kind, title)))
    }

    /// Returns the resource types in code, in lower case.
    pub fn used_kinds(&self) -> impl Iterator<Item = &str> {
        self.used_kinds.iter().map(|kind| &**kind)
    }

    /// Returns the modules of qualified names in code, in lower case.
    pub fn named_modules(&self) -> impl Iterator<Item = &str> {
        self.named_modules.iter().map(|module| &**module)
    }

    /// Returns the uses of an ERB template. Returns `None` if none is known, or if its module renders templates with
    /// computed names.
    pub fn template_uses(&self, module: &str, name: &str) -> Option<&[TemplateUse]> {
        let is_of_module =
            |one: &TemplateUse| one.definition.as_ref().is_none_or(|(_, own)| own.split("::").next() == Some(module));
        let computed = self.templates.get("").map(Vec::as_slice).unwrap_or_default();
        if computed.iter().any(is_of_module) {
            return None;
        }
        self.templates.get(name).map(Vec::as_slice)
    }

    /// Returns the functions that code calls, in lower case.
    pub fn called_functions(&self) -> impl Iterator<Item = &str> {
        self.called.iter().map(|name| &**name)
    }

    /// Parses a type, with the aliases of modules and of stdlib. Returns `None` if it is unknown.
    pub fn data_type(&self, text: &str) -> Option<Type> {
        // A lock is only poisoned by a panic, which ends the check.
        if let Some(known) = self.types.read().ok().and_then(|known| known.get(text).cloned()) {
            return known;
        }
        let found = self.resolve(text, 0);
        if let Ok(mut known) = self.types.write() {
            known.insert(text.into(), found.clone());
        }
        found
    }

    fn resolve(&self, text: &str, depth: usize) -> Option<Type> {
        if depth > DEEPEST_ALIAS {
            return None;
        }
        let is_whole = Cell::new(true);
        let resolve = |name: &str| {
            let own = self.find(DefinitionKind::Alias, &name.to_lowercase());
            let text = match own {
                Some(alias) => alias.result.as_deref(),
                None => puppet_eval::type_alias(&name.to_lowercase()),
            };
            let found = text.and_then(|text| self.resolve(text, depth + 1));
            if found.is_none() {
                is_whole.set(false);
            }
            Some(Type::Alias(Alias::new(name, found?)))
        };
        let found = parse_with(text, &resolve).ok()?;
        (is_whole.get() && !matches!(found, Type::Reference(_))).then_some(found)
    }

    /// Returns the literal titles of resources of a type.
    pub fn titles_of(&self, kind: &str) -> impl Iterator<Item = &str> {
        self.titles.get(kind).into_iter().flatten().map(|title| &**title)
    }
}

/// The key of a title: slashes at the end of a path do not count.
fn title_key(kind: &str, title: &str) -> Str {
    let cut = title.trim_end_matches('/');
    let title = if kind == "file" && !cut.is_empty() { cut } else { title };
    title.into()
}

impl FromIterator<FileSummary> for Index {
    fn from_iter<I: IntoIterator<Item = FileSummary>>(files: I) -> Index {
        let mut index = Index::default();
        files.into_iter().for_each(|file| index.add(&file));
        index
    }
}

impl<'f> FromIterator<&'f FileSummary> for Index {
    fn from_iter<I: IntoIterator<Item = &'f FileSummary>>(files: I) -> Index {
        let mut index = Index::default();
        files.into_iter().for_each(|file| index.add(file));
        index
    }
}
