//! [`summarize`] collects the definitions and declarations of a file, on which other files depend.

use std::sync::Arc;

use hieratic::value::ErasedSort as _;
use hieratic::value::{Str, Value};
use hieratic_diagnostics::{Source, Span};
use hieratic_puppet_syntax::ast::{
    Assignment, Call, Expr, Node, Operation, Parameter, Program, Resource, ResourceBody, Variable,
};
use hieratic_puppet_syntax::visit::each_child;

use crate::names::{listed, module_of, plain, type_of_reference, written_name};

/// A kind of definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DefinitionKind {
    /// A class.
    Class,
    /// A defined type.
    Define,
    /// A function.
    Function,
    /// A type alias.
    Alias,
    /// A template of EPP.
    Template,
}

/// A definition in a file.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The kind.
    pub kind: DefinitionKind,
    /// The name in full and in lower case.
    pub name: Str,
    /// The parameters.
    pub parameters: Vec<ParameterSummary>,
    /// The class that it inherits from, in lower case.
    pub parent: Option<Str>,
    /// The return type of a function, or the type of an alias, as source code.
    pub result: Option<Str>,
    /// The variables that its body sets in its scope.
    pub variables: Vec<Str>,
    /// The file.
    pub source: Source,
    /// The position.
    pub span: Span,
}

impl PartialEq for Definition {
    /// Definitions are equal if all code that uses one can use the other, wherever they are.
    fn eq(&self, other: &Definition) -> bool {
        self.kind == other.kind
            && self.name == other.name
            && self.parameters == other.parameters
            && self.parent == other.parent
            && self.result == other.result
            && self.variables == other.variables
    }
}

impl Definition {
    /// Returns a parameter by its name.
    pub fn parameter(&self, name: &str) -> Option<&ParameterSummary> {
        self.parameters.iter().find(|one| &*one.name == name)
    }

    fn new(kind: DefinitionKind, name: &str, parameters: &[Parameter], body: &Expr, at: (&Source, Span)) -> Definition {
        let (source, span) = at;
        Definition {
            kind,
            name: plain(name).to_lowercase().into(),
            parameters: parameters.iter().map(|one| ParameterSummary::new(one, source)).collect(),
            parent: None,
            result: None,
            variables: variables_of(body),
            source: source.clone(),
            span,
        }
    }
}

/// A parameter of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterSummary {
    /// The name, without the dollar.
    pub name: Str,
    /// The type as source code.
    pub kind: Option<Str>,
    /// Whether it has a default.
    pub has_default: bool,
    /// Whether it takes all remaining arguments.
    pub captures_rest: bool,
}

impl ParameterSummary {
    pub(crate) fn new(parameter: &Parameter, source: &Source) -> ParameterSummary {
        ParameterSummary {
            name: parameter.name.clone(),
            kind: parameter.kind.as_ref().map(|kind| source.slice(kind.span).into()),
            has_default: parameter.default.is_some(),
            captures_rest: parameter.captures_rest,
        }
    }
}

/// The definitions and declarations of a file.
#[derive(Clone, Debug, Default)]
pub struct FileSummary {
    /// The definitions.
    pub definitions: Vec<Arc<Definition>>,
    /// The variables in the top scope or in the scopes of nodes.
    pub top_variables: Vec<Str>,
    /// The attributes that defaults, overrides and collectors set, each with the resource type in lower case. The type
    /// is empty if an override computes it.
    pub set_attributes: Vec<(Str, Str)>,
    /// The resources with literal titles, each with the type in lower case.
    pub titles: Vec<(Str, Str)>,
    /// The types of resources with computed titles.
    pub computed_titles: Vec<Str>,
    /// Whether the file declares resources of computed types.
    pub computes_types: bool,
    /// The modules of qualified names that it uses, in lower case.
    pub named_modules: Vec<Str>,
    /// The functions that it calls, in lower case.
    pub called: Vec<Str>,
    /// The ERB templates that it renders.
    pub templates: Vec<TemplateUse>,
}

/// A call of `template`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateUse {
    /// The name of the template. `None` if it is computed.
    pub name: Option<Str>,
    /// The class or the defined type that renders it, in lower case.
    pub definition: Option<(DefinitionKind, Str)>,
    /// The variables that the definition and its blocks set.
    pub variables: Vec<Str>,
}

impl PartialEq for FileSummary {
    /// Summaries are equal if they define and declare the same. Calls decide nothing in other files.
    fn eq(&self, other: &FileSummary) -> bool {
        self.definitions == other.definitions
            && self.top_variables == other.top_variables
            && self.set_attributes == other.set_attributes
            && self.titles == other.titles
            && self.computed_titles == other.computed_titles
            && self.computes_types == other.computes_types
            && self.named_modules == other.named_modules
            && self.templates == other.templates
    }
}

