//! [`Code`]: the Puppet language for one node of an environment.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use hieratic_budget::Budget;
use hieratic_diagnostics::Source;
use hieratic_hiera::{Error, ErrorKind, Node, Query, Strategy};
use hieratic_puppet_eval::read::Read;
use hieratic_puppet_eval::{CompiledCatalog, Evaluator, Failure, Log, NodeReads, Options, Request, interpolated};
use hieratic_puppet_functions::{EvalError, EvalErrorKind};
use hieratic_puppet_syntax::ast::Program;
use hieratic_puppet_types::{StringFormats, convert_to_string, convert_to_string_with, infer_set};
use hieratic_sandbox::{Files, Outside, is_absence};
use hieratic_value::{Rich, Str, Value};

pub use hieratic_puppet_eval::RubyMemo;

use crate::catalog::{
    ClassifiedClass, Compilation, OtherNodes, ProgramOutputs, SharedCatalogs, SharedCode, SharedCompilation,
    TrackedCompilation, Tracking,
};
pub use crate::condition::{Condition, UnknownFact};
use crate::environment::Environment;
use crate::facts::Facts;
pub use crate::reading::read_code;
use crate::redaction::TaintTracker;
use crate::run::Run;
use crate::settings::DEFAULT_ENVIRONMENT;

/// The Puppet language for one node. Threads can share it, because each evaluation has its own state.
///
/// ```
/// use hieratic::{Code, Facts};
///
/// let code = Code::alone().with_facts(Facts::named("web01.example.com"));
/// let evaluation = code.evaluate("", "\"${facts['networking']['hostname']}-${1 + 1}\"");
/// assert_eq!(evaluation.value.unwrap().inspect(), "\"web01-2\"");
/// ```
pub struct Code<'e> {
    pub(crate) environment: Option<&'e Environment>,
    pub(crate) facts: Facts,
    pub(crate) options: Options,
    /// The taint tracking of the environment's secrets.
    pub(crate) taint: Option<TaintTracker>,
    /// The caches that are shared with other nodes of one run.
    pub(crate) shared: Option<Arc<SharedCode>>,
    /// The exported resources and query answers of other nodes.
    pub(crate) others: OtherNodes,
    /// The output of programs, if it is shared with other catalogs.
    pub(crate) programs: Option<Arc<ProgramOutputs>>,
}

/// The code that a catalog begins with.
#[derive(Clone, Copy)]
enum Manifests<'m> {
    /// The manifests of the environment.
    Files(&'m [PathBuf]),
    /// Code instead of them.
    Source(&'m Source),
}

/// The result of evaluating source code.
#[derive(Debug)]
pub struct Evaluation {
    /// The source.
    pub source: Source,
    /// The parsed program and its diagnostics.
    pub read: Read,
    /// The value, or the error.
    pub value: Result<Value, Failure>,
    /// All log messages, in order.
    pub logs: Vec<Log>,
}

/// An evaluation in the form of strings, for tools.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The value as a literal (`%p`); `None` for values without a literal form.
    pub value: Option<String>,
    /// The value as a string interpolation shows it.
    pub string: Option<String>,
    /// The type of the value, as the function `type` returns it.
    pub kind: Option<String>,
    /// The value, if it is plain data.
    pub json: Option<Value>,
    /// All log messages.
    pub logs: Vec<ReportedLog>,
    /// The error, if there is no value.
    pub error: Option<ReportedError>,
}

/// A log message in a [`Report`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportedLog {
    /// The name of the level.
    pub level: String,
    /// The message.
    pub text: String,
}

/// An error in a [`Report`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportedError {
    /// The message.
    pub message: String,
    /// The line, if it is known.
    pub line: Option<u32>,
    /// The column, if it is known.
    pub column: Option<u32>,
}

/// An evaluation with the catalog of the resources that it declares.
#[derive(Debug)]
pub struct DeclaringEvaluation {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// The catalog.
    pub catalog: CompiledCatalog,
}

