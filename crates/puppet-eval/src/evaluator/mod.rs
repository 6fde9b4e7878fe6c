//! [`Evaluator`]: evaluates syntax trees.
//!
//! An evaluator is one compilation for one node. It has the [`Scopes`], the [`CatalogBuilder`], the running [`Calls`], the
//! [`EvaluationBudget`] and the [`MessageLog`], each with its own methods, and evaluates expressions with them. Values are
//! shared, never copied; literals are stored in the tree; local variables are on one flat stack; blocks are prepared
//! once before they run.

mod block;
mod budget;
mod call;
mod calls;
mod class;
mod compile;
mod conditional;
mod data_function;
mod definitions;
mod epp;
mod erb;
mod external_ruby;
mod file_cache;
mod host;
mod interpolate;
mod log;
mod positions;
mod prepared;
mod reads;
mod replaced_values;
mod resource;
mod resource_type;
mod ruby;
mod ruby_block;
mod ruby_files;
mod ruby_glob;
mod ruby_memo;
mod scopes;
mod types;

use std::rc::Rc;
use std::sync::Arc;

use hieratic_diagnostics::{Severity, Source};
use hieratic_puppet_functions::{EvalError, Flow, Level, Outcome, Site};
use hieratic_puppet_syntax::Problem;
use hieratic_puppet_syntax::ast::{Assignment, Expr, Node, Program, Variable};
use hieratic_puppet_types::RegexpValue;
use hieratic_puppet_types::Strict;
use hieratic_value::{Hash, HashBuilder, LazyHash, Str, Value};

use crate::catalog::{CatalogBuilder, CompiledCatalog};
use crate::environment::{Environment, EnvironmentRef, Request, Variables};
use crate::failure::{Failure, Log};
use crate::options::Options;

pub(crate) use block::{Closure, is_constant};
pub(crate) use budget::EvaluationBudget;
use budget::RECORD_BYTES;
use calls::Calls;
pub use data_function::DataFailure;
pub(crate) use definitions::{Definitions, UserFunction};
pub use file_cache::FileTransform;
use log::MessageLog;
pub(crate) use positions::EVALUATION;
use prepared::PreparedCode;
pub use reads::NodeReads;
use reads::WatchedVariables;
pub use ruby::RubyInterpreters;
pub use ruby::RubySignatures;
pub use ruby_files::RubyFiles;
pub use ruby_memo::RubyMemo;
use scopes::{AssignError, Scopes};
pub(crate) use scopes::{Scope, ScopeId, TOP};

/// One compilation for one node.
pub struct Evaluator<'e> {
    pub(crate) environment: EnvironmentRef<'e>,
    pub(crate) options: Options,
    /// Whether programs are run in sequence, as at a prompt, so that definitions may be replaced.
    prompting: bool,
    pub(crate) definitions: Definitions,
    pub(crate) prepared: PreparedCode,
    pub(crate) calls: Calls,
    pub(crate) scopes: Scopes,
    pub(crate) catalog: CatalogBuilder,
    pub(crate) budget: EvaluationBudget,
    pub(crate) log: MessageLog,
    /// The Ruby interpreters.
    pub(crate) rubies: ruby::RubyState,
}

