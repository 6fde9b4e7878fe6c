//! [`Settings`]: the locations of configuration, environments and modules.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hieratic_budget::Limits;
use hieratic_hiera::DataFolder;
use hieratic_hiera::{Error, ErrorKind, Rules, SkippedLevels};
use hieratic_puppet_types::{PuppetVersion, Strict};
use hieratic_sandbox::{Files, Mounted, RefusedPaths, is_absence_or_refused, plain as absolute};
use hieratic_value::ErasedSort as _;

use crate::control_repo::{self, ControlRepo};
use crate::ini;
use crate::permissions::Permissions;
use crate::search_path::SearchPath;
use hieratic_sandbox::SlashPath as _;

/// The default name of the environment.
///
/// See [the setting `environment`](https://www.puppet.com/docs/puppet/8/configuration.html#environment).
pub(crate) const DEFAULT_ENVIRONMENT: &str = "production";

/// The locations of configuration, environments and modules, under the names of Puppet's settings.
///
/// Unset ones are found as Puppet finds them: in `puppet.conf`, then by default. Inside a control repository none needs
/// to be set: see [`discover`](Self::discover).
///
/// ```
/// use hieratic::{PuppetVersion, Settings, Strict};
///
/// let settings = Settings {
///     modulepath: Some("site:modules".into()),
///     datadirs: vec![("/srv/hiera", "data").into()],
///     puppet_version: PuppetVersion::V7,
///     strict: Some(Strict::Error),
///     ..Settings::new("environments/production")
/// };
/// assert_eq!(settings.modulepath.unwrap().folders().count(), 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The environment's name; `production` by default.
    pub environment: Option<String>,
    /// The parent folders of environments.
    pub environmentpath: Option<SearchPath>,
    /// The folder of code and data.
    pub codedir: Option<PathBuf>,
    /// The folder of `puppet.conf` and the global `hiera.yaml`.
    pub confdir: Option<PathBuf>,
    /// The global `hiera.yaml`.
    pub hiera_config: Option<PathBuf>,
    /// The folders of modules. It overrides `environment.conf`.
    pub modulepath: Option<SearchPath>,
    /// The manifest of the environment, or the folder of its manifests. It overrides `environment.conf`.
    pub manifest: Option<PathBuf>,
    /// The folders of modules that every environment sees.
    pub basemodulepath: Option<SearchPath>,
    /// The version of Puppet to reproduce. It decides settings that are neither set here nor in `puppet.conf`.
    pub puppet_version: PuppetVersion,
    /// The treatment of doubtful input.
    pub strict: Option<Strict>,
    /// Whether unknown variables are errors in code.
    pub strict_variables: Option<bool>,
    /// The setting `data_binding_terminus`. `none` excludes the global layer.
    pub data_binding_terminus: Option<String>,
    /// The file to read instead of `puppet.conf` in `confdir`.
    pub config: Option<PathBuf>,
    /// Other settings of Puppet, by name, for code that reads them: `$settings::NAME`, and `Puppet[:NAME]` in Ruby.
    /// They override `puppet.conf`.
    pub puppet_settings: BTreeMap<String, String>,
    /// The name of the server: the setting `certname`, unless it is configured. By default `puppet`.
    pub server: Option<String>,
    /// The folder of the environment. It overrides `environment` and `environmentpath`.
    pub environment_dir: Option<PathBuf>,
    /// Local replacements for datadirs that `hiera.yaml` names for servers.
    pub datadirs: Vec<DataFolder>,
    /// The names of levels that are skipped in every layer, because their backends cannot run here or the user excludes
    /// them.
    pub without_levels: Vec<String>,
    /// The levels that were skipped although they may define a requested key. All environments that are opened with
    /// these settings, or with clones of them, add to this list.
    pub skipped_levels: SkippedLevels,
    /// Whether values with a decrypted part become Sensitive, in all levels.
    pub sensitive_secrets: bool,
    /// Whether the positions of values in their files are recorded; needed for origins.
    pub positions: bool,
    /// Whether each file is checked only once. This suffices for a program that looks up many nodes and ends. Later
    /// changes are not seen, even by new nodes, and [`Node::freshness`](hieratic_hiera::Node::freshness) does not
    /// detect them.
    pub once: bool,
    /// The permissions of the environment.
    pub permissions: Permissions,
    /// The limits of one answer.
    pub limits: Limits,
    /// Additional folders that may be read, such as the targets of links in a folder of modules.
    pub readable: Vec<PathBuf>,
    /// Whether the environments were [found](Self::find_repository) around a folder, instead of being named by the
    /// user.
    pub was_found: bool,
    /// The folder of the repository that was found. Its `puppet.conf` decides `strict` and `strict_variables`, but no
    /// other setting, because the repository is untrusted.
    pub repository: Option<PathBuf>,
    /// The tree that replaces a folder, such as a revision of the repository instead of its working tree.
    pub tree: Option<Mounted>,
    /// The paths outside of the repository that an answer needed and that were not read, because the permission
    /// [`outside`](Permissions::outside) is missing. All environments that are opened with these settings, or with
    /// clones of them, add to this list.
    pub refused: RefusedPaths,
}

