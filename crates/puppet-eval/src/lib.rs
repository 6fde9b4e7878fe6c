//! The evaluator of the Puppet language: scopes, expressions, calls, classes and resources.
//!
//! Source text is [read](read::read), then an [`Evaluator`] runs it for one node in an [`Environment`], which
//! implements `lookup`, finds modules, and validates code before it is run.
//!
//! ```
//! use hieratic_diagnostics::Source;
//! use hieratic_puppet_eval::{Evaluator, EmptyEnvironment, Options, read::read};
//!
//! let options = Options::default();
//! let source = Source::new("", "[1, 2, 3].map |$x| { $x * 2 }");
//! let program = read(&source, false, &options, &EmptyEnvironment).program.unwrap();
//! let mut evaluator = Evaluator::new(&EmptyEnvironment, options);
//! assert_eq!(evaluator.run(&program).unwrap().inspect(), "[2, 4, 6]");
//! ```

mod access;
mod builtin;
mod catalog;
pub mod codes;
mod environment;
mod evaluator;
mod failure;
mod native_types;
mod operators;
mod options;
pub mod read;
mod values;

pub use catalog::{
    CatalogDocument, CatalogNode, CompiledCatalog, CompiledResource, DataForm, LossyConversion, Origin, OriginKind,
    Parameter, ResourceDocument, capitalized, is_tag, plain_data, rich_data,
};
pub use environment::{
    EmptyEnvironment, Environment, ExportedResource, LookupContext, ProgramRun, Request, Validator, Variables,
    VisibleVariables,
};
pub use evaluator::{
    DataFailure, Evaluator, FileTransform, NodeReads, RubyFiles, RubyInterpreters, RubyMemo, RubySignatures,
};
pub use failure::{Failure, Log};
pub use hieratic_puppet_functions::{EvalError, Site, interpolated};
pub use hieratic_puppet_types::{PuppetVersion, Strict};
pub use hieratic_ruby as ruby;
pub use native_types::{AllowedValues, DeclaredAttribute};
pub use options::Options;

/// Returns the names of all functions, including those of the stdlib module.
pub fn all_function_names() -> impl Iterator<Item = &'static str> {
    hieratic_puppet_functions::names().chain(builtin::names()).chain(hieratic_puppet_stdlib::names())
}

/// Returns the signatures of a function in a version, or `None` if the function does not exist or belongs to a module.
pub fn function_signatures(name: &str, version: PuppetVersion) -> Option<Vec<hieratic_puppet_types::Signature>> {
    function(name).map(|function| function.signatures(version))
}

fn function(name: &str) -> Option<&'static hieratic_puppet_functions::LoadedFunction> {
    let known = hieratic_puppet_functions::find(name).or_else(|| hieratic_puppet_stdlib::find(name));
    known.or_else(|| builtin::find(name).map(builtin::LoadedBuiltin::declared))
}

/// Returns the documentation of a function. A deprecated name has the documentation of its replacement.
pub fn function_doc(name: &str) -> Option<hieratic_puppet_functions::Doc> {
    let doc = function(name)?.doc;
    match doc.renamed {
        Some(renamed) => function(renamed).map(|function| function.doc),
        None => Some(doc),
    }
}

/// Returns whether the language or stdlib has a function.
pub fn is_function(name: &str) -> bool {
    function(name).is_some()
}

/// Returns whether a function belongs to the stdlib module, whose versions accept different arguments.
pub fn is_stdlib_function(name: &str) -> bool {
    hieratic_puppet_functions::find(name).is_none() && hieratic_puppet_stdlib::find(name).is_some()
}

/// Returns the names of the built-in resource types of the agent, sorted.
pub fn resource_type_names() -> impl Iterator<Item = &'static str> {
    native_types::agent_names()
}

/// Returns the attributes of a resource type of the agent, without the metaparameters.
pub fn resource_attributes(name: &str) -> Option<impl Iterator<Item = &'static str>> {
    native_types::agent_attributes_of(name)
}

/// Returns the metaparameters: the attributes that every resource has.
pub fn metaparameters() -> impl Iterator<Item = &'static str> {
    native_types::METAPARAMETERS.split(' ')
}

/// Returns the definition of a type alias of the stdlib module. The case of the name is ignored.
pub fn type_alias(name: &str) -> Option<&'static str> {
    hieratic_puppet_stdlib::type_alias(name)
}

/// Returns the names of the type aliases of the stdlib module.
pub fn type_aliases() -> impl Iterator<Item = &'static str> {
    hieratic_puppet_stdlib::type_aliases()
}
