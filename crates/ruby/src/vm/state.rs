//! [`State`]: the persistent state of an interpreter, and [`Vm`]: an interpreter that runs for a host.

use std::cell::Cell;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use hieratic_ruby_regexp::{Captures, Patterns, Regexp};
use hieratic_value::collections::{HashMap, HashSet};
use num_bigint::BigInt;

use super::classes::Classes;
use super::core_singletons::CoreSingletons;
use super::{Flow, Outcome};
use crate::ast::Program;
use crate::host::{Host, HostError};
use crate::interpreter::Ruby;
use crate::library::Library;
use crate::puppet::FileData;
use crate::symbol::Symbol;
use crate::value::{Class, Cref, Ctx, Env, Frame, Generation, Method, Str, Value, Visibility, objects, set_generation};

/// A call that runs, for backtraces.
#[derive(Debug)]
pub(crate) struct CallSite {
    pub frame: Rc<Frame>,
    pub line: u32,
}

/// The state of an interpreter between two runs.
pub(crate) struct State {
    /// The names and programs, which other interpreters of the thread share.
    pub library: Rc<Library>,
    pub classes: Builtins,
    pub globals: HashMap<Symbol, Value>,
    pub method_cache: HashMap<(u32, Symbol), Option<Rc<Method>>>,
    /// Counts changes of the hierarchy.
    pub version: u64,
    pub calls: Vec<CallSite>,
    pub next_id: u64,
    pub all_classes: Classes,
    pub core_singletons: CoreSingletons,
    /// Steps taken from the budget and not used yet.
    pub fuel: Cell<u32>,
    /// Bytes built and not charged yet.
    pub built: usize,
    /// The maximum number of objects since the run began.
    pub objects: usize,
    /// Steps that looking up methods took and that are not taken from the budget yet.
    pub owed_steps: Cell<usize>,
    /// `$!`
    pub current_error: Value,
    pub last_host_error: Option<HostError>,
    /// The generation of the current run, and the nesting depth of runs.
    pub run: u32,
    pub running: u32,
    /// The nesting depth of code that allocates lasting objects.
    pub lasting: u32,
    /// True if code has changed lasting objects, other than by loading files. Later runs may see that.
    pub has_changed: bool,
    /// A fingerprint of everything that files and code have done to lasting objects, in order: interpreters with equal
    /// fingerprints give equal answers. `None` after a change that cannot be fingerprinted.
    pub history: Option<u64>,
    pub main: Value,
    pub root: Rc<Cref>,
    pub features: HashSet<String>,
    /// Objects that are being inspected or compared, so that cycles end.
    pub visiting: Vec<(usize, usize)>,
    pub object_ids: HashMap<usize, u64>,
    /// The numbers of objects that the run has shown, by address.
    pub object_numbers: HashMap<usize, (usize, Value)>,
    /// Values that are kept alive while their addresses serve as identities.
    pub pinned: Vec<Value>,
    /// The templates and files that this interpreter has used, by name and source. The cost of the first use is the
    /// same whether or not the library already has the program.
    pub programs: HashMap<(Arc<str>, Arc<str>), Arc<crate::ast::Program>>,
    /// The size of the source of these programs in bytes.
    pub programs_size: usize,
    /// The patterns that the current run has created. Earlier runs affect neither its cost nor when it reaches a limit.
    pub patterns: Patterns,
    /// The converted arguments of functions.
    pub imports: super::imports::Imports,
    /// The last matches of cached patterns in short strings, by the addresses of the patterns.
    pub match_cache: HashMap<usize, CachedMatch>,
    /// Unobserved strings, each with a pattern that does not match it.
    pub unmatched: Vec<(Rc<Str>, Rc<Regexp>)>,
    /// The results of blocks for files, by path. They are valid as long as the file is unchanged.
    pub file_data: HashMap<Box<str>, FileData>,
    /// The output to standard output and standard error.
    pub output: String,
    /// Functions of Puppet that are known to be defined.
    pub functions: HashSet<Box<str>>,
    /// The Puppet variables that code has read, with the id of their scope; one entry for each nested scope in which
    /// code runs. Code gets the same object again, so that its changes persist.
    pub variables: Vec<(usize, Variables)>,
    /// Blocks that functions of Puppet were called with, and still run with.
    pub lent_blocks: Vec<(i64, Value)>,
    /// The reason why the current pattern does not match, if the caller needs it.
    pub mismatch: Option<super::pattern::MismatchReason>,
    /// The way in which such a block ended, while its caller only sees a failure.
    pub pending: Option<Flow>,
    /// True if the host knew secrets in any run, which enables taint tracking.
    pub is_tracking: bool,
    /// The generation of the secrets that the interpreter has seen.
    pub secrets: u64,
    /// True while a native method runs, except for Ruby code that it has called.
    pub is_native: bool,
    /// The marked inputs of that method.
    pub sources: super::marks::TaintSources,
    /// The names that code has computed from secrets.
    pub names: super::marks::TaintedNames,
}

