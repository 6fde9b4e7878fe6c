//! Functions of modules as backends of Hiera: `data_hash`, `lookup_key` and `data_dig` written in the Puppet language.
//!
//! Hiera calls them through its trait [`DataFunctions`] and does not depend on the language; the language calls back
//! through its traits [`Environment`](puppet::Environment) and [`LookupContext`]. [`FunctionCall`] is one call, and connects
//! both. See <https://www.puppet.com/docs/puppet/8/hiera_custom_backends.html>.

mod memo;

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use hieratic_budget::Budget;
use hieratic_hiera::{
    DataAnswer, DataCall, DataContext, DataFunctions, Error, ErrorKind, FileCache, FileState, FunctionKind, Layers,
    Place, Rules, Scope, Segment, Warning,
};
use hieratic_json::Position;
use hieratic_puppet_eval::read::CodeFile;
use hieratic_puppet_eval::{
    self as puppet, DataFailure, Evaluator, Failure, FileTransform, LookupContext, Options, Request, RubyInterpreters,
    Validator, Variables, VisibleVariables,
};
use hieratic_puppet_functions::{EvalError, Level, Site};
use hieratic_puppet_types::{Type, lookup_context};
use hieratic_ruby_regexp::Regexp;
use hieratic_sandbox::{Capabilities, Files};
use hieratic_value::collections::HashMap;
use hieratic_value::{LazyHash, Value};

use crate::code::{to_answer, to_fault, to_query};
use crate::codes;
use crate::reading;
use memo::{DependencyRecorder, FunctionCache};

/// The type of keys and values of data.
static DATA: LazyLock<Type> = LazyLock::new(|| constant_type("RichData"));
static HASH_OF_DATA: LazyLock<Type> = LazyLock::new(|| constant_type("Hash[RichDataKey, RichData]"));

fn constant_type(name: &str) -> Type {
    // Both are constants of this file, which a test reads.
    hieratic_puppet_types::parse(name).unwrap_or(Type::Any)
}

/// The functions of an environment and its modules.
#[derive(Debug)]
pub(crate) struct ModuleFunctions {
    layers: Layers,
    settings: LazyHash,
    rules: Rules,
    strict_variables: bool,
    capabilities: Capabilities,
    /// The values that functions computed from files (`cached_file_data`).
    files: FileCache<FileData>,
    /// Files of functions that were read.
    code: FileCache<Option<Arc<CodeFile>>>,
    /// The id of these functions, different from those of other environments.
    id: u64,
}

/// A value that a function computed from a file.
#[derive(Clone, Debug)]
struct FileData {
    value: Value,
    /// Whether it contains a secret.
    secret: bool,
    by: FileTransform,
    /// The id of the node that it was computed for.
    snapshot: u64,
}

/// The id of the next environment with functions.
static NEXT_ID: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// The state that calls leave for later ones, the most recent last: a node makes many calls in a row. Interpreters of
    /// Ruby cannot change threads, so that it stays on the thread of the call. It is a cache, and a call that panics
    /// leaves nothing in it.
    static CALL_STATES: RefCell<Vec<CallState>> = const { RefCell::new(Vec::new()) };
}

/// The maximum number of saved states: one more for each nested call.
const MAX_CALL_STATES: usize = 4;

/// The state that a call leaves for the next one.
struct CallState {
    /// The id of the functions.
    functions: u64,
    /// The node as it was opened.
    snapshot: u64,
    /// Its name.
    node: String,
    /// Its variables, or `None` before the first call that runs code.
    variables: Option<Arc<Variables>>,
    machines: RubyInterpreters,
    /// The cached answers, which are valid while code has no side effects.
    remembered: FunctionCache,
}

impl CallState {
    /// Takes the state of the last finished call, as far as a call for this node can use it.
    fn take(functions: u64, context: &dyn DataContext, files: &Files) -> CallState {
        let snapshot = context.snapshot();
        let node = || node_of(context.scope()).to_owned();
        let anew = |node: String| CallState {
            functions,
            snapshot,
            node,
            variables: None,
            machines: RubyInterpreters::default(),
            remembered: FunctionCache::default(),
        };
        let last = CALL_STATES.with_borrow_mut(|all| {
            let at = all.iter().rposition(|left| left.functions == functions)?;
            Some(all.remove(at))
        });
        match last {
            Some(left) if left.snapshot == snapshot => left,
            // The node was reopened, and may see other files; another node must not see this node's side effects.
            Some(left) => {
                let node = node();
                let machines = if left.node == node { Some(left.machines) } else { left.machines.for_another_node() };
                match machines.filter(|machines| machines.have_unchanged_files(files)) {
                    Some(machines) => CallState { machines, remembered: left.remembered, ..anew(node) },
                    None => anew(node),
                }
            }
            None => anew(node()),
        }
    }

