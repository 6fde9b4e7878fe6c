//! [`Code`]: the Puppet language for one node of an environment.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic_diagnostics::Source;
use hieratic_functions::Fault;
use hieratic_hiera::{Error, NamedVariables, Nearer, Node, Origin, Query, Recent, Strategy};
use hieratic_pcore::{StringFormats, convert_to_string, convert_to_string_with, infer_set};
use hieratic_powers::{Budget, Files, Outside};
use hieratic_puppet::read::{CodeFile, Read, read};
use hieratic_puppet::{
    CompiledCatalog, Evaluator, ExportedResource, Failure, Log, Options, ProgramRun, Request, RubyAnswers, RubyFiles,
    Site, Variables, Visible, interpolated,
};
use hieratic_value::{Rich, Str, Value};
use rustc_hash::FxHashMap;

use crate::catalog::{Compilation, Others, Programs, SharedCode};
use crate::environment::Environment;
use crate::facts::Facts;
use crate::masking::Followed;

/// The variables that data has named and a place in code sees otherwise than the top scope.
type Difference = Vec<(Str, Nearer)>;

/// For how many [differences](Difference) that were asked for lately a node is kept, and for those before.
const MOST_NEARER: usize = 16;

/// The Puppet language for one node.
///
/// ```
/// use hieratic::{Code, Facts};
///
/// let code = Code::new(None, Facts::named("web01.example.com"), Default::default());
/// let evaluation = code.evaluate("", "\"${facts['networking']['hostname']}-${1 + 1}\"");
/// assert_eq!(evaluation.value.unwrap().inspect(), "\"web01-2\"");
/// ```
pub struct Code<'e> {
    environment: Option<&'e Environment>,
    facts: Facts,
    options: Options,
    /// What becomes of the environment's secrets.
    followed: Option<Followed>,
    /// What is shared with other nodes of one run.
    shared: Option<Arc<SharedCode>>,
    /// What is known of other nodes.
    others: Others,
    /// The output of programs, if it is shared with other catalogs.
    programs: Option<Programs>,
    /// The node as data sees it from the top scope, with how many variables it was made.
    node: RefCell<Option<(usize, Arc<Node>)>>,
    /// The variables that data has named.
    named: Arc<NamedVariables>,
    /// The same node as data sees it from places that have other values for some of them.
    nearer: RefCell<Recent<Difference, Arc<Node>>>,
    /// Whether there are the classes whose variables data has named.
    classes: RefCell<FxHashMap<Str, bool>>,
    /// What data has warned of.
    warnings: RefCell<Vec<String>>,
    /// Tells which files are other ones somewhere else, if somebody asks whether data can be made of them.
    is_other: Option<&'e dyn Fn(&Path) -> bool>,
    /// Whether it can, for a node as data saw it before.
    has_read_other: Cell<bool>,
}

/// What came of evaluating a text.
#[derive(Debug)]
pub struct Evaluation {
    /// The text.
    pub source: Source,
    /// What was found by reading it.
    pub read: Read,
    /// The value, or why there is none.
    pub value: Result<Value, Failure>,
    /// Everything that was said, in order.
    pub logs: Vec<Log>,
}

/// An evaluation in texts, for tools.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The value as a program would write it (`%p`); none for values that cannot be written so.
    pub value: Option<String>,
    /// The value as it looks in a string.
    pub string: Option<String>,
    /// The type of the value.
    pub kind: Option<String>,
    /// The value, if it is plain data.
    pub json: Option<Value>,
    /// Level and text of everything that was said.
    pub logs: Vec<(String, String)>,
    /// Message, line and column of the fault.
    pub error: Option<(String, Option<u32>, Option<u32>)>,
}

