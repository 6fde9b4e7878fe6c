//! [`Ruby`]: an interpreter that runs Ruby code for a host.

use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use hieratic_budget::Exhausted;
use hieratic_value::Value as Foreign;

use crate::ast::Program;
use crate::erb::{Trim, compile};
use crate::host::{Host, HostError};
use crate::puppet::{FunctionDeclaration, TypeDeclaration};
use crate::value::{LAST_GENERATION, Str, Value, begin_run, objects};
use crate::vm::{Flow, Outcome, State, StateSlot, Vm};

/// An interpreter of Ruby. Definitions persist between calls, and parsed templates are cached.
#[derive(Default)]
pub struct Ruby {
    state: Option<Box<State>>,
}

/// An error of Ruby code.
#[derive(Clone, Debug)]
pub struct RubyError {
    /// The message of the exception or of the interpreter.
    pub message: String,
    /// The cause of the error.
    pub kind: ErrorKind,
    /// The name of the file.
    pub file: Arc<str>,
    /// The line, counted from 1; 0 if it is not known.
    pub line: u32,
}

/// The causes of an error.
#[derive(Clone, Debug)]
pub enum ErrorKind {
    /// An unrescued exception.
    Raised {
        /// The name of the exception's class.
        class: String,
        /// The error of the host that caused the exception.
        host: Option<HostError>,
    },
    /// The source has a syntax error.
    Syntax,
    /// An unavailable feature.
    Refused,
    /// A limit is reached.
    Exhausted(Exhausted),
    /// An error of the host that code cannot handle.
    Host(HostError),
}

impl RubyError {
    /// Creates the error for source that is not valid Ruby.
    pub(crate) fn syntax(message: impl Into<String>, file: &Arc<str>, line: u32) -> RubyError {
        RubyError { message: message.into(), kind: ErrorKind::Syntax, file: file.clone(), line }
    }
}

impl fmt::Display for RubyError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ErrorKind::Raised { class, .. } => write!(out, "{} ({class})", self.message)?,
            _ => out.write_str(&self.message)?,
        }
        if self.line > 0 { write!(out, " at {}:{}", self.file, self.line) } else { Ok(()) }
    }
}

impl std::error::Error for RubyError {}

impl fmt::Debug for Ruby {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Ruby")
    }
}

/// The maximum size of the programs that an interpreter caches, in bytes of source.
const MAX_SOURCE: usize = 16 << 20;

