//! Metaparameters that containers pass to their contents, and the tags of attributes.

use std::collections::VecDeque;

use hieratic_puppet_functions::{EvalError, Flow, Site};
use hieratic_value::Value;
use hieratic_value::collections::HashSet;

use super::{Attribute, CatalogBuilder, OriginKind, Resource, Tag, Tags};
use crate::evaluator::EvaluationBudget;
use crate::native_types::{METAPARAMETERS, ORDERING};
use crate::values;

/// Attributes and tags.
impl CatalogBuilder {
    /// Sets an attribute of a resource; `tag` adds tags.
    pub(crate) fn set_attribute(
        &mut self,
        at: usize,
        attribute: Attribute,
        budget: &mut EvaluationBudget,
    ) -> Result<(), Flow> {
        if &*attribute.name == "tag" {
            let site = self.resources[at].site.clone();
            let tags = self.tags_in(&attribute.value, &site, budget)?;
            self.resources[at].tags.merge(&tags);
        }
        self.resources[at].set(attribute);
        Ok(())
    }

    /// Sets an attribute of a resource that is not in the catalog yet.
    pub(crate) fn set_on(
        &mut self,
        resource: &mut Resource,
        attribute: Attribute,
        budget: &mut EvaluationBudget,
    ) -> Result<(), Flow> {
        if &*attribute.name == "tag" {
            let site = resource.site.clone();
            resource.tags.merge(&self.tags_in(&attribute.value, &site, budget)?);
        }
        resource.set(attribute);
        Ok(())
    }

    /// Returns the tags in a value, for a resource that is declared at `site`.
    pub(crate) fn tags_in(&mut self, value: &Value, site: &Site, budget: &mut EvaluationBudget) -> Result<Tags, Flow> {
        let mut tags = Tags::default();
        for tag in values::flatten(vec![value.clone()]).iter().filter(|tag| !tag.is_undef()) {
            let tag = tag.to_text();
            budget.charge_bytes(2 * tag.len() + 64)?;
            self.add_tag(&tag, &mut tags, site)?;
        }
        Ok(tags)
    }

    /// Adds a tag. An invalid one is an error of the resource that is declared at `site`.
    pub(crate) fn add_tag(&mut self, tag: &str, tags: &mut Tags, site: &Site) -> Result<(), Flow> {
        self.tag_names.add(tag, tags).map_err(|tag| invalid_tag(tag, site))
    }

    /// Adds a name to the tags if it is a valid tag.
    pub(crate) fn add_tag_if_valid(&mut self, name: &str, tags: &mut Tags) {
        self.tag_names.add_if_valid(name, tags);
    }

    /// Returns the number of a tag in lower case, if something has it.
    pub(crate) fn find_tag(&self, tag: &str) -> Option<Tag> {
        self.tag_names.find(tag)
    }

    /// Returns the number of a tag in lower case.
    pub(crate) fn number_tag(&mut self, tag: &str) -> Tag {
        self.tag_names.number(tag)
    }

    /// Adds tags to the whole catalog.
    pub(crate) fn merge_tags(&mut self, tags: &Tags) {
        self.tags.merge(tags);
    }

    /// Returns the tags of the whole catalog.
    pub(crate) fn all_tags(&self) -> Vec<String> {
        self.tag_names.to_strings(&self.tags).iter().map(ToString::to_string).collect()
    }

    /// Returns whether the catalog or a resource has a tag in lower case.
    pub(crate) fn has_tag(&self, at: usize, tag: &str) -> bool {
        self.find_tag(tag).is_some_and(|tag| self.tags.has(tag) || self.is_tagged(at, tag))
    }
}

/// Containers.
impl CatalogBuilder {
    /// Adds the tags of the container to a resource, once.
    pub(crate) fn take_tags(&mut self, at: usize) {
        let resource = &mut self.resources[at];
        if std::mem::replace(&mut resource.has_tags_of_container, true) {
            return;
        }
        let Some(container) = resource.container else { return };
        // A resource does not contain itself.
        if let Ok([resource, container]) = self.resources.get_disjoint_mut([at, container]) {
            resource.tags.merge(&container.tags);
        }
    }

    /// Passes the metaparameters of containers, except those for ordering, and their tags down. The walk starts at the
    /// manifest itself, so that classes are reached only if something contains them.
    pub(crate) fn pass_metaparameters_down(&mut self, budget: &mut EvaluationBudget) -> Result<(), Flow> {
        let mut waiting = VecDeque::from([CatalogBuilder::MAIN]);
        let mut seen = HashSet::default();
        while let Some(container) = waiting.pop_front() {
            if !seen.insert(container) {
                continue;
            }
            let given = self.metaparameters(container);
            let tags = self.resources[container].tags.clone();
            let contents = self.contents(container).to_vec();
            budget.charge_steps(1 + (contents.len() * (1 + tags.len())) as u64 / 32)?;
            for at in contents {
                for attribute in &given {
                    let resource = &self.resources[at];
                    if resource.attribute(&attribute.name).is_some_and(|value| !value.is_undef()) {
                        continue;
                    }
                    let (source, site) = (resource.source.clone(), attribute.origin.site.clone());
                    let (name, value) = (attribute.name.clone(), attribute.value.clone());
                    let passed = Attribute::new(name, value, source, OriginKind::Container, site);
                    self.set_attribute(at, passed, budget)?;
                }
                self.resources[at].tags.merge(&tags);
                waiting.push_back(at);
            }
        }
        Ok(())
    }

    /// Returns the metaparameters that a container passes to its contents, in the order of the reference.
    fn metaparameters(&self, at: usize) -> Vec<Attribute> {
        let resource = &self.resources[at];
        METAPARAMETERS
            .split(' ')
            .filter(|name| !ORDERING.contains(name))
            .filter_map(|name| resource.parameter(name))
            .filter(|attribute| !attribute.value.is_undef())
            .cloned()
            .collect()
    }
}

/// The error for a string that cannot be a tag, at the declaration of the resource or else at the code that sets it.
fn invalid_tag(tag: String, site: &Site) -> Flow {
    let message = format!("Invalid tag '{tag}'");
    if site.line == 0 {
        return EvalError::new(message).into();
    }
    let mut error = EvalError::rule(message);
    error.site = Some(Site { column: 0, ..site.clone() });
    error.into()
}
