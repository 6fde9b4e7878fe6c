//! Classes: each is declared once, with parameters from the declaration, from data, or from their defaults.
//!
//! See [classes](https://www.puppet.com/docs/puppet/8/lang_classes.html) and
//! [automatic lookup of parameters](https://www.puppet.com/docs/puppet/8/hiera_automatic.html).

use hieratic_puppet_functions::{EvalError, Flow, Level, Site};
use hieratic_puppet_syntax::ast::{Class, Node, Parameter};
use hieratic_puppet_types::{Type, given_to_parameter};
use hieratic_value::{Str, Value};

use super::definitions::Definition;
use super::{Evaluator, ScopeId};
use crate::catalog::{self, Attribute, OriginKind, Resource, ResourceKind, Source};
use crate::environment::Request;

impl Evaluator<'_> {
    /// Declares those classes that are not declared yet, then evaluates them. The names are shown in messages. With
    /// `contained`, the classes are contained in the resource whose body runs.
    pub(crate) fn include_classes(&mut self, names: &[String], contained: bool) -> Result<(), Flow> {
        // All of them must exist before the first is declared, and all are declared before the first is evaluated.
        let mut classes = Vec::with_capacity(names.len());
        for name in names {
            classes.push(self.known_class(name)?);
        }
        let (mut known, mut new) = (Vec::new(), Vec::new());
        for class in &classes {
            match self.scopes.of_class(&class.definition.name.to_lowercase()) {
                Some(scope) => known.push(self.scopes[scope].resource),
                None => new.push(self.ensure_class(class, Vec::new())?),
            }
        }
        for at in &new {
            self.evaluate_class(*at)?;
        }
        if contained {
            let container = self.scopes.current().resource;
            known.into_iter().chain(new).for_each(|at| self.catalog.contain(container, at));
        }
        Ok(())
    }

    /// Returns a class by its name, which must exist.
    pub(crate) fn known_class(&mut self, name: &str) -> Result<Definition<Class>, Flow> {
        let found = self.class(name)?;
        let message = || format!("Could not find class {name} for {}", self.node());
        found.ok_or_else(|| EvalError::new(message()).into())
    }

    /// Declares a class with parameters, which can be done only once, and evaluates it.
    pub(crate) fn declare_class_with(
        &mut self,
        name: &str,
        attributes: Vec<Attribute>,
        site: Site,
    ) -> Result<usize, Flow> {
        let Some(class) = self.class(name)? else {
            let message = format!("Could not find declared class {name}");
            return Err(EvalError::new(message).into());
        };
        let plain = class.definition.name.to_lowercase();
        let mut resource = self.new_resource(ResourceKind::Class, "class", &plain, attributes, site)?;
        resource.evaluated = false;
        let at = self.add_class(&class, resource)?;
        self.evaluate_class(at)?;
        Ok(at)
    }

    /// Declares a class without evaluating it and returns its resource. Without parameters, it may already be declared.
    pub(super) fn ensure_class(
        &mut self,
        class: &Definition<Class>,
        attributes: Vec<Attribute>,
    ) -> Result<usize, Flow> {
        let name = class.definition.name.to_lowercase();
        if attributes.is_empty()
            && let Some(at) = self.catalog.find("class", &name)
        {
            return Ok(at);
        }
        // The reference does not record where a class was included.
        let mut resource = self.new_resource(ResourceKind::Class, "class", &name, attributes, Site::default())?;
        resource.source = Source::Class(name.as_str().into());
        resource.declared = false;
        self.add_class(class, resource)
    }

    /// Adds the resource of a class, after that of the class that it inherits from.
    fn add_class(&mut self, class: &Definition<Class>, resource: Resource) -> Result<usize, Flow> {
        if let Some(parent) = &class.definition.parent {
            self.deeper(|this| this.ensure_parent(parent, class))?;
        }
        self.catalog.merge_tags(&resource.tags);
        Ok(self.catalog.add(resource)?)
    }

    fn ensure_parent(&mut self, parent: &str, heir: &Definition<Class>) -> Result<(), Flow> {
        let class = self.parent_class(parent, heir)?;
        if class.definition.name.eq_ignore_ascii_case(&heir.definition.name) {
            let child = heir.definition.name.to_lowercase();
            return Err(EvalError::new(format!("the class '{child}' inherits from itself")).into());
        }
        self.ensure_class(&class, Vec::new()).map(drop)
    }

    /// Runs the body of a declared class, unless it has already run.
    pub(super) fn evaluate_class(&mut self, at: usize) -> Result<(), Flow> {
        if std::mem::replace(&mut self.catalog[at].evaluated, true) {
            return Ok(());
        }
        self.catalog.take_tags(at);
        let (name, declared_in) = (self.catalog[at].title.clone(), self.catalog[at].scope);
        let Some(class) = self.class(&name)? else { return Ok(()) };
        let parent = match &class.definition.parent {
            Some(parent) => Some(self.deeper(|this| this.inherited(parent, &class))?),
            None => None,
        };
        let reference = catalog::reference("class", &name);
        let id = self.scopes.new_scope(reference.clone(), Some(name.clone()), parent);
        let scope = &mut self.scopes[id];
        scope.declared_in = Some(declared_in);
        scope.resource = at;
        scope.source = Source::Class(name.clone());
        self.catalog.add_class(&name);
        self.deeper(|this| {
            this.in_scope(id, |this| {
                this.in_program(&class.program, |this| {
                    let parameters = &class.definition.parameters;
                    this.bind_attributes(at, &reference, Some(&name), &name, parameters)?;
                    this.put_on_stage(at)?;
                    this.run_body(&class.definition.body)
                })
            })
        })
    }

    /// A class belongs to the stage that it names, else to that of the class that declares it, else to `main`.
    fn put_on_stage(&mut self, at: usize) -> Result<(), Flow> {
        let resource = &self.catalog[at];
        let set = |resource: &Resource| resource.attribute("stage").filter(|stage| !stage.is_undef()).cloned();
        let own = set(resource);
        let of_container = || set(self.catalog.resource(resource.container?)?);
        let stage_name = own.clone().or_else(of_container);
        let title = stage_name.as_ref().map_or_else(|| "main".to_owned(), Value::to_text);
        let Some(stage) = self.catalog.find("stage", &title) else {
            let shown = own.as_ref().map_or_else(|| "main".to_owned(), Value::to_text);
            let reference = resource.reference();
            return Err(EvalError::new(format!("Could not find stage {shown} specified by {reference}")).into());
        };
        if own.is_none() && stage != 0 {
            let (title, source) = (self.catalog[stage].title.clone(), resource.source.clone());
            let value = Value::String(title);
            let attribute = Attribute::new("stage", value, source, OriginKind::Container, Site::default());
            self.catalog.set_attribute(at, attribute, &mut self.budget)?;
        }
        self.catalog.contain(stage, at);
        Ok(())
    }

    /// Returns the parent class of another.
    fn parent_class(&mut self, parent: &str, heir: &Definition<Class>) -> Result<Definition<Class>, Flow> {
        if let Some(class) = self.class(parent)? {
            return Ok(class);
        }
        let message = format!(
            "Could not find parent resource type '::{}' of type hostclass in {}",
            parent.strip_prefix("::").unwrap_or(parent),
            self.environment.name()
        );
        let mut error = EvalError::rule(message);
        error.site = Some(Site { column: 0, ..Site::at(&heir.program.source, heir.definition.span.start as usize) });
        Err(error.into())
    }

    /// Returns the scope of the class that another inherits from.
    fn inherited(&mut self, parent: &str, heir: &Definition<Class>) -> Result<ScopeId, Flow> {
        let class = self.parent_class(parent, heir)?;
        let (name, child) = (class.definition.name.to_lowercase(), heir.definition.name.to_lowercase());
        if name == child {
            return Err(EvalError::new(format!("the class '{child}' inherits from itself")).into());
        }
        let at = self.ensure_class(&class, Vec::new())?;
        self.evaluate_class(at)?;
        match self.scopes.of_class(&name) {
            Some(id) => Ok(id),
            None => Err(EvalError::new(format!("the classes '{child}' and '{parent}' inherit from each other")).into()),
        }
    }

    /// Runs something in another scope.
    pub(crate) fn in_scope<T>(&mut self, scope: ScopeId, run: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.scopes.enter(scope);
        let result = run(self);
        self.scopes.reset(mark);
        result
    }

    /// Runs the body of a class, defined type or node; `return` ends it.
    pub(crate) fn run_body(&mut self, body: &hieratic_puppet_syntax::ast::Expr) -> Result<(), Flow> {
        if matches!(body.node, Node::Nop) {
            return Ok(());
        }
        match self.eval(body) {
            Ok(_) | Err(Flow::Return(..)) => Ok(()),
            Err(Flow::Next(..)) => Ok(()),
            Err(flow) => Err(flow),
        }
    }

    /// Sets the parameters of a class or defined type in the current scope and in its resource: to the value of the
    /// declaration, or from data, or to the default.
    pub(crate) fn bind_attributes(
        &mut self,
        at: usize,
        reference: &str,
        class: Option<&str>,
        title: &str,
        parameters: &[Parameter],
    ) -> Result<(), Flow> {
        let module = self.module_of_source();
        self.scopes.current_mut().module = module.clone();
        self.scopes.assign_local(&"module_name".into(), Value::String(module))?;
        let resource = &self.catalog[at];
        let given = resource.attributes.len() as u64;
        let all: Vec<Value> = resource.attributes.iter().map(|one| one.value.clone()).collect();
        self.budget.charge_visit(&all)?;
        self.budget.charge_steps((parameters.len() as u64).saturating_mul(given) / 8)?;
        if let Some(class) = class {
            for parameter in parameters {
                if self.is_given(at, &parameter.name) {
                    continue;
                }
                let Some(value) = self.looked_up(class, &parameter.name)? else { continue };
                // Undef in data does not replace the default.
                if !value.is_undef() || parameter.default.is_none() {
                    let key: Str = format!("{class}::{}", parameter.name).into();
                    let place = if self.options.data_places { self.environment.data_place(&key, self) } else { None };
                    self.give(at, &parameter.name, value, OriginKind::Data(key), place.unwrap_or_default())?;
                }
            }
        }
        let name = self.catalog[at].attribute("name").filter(|name| !name.is_undef()).cloned();
        let number = self.catalog[at].number.clone();
        let title = number.unwrap_or_else(|| title.into());
        self.scopes.assign_local(&"title".into(), title.clone())?;
        self.scopes.assign_local(&"name".into(), name.unwrap_or(title))?;
        if let Some(class) = class {
            self.scopes.name_class(class);
        }
        self.give_defaults(at, reference, parameters)?;
        let resource = &self.catalog[at];
        let values: Vec<(Str, Value)> = resource
            .attributes
            .iter()
            .filter(|one| !matches!(&*one.name, "name" | "title"))
            .map(|one| (one.name.clone(), one.value.clone()))
            .collect();
        self.check_bound(reference, parameters, &values)?;
        let resource = &mut self.catalog[at];
        // A title that is given as an attribute is only rejected at the end.
        resource.is_checked = resource.parameter("title").is_none();
        for (name, value) in values {
            // Metaparameters are also visible as variables.
            self.scopes.assign_local(&name, value)?;
        }
        Ok(())
    }

    fn is_given(&self, at: usize, name: &str) -> bool {
        self.catalog[at].attribute(name).is_some_and(|value| !value.is_undef())
    }

    fn give(&mut self, at: usize, name: &Str, value: Value, kind: OriginKind, site: Site) -> Result<(), Flow> {
        let source = self.catalog[at].source.clone();
        let value = given_to_parameter(&value).unwrap_or(value);
        self.catalog.set_attribute(at, Attribute::new(name.clone(), value, source, kind, site), &mut self.budget)
    }

    /// Returns the module of the file whose code runs; empty for code outside of modules.
    fn module_of_source(&mut self) -> Str {
        if let Some(module) = self.prepared.modules.get(self.calls.source().name()) {
            return module.clone();
        }
        let module: Str = self.module_of(self.calls.source().name()).into();
        self.prepared.modules.insert(self.calls.source().name().into(), module.clone());
        module
    }

    fn module_of(&self, file: &str) -> String {
        let file = std::path::Path::new(file);
        // `.../NAME/manifests/...`: the path suggests a module, whose folder is compared.
        let folders =
            file.ancestors().skip(1).filter(|folder| folder.file_name().is_some_and(|name| name == "manifests"));
        let mut names = folders.filter_map(|folder| Some(folder.parent()?.file_name()?.to_str()?.to_owned()));
        names
            .find(|name| self.environment.module(name).is_some_and(|root| file.starts_with(root.join("manifests"))))
            .unwrap_or_default()
    }

    /// Looks up the data for a parameter of a class.
    fn looked_up(&mut self, class: &str, parameter: &str) -> Result<Option<Value>, Flow> {
        let request = Request { names: vec![format!("{class}::{parameter}")], ..Request::default() };
        self.data(&request).map_err(Flow::from)
    }

    /// Evaluates the defaults of parameters that have no value.
    fn give_defaults(&mut self, at: usize, reference: &str, parameters: &[Parameter]) -> Result<(), Flow> {
        if parameters.iter().all(|parameter| parameter.default.is_none()) {
            return Ok(());
        }
        let mark = self.scopes.mark();
        let names = parameters.iter().map(|parameter| parameter.name.clone()).collect();
        self.scopes.open_parameters(reference, names);
        // Every default can use given values, in any order.
        let has_default = |name: &Str| parameters.iter().any(|one| one.name == *name && one.default.is_some());
        for one in &self.catalog[at].attributes {
            if !one.value.is_undef() || !has_default(&one.name) {
                self.scopes.bind(one.name.clone(), one.value.clone());
            }
        }
        let mut given = Ok(());
        for (index, parameter) in parameters.iter().enumerate() {
            let Some(default) = parameter.default.as_ref().filter(|_| !self.is_given(at, &parameter.name)) else {
                continue;
            };
            self.scopes.at_parameter(index);
            given = self.eval_default(default).and_then(|value| {
                self.scopes.bind(parameter.name.clone(), value.clone());
                let site = self.calls.site_at(parameter.at);
                self.give(at, &parameter.name, value, OriginKind::ParameterDefault, site)
            });
            if given.is_err() {
                break;
            }
        }
        self.scopes.reset(mark);
        given
    }

    /// Checks names and types of parameters, in the reference's words.
    pub(super) fn check_bound(
        &mut self,
        reference: &str,
        parameters: &[Parameter],
        values: &[(Str, Value)],
    ) -> Result<(), Flow> {
        let mut kinds = Vec::with_capacity(parameters.len());
        for parameter in parameters {
            let kind = match &parameter.kind {
                Some(kind) => self.eval_type(kind)?,
                None => Type::Any,
            };
            let kind =
                match values.iter().find(|(name, _)| *name == parameter.name).and_then(|(_, value)| deferred(value)) {
                    Some(function) => self.kind_for_deferred(reference, parameter, kind, &function)?,
                    None => kind,
                };
            kinds.push((parameter.name.clone(), kind, parameter.default.is_some()));
        }
        check_parameters(reference, &kinds, values, &|name| {
            name == "name" || crate::native_types::listed(crate::native_types::METAPARAMETERS, name)
        })
        .map_err(Flow::from)
    }
}