impl<'e> Code<'e> {
    /// Creates the language without an environment: there are no modules and no data.
    pub fn alone() -> Code<'e> {
        Code::new(None, Facts::default(), Options::default())
    }

    /// Creates the language in an environment, with its settings.
    pub fn within(environment: &'e Environment) -> Code<'e> {
        Code::new(Some(environment), Facts::default(), environment.language())
    }

    /// Sets the node by its facts.
    pub fn with_facts(self, facts: Facts) -> Code<'e> {
        Code::new(self.environment, facts, self.options)
    }

    /// Sets the options.
    pub fn with_options(self, options: Options) -> Code<'e> {
        Code::new(self.environment, self.facts, options)
    }

    /// Creates the language for a node, with or without an environment that has modules and data.
    pub fn new(environment: Option<&'e Environment>, facts: Facts, mut options: Options) -> Code<'e> {
        if let Some(node) = facts.node() {
            options.node = node.to_owned();
        }
        if let Some(environment) = environment {
            options.environment = environment.name().to_owned();
            if options.files.outside() == Outside::Never {
                options.files = environment.capabilities().code.clone();
            }
        }
        let followed = environment.map(|environment| TaintTracker::new(environment.secrets()));
        Code {
            environment,
            facts,
            options,
            taint: followed,
            shared: None,
            others: OtherNodes::default(),
            programs: None,
        }
    }

    /// Shares files of code, the search for secrets and the output of programs with other nodes, and adds the exports
    /// of other nodes.
    pub(crate) fn sharing(
        self,
        shared: Arc<SharedCode>,
        followed: TaintTracker,
        others: OtherNodes,
        programs: Option<Arc<ProgramOutputs>>,
    ) -> Code<'e> {
        Code { shared: Some(shared), taint: Some(followed), others, programs, ..self }
    }

    /// Reads code through files that record the accesses.
    pub(crate) fn reading(mut self, files: Files) -> Code<'e> {
        self.options.files = files;
        self
    }

    /// Compiles the catalog of the node of its manifests and of the classes that a classifier lists, with their parameters.
    pub(crate) fn compile(&self, manifests: &[PathBuf], classes: &[ClassifiedClass]) -> Compilation {
        self.compile_in(&Rc::new(Run::new(self)), Manifests::Files(manifests), classes)
    }

    /// Compiles the catalog of the node of code instead of manifests.
    pub(crate) fn compile_source(&self, manifest: &Source, classes: &[ClassifiedClass]) -> Compilation {
        self.compile_in(&Rc::new(Run::new(self)), Manifests::Source(manifest), classes)
    }

    /// Compiles the catalog, or returns that of a node whose compilation has read the same. With tracking, the result
    /// includes whether a file with other content elsewhere may have been read: code by the first node, data by this one.
    pub(crate) fn compile_shared(
        &self,
        manifests: &[PathBuf],
        classes: &[ClassifiedClass],
        catalogs: &SharedCatalogs,
        tracking: Option<&Tracking<'_>>,
    ) -> TrackedCompilation {
        let run = || {
            Rc::new(match tracking {
                Some(tracking) => Run::noting(self, tracking.is_other),
                None => Run::new(self),
            })
        };
        let has_read_other_code = || tracking.is_some_and(|tracking| (tracking.has_read_other_code)());
        let listed = listed(classes);
        if let Some(tracked) = self.find_shared(&run(), manifests, &listed, catalogs) {
            let has_read_other = tracked.has_read_other || has_read_other_code();
            return TrackedCompilation { has_read_other, ..tracked };
        }
        let run = run();
        let (compilation, reads) = self.compile_readable(&run, Manifests::Files(manifests), &listed, true);
        let compilation = self.faultless(compilation);
        let has_read_other_code = has_read_other_code();
        let shared = match reads {
            Some(reads) if compilation.catalog.is_ok() => catalogs.add(reads, compilation, has_read_other_code),
            _ => SharedCompilation { compilation: Arc::new(compilation), group: None },
        };
        TrackedCompilation { shared, has_read_other: has_read_other_code || run.may_have_read_other() }
    }

    /// Returns the compilation of a node that has read the same as this one would.
    fn find_shared<'c>(
        &'c self,
        run: &Rc<Run<'c>>,
        manifests: &[PathBuf],
        classes: &[(Str, Vec<(Str, Value)>)],
        catalogs: &SharedCatalogs,
    ) -> Option<TrackedCompilation> {
        let mut evaluator = self.evaluator_in(run.clone());
        let candidates = catalogs.candidates(|reads| evaluator.has_same_variables(classes, reads));
        if candidates.is_empty() {
            return None;
        }
        // The compilation that follows reports manifests that cannot be read.
        let programs = self.read_manifests(run, Manifests::Files(manifests), &mut evaluator).ok()?;
        let found = candidates.iter().find(|one| evaluator.reads_the_same(&programs, &one.reads))?;
        // It also reports files that cannot be read.
        if self.options.files.fault().is_some() {
            return None;
        }
        let has_read_other = found.has_read_other_code || run.may_have_read_other();
        Some(TrackedCompilation { shared: catalogs.share(found), has_read_other })
    }

    /// Compiles the catalog. If a part of the files could not be read, the result is that error, whatever the other
    /// files contain.
    fn compile_in<'c>(
        &'c self,
        run: &Rc<Run<'c>>,
        manifests: Manifests<'_>,
        classes: &[ClassifiedClass],
    ) -> Compilation {
        self.faultless(self.compile_readable(run, manifests, &listed(classes), false).0)
    }

    fn faultless(&self, compilation: Compilation) -> Compilation {
        match self.options.files.fault() {
            Some(message) => Compilation { catalog: Err(Failure { message, ..Failure::default() }), ..compilation },
            None => compilation,
        }
    }

    fn compile_readable<'c>(
        &'c self,
        run: &Rc<Run<'c>>,
        manifests: Manifests<'_>,
        classes: &[(Str, Vec<(Str, Value)>)],
        records: bool,
    ) -> (Compilation, Option<NodeReads>) {
        let mut evaluator = self.evaluator_in(run.clone());
        if records {
            evaluator.record_reads();
        }
        let programs = match self.read_manifests(run, manifests, &mut evaluator) {
            Ok(programs) => programs,
            Err(failure) => {
                let logs = evaluator.take_logs();
                return (Compilation { catalog: Err(failure), logs, variables: Vec::new() }, None);
            }
        };
        let catalog = evaluator.compile_catalog(&programs, classes);
        let reads = evaluator.take_reads();
        let variables = evaluator.top_variables().into_iter().chain(evaluator.class_variables()).collect();
        (Compilation { catalog, logs: evaluator.take_logs(), variables }, reads)
    }

    /// Reads the programs of manifests, and reports their problems.
    fn read_manifests(
        &self,
        run: &Run<'_>,
        manifests: Manifests<'_>,
        evaluator: &mut Evaluator<'_>,
    ) -> Result<Vec<Arc<Program>>, Failure> {
        use hieratic_puppet_eval::Environment as _;
        let paths = match manifests {
            Manifests::Files(paths) => paths,
            Manifests::Source(source) => {
                let read = read_code(source, false, &self.options);
                read.report_to(source, evaluator);
                let program = read.program.map_err(|rejected| rejected.in_manifest(run.name()))?;
                return Ok(vec![program]);
            }
        };
        let mut programs = Vec::with_capacity(paths.len());
        for path in paths {
            match run.code(path, &self.options) {
                Some(file) => {
                    file.report_to(evaluator);
                    programs.push(file.program().cloned().map_err(|rejected| rejected.in_manifest(run.name()))?);
                }
                None => match self.manifest_error(path) {
                    Some(refusal) => return Err(refusal.in_manifest(run.name())),
                    // It was deleted since it was listed.
                    None => continue,
                },
            }
        }
        Ok(programs)
    }

    /// Returns the error of a listed manifest that cannot be read, or `None` if it does not exist: the catalog would
    /// lack its resources.
    fn manifest_error(&self, manifest: &Path) -> Option<Failure> {
        let files = &self.options.files;
        let error = match files.read(manifest).err()? {
            // A folder of manifests that cannot be listed.
            error if error.kind() == std::io::ErrorKind::IsADirectory => files.list(manifest).err()?,
            error => error,
        };
        if is_absence(&error) {
            return None;
        }
        let error = Error::of_file(&error, manifest);
        let help = error.help_text().map(str::to_owned);
        Some(Failure { message: error.to_string(), help, ..Failure::default() })
    }

    /// Returns the name of the environment, or the default name without one.
    pub(crate) fn environment_name(&self) -> &str {
        self.environment.map_or(DEFAULT_ENVIRONMENT, Environment::name)
    }

    /// Returns the options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Creates an evaluator with the node's facts and variables. Use it to evaluate several programs in one scope.
    pub fn evaluator(&self) -> Evaluator<'_> {
        self.evaluator_in(Rc::new(Run::new(self)))
    }

    fn evaluator_in<'c>(&'c self, run: Rc<Run<'c>>) -> Evaluator<'c> {
        let mut evaluator = Evaluator::keeping(run, self.options.clone());
        for (name, value) in self.facts.variables() {
            if let Value::String(name) = name {
                evaluator.set_variable(name, value.clone());
            }
        }
        evaluator.set_variable("trusted", self.facts.trusted().into());
        let environment = match self.environment {
            Some(environment) => Some(environment.name()),
            None => Some(self.environment_name()).filter(|_| self.options.version.looks_up_with_server_facts()),
        };
        let server_facts = self.facts.server_facts(environment, self.options.version);
        if self.environment.is_some() {
            for (name, value) in self.facts.server_variables(&server_facts, self.options.version) {
                evaluator.set_variable(name, value.clone());
            }
        }
        evaluator.set_variable("server_facts", server_facts.into());
        // The class of the manifest itself.
        evaluator.set_variable("title", "main".into());
        evaluator.set_variable("name", "main".into());
        evaluator.set_variable("environment", self.environment_name().into());
        evaluator.set_facts(self.facts.facts());
        if let Some(environment) = self.environment {
            evaluator.set_settings(environment.settings().clone());
        }
        evaluator
    }

    /// Parses and evaluates source code in a new scope; `name` is the name of its file, or empty.
    pub fn evaluate(&self, name: &str, text: &str) -> Evaluation {
        self.evaluate_in_new_scope(name, text).0
    }

    /// Evaluates source code, and returns the catalog of the resources that it declares.
    pub fn evaluate_with_catalog(&self, name: &str, text: &str) -> DeclaringEvaluation {
        let (evaluation, mut evaluator) = self.evaluate_in_new_scope(name, text);
        DeclaringEvaluation { evaluation, catalog: evaluator.take_catalog() }
    }

    /// Renders a template of ERB with the variables of the node.
    #[cfg(feature = "templates")]
    pub(crate) fn render_erb(&self, name: &str, text: &str) -> (Result<Value, Failure>, Vec<Log>) {
        let mut evaluator = self.evaluator();
        let value = evaluator.render_erb(name, text);
        (value, evaluator.take_logs())
    }

    fn evaluate_in_new_scope(&self, name: &str, text: &str) -> (Evaluation, Evaluator<'_>) {
        let source = Source::new(name, text);
        let read = read_code(&source, false, &self.options);
        let mut evaluator = self.evaluator();
        read.report_to(&source, &mut evaluator);
        let value = match &read.program {
            Ok(program) => evaluator.run(program),
            Err(failure) => Err(failure.clone()),
        };
        let logs = evaluator.take_logs();
        (Evaluation { source, read, value, logs }, evaluator)
    }
}

