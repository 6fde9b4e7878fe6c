//! [`View`]: a snapshot of a control repository, for the language server and other tools.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::eyaml::KeySource;
use hieratic::puppet_types::Type;
use hieratic::{Environment, Facts, Hash, Node, Settings, Value};

use super::Workspace;
use super::code::{ClassInfo, Code, ParameterInfo};
use super::data::{DataFile, LOOKUP_OPTIONS, Reader, has_interpolation};
use super::hierarchy::Config;
use super::key_usage::KeyUsage;
use super::nodes::SYNTHETIC;
use super::pattern::{Bindings, node_for};
use super::types::{Types, language};
use crate::analysis::{Analyzed, EnvironmentProgram};

/// The identity of the hierarchy of a [`View`] and of the files that its levels can read. It changes when a file is
/// added or removed, or when a configuration changes.
#[derive(Clone)]
pub struct Hierarchy(Arc<Vec<Config>>);

impl Hierarchy {
    /// Returns whether both are the same hierarchy.
    pub fn is_same(&self, other: &Hierarchy) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// A snapshot of a control repository: its environment, its data and its classes.
#[derive(Clone)]
pub struct View {
    settings: Arc<Settings>,
    environment: Environment,
    configs: Arc<Vec<Config>>,
    files: Arc<Vec<Arc<DataFile>>>,
    code: Arc<Code>,
    searched: Bindings,
    misses_modules: bool,
    program: EnvironmentProgram,
}

impl View {
    pub(crate) fn new(workspace: &Workspace, code: Arc<Code>, analyzed: &Analyzed) -> View {
        let misses_modules = workspace.missing_parts.misses_modules();
        View {
            program: analyzed.program(&workspace.environment, &code, misses_modules),
            settings: workspace.settings.clone(),
            environment: workspace.environment.clone(),
            configs: workspace.configs.clone(),
            files: Arc::new(workspace.files.clone()),
            code,
            searched: workspace.searched.clone(),
            misses_modules,
        }
    }

    /// Returns the settings that open the environment. The open files in them may be older than the view.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the environment, with the same files as the view.
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    /// Returns the folder of the environment.
    pub fn root(&self) -> &Path {
        &self.environment.layers().environment.root
    }

    /// Returns the identity of the hierarchy. Views with the same hierarchy read the same files for the same facts.
    pub fn hierarchy(&self) -> Hierarchy {
        Hierarchy(self.configs.clone())
    }

    /// Returns the data files, by path.
    pub fn files(&self) -> &[Arc<DataFile>] {
        &self.files
    }

    /// Returns the data file with this path.
    pub fn file(&self, path: &Path) -> Option<&Arc<DataFile>> {
        let at = self.files.binary_search_by(|file| file.path.as_path().cmp(path)).ok()?;
        self.files.get(at)
    }

    /// Returns the module of a data file. `None` for the environment's.
    pub fn module_of(&self, file: &DataFile) -> Option<&str> {
        self.configs.get(file.config)?.module.as_deref()
    }

    /// Returns the levels of the hierarchy of the environment, with their uninterpolated paths.
    pub fn levels(&self) -> impl Iterator<Item = (&str, impl Iterator<Item = &str>)> {
        let own = self.configs.iter().filter(|config| config.module.is_none()).flat_map(|config| &config.levels);
        own.map(|level| (&*level.level.name, level.level.sources.iter().map(|source| source.text.as_str())))
    }

    /// Returns the configuration files with data, each with its module.
    pub fn configurations(&self) -> impl Iterator<Item = (PathBuf, Option<&str>)> {
        self.configs.iter().map(|config| (config.root.join("hiera.yaml"), config.module.as_deref()))
    }

    /// Returns the classes, by name.
    pub fn classes(&self) -> impl Iterator<Item = (&str, &ClassInfo)> {
        self.code.classes.iter().map(|(name, class)| (name.as_str(), &**class))
    }

    /// Returns a class.
    pub fn class(&self, name: &str) -> Option<&ClassInfo> {
        self.code.classes.get(name).map(|class| &**class)
    }

    /// Returns the class and the parameter of a key.
    pub fn parameter<'v>(&'v self, key: &str) -> Option<(&'v ClassInfo, &'v ParameterInfo)> {
        let (class, name) = key.rsplit_once("::")?;
        let class = self.class(class)?;
        Some((class, class.parameters.iter().find(|parameter| parameter.name == name)?))
    }

    /// Parses a type with the aliases of modules. Returns `None` if it is not a type, or uses an alias that is not
    /// installed.
    pub fn type_of(&self, text: &str) -> Option<Type> {
        Types::new(&language(&self.environment)).get(text)
    }

    /// Returns the code for the analysis.
    pub fn program(&self) -> &EnvironmentProgram {
        &self.program
    }

    /// Returns the keys that code may look up.
    pub fn key_usage(&self) -> KeyUsage<'_> {
        KeyUsage::new(&self.code, &self.environment, self.misses_modules)
    }

    /// Returns the options of a key under its exact name, in all data files.
    pub fn options_of<'v>(&'v self, key: &'v str) -> impl Iterator<Item = (&'v DataFile, &'v Value)> {
        self.files.iter().filter_map(move |file| Some((&**file, file.hash.get(LOOKUP_OPTIONS)?.as_hash()?.get(key)?)))
    }

    /// Returns the options of the first level that decrypts the values of a file. Returns `None` if no level does, or
    /// if the options depend on the node.
    pub fn secret_options(&self, file: &DataFile) -> Option<&Hash> {
        let levels = &self.configs.get(file.config)?.levels;
        let opening = file.reached.iter().filter_map(|reach| levels.get(reach.level));
        let options = opening.filter(|level| level.reader == Reader::Eyaml).map(|level| &level.level.options).next()?;
        (!has_interpolation(&Value::Hash(options.clone()))).then_some(options)
    }

    /// Returns whether every level that can define a key reads YAML or JSON. If so, its answers for two nodes that read
    /// the same files differ only by interpolations.
    pub fn reads_plain_files_only(&self, key: &str) -> bool {
        let module = key.split_once("::").map(|(module, _)| module);
        let can_have = |config: &&Config| config.module.is_none() || config.module.as_deref() == module;
        let levels = self.configs.iter().filter(can_have).flat_map(|config| &config.levels);
        let is_plain = |reader: Reader| matches!(reader, Reader::Yaml | Reader::Eyaml | Reader::Json);
        levels.map(|level| level.reader).all(is_plain)
    }

    /// Returns the files and environment variables with decryption keys that may be read.
    pub fn key_source(&self) -> KeySource {
        let capabilities = self.environment.capabilities();
        KeySource { files: capabilities.data.clone(), variables: capabilities.variables.clone() }
    }

    /// Returns a synthetic node that reads a file, or `None` if no node can.
    pub fn node_that_reads(&self, file: &DataFile) -> Option<(Facts, Node)> {
        file.reached.iter().find_map(|reach| {
            let bindings =
                self.searched.iter().chain(&reach.bindings).map(|(name, value)| (name.clone(), value.clone()));
            let facts = node_for(&bindings.collect(), SYNTHETIC)?;
            let node = self.environment.node(&facts).ok()?;
            Some((facts, node))
        })
    }
}