impl Vm<'_> {
    /// Starts to watch whether code observes the strings in a hash. Returns the strings with their keys.
    fn watch(&self, hash: &Value) -> Vec<(Arc<str>, Rc<Str>)> {
        let Value::Hash(hash) = hash else { return Vec::new() };
        let table = hash.table.borrow();
        let texts = table.iter().filter_map(|(name, value)| match (&name.value, value) {
            (Value::Str(name), Value::Str(text)) => Some((name.to_arc(), text.clone())),
            _ => None,
        });
        texts.inspect(|(_, text)| text.watch()).collect()
    }

    /// Reads source, or finds it read.
    pub(crate) fn read_program(&mut self, source: &str, file: &str) -> Outcome<Arc<Program>> {
        let key: (Arc<str>, Arc<str>) = (file.into(), source.into());
        if let Some(program) = self.st.programs.get(&key) {
            return Ok(program.clone());
        }
        // A tree is many times as large as its source.
        self.build(source.len().saturating_mul(32))?;
        self.steps(source.len() / 4)?;
        let library = self.st.library.clone();
        let read = match library.find(&key) {
            Some(program) => Ok(program),
            None => library.read(source, file).inspect(|program| library.keep(key.clone(), program)),
        };
        match read {
            Ok(program) => {
                self.st.programs_size += source.len();
                if self.st.programs_size > MAX_SOURCE {
                    self.st.programs.clear();
                    self.st.programs_size = source.len();
                }
                self.st.programs.insert(key, program.clone());
                Ok(program)
            }
            Err(error) => {
                let exception = match self.constant_path("SyntaxError")? {
                    Some(Value::Class(class)) => class,
                    _ => self.st.classes.standard_error.clone(),
                };
                let exception = self.exception(&exception, Value::string(error.message.clone()));
                if let Value::Object(object) = &exception
                    && let crate::value::Data::Exception(inner) = &mut *object.data.borrow_mut()
                {
                    inner.backtrace = Some(vec![(file.into(), error.line, None)]);
                }
                Err(Box::new(Flow::Raise(exception)))
            }
        }
    }

    fn error_of(&mut self, flow: Flow) -> RubyError {
        let (file, line) = self.place();
        match flow {
            Flow::Raise(exception) => {
                let class = self.class_name(&exception);
                if let Ok(message) = self.send(&exception, "message", &[]) {
                    // `message_of` below calls the same method again, so that an error of it is handled there.
                    drop(self.report(&message));
                }
                let message = match self.message_of(&exception).map_err(|flow| *flow) {
                    Ok(message) => message,
                    // Its message is code, too, which may reach a limit.
                    Err(fatal @ Flow::Fatal(_)) => return self.error_of(fatal),
                    Err(_) => class.clone(),
                };
                let (file, line) = self.place_of_exception(&exception).unwrap_or((file, line));
                let host = self.st.last_host_error.take().filter(|error| error.message == message);
                let kind = if class == "SyntaxError" { ErrorKind::Syntax } else { ErrorKind::Raised { class, host } };
                RubyError { message, kind, file, line }
            }
            Flow::Fatal(fatal) => {
                let kind = match (fatal.exhausted, fatal.host) {
                    (Some(exhausted), _) => ErrorKind::Exhausted(exhausted),
                    (None, Some(host)) => ErrorKind::Host(host),
                    (None, None) => ErrorKind::Refused,
                };
                RubyError { message: fatal.message, kind, file: fatal.file, line: fatal.line }
            }
            Flow::Throw(tag, _) => {
                let tag = self.inspect(&tag).unwrap_or_default();
                let kind = ErrorKind::Raised { class: "UncaughtThrowError".into(), host: None };
                RubyError { message: format!("uncaught throw {tag}"), kind, file, line }
            }
            _ => {
                let kind = ErrorKind::Raised { class: "LocalJumpError".into(), host: None };
                RubyError { message: "unexpected jump".into(), kind, file, line }
            }
        }
    }
}

impl Ruby {
    /// Creates an interpreter that has not run any code.
    pub fn new() -> Ruby {
        Ruby::default()
    }

    /// Creates an interpreter from a state.
    pub(crate) fn from_state(state: Option<Box<State>>) -> Ruby {
        Ruby { state }
    }

    /// Takes the state out of the interpreter.
    pub(crate) fn into_state(self) -> Option<Box<State>> {
        self.state
    }