impl Settings {
    /// The settings of Puppet that are fields here. Among [`puppet_settings`](Self::puppet_settings) they have no
    /// effect.
    pub const OWN: [&str; 8] = [
        "environment",
        "environmentpath",
        "modulepath",
        "basemodulepath",
        "codedir",
        "hiera_config",
        "strict",
        "strict_variables",
    ];

    /// Returns the name of the environment: the one that is set, otherwise `production`. It does not read
    /// `puppet.conf`.
    ///
    /// ```
    /// assert_eq!(hieratic::Settings::default().environment_name(), "production");
    /// ```
    pub fn environment_name(&self) -> &str {
        self.environment.as_deref().unwrap_or(DEFAULT_ENVIRONMENT)
    }

    /// Creates the settings for the environment in this folder.
    pub fn new(environment: impl Into<PathBuf>) -> Settings {
        Settings { environment_dir: Some(environment.into()), ..Settings::default() }
    }

    /// Creates the settings for the environment with this name in one of the folders of `environmentpath`.
    pub fn named(environment: impl Into<String>, environmentpath: impl Into<SearchPath>) -> Settings {
        let (environment, environmentpath) = (Some(environment.into()), Some(environmentpath.into()));
        Settings { environment, environmentpath, ..Settings::default() }
    }

    /// Returns the settings for a folder. If it is in a control repository, the environments are those of the
    /// repository.
    pub fn discover(folder: &Path) -> Settings {
        let mut settings = Settings::default();
        settings.find_repository(folder);
        settings
    }

    /// Sets the environments to those of the control repository around a folder, unless they are already set.
    pub fn find_repository(&mut self, folder: &Path) {
        if self.environmentpath.is_some() || self.environment_dir.is_some() {
            return;
        }
        self.take_environments(control_repo::around(folder));
    }

    /// Sets the environments to those in the root of the [tree](Self::tree), unless they are already set.
    pub fn find_in_tree(&mut self) {
        let Some(root) = self.tree.as_ref().map(|tree| tree.root().to_owned()) else { return };
        if self.environmentpath.is_none() && self.environment_dir.is_none() {
            self.take_environments(control_repo::at(&root, &self.mounted(Files::below([&root]))));
        }
    }

    fn take_environments(&mut self, found: Option<ControlRepo>) {
        self.was_found = found.is_some();
        self.repository = found.as_ref().and_then(|found| match found {
            ControlRepo::Environment(path) => Some(path.clone()),
            ControlRepo::Environments(path) => path.parent().map(Path::to_owned),
        });
        match found {
            Some(ControlRepo::Environments(path)) => self.environmentpath = Some(path.into()),
            Some(ControlRepo::Environment(path)) => {
                // A folder among environments is one of them, and another may be requested.
                let siblings = path.parent().filter(|parent| parent.ends_with("environments"));
                match siblings {
                    Some(parent) => {
                        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
                        self.environment = self.environment.take().or(name);
                        self.environmentpath = Some(parent.into());
                    }
                    None => self.environment_dir = Some(path),
                }
            }
            None => {}
        }
    }

    /// Returns all files, with the tree mounted.
    pub(crate) fn anywhere(&self) -> Files {
        self.mounted(Files::anywhere())
    }

    /// Mounts the [`tree`](Self::tree), if there is one, on `files`. Files that are larger than the limit are refused.
    pub fn mounted(&self, files: Files) -> Files {
        Mounted::over(self.tree.as_ref(), files.with_largest(self.limits.file))
    }

    /// Returns the names of the environments that can be opened, sorted.
    pub fn environments(&self) -> Vec<String> {
        let resolved = self.resolve();
        if self.environment_dir.is_some() {
            return vec![resolved.environment];
        }
        let folders = resolved.environmentpath.folders();
        let files = self.anywhere();
        let mut names: Vec<String> = folders
            .flat_map(|folder| {
                // A missing folder has none; opening an environment in an unreadable one reports the error.
                files.list(folder).unwrap_or_default().into_iter().map(move |entry| (folder, entry.name))
            })
            .filter(|(folder, name)| is_environment_name(name) && files.is_folder(&folder.join(name)))
            .map(|(_, name)| name)
            .collect();
        names.sort_erased();
        names.dedup();
        names
    }

