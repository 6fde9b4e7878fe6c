//! The flags of `check`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use hieratic::nomad_lint::NomadVersion;
use hieratic::{PuppetVersion, SearchPath, Strict};
use hieratic_diagnostics::Severity;
use hieratic_lint::JobSet;

use crate::args::{
    AccessArguments, Color, LimitArguments, MessageFormat, VersionArguments, datadir, puppet_version, strict,
};
use crate::catalog::inputs::InputArguments;
use crate::puppetdb::PuppetDbArguments;
use crate::revision::RevisionArguments;

/// The flags of `check`.
#[derive(Args, Debug)]
pub(crate) struct CheckArguments {
    /// Files and folders (default: the current folder)
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) revision: RevisionArguments,
    #[command(flatten)]
    pub(crate) puppet: VersionArguments,
    /// Also report code that is an error in this version of Puppet or OpenVox: 7, 8 or 9
    #[arg(long, value_name = "VERSION", value_parser = puppet_version(), hide_possible_values = true)]
    pub(crate) target_version: Option<PuppetVersion>,
    /// The severity of questionable code: off, warning (default of Puppet 7) or error (default of Puppet 8)
    #[arg(long, value_name = "LEVEL", value_parser = strict())]
    pub(crate) strict: Option<Strict>,
    /// Allow plans
    #[arg(long)]
    pub(crate) tasks: bool,
    /// Module folders, separated by colons (default: modulepath of environment.conf)
    #[arg(long, value_name = "FOLDERS")]
    pub(crate) modulepath: Option<SearchPath>,
    /// The main manifest of the environment, or its folder; it may define anything
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest: Option<PathBuf>,

    /// The nodes: a folder of facts, a file with one node per line (.ndjson) or row (.parquet, .arrow), or a file of facts (repeatable)
    #[arg(long, visible_alias = "nodes", value_name = "FACTS", action = clap::ArgAction::Append)]
    pub(crate) facts: Vec<PathBuf>,
    /// Check only this node of --facts, or a node without facts (repeatable)
    #[arg(long, value_name = "NAME", action = clap::ArgAction::Append)]
    pub(crate) node: Vec<String>,
    /// Treat the given nodes as the whole fleet: report data files that none of them reads
    #[arg(long)]
    pub(crate) all_nodes: bool,
    /// Also compile the catalogs of the given nodes, and report failures
    #[arg(long)]
    pub(crate) catalogs: bool,
    #[command(flatten)]
    pub(crate) inputs: InputArguments,
    #[command(flatten)]
    pub(crate) puppetdb: PuppetDbArguments,
    /// Report data that can be removed without changing any answer: overridden, repeated and unused values, and more
    #[arg(long)]
    pub(crate) hygiene: bool,
    /// Also judge the style of manifests by the rules of puppet-lint: puppet-lint (default), or vox-pupuli for those of its plugins, too
    #[arg(long, value_name = "RULES", num_args = 0..=1, require_equals = true, default_missing_value = "puppet-lint", hide_possible_values = true)]
    pub(crate) style: Option<StyleRules>,
    /// Report keys that neither code nor data looks up
    #[arg(long)]
    pub(crate) unused: bool,
    /// The value of a variable of jobs (repeatable)
    #[arg(long, value_name = "NAME=VALUE", action = clap::ArgAction::Append)]
    pub(crate) var: Vec<String>,
    /// A file with values of variables of jobs (repeatable)
    #[arg(long, value_name = "FILE", action = clap::ArgAction::Append)]
    pub(crate) var_file: Vec<PathBuf>,
    /// The version of Nomad that jobs are for (default: the newest known)
    #[arg(long, value_name = "VERSION")]
    pub(crate) nomad_version: Option<NomadVersion>,
    /// Accept features of Terraform in jobs: optional(...) in variable types, templatefile(path, vars)
    #[arg(long)]
    pub(crate) extensions: bool,
    /// Also check files that .gitignore excludes
    #[arg(long)]
    pub(crate) no_ignore: bool,

    /// Do not check files that match this pattern of .gitignore (repeatable)
    #[arg(long, value_name = "PATTERN", action = clap::ArgAction::Append)]
    pub(crate) exclude: Vec<String>,
    /// Exit with status 1 if something was not judged
    #[arg(long)]
    pub(crate) strict_coverage: bool,
    /// The settings of `hieratic.toml` for files and codes
    #[arg(skip)]
    pub(crate) from_settings: FromSettings,

    /// Report only these codes, separated by commas (repeatable)
    #[arg(long, value_name = "CODES", action = clap::ArgAction::Append)]
    pub(crate) select: Vec<String>,
    /// Do not report these codes, separated by commas (repeatable)
    #[arg(long, value_name = "CODES", action = clap::ArgAction::Append)]
    pub(crate) ignore: Vec<String>,
    /// Report only findings that are not in this file
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write all findings to this file, for --baseline
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    pub(crate) write_baseline: Option<PathBuf>,
    /// Fix findings that have one safe fix in place, and report the rest
    #[arg(long, conflicts_with_all = ["write_baseline", "statistics"])]
    pub(crate) fix: bool,
    /// Print the number of findings per code instead of the findings
    #[arg(long, conflicts_with = "write_baseline")]
    pub(crate) statistics: bool,
    /// Print the settings, environments and nodes that are checked
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// Print only findings: no summary, no notes on missing modules and data
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Check again whenever a file changes, until you press Ctrl-C
    #[arg(long, conflicts_with_all = ["fix", "write_baseline"])]
    pub(crate) watch: bool,
    /// The least severity for exit status 1 (default: error)
    #[arg(long, value_name = "SEVERITY")]
    pub(crate) fail_on: Option<FailOn>,

    /// The name of the environment
    #[arg(long, short = 'E', value_name = "NAME")]
    pub(crate) environment: Option<String>,
    /// The folder of the environment; its name does not matter
    #[arg(long, value_name = "FOLDER")]
    pub(crate) environment_dir: Option<PathBuf>,
    /// The folder that contains code and data
    #[arg(long, value_name = "FOLDER")]
    pub(crate) codedir: Option<PathBuf>,
    /// The global hiera.yaml
    #[arg(long = "hiera_config", alias = "hiera-config", value_name = "FILE")]
    pub(crate) hiera_config: Option<PathBuf>,
    /// Replace a datadir of hiera.yaml by a folder here: /srv/hiera=data (repeatable)
    #[arg(long, value_name = "DATADIR=FOLDER", action = clap::ArgAction::Append, value_parser = datadir)]
    pub(crate) datadir: Vec<String>,
    /// Skip the level of this name: its backend cannot run here (repeatable)
    #[arg(long, value_name = "NAME", action = clap::ArgAction::Append, allow_hyphen_values = true)]
    pub(crate) without_level: Vec<String>,
    /// Whether the levels come from the settings instead of the flag.
    #[arg(skip)]
    pub(crate) without_level_by_settings: bool,
    /// Whether the settings make decrypted values Sensitive.
    #[arg(skip)]
    pub(crate) sensitive_secrets: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) access: AccessArguments,
    /// The format of findings, on standard output
    #[arg(long = "format", alias = "message-format", value_name = "FORMAT", default_value = "human")]
    pub(crate) message_format: CheckFormat,
    /// When to use colors; `auto` respects NO_COLOR, CLICOLOR and CLICOLOR_FORCE
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
    /// Print long answers without a pager
    #[arg(long)]
    pub(crate) no_pager: bool,
}

