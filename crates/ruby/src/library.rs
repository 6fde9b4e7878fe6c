//! [`Library`]: source that was read, for all machines of a thread. => [`Library`]: parsed source, which all
//! interpreters of a thread share.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use hieratic_value::collections::HashMap;

use crate::ast::{Def, Program};
use crate::prelude;
use crate::symbol::{Symbol, Symbols};

/// The maximum size of the cached sources, in bytes.
const MAX_SOURCE: usize = 16 << 20;

/// The maximum size of the interned names, in bytes. Code can create names from any string, and an interner never
/// forgets one.
const MAX_NAMES: usize = 4 << 20;

/// The file name and the source of a program.
type Key = (Arc<str>, Arc<str>);

/// Parsed programs, and the interner of their names. A tree means the same in all interpreters that share the interner.
///
/// Only trees are shared: each interpreter evaluates the definitions of a program itself.
pub(crate) struct Library {
    symbols: RefCell<Symbols>,
    /// The programs that each interpreter runs first.
    core: Vec<Arc<Program>>,
    /// The size of the names of the core, in bytes.
    core_names: usize,
    programs: RefCell<HashMap<Key, Arc<Program>>>,
    /// The libraries of the prelude, by name. Most programs need few of them.
    prelude: RefCell<HashMap<&'static str, Arc<Program>>>,
    size: Cell<usize>,
}

thread_local! {
    /// The library of new interpreters. They intern names in it without a lock, so that each thread has its own. It is a
    /// cache: its content changes no answer.
    static CURRENT: RefCell<Option<Rc<Library>>> = const { RefCell::new(None) };
}

impl Library {
    /// Returns the library of this thread, with the core in it. A library with too many names is replaced by a new one;
    /// interpreters in use keep the old one.
    pub fn current() -> Rc<Library> {
        CURRENT.with_borrow_mut(|current| {
            let is_small = |library: &Rc<Library>| library.symbols.borrow().size() < library.core_names + MAX_NAMES;
            let library = current.take().filter(is_small).unwrap_or_else(|| Rc::new(Library::new()));
            *current = Some(library.clone());
            library
        })
    }

    fn new() -> Library {
        let mut symbols = Symbols::new();
        let core = prelude::CORE.iter().map(|(name, source)| prelude::parse(source, name, &mut symbols)).collect();
        let core_names = symbols.size();
        Library {
            symbols: RefCell::new(symbols),
            core,
            core_names,
            programs: RefCell::default(),
            prelude: RefCell::default(),
            size: Cell::new(0),
        }
    }

    /// Returns the programs of the core, which each interpreter runs first.
    pub fn core(&self) -> &[Arc<Program>] {
        &self.core
    }

    /// Returns a method with its body, which is parsed on first use.
    pub fn whole<'m>(&self, method: &'m Arc<Def>) -> &'m Arc<Def> {
        let Some(unread) = &method.unread else { return method };
        unread.read.get_or_init(|| {
            // The prelude is part of the program and tested with it.
            crate::parse::read_method(method, unread.source, &mut self.symbols.borrow_mut())
                .unwrap_or_else(|error| panic!("{}:{}: {}", method.file, error.line, error.message))
        })
    }

    /// Interns a name.
    pub fn intern(&self, name: &str) -> Symbol {
        self.symbols.borrow_mut().intern(name)
    }

    /// Returns the symbol of a name; `None` if it is not interned.
    pub fn known(&self, name: &str) -> Option<Symbol> {
        self.symbols.borrow().find(name)
    }

    /// Returns the name of a symbol.
    pub fn name(&self, symbol: Symbol) -> Arc<str> {
        self.symbols.borrow().name(symbol).clone()
    }

    /// Returns a program by its key; `None` if it is not cached.
    pub fn find(&self, key: &Key) -> Option<Arc<Program>> {
        self.programs.borrow().get(key).cloned()
    }

    /// Parses source, without caching the program.
    pub fn read(&self, source: &str, file: &str) -> Result<Arc<Program>, crate::RubyError> {
        crate::parse::parse(source, file, &mut self.symbols.borrow_mut()).map(Arc::new)
    }

    /// Returns a library of the prelude, which is parsed on first use.
    pub fn prelude(&self, name: &str) -> Option<Arc<Program>> {
        let library = prelude::LIBRARIES.iter().find(|library| library.name == name)?;
        let read = || prelude::parse(library.source, library.name, &mut self.symbols.borrow_mut());
        Some(self.prelude.borrow_mut().entry(library.name).or_insert_with(read).clone())
    }

    /// Caches a program by its key.
    pub fn keep(&self, key: Key, program: &Arc<Program>) {
        let length = key.1.len();
        let size = self.size.get() + length;
        let mut programs = self.programs.borrow_mut();
        if size > MAX_SOURCE {
            programs.clear();
        }
        self.size.set(if size > MAX_SOURCE { length } else { size });
        programs.insert(key, program.clone());
    }
}
