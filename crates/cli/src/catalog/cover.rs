//! What of a catalog may be shown.

use std::borrow::Cow;
use std::collections::HashMap;

use hieratic::value::Str;
use hieratic::{Catalog, Mask, Value};

/// The catalog with everything secret redacted, unless the mask reveals it: values of sensitive parameters as a whole, and of all
/// other strings what is known to be secret.
pub(super) fn covered(catalog: &Catalog, mask: &Mask) -> Catalog {
    let mut shown = catalog.clone();
    if mask.reveals() {
        return shown;
    }
    // Thousands of resources have the same few tags.
    let mut tags: HashMap<Str, Str> = HashMap::new();
    for resource in &mut shown.resources {
        let mut parameters = std::mem::take(&mut resource.parameters);
        for parameter in &mut parameters {
            let value = match resource.is_sensitive(&parameter.name) {
                true => Value::sensitive(parameter.value.clone()),
                false => parameter.value.clone(),
            };
            parameter.value = mask.value(&value);
        }
        resource.parameters = parameters;
        resource.title = mask.text(&resource.title).into_owned();
        for tag in &mut resource.tags {
            let covered = || match mask.text(tag) {
                Cow::Owned(text) => text.into(),
                Cow::Borrowed(_) => tag.clone(),
            };
            *tag = tags.entry(tag.clone()).or_insert_with(covered).clone();
        }
    }
    shown
}