impl Evaluator<'_> {
    /// Returns the type to check for a Deferred parameter, whose value is only known on the node: anything, if the
    /// return type of the function fits. A function without a declared return type causes a warning.
    fn kind_for_deferred(
        &mut self,
        reference: &str,
        parameter: &Parameter,
        kind: Type,
        function: &str,
    ) -> Result<Type, Flow> {
        let returns = match self.user_function(function)? {
            Some(user) => match &user.lambda.returns {
                Some(returns) => Some(self.in_program(&user.program, |this| this.eval_type(returns))?),
                None => None,
            },
            None => None,
        };
        let Some(returns) = returns else {
            self.log_once(Level::Warning, format!(
                "Deferred function {function} has no return_type, unable to guarantee value type during compilation.\n   \
                 (file & line not available)"
            ));
            return Ok(Type::Any);
        };
        if kind.generalize().is_assignable(&returns.generalize()) {
            return Ok(Type::Any);
        }
        let subject = format!("parameter '{}'", parameter.name);
        let text = hieratic_puppet_types::describe_mismatch(&subject, &kind, &returns);
        Err(EvalError::new(format!("{reference}: {text}")).into())
    }
}

/// Returns the function of a Deferred value, which is only known on the node.
fn deferred(value: &Value) -> Option<String> {
    let object = value.extended::<hieratic_puppet_types::ObjectValue>()?;
    if object.kind().name() != Some("Deferred") {
        return None;
    }
    Some(object.attribute("name")?.to_text())
}

