//! Resources: declarations, defaults, overrides, collectors, relationships.
//!
//! See [resources](https://www.puppet.com/docs/puppet/8/lang_resources.html). They are stored for code that queries
//! them and for the catalog; nothing is applied.

use std::sync::Arc;

use hieratic_puppet_functions::{EvalError, Flow, Level, Outcome, Site};
use hieratic_puppet_syntax::ast::{
    Collect, Comparison, Edge, Expr, Form, Node, Operation, Resource as Declaration, ResourceDefaults,
    ResourceOverride, Variable,
};
use hieratic_puppet_syntax::label;
use hieratic_puppet_types::label as value_label;
use hieratic_puppet_types::{Opaque, OpaqueContent, Type, given_to_parameter, infer};
use hieratic_value::collections::HashSet;
use hieratic_value::{Str, Value};
use indexmap::IndexMap;

use super::{Evaluator, RECORD_BYTES};
use crate::catalog::{
    self, Attribute, Collector, CollectorTarget, OriginKind, Override, Overrides, Query, Relationship, RelationshipEnd,
    Resource, ResourceKind, Tags,
};
use crate::values;

/// An operand of a relationship: its end, if it can be one, and its value.
type Operand = (Option<RelationshipEnd>, Value);

impl Evaluator<'_> {
    /// Returns whether a resource type with a lower-case name exists.
    pub(crate) fn is_resource_type(&mut self, name: &str) -> Result<bool, Flow> {
        Ok(self.native_kind(name)?.is_some() || self.defined_type(name)?.is_some())
    }

    pub(super) fn eval_resource(&mut self, expr: &Expr, declaration: &Declaration) -> Outcome {
        let kind = self.resource_kind(&declaration.kind)?;
        if declaration.form == Form::Exported && !self.environment.stores_exported() {
            let message = "You cannot collect exported resources without storeconfigs being set; the export is ignored";
            let site = self.calls.site_of(expr);
            self.log_message(Level::Warning, message.into(), Some(site));
        }
        let mut all_titles: Vec<(Option<Str>, usize)> = Vec::new();
        let mut bodies: Vec<(Vec<Str>, Vec<Attribute>)> = Vec::new();
        for (body_index, body) in declaration.bodies.iter().enumerate() {
            let value = self.eval(&body.title)?;
            if value.is_undef() {
                return Err(self.calls.fail(&body.title, "Missing title. The title expression resulted in undef"));
            }
            let mut titles = Vec::new();
            for (index, title) in values::flatten(vec![value]).into_iter().enumerate() {
                let name = match &title {
                    Value::Undef => {
                        let message =
                            format!("Missing title at index {index}. The title expression resulted in an undef title");
                        return Err(self.calls.fail(&body.title, message));
                    }
                    Value::String(text) if text.is_empty() => {
                        let message = format!(
                            "Empty string title at {index}. Title strings must have a length greater than zero."
                        );
                        return Err(self.calls.fail(&body.title, message));
                    }
                    Value::String(text) => Some(text.clone()),
                    other if values::is_default(other) => None,
                    other => {
                        let actual = infer(other).generalize();
                        let message = format!("Illegal title type at index {index}. Expected String, got {actual}");
                        return Err(self.calls.fail(&body.title, message));
                    }
                };
                if all_titles.iter().any(|(known, _)| *known == name) {
                    let shown = name.as_deref().unwrap_or("default");
                    let message = format!("The title '{shown}' has already been used in this resource expression");
                    return Err(self.calls.fail(expr, message));
                }
                all_titles.push((name.clone(), body_index));
                titles.extend(name);
            }
            let attributes = self.eval_operations(expr, &body.operations, &OriginKind::Declared)?;
            bodies.push((titles, attributes));
        }
        if kind != "class" && !self.is_resource_type(&kind)? {
            return Err(EvalError::new(format!("Unknown resource type: '{kind}'")).into());
        }
        let defaults = all_titles.iter().find(|(title, _)| title.is_none()).map(|(_, body)| bodies[*body].1.clone());
        let mut references = Vec::new();
        for (titles, attributes) in bodies {
            let mut merged = defaults.clone().unwrap_or_default();
            for attribute in attributes {
                match merged.iter_mut().find(|known| known.name == attribute.name) {
                    Some(known) => *known = attribute,
                    None => merged.push(attribute),
                }
            }
            for title in titles {
                self.declare(expr, declaration.form, &kind, &title, &merged)?;
                references.push(catalog::declared_type(&kind, &title).into_value());
            }
        }
        Ok(Value::from(references))
    }

    /// Returns the lower-case name of the declared type.
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
        Err(self.calls.fail(expr, message))
    }

    fn eval_operations(
        &mut self,
        expr: &Expr,
        operations: &[Operation],
        kind: &OriginKind,
    ) -> Result<Vec<Attribute>, Flow> {
        let mut attributes: Vec<Attribute> = Vec::new();
        for operation in operations {
            let (new, at) = match operation {
                Operation::Attribute { name, append, value, span } => {
                    (vec![(name.clone(), self.eval(value)?, *append)], span.start)
                }
                Operation::Splat { value, span } => {
                    let splat = self.eval(value)?;
                    let Value::Hash(hash) = &splat else {
                        let actual = infer(&splat).generalize();
                        return Err(self.calls.fail(value, format!("Expected value of type Hash, got {actual}")));
                    };
                    let all = hash.iter().map(|(name, value)| (name.to_text().into(), value.clone(), false)).collect();
                    (all, span.start)
                }
            };
            let site = self.calls.site_at(at);
            self.budget.charge_steps((attributes.len() as u64).saturating_mul(new.len() as u64) / 64)?;
            for (name, value, add) in new {
                if attributes.iter().any(|known| known.name == name) {
                    return Err(self.calls.fail(expr, format!("The attribute '{name}' has already been set")));
                }
                attributes.push(self.attribute(name, value, add, kind.clone(), site.clone()));
            }
        }
        Ok(attributes)
    }

    /// Creates an attribute that the running code sets.
    pub(crate) fn attribute(&mut self, name: Str, value: Value, add: bool, kind: OriginKind, site: Site) -> Attribute {
        let source = self.scopes.current().source.clone();
        let shares = matches!(value, Value::Array(_)) && matches!(&*name, "before" | "notify");
        let shared = if shares { self.catalog.share() } else { 0 };
        let value = given_to_parameter(&value).unwrap_or(value);
        Attribute { add, shared, ..Attribute::new(name, value, source, kind, site) }
    }

    fn declare(
        &mut self,
        expr: &Expr,
        form: Form,
        kind: &str,
        title: &Str,
        attributes: &[Attribute],
    ) -> Result<(), Flow> {
        let site = self.calls.site_of(expr);
        let before = self.calls.move_to(expr.at);
        let result = self.declare_resource(form, kind, title, attributes.to_vec(), site);
        self.calls.move_to(before);
        let at = result?;
        // The string itself is shared: its identity shows whether the code provided it.
        let resource = &mut self.catalog[at];
        if resource.title == *title {
            resource.title = title.clone();
        }
        Ok(())
    }

    /// Declares one resource and returns its index; classes are evaluated at once, defined types later.
    pub(crate) fn declare_resource(
        &mut self,
        form: Form,
        kind: &str,
        title: &str,
        attributes: Vec<Attribute>,
        site: Site,
    ) -> Result<usize, Flow> {
        if kind == "class" {
            return self.declare_class_with(title, attributes, site);
        }
        if !self.is_resource_type(kind)? {
            return Err(EvalError::new(format!("Unknown resource type: '{kind}'")).into());
        }
        let defined = self.native_kind(kind)?.is_none();
        let sort = if defined { ResourceKind::Defined } else { ResourceKind::Native };
        let mut resource = self.new_resource(sort, kind, title, attributes, site)?;
        resource.is_virtual = form != Form::Regular;
        resource.exported = form == Form::Exported;
        Ok(self.catalog.add(resource)?)
    }

    /// Creates a resource that the running code declares, with its tags and the defaults for its type.
    pub(super) fn new_resource(
        &mut self,
        sort: ResourceKind,
        kind: &str,
        title: &str,
        attributes: Vec<Attribute>,
        site: Site,
    ) -> Result<Resource, Flow> {
        let native = if sort == ResourceKind::Native { self.native_kind(kind)? } else { None };
        // Attributes are searched linearly.
        self.budget.charge_steps((attributes.len() as u64).saturating_pow(2) / 64)?;
        let size = attributes.len() * (size_of::<Attribute>() + 16);
        self.budget.charge_bytes(2 * RECORD_BYTES + 2 * title.len() + size)?;
        let mut tags = Tags::default();
        for attribute in attributes.iter().filter(|attribute| &*attribute.name == "tag") {
            tags.merge(&self.catalog.tags_in(&attribute.value, &site, &mut self.budget)?);
        }
        self.catalog.add_tag_if_valid(kind, &mut tags);
        self.catalog.add_tag_if_valid(title, &mut tags);
        let scope = &self.scopes.current();
        let mut resource = Resource {
            resource_kind: sort,
            native,
            kind: kind.into(),
            title: title.into(),
            attributes,
            is_virtual: false,
            exported: false,
            exported_unsaid: false,
            evaluated: false,
            declared: true,
            site,
            scope: self.scopes.current_id(),
            source: scope.source.clone(),
            container: Some(scope.resource),
            tags,
            has_tags_of_container: false,
            sensitive: Vec::new(),
            is_checked: false,
            collected_from: None,
            number: None,
        };
        for default in self.scopes.defaults_of(self.scopes.current_id(), kind) {
            if resource.parameter(&default.name).is_none() {
                self.catalog.set_on(&mut resource, default, &mut self.budget)?;
            }
        }
        Ok(resource)
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
            return Err(self.calls.fail(&defaults.kind, message));
        };
        let lower: Str = kind.to_lowercase().into();
        for new in self.eval_operations(&defaults.kind, &defaults.operations, &OriginKind::ResourceDefault)? {
            let table = self.scopes.current_mut().defaults.entry(lower.clone()).or_default();
            if table.iter().any(|known| known.name == new.name) {
                let message = format!("Default already defined for {kind} {{ {} }}; cannot redefine", new.name);
                let mut error = EvalError::rule(message);
                error.site = Some(Site { column: 0, ..new.origin.site });
                return Err(error.into());
            }
            table.push(new);
        }
        Ok(value)
    }

    pub(super) fn eval_override(&mut self, expr: &Expr, override_: &ResourceOverride) -> Outcome {
        let value = self.eval(&override_.resources)?;
        let attributes = self.eval_operations(expr, &override_.operations, &OriginKind::Override)?;
        for one in values::flatten(vec![value.clone()]) {
            let target = match Type::of_value(&one) {
                Some(Type::Resource(kind)) => kind.name.clone().zip(kind.title.clone()),
                _ => None,
            };
            let Some((kind, title)) = target else {
                let label = value_label::for_value(&one);
                return Err(self
                    .calls
                    .fail(expr, format!("Resource Override can only operate on resources, got: {label}")));
            };
            let kind: Str = kind.to_lowercase().into();
            let source = self.scopes.current().source.clone();
            let site = self.calls.site_of(expr);
            let one = Override { kind, title, attributes: attributes.clone(), site, source };
            self.budget.charge_steps(attributes.len() as u64)?;
            match self.catalog.find(&one.kind, &one.title) {
                Some(at) => self.merge(at, &one)?,
                None => {
                    self.budget.charge_bytes(RECORD_BYTES)?;
                    self.catalog.postpone(one);
                }
            }
        }
        Ok(value)
    }

    pub(super) fn eval_collect(&mut self, expr: &Expr, collect: &Collect) -> Outcome {
        // The existence of the type is checked by the name alone.
        if let Node::Reference(name) = &collect.kind.node {
            let lower = name.strip_prefix("::").unwrap_or(name).to_lowercase();
            if lower == "class" {
                return Err(EvalError::new("Classes cannot be collected").into());
            }
            if !self.is_resource_type(&lower)? {
                return Err(EvalError::new(format!("Resource type {lower} doesn't exist")).into());
            }
        }
        let value = self.eval(&collect.kind)?;
        let kind = match Type::of_value(&value) {
            Some(Type::Resource(kind)) if kind.title.is_none() => kind.name.clone(),
            Some(Type::Class(_)) => return Err(EvalError::new("Classes cannot be collected").into()),
            _ => None,
        };
        let Some(kind) = kind else {
            let message = format!(
                "Illegal Resource Type expression, expected result to be a type name, or untitled Resource, got {}",
                infer(&value).generalize()
            );
            return Err(self.calls.fail(&collect.kind, message));
        };
        let lower: Str = kind.to_lowercase().into();
        if collect.exported && !self.environment.stores_exported() {
            let message =
                "You cannot collect exported resources without storeconfigs being set; the collection will be ignored";
            let site = self.calls.site_of(expr);
            self.log_message(Level::Warning, message.into(), Some(site));
        }
        let mut overrides = None;
        if !collect.operations.is_empty() {
            let attributes = self.eval_operations(expr, &collect.operations, &OriginKind::Collector)?;
            let source = self.scopes.current().source.clone();
            overrides =
                Some(Overrides { attributes, source, scope: self.scopes.current_id(), site: self.calls.site_of(expr) });
        }
        let query = collect.query.as_ref().map(|query| self.query(query)).transpose()?.map(Arc::new);
        let (expected, sort) = if collect.exported {
            (CollectorTarget::Exported { kind: lower, query }, "Exported")
        } else {
            (CollectorTarget::Matching { kind: lower, query }, "Catalog")
        };
        let number = self.add_collector(expected, overrides)?;
        Ok(CollectorValue::value(sort, &kind, number))
    }

    /// Registers a collector.
    pub(crate) fn add_collector(
        &mut self,
        expected: CollectorTarget,
        overrides: Option<Overrides>,
    ) -> Result<usize, Flow> {
        self.budget.charge_bytes(RECORD_BYTES)?;
        Ok(self.catalog.add_collector(Collector {
            target: expected,
            overrides,
            found: IndexMap::default(),
            alternative: Vec::new(),
            scope: self.scopes.current_id(),
            is_done: false,
        }))
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
                if let Some(model) = invalid_query_value(right) {
                    return Err(EvalError::new(format!(
                        "Cannot transform object of class Puppet::Pops::Model::{model}"
                    ))
                    .into());
                }
                let value = self.eval(right)?;
                if &*name == "tag" && *operator == Comparison::Equal {
                    let tags = match &value {
                        Value::Array(tags) => tags.to_vec(),
                        one => vec![one.clone()],
                    };
                    if tags.iter().any(|tag| matches!(tag, Value::Integer(_) | Value::Float(_))) {
                        return Err(EvalError::new("Cannot transform a number to a tag").into());
                    }
                    let tags = tags.iter().map(|tag| {
                        let word: Str = tag.to_text().to_lowercase().into();
                        let tag = self.catalog.number_tag(&word);
                        (word, tag)
                    });
                    return Ok(Query::Tagged(tags.collect()));
                }
                Ok(Query::Attribute { name, value, equal: *operator == Comparison::Equal })
            }
            _ => {
                let label = label::with_article_capitalized(expr);
                Err(self.calls.fail(expr, format!("Illegal query expression. {label} cannot be used in a query")))
            }
        }
    }

    pub(super) fn eval_relationship(&mut self, expr: &Expr, edge: Edge, left: &Expr, right: &Expr) -> Outcome {
        let (left, right) = (self.eval(left)?, self.eval(right)?);
        let lefts = self.operands(expr, left)?;
        let rights = self.operands(expr, right)?;
        let reversed = matches!(edge, Edge::After | Edge::Subscribe);
        let notifies = matches!(edge, Edge::Notify | Edge::Subscribe);
        let (from, to) = if reversed { (&rights, &lefts) } else { (&lefts, &rights) };
        self.budget.charge_bytes(from.len().saturating_mul(to.len()).saturating_mul(size_of::<Relationship>()))?;
        let site = self.calls.site_of(expr);
        for (source, _) in from {
            for (target, _) in to {
                if let (Some(source), Some(target)) = (source.clone(), target.clone()) {
                    self.catalog.add_relationship(Relationship { source, target, notifies, site: site.clone() });
                }
            }
        }
        if rights.is_empty() {
            return Ok(lefts.into_iter().map(|(_, value)| value).collect());
        }
        // If the only operand on the right finds nothing, the left operand replaces it in further relationships.
        if let [(Some(RelationshipEnd::Collector(number)), _)] = &rights[..] {
            self.catalog.collector_mut(*number).alternative = lefts.into_iter().filter_map(|(end, _)| end).collect();
        }
        Ok(rights.into_iter().map(|(_, value)| value).collect())
    }

    /// Returns the operands of a relationship in a value.
    fn operands(&mut self, expr: &Expr, value: Value) -> Result<Vec<Operand>, Flow> {
        self.budget.charge_visit([&value])?;
        let mut found: Vec<Operand> = Vec::new();
        let mut known: HashSet<Value> = HashSet::default();
        for one in values::flatten(vec![value]) {
            self.budget.step()?;
            if let Some(CollectorValue(number)) = Opaque::content::<CollectorValue>(&one) {
                // The resources of a collector are known only at the end.
                found.push((Some(RelationshipEnd::Collector(*number)), one.clone()));
                continue;
            }
            let kind = match (&one, Type::of_value(&one)) {
                (Value::String(text), _) => self.type_from_text(text)?,
                (_, Some(kind)) => kind.clone(),
                (Value::Undef, _) => continue,
                _ => {
                    let label = value_label::with_article(&one);
                    let message = format!(
                        "Illegal relationship operand, can not form a relationship with {label}. A Catalog type is required."
                    );
                    return Err(self.calls.fail(expr, message));
                }
            };
            let value = kind.clone().into_value();
            let target = match &kind {
                Type::Class(Some(_)) | Type::Resource(_) => catalog::referred(&value),
                Type::Class(None) | Type::CatalogEntry => None,
                _ => {
                    let message = format!(
                        "Illegal relationship operand, can not form a relationship with something of type {kind}. A Catalog type is required."
                    );
                    return Err(self.calls.fail(expr, message));
                }
            };
            if known.insert(value.clone()) {
                found.push((target.map(|(kind, title)| RelationshipEnd::Resource(kind, title)), value));
            }
        }
        Ok(found)
    }
}

