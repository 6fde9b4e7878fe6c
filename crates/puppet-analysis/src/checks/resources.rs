//! Resources: their types, and the attributes that they are given.

use std::sync::Arc;

use hieratic::Value;
use hieratic::puppet_eval;
use hieratic::puppet_types::{Type, describe_mismatch};
use hieratic::value::Str;
use hieratic::value::collections::{HashMap, HashSet};
use hieratic_diagnostics::{Severity, Span};
use hieratic_puppet_syntax::ast::{
    Collect, Entry, Expr, Form, Node, Operation, Resource, ResourceBody, ResourceDefaults, ResourceOverride,
};

use crate::finding::{
    ATTRIBUTE_TYPE, ATTRIBUTE_VALUE, Finding, MISSING_ATTRIBUTE, REPEATED_ATTRIBUTE, UNDEFINED_RESOURCE_TYPE,
    UNKNOWN_ATTRIBUTE,
};
use crate::language::agent_type;
use crate::names::{all_names, listed, plain, type_of_reference, written_name};
use crate::program::ResourceAnswer;
use crate::summary::{Definition, DefinitionKind, ParameterSummary};
use crate::types::{KindSet, is_default, kinds_of};
use crate::walk::Walk;

/// A resource type, as far as it is known.
pub(crate) enum ResourceKind {
    /// One of the agent or of a module in Ruby, with its attributes.
    Native(Arc<[String]>),
    /// A defined type.
    Defined(Arc<Definition>),
    /// It exists, or may exist.
    Opaque,
    /// It does not exist in the visible code.
    Absent,
}

/// An attribute that is written out.
struct Assignment<'t> {
    name: &'t str,
    value: &'t Expr,
    /// The span of the name.
    span: Span,
}

impl<'t> Walk<'t> {
    /// Returns the resource type of a name in lower case.
    pub(crate) fn resource_kind(&self, name: &str) -> ResourceKind {
        // The reference asks for a type in Ruby first.
        match self.program.resource_type(name) {
            ResourceAnswer::Known(attributes) => ResourceKind::Native(attributes),
            ResourceAnswer::Opaque => ResourceKind::Opaque,
            ResourceAnswer::Absent => match self.program.index().find(DefinitionKind::Define, name) {
                Some(define) => ResourceKind::Defined(define.clone()),
                None => ResourceKind::Absent,
            },
        }
    }

    /// Checks the type and the attributes of resources.
    pub(crate) fn check_resource(&mut self, resource: &'t Resource) {
        self.check_repetition(resource);
        let Some(written) = written_name(&resource.kind) else {
            if let Some(kind) = type_of_reference(&resource.kind) {
                self.check_bodies(resource, &kind);
            }
            return;
        };
        let kind = plain(&written).to_lowercase();
        if kind == "class" {
            return self.check_class_resource(resource);
        }
        if matches!(self.resource_kind(&kind), ResourceKind::Absent) {
            return self.report_kind(&kind, resource.kind.span);
        }
        self.check_bodies(resource, &kind);
    }

    /// Reports a resource type that does not exist.
    pub(crate) fn report_kind(&mut self, kind: &str, span: Span) {
        let program = self.program;
        let own = program.index().names(DefinitionKind::Define).chain(program.ruby_type_names());
        let names = all_names(own, puppet_eval::resource_type_names());
        let message = format!("there is no resource type '{kind}'");
        self.report_name(&UNDEFINED_RESOURCE_TYPE, kind, span, message, names);
    }

    fn check_bodies(&mut self, resource: &'t Resource, kind: &str) {
        let found = self.resource_kind(kind);
        // The body `default` gives values to all others.
        let defaults = resource.bodies.iter().filter(|body| is_default(&body.title));
        let defaults: Vec<&'t Operation> = defaults.flat_map(|body| &body.operations).collect();
        for body in &resource.bodies {
            let given = self.given(&body.operations);
            match &found {
                ResourceKind::Native(attributes) => {
                    self.check_native_names(kind, attributes, &given);
                    // A module may replace a type of the agent. Virtual resources may never be realized.
                    let is_of_agent =
                        matches!(agent_type(kind), ResourceAnswer::Known(own) if Arc::ptr_eq(&own, attributes));
                    if is_of_agent && resource.form == Form::Regular {
                        self.check_allowed_values(kind, body);
                    } else if resource.form == Form::Regular {
                        self.check_words(kind, body);
                    }
                }
                ResourceKind::Defined(define) => {
                    self.check_parameters(define, &given);
                    self.check_missing(define, kind, body, &defaults);
                }
                ResourceKind::Opaque | ResourceKind::Absent => {}
            }
            self.check_references(body);
        }
    }

