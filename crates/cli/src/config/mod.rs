//! Settings: defaults for flags, so that they need not be typed.
//!
//! There are two files: `hieratic.toml` in a repository, for everyone who works on it, and `config.toml` in the user's
//! settings folder (`$XDG_CONFIG_HOME/hieratic`, by default `~/.config/hieratic`; `%APPDATA%\hieratic` on Windows). A
//! flag overrides the repository's file, which overrides the user's. [`keys`] lists all settings. The file of the
//! repository is untrusted: its paths must not lead out of the repository, and it cannot grant capabilities.

pub(crate) mod file;
pub(crate) mod keys;
mod verb;

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use hieratic::layers::repository_of;
use hieratic::nomad_lint::NomadVersion;
use hieratic::{PuppetVersion, SearchPath, Strict};
use hieratic_lint::JobSet;

use crate::args::PlaceArguments;
use file::{Entry, SettingsError, SettingsOwner, Value};

pub(crate) use verb::{ConfigArguments, run};

/// The name of the repository's file.
const FILE: &str = "hieratic.toml";

/// The settings for a folder.
#[derive(Clone, Debug, Default)]
pub(crate) struct Config {
    /// The entries, those of the repository first. The first one for a setting wins.
    entries: Vec<Entry>,
    /// The files that were looked for, and whether they are there.
    files: Vec<(PathBuf, bool)>,
    /// The root of the repository around the folder.
    root: Option<PathBuf>,
}

impl Config {
    /// The settings for an environment that flags mean, or the current folder.
    pub(crate) fn for_place(place: &PlaceArguments) -> Result<Config, SettingsError> {
        let elsewhere = place.environmentpath.is_some()
            || place.codedir.is_some()
            || place.confdir.is_some()
            || place.config.is_some();
        Config::for_environment(&place.environment_dir, elsewhere)
    }

    /// The settings for an environment; `elsewhere` if flags say that environments are not those of the current folder.
    pub(crate) fn for_environment(environment: &Option<PathBuf>, elsewhere: bool) -> Result<Config, SettingsError> {
        let mut config = Config::for_folder(environment.as_deref().unwrap_or(Path::new(".")))?;
        if environment.is_none() && elsewhere {
            config.forget_environment();
        }
        Ok(config)
    }

    /// Reads the settings for a folder.
    pub(crate) fn for_folder(folder: &Path) -> Result<Config, SettingsError> {
        let mut config = Config::default();
        let outer = FolderContext::new(folder);
        config.root = outer.as_ref().map(|outer| outer.root().to_owned());
        if let Some(outer) = &outer
            && let Some(path) = outer.file()
        {
            config.add(path, SettingsOwner::Repository)?;
            // The settings of a repository do not apply to an environment outside of it: the machine's, or the one
            // around a module.
            if !outer.environments().is_some_and(|environments| environments.starts_with(outer.root())) {
                config.forget_environment();
            }
        }
        // A file within the repository in question is not the user's.
        let is_inside = |path: &PathBuf| outer.as_ref().is_some_and(|outer| path.starts_with(outer.repository()));
        if let Some(path) = user_file().filter(|path| !is_inside(path)) {
            config.add(path, SettingsOwner::User)?;
        }
        Ok(config)
    }

    /// Removes the settings of a repository about an environment.
    fn forget_environment(&mut self) {
        self.entries.retain(|entry| entry.whose == SettingsOwner::User || !entry.key.is_about_environment());
    }

    fn add(&mut self, path: PathBuf, whose: SettingsOwner) -> Result<(), SettingsError> {
        let read = file::read(&path, whose)?;
        self.files.push((path, read.is_some()));
        self.entries.extend(read.unwrap_or_default());
        Ok(())
    }