/// Collects the definitions and declarations of a file.
pub fn summarize(program: &Program) -> FileSummary {
    let mut summary = FileSummary::default();
    let source = &program.source;
    let mut open = vec![(&program.body, false, None)];
    let mut rendering = Vec::new();
    let mut is_plan = false;
    while let Some((expr, is_inside, outer)) = open.pop() {
        let (mut is_inside, mut outer): (bool, Option<&Expr>) = (is_inside, outer);
        match &expr.node {
            Node::Class(one) => {
                outer = Some(expr);
                let class =
                    Definition::new(DefinitionKind::Class, &one.name, &one.parameters, &one.body, (source, one.span));
                let parent = one.parent.as_ref().map(|parent| plain(parent).to_lowercase().into());
                summary.definitions.push(Arc::new(Definition { parent, ..class }));
                is_inside = true;
            }
            Node::Define(one) => {
                outer = Some(expr);
                let at = (source, one.span);
                let define = Definition::new(DefinitionKind::Define, &one.name, &one.parameters, &one.body, at);
                summary.definitions.push(Arc::new(define));
                is_inside = true;
            }
            Node::Function(one) => {
                let at = (source, one.span);
                let function = Definition::new(DefinitionKind::Function, &one.name, &one.parameters, &one.body, at);
                let result = one.returns.as_ref().map(|kind| source.slice(kind.span).into());
                summary.definitions.push(Arc::new(Definition { result, ..function }));
                is_inside = true;
            }
            Node::Plan(_) => {
                is_inside = true;
                is_plan = true;
            }
            Node::TypeAlias(one) => {
                let at = (source, one.span);
                let alias = Definition::new(DefinitionKind::Alias, &one.name, &[], &one.kind, at);
                let result = Some(source.slice(one.kind.span).into());
                summary.definitions.push(Arc::new(Definition { result, variables: Vec::new(), ..alias }));
            }
            Node::Epp(one) => {
                if let Some(parameters) = &one.parameters {
                    let at = (source, expr.span);
                    let template = Definition::new(DefinitionKind::Template, "", parameters, &one.body, at);
                    summary.definitions.push(Arc::new(template));
                }
                is_inside = true;
            }
            Node::Assign(Assignment::Set, left, _) if !is_inside => add_targets(left, &mut summary.top_variables),
            Node::Resource(resource) => summary.declare(resource),
            Node::ResourceDefaults(one) => summary.set(type_of_reference(&one.kind), &one.operations),
            Node::ResourceOverride(one) => {
                let left = match &one.resources.node {
                    Node::Access { left, .. } => type_of_reference(left),
                    _ => None,
                };
                summary.set(left, &one.operations);
            }
            Node::Collect(one) => summary.set(type_of_reference(&one.kind), &one.operations),
            Node::Call(call) => {
                if let Node::Name(name) = &call.functor.node {
                    summary.called.push(plain(name).to_lowercase().into());
                    if plain(name) == "template" {
                        rendering.extend(call.arguments.iter().map(|name| (name, outer)));
                    }
                }
                summary.declare_by_call(call);
            }
            Node::Method(method) => summary.called.push(plain(&method.name).to_lowercase().into()),
            Node::Reference(name) => summary.name(name),
            _ => {}
        }
        each_child(expr, &mut |child| open.push((child, is_inside, outer)));
        if let Some(lambda) = lambda_of(expr) {
            open.push((&lambda.body, true, outer));
        }
    }
    summary.templates = rendering.into_iter().map(|(name, outer)| TemplateUse::new(name, outer)).collect();
    if is_plan {
        // Bolt installs other modules for plans.
        summary.named_modules.clear();
    }
    summary.named_modules.sort_erased();
    summary.named_modules.dedup();
    summary.called.sort_erased();
    summary.called.dedup();
    summary
}

impl TemplateUse {
    fn new(name: &Expr, outer: Option<&Expr>) -> TemplateUse {
        let (definition, variables) = match outer.map(|outer| &outer.node) {
            Some(Node::Class(one)) => (Some((DefinitionKind::Class, &one.name)), variables_around(&one.body)),
            Some(Node::Define(one)) => (Some((DefinitionKind::Define, &one.name)), variables_around(&one.body)),
            _ => (None, Vec::new()),
        };
        let definition = definition.map(|(kind, name)| (kind, Str::from(plain(name).to_lowercase())));
        let module = definition.as_ref().and_then(|(_, name)| name.split("::").next().map(str::to_owned));
        let name = written_name(name).or_else(|| in_module(name, module.as_deref()?));
        TemplateUse { name, definition, variables }
    }
}

