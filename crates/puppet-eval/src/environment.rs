//! [`Environment`]: the trait through which the evaluator reads data and code of modules.

use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use hieratic_puppet_functions::{EvalError, Site};
use hieratic_puppet_syntax::ValidationResult;
use hieratic_puppet_syntax::ast::Program;
use hieratic_puppet_types::Type;
use hieratic_ruby_regexp::Regexp;
use hieratic_value::collections::HashMap;
use hieratic_value::{Hash, Str, Value};

use crate::evaluator::{FileTransform, RubyFiles, RubyMemo};
use crate::options::Options;
use crate::read::CodeFile;

/// The variables of the top scope, by name.
pub type Variables = HashMap<Str, Value>;

/// The variables that are visible to the running code. Data may interpolate them.
pub trait VisibleVariables {
    /// Returns the variables of the top scope.
    fn top(&self) -> &Variables;

    /// Returns the value of a variable that is not from the top scope: a local variable, or a variable of a surrounding
    /// scope or of a class (`class::name`). `::name` is always a variable of the top scope.
    fn nearer(&self, name: &str) -> Option<Value>;

    /// Returns whether a class was evaluated.
    fn is_evaluated(&self, class: &str) -> bool;

    /// Returns whether a class exists.
    fn has_class(&self, class: &str) -> bool;
}

/// A lookup with the arguments of the function `lookup`.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The keys, in the order in which they are tried.
    pub names: Vec<String>,
    /// The merge strategy.
    pub merge: Option<Value>,
    /// The expected type of the value.
    pub kind: Option<Type>,
    /// The default value.
    pub default: Option<Value>,
    /// Values by key. They override all data.
    pub overrides: Hash,
    /// Default values by key.
    pub default_values: Hash,
}

/// A resource that a node exports.
#[derive(Clone, Debug, Default)]
pub struct ExportedResource {
    /// The node.
    pub node: String,
    /// The title.
    pub title: String,
    /// The tags.
    pub tags: Vec<String>,
    /// The file that declares it.
    pub file: Option<Arc<str>>,
    /// The line of the declaration.
    pub line: Option<u32>,
    /// The parameters.
    pub parameters: Hash,
}

/// Runs a program and returns its output, or the reason why there is none.
pub type ProgramRun<'a> = Box<dyn FnOnce() -> Result<String, String> + 'a>;

