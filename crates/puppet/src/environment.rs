//! [`Environment`]: what the evaluator asks of the world: data, and the code of modules.

use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use hieratic_functions::{Fault, Site};
use hieratic_hash::HashMap;
use hieratic_pcore::Type;
use hieratic_regexp::Regexp;
use hieratic_syntax::Judgement;
use hieratic_syntax::ast::Program;
use hieratic_value::{Hash, Str, Value};

use crate::evaluator::{Maker, RubyAnswers, RubyFiles};
use crate::options::Options;
use crate::read::CodeFile;

/// The variables of the top scope, by name.
pub type Variables = HashMap<Str, Value>;

/// The variables that a place in code sees, which the data that it asks for may name.
pub trait Visible {
    /// Those of the top scope.
    fn top(&self) -> &Variables;

    /// The value of a variable that is not what the top scope says: a local name, one of the scopes around the place, or one of a class
    /// (`class::name`). `::name` is always one of the top scope.
    fn nearer(&self, name: &str) -> Option<Value>;

    /// Whether a class was evaluated.
    fn is_evaluated(&self, class: &str) -> bool;

    /// Whether there is a class of a name.
    fn has_class(&self, class: &str) -> bool;
}

/// A question for data, as the function `lookup` takes it.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The keys, in the order in which they are tried.
    pub names: Vec<String>,
    /// How values of several levels become one.
    pub merge: Option<Value>,
    /// What the value has to be.
    pub kind: Option<Type>,
    /// The answer if nothing is found.
    pub default: Option<Value>,
    /// Values by key that win over all data.
    pub overrides: Hash,
    /// Values by key that answer if no data does.
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
    /// The line of it.
    pub line: Option<u32>,
    /// The parameters.
    pub parameters: Hash,
}

/// Runs a program and returns its output, or why it has none.
pub type ProgramRun<'a> = Box<dyn FnOnce() -> Result<String, String> + 'a>;

