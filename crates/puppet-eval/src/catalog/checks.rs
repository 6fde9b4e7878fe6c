//! The checks of a catalog at the end of its compilation.

use hieratic_puppet_functions::{EvalError, Flow, Site};
use hieratic_puppet_types::Type;
use hieratic_value::Value;

use super::{Attribute, CatalogBuilder, CollectorTarget, Override, reference, referred, referred_in};
use crate::failure::{site_text, unplaced};
use crate::native_types::ORDERING;

impl CatalogBuilder {
    /// Checks what refers to resources that must be declared by now, and the names of all resources.
    pub(crate) fn check(&self) -> Result<(), Flow> {
        self.check_overrides()?;
        self.check_realized()?;
        self.check_ordering_attributes()?;
        self.check_names().map_err(|error| unplaced(error.message))
    }

    /// Checks that the resources of overrides exist.
    fn check_overrides(&self) -> Result<(), Flow> {
        let missing: Vec<&Override> = self.overrides.values().flatten().collect();
        let Some(first) = missing.first() else { return Ok(()) };
        let names: Vec<String> = missing.iter().map(|one| reference(&one.kind, &one.title)).collect();
        let mut error = EvalError::rule(format!("Could not find resource(s) {} for overriding", names.join(", ")));
        // The reference reports no position.
        error.site = Some(Site::default());
        let place = site_text(&Site { column: 0, ..first.site.clone() });
        error.help = Some(format!("the first override is here:{place}").into());
        Err(error.into())
    }

    /// Checks that the resources of `realize` exist.
    fn check_realized(&self) -> Result<(), Flow> {
        let names = self.collectors.iter().flat_map(|collector| match &collector.target {
            CollectorTarget::Named(names) => names.as_slice(),
            _ => &[],
        });
        let missing: Vec<String> = names.map(|(kind, title)| reference(kind, title)).collect();
        if missing.is_empty() {
            return Ok(());
        }
        Err(unplaced(format!("Failed to realize virtual resources {}", missing.join(", "))))
    }

    /// Checks that the resources of attributes such as `require` exist.
    fn check_ordering_attributes(&self) -> Result<(), Flow> {
        for resource in self.resources.iter().filter(|resource| !resource.is_virtual) {
            for attribute in resource.attributes.iter().filter(|one| ORDERING.contains(&&*one.name)) {
                self.check_references(attribute)?;
            }
        }
        Ok(())
    }

    fn check_references(&self, attribute: &Attribute) -> Result<(), Flow> {
        let refuse = |message: String| {
            let mut error = EvalError::rule(message);
            error.site = Some(attribute.origin.place());
            Err(error.into())
        };
        for target in crate::values::flatten(vec![attribute.value.clone()]) {
            let (kind, title) = match (&target, referred(&target)) {
                (Value::Undef, _) => continue,
                (_, Some(target)) => target,
                (other, None) => {
                    let text = text_of_reference(other);
                    match referred_in(&text) {
                        Some(target) => target,
                        None => {
                            let text = Value::from(text).inspect();
                            return refuse(format!("No title provided and {text} is not a valid resource reference"));
                        }
                    }
                }
            };
            if self.find(&kind, &title).is_none() {
                let reference = match target.as_str() {
                    Some(text) => text.to_owned(),
                    None => reference(&kind, &title),
                };
                return refuse(format!("Could not find resource '{reference}' in parameter '{}'", attribute.name));
            }
        }
        Ok(())
    }
}

fn text_of_reference(value: &Value) -> String {
    match Type::of_value(value) {
        Some(Type::Class(None)) => "class".to_owned(),
        _ => value.to_text(),
    }
}
