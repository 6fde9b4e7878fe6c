//! Code in Ruby: ERB templates, and functions of modules.
//!
//! An interpreter keeps its loaded files as long as the evaluator exists. While Ruby code waits for a Puppet function,
//! its interpreter is lent to the code that the function runs, so that all code sees the same objects.

use std::cell::Cell;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic_budget::Budget;
use hieratic_puppet_functions::{Block, EvalError, Flow, Host as _, Level, Outcome};
use hieratic_puppet_types::{Parameter, Signature, Type, assert_instance, describe_call};
use hieratic_ruby::{
    DispatchDeclaration, ErrorKind, Host, HostError, HostErrorKind, PathKind, Ruby, RubyBlock, RubyError,
};
use hieratic_ruby_regexp::Regexp;
use hieratic_sandbox::{Denied, Files, Stat};
use hieratic_value::collections::HashMap;
use hieratic_value::{Str, Value};

use super::external_ruby::ExternalRubies;
use super::ruby_block::BlockInRuby;
use super::ruby_files::RubyFiles;
use super::ruby_glob::{self, GlobError};
use super::ruby_memo::{Call, Cost, RubyMemo};
use super::scopes::AssignError;
use super::{Evaluator, TOP};
use crate::builtin;
use crate::failure::Failure;
use hieratic_sandbox::plain;

/// The interpreters, and a cache of Ruby functions.
#[derive(Debug, Default)]
pub(crate) struct RubyState {
    idle: Vec<Ruby>,
    functions: HashMap<Str, Option<Arc<RubyFunction>>>,
    /// Whether the state of the interpreters depends on a secret.
    is_private: bool,
    /// The Ruby files of modules.
    pub(super) files: Option<Arc<RubyFiles>>,
    /// Whether `puppet generate types` has written types.
    pub(super) written_kinds: Option<bool>,
    /// The files that interpreters have loaded, with their metadata at that time.
    pub(super) loaded: Vec<(PathBuf, Stat)>,
    /// A counter of reads beyond the arguments, on which a result may depend.
    reads: Cell<u64>,
    /// The external Ruby.
    pub(super) real: ExternalRubies,
}

/// The interpreters of an evaluator, for the next one that runs the same code for the same node.
#[derive(Debug, Default)]
pub struct RubyInterpreters(RubyState);

impl RubyState {
    /// Records that the result of a call may depend on more than its arguments.
    fn count_read(&self) {
        self.reads.set(self.reads.get().wrapping_add(1));
    }

    /// Returns the history of the interpreter that runs the next code, and the counter of reads; `None` if the history
    /// is unknown.
    fn state(&self) -> Option<(u64, u64)> {
        match self.idle.as_slice() {
            [one] => Some((one.history()?, self.reads.get())),
            _ => None,
        }
    }
}

impl RubyInterpreters {
    /// Returns whether all loaded files are unchanged.
    pub fn have_unchanged_files(&self, files: &Files) -> bool {
        self.0.loaded.iter().all(|(path, seen)| files.stat(path).as_ref() == Some(seen))
    }

    /// Returns whether the code left no state that later code can see.
    pub fn have_no_side_effects(&self) -> bool {
        self.0.idle.iter().all(Ruby::is_unchanged)
    }

    /// Prevents the use for other nodes: the state depends on a secret that would not be a secret for another node.
    pub fn mark_private(&mut self) {
        self.0.is_private = true;
    }

    /// Returns the interpreters for another node, or `None` if code has left state that the other node could see.
    /// Missing files and functions are searched again.
    pub fn for_another_node(mut self) -> Option<RubyInterpreters> {
        if self.0.is_private || !self.have_no_side_effects() {
            return None;
        }
        self.0.idle.iter_mut().for_each(Ruby::leave_node);
        self.0.functions.retain(|_, function| function.is_some());
        (self.0.files, self.0.written_kinds) = (None, None);
        Some(self)
    }
}

/// A function in Ruby.
#[derive(Debug)]
pub(crate) struct RubyFunction {
    pub(super) path: PathBuf,
    source: String,
    /// The dispatches; `None` for the API of Puppet 3, which accepts any arguments.
    dispatches: Option<Vec<Dispatch>>,
    /// The number of arguments that a function of the API of Puppet 3 takes, as Ruby's `arity`.
    arity: Option<i64>,
}

