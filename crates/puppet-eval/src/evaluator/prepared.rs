//! [`PreparedCode`]: data that is computed once per piece of code, not per run.

use std::sync::Arc;

use hieratic_diagnostics::Span;
use hieratic_puppet_syntax::ast::Program;
use hieratic_ruby_regexp::Patterns;
use hieratic_value::collections::HashMap;
use hieratic_value::{Str, Value};

use super::block::Closure;
use super::erb::ErbFile;

/// The maximum number of compiled patterns from strings, for each set of options.
const MAX_REGEXPS: usize = 100;

/// A place in code: its source and its span.
pub(crate) type CodeSpan = (u64, Span);

/// The caches of an evaluator, each for the module that fills it.
#[derive(Debug)]
pub(crate) struct PreparedCode {
    /// Prepared blocks.
    pub(super) closures: HashMap<CodeSpan, Arc<Closure>>,
    /// Types with constant parameters.
    pub(crate) constant_types: HashMap<CodeSpan, Value>,
    /// Types by their names.
    pub(super) type_names: HashMap<Str, Value>,
    /// Parsed templates, by their source.
    pub(super) templates: HashMap<Str, Arc<Program>>,
    /// ERB files that were read, by their names in code.
    pub(super) erb_files: HashMap<Str, ErbFile>,
    /// Compiled patterns from strings.
    pub(super) regexps: Patterns,
    /// The modules of files with classes and types, by the names of the files.
    pub(super) modules: HashMap<Str, Str>,
}

impl Default for PreparedCode {
    fn default() -> PreparedCode {
        PreparedCode {
            closures: HashMap::default(),
            constant_types: HashMap::default(),
            type_names: HashMap::default(),
            templates: HashMap::default(),
            erb_files: HashMap::default(),
            regexps: Patterns::new(MAX_REGEXPS),
            modules: HashMap::default(),
        }
    }
}

impl PreparedCode {
    /// Forgets the types, because the meaning of a name has changed.
    pub(super) fn forget_types(&mut self) {
        self.type_names.clear();
        self.constant_types.clear();
    }
}
