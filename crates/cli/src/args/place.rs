//! The flags that select the node and the environment.

use std::path::PathBuf;

use clap::Args;
use clap::builder::TypedValueParser as _;
use hieratic::layers::DataFolder;
use hieratic::lookup::SkippedLevels;
use hieratic::sandbox::{Mounted, RefusedPaths};
use hieratic::{PuppetVersion, SearchPath, Strict};

use super::PermissionArguments;
use crate::access::Access;

/// The selection of a node and an environment.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct PlaceArguments {
    /// The name of the node (default without --facts: this machine; lookup runs facter)
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub(crate) node: Option<String>,
    /// A file of facts (JSON or YAML), or of many nodes: a folder, .ndjson, .parquet, .arrow (repeatable)
    ///
    /// Later ones override earlier ones.
    #[arg(long, value_name = "FILE|FOLDER", action = clap::ArgAction::Append, allow_hyphen_values = true)]
    pub(crate) facts: Vec<PathBuf>,
    /// Whether the facts come from the settings instead of the flag.
    #[arg(skip)]
    pub(crate) facts_by_settings: bool,
    /// A fact; dots separate keys of structured facts (repeatable)
    #[arg(long, value_name = "NAME=VALUE", action = clap::ArgAction::Append)]
    pub(crate) fact: Vec<String>,
    /// A top-scope variable, as set by a manifest (repeatable)
    #[arg(long, value_name = "NAME=VALUE", action = clap::ArgAction::Append)]
    pub(crate) var: Vec<String>,
    /// Accepted for compatibility; trusted data comes from the facts and the node name
    #[arg(long)]
    pub(crate) trusted: bool,
    /// A JSON or YAML file with the trusted data
    #[arg(long, value_name = "FILE")]
    pub(crate) trusted_data: Option<PathBuf>,
    /// The name of the environment
    #[arg(long, short = 'E', value_name = "NAME", allow_hyphen_values = true)]
    pub(crate) environment: Option<String>,
    /// Whether the environment comes from the settings instead of the flag.
    #[arg(skip)]
    pub(crate) environment_by_settings: bool,
    /// The folder of the environment; its name does not matter
    #[arg(long, value_name = "FOLDER")]
    pub(crate) environment_dir: Option<PathBuf>,
    /// The folders that contain environments, separated by colons
    #[arg(long, value_name = "FOLDERS")]
    pub(crate) environmentpath: Option<SearchPath>,
    /// The folder that contains code and data
    #[arg(long, value_name = "FOLDER")]
    pub(crate) codedir: Option<PathBuf>,
    /// The folder that contains puppet.conf and the global hiera.yaml
    #[arg(long, value_name = "FOLDER")]
    pub(crate) confdir: Option<PathBuf>,
    /// The folder of Puppet's variable files, as the setting vardir; nothing is written
    #[arg(long, value_name = "FOLDER")]
    pub(crate) vardir: Option<PathBuf>,
    /// A setting of Puppet for code that reads it: $settings::NAME, Puppet[:NAME] in Ruby (repeatable)
    #[arg(long, value_name = "NAME=VALUE", action = clap::ArgAction::Append, value_parser = setting)]
    pub(crate) setting: Vec<String>,
    /// The global hiera.yaml
    #[arg(long = "hiera_config", alias = "hiera-config", value_name = "FILE")]
    pub(crate) hiera_config: Option<PathBuf>,
    /// Module folders, separated by colons
    #[arg(long, value_name = "FOLDERS")]
    pub(crate) modulepath: Option<SearchPath>,
    /// Module folders of all environments, separated by colons
    #[arg(long, value_name = "FOLDERS")]
    pub(crate) basemodulepath: Option<SearchPath>,
    /// Replace a datadir of hiera.yaml by a folder here: /srv/hiera=data (repeatable)
    #[arg(long, value_name = "DATADIR=FOLDER", action = clap::ArgAction::Append, value_parser = datadir)]
    pub(crate) datadir: Vec<String>,
    /// Skip the level of this name: its backend cannot run here, or you want an answer without it (repeatable)
    #[arg(long, value_name = "NAME", action = clap::ArgAction::Append, allow_hyphen_values = true)]
    pub(crate) without_level: Vec<String>,
    /// Whether the levels come from the settings instead of the flag.
    #[arg(skip)]
    pub(crate) without_level_by_settings: bool,
    #[command(flatten)]
    pub(crate) puppet: VersionArguments,
    /// The severity of unknown variables and empty files: off, warning (default of Puppet 7) or error (default of Puppet 8)
    #[arg(long, value_name = "LEVEL", value_parser = strict())]
    pub(crate) strict: Option<Strict>,
    /// Make unknown variables in code an error, including backend functions (default of Puppet 8)
    #[arg(long = "strict_variables", alias = "strict-variables", overrides_with = "lenient_variables")]
    pub(crate) strict_variables: bool,
    /// Undo --strict_variables, the setting in puppet.conf, and the default of Puppet 8
    #[arg(long = "no-strict_variables", alias = "no-strict-variables", overrides_with = "strict_variables")]
    pub(crate) lenient_variables: bool,
    /// Whether the settings make decrypted values Sensitive.
    #[arg(skip)]
    pub(crate) sensitive_secrets: bool,
    /// The commit of `--revision` that the environment is read from.
    #[arg(skip)]
    pub(crate) revision: Option<Mounted>,
    /// `none` disables the global layer
    #[arg(long = "data_binding_terminus", value_name = "NAME", value_parser = ["hiera", "none"], hide_possible_values = true)]
    pub(crate) data_binding_terminus: Option<String>,
    /// The file to read instead of CONFDIR/puppet.conf
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) permissions: PermissionArguments,
    /// The access of the verb with these permissions.
    #[arg(skip)]
    pub(crate) access: Access,
    /// The paths outside of the repository that the verb needed, but was not allowed to read.
    #[arg(skip)]
    pub(crate) refused: RefusedPaths,
    /// The levels that the verb did not ask.
    #[arg(skip)]
    pub(crate) skipped_levels: SkippedLevels,

    /// Print the environment, settings, facts and permissions in use
    #[arg(long, short = 'v')]
    pub(crate) verbose: bool,
    /// Accepted for compatibility
    #[arg(long, short = 'd')]
    pub(crate) debug: bool,
}

