//! [`Compilation`]: the result of compiling a catalog.

use std::path::Path;

use hieratic_puppet_eval::{CompiledCatalog, Failure, Log};
use hieratic_sandbox::Files;
use hieratic_value::{Str, Value};

use super::SharedCompilation;

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

/// The files that a tracked compilation reads, and which of them have other content in another revision.
pub struct Tracking<'t> {
    /// The files of code, which can record the accesses.
    pub files: Files,
    /// Returns whether a data file has other content in the other revision.
    pub is_other: &'t dyn Fn(&Path) -> bool,
    /// Returns whether an access to the files of code found other content than in the other revision.
    pub has_read_other_code: &'t dyn Fn() -> bool,
}

/// The result of a tracked compilation.
#[derive(Clone, Debug)]
pub struct TrackedCompilation {
    /// The compilation.
    pub shared: SharedCompilation,
    /// Whether it may have read a file that has other content in the other revision.
    pub has_read_other: bool,
}
