//! [`Layers`]: the configuration of the three layers of an environment.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use hieratic_sandbox::Files;
use hieratic_value::Str;
use hieratic_value::collections::FixedState;
use indexmap::IndexMap;

/// The three layers that a lookup searches in order: global, environment, and the module of the key.
///
/// See <https://www.puppet.com/docs/puppet/8/hiera_intro.html#hiera_config_layers>.
#[derive(Clone, Debug)]
pub struct Layers {
    /// The configuration of the global layer; the file may be missing.
    pub global_config: PathBuf,
    /// The environment.
    pub environment: EnvironmentLayer,
    /// The modules, by name.
    pub modules: IndexMap<Str, ModuleLayer, FixedState>,
    /// The folder of the environments; version 3 of the configuration derives its default datadir from it.
    pub codedir: PathBuf,
}

/// The name of the configuration file of every layer.
pub const CONFIG_FILE_NAME: &str = "hiera.yaml";

/// The environment.
#[derive(Clone, Debug)]
pub struct EnvironmentLayer {
    /// Its name.
    pub name: Str,
    /// Its folder.
    pub root: PathBuf,
    /// The `environment_data_provider` of its `environment.conf`.
    pub data_provider: Option<Str>,
    /// Local replacements for datadirs that configurations name for servers.
    pub datadirs: Vec<DataFolder>,
}

/// The local replacement of a datadir on a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataFolder {
    /// The path in the configuration.
    pub there: Str,
    /// The local path.
    pub here: PathBuf,
}

/// Converts the folder as a configuration names it, and its local replacement.
impl<There: Into<Str>, Here: Into<PathBuf>> From<(There, Here)> for DataFolder {
    fn from((there, here): (There, Here)) -> DataFolder {
        DataFolder { there: there.into(), here: here.into() }
    }
}

/// A module.
#[derive(Clone, Debug)]
pub struct ModuleLayer {
    /// Its folder.
    pub root: PathBuf,
    data_provider: OnceLock<Option<Str>>,
}

impl ModuleLayer {
    /// Creates the layer of the module in a folder. Its files are read on first use.
    pub fn new(root: PathBuf) -> ModuleLayer {
        ModuleLayer { root, data_provider: OnceLock::new() }
    }

    /// Returns the file that describes the module.
    pub(crate) fn metadata_path(&self) -> PathBuf {
        self.root.join("metadata.json")
    }

    /// Returns the `data_provider` of its `metadata.json`, which is read on first use. As in Puppet, a module without a
    /// valid file has none; `check` reports invalid files.
    pub fn data_provider(&self, files: &Files) -> Option<&Str> {
        let read = || {
            let bytes = files.read(&self.metadata_path()).ok()?;
            let metadata = hieratic_json::parse(&bytes).ok()?;
            metadata.as_hash()?.get("data_provider")?.as_str().map(Str::from)
        };
        self.data_provider.get_or_init(read).as_ref()
    }
}

/// One of the layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layer {
    Global,
    Environment,
    /// A module, by its position in [`Layers::modules`].
    Module(usize),
}

/// The layers in the order in which they are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rank {
    Global,
    Environment,
    Module,
}

impl Rank {
    pub(crate) const ALL: [Rank; 3] = [Rank::Global, Rank::Environment, Rank::Module];
}

impl Layers {
    pub(crate) fn config_path(&self, layer: Layer) -> PathBuf {
        let root: &Path = match layer {
            Layer::Global => return self.global_config.clone(),
            Layer::Environment => &self.environment.root,
            Layer::Module(index) => &self.modules[index].root,
        };
        root.join(CONFIG_FILE_NAME)
    }

    pub(crate) fn module_index(&self, name: &str) -> Option<usize> {
        self.modules.get_index_of(name)
    }

    pub(crate) fn module_name(&self, layer: Layer) -> Option<&Str> {
        match layer {
            Layer::Module(index) => self.modules.get_index(index).map(|(name, _)| name),
            _ => None,
        }
    }
}
