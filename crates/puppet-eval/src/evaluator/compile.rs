//! The compilation of a catalog: the node's definition and classes, generators of resources, and the final checks.
//!
//! The steps are those of the reference's compiler, in its order: the order of resources, edges and tags depends on it.

use hieratic_puppet_functions::{EvalError, EvalErrorKind, Flow, Level, Site};
use hieratic_puppet_syntax::ast::NodeDefinition;
use hieratic_puppet_types::{RegexpValue, Strict};
use hieratic_ruby_regexp::Captures;
use hieratic_value::collections::HashSet;
use hieratic_value::{Rich, Str, Value};

use super::definitions::Definition;
use super::positions::EVALUATION;
use super::{Evaluator, NodeReads, RECORD_BYTES, Scope, TOP};
use crate::catalog::{
    self, Attribute, CandidateIndex, CatalogBuilder, CollectorTarget, CompiledCatalog, OriginKind, Override,
    ResourceKind, Source, Tags,
};
use crate::environment::ExportedResource;
use crate::failure::unplaced;

/// The maximum number of rounds of collectors and defined types.
const MAX_ROUNDS: usize = 1_000;

/// A matching node definition, with the groups of its pattern.
struct NodeMatch {
    defined: Definition<NodeDefinition>,
    /// The name of the node in its body.
    name: Str,
    captures: Option<Captures>,
}