impl<'e> Code<'e> {
    /// The language for a node, with or without an environment that has modules and data.
    pub fn new(environment: Option<&'e Environment>, facts: Facts, mut options: Options) -> Code<'e> {
        if let Some(node) = facts.node() {
            options.node = node.to_owned();
        }
        if let Some(environment) = environment {
            options.environment = environment.name().to_owned();
            if options.files.outside() == Outside::Never {
                options.files = environment.powers().code.clone();
            }
        }
        let followed = environment.map(|environment| Followed::new(environment.secrets()));
        Code {
            environment,
            facts,
            options,
            followed,
            shared: None,
            others: Others::default(),
            programs: None,
            node: RefCell::new(None),
            named: Arc::default(),
            nearer: RefCell::new(Recent::new(MOST_NEARER)),
            classes: RefCell::default(),
            warnings: RefCell::default(),
            is_other: None,
            has_read_other: Cell::new(false),
        }
    }

    /// Reads code by files that note what they are asked for, and notes whether data can be made of files that are other ones.
    pub(crate) fn noting(mut self, files: Files, is_other: &'e dyn Fn(&Path) -> bool) -> Code<'e> {
        self.options.files = files;
        self.is_other = Some(is_other);
        self
    }

    /// Whether data that was asked for can be made of files that are other ones.
    pub(crate) fn may_have_read_other(&self) -> bool {
        self.has_read_other.get() || self.node.borrow().as_ref().is_some_and(|(_, node)| self.may_read_other(node))
    }

    /// Notes what a node can read that is soon forgotten.
    fn note_reading(&self, node: &Node) {
        if !self.has_read_other.get() {
            self.has_read_other.set(self.may_read_other(node));
        }
    }

    fn may_read_other(&self, node: &Node) -> bool {
        self.is_other.is_some_and(|is_other| node.may_read(is_other, &Budget::default()).unwrap_or(true))
    }

    /// Shares files of code, the search for secrets and what programs print with other nodes, and knows what others export.
    pub(crate) fn sharing(
        self,
        shared: Arc<SharedCode>,
        followed: Followed,
        others: Others,
        programs: Option<Programs>,
    ) -> Code<'e> {
        Code { shared: Some(shared), followed: Some(followed), others, programs, ..self }
    }

    /// Compiles the catalog of the node of its manifests and of the classes that a classifier lists, with their parameters.
    pub(crate) fn compile(&self, manifests: &[PathBuf], classes: &[(Str, Vec<(Str, Value)>)]) -> Compilation {
        use hieratic_puppet::Environment as _;
        let mut evaluator = self.evaluator();
        let mut programs = Vec::with_capacity(manifests.len());
        for path in manifests {
            let Some(file) = self.code(path, &self.options) else { continue };
            file.report_to(&mut evaluator);
            match file.program() {
                Ok(program) => programs.push(program.clone()),
                Err(rejected) => {
                    let failure = rejected.in_manifest(self.name());
                    return Compilation { catalog: Err(failure), logs: evaluator.take_logs(), variables: Vec::new() };
                }
            }
        }
        let catalog = evaluator.compile_catalog(&programs, classes);
        let variables = evaluator.top_variables().into_iter().chain(evaluator.class_variables()).collect();
        Compilation { catalog, logs: evaluator.take_logs(), variables }
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// An evaluator with the node's facts and variables set, for evaluating several texts one after the other.
    pub fn evaluator(&self) -> Evaluator<'_> {
        let mut evaluator = Evaluator::new(self, self.options.clone());
        for (name, value) in self.facts.variables() {
            if let Value::String(name) = name {
                evaluator.set_variable(name, value.clone());
            }
        }
        evaluator.set_variable("trusted", self.facts.trusted().into());
        let environment = self.environment.map(Environment::name);
        let server_facts = self.facts.server_facts(environment, self.options.version);
        for (name, value) in self.facts.server_variables(&server_facts, self.options.version) {
            evaluator.set_variable(name, value.clone());
        }
        if !server_facts.is_empty() {
            evaluator.set_variable("server_facts", server_facts.into());
        }
        // The class that stands for the manifest itself.
        evaluator.set_variable("title", "main".into());
        evaluator.set_variable("name", "main".into());
        evaluator.set_variable("environment", hieratic_puppet::Environment::name(self).into());
        evaluator.set_facts(self.facts.facts());
        if let Some(environment) = self.environment {
            evaluator.set_settings(environment.settings().clone());
        }
        evaluator
    }

    /// Reads and evaluates a text in a fresh scope; the name is that of its file, or empty.
    pub fn evaluate(&self, name: &str, text: &str) -> Evaluation {
        self.evaluated(name, text).0
    }

    /// The same, with the catalog of what the text declares.
    pub fn evaluate_with_catalog(&self, name: &str, text: &str) -> (Evaluation, CompiledCatalog) {
        let (evaluation, mut evaluator) = self.evaluated(name, text);
        (evaluation, evaluator.take_catalog())
    }

    /// Renders a template of ERB with the variables of the node.
    pub fn render_erb(&self, name: &str, text: &str) -> (Result<Value, Failure>, Vec<Log>) {
        let mut evaluator = self.evaluator();
        let value = evaluator.render_erb(name, text);
        (value, evaluator.take_logs())
    }

    fn evaluated(&self, name: &str, text: &str) -> (Evaluation, Evaluator<'_>) {
        let source = Source::new(name, text);
        let read = read(&source, false, &self.options);
        let mut evaluator = self.evaluator();
        read.report_to(&source, &mut evaluator);
        let value = match &read.program {
            Ok(program) => evaluator.run(program),
            Err(failure) => Err(failure.clone()),
        };
        let logs = evaluator.take_logs();
        (Evaluation { source, read, value, logs }, evaluator)
    }

    fn view(&self, variables: &Variables) -> Result<Arc<Node>, Fault> {
        let Some(environment) = self.environment else {
            return Err(Fault::new("no environment is open"));
        };
        if let Some((count, node)) = &*self.node.borrow() {
            // Variables of the top are never changed, only added.
            if *count == variables.len() {
                return Ok(node.clone());
            }
        }
        let mut facts = self.facts.clone();
        for (name, value) in variables {
            if !facts.facts().contains(name) && !matches!(&**name, "facts" | "trusted" | "server_facts" | "environment")
            {
                facts.set_variable_value(name, value.clone());
            }
        }
        let node = environment.node(&facts).map_err(unanswered)?;
        let node = Arc::new(node.noting(self.named.clone()));
        let before = self.node.borrow_mut().replace((variables.len(), node.clone()));
        if let Some((_, before)) = before {
            self.note_reading(&before);
        }
        self.nearer.replace(Recent::new(MOST_NEARER));
        Ok(node)
    }

    /// What a place in code sees otherwise.
    fn nearer(&self, visible: &dyn Visible) -> Result<Difference, Fault> {
        let of = |name: &str| match visible.nearer(name) {
            Some(value) => Some(Nearer::Value(value)),
            None => {
                let class = name.strip_prefix("::").unwrap_or(name).rsplit_once("::")?.0;
                if visible.is_evaluated(class) {
                    return Some(Nearer::NotInClass);
                }
                let mut classes = self.classes.borrow_mut();
                let is_known = *classes.entry(class.into()).or_insert_with(|| visible.has_class(class));
                is_known.then_some(Nearer::NotEvaluated)
            }
        };
        let named = self.named.from(0);
        self.options.budget.steps(named.len() as u64).map_err(|limit| unanswered(limit.into()))?;
        Ok(named.into_iter().filter_map(|name| of(&name).map(|nearer| (name, nearer))).collect())
    }

    /// The node as data sees it from a place with these variables.
    fn seen_with(&self, node: Arc<Node>, variables: &[(Str, Nearer)]) -> Arc<Node> {
        if variables.is_empty() {
            return node;
        }
        self.nearer.borrow_mut().get_or_insert_with(variables.to_vec(), || {
            let node = Arc::new(node.seen_with(variables));
            self.note_reading(&node);
            node
        })
    }
}

/// What code asks with the function `lookup`, as a question to Hiera.
pub(crate) fn query_of<'r>(request: &'r Request, budget: &Budget) -> Result<Query<'r>, Fault> {
    Ok(Query {
        names: request.names.iter().map(String::as_str).collect(),
        merge: request.merge.as_ref().map(Strategy::parse).transpose().map_err(unanswered)?,
        value_type: request.kind.clone(),
        default: request.default.clone(),
        overrides: request.overrides.clone(),
        default_values: request.default_values.clone(),
        budget: budget.clone(),
        ..Query::default()
    })
}