    /// Leaves it to the next call.
    fn save(self) {
        CALL_STATES.with_borrow_mut(|all| {
            if all.len() >= MAX_CALL_STATES {
                all.remove(0);
            }
            all.push(self);
        });
    }
}

/// The name of a node.
fn node_of(scope: &Scope) -> &str {
    let name = scope.variable("trusted").and_then(|trusted| trusted.as_hash()?.get("certname")?.as_str());
    name.unwrap_or("localhost")
}

/// The variables of a node as code sees them.
fn variables_of(scope: &Scope) -> Variables {
    scope.names().map(|name| (name.clone(), scope.variable(name).cloned().unwrap_or_default())).collect()
}

impl ModuleFunctions {
    pub(crate) fn new(
        layers: Layers,
        settings: LazyHash,
        rules: Rules,
        capabilities: &Capabilities,
    ) -> ModuleFunctions {
        ModuleFunctions {
            layers,
            settings,
            rules,
            strict_variables: rules.version.strict_variables(),
            capabilities: capabilities.clone(),
            files: FileCache::new(capabilities.code.clone()),
            code: FileCache::new(capabilities.code.clone()),
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
        }
    }

    /// Returns a file of functions, which is reparsed only if it has changed: the result depends only on its content
    /// and on the environment.
    fn code(&self, file: &Path, seen: FileState, options: &Options) -> Option<Arc<CodeFile>> {
        self.code.get_observed(file, &seen).unwrap_or_else(|| {
            let code = reading::code_file(file, options);
            self.code.keep(file, seen, code.clone());
            code
        })
    }

    fn options(&self, scope: &Scope, budget: &Budget) -> Options {
        Options {
            strict: self.rules.strict,
            strict_variables: self.strict_variables,
            environment: self.layers.environment.name.to_string(),
            node: node_of(scope).to_owned(),
            files: self.capabilities.code.clone(),
            budget: budget.clone(),
            ..Options::for_version(self.rules.version)
        }
    }

    /// Returns the reason why a function does not exist, if it is known.
    fn help(&self, name: &str) -> Option<String> {
        let Some((module, rest)) = name.split_once("::") else {
            return Some(format!(
                "custom backends are functions of a module (mymodule::{name}), or executables named in a hieratic.yaml \
                 next to hiera.yaml"
            ));
        };
        let (root, file) = match module {
            "environment" => (&self.layers.environment.root, "functions/environment"),
            _ => match self.layers.modules.get(module) {
                Some(module) => (&module.root, "functions"),
                None => return Some(format!("the module '{module}' is not in the module path")),
            },
        };
        let path = rest.replace("::", "/");
        Some(format!("the function belongs in {}", root.join(format!("{file}/{path}.pp")).display()))
    }
}

impl DataFunctions for ModuleFunctions {
    fn call(&self, call: &DataCall<'_>, context: &mut dyn DataContext) -> Result<DataAnswer, Error> {
        let mut left = CallState::take(self.id, context, &self.capabilities.code);
        // Explanations must be recorded again, so the cache is not used for them.
        if !context.explains()
            && left.machines.have_no_side_effects()
            && let Some(answer) = left.remembered.answer(call, context)
        {
            left.save();
            return Ok(answer);
        }
        let options = self.options(context.scope(), context.budget());
        let variables = left.variables.get_or_insert_with(|| Arc::new(variables_of(context.scope()))).clone();
        let module = context.module().map(str::to_owned);
        let context_value = lookup_context(module.as_deref());
        let run = FunctionCall {
            functions: self,
            context: RefCell::new(context),
            not_found: Cell::new(false),
            seen: RefCell::default(),
            recorder: DependencyRecorder::default(),
        };
        let mut evaluator = Evaluator::new(&run, options);
        // Only warnings are passed on.
        evaluator.disable_debug();
        evaluator.set_variables(variables);
        evaluator.set_ruby(std::mem::take(&mut left.machines));
        evaluator.set_settings(self.settings.clone());
        let mut arguments = vec![call.options.clone().into(), context_value];
        match (call.kind, call.key) {
            (FunctionKind::LookupKey, Some(key)) => arguments.insert(0, Value::String(key.root().clone())),
            (FunctionKind::DataDig, Some(key)) => {
                let root = Value::String(key.root().clone());
                let segments = std::iter::once(root).chain(key.segments().iter().map(Segment::to_value));
                arguments.insert(0, segments.collect());
            }
            _ => {}
        }
        let returns = if call.kind == FunctionKind::DataHash { &HASH_OF_DATA } else { &DATA };
        let subject = format!("Return type of '{}' function named '{}'", call.kind.name(), call.function);
        let outcome = evaluator.call_data_function(call.function, &arguments, &subject, returns);
        left.machines = evaluator.take_ruby();
        if run.context.borrow().has_read_secret() {
            left.machines.mark_private();
            run.recorder.mark_untracked();
        }
        for log in evaluator.take_logs() {
            if log.level >= Level::Warning {
                let text = log.text();
                let text = if log.source.is_empty() { text } else { format!("{}: {text}", log.source) };
                run.context.borrow_mut().warn(Warning::plain(text));
                run.recorder.mark_untracked();
            }
        }
        drop(evaluator);
        let answer = match outcome {
            // Ruby code may catch the exception for a missing value.
            Ok(Some(value)) => Ok(DataAnswer::Found(value)),
            Err(DataFailure::Other(failure)) if failure.is_limit => Err(function_error(&failure, ErrorKind::Fatal)),
            _ if run.not_found.get() => Ok(DataAnswer::NotFound),
            Ok(None) => Ok(DataAnswer::NoFunction(self.help(call.function))),
            Err(DataFailure::Arguments(failure)) => Err(function_error(&failure, ErrorKind::Fatal)),
            Err(DataFailure::Other(failure)) => Err(function_error(&failure, ErrorKind::Puppet)),
        };
        let is_pure = left.machines.have_no_side_effects();
        if !is_pure || run.recorder.count().is_none() {
            run.context.borrow_mut().mark_unknown_reads();
        }
        if let Ok(answer) = &answer
            && is_pure
        {
            left.remembered.keep(call, module.as_deref(), run.recorder, answer);
        }
        left.save();
        answer
    }
}

