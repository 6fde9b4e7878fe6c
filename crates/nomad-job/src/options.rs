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
    /// The arguments of `-var`, in order: `name=value`.
    pub arguments: Vec<String>,
    /// Values for all jobs of a set, in the same form. Arguments override them, and a job need not declare their
    /// variables. The reference has no such option.
    pub set_arguments: Vec<String>,
    /// Values of variables from a program. They override [`arguments`](Self::arguments) and are not parsed. They are
    /// converted to the type of the variable, if it has one.
    pub values: Vec<(String, Value)>,
    /// The variable files, in order.
    pub files: Vec<VariableFile>,
    /// The environment: variables that begin with `NOMAD_VAR_`, and `HOME` for paths that begin with `~`.
    pub environment: Vec<(String, String)>,
    /// Whether values for variables that the job does not declare are errors (`-hcl2-strict`). Otherwise they are
    /// warnings.
    pub strict: bool,
    /// Whether variable files may set variables that the job does not declare, so that one file serves many jobs. The
    /// reference has no such option.
    pub allow_undeclared: bool,
    /// Whether [`arguments`](Self::arguments) may set variables that the job does not declare, because they are for
    /// several jobs. The reference has no such option.
    pub shared_arguments: bool,
    /// The base folder of the file functions. Without it, they are errors.
    pub folder: Option<PathBuf>,
    /// A second base folder of relative paths, for entries that the first one lacks.
    pub beside: Option<PathBuf>,
    /// Whether the file functions may also read files outside of the folder, as in the reference.
    pub outside: bool,
    /// The files that functions may read. `None` means those below the folder.
    pub reach: Option<hieratic_sandbox::Files>,
    /// The budget of the evaluation.
    pub budget: Budget,
    /// Additional functions by name. They override those of Nomad.
    pub functions: Vec<(String, Arc<Function>)>,
    /// The observer of values that are computed from the results of these functions.
    pub observer: Option<TaintObserver>,
    /// The namespace of Consul that services are registered in (`-consul-namespace`).
    pub consul_namespace: Option<String>,
    /// The default region of the job.
    pub region: Option<String>,
    /// The default namespace of the job.
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
            set_arguments: Vec::new(),
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
    /// The path on the command line.
    pub path: String,
    /// Its content, or the error of the operating system: `open a.vars: no such file or directory`.
    pub content: Result<Vec<u8>, String>,
}
