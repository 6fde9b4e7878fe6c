//! The flags of `job`: its own, and those of `nomad job run`.

use std::path::{Path, PathBuf};

use clap::Args;
use hieratic::Permissions;
use hieratic::lookup::SkippedLevels;
use hieratic::nomad_lint::NomadVersion;
use hieratic::sandbox::RefusedPaths;
use hieratic_lint::JobSet;

use crate::access::Access;
use crate::args::{
    AccessArguments, LimitArguments, MessageArguments, PermissionArguments, PlaceArguments, RevealArguments, boolean,
};
use crate::trust;

/// The reference's flags with one hyphen, which are written with two here as well.
pub(super) const SINGLE_HYPHEN: &[&str] = &[
    "-var",
    "-var-file",
    "-hcl2-strict",
    "-json",
    "-output",
    "-validate",
    "-lint",
    "-diff",
    "-origins",
    "-allow-undeclared",
    "-consul-namespace",
    "-vault-namespace",
    "-check-index",
    "-detach",
    "-eval-priority",
    "-policy-override",
    "-preserve-counts",
    "-preserve-resources",
    "-ui",
    "-verbose",
    "-address",
    "-region",
    "-namespace",
    "-no-color",
    "-force-color",
    "-ca-cert",
    "-ca-path",
    "-client-cert",
    "-client-key",
    "-tls-server-name",
    "-tls-skip-verify",
    "-token",
];

/// The flags with a value, which may begin with a hyphen.
pub(super) const WITH_VALUE: &[&str] =
    &["--var", "--var-file", "--consul-namespace", "--vault-namespace", "--check-index"];

/// The flags with one hyphen that `check` takes as well.
pub(super) const OF_CHECK: &[&str] = &["-var", "-var-file"];