/// The name of a template in `"${module_name}/a.erb"`.
fn in_module(name: &Expr, module: &str) -> Option<Str> {
    let Node::Concatenated(parts) = &name.node else { return None };
    let [first, rest] = &parts[..] else { return None };
    let Node::Text(inner) = &first.node else { return None };
    let is_module = matches!(&inner.node, Node::Variable(Variable::Local(name)) if &**name == "module_name");
    let Node::Literal(Value::String(rest)) = &rest.node else { return None };
    is_module.then(|| format!("{module}{rest}").into())
}

/// The variables that a body and its blocks set, sorted.
pub(crate) fn variables_around(body: &Expr) -> Vec<Str> {
    let mut names = Vec::new();
    let mut open = vec![body];
    while let Some(expr) = open.pop() {
        if let Node::Assign(Assignment::Set, left, _) = &expr.node {
            add_targets(left, &mut names);
        }
        each_child(expr, &mut |child| open.push(child));
        if let Some(lambda) = lambda_of(expr) {
            names.extend(lambda.parameters.iter().map(|one| one.name.clone()));
            open.push(&lambda.body);
        }
    }
    names.sort_erased();
    names.dedup();
    names
}

/// The block of a call.
pub(crate) fn lambda_of(expr: &Expr) -> Option<&hieratic_puppet_syntax::ast::Lambda> {
    match &expr.node {
        Node::Call(call) => call.lambda.as_deref(),
        Node::Method(method) => method.lambda.as_deref(),
        _ => None,
    }
}

/// Adds the variables on the left of an assignment.
pub(crate) fn add_targets(left: &Expr, names: &mut Vec<Str>) {
    match &left.node {
        Node::Variable(Variable::Local(name)) => names.push(name.clone()),
        Node::List(all) => all.iter().for_each(|one| add_targets(one, names)),
        _ => {}
    }
}

/// The variables that a body sets in its own scope.
fn variables_of(body: &Expr) -> Vec<Str> {
    let mut names = Vec::new();
    let mut open = vec![body];
    while let Some(expr) = open.pop() {
        match &expr.node {
            Node::Class(_) | Node::Define(_) | Node::Function(_) | Node::Plan(_) | Node::NodeDefinition(_) => continue,
            Node::Assign(Assignment::Set, left, _) => add_targets(left, &mut names),
            _ => {}
        }
        each_child(expr, &mut |child| open.push(child));
    }
    names.sort_erased();
    names.dedup();
    names
}

/// The titles of a resource body that are written out; `None` if one is computed.
pub(crate) fn written_titles(body: &ResourceBody) -> Option<Vec<Str>> {
    let all = match &body.title.node {
        Node::List(all) => &all[..],
        _ => std::slice::from_ref(&body.title),
    };
    all.iter().map(written_name).collect()
}

impl FileSummary {
    /// Takes note of the module of a qualified name.
    fn name(&mut self, name: &str) {
        if let Some(module) = module_of(plain(name)) {
            self.named_modules.push(module.to_lowercase().into());
        }
    }

    fn declare(&mut self, resource: &Resource) {
        let kind: Option<Str> = match &resource.kind.node {
            Node::Name(name) => Some(plain(name).to_lowercase().into()),
            Node::Literal(Value::String(name)) => Some(plain(name).to_lowercase().into()),
            Node::Reference(_) | Node::Access { .. } => type_of_reference(&resource.kind),
            _ => None,
        };
        let Some(kind) = kind else {
            self.computes_types = true;
            return;
        };
        self.name(&kind);
        for body in &resource.bodies {
            match written_titles(body) {
                Some(titles) => self.titles.extend(titles.into_iter().map(|title| (kind.clone(), title))),
                None => self.computed_titles.push(kind.clone()),
            }
        }
    }

    /// Functions that declare resources: `create_resources`, `ensure_packages` and their like.
    fn declare_by_call(&mut self, call: &Call) {
        let Node::Name(name) = &call.functor.node else { return };
        self.name(name);
        match plain(name).rsplit("::").next().unwrap_or_default() {
            "create_resources" | "ensure_resource" | "ensure_resources" => {
                match call.arguments.first().map(written_name) {
                    Some(Some(kind)) => self.computed_titles.push(plain(&kind).to_lowercase().into()),
                    _ => self.computes_types = true,
                }
            }
            "ensure_packages" => self.declare_packages(call),
            _ => {}
        }
    }

    fn declare_packages(&mut self, call: &Call) {
        let names = call.arguments.first().into_iter().flat_map(listed).map(written_name);
        for name in names {
            match name {
                Some(name) => self.titles.push(("package".into(), name)),
                None => self.computed_titles.push("package".into()),
            }
        }
    }

    fn set(&mut self, kind: Option<Str>, operations: &[Operation]) {
        let kind = kind.unwrap_or_default();
        for operation in operations {
            let name = match operation {
                Operation::Attribute { name, .. } => name.clone(),
                // Any attribute.
                Operation::Splat { .. } => Str::default(),
            };
            self.set_attributes.push((kind.clone(), name));
        }
    }
}