/// Returns the classes that a classifier lists, as the evaluator takes them.
fn listed(classes: &[ClassifiedClass]) -> Vec<(Str, Vec<(Str, Value)>)> {
    classes.iter().map(|class| (class.name.clone(), class.parameters.clone())).collect()
}

/// Converts a call of the function `lookup` to a query.
pub(crate) fn to_query<'r>(request: &'r Request, budget: &Budget) -> Query<'r> {
    let (merge, merge_fault) = match request.merge.as_ref().map(Strategy::parse).transpose() {
        Ok(merge) => (merge, None),
        Err(error) => (None, Some(error)),
    };
    Query {
        names: request.names.iter().map(String::as_str).collect(),
        merge,
        merge_fault,
        value_type: request.kind.clone(),
        default: request.default.clone(),
        overrides: request.overrides.clone(),
        default_values: request.default_values.clone(),
        budget: budget.clone(),
        ..Query::default()
    }
}

/// Converts an answer for code: `None` if the key is missing.
pub(crate) fn to_answer(answer: Result<Value, Error>) -> Result<Option<Value>, EvalError> {
    match answer {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.code() == Node::NOT_FOUND => Ok(None),
        Err(error) => Err(to_fault(error)),
    }
}

/// The reason why code gets no answer.
pub(crate) fn to_fault(error: Error) -> EvalError {
    // The reference reports errors in data without a position in the code.
    let kind = if error.kind() == ErrorKind::Lookup { EvalErrorKind::Raw } else { EvalErrorKind::Call };
    let help = error.help_text().map(Into::into);
    EvalError { is_limit: error.is_limit(), kind, help, ..EvalError::new(error.to_string()) }
}