/// The flags of `job`.
#[derive(Args, Clone, Debug)]
pub(crate) struct JobArguments {
    /// Job files in HCL or HCL's JSON syntax, or folders of job files; `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The paths outside of the repository that data refers to, and that were not read.
    #[arg(skip)]
    pub(crate) refused: RefusedPaths,
    /// The levels that the job did not ask.
    #[arg(skip)]
    pub(crate) skipped_levels: SkippedLevels,
    /// The value of a variable (repeatable)
    #[arg(long, value_name = "NAME=VALUE", action = clap::ArgAction::Append, allow_hyphen_values = true)]
    pub(crate) var: Vec<String>,
    /// A file with values of variables (repeatable; later files override earlier ones)
    #[arg(long, value_name = "FILE", action = clap::ArgAction::Append, allow_hyphen_values = true)]
    pub(crate) var_file: Vec<PathBuf>,
    /// Report values for undeclared variables as errors (default) or as warnings
    #[arg(long = "hcl2-strict", value_name = "BOOL", num_args = 0..=1, require_equals = true, default_value = "true",
        default_missing_value = "true", value_parser = boolean)]
    pub(crate) hcl2_strict: bool,
    /// Ignore values of undeclared variables in variable files, so that jobs can share them
    #[arg(long)]
    pub(crate) allow_undeclared: bool,
    /// The file is a job as the API's JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Accepted for compatibility: the job is always printed. With --nodes or --puppetdb: the file to write the rows to
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    pub(crate) output: Option<PathBuf>,
    /// Validate the job as far as possible without a server
    #[arg(long, conflicts_with = "origins")]
    pub(crate) validate: bool,
    /// Print the job as a job file: hcl. With --json, converts the API's JSON to HCL
    #[arg(long, value_name = "LANGUAGE", value_parser = ["hcl"], conflicts_with_all = ["validate", "origins", "render_as", "diff"])]
    pub(crate) to: Option<String>,
    /// Print the changes from another job to this one, like `nomad job plan`; REV:FILE is a file of a git revision
    #[arg(long, value_name = "OTHER", conflicts_with_all = ["validate", "origins"])]
    pub(crate) diff: Option<PathBuf>,
    /// With --diff: also print the parts of added and deleted groups and tasks
    #[arg(long)]
    pub(crate) verbose: bool,
    /// The entry of [[jobs]] in the settings to use, if several name the job
    #[arg(long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    /// The entries of `[[jobs]]` in the settings.
    #[arg(skip)]
    pub(crate) sets: Vec<JobSet>,
    /// With --validate: also report likely mistakes that Nomad accepts
    #[arg(long, requires = "validate")]
    pub(crate) lint: bool,
    /// Print the source of every value, and the overridden values of variables
    #[arg(long)]
    pub(crate) origins: bool,
    /// Forbid functions to read files
    #[arg(long, conflicts_with_all = ["allow_files", "base"])]
    pub(crate) deny_files: bool,
    #[command(flatten)]
    pub(crate) reading: FileArguments,
    #[command(flatten)]
    pub(crate) nomad: NomadArguments,
    /// The output format: json, yaml, s or report
    #[arg(long = "format", alias = "render-as", value_name = "FORMAT")]
    pub(crate) render_as: Option<String>,
    /// The node whose data `hiera` looks up
    #[arg(long, value_name = "NAME")]
    pub(crate) node: Option<String>,
    /// A JSON or YAML file of facts, or the facts of many nodes: a folder, .ndjson, .parquet, .arrow (repeatable; later ones win)
    #[arg(long, value_name = "FILE|FOLDER", action = clap::ArgAction::Append)]
    pub(crate) facts: Vec<PathBuf>,
    /// Whether the facts come from the settings, and not from a flag.
    #[arg(skip)]
    pub(crate) facts_by_settings: bool,
    /// A fact; dots separate keys of structured facts (repeatable)
    #[arg(long, value_name = "NAME=VALUE", action = clap::ArgAction::Append)]
    pub(crate) fact: Vec<String>,
    /// The name of the environment
    #[arg(long, short = 'E', value_name = "NAME")]
    pub(crate) environment: Option<String>,
    /// The folder of the environment; its name does not matter
    #[arg(long, value_name = "FOLDER")]
    pub(crate) environment_dir: Option<PathBuf>,
    /// The folder that contains code and data
    #[arg(long, value_name = "FOLDER")]
    pub(crate) codedir: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) revision: crate::revision::RevisionArguments,
    #[command(flatten)]
    pub(crate) puppet: crate::args::VersionArguments,

    #[command(flatten)]
    pub(crate) many: crate::row_output::RowsArguments,
    #[command(flatten)]
    pub(crate) permissions: JobPermissionArguments,
    #[command(flatten)]
    pub(crate) reveal: RevealArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

impl JobArguments {
    /// Returns the capabilities of the repository that contains a folder, from flags or from earlier trust.
    pub(super) fn permissions_in(&self, folder: &Path) -> Permissions {
        self.permissions.granted(self.revision.commit.is_some(), folder)
    }

    /// The node and the environment that the flags mean.
    pub(crate) fn place(&self) -> PlaceArguments {
        PlaceArguments {
            node: self.node.clone(),
            facts: self.facts.clone(),
            facts_by_settings: self.facts_by_settings,
            fact: self.fact.clone(),
            environment: self.environment.clone(),
            environment_dir: self.environment_dir.clone(),
            codedir: self.codedir.clone(),
            puppet: self.puppet,
            revision: self.revision.commit.clone(),
            permissions: self.permissions.to_permissions(),
            access: Access::for_verb("job"),
            refused: self.refused.clone(),
            skipped_levels: self.skipped_levels.clone(),
            ..PlaceArguments::default()
        }
    }
}

/// The files that functions may read.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct FileArguments {
    /// Allow functions to read files of this folder too, or of all folders (repeatable)
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, default_missing_value = "", action = clap::ArgAction::Append,
        value_parser = folder)]
    pub(crate) allow_files: Vec<PathBuf>,
    /// The folder that relative paths start from (default: the working folder); functions may read its files
    #[arg(long, value_name = "FOLDER", value_parser = folder)]
    pub(crate) base: Option<PathBuf>,
}