/// The place in code as a place of Hiera's.
fn position_of(site: &Site, file: &str) -> Place {
    let at = (site.line > 0).then_some(Position { line: site.line, column: site.column.max(1) });
    let place = Place::new(Path::new(file), at);
    let place = if site.column == 0 { place.without_column() } else { place };
    match site.shown() {
        Some((source, span)) => place.showing(source.clone(), span),
        None => place,
    }
}

fn function_error(failure: &Failure, kind: ErrorKind) -> Error {
    let site = &failure.site;
    let code = if failure.is_limit { hieratic_hiera::codes::LIMIT } else { codes::FUNCTION };
    let error = Error::new(kind, code, format!("{}{}", failure.message, failure.place_text()));
    let error = match &site.file {
        Some(file) => error.at(position_of(site, file)),
        None => error,
    };
    match &failure.help {
        Some(help) => error.help(help),
        None => error,
    }
}

/// One call of a function.
struct FunctionCall<'c> {
    functions: &'c ModuleFunctions,
    /// Borrowed for one callback at a time: each returns before the next.
    context: RefCell<&'c mut dyn DataContext>,
    not_found: Cell<bool>,
    /// The observed states of the files that data is computed from.
    seen: RefCell<HashMap<PathBuf, FileState>>,
    /// The recorder of its dependencies.
    recorder: DependencyRecorder,
}

impl FunctionCall<'_> {
    /// Observes a file, and records it as a dependency of the answer.
    fn see(&self, file: &Path) -> FileState {
        let seen = self.context.borrow_mut().see(file);
        self.recorder.file(file, seen.clone());
        seen
    }
}

impl puppet::Environment for FunctionCall<'_> {
    fn name(&self) -> &str {
        &self.functions.layers.environment.name
    }

    fn root(&self) -> Option<&Path> {
        Some(&self.functions.layers.environment.root)
    }

    fn module(&self, name: &str) -> Option<PathBuf> {
        self.functions.layers.modules.get(name).map(|module| module.root.clone())
    }

    fn modules(&self) -> Vec<String> {
        self.functions.layers.modules.keys().map(|name| name.to_string()).collect()
    }

    fn code(&self, file: &Path, options: &Options) -> Option<Arc<CodeFile>> {
        let seen = self.see(file);
        self.functions.code(file, seen, options)
    }

    fn validator(&self) -> &dyn Validator {
        &reading::Validation
    }

    fn lookup_context(&self) -> Option<&dyn LookupContext> {
        Some(self)
    }

    fn lookup(&self, request: &Request, _: &dyn VisibleVariables) -> Result<Option<Value>, EvalError> {
        self.recorder.mark_untracked();
        // The current lookup is already charged to a budget.
        let query = to_query(request, &Budget::default());
        to_answer(self.context.borrow_mut().lookup(&query))
    }
}