/// A borrowed or owned environment.
#[derive(Clone)]
pub(crate) enum EnvironmentRef<'e> {
    Borrowed(&'e dyn Environment),
    /// An environment that was created for one evaluation.
    Owned(Rc<dyn Environment + 'e>),
}

impl<'e> Deref for EnvironmentRef<'e> {
    type Target = dyn Environment + 'e;

    fn deref(&self) -> &Self::Target {
        match self {
            EnvironmentRef::Borrowed(environment) => *environment,
            EnvironmentRef::Owned(environment) => &**environment,
        }
    }
}

/// Validates code before it is evaluated.
pub trait Validator {
    /// Validates a program or, with `epp`, a template. Returns its problems, and whether it may run.
    fn validate(&self, program: &Program, epp: bool, options: &Options) -> ValidationResult;

    /// Checks an evaluated heredoc against its syntax tag and returns warnings.
    ///
    /// # Errors
    /// The string is not valid in its syntax.
    fn check_text(&self, syntax: &str, text: &str, options: &Options) -> Result<Vec<String>, String>;
}

/// The environment of an evaluation: data, modules, and caches that evaluations share.
pub trait Environment {
    /// Returns the name of the environment.
    fn name(&self) -> &str;

    /// Returns the folder of the environment, if it has one.
    fn root(&self) -> Option<&Path>;

    /// Returns the folder of a module, if it exists.
    fn module(&self, name: &str) -> Option<PathBuf>;

    /// Returns the names of all modules.
    fn modules(&self) -> Vec<String>;

    /// Reads and parses a file of code; `None` if it does not exist. An implementation may cache the result as long as
    /// the file is unchanged, and record which files are requested.
    fn code(&self, file: &Path, options: &Options) -> Option<Arc<CodeFile>> {
        CodeFile::read(file, options, self.validator()).map(Arc::new)
    }

    /// Returns the validator of code. The evaluator itself does not validate.
    fn validator(&self) -> &dyn Validator;

    /// Returns the Ruby files of modules, which `find` searches. An implementation may cache them for nodes that see
    /// the same files.
    fn ruby_files(&self, find: &dyn Fn() -> Arc<RubyFiles>) -> Arc<RubyFiles> {
        find()
    }

    /// Returns a cache of the results of Ruby functions, if several nodes share one.
    fn ruby_memo(&self) -> Option<&RubyMemo> {
        None
    }

    /// Returns the cached result of `reader` for the content of a file.
    fn cached_file_result(&self, _reader: &'static str, _path: &Path, _text: &str) -> Option<Value> {
        None
    }

    /// Caches the result of `reader` for the content of a file; The result must not depend on anything else.
    fn cache_file_result(&self, _reader: &'static str, _path: &Path, _text: String, _value: &Value) {}

    /// Returns the output of a program that code runs, or the reason why there is none. A comparison of catalogs can
    /// run the program once for all of them.
    fn program_output(&self, _command: &[String], run: ProgramRun<'_>) -> Result<String, String> {
        run()
    }

    /// Returns whether exported resources are stored for other nodes.
    fn stores_exported(&self) -> bool {
        false
    }

    /// Returns the exported resources of a type (in lower case) of all nodes, or `None` if they are not stored.
    fn exported(&self, _kind: &str) -> Option<Result<Arc<Vec<ExportedResource>>, String>> {
        None
    }

    /// Returns the response of a database of facts and catalogs to a query, or `None` if there is no database.
    fn query_database(&self, _query: &Value) -> Option<Result<Value, String>> {
        None
    }

    /// Returns the lookup that calls the code as a backend function. `None` outside of backend functions.
    fn lookup_context(&self) -> Option<&dyn LookupContext> {
        None
    }

    /// Returns the warnings of reading and lookups since the last call.
    fn take_warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// Looks up a value with the variables that are visible to the running code. Returns `None` for a missing key.
    ///
    /// # Errors
    /// The data is invalid, a value has the wrong type, or a limit is reached.
    fn lookup(&self, request: &Request, visible: &dyn VisibleVariables) -> Result<Option<Value>, EvalError>;

    /// Returns the position of a key's value in the data; `None` if it is unknown, or if several values were merged.
    fn data_place(&self, _key: &str, _visible: &dyn VisibleVariables) -> Option<Site> {
        None
    }

    /// Records that a function, an access or a match computed a value from others. A value that is computed from a
    /// secret is a secret.
    fn record_computed(&self, _of: &[Value], _result: &Value) {}

    /// Returns the number of known secrets. While it is zero, code need not propagate taint.
    fn secrets(&self) -> usize {
        0
    }

    /// Returns the positions of secrets in a string, in bytes.
    fn secret_parts(&self, _text: &Str) -> Vec<Range<usize>> {
        Vec::new()
    }

    /// Returns whether a string contains a secret, or a number is one.
    fn is_secret(&self, _value: &Value) -> bool {
        false
    }

    /// Records a value that code with its own taint tracking has computed from a secret.
    fn record_secret(&self, _result: &Value) {}

    /// Returns the help for missing keys: similar keys, or the parts of the value that a key's path leads into.
    fn key_suggestion(&self, _names: &[String]) -> Option<String> {
        None
    }
}

/// The lookup that calls the code as a backend function: the methods of `Puppet::LookupContext`.
pub trait LookupContext {
    /// Records that the key is not found; the program ends after that.
    fn not_found(&self);

    /// Returns whether explanations are recorded.
    fn explains(&self) -> bool;

    /// Adds a line to the explanation.
    fn explain(&self, text: String);

    /// Interpolates the `%{...}` of a value.
    ///
    /// # Errors
    /// An interpolation fails. The message is the reference's.
    fn interpolate(&self, value: &Value) -> Result<Value, EvalError>;

    /// Caches a value for the next call.
    fn cache(&self, key: Value, value: Value);

    /// Returns the cached value of a key.
    fn cached(&self, key: &Value) -> Option<Value>;

    /// Returns all cached values.
    fn all_cached(&self) -> Vec<(Value, Value)>;

    /// Returns a fingerprint of a file's state as the node sees it; `None` if the file may be changing. Results that
    /// are computed from the file depend on it from then on.
    fn file_stamp(&self, file: &Path) -> Option<String>;

    /// Returns the cached data of an unchanged file: data computed for this node, or by an equal transform for any
    /// node.
    fn file_data(&self, file: &Path, by: &FileTransform) -> Option<Value>;

    /// Caches the data that was computed from a file.
    fn cache_file_data(&self, file: &Path, by: FileTransform, data: &Value);

    /// Records that code has read a file or checked whether it exists.
    fn record_file_read(&self, file: &Path);

    /// Records that the answer depends on an option only in so far as these patterns do not match it.
    fn record_unmatched(&self, option: &str, unmatched: Vec<Regexp>);

    /// Records that the answer may depend on untracked reads, such as variables.
    fn mark_impure(&self);

    /// Returns the number of recorded dependencies, or `None` once the answer may depend on untracked reads.
    fn dependency_count(&self) -> Option<usize>;
}

/// An environment without data and modules, in which code is not validated.
#[derive(Clone, Copy, Debug, Default)]
pub struct EmptyEnvironment;

impl Environment for EmptyEnvironment {
    fn name(&self) -> &str {
        "production"
    }

    fn root(&self) -> Option<&Path> {
        None
    }

    fn module(&self, _: &str) -> Option<PathBuf> {
        None
    }

    fn modules(&self) -> Vec<String> {
        Vec::new()
    }

    fn validator(&self) -> &dyn Validator {
        self
    }

    fn lookup(&self, request: &Request, _: &dyn VisibleVariables) -> Result<Option<Value>, EvalError> {
        let checked = |subject: &str, value: &Value| {
            let Some(kind) = &request.kind else { return Ok(Some(value.clone())) };
            match hieratic_puppet_types::assert_instance(subject, kind, value) {
                Ok(()) => Ok(Some(value.clone())),
                Err(mismatch) => Err(EvalError::new(mismatch.to_string())),
            }
        };
        for (values, whose) in [(&request.overrides, "override"), (&request.default_values, "default values")] {
            for name in &request.names {
                if let Some(value) = values.get(name) {
                    return checked(&format!("Value found for key '{name}' in {whose} hash"), value);
                }
            }
        }
        if let Some(default) = &request.default {
            return checked("Default value", default);
        }
        Ok(None)
    }
}

impl Validator for EmptyEnvironment {
    fn validate(&self, _: &Program, _: bool, _: &Options) -> ValidationResult {
        ValidationResult::default()
    }

    fn check_text(&self, _: &str, _: &str, _: &Options) -> Result<Vec<String>, String> {
        Ok(Vec::new())
    }
}