/// The environment that an evaluator asks.
#[derive(Clone)]
pub(crate) enum Asked<'e> {
    Borrowed(&'e dyn Environment),
    /// It is made for one evaluation.
    Kept(Rc<dyn Environment + 'e>),
}

impl<'e> Deref for Asked<'e> {
    type Target = dyn Environment + 'e;

    fn deref(&self) -> &Self::Target {
        match self {
            Asked::Borrowed(environment) => *environment,
            Asked::Kept(environment) => &**environment,
        }
    }
}

/// Judges code before it is evaluated.
pub trait Validator {
    /// What is wrong with a program, a template if `epp`, and whether it may be run.
    fn validate(&self, program: &Program, epp: bool, options: &Options) -> Judgement;

    /// What is questionable in a text that was made from a heredoc whose tag says in which syntax it is.
    ///
    /// # Errors
    /// The text is not in its syntax.
    fn check_text(&self, syntax: &str, text: &str, options: &Options) -> Result<Vec<String>, String>;
}

/// What the evaluator asks of the world.
pub trait Environment {
    /// The name of the environment.
    fn name(&self) -> &str;

    /// The folder of the environment; none if there is none.
    fn root(&self) -> Option<&Path>;

    /// The folder of a module; none if there is no such module.
    fn module(&self, name: &str) -> Option<PathBuf>;

    /// The names of all modules.
    fn modules(&self) -> Vec<String>;

    /// A file of code; none if it is not there. Whoever keeps such files may answer with what was read before as long as
    /// the file is as it was, and learns here which files are asked for.
    fn code(&self, file: &Path, options: &Options) -> Option<Arc<CodeFile>> {
        CodeFile::read(file, options, self.validator()).map(Arc::new)
    }

    /// What judges code before it is evaluated. The evaluator itself takes any program that could be parsed.
    fn validator(&self) -> &dyn Validator;

    /// The files of Ruby in modules, as `find` finds them. Whoever has several nodes that see the same files may keep them.
    fn ruby_files(&self, find: &dyn Fn() -> Arc<RubyFiles>) -> Arc<RubyFiles> {
        find()
    }

    /// What functions in Ruby have answered, if somebody keeps it for several nodes.
    fn ruby_answers(&self) -> Option<&RubyAnswers> {
        None
    }

    /// What `reader` has made of the text of a file before, if that is known.
    fn made_of_file(&self, _reader: &'static str, _path: &Path, _text: &str) -> Option<Value> {
        None
    }

    /// Learns what `reader` makes of the text of a file, and of nothing else.
    fn keep_made_of_file(&self, _reader: &'static str, _path: &Path, _text: String, _value: &Value) {}

    /// The output of a program that code runs, or why it has none. A comparison of catalogs can run the program once for all of them.
    fn program_output(&self, _command: &[String], run: ProgramRun<'_>) -> Result<String, String> {
        run()
    }

    /// Whether exported resources are kept for other nodes.
    fn stores_exported(&self) -> bool {
        false
    }

    /// The resources of a type, in lower case, that nodes export; none if they are not kept.
    fn exported(&self, _kind: &str) -> Option<Result<Arc<Vec<ExportedResource>>, String>> {
        None
    }

    /// The answer of a database of facts and catalogs to a query; none if there is no database.
    fn query_database(&self, _query: &Value) -> Option<Result<Value, String>> {
        None
    }

    /// The lookup on whose behalf code runs; none if it runs for itself.
    fn lookup_context(&self) -> Option<&dyn LookupContext> {
        None
    }

    /// What reading and looking up has warned of since the last call.
    fn take_warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// Answers a question from a place in code, whose variables data may name; none if the data has no such key.
    ///
    /// # Errors
    /// Data that cannot be read, values of the wrong type, and limits that are reached.
    fn lookup(&self, request: &Request, visible: &dyn Visible) -> Result<Option<Value>, Fault>;

    /// Where in the data the value of a key is that a place in code asks for; none where that is not known, or several places made it.
    fn data_place(&self, _key: &str, _visible: &dyn Visible) -> Option<Site> {
        None
    }

    /// Learns what a function, a cut or a match has made of which values: what is made of a secret is one.
    fn made(&self, _of: &[Value], _made: &Value) {}

    /// How many secrets are known, for code that follows them by itself; none while there is nothing to follow.
    fn secrets(&self) -> usize {
        0
    }

    /// Where secrets stand in a text, in bytes.
    fn secret_parts(&self, _text: &Str) -> Vec<Range<usize>> {
        Vec::new()
    }

    /// Whether a text holds a secret, or a number is one.
    fn is_secret(&self, _value: &Value) -> bool {
        false
    }

    /// Learns what code that follows secrets by itself has made of one.
    fn made_of_secrets(&self, _made: &Value) {}

    /// What to try where keys have no value: those that are spelt alike, or the parts of the value that a key leads into.
    fn advice(&self, _names: &[String]) -> Option<String> {
        None
    }
}

/// The lookup on whose behalf code runs: what the functions of a `Puppet::LookupContext` do.
pub trait LookupContext {
    /// Learns that the key is not found; the program ends after that.
    fn not_found(&self);

    /// Whether anybody wants explanations.
    fn explains(&self) -> bool;

    /// Adds a line to the explanation.
    fn explain(&self, text: String);

    /// A value with its `%{...}` resolved.
    ///
    /// # Errors
    /// What an interpolation gets wrong, in the reference's words.
    fn interpolate(&self, value: &Value) -> Result<Value, Fault>;

    /// Keeps a value for the next call.
    fn keep(&self, key: Value, value: Value);

    /// What was kept under a key.
    fn kept(&self, key: &Value) -> Option<Value>;

    /// All that was kept.
    fn all_kept(&self) -> Vec<(Value, Value)>;

    /// A text that tells the state of a file, as the node sees it, from all others; none if the file may be changing. What is made of the
    /// file depends on it from then on.
    fn file_stamp(&self, file: &Path) -> Option<String>;

    /// What was made of a file for this node, if the file is still as it was then, or for any node by the same.
    fn file_data(&self, file: &Path, by: &Maker) -> Option<Value>;

    /// Keeps what was made of a file.
    fn keep_file_data(&self, file: &Path, by: Maker, data: &Value);

    /// Learns that code has looked at a file, or whether there is one.
    fn look_at(&self, file: &Path);

    /// Learns that the answer depends on an option only in so far as these patterns do not match it.
    fn unseen(&self, option: &str, unmatched: Vec<Regexp>);

    /// Learns that the answer may depend on what was not asked here, as on variables.
    fn depend_on_more(&self);

    /// How much is noted of what code has asked; none once the answer may depend on more.
    fn asked(&self) -> Option<usize>;
}

/// An environment without data and modules, in which code is not validated.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nowhere;

impl Environment for Nowhere {
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

    fn lookup(&self, request: &Request, _: &dyn Visible) -> Result<Option<Value>, Fault> {
        let checked = |subject: &str, value: &Value| {
            let Some(kind) = &request.kind else { return Ok(Some(value.clone())) };
            match hieratic_pcore::assert_instance(subject, kind, value) {
                Ok(()) => Ok(Some(value.clone())),
                Err(mismatch) => Err(Fault::new(mismatch.to_string())),
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

impl Validator for Nowhere {
    fn validate(&self, _: &Program, _: bool, _: &Options) -> Judgement {
        Judgement::default()
    }

    fn check_text(&self, _: &str, _: &str, _: &Options) -> Result<Vec<String>, String> {
        Ok(Vec::new())
    }
}