impl LookupContext for FunctionCall<'_> {
    fn not_found(&self) {
        self.not_found.set(true);
    }

    fn explains(&self) -> bool {
        self.context.borrow().explains()
    }

    fn explain(&self, text: String) {
        self.recorder.mark_untracked();
        self.context.borrow_mut().explain(text);
    }

    fn interpolate(&self, value: &Value) -> Result<Value, EvalError> {
        let result = self.context.borrow_mut().interpolate(value);
        match result {
            Ok(result) => {
                self.recorder.interpolated(value, &result);
                Ok(result)
            }
            Err(error) => {
                self.recorder.mark_untracked();
                Err(to_fault(error))
            }
        }
    }

    fn cache(&self, key: Value, value: Value) {
        self.recorder.keep(&key, &value);
        self.context.borrow().cache().put(key, value);
    }

    fn cached(&self, key: &Value) -> Option<Value> {
        let kept = self.context.borrow().cache().get(key);
        self.recorder.kept(key, kept.as_ref());
        kept
    }

    fn all_cached(&self) -> Vec<(Value, Value)> {
        self.recorder.mark_untracked();
        self.context.borrow().cache().entries()
    }

    fn file_stamp(&self, file: &Path) -> Option<String> {
        self.see(file).stamp()
    }

    fn file_data(&self, file: &Path, by: &FileTransform) -> Option<Value> {
        let seen = self.see(file);
        let snapshot = self.context.borrow().snapshot();
        let known = self.functions.files.get_observed(file, &seen).filter(|known| match known.by.is(by) {
            true => true,
            false if known.snapshot == snapshot => {
                // The value may depend on reads of the earlier call for this node.
                self.recorder.mark_untracked();
                true
            }
            false => false,
        });
        match known {
            Some(FileData { value, secret, .. }) => {
                if secret {
                    self.context.borrow_mut().mark_secret(&value);
                }
                Some(value)
            }
            None => {
                self.seen.borrow_mut().insert(file.to_path_buf(), seen);
                None
            }
        }
    }

    fn cache_file_data(&self, file: &Path, by: FileTransform, data: &Value) {
        // A value is only cached after a request for it.
        if let Some(seen) = self.seen.borrow_mut().remove(file) {
            let context = self.context.borrow();
            let (secret, snapshot) = (context.has_read_secret(), context.snapshot());
            self.functions.files.keep(file, seen, FileData { value: data.clone(), secret, by, snapshot });
        }
    }

    fn record_file_read(&self, file: &Path) {
        self.see(file);
    }

    fn record_unmatched(&self, option: &str, unmatched: Vec<Regexp>) {
        self.recorder.unseen(option, unmatched);
    }

    fn mark_impure(&self) {
        self.recorder.mark_untracked();
    }

    fn dependency_count(&self) -> Option<usize> {
        self.recorder.count()
    }
}

/// The functions of an environment as Hiera takes them.
pub(crate) fn functions_of(
    layers: &Layers,
    settings: &LazyHash,
    rules: Rules,
    strict_variables: bool,
    capabilities: &Capabilities,
) -> Arc<dyn DataFunctions> {
    let functions = ModuleFunctions::new(layers.clone(), settings.clone(), rules, capabilities);
    Arc::new(ModuleFunctions { strict_variables, ..functions })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::time::Duration;

    use hieratic_hiera::EnvironmentLayer;

    use super::*;

    #[test]
    fn the_types_of_answers_are_well_formed() {
        assert_ne!(*DATA, Type::Any);
        assert_ne!(*HASH_OF_DATA, Type::Any);
    }

    #[test]
    fn a_file_of_functions_is_read_again_only_when_it_has_changed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("f.pp");
        let layers = Layers {
            global_config: folder.path().join("hiera.yaml"),
            environment: EnvironmentLayer {
                name: "production".into(),
                root: folder.path().to_path_buf(),
                data_provider: None,
                datadirs: Vec::new(),
            },
            modules: Default::default(),
            codedir: folder.path().to_path_buf(),
        };
        let functions = {
            let capabilities = Capabilities::below([folder.path()]);
            ModuleFunctions::new(layers, LazyHash::default(), Rules::default(), &capabilities)
        };
        let options = Options { files: functions.capabilities.code.clone(), ..Options::default() };
        let code = || match functions.code.get(&file) {
            Ok(code) => code,
            Err(seen) => functions.code(&file, seen, &options),
        };
        // Files that were changed only just now may change again within one tick of the clock.
        let settle = || std::thread::sleep(Duration::from_millis(40));
        settle();
        assert!(code().is_none() && code().is_none());
        std::fs::write(&file, "function f() { 1 }").unwrap();
        settle();
        let first = code().unwrap();
        assert!(Arc::ptr_eq(&first, &code().unwrap()));
        std::fs::write(&file, "function f() { 2 }").unwrap();
        settle();
        let second = code().unwrap();
        assert!(!Arc::ptr_eq(&first, &second));
        assert!(Arc::ptr_eq(&second, &code().unwrap()));
    }
}