/// The signatures of a Ruby function.
#[derive(Clone, Debug, Default)]
pub struct RubySignatures {
    /// The signatures of all dispatches except those for wrong calls.
    pub signatures: Vec<Signature>,
    /// The return type, if every dispatch declares one.
    pub result: Option<Type>,
    /// Whether dispatches for wrong calls have their own messages.
    pub has_mismatches: bool,
    /// The number of arguments of a function of the Puppet 3 API, as Ruby's `arity`: -2 means one or more. Such a
    /// function has no signatures.
    pub arity: Option<i64>,
}

impl RubyFunction {
    fn signatures(&self) -> Option<RubySignatures> {
        let Some(dispatches) = &self.dispatches else {
            let arity = self.arity;
            return arity.is_some().then(|| RubySignatures { arity, ..RubySignatures::default() });
        };
        let (wrong, right): (Vec<&Dispatch>, Vec<&Dispatch>) = dispatches.iter().partition(|one| one.mismatch);
        let results: Option<Vec<Type>> =
            right.iter().map(|one| one.returns.as_ref().map(|(kind, _)| kind.clone())).collect();
        Some(RubySignatures {
            signatures: right.iter().map(|one| one.signature.clone()).collect(),
            result: results.filter(|all| !all.is_empty()).map(Type::variant),
            has_mismatches: !wrong.is_empty(),
            arity: None,
        })
    }
}

/// A dispatch of a function.
#[derive(Debug)]
struct Dispatch {
    signature: Signature,
    /// Whether it matches wrong calls: its method returns the error.
    mismatch: bool,
    /// The declared return type, and the name of the method in messages.
    returns: Option<(Type, String)>,
}

/// The evaluator as the host of Ruby code, with the blocks of the call.
pub(super) struct RubyHost<'a, 'e> {
    evaluator: &'a mut Evaluator<'e>,
    blocks: Vec<Block>,
}

/// Wraps a flow of the evaluator in an error that passes through Ruby code.
fn through(flow: Flow) -> HostError {
    let message = match &flow {
        Flow::Error(error) => error.message.clone(),
        Flow::Next(..) => "next() from context where this is illegal".into(),
        Flow::Break(_) => "break() from context where this is illegal".into(),
        Flow::Return(..) => "return() from context where this is illegal".into(),
    };
    // Limits end the whole evaluation and cannot be rescued.
    let kind = match &flow {
        Flow::Error(error) if error.is_limit => HostErrorKind::Fatal,
        _ => HostErrorKind::Rescued,
    };
    HostError { kind, payload: Some(Arc::new(flow)), ..HostError::new(message) }
}

impl Host for RubyHost<'_, '_> {
    fn budget(&self) -> &Budget {
        self.evaluator.budget.whole()
    }

    fn variable(&mut self, name: &str) -> Result<Option<Value>, HostError> {
        self.evaluator.mark_impure();
        hieratic_puppet_functions::Host::variable(
            self.evaluator,
            name.strip_prefix("::").map_or(name, |bare| {
                // `::name` is a variable of the top scope.
                if bare.contains("::") { bare } else { name }
            }),
        )
        .map_err(through)
    }

    fn variables(&mut self) -> Result<Arc<[(Str, Value)]>, HostError> {
        self.evaluator.mark_impure();
        Ok(self.evaluator.scopes.visible_variables())
    }

    fn replace_values(&mut self, replaced: &[(Value, Value)]) -> Result<(), HostError> {
        self.evaluator.mark_impure();
        self.evaluator.replace_values(replaced).map_err(through)
    }

    fn call_function(
        &mut self,
        name: &str,
        arguments: &[Value],
        block: Option<&RubyBlock>,
        machine: &mut Ruby,
    ) -> Result<Value, HostError> {
        self.evaluator.mark_impure();
        self.evaluator.call_from_ruby(name, arguments, block, machine).map_err(through)
    }

    fn call_function_at_top(
        &mut self,
        name: &str,
        arguments: &[Value],
        block: Option<&RubyBlock>,
        machine: &mut Ruby,
    ) -> Result<Value, HostError> {
        self.evaluator.mark_impure();
        self.evaluator
            .in_scope(TOP, |evaluator| evaluator.call_from_ruby(name, arguments, block, machine))
            .map_err(through)
    }

    fn scope(&self) -> usize {
        // Blocks have variables that are not in their scope.
        self.evaluator.scopes.current_id().wrapping_mul(1 << 20).wrapping_add(self.evaluator.scopes.count_locals())
    }