impl Evaluator<'_> {
    /// Evaluates the matching node definition, if there are node definitions at all.
    pub(super) fn evaluate_node(&mut self) -> Result<(), Flow> {
        if self.definitions.nodes().is_empty() {
            return Ok(());
        }
        let node = self.options.node.to_lowercase();
        let Some(NodeMatch { defined, name, captures }) = self.node_definition_or_default(&node)? else {
            let message = format!("Could not find node statement with name 'default' or '{}'", self.options.node);
            let mut error = EvalError { kind: EvalErrorKind::Raw, ..EvalError::new(message) };
            error.site = Some(Site::default());
            return Err(error.into());
        };
        let file = defined.program.source.name();
        self.scopes.reads.definition(file, defined.definition.span.start, &name);
        let source = Source::Node(name.clone());
        let mut resource = self.new_resource(ResourceKind::Node, "node", &name, Vec::new(), Site::default())?;
        resource.source = source.clone();
        resource.declared = false;
        self.catalog.merge_tags(&resource.tags);
        let at = self.catalog.add(resource)?;
        self.catalog.take_tags(at);
        self.catalog[at].evaluated = true;
        let title = format!("Node[{name}]");
        let mut scope = Scope::new(title, Some(TOP));
        scope.is_node = true;
        scope.resource = at;
        scope.source = source;
        let id = self.scopes.add_node(scope);
        self.catalog.add_class(&name);
        self.in_scope(id, |this| {
            // The groups of the pattern are available in the body.
            if let Some(captures) = captures {
                this.scopes.push_node_match(node.into(), captures);
            }
            this.scopes.assign_local(&"title".into(), Value::String(name.clone()))?;
            this.scopes.assign_local(&"name".into(), Value::String(name))?;
            // A `return` or `next` has nothing to end here.
            this.in_program(&defined.program, |this| this.eval(&defined.definition.body)).map(drop)
        })
    }

    /// Returns whether the definition of this node is the one that another node's reads name.
    pub(super) fn has_same_definition(&mut self, reads: &NodeReads) -> Result<bool, Flow> {
        if self.definitions.nodes().is_empty() {
            return Ok(reads.definition().is_none());
        }
        let node = self.options.node.to_lowercase();
        let chosen = self.node_definition_or_default(&node)?;
        let (Some(found), Some((file, place, name))) = (chosen, reads.definition()) else { return Ok(false) };
        let defined = &found.defined;
        Ok(found.name == *name && *defined.program.source.name() == **file && defined.definition.span.start == *place)
    }

    /// Returns the definition of a node, or else the default.
    fn node_definition_or_default(&mut self, node: &str) -> Result<Option<NodeMatch>, Flow> {
        match self.node_definition(node)? {
            // The reference finds the default by its name, so a pattern may match it, too.
            None if node != "default" => self.node_definition("default"),
            chosen => Ok(chosen),
        }
    }

    /// Returns the definition with the node's name, or else the first with a matching pattern; for `default` also the
    /// definition of that name.
    fn node_definition(&mut self, node: &str) -> Result<Option<NodeMatch>, Flow> {
        let (mut by_pattern, mut default) = (None, None);
        for defined in self.definitions.nodes().to_vec() {
            for expr in &defined.definition.matches {
                let value = self.in_program(&defined.program, |this| this.eval(expr))?;
                match &value {
                    Value::String(name) if name.to_lowercase() == node => {
                        return Ok(Some(NodeMatch { defined, name: node.into(), captures: None }));
                    }
                    Value::Rich(rich) if matches!(**rich, Rich::Default) && node == "default" => {
                        let chosen = || NodeMatch { defined: defined.clone(), name: "default".into(), captures: None };
                        default = default.or_else(|| Some(chosen()));
                    }
                    other => {
                        let Some(regexp) = RegexpValue::downcast(other).filter(|_| by_pattern.is_none()) else {
                            continue;
                        };
                        if let Some(captures) = regexp.captures(node) {
                            let (defined, name) = (defined.clone(), name_of_pattern(regexp.source()));
                            by_pattern = Some(NodeMatch { defined, name, captures: Some(captures) });
                        }
                    }
                }
            }
        }
        Ok(default.or(by_pattern))
    }

    /// Declares the classes that a classifier lists for the node: those with parameters are evaluated with the other
    /// generators, the others are included.
    pub(super) fn evaluate_listed_classes(&mut self, classes: &[(Str, Vec<(Str, Value)>)]) -> Result<(), Flow> {
        let scope = self.scopes.global_scope();
        self.in_scope(scope, |this| {
            let (with, without): (Vec<_>, Vec<_>) = classes.iter().partition(|(_, parameters)| !parameters.is_empty());
            for (name, _) in &with {
                this.known_listed_class(name)?;
            }
            for (name, parameters) in &with {
                let class = this.known_listed_class(name)?;
                let plain = class.definition.name.to_lowercase();
                let attributes = parameters
                    .iter()
                    .map(|(name, value)| {
                        let source = Source::Class(plain.as_str().into());
                        Attribute::new(name.clone(), value.clone(), source, OriginKind::Classifier, Site::default())
                    })
                    .collect();
                this.ensure_class(&class, attributes)?;
            }
            for (name, _) in &without {
                this.known_listed_class(name)?;
            }
            let mut new = Vec::new();
            for (name, _) in &without {
                let class = this.known_listed_class(name)?;
                if this.scopes.of_class(&class.definition.name.to_lowercase()).is_none() {
                    new.push(this.ensure_class(&class, Vec::new())?);
                }
            }
            Ok(())
        })
    }

    fn known_listed_class(&mut self, name: &str) -> Result<Definition<hieratic_puppet_syntax::ast::Class>, Flow> {
        let found = self.class(name)?;
        found.ok_or_else(|| unplaced(format!("Could not find class {name} for {}", self.node())))
    }

    /// Collects and evaluates until nothing changes, then finishes and checks the declarations.
    pub(super) fn finish_catalog(&mut self) -> Result<(), Flow> {
        self.evaluate_generators()?;
        self.catalog.evaluate_relationships(&mut self.budget)?;
        self.finish_resources()?;
        self.catalog.pass_metaparameters_down(&mut self.budget)?;
        self.catalog.check()
    }

    /// Returns the finished catalog and replaces it with an empty one.
    pub fn take_catalog(&mut self) -> CompiledCatalog {
        let catalog = std::mem::take(&mut self.catalog);
        CompiledCatalog::from_catalog(catalog, &self.options.node, self.environment.name(), self.options.with_exported)
    }

    fn evaluate_generators(&mut self) -> Result<(), Flow> {
        for round in 0.. {
            let (collectors, resources) = (self.catalog.count_collectors() as u64, self.catalog.count() as u64);
            // Most resources are skipped quickly.
            self.budget.charge_steps(resources.saturating_add(collectors) / 64)?;
            let collected = self.run_collectors()?;
            if !self.evaluate_bodies()? && !collected {
                break;
            }
            if round > MAX_ROUNDS {
                return Err(EvalError::rule("Somehow looped more than 1000 times while evaluating host catalog").into());
            }
        }
        Ok(())
    }

    /// Runs every collector, and returns whether one found new resources.
    fn run_collectors(&mut self) -> Result<bool, Flow> {
        let mut changed = false;
        let mut index = CandidateIndex::default();
        for number in 0..self.catalog.count_collectors() {
            if !self.catalog.collector(number).is_done {
                changed |= self.run_collector(number, &mut index)?;
            }
        }
        Ok(changed)
    }

    fn run_collector(&mut self, number: usize, index: &mut CandidateIndex) -> Result<bool, Flow> {
        let target = self.catalog.collector(number).target.clone();
        let found = match target {
            CollectorTarget::Named(names) => {
                let (there, missing): (Vec<_>, Vec<_>) =
                    names.into_iter().partition(|(kind, title)| self.catalog.find(kind, title).is_some());
                let collector = self.catalog.collector_mut(number);
                collector.is_done = missing.is_empty();
                collector.target = CollectorTarget::Named(missing);
                there.iter().filter_map(|(kind, title)| self.catalog.find(kind, title)).collect()
            }
            CollectorTarget::Matching { kind, query } => {
                let candidates = query.as_ref().and_then(|query| index.candidates(&self.catalog, &kind, query));
                let collector = self.catalog.collector(number);
                let mut found = candidates.unwrap_or_else(|| self.catalog.of_kind(&kind));
                self.budget.charge_steps((found.len() as u64).saturating_add(index.take_added()) / 16)?;
                found.retain(|at| {
                    !collector.found.contains_key(at)
                        && query.as_ref().is_none_or(|query| query.accepts(&self.catalog, *at))
                });
                found
            }
            CollectorTarget::Exported { kind, query } => self.collect_exported(number, &kind, query.as_deref())?,
        };
        for at in &found {
            self.catalog[*at].is_virtual = false;
        }
        let collector = self.catalog.collector(number);
        let new: Vec<usize> = found.into_iter().filter(|at| !collector.found.contains_key(at)).collect();
        if new.is_empty() {
            return Ok(false);
        }
        if let Some(overrides) = collector.overrides.clone() {
            self.catalog.allow_overrides(overrides.source.clone());
            for at in &new {
                let (kind, title) = (self.catalog[*at].kind.clone(), self.catalog[*at].title.clone());
                let mut attributes = overrides.attributes.clone();
                // In the reference, overrides are a resource themselves, to which the defaults of the scope apply.
                for default in self.scopes.defaults_of(overrides.scope, &kind) {
                    if attributes.iter().all(|known| known.name != default.name) {
                        attributes.push(default);
                    }
                }
                let (site, source) = (overrides.site.clone(), overrides.source.clone());
                let change = Override { kind, title, attributes, site, source };
                self.merge(*at, &change)?;
                let changed = change.attributes.iter().map(|attribute| &attribute.name);
                index.add_changes(&self.catalog, *at, &change.kind, changed);
            }
        }
        self.catalog.collector_mut(number).found.extend(new.into_iter().map(|at| (at, ())));
        Ok(true)
    }

    /// Adds the resources that other nodes export to the catalog, and returns them with those that this node exports.
    fn collect_exported(
        &mut self,
        number: usize,
        kind: &str,
        query: Option<&catalog::Query>,
    ) -> Result<Vec<usize>, Flow> {
        let environment = self.environment.clone();
        let Some(others) = environment.exported(kind) else { return Ok(Vec::new()) };
        // The resources of the node itself are left out.
        self.scopes.reads.refuse();
        let others = others.map_err(unplaced)?;
        self.budget.charge_steps((others.len() + self.catalog.count_of_kind(kind)) as u64 / 16)?;
        // Those of this node come first.
        let mut found = self.catalog.of_kind(kind);
        found.retain(|at| self.catalog[*at].exported && query.is_none_or(|query| query.accepts(&self.catalog, *at)));
        for one in others.iter() {
            if one.node == self.options.node || query.is_some_and(|query| !query.accepts_exported(one)) {
                continue;
            }
            let id: Str = format!("{}|{kind}|{}", one.node, one.title).into();
            if let Some(at) = self.catalog.find(kind, &one.title) {
                if self.catalog[at].collected_from.as_ref() != Some(&id) {
                    let reference = catalog::reference(kind, &one.title);
                    return Err(unplaced(format!(
                        "A duplicate resource was found while collecting exported resources, with the type and title {reference}"
                    )));
                }
                continue;
            }
            found.push(self.add_exported(number, kind, one, id)?);
        }
        Ok(found)
    }

    fn add_exported(&mut self, number: usize, kind: &str, one: &ExportedResource, id: Str) -> Result<usize, Flow> {
        let scope = self.catalog.collector(number).scope;
        let site = Site { file: one.file.clone(), line: one.line.unwrap_or(0), ..Site::default() };
        let defined = self.native_kind(kind)?.is_none() && self.defined_type(kind)?.is_some();
        let sort = if defined { ResourceKind::Defined } else { ResourceKind::Native };
        let result = self.in_scope(scope, |this| this.new_resource(sort, kind, &one.title, Vec::new(), site.clone()));
        let mut resource = result?;
        // The tags that it includes are its only ones.
        if !one.tags.is_empty() {
            resource.tags = Tags::default();
        }
        for tag in &one.tags {
            self.catalog.add_tag(tag, &mut resource.tags, &site)?;
        }
        for (name, value) in &one.parameters {
            let name: Str = name.to_text().into();
            let source = resource.source.clone();
            let origin = OriginKind::Exported(one.node.as_str().into());
            self.catalog.set_on(
                &mut resource,
                Attribute::new(name, value.clone(), source, origin, site.clone()),
                &mut self.budget,
            )?;
        }
        self.budget.charge_bytes(RECORD_BYTES)?;
        resource.collected_from = Some(id);
        Ok(self.catalog.add(resource)?)
    }

    /// Runs the bodies of the newly declared defined types and classes.
    fn evaluate_bodies(&mut self) -> Result<bool, Flow> {
        let mut evaluated = false;
        // Resources that are declared meanwhile are evaluated in the next round, so that the number of rounds is the
        // nesting depth.
        for at in CatalogBuilder::FIRST..self.catalog.count() {
            let resource = &self.catalog[at];
            if !resource.evaluated && !resource.is_virtual && resource.resource_kind != ResourceKind::Native {
                self.evaluate_one(at)?;
                evaluated = true;
            }
        }
        Ok(evaluated)
    }

    fn evaluate_one(&mut self, at: usize) -> Result<(), Flow> {
        let resource = &self.catalog[at];
        let (site, sort) = (resource.site.clone(), resource.resource_kind);
        let outcome = match sort {
            ResourceKind::Class => self.evaluate_class(at),
            _ => self.evaluate_defined(at),
        };
        // An error in the body is reported at the resource; its original position becomes part of the message.
        outcome.map_err(|flow| match flow {
            Flow::Error(mut error) => {
                let place = error.site.as_ref().map(crate::failure::site_text).unwrap_or_default();
                error.message =
                    format!("{EVALUATION}Error while evaluating a Resource Statement, {}{place}", error.message);
                error.site = Some(Site { column: 0, ..site });
                Flow::Error(error)
            }
            Flow::Break(site) => {
                let message = "Error while evaluating an Object, break() from context where this is illegal";
                let mut error = EvalError::rule(format!("{EVALUATION}{message}"));
                error.site = Some(Site { column: 0, ..site });
                error.into()
            }
            other => other,
        })
    }

    fn evaluate_defined(&mut self, at: usize) -> Result<(), Flow> {
        self.catalog[at].evaluated = true;
        self.catalog.take_tags(at);
        let resource = &self.catalog[at];
        let (kind, title, reference) = (resource.kind.clone(), resource.title.clone(), resource.reference());
        let declared_in = resource.scope;
        let Some(define) = self.defined_type(&kind)? else { return Ok(()) };
        let id = self.scopes.new_scope(reference.clone(), None, None);
        let scope = &mut self.scopes[id];
        scope.declared_in = Some(declared_in);
        scope.resource = at;
        scope.source = Source::Define(kind.clone());
        self.in_scope(id, |this| {
            this.in_program(&define.program, |this| {
                let parameters = &define.definition.parameters;
                this.bind_attributes(at, &reference, None, &title, parameters)?;
                this.run_body(&define.definition.body)
            })
        })
    }

    /// Applies to each resource the overrides that preceded its declaration and the tags of its container, and checks
    /// its attributes.
    fn finish_resources(&mut self) -> Result<(), Flow> {
        for at in CatalogBuilder::FIRST..self.catalog.count() {
            self.budget.step()?;
            for one in self.catalog.take_overrides(at) {
                self.merge(at, &one)?;
            }
            self.catalog.take_tags(at);
            let resource = &mut self.catalog[at];
            for attribute in &mut resource.attributes {
                if let Some(Rich::Sensitive(inner)) = attribute.value.as_rich() {
                    resource.sensitive.push(attribute.name.clone());
                    attribute.value = inner.clone();
                }
            }
            self.check_attributes(at)?;
        }
        Ok(())
    }

    /// Checks that a resource has only the attributes of its type.
    fn check_attributes(&mut self, at: usize) -> Result<(), Flow> {
        let resource = &self.catalog[at];
        match resource.resource_kind {
            ResourceKind::Native => {
                let Some(kind) = &resource.native else { return Ok(()) };
                let Some(unknown) = resource.attributes.iter().find(|attribute| !kind.has(&attribute.name)) else {
                    return Ok(());
                };
                let site = Site { column: 0, ..resource.site.clone() };
                let place = crate::failure::site_text(&site);
                let message = format!("no parameter named '{}'{place} on {}", unknown.name, resource.reference());
                let mut error = EvalError::rule(message);
                error.site = Some(site);
                Err(error.into())
            }
            // Its attributes are the parameters of its body.
            ResourceKind::Defined if resource.is_checked => Ok(()),
            ResourceKind::Defined => {
                let kind = resource.kind.clone();
                let Some(define) = self.defined_type(&kind)? else { return Ok(()) };
                let resource = &self.catalog[at];
                let reference = resource.reference();
                let secret = |attribute: &Attribute| {
                    let is_secret = resource.sensitive.contains(&attribute.name);
                    let value = attribute.value.clone();
                    if is_secret { Value::Rich(std::sync::Arc::new(Rich::Sensitive(value))) } else { value }
                };
                let values: Vec<(Str, Value)> =
                    resource.attributes.iter().map(|one| (one.name.clone(), secret(one))).collect();
                let checked = self.in_program(&define.program, |this| {
                    this.check_bound(&reference, &define.definition.parameters, &values)
                });
                checked.map_err(|flow| match flow {
                    Flow::Error(mut error) => {
                        error.site = Some(Site::default());
                        Flow::Error(error)
                    }
                    other => other,
                })
            }
            ResourceKind::Class | ResourceKind::Node => Ok(()),
        }
    }

    /// Applies an override to a resource, if it is allowed.
    pub(super) fn merge(&mut self, at: usize, one: &Override) -> Result<(), Flow> {
        for attribute in one.attributes.iter().filter(|attribute| &*attribute.name == "tag") {
            self.catalog.tags_in(&attribute.value, &one.site, &mut self.budget)?;
        }
        let resource = &self.catalog[at];
        let refuse = |message: String| {
            let mut error = EvalError::rule(message);
            error.site = Some(Site { column: 0, ..one.site.clone() });
            Err(error.into())
        };
        if resource.source != one.source && !self.is_child(&one.source, &resource.source) {
            return refuse("Only subclasses can override parameters".into());
        }
        if resource.evaluated && resource.resource_kind != ResourceKind::Native {
            let place = crate::failure::site_text(&Site { column: 0, ..resource.site.clone() });
            let defined = if place.is_empty() { String::new() } else { format!(", defined at{place},") };
            let message = format!("Attempt to override an already evaluated resource{defined} with new values");
            match self.options.strict {
                Strict::Off => {}
                Strict::Error => return refuse(message),
                Strict::Warning => {
                    let place = crate::failure::site_text(&Site { column: 0, ..one.site.clone() });
                    self.log_without_scope(Level::Warning, format!("{message}{place}"));
                }
            }
        }
        for attribute in &one.attributes {
            self.override_attribute(at, attribute)?;
        }
        Ok(())
    }

    fn override_attribute(&mut self, at: usize, new: &Attribute) -> Result<(), Flow> {
        let resource = &self.catalog[at];
        let Some(current) = resource.parameter(&new.name) else {
            return self.catalog.set_attribute(at, new.clone(), &mut self.budget);
        };
        // A default does not change a set attribute.
        if self.scopes.is_default(resource.scope, &resource.kind, &new.name, &new.value) {
            return Ok(());
        }
        let may = self.is_child(&new.source, &current.source)
            || new.source == current.source
                && self.scopes.is_default(resource.scope, &resource.kind, &new.name, &current.value);
        if !may {
            let by = CatalogBuilder::source_text(&current.source);
            let place = crate::failure::site_text(&current.origin.place());
            let at = if place.is_empty() { String::new() } else { format!(" at{place}") };
            let message =
                format!("Parameter '{}' is already set on {}{by}{at}; cannot redefine", new.name, resource.reference());
            let mut error = EvalError::rule(message);
            error.site = Some(new.origin.place());
            return Err(error.into());
        }
        let mut new = new.clone();
        if new.add {
            let (old, value) = (current.value.clone(), new.value.clone());
            new.value = Value::from(crate::values::flatten(vec![old, value]));
            new.shared = 0;
        }
        self.catalog.set_attribute(at, new, &mut self.budget)
    }

    /// Returns whether the code of one definition inherits from another.
    fn is_child(&self, child: &Source, parent: &Source) -> bool {
        let mut at = child.clone();
        let mut seen = HashSet::default();
        loop {
            if self.catalog.may_override(&at) {
                return true;
            }
            let Source::Class(name) = &at else { return false };
            if !seen.insert(name.clone()) {
                return false;
            }
            let Some(defined) = self.definitions.loaded_class(name) else { return false };
            let Some(of) = &defined.definition.parent else { return false };
            at = Source::Class(catalog::class_key(of));
            if at == *parent {
                return true;
            }
        }
    }
}

/// Returns the name of a node that a pattern matches: the characters of the pattern that are valid in a name.
pub(super) fn name_of_pattern(pattern: &str) -> Str {
    let is_name = |letter: &char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | ':' | '.');
    let letters: String = pattern.to_lowercase().chars().filter(is_name).collect();
    format!("__node_regexp__{}", letters.trim_start_matches('.')).into()
}