/// The answer of Hiera, as code gets it: none if the data has no such key.
pub(crate) fn answered(answer: Result<Value, Error>) -> Result<Option<Value>, Fault> {
    match answer {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.code() == Node::NOT_FOUND => Ok(None),
        Err(error) => Err(unanswered(error)),
    }
}

/// Why code gets no answer.
fn unanswered(error: Error) -> Fault {
    Fault { is_limit: error.is_limit(), ..Fault::new(error.to_string()) }
}

impl hieratic_puppet::Environment for Code<'_> {
    fn name(&self) -> &str {
        self.environment.map_or("production", Environment::name)
    }

    fn root(&self) -> Option<&Path> {
        self.environment.map(|environment| environment.layers().environment.root.as_path())
    }

    fn module(&self, name: &str) -> Option<PathBuf> {
        let modules = &self.environment?.layers().modules;
        modules.get(name).map(|module| module.root.clone())
    }

    fn modules(&self) -> Vec<String> {
        let modules = self.environment.map(|environment| &environment.layers().modules);
        modules.into_iter().flat_map(|modules| modules.keys()).map(|name| name.to_string()).collect()
    }

    fn code(&self, file: &Path, options: &Options) -> Option<Arc<CodeFile>> {
        match &self.shared {
            Some(shared) => {
                // Files that note what they are asked for are asked, also for what others have read.
                if self.is_other.is_some() {
                    options.files.exists(file);
                }
                shared.file(file, options)
            }
            None => CodeFile::read(file, options).map(Arc::new),
        }
    }

    fn ruby_files(&self, find: &dyn Fn() -> Arc<RubyFiles>) -> Arc<RubyFiles> {
        match &self.shared {
            Some(shared) if self.is_other.is_none() => shared.ruby_files(find),
            _ => find(),
        }
    }

    fn ruby_answers(&self) -> Option<&RubyAnswers> {
        self.shared.as_ref().map(|shared| &*shared.answers)
    }

    fn made_of_file(&self, reader: &'static str, path: &Path, text: &str) -> Option<Value> {
        self.shared.as_ref()?.made(reader, path, text)
    }

    fn keep_made_of_file(&self, reader: &'static str, path: &Path, text: String, value: &Value) {
        if let Some(shared) = &self.shared {
            shared.keep_made(reader, path, text, value);
        }
    }

    fn program_output(&self, command: &[String], run: ProgramRun<'_>) -> Result<String, String> {
        match &self.programs {
            Some(programs) => programs.output(command, run),
            None => run(),
        }
    }

    fn stores_exported(&self) -> bool {
        self.others.stores_exported()
    }

    fn exported(&self, kind: &str) -> Option<Result<Arc<Vec<ExportedResource>>, String>> {
        self.others.exported(kind)
    }

    fn query_database(&self, query: &Value) -> Option<Result<Value, String>> {
        self.others.query(query)
    }

    fn take_warnings(&self) -> Vec<String> {
        self.warnings.take()
    }

    fn data_place(&self, key: &str, visible: &dyn Visible) -> Option<Site> {
        // The value was looked up from here just before: all variables that data names are known.
        let node = self.seen_with(self.view(visible.top()).ok()?, &self.nearer(visible).ok()?);
        let answer = node.lookup_traced(&Query { budget: self.options.budget.clone(), ..Query::new(key) }).ok()?;
        node.take_warnings();
        Some(match answer.value.origin()? {
            Origin::File { file, line, column } => Site {
                file: Some(file.display().to_string().into()),
                line: *line,
                column: *column,
                source: node.source_of(file),
            },
            Origin::Named(name) => Site { file: Some(name.clone()), ..Site::default() },
        })
    }

    fn lookup(&self, request: &Request, visible: &dyn Visible) -> Result<Option<Value>, Fault> {
        if self.environment.is_none() {
            return hieratic_puppet::Nowhere.lookup(request, visible);
        }
        let top = self.view(visible.top())?;
        let query = query_of(request, &self.options.budget)?;
        let mut nearer = self.nearer(visible)?;
        loop {
            let count = self.named.count();
            let node = self.seen_with(top.clone(), &nearer);
            let answer = node.lookup(&query);
            let warnings = node.take_warnings();
            // Data has named variables that nobody knew of before: they may be other ones here.
            if self.named.count() > count {
                let all = self.nearer(visible)?;
                if all != nearer {
                    nearer = all;
                    continue;
                }
            }
            self.warnings.borrow_mut().extend(warnings.iter().map(ToString::to_string));
            return answered(answer);
        }
    }

    fn made(&self, of: &[Value], made: &Value) {
        if let Some(followed) = &self.followed {
            followed.made(of, made);
        }
    }

    fn advice(&self, names: &[String]) -> Option<String> {
        let node = self.node.borrow();
        let (_, node) = node.as_ref()?;
        let mut near = Vec::new();
        let mut parts = None;
        for name in names {
            match crate::missing_part(node, &Query::default(), name) {
                Some(missing) => {
                    parts = parts.or_else(|| missing.parts.of(&missing.found));
                    near.extend(missing.near);
                }
                None => near.extend(crate::nearest_keys(node, name).keys),
            }
        }
        near.dedup();
        match (parts, hieratic_diagnostics::did_you_mean(&near)) {
            (Some(parts), Some(meant)) => Some(format!("{parts}; {meant}")),
            (parts, meant) => parts.or(meant),
        }
    }
}