    fn all_tags(&mut self) -> Vec<String> {
        self.evaluator.mark_impure();
        self.evaluator.catalog.all_tags()
    }

    fn set_variable(&mut self, name: &str, value: Value) -> Result<(), HostError> {
        self.evaluator.mark_impure();
        let top = name.strip_prefix("::");
        let bare = top.unwrap_or(name);
        if bare.contains("::") {
            return Err(HostError::new(format!("Cannot assign to variables in other namespaces: '{name}'")));
        }
        let evaluator = &mut *self.evaluator;
        let existing = match top {
            Some(bare) if evaluator.scopes.add_top_variable(bare, value.clone()) => None,
            Some(_) => Some(AssignError::Assigned),
            None => evaluator.scopes.assign_local(&bare.into(), value).map_err(through)?,
        };
        match existing {
            None => Ok(()),
            Some(_) => Err(HostError::new(format!("Cannot reassign variable '${bare}'"))),
        }
    }

    fn read_file(&mut self, path: &str) -> Result<Vec<u8>, HostError> {
        let path = absolute(path)?;
        self.evaluator.record_file_read(path);
        hieratic_puppet_functions::Host::read_file(self.evaluator, path).map_err(|flow| {
            let error = through(flow);
            HostError { kind: HostErrorKind::Fatal, ..error }
        })
    }

    fn path_kind(&mut self, path: &str) -> Result<PathKind, HostError> {
        let path = absolute(path)?;
        self.evaluator.record_file_read(path);
        match self.evaluator.options.files.try_stat(path) {
            Ok(about) if about.is_folder() => Ok(PathKind::Folder),
            Ok(_) => Ok(PathKind::File),
            Err(error) => {
                if Denied::from_error(&error).is_some() {
                    let message = format!(
                        "'{}' is outside of the environment, so for Ruby code there is nothing there",
                        path.display()
                    );
                    hieratic_puppet_functions::Host::warn_once(self.evaluator, message);
                }
                Ok(PathKind::Nothing)
            }
        }
    }

    fn glob(&mut self, pattern: &str, hidden: bool) -> Result<Vec<String>, HostError> {
        absolute(pattern)?;
        let evaluator = &*self.evaluator;
        let found = ruby_glob::glob(pattern, hidden, &evaluator.options.files, evaluator.budget.whole());
        let found = found.map_err(|error| match error {
            GlobError::Limit(limit) => through(limit.into()),
            GlobError::TooDeep => HostError::refused(format!("the pattern '{pattern}' leads through too many folders")),
            GlobError::TooMany => HostError::refused(format!("the pattern '{pattern}' finds too many files")),
        })?;
        for folder in &found.folders {
            self.evaluator.record_file_read(folder);
        }
        Ok(found.paths)
    }

    fn impurity(&self) -> Option<u64> {
        let evaluator = &self.evaluator;
        let noted = evaluator.environment.lookup_context().map_or(Some(0), |context| context.dependency_count())?;
        Some(evaluator.rubies.reads.get().wrapping_add((noted + evaluator.log.len()) as u64))
    }

    fn mark_impure(&mut self) {
        self.evaluator.mark_impure();
    }

    fn file_stamp(&mut self, path: &str) -> Result<Option<String>, HostError> {
        let path = absolute(path)?;
        self.evaluator.rubies.count_read();
        Ok(match self.evaluator.environment.lookup_context() {
            Some(context) => context.file_stamp(path),
            None => self.evaluator.options.files.settled(path).map(|about| format!("{about:?}")),
        })
    }

    fn library_folders(&mut self) -> Vec<String> {
        self.evaluator.mark_impure();
        self.evaluator.ruby_files().libraries().iter().map(|folder| folder.display().to_string()).collect()
    }

    fn library(&mut self, name: &str, from: Option<&str>) -> Result<Option<(String, String)>, HostError> {
        self.evaluator.mark_impure();
        let file = format!("{name}.rb");
        let files = self.evaluator.options.files.clone();
        let found = match from {
            Some(from) => {
                Some(plain(&Path::new(from).with_file_name("").join(file))).filter(|path| files.is_file(path))
            }
            None if name.starts_with('/') => Some(plain(Path::new(&file))).filter(|path| files.is_file(path)),
            None if name.starts_with('.') => None,
            None => {
                let all = self.evaluator.ruby_files();
                all.libraries().iter().map(|lib| lib.join(&file)).find(|path| files.is_file(path))
            }
        };
        let Some(path) = found else { return Ok(None) };
        let bytes = self.evaluator.read_code(&path).map_err(through)?;
        Ok(Some((path.display().to_string(), String::from_utf8_lossy(&bytes).into_owned())))
    }

