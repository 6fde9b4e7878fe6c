//! Definitions of programs: functions, classes, defined types, nodes and type aliases, in the manifest or in modules.
//!
//! A definition of a module is loaded when its name is first used: `foo::bar` is expected in the module `foo`, in the
//! folder of its kind, in the file `bar.pp`; see
//! [autoloading](https://www.puppet.com/docs/puppet/8/lang_namespaces.html).

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use hieratic_diagnostics::Source;
use hieratic_puppet_functions::{EvalError, EvalErrorKind, Flow, Level, Site};
use hieratic_puppet_syntax::ast::{
    Class, Define, Expr, Function, Lambda, Node, NodeDefinition, Parameter, Program, TypeAlias,
};
use hieratic_puppet_types::Type;
use hieratic_value::collections::{HashMap, HashSet};
use hieratic_value::{Str, Value};

use super::positions::at_call_site;
use super::{Closure, Evaluator};
use crate::native_types::{METAPARAMETERS, listed};
use crate::read::Read;

/// All definitions, by lower-case name.
#[derive(Debug, Default)]
pub(crate) struct Definitions {
    functions: HashMap<Str, Arc<UserFunction>>,
    classes: HashMap<Str, Definition<Class>>,
    defines: HashMap<Str, Definition<Define>>,
    nodes: Vec<Definition<NodeDefinition>>,
    /// The index of the first definition with a name.
    node_names: HashMap<Str, usize>,
    aliases: HashMap<Str, Definition<TypeAlias>>,
    /// Resolved aliases.
    resolved: HashMap<Str, Type>,
    /// Files that were already searched.
    tried: HashSet<PathBuf>,
}

impl Definitions {
    /// Returns a function that is already loaded.
    pub(super) fn function(&self, name: &str) -> Option<&Arc<UserFunction>> {
        self.functions.get(name)
    }

    /// Returns the names of the functions that are already loaded.
    pub(super) fn function_names(&self) -> impl Iterator<Item = &str> {
        self.functions.keys().map(|name| &**name)
    }

    /// Returns a class that is already loaded.
    pub(crate) fn loaded_class(&self, name: &str) -> Option<&Definition<Class>> {
        self.classes.get(name)
    }

    /// Returns a defined type that is already loaded.
    pub(crate) fn loaded_define(&self, name: &str) -> Option<&Definition<Define>> {
        self.defines.get(name)
    }

    /// Returns the definitions of nodes, in their order.
    pub(super) fn nodes(&self) -> &[Definition<NodeDefinition>] {
        &self.nodes
    }
}

/// A definition with its program.
#[derive(Debug)]
pub(crate) struct Definition<T> {
    pub program: Arc<Program>,
    pub definition: Arc<T>,
}

impl<T> Clone for Definition<T> {
    fn clone(&self) -> Self {
        Definition { program: self.program.clone(), definition: self.definition.clone() }
    }
}

/// A Puppet-language function.
#[derive(Debug)]
pub(crate) struct UserFunction {
    pub program: Arc<Program>,
    pub lambda: Arc<Lambda>,
    name: Str,
    /// Prepared when it is first called.
    pub closure: OnceLock<Arc<Closure>>,
    /// The start of its definition.
    at: u32,
}

impl UserFunction {
    fn new(program: &Arc<Program>, function: &Function) -> UserFunction {
        // The copy is made once per program, so that functions run like blocks.
        let lambda = Lambda {
            parameters: function.parameters.clone(),
            returns: function.returns.clone(),
            body: function.body.clone(),
            span: function.span,
        };
        UserFunction {
            program: program.clone(),
            lambda: Arc::new(lambda),
            name: function.name.clone(),
            closure: OnceLock::new(),
            at: function.span.start,
        }
    }

    /// Returns the name in full.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name of its lambda.
    pub fn lambda_name(&self) -> Str {
        self.name.clone()
    }
}

