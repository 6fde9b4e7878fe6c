//! An environment: its configurations, its data, its code, and everything that is wrong between them.

mod anchors;
mod answers;
mod catalogs;
mod code;
mod contents;
mod cycles;
mod data;
mod documentation;
mod hierarchy;
mod hygiene;
mod interpolations;
mod keys;
mod knockouts;
pub(crate) mod legacy;
mod lookup_calls;
mod lookup_options;
mod nodes;
mod parameters;
mod pattern;
mod promises;
mod readers;
mod schema;
mod secrets;
mod suggestions;
mod survey;
mod types;
mod unreachable;
mod unused;
mod view;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::sandbox::{FileKind, Files, Mounted};
use hieratic::{Environment, Layers, Redactor, Settings, Strict};
use hieratic_value::collections::{HashMap, HashSet};
use rayon::prelude::*;

use answers::Answers;
pub use code::{ClassInfo, ParameterInfo};
pub(crate) use code::{Code, CodePart};
pub use contents::{Contents, Data, LevelContents, contents, contents_about, names_looked_up};
pub use data::{DataFile, LOOKUP_OPTIONS, Reader, Text};
use hierarchy::{Config, LocatedFile};
pub(crate) use hygiene::Needed;
pub use hygiene::{Entry, removable_entries};
pub use legacy::{fact_keys, modern_fact};
pub use nodes::SYNTHETIC;
use nodes::{SampleNode, SampleNodes};
use pattern::{Bindings, Pattern};
pub use readers::{Readers, Reading, readers};
pub use schema::schema;
pub use survey::{Survey, nodes_of_any_data, shown_node, survey};
pub use unused::KeyUsage;
pub use view::View;

use hieratic_diagnostics::Source;

use crate::coverage::Omission;
use crate::finding::Finding;
use crate::missing_parts::MissingParts;
use crate::modules::check_versions;
use crate::options::Options;
use crate::paths::shown;
use crate::progress::Progress;
use crate::rules;
use crate::tests_of_modules::TestFolders;
use crate::tree::{Skip, Skipped};

/// A data file that was read, and the findings in it alone.
pub(crate) type ReadFile = (Arc<DataFile>, Vec<Finding>);

/// An environment with its configurations and data.
pub(crate) struct Repository {
    /// The settings that it was opened with.
    settings: Arc<Settings>,
    environment: Environment,
    configs: Arc<Vec<Config>>,
    files: Vec<Arc<DataFile>>,
    /// The files in data folders that no level can reach.
    unreachable: Vec<PathBuf>,
    /// Levels that may lead to more files than are here: in environments of other names, if the name is not given, and
    /// what git ignores.
    incomplete_levels: HashSet<(usize, usize)>,
    /// Data files that cannot be read. Each has a finding.
    unreadable: Vec<PathBuf>,
    /// The values, for synthetic nodes, of the variables that globs of hierarchies depend on.
    searched: Bindings,
    /// The parts of it that are missing.
    missing_parts: MissingParts,
    /// The findings about its configurations.
    findings: Vec<Finding>,
    /// The findings of each data file alone.
    own: HashMap<PathBuf, Vec<Finding>>,
    /// A cache of the answers of synthetic nodes.
    answers: Answers,
    /// Entries of its data that another environment needs.
    needed: Needed,
}

/// The settings of an environment whose files are read once, with their lines.
fn read_once(settings: &Settings) -> Settings {
    Settings { strict: Some(Strict::Off), positions: true, once: true, ..settings.clone() }
}

/// An environment that cannot be opened.
fn unusable(error: hieratic::Error) -> Box<Finding> {
    let finding = Finding::new(&rules::HIERARCHY, error.to_string());
    Box::new(match error.help_text() {
        Some(help) => finding.help(help),
        None => finding,
    })
}

impl Repository {
    /// Opens the environment of a folder, reads its configurations and all of its data.
    pub(crate) fn open(settings: &Settings, progress: &dyn Progress) -> Result<Repository, Box<Finding>> {
        Repository::open_with(settings, &HashMap::default(), progress)
    }

