//! Classes: declared once, their parameters taken from the declaration, from data, or from their defaults.
//!
//! See [classes](https://www.puppet.com/docs/puppet/8/lang_classes.html) and
//! [automatic lookup of parameters](https://www.puppet.com/docs/puppet/8/hiera_automatic.html).

use hieratic_functions::{Fault, Flow, Site};
use hieratic_pcore::Type;
use hieratic_syntax::ast::{Class, Node, Parameter};
use hieratic_value::{Str, Value};

use super::definitions::{Defined, site};
use super::{Evaluator, RECORD, Scope, ScopeId};
use crate::catalog::{self, Resource};
use crate::environment::Request;

impl Evaluator<'_> {
    /// Declares a class if it was not yet, and evaluates it. The name is as messages should show it.
    pub(crate) fn include_class(&mut self, name: &str) -> Result<(), Flow> {
        let class = self.known_class(name)?;
        let plain = class.definition.name.to_lowercase();
        if self.catalog.find("class", &plain).is_some() {
            return Ok(());
        }
        // The reference does not remember where a class was included.
        self.declare_class(&class, Vec::new(), Site::default())
    }

    /// The class of a name, which has to be there.
    pub(crate) fn known_class(&mut self, name: &str) -> Result<Defined<Class>, Flow> {
        let found = self.class(name)?;
        let message = || format!("Could not find class {name} for {}", self.options.node);
        found.ok_or_else(|| Fault::new(message()).into())
    }

    /// Declares a class with parameters, which can be done only once.
    pub(crate) fn declare_class_with(
        &mut self,
        name: &str,
        attributes: Vec<(Str, Value)>,
        site: Site,
    ) -> Result<(), Flow> {
        let Some(class) = self.class(name)? else {
            let message = format!("Could not find declared class {name}");
            return Err(Fault::new(message).into());
        };
        if let Some(previous) = self.catalog.get("class", &class.definition.name) {
            return Err(self.duplicate(previous, &site).into());
        }
        self.declare_class(&class, attributes, site)
    }

    /// That something is declared for the second time.
    pub(crate) fn duplicate(&self, previous: &Resource, site: &Site) -> Fault {
        let place = |site: &Site| crate::failure::site_text(&Site { column: 0, ..site.clone() });
        let first =
            if previous.site == Site::default() { String::new() } else { format!(" at{}", place(&previous.site)) };
        let message = format!(
            "Duplicate declaration: {} is already declared{first}; cannot redeclare{}",
            previous.reference(),
            place(site)
        );
        Fault::new(message)
    }

    fn declare_class(&mut self, class: &Defined<Class>, attributes: Vec<(Str, Value)>, site: Site) -> Result<(), Flow> {
        let name: Str = class.definition.name.to_lowercase().into();
        let parent = match &class.definition.parent {
            Some(parent) => Some(self.deeper(|this| this.inherited(parent, class))?),
            None => None,
        };
        self.build(RECORD + super::effort::bytes_of(&attributes))?;
        let resource = Resource {
            kind: "class".into(),
            title: name.clone(),
            attributes: attributes.clone(),
            is_virtual: false,
            evaluated: true,
            site,
            scope: self.scope,
            tags: tags_of(&name),
        };
        self.catalog.add(resource);
        let reference = catalog::reference("class", &name);
        let id = self.new_scope(reference.clone(), Some(name.clone()), parent);
        self.class_scopes.insert(name.clone(), id);
        self.deeper(|this| {
            this.in_scope(id, |this| {
                this.in_program(&class.program, |this| {
                    let parameters = &class.definition.parameters;
                    this.bind_attributes(&reference, Some(&name), &name, parameters, attributes)?;
                    this.run_body(&class.definition.body)
                })
            })
        })
    }

    /// The scope of the class that another inherits from.
    fn inherited(&mut self, parent: &str, heir: &Defined<Class>) -> Result<ScopeId, Flow> {
        let Some(class) = self.class(parent)? else {
            let message = format!(
                "Could not find parent resource type '::{}' of type hostclass in {}",
                parent.strip_prefix("::").unwrap_or(parent),
                self.environment.name()
            );
            let mut fault = Fault::rule(message);
            fault.site = Some(Site { column: 0, ..site(&heir.program.source, heir.definition.span.start) });
            return Err(fault.into());
        };
        let (name, child) = (class.definition.name.to_lowercase(), heir.definition.name.to_lowercase());
        if name == child {
            return Err(Fault::new(format!("the class '{child}' inherits from itself")).into());
        }
        if self.catalog.find("class", &name).is_none() {
            self.declare_class(&class, Vec::new(), Site::default())?;
        }
        match self.class_scopes.get(&*name) {
            Some(id) => Ok(*id),
            None => Err(Fault::new(format!("the classes '{child}' and '{parent}' inherit from each other")).into()),
        }
    }

    /// A new scope below the node or the top.
    pub(crate) fn new_scope(&mut self, title: String, class: Option<Str>, inherits: Option<ScopeId>) -> ScopeId {
        let parent = self.global_scope();
        let mut scope = Scope::new(title, Some(parent));
        scope.inherits = inherits;
        scope.class = class;
        self.scopes.push(scope);
        self.scopes.len() - 1
    }

    /// The scope of the node, or the top where there is none.
    pub(crate) fn global_scope(&self) -> ScopeId {
        self.node_scope
    }

    /// Runs something in another scope.
    pub(crate) fn in_scope<T>(&mut self, scope: ScopeId, run: impl FnOnce(&mut Self) -> T) -> T {
        let (before, mark) = (self.scope, self.locals.mark());
        self.scope = scope;
        self.locals.open_scope();
        let result = run(self);
        self.locals.reset(mark);
        self.scope = before;
        result
    }

    /// Runs the body of a class, defined type or node; `return` ends it.
    pub(crate) fn run_body(&mut self, body: &hieratic_syntax::ast::Expr) -> Result<(), Flow> {
        if matches!(body.node, Node::Nop) {
            return Ok(());
        }
        match self.eval(body) {
            Ok(_) | Err(Flow::Return(..)) => Ok(()),
            Err(Flow::Next(..)) => Ok(()),
            Err(flow) => Err(flow),
        }
    }

    /// Gives the parameters of a class or defined type their values in the current scope.
    pub(crate) fn bind_attributes(
        &mut self,
        reference: &str,
        class: Option<&str>,
        title: &str,
        parameters: &[Parameter],
        attributes: Vec<(Str, Value)>,
    ) -> Result<(), Flow> {
        let module: Str = self.module_of(reference).into();
        self.scopes[self.scope].module = module.clone();
        if !module.is_empty() {
            self.assign_local(&"module_name".into(), Value::String(module))?;
        }
        self.assign_local(&"title".into(), title.into())?;
        self.assign_local(&"name".into(), title.into())?;
        self.look_through(attributes.iter().map(|(_, value)| value))?;
        self.spend((parameters.len() as u64).saturating_mul(attributes.len() as u64) / 8)?;
        let mut given: Vec<(Str, Value)> = attributes;
        // What is undef in a declaration counts as not given.
        given.retain(|(name, value)| !value.is_undef() || parameters.iter().all(|known| known.name != *name));
        if let Some(class) = class {
            for parameter in parameters {
                if given.iter().all(|(name, _)| *name != parameter.name)
                    && let Some(value) = self.looked_up(class, &parameter.name)?
                {
                    given.push((parameter.name.clone(), value));
                }
            }
        }
        let values = self.with_defaults(reference, parameters, &mut given)?;
        self.check_bound(reference, parameters, &values)?;
        for (name, value) in values {
            // Metaparameters are seen as variables too.
            self.assign_local(&name, value)?;
        }
        Ok(())
    }

    /// The module whose code a class or defined type is.
    fn module_of(&self, reference: &str) -> String {
        let name = reference
            .split_once('[')
            .map_or("", |(kind, title)| if kind == "Class" { title.trim_end_matches(']') } else { kind });
        let module = name.split("::").next().unwrap_or("").to_lowercase();
        if self.environment.module(&module).is_some() { module } else { String::new() }
    }

    /// The data for a parameter of a class.
    fn looked_up(&mut self, class: &str, parameter: &str) -> Result<Option<Value>, Flow> {
        let request = Request { names: vec![format!("{class}::{parameter}")], ..Request::default() };
        match self.data(&request) {
            Ok(value) => Ok(Some(value)),
            Err(unanswered) if unanswered.missing => Ok(None),
            Err(unanswered) => Err(Fault::new(unanswered.message).into()),
        }
    }

    /// The parameters in order, with defaults for those that are not given, and then everything else that is.
    fn with_defaults(
        &mut self,
        reference: &str,
        parameters: &[Parameter],
        given: &mut Vec<(Str, Value)>,
    ) -> Result<Vec<(Str, Value)>, Flow> {
        let mark = self.locals.mark();
        let names = parameters.iter().map(|parameter| parameter.name.clone()).collect();
        self.locals.open_parameters(reference, names);
        // Given values can be used by every default, wherever they stand.
        for (name, value) in given.iter() {
            self.locals.bind(name.clone(), value.clone());
        }
        let mut values = Vec::with_capacity(parameters.len());
        let mut fault = None;
        for (index, parameter) in parameters.iter().enumerate() {
            if let Some(at) = given.iter().position(|(name, _)| *name == parameter.name) {
                values.push(given.remove(at));
            } else if let Some(default) = &parameter.default {
                self.locals.at_parameter(index);
                match self.eval_default(default) {
                    Ok(value) => {
                        self.locals.bind(parameter.name.clone(), value.clone());
                        values.push((parameter.name.clone(), value));
                    }
                    Err(flow) => {
                        fault = Some(flow);
                        break;
                    }
                }
            }
        }
        self.locals.reset(mark);
        if let Some(flow) = fault {
            return Err(flow);
        }
        values.append(given);
        Ok(values)
    }

    /// Checks names and types of parameters, in the reference's words.
    fn check_bound(&mut self, reference: &str, parameters: &[Parameter], values: &[(Str, Value)]) -> Result<(), Flow> {
        let mut kinds = Vec::with_capacity(parameters.len());
        for parameter in parameters {
            let kind = match &parameter.kind {
                Some(kind) => self.eval_type(kind)?,
                None => Type::Any,
            };
            kinds.push((parameter.name.clone(), kind, parameter.default.is_some()));
        }
        check_parameters(reference, &kinds, values, &|name| {
            crate::resource_kinds::listed(crate::resource_kinds::METAPARAMETERS, name)
        })
        .map_err(Flow::from)
    }
}