impl<'e> Evaluator<'e> {
    /// Creates an evaluator for a node, with empty scopes.
    pub fn new(environment: &'e dyn Environment, options: Options) -> Evaluator<'e> {
        Evaluator::with_environment(EnvironmentRef::Borrowed(environment), options)
    }

    /// Creates an evaluator with a shared environment.
    pub fn keeping(environment: Rc<dyn Environment + 'e>, options: Options) -> Evaluator<'e> {
        Evaluator::with_environment(EnvironmentRef::Owned(environment), options)
    }

    fn with_environment(environment: EnvironmentRef<'e>, options: Options) -> Evaluator<'e> {
        let budget = EvaluationBudget::new(options.budget.clone());
        Evaluator {
            environment,
            options,
            prompting: false,
            definitions: Definitions::default(),
            prepared: PreparedCode::default(),
            calls: Calls::default(),
            scopes: Scopes::default(),
            catalog: CatalogBuilder::default(),
            budget,
            log: MessageLog::default(),
            rubies: ruby::RubyState::default(),
        }
    }

    /// Sets a variable of the top scope: a fact, `facts`, `trusted`, or a variable of the user.
    pub fn set_variable(&mut self, name: &str, value: Value) {
        Arc::make_mut(self.scopes.top_variables_mut()).insert(name.into(), value);
    }

    /// Sets all variables of the top scope at once, for example variables that evaluators for one node share.
    pub fn set_variables(&mut self, variables: Arc<Variables>) {
        *self.scopes.top_variables_mut() = variables;
    }

    /// Sets the values of `$settings::name`.
    pub fn set_settings(&mut self, settings: LazyHash) {
        self.scopes.set_settings(settings);
    }

    /// Sets the facts: the variable `facts`, and a variable for each of them.
    pub fn set_facts(&mut self, facts: &Hash) {
        let variables = Arc::make_mut(self.scopes.top_variables_mut());
        for (name, value) in facts {
            if let Value::String(name) = name {
                variables.entry(name.clone()).or_insert_with(|| value.clone());
            }
        }
        self.set_variable("facts", facts.clone().into());
    }

    /// Disables debug messages.
    pub fn disable_debug(&mut self) {
        self.log.ignore_debug();
    }

    /// Returns the names of the variables of the top scope.
    pub fn variable_names(&self) -> impl Iterator<Item = &str> {
        self.scopes.top_variables().keys().map(|name| &**name)
    }

    /// Returns the messages since the last call.
    pub fn take_logs(&mut self) -> Vec<Log> {
        self.log.take()
    }

    /// Evaluates a program: registers its definitions, evaluates its body and the matching node definition, and
    /// finishes the catalog. Returns the value of the body.
    ///
    /// # Errors
    /// The program fails, or a limit is reached.
    pub fn run(&mut self, program: &Arc<Program>) -> Result<Value, Failure> {
        self.define_program(program)?;
        self.catalog.start();
        let outcome = self.compile(program);
        self.finish_program(outcome)
    }

    fn define_program(&mut self, program: &Arc<Program>) -> Result<(), Failure> {
        let defined = self.define(program).map(|()| Value::Undef);
        self.finish_program(defined).map(drop)
    }

    fn compile(&mut self, program: &Program) -> Outcome {
        let value = self.in_program(program, |this| this.eval(&program.body))?;
        self.evaluate_node()?;
        self.finish_catalog()?;
        Ok(value)
    }

    /// Compiles the catalog of the node from all its manifests and from the classes that a classifier lists for it,
    /// with their parameters.
    ///
    /// # Errors
    /// The manifests are invalid or fail, or a limit is reached.
    pub fn compile_catalog(
        &mut self,
        manifests: &[Arc<Program>],
        classes: &[(Str, Vec<(Str, Value)>)],
    ) -> Result<CompiledCatalog, Failure> {
        self.scopes.reads.classes(classes);
        for program in manifests {
            self.define_program(program)?;
        }
        for (name, _) in classes {
            self.catalog.add_class(name);
        }
        self.catalog.start();
        let outcome = self.compile_all(manifests, classes);
        self.finish_program(outcome.map(|()| Value::Undef))?;
        Ok(self.take_catalog())
    }

    fn compile_all(&mut self, manifests: &[Arc<Program>], classes: &[(Str, Vec<(Str, Value)>)]) -> Result<(), Flow> {
        for program in manifests {
            self.in_program(program, |this| this.eval(&program.body))?;
        }
        self.evaluate_node()?;
        self.evaluate_listed_classes(classes)?;
        self.finish_catalog()
    }

    /// Records what the next compilation reads of its node.
    ///
    /// A record is not made of a compilation that has positions of data, as other nodes may find the same data elsewhere.
    pub fn record_reads(&mut self) {
        if !self.options.data_places {
            self.scopes.reads.start();
        }
    }

    /// Returns what a compilation has read of its node since [`record_reads`](Self::record_reads). Returns `None` if it
    /// has read something that cannot be compared: the output of a program, the clock, or all variables.
    pub fn take_reads(&mut self) -> Option<NodeReads> {
        let reads = self.scopes.reads.finish()?;
        // Code reports values that it computes from secrets, which a shared catalog would not do again.
        (self.environment.secrets() == 0).then_some(reads)
    }

    /// Returns whether the classes of this node and its variables are those that another one's reads name. Nothing may
    /// have run yet.
    pub fn has_same_variables(&self, classes: &[(Str, Vec<(Str, Value)>)], reads: &NodeReads) -> bool {
        reads.has_same_name(&self.options.node)
            && reads.has_same_classes(classes)
            && reads.has_same_variables(self.scopes.top_variables())
    }

    /// Returns whether a compilation would read the same as another node's, if it has the [same
    /// variables](Self::has_same_variables). Nothing may have run yet. Data is looked up as the compilation would.
    pub fn reads_the_same(&mut self, manifests: &[Arc<Program>], reads: &NodeReads) -> bool {
        // An error here would be one of the compilation, too.
        manifests.iter().all(|program| self.define(program).is_ok())
            && self.has_same_definition(reads).is_ok_and(|is_same| is_same)
            && reads.has_same_answers(&*self.environment, self.scopes.top_variables())
            && self.environment.secrets() == 0
    }

    /// Returns the variables of the top scope, by name.
    pub fn top_variables(&self) -> Vec<(Str, Value)> {
        let all = self.scopes.top_variables().iter();
        all.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// Returns the variables of evaluated classes, with qualified names: `class::name`.
    pub fn class_variables(&self) -> Vec<(Str, Value)> {
        self.scopes.class_variables()
    }

    /// Evaluates another program in the same scope, as at a prompt: variables keep their values and may be reassigned.
    ///
    /// # Errors
    /// The program fails, or a limit is reached.
    pub fn run_more(&mut self, program: &Arc<Program>) -> Result<Value, Failure> {
        self.options = self.options.renewed();
        self.budget.renew(self.options.budget.clone());
        self.scopes.allow_reassignment();
        self.prompting = true;
        self.define_program(program)?;
        self.catalog.start();
        let outcome = self.in_program(program, |this| this.eval(&program.body));
        self.finish_program(outcome)
    }

    /// Converts the outcome of a program to its result.
    pub(super) fn finish_program(&mut self, outcome: Outcome) -> Result<Value, Failure> {
        outcome.map_err(|flow| match flow {
            Flow::Error(error) => Failure::from(*error),
            Flow::Break(site) => misplaced("break", site),
            Flow::Next(_, site) => misplaced("next", site),
            Flow::Return(_, site) => misplaced("return", site),
        })
    }

    /// Runs a closure with a program as the source of positions.
    pub(crate) fn in_program<T>(&mut self, program: &Program, run: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.calls.enter_source(program.source.clone());
        let result = run(self);
        self.calls.enter_source(before);
        result
    }

    /// Runs something one level deeper: a call, a class, a template, an alias.
    pub(crate) fn deeper<T>(&mut self, run: impl FnOnce(&mut Self) -> Result<T, Flow>) -> Result<T, Flow> {
        let _level = self.budget.enter()?;
        run(self)
    }

    /// Logs a message.
    pub(crate) fn log_message(&mut self, level: Level, message: String, site: Option<Site>) {
        let source = if site.is_some() || level == Level::Debug && !self.log.records_debug() {
            String::new()
        } else {
            self.scopes.name()
        };
        self.log.add(Log { level, message, site, source }, &mut self.budget);
    }

    /// Logs a message that belongs to no scope.
    pub(crate) fn log_without_scope(&mut self, level: Level, message: String) {
        self.log.add(Log { level, message, site: None, source: String::new() }, &mut self.budget);
    }

    /// Logs a message once.
    pub(crate) fn log_once(&mut self, level: Level, message: String) {
        if self.log.is_first(&message, &mut self.budget) {
            self.log_without_scope(level, message);
        }
    }

    /// Returns the name of the node, for code and messages.
    pub(crate) fn node(&self) -> &str {
        self.scopes.reads.node_name(&self.options.node);
        &self.options.node
    }

    /// Looks up a value and logs the warnings of the data; returns `None` for a missing key.
    pub(crate) fn data(&mut self, request: &Request) -> Result<Option<Value>, EvalError> {
        let (answer, warnings) = if self.scopes.reads.is_on() {
            let watched = WatchedVariables::new(self);
            let answer = self.environment.lookup(request, &watched);
            let warnings = self.environment.take_warnings();
            match &answer {
                Ok(answer) => self.scopes.reads.lookup(request, watched.into_view(), answer.as_ref(), &warnings),
                // Code in Ruby may rescue the error, whose message can have suggestions for this node.
                Err(_) => self.scopes.reads.refuse(),
            }
            (answer, warnings)
        } else {
            (self.environment.lookup(request, self), self.environment.take_warnings())
        };
        for message in warnings {
            self.log_once(Level::Warning, message);
        }
        answer
    }

    /// Logs a warning of the language about an expression, unless warnings are disabled; returns an error if `strict`
    /// makes warnings errors.
    pub(crate) fn warn(&mut self, expr: &Expr, message: String) -> Result<(), Flow> {
        match self.options.strict {
            Strict::Off => Ok(()),
            Strict::Warning => {
                let site = self.calls.site_of(expr);
                self.log_message(Level::Warning, message, Some(site));
                Ok(())
            }
            Strict::Error => Err(self.calls.fail(expr, message)),
        }
    }

    /// Logs a problem of parsing or validation.
    pub fn report(&mut self, source: &Source, problem: &Problem) {
        let level = if problem.severity == Severity::Error { Level::Err } else { Level::Warning };
        let is_placed = problem.issue != hieratic_puppet_syntax::codes::HEREDOC_CODE;
        self.log.add_problem(Log {
            level,
            message: problem.message.clone(),
            site: is_placed.then(|| crate::read::site(source, problem)),
            source: String::new(),
        });
    }

    /// Evaluates one expression.
    pub(crate) fn eval(&mut self, expr: &Expr) -> Outcome {
        // Literals need neither stack space nor a position for errors.
        match &expr.node {
            Node::Literal(value) => return Ok(value.clone()),
            Node::Integer { value, .. } => return Ok(Value::Integer(*value)),
            Node::Name(name) => return Ok(Value::String(name.clone())),
            Node::Nop => return Ok(Value::Undef),
            _ => {}
        }
        let outcome = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
            self.budget.step()?;
            self.eval_node(expr)
        });
        match outcome {
            Err(Flow::Error(error)) if error.site.is_none() => Err(self.calls.locate(*error, expr)),
            outcome => outcome,
        }
    }

    fn eval_node(&mut self, expr: &Expr) -> Outcome {
        match &expr.node {
            Node::Nop => Ok(Value::Undef),
            Node::Literal(value) => Ok(value.clone()),
            Node::Integer { value, .. } => Ok(Value::Integer(*value)),
            Node::Name(name) => Ok(Value::String(name.clone())),
            Node::Regexp(regexp) => Ok(RegexpValue::value(regexp.clone())),
            Node::Reference(name) => self.eval_reference(expr, name),
            Node::Reserved { word, future } => self.eval_reserved(expr, word, *future),
            Node::Variable(variable) => self.eval_variable(expr, variable),
            Node::Concatenated(segments) => self.eval_concatenated(segments),
            Node::Text(inner) => self.eval_text(inner).map(Value::from),
            Node::Heredoc { syntax, text } => self.eval_heredoc(syntax.as_deref(), text),
            Node::List(elements) => {
                let elements = self.eval_all(elements, Vec::with_capacity(elements.len()))?;
                self.budget.charge_value(Value::from(elements))
            }
            Node::Hash(entries) => {
                let mut hash = HashBuilder::with_capacity_and_hasher(entries.len(), Default::default());
                for entry in entries {
                    let key = self.eval(&entry.key)?;
                    let value = self.eval(&entry.value)?;
                    self.budget.charge_visit([&key])?;
                    hash.insert(key, value);
                }
                self.budget.charge_value(Value::Hash(hash.into()))
            }
            Node::Parenthesized(inner) => self.eval(inner),
            Node::Not(inner) => Ok(Value::Boolean(!self.eval(inner)?.is_truthy())),
            Node::And(left, right) => Ok(Value::Boolean(self.eval(left)?.is_truthy() && self.eval(right)?.is_truthy())),
            Node::Or(left, right) => Ok(Value::Boolean(self.eval(left)?.is_truthy() || self.eval(right)?.is_truthy())),
            Node::Minus(inner) => self.eval_minus(expr, inner),
            Node::Unfold(inner) => {
                let value = self.eval(inner)?;
                Ok(Value::from(self.unfolded(value)?))
            }
            Node::Arithmetic(operator, left, right) => self.eval_arithmetic(expr, *operator, left, right),
            Node::Comparison(operator, left, right) => self.eval_comparison(expr, *operator, left, right),
            Node::Match { negated, left, right } => self.eval_match(*negated, left, right),
            Node::In(left, right) => {
                let (left, right) = (self.eval(left)?, self.eval(right)?);
                Ok(Value::Boolean(self.includes(&right, &left)?))
            }
            Node::Assign(operator, left, right) => self.eval_assign(expr, *operator, left, right),
            Node::Relationship(edge, left, right) => self.eval_relationship(expr, *edge, left, right),
            Node::Access { left, keys } => self.eval_access(expr, left, keys),
            Node::NamedAccess(left, right) => {
                let message = format!(
                    "Illegal expression. {} is unacceptable as function name in {}",
                    hieratic_puppet_syntax::label::with_article_capitalized(right),
                    hieratic_puppet_syntax::label::with_article(expr)
                );
                Err(self.calls.fail(left, message))
            }
            Node::Call(call) => self.eval_call(expr, call),
            Node::Method(method) => self.eval_method(expr, method),
            Node::Block(statements) => {
                let mut last = Value::Undef;
                for statement in statements {
                    last = self.eval(statement)?;
                }
                Ok(last)
            }
            Node::If(conditional) => self.eval_if(conditional, true),
            Node::Unless(conditional) => self.eval_if(conditional, false),
            Node::Case(case) => self.eval_case(case),
            Node::Selector(subject, entries) => self.eval_selector(subject, entries),
            Node::Epp(epp) => self.eval_epp(&epp.body),
            Node::RenderString(text) => {
                self.budget.charge_bytes(size_of::<Value>())?;
                self.render(Value::String(text.clone()));
                Ok(Value::Undef)
            }
            Node::Render(inner) => {
                let value = self.eval(inner)?;
                self.budget.charge_text(&value)?;
                let value = if crate::values::is_sensitive(&value) { value } else { self.text_of(&value).into() };
                self.render(value);
                Ok(Value::Undef)
            }
            Node::Resource(resource) => self.eval_resource(expr, resource),
            Node::ResourceDefaults(defaults) => self.eval_defaults(defaults),
            Node::ResourceOverride(override_) => self.eval_override(expr, override_),
            Node::Collect(collect) => self.eval_collect(expr, collect),
            Node::Apply { .. } => {
                Err(self.calls.fail(expr, "An 'apply' expression is not available when compiling a catalog"))
            }
            // Definitions are already registered; as expressions they have no value.
            Node::Function(_)
            | Node::Plan(_)
            | Node::Class(_)
            | Node::Define(_)
            | Node::NodeDefinition(_)
            | Node::TypeAlias(_)
            | Node::TypeMapping { .. }
            | Node::TypeDefinition(_) => Ok(Value::Undef),
            // Calls handle their blocks themselves.
            Node::Lambda(_) => Ok(Value::Undef),
        }
    }

    fn eval_reserved(&mut self, expr: &Expr, word: &Str, future: bool) -> Outcome {
        if future {
            return Ok(Value::String(word.clone()));
        }
        let message = format!("Use of reserved word: {word}, must be quoted if intended to be a String value");
        Err(self.calls.fail(expr, message))
    }

    fn eval_variable(&mut self, expr: &Expr, variable: &Variable) -> Outcome {
        let (found, name) = match variable {
            Variable::Local(name) => (self.scopes.local_variable(name)?, name),
            Variable::Qualified(name) => (self.scopes.qualified_variable(name), name),
            Variable::Match(group) => return Ok(self.match_variable(*group)),
            Variable::Computed(inner) => {
                let value = self.eval(inner)?;
                let Value::String(name) = value else {
                    let message = format!(
                        "Illegal variable expression. {} did not produce a variable name (String or Numeric).",
                        hieratic_puppet_syntax::label::with_article_capitalized(inner)
                    );
                    return Err(self.calls.fail(inner, message));
                };
                return self.variable_or_warn(expr, &name);
            }
        };
        match found {
            Some(value) => Ok(value),
            None => self.unknown_variable(expr, name),
        }
    }

    /// Returns the value of a variable by its name, with a warning if it is not set.
    pub(crate) fn variable_or_warn(&mut self, expr: &Expr, name: &Str) -> Outcome {
        let found = if name.contains("::") {
            self.scopes.qualified_variable(name)
        } else {
            self.scopes.local_variable(name)?
        };
        match found {
            Some(value) => Ok(value),
            None => self.unknown_variable(expr, name),
        }
    }

    fn unknown_variable(&mut self, expr: &Expr, name: &str) -> Outcome {
        let message = format!("Unknown variable: '{name}'.");
        if self.options.strict_variables {
            let nearest = hieratic_diagnostics::nearest(name, self.scopes.top_variables().keys().map(|name| &**name));
            let help = nearest.map(|nearest| format!("did you mean '${nearest}'?"));
            return Err(self.calls.fail_with_help(expr, message, help));
        }
        self.warn(expr, message)?;
        Ok(Value::Undef)
    }

    /// Evaluates expressions in sequence; unfolded values are appended element by element.
    pub(crate) fn eval_all(&mut self, expressions: &[Expr], mut values: Vec<Value>) -> Result<Vec<Value>, Flow> {
        for expr in expressions {
            match &unwrapped(expr).node {
                Node::Unfold(inner) => {
                    let value = self.eval(inner)?;
                    let more = self.unfolded(value)?;
                    self.budget.charge_bytes(more.len() * size_of::<Value>())?;
                    values.extend(more);
                }
                _ => values.push(self.eval(expr)?),
            }
        }
        Ok(values)
    }

    /// Returns the elements that a value unfolds to.
    fn unfolded(&mut self, value: Value) -> Result<Vec<Value>, Flow> {
        Ok(match value {
            Value::Undef => Vec::new(),
            Value::Array(elements) => elements.to_vec(),
            Value::Hash(hash) => crate::values::pairs(&hash),
            other => match hieratic_puppet_functions::iterator_elements(self, &other)? {
                Some(elements) => elements,
                None => vec![other],
            },
        })
    }

    fn eval_assign(&mut self, expr: &Expr, operator: Assignment, left: &Expr, right: &Expr) -> Outcome {
        if operator != Assignment::Set {
            return Err(self.calls.fail(expr, format!("The operator '{}' is not supported.", operator.symbol())));
        }
        let value = self.eval(right)?;
        self.assign(expr, left, right, value.clone())?;
        Ok(value)
    }

    fn assign(&mut self, expr: &Expr, left: &Expr, right: &Expr, value: Value) -> Result<(), Flow> {
        match &left.node {
            Node::Variable(Variable::Local(name)) => self.assign_name(expr, name, value),
            Node::Variable(Variable::Qualified(name)) => {
                let message =
                    format!("Illegal attempt to assign to '{name}'. Cannot assign to variables in other namespaces");
                Err(self.calls.fail(left, message))
            }
            Node::Variable(Variable::Match(group)) => {
                let message = format!(
                    "Illegal attempt to assign to the numeric match result variable '${group}'. Numeric variables are not assignable"
                );
                Err(self.calls.fail(left, message))
            }
            Node::List(targets) => self.assign_several(expr, targets, right, value),
            _ => {
                let label = hieratic_puppet_syntax::label::with_article(left);
                Err(self
                    .calls
                    .fail(left, format!("Illegal attempt to assign to '{label}'. Not an assignable reference")))
            }
        }
    }

    fn assign_name(&mut self, expr: &Expr, name: &Str, value: Value) -> Result<(), Flow> {
        if &**name == "server_facts" {
            return Err(self.calls.fail(expr, format!("Attempt to assign to a reserved variable name: '${name}'")));
        }
        match self.scopes.assign_local(name, value)? {
            None => Ok(()),
            Some(AssignError::Reserved) => {
                Err(self.calls.fail(expr, format!("Attempt to assign to a reserved variable name: '${name}'")))
            }
            Some(AssignError::Assigned) => {
                let built_in = matches!(&**name, "module_name" | "name" | "title" | "caller_module_name");
                let kind = if built_in { "built in (or already assigned) variable" } else { "variable" };
                Err(self.calls.fail(expr, format!("Cannot reassign {kind} '${name}'")))
            }
        }
    }

    /// `[$a, $b] = ...`: element by element, by name from a hash, or from the variables of a class.
    fn assign_several(&mut self, expr: &Expr, targets: &[Expr], right: &Expr, value: Value) -> Result<(), Flow> {
        if let Value::Hash(hash) = &value {
            for target in targets {
                self.assign_from_hash(expr, target, right, hash)?;
            }
            return Ok(());
        }
        if let Some(class) = crate::values::class_of(&value) {
            return self.assign_from_class(expr, targets, right, &class);
        }
        let values = match value {
            Value::Array(values) => values.to_vec(),
            other => vec![other],
        };
        if values.len() != targets.len() {
            let message = format!(
                "Mismatched number of assignable entries and values, expected {}, got {}",
                targets.len(),
                values.len()
            );
            return Err(self.calls.fail(expr, message));
        }
        for (target, value) in targets.iter().zip(values) {
            self.assign(expr, target, right, value)?;
        }
        Ok(())
    }

    fn assign_from_hash(&mut self, expr: &Expr, target: &Expr, right: &Expr, hash: &Hash) -> Result<(), Flow> {
        match &target.node {
            Node::Variable(Variable::Local(name) | Variable::Qualified(name)) => match hash.get(name) {
                Some(value) => self.assign(expr, target, right, value.clone()),
                None => {
                    let message = format!("No value for required key '{name}' in assignment to variables from hash");
                    Err(self.calls.fail(expr, message))
                }
            },
            // A nested list of names is a single key, which no hash from data contains.
            Node::List(targets) => {
                let key: Value = targets
                    .iter()
                    .filter_map(|target| match &target.node {
                        Node::Variable(Variable::Local(name)) => Some(Value::String(name.clone())),
                        _ => None,
                    })
                    .collect();
                match hash.get_value(&key) {
                    Some(value) => self.assign(expr, target, right, value.clone()),
                    None => {
                        let message = format!(
                            "No value for required key '{}' in assignment to variables from hash",
                            key.inspect()
                        );
                        Err(self.calls.fail(expr, message))
                    }
                }
            }
            _ => self.assign(expr, target, right, Value::Undef),
        }
    }

    fn assign_from_class(&mut self, expr: &Expr, targets: &[Expr], right: &Expr, class: &str) -> Result<(), Flow> {
        let class = class.to_lowercase();
        if self.scopes.of_class(&class).is_none() {
            let message = format!("Resource not found: Class['{class}']");
            return Err(self.calls.fail(right, message));
        }
        for target in targets {
            let Node::Variable(Variable::Local(name)) = &target.node else {
                return self.assign(expr, target, right, Value::Undef);
            };
            let qualified = format!("{class}::{name}");
            let Some(value) = self.scopes.qualified_variable(&qualified) else {
                let message = format!(
                    "No value for required variable '${qualified}' in assignment to variables from class reference"
                );
                return Err(self.calls.fail(target, message));
            };
            self.assign(expr, target, right, value)?;
        }
        Ok(())
    }
}

/// Removes parentheses.
pub(crate) fn unwrapped(mut expr: &Expr) -> &Expr {
    while let Node::Parenthesized(inner) = &expr.node {
        expr = inner;
    }
    expr
}

/// Returns the error for a `break`, `next` or `return` that has nothing to end.
fn misplaced(function: &str, site: Site) -> Failure {
    let mut message = format!("{function}() from context where this is illegal");
    // The reference then mentions an unknown file.
    if site.file.is_none() {
        message.push_str(&format!(" (file: unknown, line: {})", site.line));
    }
    Failure { message, site: Site { column: 0, ..site }, ..Failure::default() }
}
