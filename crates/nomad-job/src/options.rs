//! The options for reading a job file.

use std::path::PathBuf;
use std::sync::Arc;

use hieratic_budget::Budget;
use hieratic_hcl_eval::TaintObserver;
use hieratic_hcl_types::{Function, Value};

/// The options for reading a job file, with its variables.
///
/// ```
/// use hieratic_nomad_job::Options;
///
/// let options = Options { arguments: vec!["image=redis:7".into()], ..Options::default() };
/// assert!(options.strict);
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    /// The name of the file in messages.
    pub path: String,
    /// The arguments of `-var`, in their order: `name=value`.
    pub arguments: Vec<String>,
    /// The values of variables, as a program gives them: they override [`arguments`](Self::arguments), and need no expression. A variable
    /// with a type has the value converted to it, one without a type has the value.
    pub values: Vec<(String, Value)>,
    /// The variable files, in their order.
    pub files: Vec<VariableFile>,
    /// The environment: variables that begin with `NOMAD_VAR_`, and `HOME` for paths that begin with `~`.
    pub environment: Vec<(String, String)>,
    /// Whether values for variables that the job does not declare are errors (`-hcl2-strict`); otherwise they are
    /// warnings.
    pub strict: bool,
    /// Whether variable files may set variables that the job does not declare, so that one file serves many jobs. The
    /// reference has no such option.
    pub allow_undeclared: bool,
    /// Whether [`arguments`](Self::arguments) may set variables that the job does not declare, because they are for
    /// several jobs. The reference has no such option.
    pub shared_arguments: bool,
    /// The folder that the file functions read from; they are errors without it.
    pub folder: Option<PathBuf>,
    /// A second folder that relative paths are resolved against if the first has no such entry.
    pub beside: Option<PathBuf>,
    /// Whether the file functions may read files outside of that folder, too, as in the reference.
    pub outside: bool,
    /// The files that functions may read; `None` for those below the folder.
    pub reach: Option<hieratic_sandbox::Files>,
    /// The budget of the evaluation.
    pub budget: Budget,
    /// Additional functions by name. They override those of Nomad.
    pub functions: Vec<(String, Arc<Function>)>,
    /// The observer of values that are computed from the results of these functions.
    pub observer: Option<TaintObserver>,
    /// The namespace of Consul that services are registered in (`-consul-namespace`).
    pub consul_namespace: Option<String>,
    /// The region of a job that names none.
    pub region: Option<String>,
    /// The namespace of a job that names none.
    pub namespace: Option<String>,
    /// The namespace of Vault (`-vault-namespace`).
    pub vault_namespace: Option<String>,
    /// Accepts features of Terraform that the reference rejects: `optional(...)` in types of variables, and the
    /// function `templatefile`.
    pub extensions: bool,
    /// Whether a variable without a value is unknown instead of an error: to check a file independently of the
    /// variables of a run. Values that depend on it are [`Data::Unknown`](crate::record::Data::Unknown).
    pub partial: bool,
    /// Whether the file is the API's JSON (`-json`). HCL's JSON syntax is recognized without it.
    pub json: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            path: String::new(),
            arguments: Vec::new(),
            values: Vec::new(),
            files: Vec::new(),
            environment: Vec::new(),
            strict: true,
            allow_undeclared: false,
            shared_arguments: false,
            folder: None,
            beside: None,
            outside: false,
            reach: None,
            budget: Budget::default(),
            functions: Vec::new(),
            observer: None,
            consul_namespace: None,
            vault_namespace: None,
            region: None,
            namespace: None,
            extensions: false,
            partial: false,
            json: false,
        }
    }
}

/// A file with values of variables.
#[derive(Clone, Debug)]
pub struct VariableFile {
    /// Its path, as it was given.
    pub path: String,
    /// Its content, or the error of the operating system: `open a.vars: no such file or directory`.
    pub content: Result<Vec<u8>, String>,
}
