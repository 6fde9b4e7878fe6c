//! [`Workspace`]: the opened parts of an environment: its configurations, its data, and the folders of its code.

pub(crate) mod anchors;
mod answers;
pub(crate) mod code;
mod code_files;
mod contents;
pub(crate) mod data;
mod discover;
mod documentation;
pub(crate) mod hierarchy;
pub(crate) mod key_usage;
pub(crate) mod lookup_calls;
pub(crate) mod lookup_options;
pub(crate) mod nodes;
mod open;
pub(crate) mod pattern;
mod readers;
mod schema;
pub(crate) mod secret_keys;
pub(crate) mod suggestions;
mod survey;
pub(crate) mod types;
mod view;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::layers::Layers;
use hieratic::sandbox::{Files, Mounted};
use hieratic::value::collections::{HashMap, HashSet};
use hieratic::{Environment, Settings};
use hieratic_diagnostics::Source;

pub(crate) use answers::Answers;
pub use code::{ClassInfo, ParameterInfo};
pub(crate) use code::{Code, CodePart};
pub use contents::{Contents, Data, LevelContents, contents, contents_about, names_looked_up};
pub use data::{DataFile, LOOKUP_OPTIONS, Reader, Text, has_interpolation};
pub(crate) use discover::{Environments, ExternalReads, environments};
use hierarchy::Config;
pub use key_usage::KeyUsage;
pub use nodes::SYNTHETIC;
pub(crate) use nodes::SampleNodes;
pub(crate) use open::is_named;
use pattern::Bindings;
pub use readers::{Readers, Reading, readers};
pub use schema::schema;
pub use survey::{Survey, named_nodes_of_any_data, nodes_of_any_data, nodes_of_data_about, shown_node, survey};
pub use view::{Hierarchy, View};

use crate::analysis::Analyzed;
use crate::coverage::Omission;
use crate::finding::Finding;
use crate::missing_parts::MissingParts;
use crate::options::Options;
use crate::paths::shown;
use crate::rules::unreadable;
use crate::tree::{Skip, Skipped};

/// A data file that was read, and the findings in it alone.
pub(crate) type ReadFile = (Arc<DataFile>, Vec<Finding>);

/// An environment as it was opened: its configurations and its data, and what is missing. It runs nothing: a
/// [`Runner`](crate::runner::Runner) does, and a [`Session`](crate::Session) keeps it up to date.
pub(crate) struct Workspace {
    /// The settings that it was opened with.
    pub(crate) settings: Arc<Settings>,
    /// Its environment.
    pub(crate) environment: Environment,
    /// Its configurations.
    pub(crate) configs: Arc<Vec<Config>>,
    /// Its data files.
    pub(crate) files: Vec<Arc<DataFile>>,
    /// The files in data folders that no level can reach.
    pub(crate) unreachable: Vec<PathBuf>,
    /// Levels that may lead to more files than are here: in environments of other names, if the name is not given, and
    /// what git ignores.
    pub(crate) incomplete_levels: HashSet<(usize, usize)>,
    /// Data files that cannot be read. Each has a finding.
    pub(crate) unreadable: Vec<PathBuf>,
    /// The values, for synthetic nodes, of the variables that globs of hierarchies depend on.
    pub(crate) searched: Bindings,
    /// The parts of it that are missing.
    pub(crate) missing_parts: MissingParts,
    /// The findings about its configurations.
    pub(crate) findings: Vec<Finding>,
    /// The findings of each data file alone.
    pub(crate) own: HashMap<PathBuf, Vec<Finding>>,
}

impl Workspace {
    /// Lets it read a patch of the files that `base`, the environment as it was opened, reads: no file came, none went,
    /// and no configuration is another.
    pub(crate) fn patch(&mut self, base: &Environment, patch: &Mounted) {
        self.environment = base.patched(patch);
    }