    /// Opens an environment without reading the data files again that are in `read`.
    pub(crate) fn open_with(
        settings: &Settings,
        read: &HashMap<PathBuf, ReadFile>,
        progress: &dyn Progress,
    ) -> Result<Repository, Box<Finding>> {
        let opened = Environment::open(&read_once(settings)).map_err(unusable)?;
        let known = |located: &LocatedFile, _: &Environment| read.get(&located.path).cloned();
        Repository::from_environment(settings, opened, &known, progress)
    }

    /// Opens an environment as far as these names matter: YAML and JSON files that cannot contain any of them are not
    /// parsed. Their keys are unknown, and they may be unreadable.
    pub(crate) fn open_for(settings: &Settings, names: &[&str]) -> Result<Repository, Box<Finding>> {
        let opened = Environment::open(&read_once(settings)).map_err(unusable)?;
        let known = |located: &LocatedFile, environment: &Environment| {
            let LocatedFile { path, config, reached, reader } = located;
            if !matches!(reader, Reader::Yaml | Reader::Eyaml | Reader::Json) {
                return None;
            }
            let source = crate::texts::read(path, &environment.powers().data).ok()?;
            let is_asked = names.iter().any(|name| data::may_have(source.text(), name));
            let file = match is_asked {
                true => DataFile::parse(path, source, *config, reached.clone(), *reader),
                false => (DataFile::unparsed(path, source, *config, reached.clone(), *reader), Vec::new()),
            };
            Some((Arc::new(file.0), file.1))
        };
        Repository::from_environment(settings, opened, &known, &())
    }

    /// Opens an environment beside another one with the same files, and shares the data that was read.
    pub(crate) fn open_like(settings: &Settings, other: &Environment) -> Result<Repository, Box<Finding>> {
        let opened = Environment::open_beside(&read_once(settings), other).map_err(unusable)?;
        Repository::from_environment(settings, opened, &|_, _| None, &())
    }

    /// Opens a state that is a [patch](hieratic::sandbox::Patched) of another. Files outside of the patch are not read
    /// again.
    pub(crate) fn open_beside(settings: &Settings, other: &Repository) -> Result<Repository, Box<Finding>> {
        let opened = Environment::open_beside(&read_once(settings), &other.environment).map_err(unusable)?;
        let read: HashMap<&Path, &Arc<DataFile>> = other.files.iter().map(|file| (file.path.as_path(), file)).collect();
        let known = |located: &LocatedFile, environment: &Environment| {
            let path = located.path.as_path();
            // Other formats may read further files.
            let is_alone =
                |file: &DataFile| matches!(file.reader, Reader::Yaml | Reader::Eyaml | Reader::Json | Reader::Hocon);
            let file = read.get(path).filter(|file| is_alone(file) && !environment.powers().data.is_patched(path))?;
            Some((Arc::clone(file), other.own.get(path).cloned().unwrap_or_default()))
        };
        Repository::from_environment(settings, opened, &known, &())
    }