    /// Returns the options for evaluating code under these settings.
    #[cfg(feature = "code")]
    pub fn language(&self) -> hieratic_puppet_eval::Options {
        let ResolvedSettings { rules: Rules { version, strict }, strict_variables, .. } = self.resolve();
        hieratic_puppet_eval::Options {
            strict,
            strict_variables,
            ..hieratic_puppet_eval::Options::for_version(version)
        }
    }

    /// Fills in the settings of `puppet.conf` and then the defaults.
    pub(crate) fn resolve(&self) -> ResolvedSettings {
        let confdir = self.confdir.clone().unwrap_or_else(|| first_existing(&CONFDIRS));
        let config = self.config.clone().unwrap_or_else(|| confdir.join("puppet.conf"));
        let (file, mut unread) = PuppetConf::read(&Files::anywhere(), &config);
        let codedir = self
            .codedir
            .clone()
            .or_else(|| file.get("codedir").map(PathBuf::from))
            .unwrap_or_else(|| first_existing(&CODEDIRS));
        let folders = Folders { confdir: &confdir, codedir: &codedir };
        let setting =
            |given: &Option<String>, name: &str| given.clone().or_else(|| file.get(name).map(|v| folders.expand(v)));
        let search_path = |given: &Option<SearchPath>, name: &str| {
            given.clone().or_else(|| file.get(name).map(|value| folders.expand(value).into()))
        };
        let hiera_config = self
            .hiera_config
            .clone()
            .or_else(|| file.get("hiera_config").map(|value| PathBuf::from(folders.expand(value))))
            .unwrap_or_else(|| {
                let in_codedir = codedir.join("hiera.yaml");
                if self.anywhere().exists(&in_codedir) { in_codedir } else { confdir.join("hiera.yaml") }
            });
        let version = self.puppet_version;
        let own = self.repository.as_ref().map(|root| {
            let (own, error) = PuppetConf::read(&self.mounted(Files::below([root])), &root.join("puppet.conf"));
            unread = unread.take().or(error);
            own
        });
        let rule = |name: &str| own.as_ref().and_then(|own| own.get(name)).or_else(|| file.get(name));
        // As in Puppet, an unknown word means the default.
        let strict = self.strict.or_else(|| rule("strict")?.parse().ok()).unwrap_or(version.strict());
        let strict_variables = self.strict_variables.or_else(|| rule("strict_variables").map(|value| value == "true"));
        let terminus = setting(&self.data_binding_terminus, "data_binding_terminus");
        ResolvedSettings {
            environment: setting(&self.environment, "environment").unwrap_or_else(|| DEFAULT_ENVIRONMENT.into()),
            environmentpath: search_path(&self.environmentpath, "environmentpath")
                .unwrap_or_else(|| codedir.join("environments").into()),
            basemodulepath: search_path(&self.basemodulepath, "basemodulepath")
                .unwrap_or_else(|| vec![codedir.join("modules"), "/opt/puppetlabs/puppet/modules".into()].into()),
            rules: Rules { version, strict },
            strict_variables: strict_variables.unwrap_or(version.strict_variables()),
            has_global_layer: !matches!(terminus.as_deref(), Some("none" | ""))
                || !version.has_settings_of_data_providers(),
            hiera_config: absolute(&hiera_config),
            codedir,
            confdir,
            config: absolute(&config),
            configured: self
                .server
                .iter()
                .map(|name| ("certname".to_owned(), name.clone()))
                .chain(file.all())
                .chain(self.puppet_settings.clone())
                .collect(),
            unread,
        }
    }
}

/// Settings with every default filled in.
#[derive(Clone, Debug)]
pub(crate) struct ResolvedSettings {
    pub(crate) environment: String,
    pub(crate) environmentpath: SearchPath,
    pub(crate) basemodulepath: SearchPath,
    pub(crate) rules: Rules,
    pub(crate) strict_variables: bool,
    pub(crate) has_global_layer: bool,
    pub(crate) hiera_config: PathBuf,
    pub(crate) codedir: PathBuf,
    pub(crate) confdir: PathBuf,
    pub(crate) config: PathBuf,
    /// The settings that are given, as written.
    pub(crate) configured: BTreeMap<String, String>,
    /// The error of an existing `puppet.conf` that could not be read: its settings are unknown.
    pub(crate) unread: Option<Error>,
}

/// Returns whether an environment can have this name.
pub(crate) fn is_environment_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

const CONFDIRS: [&str; 2] = ["/etc/puppetlabs/puppet", "/etc/puppet"];
const CODEDIRS: [&str; 2] = ["/etc/puppetlabs/code", "/etc/puppet/code"];

