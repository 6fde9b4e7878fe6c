//! [`Compilation`]: what came of compiling a catalog.

use hieratic_puppet::{CompiledCatalog, Failure, Log};
use hieratic_value::{Str, Value};

/// What came of compiling a catalog.
#[derive(Debug)]
pub struct Compilation {
    /// The catalog, or why there is none.
    pub catalog: Result<CompiledCatalog, Failure>,
    /// Everything that was said, in order.
    pub logs: Vec<Log>,
    /// The variables of the top scope (facts, and what manifests and classifiers set), and those of classes (`class::name`).
    pub variables: Vec<(Str, Value)>,
}

/// What came of compiling a catalog while it was noted what its lookups read.
#[derive(Debug)]
pub struct NotingCompilation {
    /// What came of it.
    pub compilation: Compilation,
    /// Whether a lookup can have read a file of data that is another one elsewhere.
    pub has_read_other: bool,
}