    /// The findings about its configurations, and about each data file alone.
    pub(crate) fn findings_of_opening(&self) -> Vec<Finding> {
        let wrong_files = self.files.iter().map(|file| &file.path).chain(&self.unreadable);
        let of_files = wrong_files.filter_map(|path| self.own.get(path)).flatten();
        self.findings.iter().chain(of_files).cloned().collect()
    }

    /// The data files with comments that ignore findings.
    pub(crate) fn commented(&self) -> impl Iterator<Item = Source> {
        self.files.iter().filter(|file| file.has_ignores).map(|file| file.source.clone())
    }

    /// Returns whether modules, data or functions are missing that findings could depend on.
    pub(crate) fn misses_something(&self) -> bool {
        self.note().is_some() || self.has_hidden_keys()
    }

    /// Its environment.
    pub(crate) fn environment(&self) -> &Environment {
        &self.environment
    }

    /// Returns whether a data file could not be read.
    pub(crate) fn is_unreadable(&self, path: &Path) -> bool {
        self.unreadable.iter().any(|unreadable| unreadable == path)
    }

    /// The backend of each data file.
    pub(crate) fn readers(&self) -> impl Iterator<Item = (PathBuf, Reader)> {
        self.files.iter().map(|file| (file.path.clone(), file.reader))
    }

    /// The files of data that were read, to be [read no more](Self::open_with).
    pub(crate) fn into_files(self) -> impl Iterator<Item = (PathBuf, ReadFile)> {
        let Workspace { files, mut own, .. } = self;
        files
            .into_iter()
            .map(move |file| (file.path.clone(), (file.clone(), own.remove(&file.path).unwrap_or_default())))
    }

    /// A snapshot of its contents.
    pub(crate) fn view(&self, code: &Arc<Code>, analyzed: &Analyzed) -> View {
        View::new(self, code.clone(), analyzed)
    }

    /// The files that may be read.
    pub(crate) fn readable(&self) -> &Files {
        &self.environment.capabilities().data
    }

    /// The folder of the environment.
    pub(crate) fn root(&self) -> PathBuf {
        self.environment.layers().environment.root.clone()
    }

    /// The note on missing parts, if there are any.
    pub(crate) fn note(&self) -> Option<Finding> {
        self.missing_parts.note(&self.root())
    }