    /// Creates a repository from an open environment. `known` returns the data files that were read already.
    fn from_environment(
        settings: &Settings,
        environment: Environment,
        known: &(dyn Fn(&LocatedFile, &Environment) -> Option<ReadFile> + Sync),
        progress: &dyn Progress,
    ) -> Result<Repository, Box<Finding>> {
        let given = Arc::new(settings.clone());
        let settings = read_once(settings);
        let mut missing_parts = MissingParts::new(&environment, &environment.powers().data);
        let hierarchy::Configs { usable: configs, mut findings } = hierarchy::configs(&environment, &mut missing_parts);
        let hierarchy::LocatedFiles { located: found, unreachable, incomplete_levels, private, unreadable } =
            hierarchy::locate(&configs, &environment, is_named(&settings));
        for (config, level) in &private {
            missing_parts.private_level(&configs[*config].levels[*level].level.name);
        }
        findings.extend(unreadable);
        progress.begin("data files", found.len());
        let read: Vec<_> = found
            .into_par_iter()
            .map(|located| {
                let known = known(&located, &environment).filter(|(file, _)| file.reader == located.reader);
                let LocatedFile { path, config, reached, reader } = located;
                let read = match known {
                    Some((file, wrong)) if file.config == config && file.reached == reached => (Some(file), wrong),
                    Some((file, wrong)) => (Some(Arc::new(file.moved(config, reached))), wrong),
                    None => {
                        let (file, wrong) = DataFile::read(&path, &environment.powers().data, config, reached, reader);
                        (file.map(Arc::new), wrong)
                    }
                };
                progress.step();
                (path, read)
            })
            .collect();
        let mut unreadable = Vec::new();
        let mut files = Vec::with_capacity(read.len());
        let mut own = HashMap::default();
        for (path, (file, wrong)) in read {
            match file {
                Some(file) => files.push(file),
                None => unreadable.push(path.clone()),
            }
            if !wrong.is_empty() {
                own.insert(path, wrong);
            }
        }
        let searched = searched_by(&configs).map(|name| (name.to_owned(), nodes::SYNTHETIC.to_owned())).collect();
        let configs = Arc::new(configs);
        Ok(Repository {
            settings: given,
            environment,
            configs,
            files,
            unreadable,
            unreachable,
            incomplete_levels,
            searched,
            missing_parts,
            findings,
            own,
            answers: Answers::default(),
            needed: Needed::default(),
        })
    }

    /// Lets it read a patch of the files that `base`, the environment as it was opened, reads: no file came, none went,
    /// and no configuration is another.
    pub(crate) fn patch(&mut self, base: &Environment, patch: &Mounted) {
        self.environment = base.patched(patch);
    }

    /// Lets entries stay that another environment needs.
    pub(crate) fn keep(&mut self, needed: Needed) {
        self.needed = needed;
    }

    /// The data files with comments that ignore findings.
    pub(crate) fn commented(&self) -> impl Iterator<Item = Source> {
        self.files.iter().filter(|file| file.has_ignores).map(|file| file.source.clone())
    }

    /// Reports whether modules, data or functions are missing that findings could depend on.
    pub(crate) fn misses_something(&self) -> bool {
        self.note().is_some() || self.has_hidden_keys()
    }

    /// Its environment.
    pub(crate) fn environment(&self) -> &Environment {
        &self.environment
    }

    /// Rereads the data files that `changed` selects. Returns false if one of them cannot be read any more.
    pub(crate) fn reread(&mut self, changed: &dyn Fn(&DataFile) -> bool) -> bool {
        let mut is_whole = true;
        if self.has_other_sources() {
            // Anything may be part of what functions, executables and included files answer.
            self.answers.clear();
        }
        for index in 0..self.files.len() {
            let before = self.files[index].clone();
            if !changed(&before) {
                continue;
            }
            let DataFile { path, config, reached, reader, .. } = &*before;
            let files = &self.environment.powers().data;
            let (read, wrong) = DataFile::read(path, files, *config, reached.clone(), *reader);
            match wrong.is_empty() {
                true => self.own.remove(path),
                false => self.own.insert(path.clone(), wrong),
            };
            match read {
                Some(read) => {
                    let read = Arc::new(read);
                    self.files[index] = read.clone();
                    self.answers.forget(&before, &read, &self.files);
                }
                None => is_whole = false,
            }
        }
        is_whole
    }

    /// Reports whether a data file could not be read.
    pub(crate) fn is_unreadable(&self, path: &Path) -> bool {
        self.unreadable.iter().any(|unreadable| unreadable == path)
    }

    /// The backend of each data file.
    pub(crate) fn readers(&self) -> impl Iterator<Item = (PathBuf, Reader)> {
        self.files.iter().map(|file| (file.path.clone(), file.reader))
    }

