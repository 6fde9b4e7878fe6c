//! What of a catalog may be shown.

use hieratic::{Catalog, Mask, Value};

/// The catalog with everything secret redacted, unless the mask reveals it: values of sensitive parameters as a whole, and of all
/// other strings what is known to be secret.
pub(super) fn covered(catalog: &Catalog, mask: &Mask) -> Catalog {
    let mut shown = catalog.clone();
    if mask.reveals() {
        return shown;
    }
    for resource in &mut shown.resources {
        let sensitive = std::mem::take(&mut resource.sensitive);
        for parameter in &mut resource.parameters {
            let value = match sensitive.contains(&parameter.name) {
                true => Value::sensitive(parameter.value.clone()),
                false => parameter.value.clone(),
            };
            parameter.value = mask.value(&value);
        }
        resource.sensitive = sensitive;
        resource.title = mask.text(&resource.title).into_owned();
        for tag in &mut resource.tags {
            if let std::borrow::Cow::Owned(text) = mask.text(tag) {
                *tag = text.into();
            }
        }
    }
    shown
}
