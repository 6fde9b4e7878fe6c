//! Relationships, which are converted to attributes of their sources at the end.

use hieratic_puppet_functions::Flow;
use hieratic_value::collections::{HashMap, HashSet};
use hieratic_value::{Str, Value};

use super::{Attribute, CatalogBuilder, OriginKind, Relationship, RelationshipEnd, reference, resource_type};
use crate::evaluator::EvaluationBudget;
use crate::failure::unplaced;

impl CatalogBuilder {
    /// Converts every relationship to an attribute of its source.
    pub(crate) fn evaluate_relationships(&mut self, budget: &mut EvaluationBudget) -> Result<(), Flow> {
        let relationships = std::mem::take(&mut self.relationships);
        if relationships.is_empty() {
            return Ok(());
        }
        let mut sharing: HashMap<u32, Vec<usize>> = HashMap::default();
        for (at, resource) in self.resources.iter().enumerate() {
            for attribute in resource.attributes.iter().filter(|attribute| attribute.shared != 0) {
                let all = sharing.entry(attribute.shared).or_default();
                if all.last() != Some(&at) {
                    all.push(at);
                }
            }
        }
        let mut grown: HashMap<(usize, bool), Vec<Value>> = HashMap::default();
        for one in &relationships {
            self.relate(one, &sharing, &mut grown, budget)?;
        }
        // Appended values are stored once at the end, so that many relationships of one resource do not copy them each
        // time.
        for ((at, notifies), values) in grown {
            let name = ordering(notifies);
            let Some(attribute) = self.resources[at].attributes.iter_mut().find(|one| *one.name == *name) else {
                continue;
            };
            attribute.value = Value::from(values);
        }
        Ok(())
    }

    fn relate(
        &mut self,
        one: &Relationship,
        sharing: &HashMap<u32, Vec<usize>>,
        grown: &mut HashMap<(usize, bool), Vec<Value>>,
        budget: &mut EvaluationBudget,
    ) -> Result<(), Flow> {
        let sources = self.ends(&one.source, true);
        let targets = self.ends(&one.target, false);
        budget.charge_steps((sources.all.len() as u64).saturating_mul(targets.all.len() as u64) / 8)?;
        budget
            .charge_bytes(sources.all.len().saturating_mul(targets.all.len()).saturating_mul(2 * size_of::<Value>()))?;
        for source in &sources.all {
            for target in &targets.all {
                let text = |end: &(Str, Str)| reference(&end.0, &end.1);
                let source_text = || {
                    if sources.are_types {
                        let kind = resource_type(&source.0, Some(&source.1));
                        hieratic_puppet_functions::interpolated(&kind.into_value())
                    } else {
                        text(source)
                    }
                };
                let Some(at) = self.find(&source.0, &source.1) else {
                    let message =
                        format!("Could not find resource '{}' for relationship on '{}'", source_text(), text(target));
                    return Err(unplaced(message));
                };
                if self.find(&target.0, &target.1).is_none() {
                    let message =
                        format!("Could not find resource '{}' for relationship from '{}'", text(target), source_text());
                    return Err(unplaced(message));
                }
                let value = Value::from(text(target));
                let all = self.sharing(at, one, sharing);
                budget.charge_steps(all.len() as u64 / 8)?;
                for at in all {
                    if let Some(values) = grown.get_mut(&(at, one.notifies)) {
                        values.push(value.clone());
                        continue;
                    }
                    let values = self.start_growing(at, one);
                    grown.entry((at, one.notifies)).or_insert(values).push(value.clone());
                }
            }
        }
        Ok(())
    }

    /// Returns the resource and those that share the array of its attribute.
    fn sharing(&self, at: usize, one: &Relationship, sharing: &HashMap<u32, Vec<usize>>) -> Vec<usize> {
        let shared = self.resources[at].parameter(ordering(one.notifies)).map_or(0, |attribute| attribute.shared);
        match sharing.get(&shared).filter(|_| shared != 0) {
            Some(all) => all
                .iter()
                .copied()
                .filter(|other| {
                    let attribute = self.resources[*other].parameter(ordering(one.notifies));
                    attribute.is_some_and(|attribute| attribute.shared == shared)
                })
                .collect(),
            None => vec![at],
        }
    }

    /// Returns the values of an attribute before relationships are appended to it.
    fn start_growing(&mut self, at: usize, one: &Relationship) -> Vec<Value> {
        let name = ordering(one.notifies);
        let resource = &mut self.resources[at];
        resource.is_checked = false;
        match resource.attributes.iter_mut().find(|known| *known.name == *name) {
            Some(attribute) => match &attribute.value {
                Value::Array(values) => values.to_vec(),
                other => {
                    let values = if other.is_undef() { Vec::new() } else { vec![other.clone()] };
                    attribute.source = resource.source.clone();
                    values
                }
            },
            None => {
                let (source, site) = (resource.source.clone(), one.site.clone());
                let attribute = Attribute::new(name, Value::Undef, source, OriginKind::Relationship, site);
                resource.attributes.push(attribute);
                Vec::new()
            }
        }
    }

    /// Returns the resources at an end of a relationship. A collector on the left that finds nothing is replaced by the
    /// operand to its left.
    fn ends(&self, end: &RelationshipEnd, left: bool) -> EndResources {
        let mut end = end.clone();
        let mut seen = HashSet::default();
        loop {
            let number = match end {
                RelationshipEnd::Resource(kind, title) => {
                    return EndResources { all: vec![(kind, title)], are_types: false };
                }
                RelationshipEnd::Collector(number) => number,
            };
            let collector = &self.collectors[number];
            if !collector.found.is_empty() || !left {
                let name = |at: &usize| {
                    let resource = &self.resources[*at];
                    (resource.kind.clone(), resource.title.clone())
                };
                return EndResources { all: collector.found.keys().map(name).collect(), are_types: false };
            }
            match &collector.alternative[..] {
                [one @ RelationshipEnd::Collector(next)] if seen.insert(*next) => end = one.clone(),
                all => {
                    let named = |one: &RelationshipEnd| match one {
                        RelationshipEnd::Resource(kind, title) => Some((kind.clone(), title.clone())),
                        RelationshipEnd::Collector(_) => None,
                    };
                    return EndResources { all: all.iter().filter_map(named).collect(), are_types: true };
                }
            }
        }
    }
}

/// The resources at an end of a relationship.
struct EndResources {
    all: Vec<(Str, Str)>,
    /// Whether they replace a collector that finds nothing: the reference shows them as types then.
    are_types: bool,
}

/// Returns the attribute for a relationship.
fn ordering(notifies: bool) -> &'static str {
    if notifies { "notify" } else { "before" }
}