/// The last match of a pattern. Code tries the same patterns on the same data for each key.
pub(crate) struct CachedMatch {
    /// The pattern, which is kept alive so that its address is not reused.
    pub regexp: Rc<Regexp>,
    pub text: Arc<str>,
    pub captures: Option<Captures>,
}

/// The collections that code has read from variables.
#[derive(Default)]
pub(crate) struct Variables {
    pub by_name: HashMap<Box<str>, Value>,
    /// The collections by the addresses of the host's values, which are kept alive so that their addresses are not
    /// reused. Two variables may have the same collection.
    pub by_address: HashMap<usize, (hieratic_value::Value, Value)>,
}

/// The state of the interpreter; empty while it is lent to the host.
pub(crate) struct StateSlot(Option<Box<State>>);

impl StateSlot {
    pub fn new(state: Box<State>) -> StateSlot {
        StateSlot(Some(state))
    }

    pub fn take(&mut self) -> Option<Box<State>> {
        self.0.take()
    }
}

impl std::ops::Deref for StateSlot {
    type Target = State;

    fn deref(&self) -> &State {
        // Only `Vm::lend` takes it, and puts it back before it returns.
        self.0.as_deref().expect("a lent interpreter does not run")
    }
}

impl std::ops::DerefMut for StateSlot {
    fn deref_mut(&mut self) -> &mut State {
        self.0.as_deref_mut().expect("a lent interpreter does not run")
    }
}

/// An interpreter that runs for a host.
pub(crate) struct Vm<'h> {
    pub host: &'h mut dyn Host,
    pub st: StateSlot,
}

macro_rules! builtins {
    ($($field:ident)*) => {
        /// Classes that native code needs.
        #[allow(missing_docs)]
        pub(crate) struct Builtins { $(pub $field: Rc<Class>),* }
    };
}

builtins! {
    basic_object object module class kernel comparable enumerable nil true_class false_class integer float numeric string
    symbol array hash range regexp match_data proc method unbound_method exception standard_error type_error argument_error
    name_error no_method_error runtime_error range_error index_error key_error zero_division frozen_error stop_iteration
    local_jump_error float_domain_error regexp_error no_matching_pattern no_matching_pattern_key uncaught_throw
    not_implemented system_stack foreign
}

/// The maximum nesting depth of calls.
const MAX_CALL_DEPTH: usize = 8_000;

/// The number of steps that are drawn from the budget at once.
const STEPS_AHEAD: u32 = 512;

/// The number of allocated bytes after which the budget is charged.
const BYTES_AHEAD: usize = 1 << 16;

/// The memory of an object in bytes, without its content.
pub(crate) const OBJECT_SIZE: usize = 128;

/// The length in bytes up to which reading a string is free beyond the step of the call.
pub(crate) const LARGE_STRING: usize = 16 << 10;

