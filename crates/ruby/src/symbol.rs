//! [`Symbol`]: a name as a number. Names are compared and looked up all the time; their text is needed rarely. =>
//! [`Symbol`]: an interned name. Names are compared and looked up often; their strings are needed rarely.

use std::sync::Arc;

use hieratic_value::collections::HashMap;

/// A name, as its index in a [`Symbols`] table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub(crate) u32);

/// The interner of all names in the interpreters of a thread.
///
/// Threads do not share an interner, so that names are interned without a lock.
#[derive(Debug, Default)]
pub struct Symbols {
    names: Vec<Arc<str>>,
    index: HashMap<Arc<str>, Symbol>,
    /// The total size of the names in bytes.
    size: usize,
}

impl Symbols {
    /// Creates an interner with the names of [`known`].
    pub fn new() -> Symbols {
        let mut symbols = Symbols::default();
        for name in known::NAMES {
            symbols.intern(name);
        }
        symbols
    }

    /// Interns a name.
    pub fn intern(&mut self, name: &str) -> Symbol {
        if let Some(symbol) = self.index.get(name) {
            return *symbol;
        }
        // Four thousand million names do not fit into any budget.
        let symbol = Symbol(u32::try_from(self.names.len()).unwrap_or(u32::MAX));
        let name: Arc<str> = name.into();
        self.size += name.len();
        self.names.push(name.clone());
        self.index.insert(name, symbol);
        symbol
    }

    /// Returns the symbol of a name; `None` if it is not interned.
    pub fn find(&self, name: &str) -> Option<Symbol> {
        self.index.get(name).copied()
    }

    /// Returns the total size of the names in bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the name of a symbol.
    pub fn name(&self, symbol: Symbol) -> &Arc<str> {
        &self.names[symbol.0 as usize]
    }
}

/// The symbols that the evaluator uses, which have fixed ids.
pub mod known {
    use super::Symbol;

    macro_rules! known {
        ($($constant:ident $name:literal)*) => {
            #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
            #[repr(u32)]
            enum Index { $($constant),* }
            $(#[allow(missing_docs)] pub const $constant: Symbol = Symbol(Index::$constant as u32);)*
            /// The names, in order of their ids.
            pub(super) const NAMES: &[&str] = &[$($name),*];
        };
    }

    known! {
        INITIALIZE "initialize" NEW "new" CALL "call" EACH "each" TO_S "to_s" TO_STR "to_str" TO_A "to_a"
        TO_ARY "to_ary" TO_H "to_h" TO_HASH "to_hash" TO_PROC "to_proc" TO_I "to_i" TO_INT "to_int" TO_F "to_f"
        INSPECT "inspect" EQ "==" CASE_EQ "===" CMP "<=>" HASH "hash" NOT "!" MATCH "=~" PLUS "+" MINUS "-" TIMES "*"
        DIVIDE "/" MODULO "%" POW "**" LT "<" LE "<=" GT ">" GE ">=" AND "&" OR "|" XOR "^" SHL "<<" INDEX "[]"
        INDEX_SET "[]=" METHOD_MISSING "method_missing" RESPOND_TO_MISSING "respond_to_missing?" INHERITED "inherited"
        INCLUDED "included" EXTENDED "extended" PREPENDED "prepended" METHOD_ADDED "method_added"
        CONST_MISSING "const_missing" DECONSTRUCT "deconstruct" DECONSTRUCT_KEYS "deconstruct_keys"
        EXCEPTION "exception" COERCE "coerce" SUCC "succ" INITIALIZE_COPY "initialize_copy" TO_JSON "to_json"
        LAST "last" JOIN "join" ERBOUT "_erbout" IT "it" OBJECT "Object" DEBUG "debug"
    }
}