    /// The files of data that were read, to be [read no more](Self::open_with).
    pub(crate) fn into_files(self) -> impl Iterator<Item = (PathBuf, ReadFile)> {
        let Repository { files, mut own, .. } = self;
        files
            .into_iter()
            .map(move |file| (file.path.clone(), (file.clone(), own.remove(&file.path).unwrap_or_default())))
    }

    /// A snapshot of its contents.
    pub(crate) fn view(&self, code: &Arc<Code>) -> View {
        View::new(self, code.clone())
    }

    /// The files that may be read.
    pub(crate) fn readable(&self) -> &Files {
        &self.environment.powers().data
    }

    /// The folders of its modules and its own, which have code, and those of modules that the checkout has outside of
    /// the module path, where something else puts them when it is deployed.
    pub(crate) fn code_roots(&self) -> Vec<PathBuf> {
        let layers = self.environment.layers();
        let modules = layers.modules.values().map(|module| module.root.clone());
        let mut roots: Vec<PathBuf> = modules.chain([layers.environment.root.clone()]).collect();
        roots.extend(self.unlisted_modules());
        roots
    }

    /// The files of its code, sorted, with whether each is a manifest; and findings about unreadable folders.
    pub(crate) fn code_files(&self) -> (Vec<(PathBuf, bool)>, Vec<Finding>) {
        let below: Vec<_> = self.code_roots().par_iter().map(|root| code::files(root, self.readable())).collect();
        let (mut files, mut unreadable) = (Vec::new(), Vec::new());
        for (of_root, skipped) in below.into_iter().chain([self.main_manifests()]) {
            files.extend(of_root);
            unreadable.extend(skipped.iter().filter_map(unlisted));
        }
        files.sort();
        files.dedup();
        (files, unreadable)
    }

    /// The manifests that `environment.conf` names. If it names a path on a server, those in the checkout whose path
    /// has the same end.
    fn main_manifests(&self) -> (Vec<(PathBuf, bool)>, Vec<Skipped>) {
        let (named, files) = (self.environment.manifest(), self.readable());
        let here = if files.exists(named) { Some(named.to_owned()) } else { self.deployed_from(named) };
        match here {
            Some(folder) if files.is_folder(&folder) => code::manifests_below(&folder, files),
            Some(file) => (vec![(file, true)], Vec::new()),
            None => Default::default(),
        }
    }

    /// The path in the checkout whose end is that of a path on a server.
    fn deployed_from(&self, path: &Path) -> Option<PathBuf> {
        let root = self.root();
        let parts: Vec<_> = path.components().collect();
        let around = root.ancestors().take_while(|folder| self.readable().holds(folder));
        let ends: Vec<PathBuf> = (1..parts.len()).map(|start| parts[start..].iter().collect()).collect();
        around.flat_map(|folder| ends.iter().map(move |end| folder.join(end))).find(|path| self.readable().exists(path))
    }