impl Vm<'_> {
    /// Lends the interpreter to the host, which may need it for nested code: a template inside a template, or a block.
    pub fn lend<T>(
        &mut self,
        run: impl FnOnce(&mut dyn Host, &mut Ruby) -> Result<T, HostError>,
    ) -> Outcome<Result<T, HostError>> {
        let visiting = std::mem::take(&mut self.st.visiting);
        let current_error = std::mem::replace(&mut self.st.current_error, Value::Nil);
        let blocks = self.st.lent_blocks.len();
        // The host may run any code.
        self.note_host_call();
        let mut interpreter = Ruby::from_state(self.st.take());
        let result = run(self.host, &mut interpreter);
        let state = match interpreter.into_state() {
            Some(state) => state,
            // The host has not returned the state, so all definitions are lost.
            None => State::new(self.host),
        };
        self.st = StateSlot::new(state);
        self.st.lent_blocks.truncate(blocks);
        self.st.visiting = visiting;
        self.st.current_error = current_error;
        self.start_tracking();
        let pending = self.st.pending.take();
        match (result, pending) {
            (Err(_), Some(flow)) => Err(Box::new(flow)),
            (result, _) => Ok(result),
        }
    }

    /// Charges a step.
    #[inline]
    pub fn step(&mut self) -> Outcome<()> {
        let fuel = self.st.fuel.get();
        if fuel == 0 {
            return self.refuel();
        }
        self.st.fuel.set(fuel - 1);
        Ok(())
    }

    /// Takes more steps from the budget, and the first of them.
    #[cold]
    fn refuel(&mut self) -> Outcome<()> {
        let owed = self.st.owed_steps.take() as u64;
        self.host
            .budget()
            .steps(owed.saturating_add(STEPS_AHEAD.into()))
            .map_err(|exhausted| self.exhausted(exhausted))?;
        self.st.fuel.set(STEPS_AHEAD - 1);
        if objects() > self.st.objects { self.charge() } else { Ok(()) }
    }

    /// Charges steps where no error can be returned: the next [`step`](Self::step) returns it.
    pub fn owe(&self, steps: usize) {
        let owed = self.st.owed_steps.get().saturating_add(steps);
        self.st.owed_steps.set(owed);
        if owed > STEPS_AHEAD as usize {
            let fuel = self.st.fuel.take();
            self.host.budget().give_back(fuel.into(), 0);
        }
    }

    /// Charges several steps.
    pub fn steps(&mut self, count: usize) -> Outcome<()> {
        self.host.budget().steps(count as u64).map_err(|exhausted| self.exhausted(exhausted))
    }

    /// Charges the steps of one pass over a large integer.
    pub fn charge_integer(&mut self, number: &BigInt) -> Outcome<()> {
        self.steps((number.bits() / 4096) as usize)
    }

    /// Charges the steps of one pass over a string of `length` bytes, if it is large.
    #[inline]
    pub fn charge_string(&mut self, bytes: usize) -> Outcome<()> {
        if bytes > LARGE_STRING { self.steps(bytes / 1024) } else { Ok(()) }
    }

    /// Charges allocated bytes.
    #[inline]
    pub fn build(&mut self, bytes: usize) -> Outcome<()> {
        self.st.built = self.st.built.saturating_add(bytes.saturating_add(16));
        if self.st.built > BYTES_AHEAD { self.charge() } else { Ok(()) }
    }

    /// Charges bytes where no error can be returned: the next allocation returns it.
    pub fn owe_bytes(&mut self, bytes: usize) {
        self.st.built = self.st.built.saturating_add(bytes);
    }

    /// Charges the memory of a hash with `pairs` pairs.
    pub fn build_table(&mut self, pairs: usize) -> Outcome<()> {
        // The first pair brings room for some.
        self.build(80 + if pairs > 0 { 128 + pairs.saturating_mul(56) } else { 0 })
    }

    #[cold]
    fn charge(&mut self) -> Outcome<()> {
        let mut built = std::mem::take(&mut self.st.built);
        // Short-lived objects reuse the memory of earlier ones.
        let objects = objects();
        if objects > self.st.objects {
            built = built.saturating_add((objects - self.st.objects).saturating_mul(OBJECT_SIZE));
            self.st.objects = objects;
        }
        self.host.budget().bytes(built).map_err(|exhausted| self.exhausted(exhausted))
    }

    /// Records a change of an object: if it is older than the run, the interpreter cannot be reused.
    #[inline]
    pub fn note_change(&mut self, generation: &Generation) {
        if generation.is_before(self.st.run) {
            self.note_lasting_change();
        } else if generation.is_shared() {
            self.st.imports.open();
            generation.renew();
        }
    }

    /// Records a change of lasting objects, unless a file is being loaded.
    pub fn note_lasting_change(&mut self) {
        if self.st.lasting == 0 {
            self.note_unknown_change();
        }
    }

    /// Records a change that cannot be fingerprinted.
    fn note_unknown_change(&mut self) {
        (self.st.has_changed, self.st.history) = (true, None);
    }

    /// Records a change of lasting objects that `change` describes completely, unless a file is being loaded.
    pub fn note_change_by(&mut self, change: impl Hash) {
        if self.st.lasting == 0 {
            self.st.has_changed = true;
            self.add_to_history(change);
        }
    }

    /// Adds an event to the history of the interpreter.
    pub fn add_to_history(&mut self, event: impl Hash) {
        self.st.history = self.st.history.map(|before| {
            let mut hasher = DefaultHasher::new();
            (before, event).hash(&mut hasher);
            hasher.finish()
        });
    }

    /// Records a call of the host whose answer may depend on the node, because a file that is being loaded may store
    /// it.
    pub fn note_host_call(&mut self) {
        if self.st.lasting > 0 {
            self.note_unknown_change();
        }
    }

    /// Records an answer of the host that may depend on the node.
    pub fn note_node_answer(&mut self, answer: impl Hash) {
        self.note_environment_answer(answer);
        self.st.has_changed |= self.st.lasting > 0;
    }

    /// Records an answer of the host that is the same for all nodes of its environment.
    pub fn note_environment_answer(&mut self, answer: impl Hash) {
        if self.st.lasting > 0 {
            self.add_to_history(answer);
        }
    }

    /// Runs a file, whose definitions persist.
    pub fn run_file(&mut self, program: &Arc<Program>) -> Outcome {
        self.add_to_history(program.number);
        let me = self.st.main.clone();
        self.lasting(|vm| vm.run(program, me))
    }

    /// Runs code whose allocations persist: the definitions of a file.
    pub fn lasting<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        self.st.lasting += 1;
        let run = set_generation(0);
        let result = make(self);
        set_generation(run);
        // The state may have been lost and replaced by a new one.
        self.st.lasting = self.st.lasting.saturating_sub(1);
        result
    }

    /// Moves a value, with everything in it, to the oldest generation because it is cached beyond the run.
    pub fn promote(&mut self, value: &Value) -> Outcome<()> {
        // Shared objects may be reachable from the value now.
        self.st.imports.clear();
        let mut waiting = vec![value.clone()];
        while let Some(value) = waiting.pop() {
            self.step()?;
            match &value {
                Value::Str(text) => drop(text.generation.promote()),
                Value::Array(array) if array.generation.promote() => {
                    waiting.extend(array.list.borrow().iter().cloned())
                }
                Value::Hash(hash) if hash.generation.promote() => {
                    for (key, value) in hash.table.borrow().iter() {
                        waiting.extend([key.value.clone(), value.clone()]);
                    }
                    waiting.push(hash.default.borrow().clone());
                    waiting.extend(hash.default_proc.borrow().clone());
                }
                Value::Object(object) if object.generation.promote() => {
                    waiting.extend(object.vars.borrow().iter().map(|(_, value)| value.clone()));
                }
                Value::Range(range) => waiting.extend([range.first.clone(), range.last.clone()]),
                // Objects that code can see are not traversed.
                Value::Proc(_) | Value::Method(_) | Value::Class(_) => self.note_unknown_change(),
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns unused steps to the budget.
    pub fn return_steps(&mut self) {
        let fuel = self.st.fuel.take();
        self.host.budget().give_back(fuel.into(), 0);
    }

    /// Returns a new id.
    pub fn next_id(&mut self) -> u64 {
        self.st.next_id += 1;
        self.st.next_id
    }

    /// Records a call. Fails if calls nest too deep.
    pub fn enter(&mut self, frame: Rc<Frame>, line: u32) -> Outcome<()> {
        if self.st.calls.len() >= MAX_CALL_DEPTH {
            let class = self.st.classes.system_stack.clone();
            return Err(self.error(&class, "stack level too deep"));
        }
        self.st.calls.push(CallSite { frame, line });
        Ok(())
    }

    pub fn leave(&mut self) {
        self.st.calls.pop();
    }

    /// Returns the symbol of a name.
    pub fn sym(&mut self, name: &str) -> Symbol {
        self.st.library.intern(name)
    }

    /// Returns the symbol as a value.
    pub fn symbol(&mut self, name: &str) -> Value {
        Value::Sym(self.st.library.intern(name))
    }

    /// Returns the name of a symbol.
    pub fn name(&self, symbol: Symbol) -> Arc<str> {
        self.st.library.name(symbol)
    }

    /// Creates the context of code at the top of a file.
    pub fn top(&mut self, me: Value, file: &Arc<str>, locals: usize, internal: bool) -> Ctx {
        let frame = Rc::new(Frame {
            method: None,
            name: None,
            block: None,
            file: file.clone(),
            internal,
            last_match: Value::Nil.into(),
            visibility: Visibility::Public.into(),
            module_function: false.into(),
            generation: Generation::current(),
        });
        let id = self.next_id();
        Ctx { me, env: Env::new(locals, None), frame, cref: self.st.root.clone(), return_to: id, break_to: 0 }
    }
}