/// The settings of a check that have no flag.
#[derive(Clone, Debug, Default)]
pub(crate) struct FromSettings {
    /// The root of the repository, if the paths are in one.
    pub(crate) root: Option<PathBuf>,
    /// Patterns of files that are not checked, with the folder that they start from.
    pub(crate) exclude: Vec<(PathBuf, String)>,
    /// Codes that are not reported for the files of a pattern, with the folder that it starts from.
    pub(crate) per_file_ignores: Vec<(PathBuf, String, Vec<String>)>,
    /// Jobs and the variable files that they are run with.
    pub(crate) jobs: Vec<JobSet>,
    /// Levels whose data is in another repository.
    pub(crate) private_levels: Vec<String>,
    /// The severities of codes.
    pub(crate) severities: Vec<(String, Severity)>,
}

impl CheckArguments {
    /// Returns whether findings are read in the pager: a list for people, which is not redrawn.
    pub(crate) fn is_paged(&self) -> bool {
        !self.watch && !self.no_pager && self.message_format == CheckFormat::Human
    }

    /// The format of messages other than findings.
    pub(crate) fn messages(&self) -> MessageFormat {
        match self.message_format {
            CheckFormat::Json => MessageFormat::Json,
            _ => MessageFormat::Human,
        }
    }
}

/// The format of findings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// For people.
    #[default]
    Human,
    /// One JSON object per line.
    Json,
    /// A log of SARIF 2.1.0, for code scanners.
    Sarif,
    /// Commands of GitHub's workflows, which become annotations.
    Github,
    /// A report of JUnit: a failed test for each finding.
    Junit,
    /// A report of Code Quality, which GitLab shows in merge requests.
    Gitlab,
}

/// The rules of style.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StyleRules {
    /// Those of puppet-lint.
    PuppetLint,
    /// Those of puppet-lint and of the plugins of Vox Pupuli.
    VoxPupuli,
}

/// The lowest severity that sets the exit status 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// Errors.
    #[default]
    Error,
    /// Warnings and errors.
    Warning,
    /// Everything.
    Note,
}