    fn old_function(&mut self, name: &str) -> Option<String> {
        self.evaluator.mark_impure();
        self.evaluator.ruby_files().old_function(name).map(|path| path.display().to_string())
    }

    fn module(&mut self, name: &str) -> Option<String> {
        self.evaluator.rubies.count_read();
        self.evaluator.environment.module(name).map(|root| root.display().to_string())
    }

    fn pattern(&mut self, value: &Value) -> Option<hieratic_ruby_regexp::Regexp> {
        hieratic_puppet_types::RegexpValue::downcast(value).cloned()
    }

    fn pattern_value(&mut self, pattern: &hieratic_ruby_regexp::Regexp) -> Option<Value> {
        Some(hieratic_puppet_types::RegexpValue::value(pattern.clone()))
    }

    fn binary(&mut self, bytes: Vec<u8>) -> Value {
        hieratic_puppet_types::bytes_value(bytes)
    }

    fn agent_type(&mut self, name: &str) -> Option<Vec<String>> {
        crate::native_types::agent_attributes(name)
    }

    fn own_resource(&mut self) -> Option<(String, String)> {
        self.evaluator.mark_impure();
        let scope = self.evaluator.scopes.get(self.evaluator.scopes.current_id())?;
        let resource = self.evaluator.catalog.resource(scope.resource)?;
        Some((resource.kind.to_string(), resource.title.to_string()))
    }

    fn call_block(&mut self, block: &Value, arguments: &[Value], machine: &mut Ruby) -> Result<Value, HostError> {
        self.evaluator.mark_impure();
        let index = if let Value::Integer(index) = block { usize::try_from(*index).ok() } else { None };
        match index.and_then(|index| self.blocks.get(index)).cloned() {
            Some(block) => {
                self.evaluator.with_lent(machine, |evaluator| evaluator.call_block(&block, arguments)).map_err(through)
            }
            None => Err(HostError::new("the block does not exist")),
        }
    }

    fn call_method(
        &mut self,
        object: &Value,
        name: &str,
        arguments: &[Value],
        machine: &mut Ruby,
    ) -> Result<Value, HostError> {
        if hieratic_puppet_types::is_lookup_context(object)
            && let Some(context) = self.evaluator.environment.lookup_context()
        {
            match (name, arguments) {
                ("hieratic_explains", _) => return Ok(context.explains().into()),
                ("hieratic_explain", [text]) => {
                    context.explain(text.to_text());
                    return Ok(Value::Undef);
                }
                _ => {}
            }
        }
        if hieratic_puppet_types::is_lookup_context(object)
            && let Some(function) = builtin::lookup_context::method(name)
        {
            // `not_found` throws, as Puppet does.
            let throws =
                name == "not_found" && arguments.is_empty() && self.evaluator.environment.lookup_context().is_some();
            let outcome = self.evaluator.with_lent(machine, |evaluator| function.call(evaluator, arguments, None));
            return outcome
                .map_err(through)
                .map_err(|error| if throws { HostError { kind: HostErrorKind::Thrown, ..error } } else { error });
        }
        // The strings of an `Enum`, which templates iterate over.
        if let (true, Some(kind)) = (matches!(name, "each" | "values"), Type::of_value(object))
            && let Type::Enum(listed) = kind.resolved()
        {
            return Ok(listed.values().iter().map(|value| Value::String(value.clone())).collect());
        }
        if let Some(value) = hieratic_puppet_types::attribute(object, name) {
            return Ok(value);
        }
        Err(HostError::new(format!("undefined method `{name}' for {}", object.inspect())))
    }

    fn knows_function(&mut self, name: &str) -> bool {
        self.evaluator.mark_impure();
        hieratic_puppet_functions::Host::knows_function(self.evaluator, name)
    }

    fn classes(&mut self) -> Vec<String> {
        self.evaluator.mark_impure();
        std::iter::once("settings".to_owned()).chain(self.evaluator.scopes.class_names()).collect()
    }

    fn setting(&mut self, name: &str) -> Option<Value> {
        self.evaluator.rubies.count_read();
        match name {
            "environment" => Some(self.evaluator.options.environment.as_str().into()),
            "strict" => Some(self.evaluator.options.strict.word().into()),
            "version" => Some(self.evaluator.options.version.recorded().into()),
            name => self.evaluator.scopes.setting(name).cloned(),
        }
    }

