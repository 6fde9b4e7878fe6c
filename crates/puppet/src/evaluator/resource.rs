//! Resources: declared, defaulted, overridden, collected, put in order.
//!
//! See [resources](https://www.puppet.com/docs/puppet/8/lang_resources.html). They are kept for what code asks of them;
//! nothing is applied.

use std::sync::Arc;

use hieratic_checker::label;
use hieratic_functions::{Fault, Flow, Level, Outcome, Site};
use hieratic_pcore::{Content, Opaque, Type, infer};
use hieratic_syntax::ast::{
    Collect, Comparison, Edge, Expr, Form, Node, Operation, Resource as Declaration, ResourceDefaults,
    ResourceOverride, Variable,
};
use hieratic_value::{Str, Value};
use rustc_hash::FxHashSet;

use super::class::tags_of;
use super::{Evaluator, RECORD};
use crate::catalog::{self, Collector, Override, Query, Relationship, Resource};
use crate::{resource_kinds, values};

/// Attributes with their values, and whether the values are added to what is there.
type Attributes = Vec<(Str, Value, bool)>;

/// The type and title of a resource, if a value names one, and the value.
type Operand = (Option<(Str, Str)>, Value);

impl Evaluator<'_> {
    /// Whether resources of the type of a lower-case name can be declared.
    pub(crate) fn is_resource_type(&mut self, name: &str) -> Result<bool, Flow> {
        Ok(resource_kinds::find(name).is_some()
            || resource_kinds::comes_in_module(name)
            || self.defined_type(name)?.is_some())
    }

    pub(super) fn eval_resource(&mut self, expr: &Expr, declaration: &Declaration) -> Outcome {
        let kind = self.resource_kind(&declaration.kind)?;
        if declaration.form == Form::Exported {
            let message = "You cannot collect exported resources without storeconfigs being set; the export is ignored";
            let site = self.site_of(expr);
            self.say(Level::Warning, message.into(), Some(site));
        }
        let mut all_titles: Vec<(Option<String>, usize)> = Vec::new();
        let mut bodies: Vec<(Vec<String>, Attributes)> = Vec::new();
        for (body_index, body) in declaration.bodies.iter().enumerate() {
            let value = self.eval(&body.title)?;
            if value.is_undef() {
                return Err(self.fail(&body.title, "Missing title. The title expression resulted in undef"));
            }
            let mut titles = Vec::new();
            for (index, title) in values::flatten(vec![value]).into_iter().enumerate() {
                let name = match &title {
                    Value::Undef => {
                        let message =
                            format!("Missing title at index {index}. The title expression resulted in an undef title");
                        return Err(self.fail(&body.title, message));
                    }
                    Value::String(text) if text.is_empty() => {
                        let message = format!(
                            "Empty string title at {index}. Title strings must have a length greater than zero."
                        );
                        return Err(self.fail(&body.title, message));
                    }
                    Value::String(text) => Some(text.to_string()),
                    other if values::is_default(other) => None,
                    other => {
                        let actual = infer(other).generalize();
                        let message = format!("Illegal title type at index {index}. Expected String, got {actual}");
                        return Err(self.fail(&body.title, message));
                    }
                };
                if all_titles.iter().any(|(known, _)| *known == name) {
                    let shown = name.as_deref().unwrap_or("default");
                    let message = format!("The title '{shown}' has already been used in this resource expression");
                    return Err(self.fail(expr, message));
                }
                all_titles.push((name.clone(), body_index));
                titles.extend(name);
            }
            let attributes = self.eval_operations(expr, &body.operations)?;
            bodies.push((titles, attributes));
        }
        if kind != "class" && !self.is_resource_type(&kind)? {
            return Err(Fault::new(format!("Unknown resource type: '{kind}'")).into());
        }
        let defaults = all_titles.iter().find(|(title, _)| title.is_none()).map(|(_, body)| bodies[*body].1.clone());
        let mut references = Vec::new();
        for (titles, attributes) in bodies {
            let mut merged = defaults.clone().unwrap_or_default();
            for (name, value, add) in attributes {
                merged.retain(|(known, ..)| *known != name);
                merged.push((name, value, add));
            }
            for title in titles {
                self.declare(expr, declaration.form, &kind, &title, &merged)?;
                references.push(catalog::declared_type(&kind, &title).into_value());
            }
        }
        Ok(Value::from(references))
    }

    /// The lower-case name of the type that resources are declared of.
    fn resource_kind(&mut self, expr: &Expr) -> Result<String, Flow> {
        if let Node::Name(name) = &expr.node {
            return Ok(name.strip_prefix("::").unwrap_or(name).to_lowercase());
        }
        let value = self.eval(expr)?;
        let shape = match &expr.node {
            Node::Reference(_) => true,
            Node::Access { left, .. } => matches!(left.node, Node::Reference(_)),
            _ => false,
        };
        match Type::of_value(&value) {
            Some(Type::Class(None)) if shape => return Ok("class".into()),
            Some(Type::Resource(kind)) if shape && kind.title.is_none() => {
                if let Some(name) = &kind.name {
                    return Ok(name.to_lowercase());
                }
            }
            _ => {}
        }
        let actual = match Type::of_value(&value) {
            Some(kind) if shape => kind.to_string(),
            _ => infer(&value).generalize().to_string(),
        };
        let message = format!(
            "Illegal Resource Type expression, expected result to be a type name, or untitled Resource, got {actual}"
        );
        Err(self.fail(expr, message))
    }

    fn eval_operations(&mut self, expr: &Expr, operations: &[Operation]) -> Result<Attributes, Flow> {
        let mut attributes: Attributes = Vec::new();
        for operation in operations {
            let new = match operation {
                Operation::Attribute { name, append, value, .. } => {
                    vec![(name.clone(), self.eval(value)?, *append)]
                }
                Operation::Splat { value, .. } => {
                    let splat = self.eval(value)?;
                    let Value::Hash(hash) = &splat else {
                        let actual = infer(&splat).generalize();
                        return Err(self.fail(value, format!("Expected value of type Hash, got {actual}")));
                    };
                    hash.iter().map(|(name, value)| (name.to_text().into(), value.clone(), false)).collect()
                }
            };
            for (name, value, append) in new {
                if attributes.iter().any(|(known, ..)| *known == name) {
                    return Err(self.fail(expr, format!("The attribute '{name}' has already been set")));
                }
                attributes.push((name, value, append));
            }
        }
        Ok(attributes)
    }

    fn declare(
        &mut self,
        expr: &Expr,
        form: Form,
        kind: &str,
        title: &str,
        attributes: &[(Str, Value, bool)],
    ) -> Result<(), Flow> {
        let site = self.site_of(expr);
        let attributes: Vec<(Str, Value)> =
            attributes.iter().map(|(name, value, _)| (name.clone(), value.clone())).collect();
        let before = std::mem::replace(&mut self.at, expr.at);
        let result = self.declare_resource(form, kind, title, attributes, site);
        self.at = before;
        result
    }

    /// Declares one resource; classes are evaluated at once, defined types later.
    pub(crate) fn declare_resource(
        &mut self,
        form: Form,
        kind: &str,
        title: &str,
        mut attributes: Vec<(Str, Value)>,
        site: Site,
    ) -> Result<(), Flow> {
        if kind == "class" {
            return self.declare_class_with(title, attributes, site);
        }
        if !self.is_resource_type(kind)? {
            return Err(Fault::new(format!("Unknown resource type: '{kind}'")).into());
        }
        if let Some(previous) = self.catalog.get(kind, title) {
            return Err(self.duplicate(previous, &site).into());
        }
        for (name, value) in self.defaults_of(kind) {
            if attributes.iter().all(|(known, _)| *known != name) {
                attributes.push((name, value));
            }
        }
        let mut tags = tags_of(kind);
        for (name, value) in &attributes {
            if &**name == "tag" {
                let list = values::flatten(vec![value.clone()]);
                tags.extend(list.iter().filter_map(Value::as_str).map(Str::from));
            }
        }
        if let Some(class) = &self.scopes[self.scope].class {
            tags.extend(tags_of(class));
        }
        // Attributes are looked for one by one.
        self.spend((attributes.len() as u64).pow(2) / 64)?;
        self.build(2 * RECORD + 2 * title.len() + super::effort::bytes_of(&attributes))?;
        let resource = Resource {
            kind: kind.into(),
            title: title.into(),
            attributes,
            is_virtual: form != Form::Regular,
            evaluated: self.defined_type(kind)?.is_none(),
            site,
            scope: self.scope,
            tags,
        };
        self.catalog.add(resource);
        Ok(())
    }

    /// Gives a resource, at the end, what was said of it before it was there.
    pub(super) fn apply_waiting(&mut self, at: usize) -> Result<(), Flow> {
        if self.catalog.overrides.is_empty() {
            return Ok(());
        }
        let (kind, title) = (self.catalog.resources[at].kind.clone(), self.catalog.resources[at].title.clone());
        self.spend(self.catalog.overrides.len() as u64 / 8)?;
        if !self.catalog.overrides.iter().any(|one| one.title == title && one.kind == kind) {
            return Ok(());
        }
        let (mine, others): (Vec<Override>, Vec<Override>) = std::mem::take(&mut self.catalog.overrides)
            .into_iter()
            .partition(|one| one.kind == kind && one.title == title);
        self.catalog.overrides = others;
        mine.iter().try_for_each(|one| self.override_declared(at, one))
    }

    fn change(&mut self, at: usize, attributes: &[(Str, Value, bool)]) {
        let resource = &mut self.catalog.resources[at];
        for (name, value, add) in attributes {
            let value = match (add, resource.attribute(name)) {
                (true, Some(old)) => Value::from(values::flatten(vec![old.clone(), value.clone()])),
                _ => value.clone(),
            };
            resource.set(name, value);
        }
    }

    /// The defaults for a type, those of the innermost scope first.
    fn defaults_of(&self, kind: &str) -> Vec<(Str, Value)> {
        let mut found: Vec<(Str, Value)> = Vec::new();
        let mut at = Some(self.scope);
        while let Some(scope) = at.and_then(|id| self.scopes.get(id)) {
            for (name, value) in scope.defaults.get(kind).into_iter().flatten() {
                if found.iter().all(|(known, _)| known != name) {
                    found.push((name.clone(), value.clone()));
                }
            }
            at = scope.inherits.or(scope.parent);
        }
        found
    }

    pub(super) fn eval_defaults(&mut self, defaults: &ResourceDefaults) -> Outcome {
        let value = self.eval(&defaults.kind)?;
        let kind = match Type::of_value(&value) {
            Some(Type::Resource(kind)) if kind.title.is_none() => kind.name.clone(),
            _ => None,
        };
        let Some(kind) = kind else {
            let actual = infer(&value).generalize();
            let message = format!(
                "Illegal Resource Type expression, expected result to be a type name, or untitled Resource, got {actual}"
            );
            return Err(self.fail(&defaults.kind, message));
        };
        let lower: Str = kind.to_lowercase().into();
        for operation in self.eval_operations(&defaults.kind, &defaults.operations)? {
            let (name, new, _) = operation;
            let table = self.scopes[self.scope].defaults.entry(lower.clone()).or_default();
            if table.iter().any(|(known, _)| *known == name) {
                let message = format!("Default already defined for {kind} {{ {name} }}; cannot redefine");
                let mut fault = Fault::rule(message);
                fault.site = Some(Site { column: 0, ..self.site_of(&defaults.kind) });
                return Err(fault.into());
            }
            table.push((name, new));
        }
        Ok(value)
    }

    pub(super) fn eval_override(&mut self, expr: &Expr, override_: &ResourceOverride) -> Outcome {
        let value = self.eval(&override_.resources)?;
        let attributes = self.eval_operations(expr, &override_.operations)?;
        for one in values::flatten(vec![value.clone()]) {
            let target = match Type::of_value(&one) {
                Some(Type::Resource(kind)) => kind.name.clone().zip(kind.title.clone()),
                _ => None,
            };
            let Some((kind, title)) = target else {
                let label = label::value(&one);
                return Err(self.fail(expr, format!("Resource Override can only operate on resources, got: {label}")));
            };
            let kind = kind.to_lowercase();
            let found = self.catalog.find(&kind, &title);
            let (attributes, scope) = (attributes.clone(), self.scope);
            let one = Override { kind: kind.into(), title, attributes, site: self.site_of(expr), scope };
            match found {
                Some(at) => self.override_declared(at, &one)?,
                None => self.catalog.overrides.push(one),
            }
        }
        Ok(value)
    }

    /// Only a scope that inherits may change what is set; every scope may add what is not.
    fn override_declared(&mut self, at: usize, one: &Override) -> Result<(), Flow> {
        let resource = &self.catalog.resources[at];
        let mut may = false;
        let mut id = self.scopes[one.scope].inherits;
        while let Some(parent) = id {
            may |= parent == resource.scope;
            id = self.scopes[parent].inherits;
        }
        let refuse = |message: String| {
            let mut fault = Fault::rule(message);
            fault.site = Some(Site { column: 0, ..one.site.clone() });
            Err(fault.into())
        };
        if !may && one.scope != resource.scope {
            return refuse("Only subclasses can override parameters".into());
        }
        let set = one.attributes.iter().find(|(name, ..)| !may && resource.attribute(name).is_some());
        if let Some((name, ..)) = set {
            let by = self.scopes[resource.scope].class.as_deref().map_or_else(
                || " by Class[main]".to_owned(),
                |class| format!(" by {}", catalog::reference("class", class)),
            );
            let place = crate::failure::site_text(&Site { column: 0, ..resource.site.clone() });
            let reference = resource.reference();
            return refuse(format!("Parameter '{name}' is already set on {reference}{by} at{place}; cannot redefine"));
        }
        self.change(at, &one.attributes);
        Ok(())
    }

    pub(super) fn eval_collect(&mut self, expr: &Expr, collect: &Collect) -> Outcome {
        let value = self.eval(&collect.kind)?;
        let kind = match Type::of_value(&value) {
            Some(Type::Resource(kind)) if kind.title.is_none() => kind.name.clone(),
            Some(Type::Class(_)) => return Err(Fault::new("Classes cannot be collected").into()),
            _ => None,
        };
        let Some(kind) = kind else {
            let message = format!(
                "Illegal Resource Type expression, expected result to be a type name, or untitled Resource, got {}",
                infer(&value).generalize()
            );
            return Err(self.fail(&collect.kind, message));
        };
        if collect.exported {
            let message =
                "You cannot collect exported resources without storeconfigs being set; the collection will be ignored";
            let site = self.site_of(expr);
            self.say(Level::Warning, message.into(), Some(site));
            return Ok(Collected::value("Exported", &kind));
        }
        let query = collect.query.as_ref().map(|query| self.query(query)).transpose()?;
        let attributes = self.eval_operations(expr, &collect.operations)?;
        let collector = Collector { kind: kind.to_lowercase().into(), query, attributes, done: FxHashSet::default() };
        self.catalog.collectors.push(collector);
        Ok(Collected::value("Catalog", &kind))
    }

    fn query(&mut self, expr: &Expr) -> Result<Query, Flow> {
        match &expr.node {
            Node::Parenthesized(inner) => self.query(inner),
            Node::And(left, right) => Ok(Query::And(Box::new(self.query(left)?), Box::new(self.query(right)?))),
            Node::Or(left, right) => Ok(Query::Or(Box::new(self.query(left)?), Box::new(self.query(right)?))),
            Node::Comparison(operator @ (Comparison::Equal | Comparison::NotEqual), left, right) => {
                let name: Str = match &left.node {
                    Node::Name(name) => name.clone(),
                    Node::Variable(Variable::Local(name)) => name.clone(),
                    _ => self.eval(left)?.to_text().into(),
                };
                let value = self.eval(right)?;
                Ok(Query::Attribute { name, value, equal: *operator == Comparison::Equal })
            }
            _ => {
                let label = label::with_article_capitalized(expr);
                Err(self.fail(expr, format!("Illegal query expression. {label} cannot be used in a query")))
            }
        }
    }

    pub(super) fn eval_relationship(&mut self, expr: &Expr, edge: Edge, left: &Expr, right: &Expr) -> Outcome {
        let (left, right) = (self.eval(left)?, self.eval(right)?);
        let sources = self.operands(expr, left)?;
        let targets = self.operands(expr, right)?;
        let reversed = matches!(edge, Edge::After | Edge::Subscribe);
        let (from, to) = if reversed { (&targets, &sources) } else { (&sources, &targets) };
        self.build(from.len().saturating_mul(to.len()).saturating_mul(size_of::<Relationship>()))?;
        for (source, _) in from {
            for (target, _) in to {
                if let (Some(source), Some(target)) = (source.clone(), target.clone()) {
                    self.catalog.relationships.push(Relationship { source, target });
                }
            }
        }
        let result = if targets.is_empty() { sources } else { targets };
        Ok(result.into_iter().map(|(_, value)| value).collect())
    }

    /// The resources that an operand of a relationship names.
    fn operands(&mut self, expr: &Expr, value: Value) -> Result<Vec<Operand>, Flow> {
        self.look_through([&value])?;
        let mut found: Vec<(Option<(Str, Str)>, Value)> = Vec::new();
        let mut known: FxHashSet<Value> = FxHashSet::default();
        for one in values::flatten(vec![value]) {
            self.step()?;
            if Opaque::content::<Collected>(&one).is_some() {
                // What a collector finds is known only at the end.
                found.push((None, one));
                continue;
            }
            let kind = match (&one, Type::of_value(&one)) {
                (Value::String(text), _) => self.type_from_text(text)?,
                (_, Some(kind)) => kind.clone(),
                (Value::Undef, _) => continue,
                _ => {
                    let label = label::value_with_article(&one);
                    let message = format!(
                        "Illegal relationship operand, can not form a relationship with {label}. A Catalog type is required."
                    );
                    return Err(self.fail(expr, message));
                }
            };
            let target = match &kind {
                Type::Class(Some(name)) => Some(("class".into(), name.clone())),
                Type::Resource(one) => {
                    one.name.as_ref().zip(one.title.clone()).map(|(n, t)| (n.to_lowercase().into(), t))
                }
                Type::Class(None) | Type::CatalogEntry => None,
                _ => {
                    let message = format!(
                        "Illegal relationship operand, can not form a relationship with something of type {kind}. A Catalog type is required."
                    );
                    return Err(self.fail(expr, message));
                }
            };
            let value = kind.into_value();
            if known.insert(value.clone()) {
                found.push((target, value));
            }
        }
        Ok(found)
    }
}

/// The value of a collector: it stands for what it will find.
#[derive(Debug)]
struct Collected;

impl Collected {
    fn value(sort: &str, kind: &str) -> Value {
        Value::from_extended(Opaque {
            kind: Type::ruby(&format!("Puppet::Pops::Evaluator::Collectors::{sort}Collector")),
            text: format!("{sort}-Collector[{kind}]").into(),
            content: Arc::new(Collected),
        })
    }
}

impl Content for Collected {
    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}