    /// The parts of the environment and of these files of code that were not checked. Each file of code comes with the
    /// classes that it declares.
    pub(crate) fn omissions<'c>(&self, code: impl Iterator<Item = (&'c Path, &'c Arc<CodePart>)>) -> Vec<Omission> {
        self.missing_parts.omissions(&self.environment, code)
    }

    /// Returns whether a name belongs to a module that is not installed, so that its contents are unknown.
    pub(crate) fn is_of_missing_module(&self, name: &str) -> bool {
        self.missing_parts.misses_modules() && is_of_missing_module(name, self.environment.layers())
    }

    /// Removes the unreachable files that a level of another hierarchy reads.
    pub(crate) fn remove_read_elsewhere(&mut self, external_reads: &ExternalReads) {
        let name = self.environment.name();
        let modules = &self.environment.layers().modules;
        let is_of_module = |path: &Path| modules.values().any(|module| path.starts_with(&module.root));
        let is_read = |path: &PathBuf| {
            external_reads.read.contains(path)
                || !is_of_module(path)
                    && (external_reads.is_incomplete
                        || external_reads.missing_datadirs.iter().any(|level| hierarchy::would_read(level, path, name)))
        };
        self.unreachable.retain(|path| !is_read(path));
    }

    /// The files that it reads as data, or would if they could be read.
    pub(crate) fn data(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|file| file.path.as_path()).chain(self.unreadable.iter().map(PathBuf::as_path))
    }

    pub(crate) fn config(&self, file: &DataFile) -> &Config {
        &self.configs[file.config]
    }

    /// The module whose data a file holds.
    pub(crate) fn module_of(&self, file: &DataFile) -> Option<&str> {
        self.config(file).module.as_deref()
    }

    /// Every key that data has, of a module only in its namespace.
    pub(crate) fn keys(&self) -> HashSet<&str> {
        let mut keys = HashSet::default();
        for file in &self.files {
            let module = self.module_of(file);
            let inside = |key: &&str| {
                module.is_none_or(|module| key.strip_prefix(module).is_some_and(|rest| rest.starts_with("::")))
            };
            keys.extend(file.entries().map(|(key, _)| key).filter(inside));
        }
        keys
    }

    /// Returns whether there are sources whose keys cannot be listed.
    pub(crate) fn has_hidden_keys(&self) -> bool {
        self.configs.iter().any(|config| config.levels.iter().any(|level| level.reader == data::Reader::Other))
            || self.files.iter().any(|file| matches!(file.reader, data::Reader::Hcl | data::Reader::Directives))
    }

    /// Returns whether levels may have private keys: data that git ignores, or that a setting names.
    pub(crate) fn has_private_levels(&self, options: &Options) -> bool {
        let names = |config: &Config| {
            config.levels.iter().any(|level| options.private_levels.iter().any(|name| **name == *level.level.name))
        };
        self.missing_parts.has_private_levels() || self.configs.iter().any(names)
    }

    /// Returns whether answers depend on more than the data files: on functions, executables, and included files.
    pub(crate) fn has_other_sources(&self) -> bool {
        let is_elsewhere = |level: &hierarchy::Level| level.reader == Reader::Other && !hierarchy::lacks_datadir(level);
        self.configs.iter().any(|config| config.levels.iter().any(is_elsewhere))
            || self.files.iter().any(|file| matches!(file.reader, Reader::Hcl | Reader::Directives))
    }

    /// Returns whether a level was not read because it is outside of the readable folders.
    pub(crate) fn has_unread_levels(&self) -> bool {
        self.configs.iter().any(|config| config.levels.iter().any(hierarchy::lacks_datadir))
    }

    /// Reads a data file again, by its number. Returns the file as it was.
    ///
    /// # Errors
    /// The file cannot be read any more.
    pub(crate) fn reread(&mut self, index: usize) -> Result<Arc<DataFile>, Unreadable> {
        let before = self.files[index].clone();
        let DataFile { path, config, reached, reader, .. } = &*before;
        let files = &self.environment.capabilities().data;
        let (read, wrong) = DataFile::read(path, files, *config, reached.clone(), *reader);
        if wrong.is_empty() {
            self.own.remove(path);
        } else {
            self.own.insert(path.clone(), wrong);
        }
        self.files[index] = Arc::new(read.ok_or(Unreadable)?);
        Ok(before)
    }
}

/// A data file cannot be read. The findings of the file say why.
pub(crate) struct Unreadable;

/// Returns whether a name belongs to a module that is not installed.
pub(crate) fn is_of_missing_module(name: &str, layers: &Layers) -> bool {
    let module = name.split("::").next().unwrap_or(name);
    name.contains("::") && !layers.modules.contains_key(module)
}

/// The finding about a path that was skipped because it cannot be read.
pub(crate) fn unlisted(skipped: &Skipped) -> Option<Finding> {
    match &skipped.skip {
        Skip::Unreadable(reason) => Some(unreadable::of_path(&skipped.path, reason)),
        Skip::Hidden | Skip::IgnoredByGit | Skip::TooDeep | Skip::Special => None,
    }
}

/// A few names as a message lists them.
pub(crate) fn list(names: &[&str]) -> String {
    const SHOWN: usize = 3;
    match names.len().checked_sub(SHOWN) {
        Some(more) if more > 0 => format!("{} and {more} more", names[..SHOWN].join(", ")),
        _ => names.join(", "),
    }
}

/// The file that a message names, relative if it can be.
pub(crate) fn named(path: &Path) -> String {
    shown(path)
}