impl Evaluation {
    /// Converts the evaluation to strings.
    pub fn report(&self) -> Report {
        match &self.value {
            Ok(value) => self.report_of(value),
            Err(failure) => {
                let number = |number: u32| Some(number).filter(|number| *number > 0);
                let (line, column) = (number(failure.site.line), number(failure.site.column));
                let error = ReportedError { message: failure.message.clone(), line, column };
                Report { logs: self.log_texts(), error: Some(error), ..Report::default() }
            }
        }
    }

    /// Converts the evaluation to strings, with another value in place of the evaluated one, for example with revealed
    /// secrets.
    pub fn report_of(&self, value: &Value) -> Report {
        let empty = self.source.text().trim().is_empty();
        Report {
            value: Some(program_form(value)).filter(|_| !empty && !has_time(value)),
            string: Some(interpolated(value)),
            kind: Some(type_text(value)),
            json: Some(value.clone()).filter(is_plain),
            logs: self.log_texts(),
            error: None,
        }
    }

    fn log_texts(&self) -> Vec<ReportedLog> {
        self.logs.iter().map(|log| ReportedLog { level: log.level.name().to_owned(), text: log.text() }).collect()
    }
}

/// Returns the value as source code (`%p`).
pub fn program_form(value: &Value) -> String {
    // `%p` fits every kind of value.
    convert_to_string_with(value, &StringFormats::single("%p")).unwrap_or_default()
}