impl Evaluation {
    /// The evaluation in texts.
    pub fn report(&self) -> Report {
        match &self.value {
            Ok(value) => self.report_of(value),
            Err(failure) => {
                let number = |number: u32| Some(number).filter(|number| *number > 0);
                let error = (failure.message.clone(), number(failure.site.line), number(failure.site.column));
                Report { logs: self.log_texts(), error: Some(error), ..Report::default() }
            }
        }
    }

    /// The evaluation in texts, with another value in place of its own: one whose secrets are shown, say.
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

    fn log_texts(&self) -> Vec<(String, String)> {
        self.logs.iter().map(|log| (log.level.name().to_owned(), log.text())).collect()
    }
}

/// The value as a program would write it.
pub fn program_form(value: &Value) -> String {
    // `%p` fits every kind of value.
    convert_to_string_with(value, &StringFormats::single("%p")).unwrap_or_default()
}

/// The type of a value, as the function `type` gives it.
pub fn type_text(value: &Value) -> String {
    convert_to_string(&infer_set(value).into_value())
}

/// The names of all functions, those of the stdlib module included.
pub fn function_names() -> impl Iterator<Item = &'static str> {
    hieratic_puppet::all_function_names()
}

/// The names of the type aliases of the stdlib module.
pub fn type_aliases() -> impl Iterator<Item = &'static str> {
    hieratic_puppet::type_aliases()
}

/// Whether a point in time or a length of time is in a value: a program has no form for them.
fn has_time(value: &Value) -> bool {
    match value {
        Value::Array(elements) => elements.iter().any(has_time),
        Value::Hash(hash) => hash.iter().any(|(key, value)| has_time(key) || has_time(value)),
        Value::Rich(_) => {
            matches!(infer_set(value), hieratic_pcore::Type::Timestamp(_) | hieratic_pcore::Type::Timespan(_))
        }
        _ => false,
    }
}

/// Whether JSON can hold the value without loss.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::String(_) => true,
        Value::Float(number) => number.is_finite(),
        Value::Array(elements) => elements.iter().all(is_plain),
        Value::Hash(hash) => hash.iter().all(|(key, value)| key.as_str().is_some() && is_plain(value)),
        Value::Rich(rich) => matches!(**rich, Rich::BigInteger(_)),
    }
}