    /// The folders of the modules that the checkout has outside of the module path.
    fn unlisted_modules(&self) -> Vec<PathBuf> {
        let layers = self.environment.layers();
        let known: HashSet<&Path> = layers.modules.values().map(|module| module.root.as_path()).collect();
        let is_new = |path: &Path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            !known.contains(path) && path != layers.environment.root && !layers.modules.contains_key(name)
        };
        modules_below(&layers.environment.root, self.readable(), &is_new)
    }

    /// The names of these modules: they can have data, which is not checked.
    fn unlisted_module_names(&self) -> HashSet<String> {
        let name = |path: &PathBuf| path.file_name().and_then(|name| name.to_str()).map(str::to_owned);
        self.unlisted_modules().iter().filter_map(name).collect()
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
        self.missing_parts.omissions(code)
    }

    /// Reports whether a name belongs to a module that is not installed, so that its contents are unknown.
    fn is_of_missing_module(&self, name: &str) -> bool {
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

    /// Everything that is wrong with it, and the keys of which that is not known, each with the first file that has it.
    pub(crate) fn check(
        &self,
        code: &Code,
        options: &Options,
        progress: &dyn Progress,
    ) -> (Vec<Finding>, Vec<(PathBuf, String)>) {
        let mut findings = self.findings.clone();
        let wrong_files = self.files.iter().map(|file| &file.path).chain(&self.unreadable);
        findings.extend(wrong_files.filter_map(|path| self.own.get(path)).flatten().cloned());
        let known = SampleNodes::new(self, &options.nodes);
        findings.extend(known.faults.iter().map(|fault| Finding::new(&rules::HIERARCHY, fault.clone())));
        type Check = fn(&Repository, &Code, &SampleNodes<'_>, &Options) -> Vec<Finding>;
        let checks: [Check; 14] = [
            keys::check,
            lookup_options::check,
            interpolations::check,
            cycles::check,
            legacy::check,
            knockouts::check,
            parameters::check,
            secrets::check,
            unreachable::check,
            unused::check,
            catalogs::check,
            hygiene::check,
            promises::check,
            versions,
        ];
        progress.begin("rules", checks.len());
        let each = || -> Vec<Vec<Finding>> {
            let found = checks.par_iter().map(|check| {
                let found = check(self, code, &known, options);
                progress.step();
                found
            });
            found.collect()
        };
        let (found, (failing, not_judged)) = rayon::join(each, || keys::failing(self, &known));
        findings.extend(found.into_iter().flatten().chain(failing));
        tell_keys_once(&mut findings);
        // Secrets that lookups have decrypted are redacted in every message.
        let mask = Redactor::new(self.environment.secrets(), false);
        findings.iter_mut().for_each(|finding| finding.redact(&mask));
        (findings, not_judged)
    }

    fn config(&self, file: &DataFile) -> &Config {
        &self.configs[file.config]
    }

    /// The module whose data a file holds.
    fn module_of(&self, file: &DataFile) -> Option<&str> {
        self.config(file).module.as_deref()
    }

    /// Every key that data has, of a module only in its namespace.
    fn keys(&self) -> HashSet<&str> {
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

    /// Reports whether there are sources whose keys cannot be listed.
    fn has_hidden_keys(&self) -> bool {
        self.configs.iter().any(|config| config.levels.iter().any(|level| level.reader == data::Reader::Other))
            || self.files.iter().any(|file| matches!(file.reader, data::Reader::Hcl | data::Reader::Directives))
    }

    /// Reports whether levels may have private keys: data that git ignores, or that a setting names.
    fn has_private_levels(&self, options: &Options) -> bool {
        let names = |config: &Config| {
            config.levels.iter().any(|level| options.private_levels.iter().any(|name| **name == *level.level.name))
        };
        self.missing_parts.has_private_levels() || self.configs.iter().any(names)
    }

    /// Reports whether answers depend on more than the data files: on functions, executables, and included files.
    fn has_other_sources(&self) -> bool {
        let is_elsewhere = |level: &hierarchy::Level| level.reader == Reader::Other && !hierarchy::lacks_datadir(level);
        self.configs.iter().any(|config| config.levels.iter().any(is_elsewhere))
            || self.files.iter().any(|file| matches!(file.reader, Reader::Hcl | Reader::Directives))
    }

    /// Reports whether a level was not read because it is outside of the readable folders.
    fn has_unread_levels(&self) -> bool {
        self.configs.iter().any(|config| config.levels.iter().any(hierarchy::lacks_datadir))
    }

    /// The nodes that read a file: given nodes, or synthetic ones from its path.
    fn sample_nodes<'t>(&self, known: &'t SampleNodes<'_>, file: usize) -> Vec<SampleNode<'t>> {
        known.sample_nodes(self, file)
    }
}

/// Versions of modules that do not agree.
fn versions(repository: &Repository, _: &Code, _: &SampleNodes<'_>, _: &Options) -> Vec<Finding> {
    check_versions(&repository.root(), repository.environment.layers(), repository.readable())
}

/// The finding about a path that was skipped because it cannot be read.
pub(crate) fn unlisted(skipped: &Skipped) -> Option<Finding> {
    match &skipped.skip {
        Skip::Unreadable(why) => Some(unreadable(&skipped.path, why)),
        Skip::Hidden | Skip::IgnoredByGit | Skip::TooDeep | Skip::Special => None,
    }
}

/// A file or folder that cannot be read.
pub(crate) fn unreadable(path: &Path, why: &str) -> Finding {
    let name = shown(path);
    Finding::new(&rules::UNREADABLE, format!("{name} cannot be read: {why}")).in_file(name)
}

/// The deepest nesting of folders in which modules are sought.
const DEEPEST_MODULE: usize = 3;

/// The folders in the folder of an environment that have the layout of a module, as far as `is_wanted` selects them.
/// Modules for tests do not count.
fn modules_below(root: &Path, files: &Files, is_wanted: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![(root.to_owned(), 0)];
    let mut tests = TestFolders::new(files, root);
    while let Some((folder, depth)) = open.pop() {
        // The walk through all code reports folders that cannot be listed.
        for entry in files.list(&folder).unwrap_or_default() {
            let path = folder.join(&entry.name);
            if entry.kind != FileKind::Folder || entry.name.starts_with('.') || tests.hold(&path.join("manifests")) {
                continue;
            }
            match files.is_folder(&path.join("manifests")) {
                true if is_wanted(&path) => found.push(path),
                true => {}
                false if depth + 1 < DEEPEST_MODULE => open.push((path, depth + 1)),
                false => {}
            }
        }
    }
    found
}

/// Reports whether the name of the environment is given, as opposed to the default of a server.
fn is_named(settings: &Settings) -> bool {
    settings.environment.is_some() || settings.environment_dir.is_none()
}

/// The files that all hierarchies of a checkout read.
#[derive(Default)]
pub(crate) struct ExternalReads {
    /// Files that those reach which are not checked themselves.
    read: HashSet<PathBuf>,
    /// Levels whose folders are not here.
    missing_datadirs: Vec<hieratic::hiera::inspect::Level>,
    /// Whether an environment cannot be opened, so that its files are unknown.
    is_incomplete: bool,
}

impl ExternalReads {
    /// Collects the files that the levels of the checked environments, and of the hierarchies inside of these, read.
    pub(crate) fn new(checked: &[Repository], beside: &[Settings]) -> ExternalReads {
        let mut external_reads = ExternalReads::default();
        external_reads
            .missing_datadirs
            .extend(checked.iter().flat_map(|repository| hierarchy::missing_datadirs(&repository.configs)));
        for settings in beside {
            let Ok(environment) = Environment::open(settings) else {
                external_reads.is_incomplete = true;
                continue;
            };
            let configs = hierarchy::configs(&environment, &mut MissingParts::default()).usable;
            let located = hierarchy::locate(&configs, &environment, true).located;
            external_reads.read.extend(located.into_iter().map(|located| located.path));
            external_reads.missing_datadirs.extend(hierarchy::missing_datadirs(&configs));
        }
        external_reads
    }
}

/// The environments that were found around and below folders.
pub(crate) struct Environments {
    /// The environments that are checked.
    pub(crate) checked: Vec<Settings>,
    /// Hierarchies inside of these that something else than a server uses: a virtual machine, an example.
    pub(crate) beside: Vec<Settings>,
}

/// Removes the finding that a key is never looked up if another finding says that it is not a parameter.
fn tell_keys_once(findings: &mut Vec<Finding>) {
    let place = |finding: &Finding| Some((finding.file().to_owned(), finding.primary()?.1.start));
    let is_unknown = |finding: &&Finding| finding.rule.id() == rules::UNKNOWN_PARAMETER.id();
    let reported: HashSet<(String, u32)> = findings.iter().filter(is_unknown).filter_map(place).collect();
    findings.retain(|finding| {
        let is_unused = finding.rule.id() == rules::UNUSED_KEY.id();
        !is_unused || !place(finding).is_some_and(|place| reported.contains(&place))
    });
}

/// The environments around and below folders, by their roots. `named` are the paths that the user named.
pub(crate) fn environments(folders: &[PathBuf], named: &HashSet<PathBuf>, given: &Settings) -> Environments {
    if given.environment_dir.is_some() || given.environmentpath.is_some() || given.codedir.is_some() {
        return Environments { checked: vec![given.clone()], beside: Vec::new() };
    }
    let mut found: HashMap<PathBuf, Settings> = HashMap::default();
    for folder in folders {
        let mut settings = Settings { environment: None, ..given.clone() };
        settings.find_repository(folder);
        let root = match (&settings.environment_dir, &settings.environmentpath, &settings.environment) {
            (Some(root), ..) => root.clone(),
            (None, Some(path), Some(name)) => match path.folders().next() {
                Some(folder) => folder.join(name),
                None => continue,
            },
            // The folder of all environments is walked, which finds each of them.
            _ => continue,
        };
        if given.environment.as_ref().is_some_and(|name| settings.environment.as_ref().is_some_and(|own| own != name)) {
            continue;
        }
        // A checkout is deployed under the name that is given.
        settings.environment = settings.environment.or_else(|| given.environment.clone());
        found.entry(root).or_insert(settings);
    }
    let roots: Vec<PathBuf> = found.keys().cloned().collect();
    let mut all: Vec<(PathBuf, Settings)> = found.into_iter().collect();
    all.sort_by(|(left, _), (right, _)| left.cmp(right));
    let (checked, beside): (Vec<_>, Vec<_>) = all.into_iter().partition(|(root, _)| is_checked(root, &roots, named));
    let settings = |all: Vec<(PathBuf, Settings)>| all.into_iter().map(|(_, settings)| settings).collect();
    Environments { checked: settings(checked), beside: settings(beside) }
}

/// Reports whether a root is checked as an environment. A root inside another environment or a module is not, unless it
/// is named or is one of several in a folder `environments`.
fn is_checked(root: &Path, roots: &[PathBuf], named: &HashSet<PathBuf>) -> bool {
    if named.iter().any(|path| path.starts_with(root)) {
        return true;
    }
    let among = root.parent().filter(|parent| parent.ends_with("environments"));
    let outer = among.and_then(Path::parent).unwrap_or(root);
    let is_in_another = roots.iter().any(|other| outer != other && outer.starts_with(other));
    !is_in_another && !is_in_module(outer, named)
}

/// Reports whether a folder is in a module below the named paths: next to code, as in a module.
fn is_in_module(folder: &Path, named: &HashSet<PathBuf>) -> bool {
    let files = Files::anywhere();
    let is_below_named = |above: &&Path| named.iter().any(|path| above.starts_with(path));
    folder
        .ancestors()
        .skip(1)
        .take_while(is_below_named)
        .any(|above| files.is_named(&above.join("manifests")) || files.is_named(&above.join("metadata.json")))
}

/// Reports whether a name belongs to a module that is not installed.
fn is_of_missing_module(name: &str, layers: &Layers) -> bool {
    let module = name.split("::").next().unwrap_or(name);
    name.contains("::") && !layers.modules.contains_key(module)
}

/// The variables that searches of hierarchies depend on.
fn searched_by(configs: &[Config]) -> impl Iterator<Item = &str> {
    let patterns = configs.iter().flat_map(|config| &config.levels).flat_map(|level| &level.patterns);
    patterns.flat_map(Pattern::searched_by)
}

/// A few names as a message lists them.
fn list(names: &[&str]) -> String {
    const SHOWN: usize = 3;
    match names.len().checked_sub(SHOWN) {
        Some(more) if more > 0 => format!("{} and {more} more", names[..SHOWN].join(", ")),
        _ => names.join(", "),
    }
}

/// The file that a message names, relative if it can be.
fn named(path: &Path) -> String {
    shown(path)
}