    fn random_seed(&mut self) -> Option<u64> {
        self.evaluator.mark_impure();
        self.evaluator.options.random_seed
    }

    fn resource(&mut self, kind: &str, title: &str) -> Option<Value> {
        self.evaluator.mark_impure();
        let attributes = hieratic_puppet_functions::Host::resource(self.evaluator, kind, title)?;
        let hash: hieratic_value::Hash =
            attributes.into_iter().map(|(name, value)| (Value::String(name), value)).collect();
        Some(hash.into())
    }

    fn keeps_debug(&self) -> bool {
        self.evaluator.log.records_debug()
    }

    fn secrets(&self) -> u64 {
        self.evaluator.environment.secrets() as u64
    }

    fn secret_parts(&mut self, text: &str) -> Vec<Range<usize>> {
        self.evaluator.environment.secret_parts(&text.into())
    }

    fn is_secret(&mut self, value: &Value) -> bool {
        self.evaluator.environment.is_secret(value)
    }

    fn record_secret(&mut self, result: &Value) {
        // A memoized answer would not report this value again for another node or revision.
        self.evaluator.rubies.count_read();
        self.evaluator.environment.record_secret(result);
    }

    fn unseen(&mut self, name: &str, unmatched: Vec<Regexp>) {
        if let Some(context) = self.evaluator.environment.lookup_context() {
            context.record_unmatched(name, unmatched);
        }
    }

    fn warn_once(&mut self, message: String) {
        self.evaluator.mark_impure();
        if self.evaluator.log.is_first(&message, &mut self.evaluator.budget) {
            hieratic_puppet_functions::Host::log(self.evaluator, Level::Warning, message);
        }
    }

    fn log(&mut self, level: &str, message: String) {
        self.evaluator.rubies.count_read();
        if level == "debug" && !self.evaluator.log.records_debug() {
            return;
        }
        self.evaluator.mark_impure();
        let levels = [
            Level::Debug,
            Level::Info,
            Level::Notice,
            Level::Warning,
            Level::Err,
            Level::Alert,
            Level::Emerg,
            Level::Crit,
        ];
        let level = levels.into_iter().find(|one| one.name() == level).unwrap_or(Level::Notice);
        hieratic_puppet_functions::Host::log(self.evaluator, level, message);
    }
}

impl<'e> Evaluator<'e> {
    /// Continues with the interpreters of another evaluator.
    pub fn set_ruby(&mut self, machines: RubyInterpreters) {
        self.rubies = machines.0;
    }

    /// Takes the interpreters for another evaluator.
    pub fn take_ruby(&mut self) -> RubyInterpreters {
        RubyInterpreters(std::mem::take(&mut self.rubies))
    }

    /// Records in the running lookup that code has read a file.
    fn record_file_read(&self, path: &Path) {
        self.rubies.count_read();
        if let Some(context) = self.environment.lookup_context() {
            context.record_file_read(path);
        }
    }

    /// Records in the running lookup that its answer may depend on untracked reads.
    pub(super) fn mark_impure(&self) {
        self.rubies.count_read();
        if let Some(context) = self.environment.lookup_context() {
            context.mark_impure();
        }
    }

    /// Runs a closure with an unused interpreter.
    pub(super) fn with_ruby<T>(
        &mut self,
        blocks: Vec<Block>,
        run: impl FnOnce(&mut Ruby, &mut RubyHost<'_, 'e>) -> T,
    ) -> T {
        let mut ruby = self.rubies.idle.pop().unwrap_or_default();
        let mut host = RubyHost { evaluator: self, blocks };
        let result = run(&mut ruby, &mut host);
        self.rubies.idle.push(ruby);
        result
    }

    /// Calls a function for Ruby code, whose interpreter waits for it.
    fn call_from_ruby(
        &mut self,
        name: &str,
        arguments: &[Value],
        block: Option<&RubyBlock>,
        machine: &mut Ruby,
    ) -> Outcome {
        let block = block.map(|block| Block(Arc::new(BlockInRuby::new(block))));
        self.with_lent(machine, |evaluator| {
            evaluator
                .call_if_known(name, arguments, block.as_ref())
                .unwrap_or_else(|| Err(EvalError::new(format!("Unknown function: '{name}'")).into()))
        })
    }