fn first_existing(folders: &[&str; 2]) -> PathBuf {
    folders
        .iter()
        .map(PathBuf::from)
        .find(|folder| Files::anywhere().is_folder(folder))
        .unwrap_or_else(|| PathBuf::from(folders[0]))
}

/// The folders that settings may name by variables.
pub(crate) struct Folders<'a> {
    pub(crate) confdir: &'a Path,
    pub(crate) codedir: &'a Path,
}

impl Folders<'_> {
    /// Puts the folders in for `$confdir` and `$codedir`.
    pub(crate) fn expand(&self, value: &str) -> String {
        value.replace("$confdir", &self.confdir.to_slashes()).replace("$codedir", &self.codedir.to_slashes())
    }
}

/// The sections of `puppet.conf` that apply to a lookup, the later winning.
const SECTIONS: [&str; 3] = ["main", "master", "server"];

struct PuppetConf(Vec<(String, String, String)>);

impl PuppetConf {
    /// Reads a file; also returns the error if it exists and could not be read.
    fn read(files: &Files, path: &Path) -> (PuppetConf, Option<Error>) {
        match files.read_text(path) {
            Ok(text) => (PuppetConf(ini::parse(&text)), None),
            // A link that leads out is recorded as refused.
            Err(error) if is_absence_or_refused(&error) => (PuppetConf(Vec::new()), None),
            Err(error) => {
                let message = format!("{} cannot be read: {error}", path.display());
                let error = Error::new(ErrorKind::Fatal, hieratic_hiera::codes::FILE_UNREADABLE, message);
                (
                    PuppetConf(Vec::new()),
                    Some(
                        error.help(
                            "its settings decide which data is read: make it readable, or name another --confdir",
                        ),
                    ),
                )
            }
        }
    }

    /// All settings of the sections, so that the later win.
    fn all(&self) -> impl Iterator<Item = (String, String)> {
        let of = |section: &'static str| self.0.iter().filter(move |(of, ..)| of == section);
        SECTIONS.into_iter().flat_map(of).map(|(_, name, value)| (name.clone(), value.clone()))
    }

    fn get(&self, name: &str) -> Option<&str> {
        SECTIONS.iter().rev().find_map(|section| {
            self.0.iter().rev().find(|(of, key, _)| of == section && key == name).map(|(_, _, value)| value.as_str())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puppet_conf_fills_in_and_flags_win() {
        let root = tempfile::tempdir().unwrap();
        let conf =
            "[main]\ncodedir = /code\nenvironment = a\n[server]\nenvironment = b\nenvironmentpath = $codedir/e\n";
        std::fs::write(root.path().join("puppet.conf"), conf).unwrap();
        let mut settings = Settings { confdir: Some(root.path().into()), ..Settings::default() };
        let resolved = settings.resolve();
        assert_eq!((&*resolved.environment, resolved.environmentpath.to_string().as_str()), ("b", "/code/e"));
        assert_eq!(resolved.hiera_config, root.path().join("hiera.yaml"));
        settings.environment = Some("c".into());
        assert_eq!(settings.resolve().environment, "c");
    }

    #[test]
    fn the_repository_decides_how_strict_answers_are_and_nothing_else() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("hiera.yaml"), "version: 5\n").unwrap();
        let conf = "[main]\nstrict = off\nstrict_variables = false\ncodedir = /elsewhere\nenvironment = other\n";
        std::fs::write(root.path().join("puppet.conf"), conf).unwrap();
        let mut settings = Settings::discover(root.path());
        let resolved = settings.resolve();
        assert_eq!((resolved.rules.strict, resolved.strict_variables), (Strict::Off, false));
        assert_eq!(&*resolved.environment, "production");
        assert_ne!(resolved.codedir, Path::new("/elsewhere"));
        settings.strict = Some(Strict::Error);
        settings.strict_variables = Some(true);
        let resolved = settings.resolve();
        assert_eq!((resolved.rules.strict, resolved.strict_variables), (Strict::Error, true));
    }

    #[test]
    fn settings_that_change_answers_come_from_the_file_or_from_flags() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("other.conf");
        std::fs::write(&file, "[main]\nstrict_variables = true\ndata_binding_terminus = none\n").unwrap();
        let mut settings = Settings { confdir: Some(root.path().into()), ..Settings::default() };
        let defaults = |settings: &Settings| {
            let resolved = settings.resolve();
            (resolved.strict_variables, resolved.has_global_layer)
        };
        assert_eq!(defaults(&settings), (true, true));
        settings.puppet_version = PuppetVersion::V7;
        assert_eq!(defaults(&settings), (false, true));
        settings.config = Some(file);
        assert_eq!(defaults(&settings), (true, false));
        settings.strict_variables = Some(false);
        settings.data_binding_terminus = Some("hiera".into());
        assert_eq!(defaults(&settings), (false, true));
    }
}