/// The version of Puppet whose behavior applies.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct VersionArguments {
    /// The version of Puppet or OpenVox whose answers are given: 7, 8 or 9 (default: 8)
    #[arg(long, env = "HIERATIC_PUPPET_VERSION", hide_env_values = true, value_name = "VERSION",
        value_parser = puppet_version(), hide_possible_values = true)]
    pub(crate) puppet_version: Option<PuppetVersion>,
}

impl VersionArguments {
    /// The selected version.
    pub(crate) fn version(self) -> PuppetVersion {
        self.puppet_version.unwrap_or_default()
    }
}

pub(crate) fn strict() -> impl clap::builder::TypedValueParser<Value = Strict> {
    clap::builder::PossibleValuesParser::new(["off", "warning", "error"]).try_map(|word| word.parse::<Strict>())
}

pub(crate) fn puppet_version() -> impl clap::builder::TypedValueParser<Value = PuppetVersion> {
    let numbers = PuppetVersion::ALL.map(PuppetVersion::number);
    clap::builder::PossibleValuesParser::new(numbers).try_map(|number| number.parse::<PuppetVersion>())
}

/// Tries where a folder of data is.
pub(crate) fn datadir(text: &str) -> Result<String, String> {
    let is_pair = text.split_once('=').is_some_and(|(there, here)| !there.is_empty() && !here.is_empty());
    is_pair.then(|| text.to_owned()).ok_or_else(|| "expected the folder in hiera.yaml, =, and the folder here".into())
}

/// Checks that a setting has a name and a value.
fn setting(text: &str) -> Result<String, String> {
    let name = text.split_once('=').map(|(name, _)| name).filter(|name| !name.is_empty());
    let name = name.ok_or("expected the name of a setting, =, and its value")?;
    if hieratic::Settings::OWN.contains(&name) {
        return Err(format!("it is the flag --{name} that sets it"));
    }
    Ok(text.to_owned())
}

/// The datadirs that flags replace.
pub(crate) fn datadirs(flags: &[String]) -> Vec<DataFolder> {
    let pairs = flags.iter().filter_map(|flag| flag.split_once('='));
    pairs.map(DataFolder::from).collect()
}