/// Checks values by name against parameters with their types and whether they may be left out.
pub(crate) fn check_parameters(
    subject: &str,
    parameters: &[(Str, Type, bool)],
    values: &[(Str, Value)],
    tolerated: &dyn Fn(&str) -> bool,
) -> Result<(), Fault> {
    let mut faults = Vec::new();
    for (name, _) in values {
        if parameters.iter().all(|(known, ..)| known != name) && !tolerated(name) {
            faults.push(format!("has no parameter named '{name}'"));
        }
    }
    for (name, kind, optional) in parameters {
        match values.iter().find(|(given, _)| given == name) {
            Some((_, value)) if kind.is_instance(value) => {}
            Some((_, value)) => {
                let actual = hieratic_pcore::infer_set(value);
                let text = hieratic_pcore::describe_mismatch(&format!("parameter '{name}'"), kind, &actual);
                faults.extend(text.split("\n ").map(|line| line.trim_start().to_owned()));
            }
            None if *optional => {}
            None => faults.push(format!("expects a value for parameter '{name}'")),
        }
    }
    match &faults[..] {
        [] => Ok(()),
        [one] => Err(Fault::new(format!("{subject}: {one}"))),
        many => Err(Fault::new(format!("{subject}:\n  {}", many.join("\n  ")))),
    }
}

/// The tags that a class or resource type gives: its name and the parts of it.
pub(crate) fn tags_of(name: &str) -> Vec<Str> {
    let mut tags: Vec<Str> = vec![name.into()];
    if name.contains("::") {
        tags.extend(name.split("::").map(Str::from));
    }
    tags
}
