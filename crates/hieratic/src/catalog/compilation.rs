//! [`Compilation`]: the result of compiling a catalog.

use hieratic_puppet_eval::{CompiledCatalog, Failure, Log};
use hieratic_value::{Str, Value};

/// The result of compiling a catalog.
#[derive(Debug)]
pub struct Compilation {
    /// The catalog, or the error.
    pub catalog: Result<CompiledCatalog, Failure>,
    /// All log messages, in order.
    pub logs: Vec<Log>,
    /// The variables of the top scope (facts, and what manifests and classifiers set), and those of classes (`class::name`).
    pub variables: Vec<(Str, Value)>,
}

/// The result of compiling a catalog while its lookups were tracked.
#[derive(Debug)]
pub struct TrackedCompilation {
    /// The result of the compilation.
    pub compilation: Compilation,
    /// Whether a lookup may have read a data file that has other content in the other revision.
    pub has_read_other: bool,
}