    /// The effective entry for a setting.
    fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key.name == name)
    }

    pub(crate) fn text(&self, name: &str) -> Option<String> {
        match &self.entry(name)?.value {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        }
    }

    pub(crate) fn path(&self, name: &str) -> Option<PathBuf> {
        match &self.entry(name)?.value {
            Value::Path(path) => Some(path.clone()),
            _ => None,
        }
    }

    pub(crate) fn paths(&self, name: &str) -> Vec<PathBuf> {
        match self.entry(name).map(|entry| &entry.value) {
            Some(Value::Paths(paths)) => paths.clone(),
            _ => Vec::new(),
        }
    }

    pub(crate) fn texts(&self, name: &str) -> Vec<String> {
        match self.entry(name).map(|entry| &entry.value) {
            Some(Value::Texts(texts)) => texts.clone(),
            _ => Vec::new(),
        }
    }

    /// The lists of a table, and the folder of the file that has it.
    pub(crate) fn lists(&self, name: &str) -> (PathBuf, Vec<(String, Vec<String>)>) {
        match self.entry(name).map(|entry| (&entry.value, entry.file.parent())) {
            Some((Value::Lists(lists), folder)) => (folder.unwrap_or(Path::new("/")).to_owned(), lists.clone()),
            _ => Default::default(),
        }
    }

    /// The version of Nomad that jobs are for. It was checked when the file was read.
    pub(crate) fn nomad_version(&self) -> Option<NomadVersion> {
        self.text("nomad_version").and_then(|text| text.parse().ok())
    }

    /// Jobs and the variable files that they are run with.
    pub(crate) fn jobs(&self) -> Vec<JobSet> {
        match self.entry("jobs").map(|entry| &entry.value) {
            Some(Value::Jobs(jobs)) => jobs.clone(),
            _ => Vec::new(),
        }
    }

    /// The words of a table.
    pub(crate) fn words(&self, name: &str) -> Vec<(String, String)> {
        match self.entry(name).map(|entry| &entry.value) {
            Some(Value::Words(words)) => words.clone(),
            _ => Vec::new(),
        }
    }

    /// The folder of the file that has a setting.
    pub(crate) fn folder_of(&self, name: &str) -> Option<PathBuf> {
        self.entry(name)?.file.parent().map(Path::to_owned)
    }

    /// The root of the repository around the folder: that of git, or without git that of the environment.
    pub(crate) fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    pub(crate) fn is_on(&self, name: &str) -> bool {
        self.entry(name).is_some_and(|entry| entry.value == Value::Switch(true))
    }

    pub(crate) fn modulepath(&self) -> Option<SearchPath> {
        let folders = self.paths("modulepath");
        (!folders.is_empty()).then(|| folders.into())
    }

    pub(crate) fn datadirs(&self) -> Vec<String> {
        match self.entry("datadirs").map(|entry| &entry.value) {
            Some(Value::Folders(folders)) => {
                folders.iter().map(|(there, here)| format!("{there}={}", here.display())).collect()
            }
            _ => Vec::new(),
        }
    }

    pub(crate) fn puppet_version(&self) -> Option<PuppetVersion> {
        self.text("puppet_version")?.parse().ok()
    }

    pub(crate) fn strict(&self) -> Option<Strict> {
        self.text("strict")?.parse().ok()
    }

    /// The files that are there, as seen from the current folder.
    pub(crate) fn files(&self) -> Vec<String> {
        let there = self.files.iter().filter(|(_, is_there)| *is_there);
        there.map(|(path, _)| crate::output::relative_file(path)).collect()
    }

    /// URL template for a line of a file on a forge.
    pub(crate) fn link(&self) -> Option<String> {
        self.text("link")
    }
}

/// The surroundings of a folder: its repository and its environments.
struct FolderContext {
    folder: PathBuf,
    git: Option<PathBuf>,
    /// The environment, or the parent of the folder of environments; found on the first use.
    environments: OnceCell<Option<PathBuf>>,
}

impl FolderContext {
    fn new(folder: &Path) -> Option<FolderContext> {
        let folder = hieratic::sandbox::real_path(folder).ok()?;
        Some(FolderContext { git: repository_of(&folder), folder, environments: OnceCell::new() })
    }

    /// The repository of git, or the folder itself.
    fn repository(&self) -> &Path {
        self.git.as_deref().unwrap_or(&self.folder)
    }

    fn environments(&self) -> Option<&Path> {
        let found = self.environments.get_or_init(|| {
            let settings = hieratic::Settings::discover(&self.folder);
            let several = settings.environmentpath;
            settings.environment_dir.or_else(|| Some(several?.folders().next()?.parent()?.to_owned()))
        });
        found.as_deref()
    }

    /// The topmost folder that is searched for settings. Without git, the environment around the folder is the
    /// repository.
    fn root(&self) -> &Path {
        self.git.as_deref().or_else(|| self.environments()).unwrap_or(&self.folder)
    }

    /// The repository's file, the innermost one.
    fn file(&self) -> Option<PathBuf> {
        let root = self.root();
        let inside = self.folder.ancestors().take_while(|candidate| candidate.starts_with(root));
        inside.map(|candidate| candidate.join(FILE)).find(|path| path.symlink_metadata().is_ok())
    }
}

/// The user's file.
pub(crate) fn user_file() -> Option<PathBuf> {
    Some(crate::places::settings()?.join("config.toml"))
}
