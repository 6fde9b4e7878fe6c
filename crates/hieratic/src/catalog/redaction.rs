//! Redaction of catalogs.

use std::collections::{HashMap, HashSet};

use hieratic_puppet_eval::CompiledCatalog as Catalog;
use hieratic_value::{Str, Value};

use crate::redaction::Redactor;

/// The type of resources whose titles are always names of the code.
const CLASS: &str = "Class";

/// Redacts the secrets of a catalog, unless the redactor reveals them: sensitive parameters as a whole, and in all other
/// strings the known secrets, except those that are literals of the code.
pub fn redact_catalog(catalog: &Catalog, redactor: &Redactor) -> Catalog {
    let mut shown = catalog.clone();
    if redactor.reveals() {
        return shown;
    }
    // Words that titles reveal already.
    let mut words: HashSet<String> = HashSet::new();
    for resource in &mut shown.resources {
        let mut parameters = std::mem::take(&mut resource.parameters);
        for parameter in &mut parameters {
            let value = if resource.is_sensitive(&parameter.name) {
                Value::sensitive(parameter.value.clone())
            } else {
                parameter.value.clone()
            };
            parameter.value = redactor.value(&value);
        }
        resource.parameters = parameters;
        let title = if resource.kind == CLASS {
            // The title of a class is its name in the code, independent of the place that declares it.
            redactor.name(&resource.title).into_owned()
        } else {
            redactor.written(&resource.title, &resource.written_title)
        };
        if title == resource.title {
            add_words(&title, &mut words);
        }
        add_words(&resource.kind, &mut words);
        resource.title = title;
    }
    // Thousands of resources have the same few tags.
    let mut tags: HashMap<Str, Str> = HashMap::new();
    let mut cover = |tag: &mut Str| {
        let redact = || if words.contains(&**tag) { tag.clone() } else { redactor.text(tag).into() };
        *tag = tags.entry(tag.clone()).or_insert_with(redact).clone();
    };
    shown.resources.iter_mut().flat_map(|resource| &mut resource.tags).for_each(&mut cover);
    shown.tags.iter_mut().for_each(cover);
    shown
}

/// The tags that result from a title or from the name of a type.
fn add_words(name: &str, words: &mut HashSet<String>) {
    let name = name.to_lowercase();
    words.extend(name.split("::").map(str::to_owned));
    words.insert(name);
}