    /// Runs a closure that may use the waiting interpreter.
    fn with_lent<T>(&mut self, machine: &mut Ruby, run: impl FnOnce(&mut Evaluator<'e>) -> T) -> T {
        self.rubies.idle.push(std::mem::take(machine));
        let result = run(self);
        // Every user of an interpreter returns it.
        *machine = self.rubies.idle.pop().unwrap_or_default();
        result
    }

    /// Calls a block in Ruby.
    pub(super) fn call_ruby_block(&mut self, block: &BlockInRuby, arguments: &[Value]) -> Outcome {
        let number = block.number;
        let outcome =
            self.deeper(|this| Ok(this.with_ruby(Vec::new(), |ruby, host| ruby.call_block(host, number, arguments))))?;
        outcome.map_err(|error| into_flow(error, |error| error.message.clone()))
    }

    /// Returns the signatures of a Ruby function. Returns `None` if no module has the function, or if its arguments are
    /// unknown.
    ///
    /// # Errors
    /// The Ruby file cannot be read.
    pub fn signatures_of_ruby_function(&mut self, name: &str) -> Result<Option<RubySignatures>, Failure> {
        self.options = self.options.renewed();
        self.budget.renew(self.options.budget.clone());
        match self.ruby_function(name) {
            Ok(function) => Ok(function.and_then(|function| function.signatures())),
            Err(Flow::Error(error)) => Err(Failure::from(*error)),
            // Nothing else leaves the description of a function.
            Err(_) => Ok(None),
        }
    }

    /// Returns a Ruby function by its name, from the `lib` of a module.
    pub(crate) fn ruby_function(&mut self, name: &str) -> Result<Option<Arc<RubyFunction>>, Flow> {
        if let Some(known @ Some(_)) = self.rubies.functions.get(name) {
            return Ok(known.clone());
        }
        if !self.rubies.functions.contains_key(name) {
            let found = self.find_ruby_function(name)?;
            self.rubies.functions.insert(name.into(), found.clone());
            if found.is_some() {
                return Ok(found);
            }
        }
        self.loaded_ruby_function(name)
    }

    /// Returns a function that another function's file has defined, once that file is loaded.
    fn loaded_ruby_function(&mut self, name: &str) -> Result<Option<Arc<RubyFunction>>, Flow> {
        if self.rubies.idle.is_empty() {
            return Ok(None);
        }
        let declared = self.with_ruby(Vec::new(), |ruby, host| ruby.function(host, name));
        let declared = declared.map_err(|error| into_flow(error, in_file))?;
        // Only the API of Puppet 3 finds a function wherever it is defined.
        let old = declared.filter(|declared| declared.dispatches.is_none());
        let (path, source) = (PathBuf::new(), String::new());
        Ok(old.map(|old| Arc::new(RubyFunction { path, source, dispatches: None, arity: old.arity })))
    }

    fn find_ruby_function(&mut self, name: &str) -> Result<Option<Arc<RubyFunction>>, Flow> {
        let fine = name.chars().all(|one| one.is_alphanumeric() || matches!(one, '_' | ':'));
        if !fine || name.is_empty() {
            return Ok(None);
        }
        let found = match name.split_once("::") {
            Some((module, _)) => {
                let file = format!("lib/puppet/functions/{}.rb", name.replace("::", "/"));
                self.environment.module(module).map(|root| root.join(file)).filter(|path| self.is_file(path))
            }
            None => self.ruby_files().function(name),
        };
        let Some(path) = found else { return Ok(None) };
        let source = String::from_utf8_lossy(&self.read_code(&path)?).into_owned();
        let shown = path.display().to_string();
        let declared = self.run_or_retry_externally(
            &shown,
            &[],
            |ruby, host| {
                ruby.load(host, &source, &shown)?;
                ruby.function(host, name)
            },
            |real, ruby, host| real.function(host, ruby, &shown, name),
        )?;
        let declared = declared.map_err(|error| into_flow(error, in_file))?;
        let Some(declared) = declared else {
            let message = format!(
                "The code loaded from {shown} did not seem to be a 4x function '{name}'; it defines no function of this name."
            );
            return Err(EvalError::new(message).into());
        };
        let dispatches = match &declared.dispatches {
            None => None,
            Some(all) => {
                let mut dispatches = Vec::with_capacity(all.len());
                for one in all {
                    let signature = self.ruby_signature(one, &declared.local_types)?;
                    let returns = match &one.returns {
                        Some(kind) => {
                            let kind = self.type_from_text(&with_local_types(kind, &declared.local_types))?;
                            Some((kind, one.method.clone()))
                        }
                        None => None,
                    };
                    dispatches.push(Dispatch { signature, mismatch: one.mismatch, returns });
                }
                Some(dispatches)
            }
        };
        Ok(Some(Arc::new(RubyFunction { path, source, dispatches, arity: declared.arity })))
    }

    fn is_file(&self, path: &Path) -> bool {
        self.options.files.check(path).is_ok()
    }

    fn ruby_signature(&mut self, dispatch: &DispatchDeclaration, local: &[String]) -> Result<Signature, Flow> {
        let mut signature = Signature::default();
        for one in &dispatch.parameters {
            let kind = self.type_from_text(&with_local_types(&one.kind, local))?;
            signature.parameters.push(Parameter {
                name: one.name.as_str().into(),
                kind,
                required: one.required,
                repeated: one.repeated,
            });
        }
        if let Some(block) = &dispatch.block {
            let kind = self.type_from_text(&with_local_types(&block.kind, local))?;
            let kind = if block.required { kind } else { hieratic_puppet_types::Type::optional(kind) };
            signature.block = Some((block.name.as_str().into(), kind));
        }
        Ok(signature)
    }

    /// Returns whether values contain a secret. Values that are computed from it are tracked while the code runs.
    fn contains_secret(&self, values: &[Value]) -> bool {
        self.environment.secrets() > 0 && values.iter().any(|value| self.is_secret(value))
    }

    fn is_secret(&self, value: &Value) -> bool {
        match value {
            Value::Array(elements) => self.contains_secret(elements),
            Value::Hash(pairs) => pairs.iter().any(|(key, value)| self.is_secret(key) || self.is_secret(value)),
            plain => self.environment.is_secret(plain),
        }
    }

    /// Returns the cached result of a call, or runs it.
    fn run_memoized(
        &mut self,
        answers: &RubyMemo,
        call: Call<'_>,
        run: impl FnOnce(&mut Self) -> Result<Result<Value, RubyError>, Flow>,
    ) -> Result<Result<Value, RubyError>, Flow> {
        let Some(before) = self.rubies.state() else { return self.deeper(run) };
        if let Some((value, cost)) = answers.find(before.0, call)
            && !self.contains_secret(call.arguments)
        {
            cost.charge(self.budget.whole())?;
            return Ok(Ok(value));
        }
        let begun = Cost::used(self.budget.whole());
        let outcome = self.deeper(run)?;
        if let Ok(value) = &outcome
            && self.rubies.state() == Some(before)
        {
            answers.insert(before.0, call, value, begun.since(self.budget.whole()));
        }
        Ok(outcome)
    }

    /// Calls a function in Ruby.
    pub(crate) fn call_ruby(
        &mut self,
        name: &str,
        function: &Arc<RubyFunction>,
        arguments: &[Value],
        block: Option<&Block>,
    ) -> Outcome {
        let kind = block.map(Block::callable_type);
        let chosen = match &function.dispatches {
            None => None,
            Some(all) => match all.iter().enumerate().find(|(_, one)| one.signature.accepts(arguments, kind)) {
                Some(found) => Some(found),
                None => {
                    let ways = all.iter().filter(|one| !one.mismatch).map(|one| one.signature.clone());
                    let ways: Vec<Signature> = ways.collect();
                    return Err(EvalError::new(describe_call(name, &ways, arguments, kind)).into());
                }
            },
        };
        let shown = function.path.display().to_string();
        let blocks: Vec<Block> = block.cloned().into_iter().collect();
        let given = block.map(|_| Value::Integer(0));
        let index = chosen.map(|(index, _)| index);
        // Options that the function did not read are not dependencies of the lookup, unless a type in its signature checks
        // them.
        let is_open = |parameter: &Parameter| parameter.kind == Type::hash(Type::Any, Type::Any);
        let watched = match chosen {
            Some((0, first)) if self.environment.lookup_context().is_some() => {
                first.signature.parameters.iter().position(is_open)
            }
            _ => None,
        };
        let run = |this: &mut Self| {
            this.run_or_retry_externally(
                &shown,
                &blocks,
                |ruby, host| {
                    // Another interpreter has not loaded it yet.
                    if !ruby.has_function(host, name)? {
                        ruby.load(host, &function.source, &shown)?;
                    }
                    ruby.call(host, name, index, arguments, given, watched)
                },
                |real, ruby, host| real.call(host, ruby, &shown, name, index, arguments, block.is_some()),
            )
        };
        // A block may have side effects.
        let environment = self.environment.clone();
        let outcome = match environment.ruby_memo().filter(|_| block.is_none() && self.options.ruby.is_none()) {
            Some(answers) => self.run_memoized(answers, Call { name, way: index, arguments }, run)?,
            None => self.deeper(run)?,
        };
        // Errors that Puppet itself has reported pass through Ruby unchanged.
        if let Err(RubyError { kind: ErrorKind::Raised { host: Some(host), .. }, .. }) = &outcome
            && let Some(flow) = passed(host)
        {
            return Err(flow);
        }
        match outcome {
            Ok(value) => match chosen {
                Some((_, one)) if one.mismatch => Err(EvalError::new(format!("'{name}' {}", value.to_text())).into()),
                Some((_, Dispatch { returns: Some((kind, method)), .. })) => {
                    self.budget.charge_visit([&value])?;
                    assert_instance(&format!("value returned from function '{method}'"), kind, &value)
                        .map_err(|mismatch| EvalError::new(mismatch.to_string()))?;
                    Ok(value)
                }
                _ => Ok(value),
            },
            Err(error) => Err(into_flow(error, |error| match &error.kind {
                ErrorKind::Raised { .. } => error.message.clone(),
                _ => in_file(error),
            })),
        }
    }
}

/// Checks that a path does not depend on the working directory.
fn absolute(path: &str) -> Result<&Path, HostError> {
    let path = Path::new(path);
    if path.is_absolute() {
        Ok(path)
    } else {
        Err(HostError::refused(format!(
            "the working directory is not available to Ruby code here, so '{}' was not looked for",
            path.display()
        )))
    }
}

/// Formats a message with its position in a Ruby file.
pub(super) fn in_file(error: &RubyError) -> String {
    match error.line {
        0 => error.message.clone(),
        line => format!("{} (file: {}, line: {line})", error.message, error.file),
    }
}

/// Returns the flow that an error of the host wraps.
fn passed(host: &HostError) -> Option<Flow> {
    host.payload.as_ref().and_then(|payload| payload.downcast_ref::<Flow>().cloned())
}

/// Converts an error of Ruby code: to the error of Puppet that it wraps, to a limit, or to a new error.
pub(super) fn into_flow(error: RubyError, describe: impl FnOnce(&RubyError) -> String) -> Flow {
    match &error.kind {
        ErrorKind::Exhausted(exhausted) => return (*exhausted).into(),
        ErrorKind::Host(host) => {
            if let Some(flow) = passed(host) {
                return flow;
            }
        }
        ErrorKind::Refused => {
            let mut error = EvalError::new(in_file(&error));
            error.help = Some("Ruby code runs without access to files, programs, the network and the clock.".into());
            return error.into();
        }
        ErrorKind::Syntax => return EvalError::new(in_file(&error)).into(),
        ErrorKind::Raised { .. } => {}
    }
    EvalError::new(describe(&error)).into()
}

/// Replaces the names of local types in a type by their definitions.
fn with_local_types(text: &str, local: &[String]) -> String {
    let mut text = text.to_owned();
    // Later types may refer to earlier ones, so the last are replaced first.
    for one in local.iter().rev() {
        if let Some((name, kind)) = one.split_once('=') {
            let (name, kind) = (name.trim(), kind.trim());
            let mut out = String::with_capacity(text.len());
            let mut rest = text.as_str();
            while let Some(at) = rest.find(name) {
                let before = rest[..at].chars().next_back();
                let after = rest[at + name.len()..].chars().next();
                let word = |one: Option<char>| one.is_some_and(|one| one.is_alphanumeric() || matches!(one, '_' | ':'));
                out.push_str(&rest[..at]);
                out.push_str(if word(before) || word(after) { name } else { kind });
                rest = &rest[at + name.len()..];
            }
            out.push_str(rest);
            text = out;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::with_local_types;

    #[test]
    fn local_types_are_replaced_as_words() {
        let local = ["Port = Integer[1]".to_owned(), "Ports = Array[Port]".to_owned()];
        assert_eq!(
            with_local_types("Variant[Ports, Stdlib::Port]", &local),
            "Variant[Array[Integer[1]], Stdlib::Port]"
        );
    }
}