/// Returns the type of a value, as the function `type` does.
pub fn type_text(value: &Value) -> String {
    convert_to_string(&infer_set(value).into_value())
}

/// Returns the names of all functions, those of the stdlib module included.
pub fn function_names() -> impl Iterator<Item = &'static str> {
    hieratic_puppet_eval::all_function_names()
}

/// Returns the names of the type aliases of the stdlib module.
pub fn type_aliases() -> impl Iterator<Item = &'static str> {
    hieratic_puppet_eval::type_aliases()
}

/// Returns whether a value contains a timestamp or a timespan, which have no literal form.
fn has_time(value: &Value) -> bool {
    match value {
        Value::Array(elements) => elements.iter().any(has_time),
        Value::Hash(hash) => hash.iter().any(|(key, value)| has_time(key) || has_time(value)),
        Value::Rich(_) => {
            matches!(
                infer_set(value),
                hieratic_puppet_types::Type::Timestamp(_) | hieratic_puppet_types::Type::Timespan(_)
            )
        }
        _ => false,
    }
}

/// Returns whether JSON can represent the value without loss.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::String(_) => true,
        Value::Float(number) => number.is_finite(),
        Value::Array(elements) => elements.iter().all(is_plain),
        Value::Hash(hash) => hash.iter().all(|(key, value)| key.as_str().is_some() && is_plain(value)),
        Value::Rich(rich) => matches!(**rich, Rich::BigInteger(_)),
    }
}