/// Checks values by name against parameters with their types and whether they may be left out.
pub(crate) fn check_parameters(
    subject: &str,
    parameters: &[(Str, Type, bool)],
    values: &[(Str, Value)],
    tolerated: &dyn Fn(&str) -> bool,
) -> Result<(), EvalError> {
    let mut errors = Vec::new();
    for (name, _) in values {
        if parameters.iter().all(|(known, ..)| known != name) && !tolerated(name) {
            errors.push(format!("has no parameter named '{name}'"));
        }
    }
    for (name, kind, optional) in parameters {
        match values.iter().find(|(given, _)| given == name) {
            Some((_, value)) if kind.is_instance(value) => {}
            Some((_, value)) => {
                let actual = hieratic_puppet_types::infer_set(value);
                let text = hieratic_puppet_types::describe_mismatch(&format!("parameter '{name}'"), kind, &actual);
                // An empty description means that the value fits after all: `Optional` alone accepts everything.
                if text.is_empty() {
                    continue;
                }
                errors.extend(text.split("\n ").map(|line| line.trim_start().to_owned()));
            }
            None if *optional => {}
            None => errors.push(format!("expects a value for parameter '{name}'")),
        }
    }
    match &errors[..] {
        [] => Ok(()),
        [one] => Err(EvalError::new(format!("{subject}: {one}"))),
        many => Err(EvalError::new(format!("{subject}:\n  {}", many.join("\n  ")))),
    }
}
