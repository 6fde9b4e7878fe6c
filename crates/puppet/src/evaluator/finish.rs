//! The end of a compilation: the node's definition, collectors, defined types, and the checks of the whole.

use hieratic_functions::{Fault, FaultKind, Flow, Site};
use hieratic_pcore::RegexpValue;
use hieratic_regexp::Captures;
use hieratic_value::{Rich, Str, Value};

use super::definitions::Defined;
use super::locate::EVALUATION;
use super::{Evaluator, Scope, TOP};
use crate::catalog::{self, Resource};
use hieratic_syntax::ast::NodeDefinition;

/// How often collectors and defined types may wake each other up.
const ROUNDS: usize = 1_000;

/// The definition of a node that fits, with what its pattern matched.
struct Chosen {
    defined: Defined<NodeDefinition>,
    /// What the node is called in its body.
    name: Str,
    captures: Option<Captures>,
}

impl Evaluator<'_> {
    /// Evaluates the definition of the node that fits, if nodes are defined at all.
    pub(super) fn evaluate_node(&mut self) -> Result<(), Flow> {
        if self.definitions.nodes.is_empty() {
            return Ok(());
        }
        let Some(Chosen { defined, name, captures }) = self.node_definition()? else {
            let message = format!("Could not find node statement with name 'default' or '{}'", self.options.node);
            let mut fault = Fault { kind: FaultKind::Raw, ..Fault::new(message) };
            fault.site = Some(Site::default());
            return Err(fault.into());
        };
        let title = format!("Node[{}]", self.options.node);
        let mut scope = Scope::new(title, Some(TOP));
        scope.is_node = true;
        self.scopes.push(scope);
        let id = self.scopes.len() - 1;
        self.node_scope = id;
        self.in_scope(id, |this| {
            // What the pattern found can be used in the body.
            if let Some(captures) = captures {
                let node = this.options.node.to_lowercase().into();
                this.locals.remember(node, captures);
            }
            this.assign_local(&"title".into(), Value::String(name.clone()))?;
            this.assign_local(&"name".into(), Value::String(name))?;
            // There is nothing here that `return` or `next` could end.
            this.in_program(&defined.program, |this| this.eval(&defined.definition.body)).map(drop)
        })
    }

    /// The definition with the node's name, then the first with a pattern that matches, then the default.
    fn node_definition(&mut self) -> Result<Option<Chosen>, Flow> {
        let node = self.options.node.to_lowercase();
        let (mut by_pattern, mut default) = (None, None);
        for defined in self.definitions.nodes.clone() {
            for expr in &defined.definition.matches {
                let value = self.in_program(&defined.program, |this| this.eval(expr))?;
                match &value {
                    Value::String(name) if name.to_lowercase() == node => {
                        return Ok(Some(Chosen { defined, name: node.into(), captures: None }));
                    }
                    Value::Rich(rich) if matches!(**rich, Rich::Default) => {
                        let chosen = || Chosen { defined: defined.clone(), name: "default".into(), captures: None };
                        default = default.or_else(|| Some(chosen()));
                    }
                    other => {
                        let Some(regexp) = RegexpValue::of(other).filter(|_| by_pattern.is_none()) else { continue };
                        if let Some(captures) = regexp.captures(&node) {
                            let (defined, name) = (defined.clone(), name_of_pattern(regexp.source()));
                            by_pattern = Some(Chosen { defined, name, captures: Some(captures) });
                        }
                    }
                }
            }
        }
        Ok(by_pattern.or(default))
    }

    /// Collects and evaluates until nothing changes, then checks what was declared.
    pub(super) fn finish_catalog(&mut self) -> Result<(), Flow> {
        for round in 0.. {
            let (collectors, resources) = (self.catalog.collectors.len() as u64, self.catalog.resources.len() as u64);
            // Most resources are passed over at a glance.
            let glances = resources.saturating_add(collectors.saturating_mul(resources).saturating_mul(4));
            self.spend(glances / 64 + self.catalog.realized.len() as u64 / 8)?;
            let collected = self.run_collectors();
            if !self.evaluate_defined()? && !collected {
                break;
            }
            if round > ROUNDS {
                return Err(Fault::rule("Somehow looped more than 1000 times while evaluating host catalog").into());
            }
        }
        self.check_relationships()?;
        self.finish_resources()?;
        self.check_overrides()?;
        self.check_realized()?;
        self.check_ordering_attributes()
    }

    /// What was to be realized has to be there.
    fn check_realized(&self) -> Result<(), Flow> {
        let missing = self.catalog.realized.iter().filter(|(kind, title)| self.catalog.find(kind, title).is_none());
        let missing: Vec<String> = missing.map(|(kind, title)| catalog::reference(kind, title)).collect();
        if missing.is_empty() {
            return Ok(());
        }
        Err(unplaced(format!("Failed to realize virtual resources {}", missing.join(", "))))
    }

    fn run_collectors(&mut self) -> bool {
        let mut changed = false;
        for (kind, title) in &self.catalog.realized {
            if let Some(resource) = self.catalog.find(kind, title).and_then(|at| self.catalog.resources.get_mut(at)) {
                changed |= std::mem::replace(&mut resource.is_virtual, false);
            }
        }
        let mut collectors = std::mem::take(&mut self.catalog.collectors);
        for collector in &mut collectors {
            for (at, resource) in self.catalog.resources.iter_mut().enumerate() {
                if collector.done.contains(&at) || resource.kind != collector.kind {
                    continue;
                }
                if collector.query.as_ref().is_none_or(|query| query.accepts(resource)) {
                    collector.done.insert(at);
                    resource.is_virtual = false;
                    for (name, value, add) in &collector.attributes {
                        let value = match (add, resource.attribute(name)) {
                            (true, Some(old)) => Value::from(crate::values::flatten(vec![old.clone(), value.clone()])),
                            _ => value.clone(),
                        };
                        resource.set(name, value);
                    }
                    changed = true;
                }
            }
        }
        self.catalog.collectors = collectors;
        changed
    }

    /// Runs the bodies of the defined types that were declared since.
    fn evaluate_defined(&mut self) -> Result<bool, Flow> {
        let mut evaluated = false;
        // What is declared meanwhile has its turn in the next round, so that the rounds count how deep it goes.
        for at in 0..self.catalog.resources.len() {
            let resource = &self.catalog.resources[at];
            if !resource.evaluated && !resource.is_virtual {
                self.evaluate_one(at)?;
                evaluated = true;
            }
        }
        Ok(evaluated)
    }

    fn evaluate_one(&mut self, at: usize) -> Result<(), Flow> {
        let resource: &mut Resource = &mut self.catalog.resources[at];
        resource.evaluated = true;
        let (kind, title) = (resource.kind.clone(), resource.title.clone());
        let (reference, site) = (resource.reference(), resource.site.clone());
        let attributes = resource.attributes.clone();
        let Some(define) = self.defined_type(&kind)? else { return Ok(()) };
        let id = self.new_scope(reference.clone(), None, None);
        let outcome = self.in_scope(id, |this| {
            this.in_program(&define.program, |this| {
                let parameters = &define.definition.parameters;
                this.bind_attributes(&reference, None, &title, parameters, attributes)?;
                this.run_body(&define.definition.body)
            })
        });
        // A fault in the body is one of the resource; where it happened becomes a part of the message.
        outcome.map_err(|flow| match flow {
            Flow::Fault(mut fault) => {
                let place = fault.site.as_ref().map(crate::failure::site_text).unwrap_or_default();
                fault.message =
                    format!("{EVALUATION}Error while evaluating a Resource Statement, {}{place}", fault.message);
                fault.site = Some(Site { column: 0, ..site });
                Flow::Fault(fault)
            }
            other => other,
        })
    }

    fn check_overrides(&self) -> Result<(), Flow> {
        let missing: Vec<String> =
            self.catalog.overrides.iter().map(|one| catalog::reference(&one.kind, &one.title)).collect();
        let Some(first) = self.catalog.overrides.first() else { return Ok(()) };
        let mut fault = Fault::rule(format!("Could not find resource(s) {} for overriding", missing.join(", ")));
        // The reference tells no place.
        fault.site = Some(Site::default());
        let place = crate::failure::site_text(&Site { column: 0, ..first.site.clone() });
        fault.help = Some(format!("the first override is here:{place}").into());
        Err(fault.into())
    }

    /// Both ends of every relationship have to be there.
    fn check_relationships(&self) -> Result<(), Flow> {
        for one in &self.catalog.relationships {
            let text = |end: &(Str, Str)| catalog::reference(&end.0, &end.1);
            for (end, word, other) in [(&one.source, "on", &one.target), (&one.target, "from", &one.source)] {
                if self.catalog.get(&end.0, &end.1).is_none() {
                    let message =
                        format!("Could not find resource '{}' for relationship {word} '{}'", text(end), text(other));
                    return Err(unplaced(message));
                }
            }
        }
        Ok(())
    }

    /// What attributes such as `require` name has to be there.
    fn check_ordering_attributes(&self) -> Result<(), Flow> {
        for resource in &self.catalog.resources {
            for name in ["require", "before", "notify", "subscribe"] {
                let Some(value) = resource.attribute(name) else { continue };
                for target in crate::values::flatten(vec![value.clone()]) {
                    let (kind, title) = match hieratic_pcore::Type::of_value(&target) {
                        Some(hieratic_pcore::Type::Class(Some(name))) => ("class".to_owned(), name.to_string()),
                        Some(hieratic_pcore::Type::Resource(one)) => match (&one.name, &one.title) {
                            (Some(name), Some(title)) => (name.to_lowercase(), title.to_string()),
                            _ => continue,
                        },
                        _ => continue,
                    };
                    if self.catalog.get(&kind, &title).is_none() {
                        let message = format!(
                            "Could not find resource '{}' in parameter '{name}'",
                            catalog::reference(&kind, &title)
                        );
                        let mut fault = Fault::rule(message);
                        fault.site = Some(Site { column: 0, ..resource.site.clone() });
                        return Err(fault.into());
                    }
                }
            }
        }
        Ok(())
    }

    /// Gives each resource what was said of it, and checks its attributes.
    fn finish_resources(&mut self) -> Result<(), Flow> {
        for at in 0..self.catalog.resources.len() {
            self.apply_waiting(at)?;
            self.check_attributes(&self.catalog.resources[at])?;
        }
        Ok(())
    }

    /// A resource of a type that the language brings along has only the attributes of its type.
    fn check_attributes(&self, resource: &Resource) -> Result<(), Flow> {
        let Some(kind) = crate::resource_kinds::find(&resource.kind) else { return Ok(()) };
        if self.definitions.defines.contains_key(&resource.kind) {
            return Ok(());
        }
        let Some((name, _)) = resource.attributes.iter().find(|(name, _)| !kind.has(name)) else { return Ok(()) };
        let site = Site { column: 0, ..resource.site.clone() };
        let place = crate::failure::site_text(&site);
        let mut fault = Fault::rule(format!("no parameter named '{name}'{place} on {}", resource.reference()));
        fault.site = Some(site);
        Err(fault.into())
    }
}

/// What a node is called that a pattern matches: the letters of the pattern that can be in a name.
pub(super) fn name_of_pattern(pattern: &str) -> Str {
    let is_name = |letter: &char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | ':' | '.');
    let letters: String = pattern.to_lowercase().chars().filter(is_name).collect();
    format!("__node_regexp__{}", letters.trim_start_matches('.')).into()
}

fn unplaced(message: String) -> Flow {
    let mut fault = Fault::rule(message);
    fault.site = Some(Site::default());
    fault.into()
}