    fn check_class_resource(&mut self, resource: &'t Resource) {
        for body in &resource.bodies {
            let given = self.given(&body.operations);
            for title in listed(&body.title) {
                let Some(name) = written_name(title) else { continue };
                let span = self.inside_quotes(title);
                self.check_class(&name, span);
                let class = plain(&name).to_lowercase();
                if let Some(class) = self.program.index().find(DefinitionKind::Class, &class) {
                    self.check_parameters(&class.clone(), &given);
                }
            }
            self.check_stage(&given);
            self.check_references(body);
        }
    }

    /// Reports a stage that nothing declares.
    fn check_stage(&mut self, given: &[Assignment<'t>]) {
        for one in given.iter().filter(|one| one.name == "stage") {
            let Some(stage) = written_name(one.value).filter(|stage| &**stage != "main") else { continue };
            self.check_title_of_reference("stage", &stage, self.inside_quotes(one.value));
        }
    }

    /// Reports attributes that are given twice, and titles that a resource expression repeats.
    fn check_repetition(&mut self, resource: &'t Resource) {
        for body in &resource.bodies {
            listed(&body.title).iter().for_each(|title| self.check_title(title));
            self.check_splat(body);
            let mut seen: HashMap<&str, Span> = HashMap::default();
            for one in self.given(&body.operations) {
                if let Some(before) = seen.insert(one.name, one.span) {
                    let message = format!("the attribute '{}' is set twice", one.name);
                    let finding = Finding::new(&REPEATED_ATTRIBUTE, one.span, message);
                    self.report(finding.related(self.source, before, "the first time"));
                }
            }
        }
    }

    /// Reports `* => ...` with a value that is not a hash.
    fn check_splat(&mut self, body: &'t ResourceBody) {
        for operation in &body.operations {
            let Operation::Splat { value, .. } = operation else { continue };
            let given = self.infer(value);
            let may_be = KindSet::HASH.and(KindSet::UNDEF).and(KindSet::OTHER);
            if let Some(kind) = given.kind.as_ref().filter(|_| !given.kinds().meets(may_be)) {
                let message = format!("Expected value of type Hash, got {}", kind.generalize());
                self.report(Finding::new(&ATTRIBUTE_TYPE, value.span, message));
            }
        }
    }

    /// Reports a title that is not a string, or an empty one.
    fn check_title(&mut self, title: &'t Expr) {
        let given = self.infer(title);
        if given.value.as_ref().and_then(Value::as_str) == Some("") {
            return self.report(Finding::new(&ATTRIBUTE_VALUE, title.span, "the title of a resource cannot be empty"));
        }
        let never = KindSet::UNDEF.and(KindSet::NUMBER).and(KindSet::HASH);
        if let Some(kind) = given.kind.as_ref().filter(|_| given.kinds().is_within(never)) {
            let message = format!("the title of a resource must be a string, not {}", kind.generalize());
            self.report(Finding::new(&ATTRIBUTE_VALUE, title.span, message));
        }
    }

    fn given(&self, operations: &'t [Operation]) -> Vec<Assignment<'t>> {
        let mut given = Vec::new();
        for operation in operations {
            match operation {
                Operation::Attribute { name, value, span, .. } => {
                    let start = span.first();
                    given.push(Assignment { name, value, span: Span::new(start, start + name.len()) });
                }
                Operation::Splat { value, .. } => given.extend(self.entries_of(value)),
            }
        }
        given
    }

    /// The attributes that a hash which is written out gives, as far as their names are written out, too.
    fn entries_of(&self, hash: &'t Expr) -> Vec<Assignment<'t>> {
        let entries = self.written_hash(hash).unwrap_or_default();
        let attribute = |entry: &'t Entry| {
            let name: &'t str = match &entry.key.node {
                Node::Name(name) | Node::Literal(Value::String(name)) => name,
                _ => return None,
            };
            Some(Assignment { name, value: &entry.value, span: self.inside_quotes(&entry.key) })
        };
        entries.iter().filter_map(attribute).collect()
    }

    fn check_native_names(&mut self, kind: &str, attributes: &[String], given: &[Assignment<'t>]) {
        for one in given {
            let is_known = one.name == "name"
                || attributes.iter().any(|known| known == one.name)
                || puppet_eval::metaparameters().any(|known| known == one.name);
            if is_known {
                continue;
            }
            let message = format!("the resource type '{kind}' has no attribute '{}'", one.name);
            let names = all_names(attributes.iter().map(String::as_str), puppet_eval::metaparameters());
            let finding = Finding::new(&UNKNOWN_ATTRIBUTE, one.span, message).suggest(one.name, Some(one.span), names);
            self.report(finding);
        }
    }

    /// Reports parameters that a class or a defined type does not have.
    fn check_parameters(&mut self, definition: &Definition, given: &[Assignment<'t>]) {
        let label = label(definition);
        for one in given {
            if puppet_eval::metaparameters().any(|known| known == one.name) {
                if one.name == "tag" {
                    self.check_tags(&ATTRIBUTE_VALUE, one.value);
                }
                continue;
            }
            let Some(parameter) = definition.parameter(one.name) else {
                if one.name == "name" && definition.kind == DefinitionKind::Define {
                    continue;
                }
                let message = format!("{label} has no parameter '{}'", one.name);
                let own = definition.parameters.iter().map(|known| &*known.name);
                let names = all_names(own, puppet_eval::metaparameters());
                let finding = Finding::new(&UNKNOWN_ATTRIBUTE, one.span, message);
                let finding = finding.suggest(one.name, Some(one.span), names);
                self.report(finding.related(&definition.source, head(definition), "defined here"));
                continue;
            };
            self.check_value(definition, parameter, one.value, "parameter");
        }
    }

    /// Reports a value that is never of the type of its parameter.
    pub(crate) fn check_value(
        &mut self,
        definition: &Definition,
        parameter: &ParameterSummary,
        value: &'t Expr,
        noun: &str,
    ) {
        let Some(expected) = parameter.kind.as_deref().and_then(|text| self.program.data_type(text)) else { return };
        let given = self.infer(value);
        let may_be_undef = given.kinds().meets(KindSet::UNDEF);
        let given = if parameter.has_default { given.without_undef() } else { Some(given) };
        let Some(given) = given else { return };
        let subject = format!("{}: {noun} '{}'", label(definition), parameter.name);
        let Some(actual) = given.kind.as_ref().filter(|_| given.never_fits(&expected)) else {
            return self.check_branches(&subject, &expected, value);
        };
        let message = describe_mismatch(&subject, &expected, actual);
        let message = if message.is_empty() { format!("{subject} expects {expected}, got {actual}") } else { message };
        let finding = Finding::new(&ATTRIBUTE_TYPE, value.span, message.trim_start().to_owned());
        // A value that means the default is accepted.
        let is_certain = !may_be_undef || !parameter.has_default;
        let finding = if is_certain { finding } else { finding.with_severity(Severity::Warning) };
        let finding = self.suggest_value(finding, &expected, value);
        self.report(finding.related(&definition.source, head(definition), "defined here"));
    }

    /// Adds the nearest string of an `Enum`, or the number or boolean that a string looks like.
    pub(super) fn suggest_value(&self, finding: Finding, expected: &Type, value: &'t Expr) -> Finding {
        let Some(text) = written_name(value) else { return finding };
        let inside = self.inside_quotes(value);
        match expected.resolved() {
            Type::Enum(of) if !of.is_case_insensitive() => {
                let names: Vec<&str> = of.values().iter().map(|value| &**value).collect();
                finding.suggest(&text, Some(inside), names)
            }
            Type::Boolean(_) if matches!(&*text, "true" | "false") => {
                finding.fix(format!("Change to {text}"), value.span, text.to_string(), true)
            }
            Type::Integer(_) if text.parse::<i64>().is_ok_and(|number| number.to_string() == *text) => {
                finding.fix(format!("Change to {text}"), value.span, text.to_string(), true)
            }
            _ => finding,
        }
    }

    /// Reports parameters without a default that nothing sets.
    fn check_missing(&mut self, define: &Definition, kind: &str, body: &'t ResourceBody, defaults: &[&'t Operation]) {
        if is_default(&body.title) {
            return;
        }
        let mut names: HashSet<&str> = HashSet::default();
        for operation in body.operations.iter().chain(defaults.iter().copied()) {
            match operation {
                Operation::Attribute { name, .. } => {
                    names.insert(name);
                }
                Operation::Splat { value, .. } => {
                    let Some(entries) = self.written_hash(value) else {
                        // The hash may have any of them.
                        return;
                    };
                    let known = self.entries_of(value);
                    if known.len() < entries.len() {
                        return;
                    }
                    names.extend(known.iter().map(|one| one.name));
                }
            }
        }
        let index = self.program.index();
        let is_missing = |parameter: &&ParameterSummary| {
            let is_set = names.contains(&*parameter.name) || parameter.has_default;
            !is_set
                && !matches!(&*parameter.name, "name" | "title")
                && !index.can_set_attribute(kind, &parameter.name)
                // Metaparameters may come from what contains the resource.
                && !puppet_eval::metaparameters().any(|known| known == &*parameter.name)
        };
        let missing: Vec<String> =
            define.parameters.iter().filter(is_missing).map(|one| one.name.to_string()).collect();
        for name in missing {
            let message = format!("{} expects a value for parameter '{name}'", label(define));
            let finding = Finding::new(&MISSING_ATTRIBUTE, body.title.span, message);
            let finding = match define.parameter(&name) {
                Some(parameter) => self.suggest_attribute(finding, parameter, body),
                None => finding,
            };
            self.report(finding.related(&define.source, head(define), "defined here"));
        }
    }

    /// Adds the edit that gives a resource the parameter, with a value of its type to be changed.
    fn suggest_attribute(&self, finding: Finding, parameter: &ParameterSummary, body: &'t ResourceBody) -> Finding {
        let kind = parameter.kind.as_deref().and_then(|text| self.program.data_type(text));
        let value = kind.as_ref().map_or_else(|| "undef".to_owned(), example_of);
        let attribute = format!("{} => {value}", parameter.name);
        let last = body.operations.last().map(|operation| match operation {
            Operation::Attribute { span, value, .. } | Operation::Splat { span, value } => (span.first(), value.span),
        });
        let (at, text) = match last {
            Some((start, value)) => {
                let line = self.source.text()[..start].rsplit('\n').next().unwrap_or_default();
                // The line of the last attribute has nothing before it: the new one gets a separate line.
                let indentation = if line.trim().is_empty() { format!("\n{line}") } else { " ".to_owned() };
                (value.behind(), format!(",{indentation}{attribute}"))
            }
            None => {
                let after = body.title.span.behind();
                let Some(colon) = self.source.text()[after..].find(':') else { return finding };
                (after + colon + 1, format!(" {attribute}"))
            }
        };
        // The value is an example.
        finding.fix(format!("Add the parameter '{}'", parameter.name), Span::new(at, at), text, false)
    }

    /// Checks the attributes that `create_resources` and its like take from a hash that is written out.
    pub(crate) fn check_hash_attributes(&mut self, kind: &str, hash: &'t Expr) {
        let given = self.entries_of(hash);
        match self.resource_kind(kind) {
            ResourceKind::Native(attributes) => self.check_native_names(kind, &attributes, &given),
            ResourceKind::Defined(define) => self.check_parameters(&define, &given),
            ResourceKind::Opaque | ResourceKind::Absent => {}
        }
    }

    /// Reports parameters without a default that a hash for a defined type does not have.
    pub(crate) fn check_missing_in_hash(&mut self, kind: &str, hash: &'t Expr) {
        let ResourceKind::Defined(define) = self.resource_kind(kind) else { return };
        let Some(entries) = self.written_hash(hash) else { return };
        let names: Option<Vec<Str>> = entries.iter().map(|entry| written_name(&entry.key)).collect();
        // A key that is computed may be any of them.
        let Some(names) = names else { return };
        let index = self.program.index();
        let missing: Vec<&ParameterSummary> = define
            .parameters
            .iter()
            .filter(|one| !one.has_default && !names.contains(&one.name) && !matches!(&*one.name, "name" | "title"))
            .filter(|one| !index.can_set_attribute(kind, &one.name))
            .filter(|one| !puppet_eval::metaparameters().any(|known| known == &*one.name))
            .collect();
        for parameter in missing {
            let message = format!("{} expects a value for parameter '{}'", label(&define), parameter.name);
            let finding = Finding::new(&MISSING_ATTRIBUTE, hash.span, message);
            self.report(finding.related(&define.source, head(&define), "defined here"));
        }
    }

    /// Checks the type and the attributes of `File { ... }`.
    pub(crate) fn check_resource_defaults(&mut self, defaults: &'t ResourceDefaults) {
        let Some(kind) = type_of_reference(&defaults.kind) else { return };
        self.check_default_attributes(&kind, &defaults.operations);
    }

    fn check_default_attributes(&mut self, kind: &str, operations: &'t [Operation]) {
        let given = self.given(operations);
        match self.resource_kind(kind) {
            ResourceKind::Native(attributes) => {
                self.check_native_names(kind, &attributes, &given);
                if matches!(agent_type(kind), ResourceAnswer::Known(own) if Arc::ptr_eq(&own, &attributes)) {
                    self.check_default_values(kind, operations);
                }
            }
            ResourceKind::Defined(define) => self.check_default_names(&define, &given),
            _ => {}
        }
    }

    fn check_default_names(&mut self, define: &Definition, given: &[Assignment<'t>]) {
        for one in given {
            let is_known = define.parameter(one.name).is_some()
                || one.name == "name"
                || puppet_eval::metaparameters().any(|known| known == one.name);
            if is_known {
                continue;
            }
            let message = format!("{} has no parameter '{}'", label(define), one.name);
            let own = define.parameters.iter().map(|known| &*known.name);
            let names = all_names(own, puppet_eval::metaparameters());
            self.report(Finding::new(&UNKNOWN_ATTRIBUTE, one.span, message).suggest(one.name, Some(one.span), names));
        }
    }

    /// Checks the attributes of `File <| |> { ... }`.
    pub(crate) fn check_collector(&mut self, collect: &'t Collect) {
        let Some(kind) = type_of_reference(&collect.kind) else { return };
        self.check_default_attributes(&kind, &collect.operations);
    }

    /// Checks the attributes of `File['/x'] { ... }`.
    pub(crate) fn check_override(&mut self, one: &'t ResourceOverride) {
        self.check_named_resources(std::slice::from_ref(&one.resources));
        let Node::Access { left, .. } = &one.resources.node else { return };
        let Some(kind) = type_of_reference(left) else { return };
        let given = self.given(&one.operations);
        match self.resource_kind(&kind) {
            ResourceKind::Native(attributes) => self.check_native_names(&kind, &attributes, &given),
            ResourceKind::Defined(define) => self.check_parameters(&define, &given),
            _ => {}
        }
    }
}

/// The name of a class or a defined type in messages.
pub(crate) fn label(definition: &Definition) -> String {
    match definition.kind {
        DefinitionKind::Class => format!("the class '{}'", definition.name),
        DefinitionKind::Define => format!("the defined type '{}'", definition.name),
        DefinitionKind::Function => format!("the function '{}'", definition.name),
        DefinitionKind::Alias => format!("the type alias '{}'", definition.name),
        DefinitionKind::Template => "the template".to_owned(),
    }
}

/// The first line of a definition.
pub(crate) fn head(definition: &Definition) -> Span {
    let text = definition.source.slice(definition.span);
    let length = text.find('\n').unwrap_or(text.len());
    Span::new(definition.span.first(), definition.span.first() + length)
}

/// A value of a type as it is written, to be changed by a person: `undef` if none is obvious.
fn example_of(kind: &Type) -> String {
    match kind.resolved() {
        Type::Enum(of) => of.values().first().map_or_else(|| "''".to_owned(), |first| format!("'{first}'")),
        Type::Boolean(_) => "false".to_owned(),
        Type::Variant(all) => all.as_slice().first().map_or_else(|| "undef".to_owned(), example_of),
        _ => match kinds_of(kind) {
            kinds if kinds.is_within(KindSet::STRING) => "''".to_owned(),
            kinds if kinds.is_within(KindSet::NUMBER) => "0".to_owned(),
            kinds if kinds.is_within(KindSet::ARRAY) => "[]".to_owned(),
            kinds if kinds.is_within(KindSet::HASH) => "{}".to_owned(),
            _ => "undef".to_owned(),
        },
    }
}