    fn within<T>(&mut self, host: &mut dyn Host, run: impl FnOnce(&mut Vm<'_>) -> Outcome<T>) -> Result<T, RubyError> {
        let state = match self.state.take() {
            Some(state) => state,
            None => State::new(host),
        };
        let scope = host.scope();
        let mut vm = Vm { host, st: StateSlot::new(state) };
        vm.start_tracking();
        let outer = (std::mem::take(&mut vm.st.is_native), std::mem::take(&mut vm.st.sources));
        let calls = vm.st.calls.len();
        if vm.st.running == 0 {
            vm.st.run = begin_run();
            vm.st.objects = objects();
            vm.st.patterns.clear();
            vm.st.object_numbers.clear();
            // No object with such a name is left, unless code has changed lasting objects.
            if !vm.st.has_changed {
                vm.st.names = Default::default();
            }
            // Generations are exhausted: later runs cannot be distinguished from this one.
            if vm.st.run == LAST_GENERATION {
                vm.note_lasting_change();
            }
        }
        vm.st.running += 1;
        // Nested code of the same scope sees the same objects.
        let is_new = vm.st.variables.last().is_none_or(|(known, _)| *known != scope);
        if is_new {
            vm.st.variables.push((scope, Default::default()));
        }
        let result = match run(&mut vm) {
            Ok(value) => Ok(value),
            Err(flow) => Err(vm.error_of(*flow)),
        };
        // The state may have been lost and replaced by a new one.
        vm.st.running = vm.st.running.saturating_sub(1);
        if vm.st.running == 0 {
            vm.st.imports.end_run();
        }
        vm.st.calls.truncate(calls);
        vm.st.visiting.clear();
        vm.st.current_error = Value::Nil;
        (vm.st.is_native, vm.st.sources) = outer;
        vm.return_steps();
        if is_new {
            vm.st.variables.pop();
        }
        self.state = vm.st.take();
        result
    }

    /// Renders a template with the variables of the host's scope.
    ///
    /// ```
    /// use hieratic_ruby::{NullHost, Ruby};
    /// let text = Ruby::new().render(&mut NullHost::default(), "<% 3.times do |i| -%>\n<%= i %>,<% end %>", "x.erb", None);
    /// assert_eq!(&*text.unwrap(), "0,1,2,");
    /// ```
    ///
    /// # Errors
    /// Templates that are not Ruby, exceptions, and limits.
    pub fn render(
        &mut self,
        host: &mut dyn Host,
        template: &str,
        name: &str,
        path: Option<&str>,
    ) -> Result<Arc<str>, RubyError> {
        self.within(host, |vm| {
            let key: (Arc<str>, Arc<str>) = (format!("erb:{name}").into(), template.into());
            let program = match vm.st.programs.get(&key) {
                Some(program) => program.clone(),
                None => {
                    let source = compile(template, Trim::parse("-"));
                    let program = vm.read_program(&source, name)?;
                    vm.st.programs.insert(key, program.clone());
                    program
                }
            };
            let me = vm.template_object(path)?;
            let value = vm.run(&program, me)?;
            vm.report(&value)?;
            vm.report_changed_imports()?;
            match value {
                Value::Str(text) => Ok(text.to_arc()),
                other => vm.to_s(&other).map(Into::into),
            }
        })
    }

    /// Runs source, and returns the `inspect` form of the value of its last expression.
    ///
    /// # Errors
    /// As [`render`](Self::render).
    pub fn inspect(&mut self, host: &mut dyn Host, source: &str, file: &str) -> Result<String, RubyError> {
        self.within(host, |vm| {
            let program = vm.read_program(source, file)?;
            let me = vm.st.main.clone();
            let value = vm.run(&program, me)?;
            vm.inspect(&value)
        })
    }

    /// Loads a file of a module, and with it the functions that the file defines.
    ///
    /// # Errors
    /// As [`render`](Self::render).
    pub fn load(&mut self, host: &mut dyn Host, source: &str, file: &str) -> Result<(), RubyError> {
        self.within(host, |vm| {
            let program = vm.read_program(source, file)?;
            vm.run_file(&program).map(|_| ())
        })
    }

    /// Returns the declaration of a function of a loaded file; `None` if no file defines it.
    ///
    /// # Errors
    /// Fails if the code that describes the function fails.
    pub fn function(&mut self, host: &mut dyn Host, name: &str) -> Result<Option<FunctionDeclaration>, RubyError> {
        self.within(host, |vm| vm.declared_function(name))
    }

    /// Returns whether a loaded file has defined a function of this name.
    ///
    /// # Errors
    /// As [`function`](Self::function).
    pub fn has_function(&mut self, host: &mut dyn Host, name: &str) -> Result<bool, RubyError> {
        self.within(host, |vm| vm.has_function(name))
    }

    /// Loads the source of a resource type. Returns the declaration of the type, or `None` if the source does not
    /// define it.
    ///
    /// # Errors
    /// As [`render`](Self::render).
    pub fn resource_type(
        &mut self,
        host: &mut dyn Host,
        name: &str,
        source: &str,
        file: &str,
    ) -> Result<Option<TypeDeclaration>, RubyError> {
        self.within(host, |vm| {
            if vm.declared_type(name)?.is_none() {
                // Prevents a second load when another type requires this one.
                vm.st.features.insert(file.to_owned());
                let program = vm.read_program(source, file)?;
                vm.run_file(&program)?;
            }
            match vm.declared_type(name)? {
                Some(class) => vm.describe_type(name, &class).map(Some),
                None => Ok(None),
            }
        })
    }

    /// Calls a loaded function by one of its dispatches or, without one, through the API of Puppet 3. `watched` is the
    /// index of a hash among the arguments: strings in it that the code has not read are reported to
    /// [`Host::unseen`].
    ///
    /// # Errors
    /// As [`render`](Self::render).
    pub fn call(
        &mut self,
        host: &mut dyn Host,
        name: &str,
        dispatch: Option<usize>,
        arguments: &[Foreign],
        block: Option<Foreign>,
        watched: Option<usize>,
    ) -> Result<Foreign, RubyError> {
        self.within(host, |vm| {
            let mut args = Vec::with_capacity(arguments.len());
            for (at, one) in arguments.iter().enumerate() {
                // A watched argument must not be shared with other calls. The API of Puppet 3 passes copies.
                let is_copy = watched == Some(at) || dispatch.is_none();
                let value = if is_copy { vm.import(one)? } else { vm.import_shared(one)? };
                // The API of Puppet 3 passes an undefined value as an empty string.
                args.push(if dispatch.is_none() && value.is_nil() { Value::str("") } else { value });
            }
            let block = block.map(|block| Value::Foreign(Rc::new(block))).into();
            let watched = watched.and_then(|at| args.get(at)).map(|hash| vm.watch(hash)).unwrap_or_default();
            let before = std::mem::take(&mut vm.st.unmatched);
            let result = match dispatch {
                Some(index) => vm.call_dispatch(name, index, args, block),
                None => vm.call_old_function(name, args),
            };
            let result = result.and_then(|result| {
                vm.report_changed_imports()?;
                vm.export(&result)
            });
            let unmatched = std::mem::replace(&mut vm.st.unmatched, before);
            for (name, text) in watched.into_iter().filter(|(_, text)| text.is_unobserved()) {
                let patterns = unmatched.iter().filter(|(other, _)| Rc::ptr_eq(other, &text));
                vm.host.unseen(&name, patterns.map(|(_, regexp)| (**regexp).clone()).collect());
            }
            result
        })
    }

    /// Calls a block that Ruby code has passed to a Puppet function, while the function runs.
    ///
    /// # Errors
    /// As [`render`](Self::render). The host must return the error: it is raised in the code that contains the block.
    pub fn call_block(&mut self, host: &mut dyn Host, block: i64, arguments: &[Foreign]) -> Result<Foreign, RubyError> {
        let mut ended = None;
        let result = self.within(host, |vm| {
            let found = vm.st.lent_blocks.iter().find(|(number, _)| *number == block).map(|(_, found)| found.clone());
            let Some(proc) = found else { return Err(vm.refused("the call that this block belongs to is over")) };
            let mut args = Vec::with_capacity(arguments.len());
            for one in arguments {
                args.push(vm.import(one)?);
            }
            let outcome = vm.send(&proc, "call", &args).and_then(|value| vm.export(&value));
            outcome.map_err(|flow| {
                let message = match &*flow {
                    Flow::Raise(exception) => vm.message_of(exception).unwrap_or_default(),
                    _ => "a block of Ruby ended its call".to_owned(),
                };
                ended = Some(*flow);
                vm.refused(message)
            })
        });
        if let (Err(_), Some(flow), Some(state)) = (&result, ended, &mut self.state) {
            state.pending = Some(flow);
        }
        result
    }

    /// Returns whether the interpreter can be reused for another node: except for the definitions of loaded files, code
    /// has changed nothing that later code could observe.
    pub fn is_unchanged(&self) -> bool {
        self.state.as_ref().is_none_or(|state| !state.has_changed && state.output.is_empty())
    }

    /// Returns a fingerprint of all changes that files and code have made to the interpreter; `None` if they were not
    /// recorded. Interpreters with equal fingerprints, whose hosts have equal files, give equal answers.
    pub fn history(&self) -> Option<u64> {
        self.state.as_ref().map_or(Some(0), |state| state.history.filter(|_| state.output.is_empty()))
    }

    /// Prepares the interpreter for another node: drops the objects of this one.
    pub fn leave_node(&mut self) {
        if let Some(state) = &mut self.state {
            state.file_data.values_mut().for_each(|data| data.is_own = false);
        }
    }

    /// Returns the output that code has written to standard output since the last call.
    pub fn take_output(&mut self) -> String {
        self.state.as_mut().map(|state| std::mem::take(&mut state.output)).unwrap_or_default()
    }
}

/// Checks the syntax of the Ruby code of a template. The error has a line of the template and the message of Ruby's own
/// parser.
///
/// ```
/// assert!(hieratic_ruby::check_template("<% if @tls -%>\nlisten 443;\n<% end -%>\n", "tls.erb").is_ok());
/// assert_eq!(hieratic_ruby::check_template("a\n<%= @port ) %>\n", "port.erb").unwrap_err().line, 2);
/// ```
///
/// # Errors
/// The first syntax error. Valid Ruby that is not supported here is not an error.
pub fn check_template(template: &str, file: &str) -> Result<(), RubyError> {
    crate::parse::check(&compile(template, Trim::parse("-")), file)
}