/// The value of a collector, by its index: it represents the resources that it will find.
#[derive(Debug)]
struct CollectorValue(usize);

impl CollectorValue {
    fn value(sort: &str, kind: &str, number: usize) -> Value {
        Value::from_extended(Opaque {
            kind: Type::ruby(&format!("Puppet::Pops::Evaluator::Collectors::{sort}Collector")),
            text: format!("{sort}-Collector[{kind}]").into(),
            content: Arc::new(CollectorValue(number)),
        })
    }
}

impl OpaqueContent for CollectorValue {
    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

/// Returns the reference's name of an expression that is not allowed as a value in a query, or `None` if it is allowed.
fn invalid_query_value(expr: &Expr) -> Option<&'static str> {
    Some(match &expr.node {
        Node::Parenthesized(inner) => return invalid_query_value(inner),
        Node::Literal(value) if values::is_default(value) => "LiteralDefault",
        Node::List(_) => "LiteralList",
        Node::Hash(_) => "LiteralHash",
        Node::Regexp(_) => "LiteralRegularExpression",
        Node::Reference(_) => "QualifiedReference",
        Node::Heredoc { .. } => "HeredocExpression",
        Node::Call(_) => "CallNamedFunctionExpression",
        Node::Method(_) => "CallMethodExpression",
        Node::Arithmetic(..) => "ArithmeticExpression",
        Node::Minus(_) => "UnaryMinusExpression",
        Node::Not(_) => "NotExpression",
        Node::Match { .. } => "MatchExpression",
        Node::In(..) => "InExpression",
        Node::If(_) => "IfExpression",
        Node::Unless(_) => "UnlessExpression",
        Node::Case(_) => "CaseExpression",
        Node::Selector(..) => "SelectorExpression",
        Node::Unfold(_) => "UnfoldExpression",
        _ => return None,
    })
}