impl Evaluator<'_> {
    /// Registers all definitions of a program, as the reference does when it reads a file: functions, type aliases and
    /// the types of parameters in their order, then classes, defined types and nodes.
    pub(crate) fn define(&mut self, program: &Arc<Program>) -> Result<(), Flow> {
        self.define_types(program, &program.body)?;
        self.define_bodies(program, &program.body)?;
        Ok(())
    }

    /// Registers functions and type aliases, and evaluates the types of parameters: an unknown one is an error, even
    /// if nothing uses the definition.
    fn define_types(&mut self, program: &Arc<Program>, expr: &Expr) -> Result<(), Flow> {
        match &expr.node {
            Node::Block(statements) => {
                for statement in statements {
                    self.define_types(program, statement)?;
                }
            }
            Node::Function(function) => {
                let name = lower(&function.name);
                if let Some(known) = self.definitions.functions.get(&name).filter(|_| !self.prompting) {
                    let origin = origin(&known.program.source, known.at);
                    return Err(redefined("function", &name, &origin).into());
                }
                let user = UserFunction::new(program, function);
                self.definitions.functions.insert(name, Arc::new(user));
            }
            Node::Class(class) => {
                self.define_types(program, &class.body)?;
                self.check_parameter_types(program, &class.parameters)?;
            }
            Node::Define(define) => self.check_parameter_types(program, &define.parameters)?,
            Node::TypeAlias(alias) => self.define_alias(program, alias)?,
            _ => {}
        }
        Ok(())
    }

    fn check_parameter_types(&mut self, program: &Arc<Program>, parameters: &[Parameter]) -> Result<(), Flow> {
        let mut kinds = parameters.iter().filter_map(|parameter| parameter.kind.as_ref()).peekable();
        if kinds.peek().is_none() {
            return Ok(());
        }
        // The type may be in another file, with parameters of further types.
        self.deeper(|this| {
            let mark = this.scopes.enter(super::TOP);
            let before = this.calls.resolve_alias(false);
            let checked = this.in_program(program, |this| kinds.try_for_each(|kind| this.eval_type(kind).map(drop)));
            this.calls.resolve_alias(before);
            this.scopes.reset(mark);
            checked
        })
    }

    fn define_alias(&mut self, program: &Arc<Program>, alias: &Arc<TypeAlias>) -> Result<(), EvalError> {
        let defined = Definition { program: program.clone(), definition: alias.clone() };
        let name = lower(&alias.name);
        let built_in = hieratic_puppet_types::parse(&alias.name).is_ok_and(|kind| !matches!(kind, Type::Reference(_)));
        if built_in {
            return Err(redefined("type", &name, "by Puppet-Type-System/Static-Loader"));
        }
        if let Some(known) = self.definitions.aliases.get(&name).filter(|_| !self.prompting) {
            let (source, span) = (&known.program.source, known.definition.span);
            let text = source.text().get(span.first()..).unwrap_or_default();
            let at = text.find(&*known.definition.name).unwrap_or(0) as u32;
            return Err(redefined("type", &name, &origin(source, span.start + at)));
        }
        self.definitions.resolved.remove(&name);
        self.prepared.forget_types();
        self.definitions.aliases.insert(name, defined);
        Ok(())
    }

    fn define_bodies(&mut self, program: &Arc<Program>, expr: &Expr) -> Result<(), EvalError> {
        match &expr.node {
            Node::Block(statements) => {
                for statement in statements {
                    self.define_bodies(program, statement)?;
                }
            }
            Node::Class(class) => {
                let defined = Definition { program: program.clone(), definition: class.clone() };
                let name = lower(&class.name);
                self.check_unique(&name, "Class", program, class.span.start)?;
                self.check_metaparameters(&name, &class.parameters)?;
                self.definitions.classes.insert(name, defined);
                self.define_bodies(program, &class.body)?;
            }
            Node::Define(define) => {
                let defined = Definition { program: program.clone(), definition: define.clone() };
                let name = lower(&define.name);
                if let Some(known) = self.definitions.defines.get(&name).filter(|_| !self.prompting) {
                    let origin = origin(&known.program.source, known.definition.span.start);
                    return Err(redefined("type", &name, &origin));
                }
                self.check_unique(&name, "Definition", program, define.span.start)?;
                self.check_metaparameters(&name, &define.parameters)?;
                self.definitions.defines.insert(name, defined);
            }
            Node::NodeDefinition(node) => {
                let names: Vec<Str> = node.matches.iter().filter_map(node_name).collect();
                self.check_node(node, &names, program)?;
                let place = self.definitions.nodes.len();
                for name in names {
                    self.definitions.node_names.entry(name).or_insert(place);
                }
                self.definitions.nodes.push(Definition { program: program.clone(), definition: node.clone() });
            }
            _ => {}
        }
        Ok(())
    }

    /// Checks that no class or defined type of the same name exists.
    fn check_unique(&self, name: &str, kind: &str, program: &Arc<Program>, at: u32) -> Result<(), EvalError> {
        let (class, define) = (self.definitions.classes.get(name), self.definitions.defines.get(name));
        let place = |site: Site| crate::failure::site_text(&Site { column: 0, ..site });
        let message = match (class, define) {
            (Some(_), _) if self.prompting && kind == "Class" => return Ok(()),
            (Some(class), _) => {
                let place = place(Site::at(&class.program.source, class.definition.span.start as usize));
                match kind {
                    "Class" => format!("Class '{name}' is already defined{place}; cannot redefine"),
                    _ => format!("'{name}' is already defined{place} as a class; cannot redefine as a definition"),
                }
            }
            (_, Some(define)) => {
                let place = place(Site::at(&define.program.source, define.definition.span.start as usize));
                format!("Definition '{name}' is already defined{place}; cannot be redefined as a class")
            }
            _ => return Ok(()),
        };
        let mut error = EvalError::rule(message);
        error.site = Some(Site { column: 0, ..Site::at(&program.source, at as usize) });
        Err(error)
    }

    /// A parameter may have the name of a metaparameter if it has a default.
    fn check_metaparameters(&mut self, name: &str, parameters: &[Parameter]) -> Result<(), EvalError> {
        for parameter in parameters.iter().filter(|one| listed(METAPARAMETERS, &one.name)) {
            let one = &parameter.name;
            if parameter.default.is_none() {
                let message =
                    format!("{one} is a metaparameter; please choose another parameter name in the {name} definition");
                return Err(EvalError {
                    kind: EvalErrorKind::Raw,
                    site: Some(Site::default()),
                    ..EvalError::new(message)
                });
            }
            let message = format!(
                "{one} is a metaparam; this value will inherit to all contained resources in the {name} definition"
            );
            self.log_once(Level::Warning, message);
        }
        Ok(())
    }

    /// Checks that a node is defined once.
    fn check_node(&self, node: &NodeDefinition, names: &[Str], program: &Arc<Program>) -> Result<(), EvalError> {
        let first = names.iter().filter_map(|name| self.definitions.node_names.get(name)).min();
        let Some(known) = first.and_then(|place| self.definitions.nodes.get(*place)).filter(|_| !self.prompting) else {
            return Ok(());
        };
        let existing = known.definition.matches.iter().filter_map(node_name).find(|name| names.contains(name));
        let name = existing.unwrap_or_default();
        let previous = Site { column: 0, ..Site::at(&known.program.source, known.definition.span.start as usize) };
        let place = crate::failure::site_text(&previous);
        let mut error = EvalError::rule(format!("Node '{name}' is already defined{place}; cannot redefine"));
        error.site = Some(Site { column: 0, ..Site::at(&program.source, node.span.start as usize) });
        Err(error)
    }

    /// Returns a Puppet-language function by its name.
    pub(crate) fn user_function(&mut self, name: &str) -> Result<Option<Arc<UserFunction>>, Flow> {
        if let Some(known) = self.definitions.functions.get(name) {
            return Ok(Some(known.clone()));
        }
        if name.contains("::") {
            self.load("functions", name)?;
            return Ok(self.definitions.functions.get(name).cloned());
        }
        Ok(None)
    }

    /// Returns a class by its name.
    pub(crate) fn class(&mut self, name: &str) -> Result<Option<Definition<Class>>, Flow> {
        let name = name.strip_prefix("::").unwrap_or(name).to_lowercase();
        if !self.definitions.classes.contains_key(&*name) {
            self.load_manifests(&name, |definitions, name| definitions.classes.contains_key(name))?;
        }
        Ok(self.definitions.classes.get(&*name).cloned())
    }

    /// Returns whether a class, or a file that would define it, exists.
    pub(crate) fn has_class(&self, name: &str) -> bool {
        let mut segments = name.split("::");
        let file = || {
            let root = self.root_of(segments.next()?)?;
            file_of(&root.join("manifests"), &segments.collect::<Vec<_>>())
        };
        self.definitions.classes.contains_key(name) || file().is_some_and(|file| self.options.files.is_file(&file))
    }

    /// Returns a defined type by its name.
    pub(crate) fn defined_type(&mut self, name: &str) -> Result<Option<Definition<Define>>, Flow> {
        let name = name.strip_prefix("::").unwrap_or(name).to_lowercase();
        if !self.definitions.defines.contains_key(&*name) {
            self.load_manifests(&name, |definitions, name| definitions.defines.contains_key(name))?;
        }
        Ok(self.definitions.defines.get(&*name).cloned())
    }

    /// Resolves the alias of a lower-case name.
    pub(crate) fn alias(&mut self, name: &str) -> Result<Option<Type>, Flow> {
        if let Some(known) = self.definitions.resolved.get(name) {
            return Ok(Some(known.clone()));
        }
        if !self.definitions.aliases.contains_key(name) && name.contains("::") {
            self.load("types", name)?;
        }
        let Some(defined) = self.definitions.aliases.get(name).cloned() else { return Ok(None) };
        // While it is resolved, the name refers to an unresolved alias, so that types may be recursive.
        let (alias, resolver) = hieratic_puppet_types::Alias::unresolved(&defined.definition.name);
        self.definitions.resolved.insert(name.into(), Type::Alias(alias.clone()));
        let mark = self.scopes.enter(super::TOP);
        let before = self.calls.resolve_alias(true);
        let kind = match computed(&defined.definition.kind) {
            Some(expr) => {
                let span = expr.span.range();
                let text = defined.program.source.text().get(span).unwrap_or_default();
                let message = format!("The expression <{text}> is not a valid type specification.");
                Err(EvalError { kind: EvalErrorKind::Outer, ..EvalError::new(message) }.into())
            }
            None => {
                self.deeper(|this| this.in_program(&defined.program, |this| this.eval_type(&defined.definition.kind)))
            }
        };
        self.calls.resolve_alias(before);
        self.scopes.reset(mark);
        let kind = match kind {
            // `Object[{}]` is the type of all objects, but under a name it is one without attributes.
            Ok(Type::Object(None)) if matches!(&defined.definition.kind.node, Node::Access { .. }) => {
                hieratic_puppet_types::object_type(Some(&defined.definition.name), &Default::default())
                    .map_err(|message| EvalError::new(message).into())
            }
            other => other,
        };
        let kind = kind.map_err(|flow| match &flow {
            Flow::Error(error) if error.kind == EvalErrorKind::Outer => flow,
            _ => self.alias_type_error(&defined).unwrap_or(flow),
        });
        // An error of a nested alias is reported at the use of the outer one.
        let kind = if before { kind } else { kind.map_err(at_call_site) };
        let endless = |message: String| {
            // Aliases that only refer to each other are reported at the first use.
            let shown = format!("Type alias '{}' cannot be resolved to a real type", defined.definition.name);
            let error = if message.ends_with("cannot be resolved to a real type") {
                EvalError::new(shown)
            } else {
                EvalError::rule(message)
            };
            Flow::from(EvalError { kind: if before { EvalErrorKind::Outer } else { error.kind }, ..error })
        };
        let resolved = kind.and_then(|kind| resolver.resolve(kind).map_err(endless));
        let resolved = match resolved {
            Err(Flow::Error(error)) if !before && error.message.ends_with("cannot be resolved to a real type") => {
                Err(endless(error.message))
            }
            other => other,
        };
        match resolved {
            Ok(resolved) => {
                self.definitions.resolved.insert(name.into(), resolved.clone());
                self.prepared.type_names.clear();
                Ok(Some(resolved))
            }
            Err(flow) => {
                self.definitions.resolved.remove(name);
                Err(flow)
            }
        }
    }

    /// Returns the error of an alias whose type alone is invalid. The reference parses such types like those in
    /// strings, and reports their errors at the use of the alias.
    fn alias_type_error(&self, alias: &Definition<TypeAlias>) -> Option<Flow> {
        let span = alias.definition.kind.span;
        let text = alias.program.source.text().get(span.range())?;
        let known = |name: &str| self.definitions.resolved.get(&*name.to_lowercase()).cloned();
        let error = hieratic_puppet_types::parse_with(text, &known).err()?;
        let own = format!(" {}[", alias.definition.name);
        let message =
            if text.starts_with("Object") { error.to_string().replace(" Object[", &own) } else { error.to_string() };
        Some(EvalError { kind: EvalErrorKind::Outer, ..EvalError::new(message) }.into())
    }

    /// Loads the file of a folder that should define a function or a type alias, if it exists.
    fn load(&mut self, folder: &str, name: &str) -> Result<(), Flow> {
        let Some((module, rest)) = segments(name) else { return Ok(()) };
        let Some(path) = self.file_in_module(folder, module, &rest) else { return Ok(()) };
        self.load_files(std::slice::from_ref(&path))?;
        if folder == "functions" {
            self.check_function_file(name, &path)?;
        }
        Ok(())
    }

    /// Loads the files that may define a class or a defined type, until one does: that of its name, then those of its
    /// enclosing names. The `init.pp` of the module is read before each of them.
    fn load_manifests(&mut self, name: &str, is_known: fn(&Definitions, &str) -> bool) -> Result<(), Flow> {
        let Some((module, mut rest)) = segments(name) else { return Ok(()) };
        let Some(init) = self.file_in_module("manifests", module, &[]) else { return Ok(()) };
        loop {
            let Some(path) = self.file_in_module("manifests", module, &rest) else { return Ok(()) };
            if rest.is_empty() || self.options.avoids_init && self.options.files.is_file(&path) {
                self.load_files(&[path])?;
            } else {
                self.load_files(&[init.clone(), path])?;
            }
            if is_known(&self.definitions, name) || rest.pop().is_none() {
                return Ok(());
            }
        }
    }

    /// Returns the path of the file that should define a name, given its module and the other segments.
    fn file_in_module(&self, folder: &str, module: &str, rest: &[&str]) -> Option<PathBuf> {
        let folder = self.root_of(module)?.join(folder);
        // The reference searches definitions of the environment in a folder of that name, and then next to it.
        if module == "environment"
            && let Some(own) = file_of(&folder.join(module), rest).filter(|own| self.options.files.is_file(own))
        {
            return Some(own);
        }
        file_of(&folder, rest)
    }

    /// Returns the folder for the first segment of a name: that of a module, or of the environment.
    fn root_of(&self, module: &str) -> Option<PathBuf> {
        match module {
            "environment" => self.environment.root().map(Path::to_owned),
            module => self.environment.module(module),
        }
    }

    /// Checks that a file of a function defines the function with its name, and no other.
    fn check_function_file(&self, name: &str, path: &Path) -> Result<(), Flow> {
        let file = path.display().to_string();
        let others = self.definitions.functions.iter().filter(|(known, _)| &***known != name);
        let Some((_, other)) = others.into_iter().find(|(_, other)| other.program.source.name() == file) else {
            return Ok(());
        };
        let message = format!("Unacceptable location. The name '{}' is unacceptable in file '{file}'", other.name());
        let mut error = EvalError::rule(message);
        error.site = Some(Site::at(&other.program.source, other.at as usize));
        Err(error.into())
    }

    /// Loads files that were not loaded before: all are parsed before the definitions of the first are registered.
    fn load_files(&mut self, paths: &[PathBuf]) -> Result<(), Flow> {
        let mut programs = Vec::with_capacity(paths.len());
        for path in paths {
            if self.definitions.tried.contains(path) {
                continue;
            }
            self.budget.charge_bytes(super::RECORD_BYTES + path.as_os_str().len())?;
            self.definitions.tried.insert(path.to_owned());
            if let Some(file) = self.environment.code(path, &self.options) {
                programs.push(self.accept(&file.source, &file.read)?);
            }
        }
        programs.iter().try_for_each(|program| self.define(program))
    }

    /// Parses and validates source text.
    ///
    /// # Errors
    /// The first error, or the number of errors, which are then logged.
    pub(crate) fn parse(&mut self, source: Source, epp: bool) -> Result<Arc<Program>, EvalError> {
        let read = crate::read::read(&source, epp, &self.options, self.environment.validator());
        self.accept(&source, &read)
    }

    /// Returns the program of a parsed source and logs its problems.
    fn accept(&mut self, source: &Source, read: &Read) -> Result<Arc<Program>, EvalError> {
        read.report_to(source, self);
        read.program.clone().map_err(|failure| failure.to_error())
    }
}

