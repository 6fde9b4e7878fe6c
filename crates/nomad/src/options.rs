//! What a job file is read with.

use std::path::PathBuf;
use std::sync::Arc;

use hieratic_cty::Function;
use hieratic_hcl::Witness;
use hieratic_powers::Budget;

/// How to read a job file, and with which variables.
///
/// ```
/// use hieratic_nomad::Options;
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
    /// The variable files, in their order.
    pub files: Vec<VariableFile>,
    /// The environment, of which variables that begin with `NOMAD_VAR_` count, and `HOME` for paths that begin with `~`.
    pub environment: Vec<(String, String)>,
    /// Whether values for variables that the job does not declare are errors (`-hcl2-strict`); otherwise they are warnings.
    pub strict: bool,
    /// Whether variable files may have values for variables that the job does not declare, so that one file serves many
    /// jobs. The reference has no such option.
    pub allow_undeclared: bool,
    /// The folder that the file functions read from; they are errors without it.
    pub folder: Option<PathBuf>,
    /// A second folder that relative paths begin at, where nothing is below the first.
    pub beside: Option<PathBuf>,
    /// Whether the file functions may read outside of that folder, too, as they may in the reference.
    pub outside: bool,
    /// Which files the file functions may read, if not those below the folder.
    pub reach: Option<hieratic_powers::Files>,
    /// How much evaluation may do.
    pub budget: Budget,
    /// Functions beside Nomad's, by name; one of the same name counts before Nomad's.
    pub functions: Vec<(String, Arc<Function>)>,
    /// Who learns what is made of values that these functions answer.
    pub witness: Option<Witness>,
    /// The namespace of Consul that services are registered in (`-consul-namespace`).
    pub consul_namespace: Option<String>,
    /// The namespace of Vault (`-vault-namespace`).
    pub vault_namespace: Option<String>,
    /// Whether what Terraform has and the reference refuses is taken: `optional(...)` in types of variables, and the function
    /// `templatefile`.
    pub extensions: bool,
    /// Whether a variable without a value is unknown and no error: to check a file without knowing with which variables it will be run.
    /// What cannot be known because of it is [`Data::Unknown`](crate::record::Data::Unknown).
    pub partial: bool,
    /// Whether the file is the API's JSON (`-json`). HCL's own JSON syntax is recognised without it.
    pub json: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            path: String::new(),
            arguments: Vec::new(),
            files: Vec::new(),
            environment: Vec::new(),
            strict: true,
            allow_undeclared: false,
            folder: None,
            beside: None,
            outside: false,
            reach: None,
            budget: Budget::default(),
            functions: Vec::new(),
            witness: None,
            consul_namespace: None,
            vault_namespace: None,
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
    /// What it holds, or why it could not be read, as the system says it: `open a.vars: no such file or directory`.
    pub content: Result<Vec<u8>, String>,
}