/// The capabilities of the job's repository. `job` has a separate flag for files of functions, which elsewhere
/// `--allow-outside` includes.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct JobPermissionArguments {
    /// Allow the repository to run programs
    #[arg(long)]
    allow_programs: bool,
    /// Allow the repository to read environment variables and files outside of it
    #[arg(long)]
    allow_outside: bool,
    /// Allow the repository to include pages from the network (http: and https:)
    #[arg(long)]
    allow_network: bool,
}

impl JobPermissionArguments {
    /// Returns the capabilities of the repository that contains a folder, from these flags or from earlier trust.
    pub(crate) fn granted(self, at_revision: bool, folder: &Path) -> Permissions {
        let access = Access::for_verb("job");
        let access = if at_revision { access.of_revision() } else { access };
        trust::permissions(access, self.to_permissions(), Some(folder))
    }

    /// Converts the flags to those of other verbs.
    fn to_permissions(self) -> PermissionArguments {
        let access = AccessArguments { allow_outside: self.allow_outside, allow_network: self.allow_network };
        PermissionArguments { allow_programs: self.allow_programs, access }
    }
}

/// Parses a path of an existing folder, or an empty string for no folder.
fn folder(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if text.is_empty() || path.is_dir() { Ok(path) } else { Err("it is not a folder".to_owned()) }
}

/// The flags of `nomad job run` that change the job, and those that only say how it is submitted.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct NomadArguments {
    /// The Consul namespace that the services of the job are registered in
    #[arg(long, value_name = "NAME")]
    pub(crate) consul_namespace: Option<String>,
    /// The Vault namespace
    #[arg(long, value_name = "NAME")]
    pub(crate) vault_namespace: Option<String>,
    /// Enable features of Terraform that Nomad lacks: optional(...) in variable types, templatefile(path, vars)
    #[arg(long)]
    pub(crate) extensions: bool,
    /// The version of Nomad that the job is for (default: the newest known)
    #[arg(long, value_name = "VERSION")]
    pub(crate) nomad_version: Option<NomadVersion>,
    #[command(flatten)]
    ignored: Ignored,
}

/// Flags of the reference about the server, the submission and its output. They have no effect: nothing is submitted.
#[derive(Args, Clone, Debug, Default)]
#[allow(dead_code, reason = "the flags are only accepted for compatibility with scripts")]
struct Ignored {
    #[arg(long, hide = true, value_name = "INDEX", allow_hyphen_values = true)]
    check_index: Option<String>,
    #[arg(long, hide = true, value_name = "NUMBER")]
    eval_priority: Option<i64>,
    #[arg(long, hide = true)]
    detach: bool,
    #[arg(long, hide = true)]
    policy_override: bool,
    #[arg(long, hide = true)]
    preserve_counts: bool,
    #[arg(long, hide = true)]
    preserve_resources: bool,
    #[arg(long, hide = true)]
    ui: bool,
    #[arg(long, hide = true, value_name = "ADDRESS")]
    address: Option<String>,
    #[arg(long, hide = true, value_name = "NAME")]
    region: Option<String>,
    #[arg(long, hide = true, value_name = "NAME")]
    namespace: Option<String>,
    #[arg(long, hide = true)]
    no_color: bool,
    #[arg(long, hide = true)]
    force_color: bool,
    #[arg(long, hide = true, value_name = "FILE")]
    ca_cert: Option<PathBuf>,
    #[arg(long, hide = true, value_name = "FOLDER")]
    ca_path: Option<PathBuf>,
    #[arg(long, hide = true, value_name = "FILE")]
    client_cert: Option<PathBuf>,
    #[arg(long, hide = true, value_name = "FILE")]
    client_key: Option<PathBuf>,
    #[arg(long, hide = true, value_name = "NAME")]
    tls_server_name: Option<String>,
    #[arg(long, hide = true)]
    tls_skip_verify: bool,
    #[arg(long, hide = true, value_name = "TOKEN")]
    token: Option<String>,
}