/// Splits a name into its module and the other segments.
fn segments(name: &str) -> Option<(&str, Vec<&str>)> {
    let mut segments = name.strip_prefix("::").unwrap_or(name).split("::");
    let module = segments.next().filter(|module| !module.is_empty())?;
    Some((module, segments.collect()))
}

/// Returns the file in a folder that defines a name, given the segments after the module; `None` if it would lead out
/// of the folder, as `..`.
fn file_of(folder: &Path, rest: &[&str]) -> Option<PathBuf> {
    if rest.iter().any(|part| !part.chars().all(|c| c.is_alphanumeric() || c == '_')) {
        return None;
    }
    let (last, folders) = rest.split_last().unwrap_or((&"init", &[]));
    let mut path = folder.to_owned();
    path.extend(folders);
    path.push(format!("{last}.pp"));
    Some(path)
}

fn lower(name: &str) -> Str {
    name.to_lowercase().into()
}

/// Returns the first part of a type that would need evaluation: the type of an alias must be literal.
fn computed(expr: &Expr) -> Option<&Expr> {
    match &expr.node {
        Node::Access { left, keys } => computed(left).or_else(|| keys.iter().find_map(computed)),
        Node::List(elements) => elements.iter().find_map(computed),
        Node::Hash(entries) => entries.iter().find_map(|entry| computed(&entry.key).or_else(|| computed(&entry.value))),
        Node::Variable(_)
        | Node::Arithmetic(..)
        | Node::Comparison(..)
        | Node::Match { .. }
        | Node::In(..)
        | Node::And(..)
        | Node::Or(..)
        | Node::Not(_)
        | Node::Selector(..)
        | Node::Call(_)
        | Node::Method(_) => Some(expr),
        _ => None,
    }
}

/// Formats the position of a definition like the reference's loaders.
fn origin(source: &Source, at: u32) -> String {
    let place = source.position(at as usize);
    let scheme = if source.name().is_empty() { "string:" } else { "file:" };
    format!("at {scheme}{}?line={}&pos={}", source.name(), place.line, place.column)
}

/// Returns the error for a function or type whose name is already taken.
fn redefined(kind: &str, name: &str, origin: &str) -> EvalError {
    let mut error = EvalError::rule(format!(
        "Attempt to redefine entity 'http://puppet.com/2016.1/runtime/{kind}/{name}'. Originally set {origin}."
    ));
    error.site = Some(Site::default());
    error
}

/// Returns the name of a node from a literal matcher of its definition.
fn node_name(expr: &Expr) -> Option<Str> {
    match &expr.node {
        Node::Literal(Value::String(name)) => Some(name.to_lowercase().into()),
        Node::Regexp(regexp) => Some(super::compile::name_of_pattern(regexp.source())),
        Node::Literal(value) if crate::values::is_default(value) => Some("default".into()),
        _ => None,
    }
}
