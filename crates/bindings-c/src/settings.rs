//! The settings of an environment, from options.

use std::path::{Path, PathBuf};

use engine::layers::DataFolder;
use engine::{Limits, PuppetVersion, SearchPath, Settings, Strict};

use crate::failure::Failure;
use crate::options::Options;

/// The options of `hieratic_environment_open`.
const KNOWN: &[&str] = &[
    "environment",
    "environment_dir",
    "environmentpath",
    "codedir",
    "confdir",
    "hiera_config",
    "modulepath",
    "datadirs",
    "puppet_version",
    "strict",
    "allow_programs",
    "allow_outside",
    "allow_network",
    "confined",
    "limits",
    "timeout",
];

/// The settings for a folder.
pub(crate) fn settings(folder: &Path, options: Option<&str>) -> Result<Settings, Failure> {
    let options = Options::parse(options, KNOWN)?;
    let text = |name: &str| options.text(name).map(|text| text.map(str::to_owned));
    let search_path = |name: &str| options.text(name).map(|text| text.map(SearchPath::from));
    let path = |name: &str| options.text(name).map(|text| text.map(PathBuf::from));
    let refused =
        |name: &str, message: String| Failure::argument(format!("the option '{name}': {message}"), "change it");
    let version = options.text("puppet_version")?.map(str::parse::<PuppetVersion>).transpose();
    let strict = options.text("strict")?.map(str::parse::<Strict>).transpose();
    let datadirs = options.pairs("datadirs")?;
    let mut settings = Settings {
        environment: text("environment")?,
        environment_dir: path("environment_dir")?,
        environmentpath: search_path("environmentpath")?,
        codedir: path("codedir")?,
        confdir: path("confdir")?,
        hiera_config: path("hiera_config")?,
        modulepath: search_path("modulepath")?,
        datadirs: datadirs.into_iter().map(DataFolder::from).collect(),
        puppet_version: version.map_err(|error| refused("puppet_version", error.to_string()))?.unwrap_or_default(),
        strict: strict.map_err(|error| refused("strict", error.to_string()))?,
        positions: true,
        permissions: options.permissions()?,
        limits: options.limits(Limits::default())?,
        ..Settings::default()
    };
    if settings.codedir.is_none() {
        settings.find_repository(folder);
    }
    Ok(settings)
}
