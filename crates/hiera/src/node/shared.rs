//! [`Shared`]: the sources of all nodes of an environment.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hieratic_budget::Budget;
use hieratic_sandbox::{Capabilities, Files};
use hieratic_value::Str;
use hieratic_value::collections::HashMap;

use super::skipped::SkippedLevels;
use crate::backend::BackendRegistries;
use crate::backend::function::DataFunctions;
use crate::config::{Config, Context};
use crate::file_cache::FileCache;
use crate::file_id::Observation;
use crate::glob::Match;
use crate::layers::{Layer, Layers};
use crate::secrets::Secrets;
use crate::shared_index::SharedIndexes;
use crate::source::{DataReader, Store};
use crate::{Error, Warning, glob};

/// The sources of all nodes of an environment, shared between threads.
#[derive(Debug)]
pub struct Shared {
    pub(crate) layers: Layers,
    /// The capabilities of its files, code and configuration.
    pub(crate) capabilities: Capabilities,
    pub(crate) store: Store,
    /// An environment in the same folders, from which unchanged files are taken.
    pub(super) like: Option<Arc<Shared>>,
    /// The configurations by file, with the observed state of the file.
    configs: FileCache<LoadedConfig>,
    pub(super) externals: BackendRegistries,
    pub(crate) functions: Option<Arc<dyn DataFunctions>>,
    pub(crate) options: crate::options::OptionsCache,
    /// The files that nodes have in common.
    pub(super) commons: SharedIndexes,
    /// The directories that were listed, if files are never rechecked.
    listings: Option<Arc<glob::Listings>>,
    /// The observations of that time.
    seen: Mutex<HashMap<ObservationKey, PathState>>,
    /// The names of levels that are not called.
    without_levels: Arc<[Str]>,
    /// The levels that were not called.
    skipped_levels: SkippedLevels,
    /// Whether values with a decrypted part become Sensitive.
    sensitive_secrets: bool,
    /// Whether the data of the whole machine is searched.
    pub(super) has_global_layer: bool,
    /// Whether the configuration of the whole machine is inside the repository. It is cached because every node needs
    /// it and finding out follows symbolic links.
    is_global_inside: OnceLock<bool>,
    /// Whether a module, by its index, is known to have no configuration.
    bare_modules: Box<[AtomicBool]>,
}

/// Flags that are not set, one for each module.
fn unset_flags(layers: &Layers) -> Box<[AtomicBool]> {
    layers.modules.iter().map(|_| AtomicBool::new(false)).collect()
}

/// The key of a cached observation.
#[derive(Debug, PartialEq, Eq, Hash)]
struct ObservationKey {
    /// Whether it was observed through the files of the machine, not of the repository.
    on_machine: bool,
    /// Whether it is data, not a configuration.
    is_data: bool,
    path: Arc<Path>,
}

/// The observed state of a path.
#[derive(Clone, Debug)]
pub(super) struct PathState {
    pub(super) observation: Observation,
    /// Whether the path exists, even as a link that leads outside.
    pub(super) exists: bool,
}

/// The maximum number of cached observations: each node may have its own path.
const MAX_OBSERVATIONS: usize = 100_000;

pub(super) type LoadedConfig = Arc<(Result<Option<Arc<Config>>, Error>, Vec<Warning>)>;

impl Shared {
    /// Creates the sources of an environment, which may read its own files. With `positions`, the positions of values
    /// in their files are recorded.
    pub fn new(layers: Layers, positions: bool) -> Shared {
        let roots = layers.modules.values().map(|module| module.root.as_path());
        let capabilities = Capabilities::below(std::iter::once(layers.environment.root.as_path()).chain(roots));
        Shared {
            bare_modules: unset_flags(&layers),
            layers,
            store: Store::new(positions, capabilities.clone()),
            like: None,
            configs: FileCache::new(capabilities.data.clone()),
            capabilities: capabilities.clone(),
            externals: BackendRegistries::default(),
            functions: None,
            options: crate::options::OptionsCache::default(),
            commons: SharedIndexes::default(),
            listings: None,
            seen: Mutex::default(),
            without_levels: Arc::default(),
            skipped_levels: SkippedLevels::default(),
            sensitive_secrets: false,
            has_global_layer: true,
            is_global_inside: OnceLock::new(),
        }
    }

    /// Sets the capabilities of the environment.
    pub fn with_capabilities(mut self, capabilities: Capabilities) -> Shared {
        self.store.set_capabilities(capabilities.clone());
        self.capabilities = capabilities;
        self.is_global_inside = OnceLock::new();
        self.bare_modules = unset_flags(&self.layers);
        self
    }

    /// Excludes the global layer unless `there` is set.
    pub fn with_global_layer(mut self, there: bool) -> Shared {
        self.has_global_layer = there;
        self
    }

    /// Excludes levels by name, in any layer.
    pub fn without_levels(mut self, names: impl IntoIterator<Item = Str>) -> Shared {
        self.without_levels = names.into_iter().collect();
        self
    }

    /// If `sensitive` is set, makes all values with a decrypted part Sensitive, regardless of the options of their
    /// levels.
    pub fn with_sensitive_secrets(mut self, sensitive: bool) -> Shared {
        self.sensitive_secrets = sensitive;
        self
    }

    /// Returns whether values with a decrypted part become Sensitive.
    pub(crate) fn makes_secrets_sensitive(&self) -> bool {
        self.sensitive_secrets
    }

    /// Sets the record of skipped levels.
    pub fn noting(mut self, skipped_levels: SkippedLevels) -> Shared {
        self.skipped_levels = skipped_levels;
        self
    }

    /// Returns the levels that were skipped although they may define a requested key.
    pub fn skipped_levels(&self) -> &SkippedLevels {
        &self.skipped_levels
    }

    /// Returns whether a level is [excluded by name](Self::without_levels).
    pub fn leaves_out(&self, level: &str) -> bool {
        self.without_levels.iter().any(|name| &**name == level)
    }

    /// Returns the capabilities of the environment.
    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// The files that a layer may name as data: those of the machine are the business of its owner.
    pub(crate) fn files_of(&self, layer: Layer) -> &Files {
        match layer {
            Layer::Global => self.files_of_config(&self.layers.global_config),
            Layer::Environment | Layer::Module(_) => &self.capabilities.data,
        }
    }

    /// The files that a file of configuration may name, and is read from.
    pub(crate) fn files_of_config(&self, path: &Path) -> &Files {
        if path != self.layers.global_config {
            return self.capabilities.files_of(path);
        }
        let is_inside = *self.is_global_inside.get_or_init(|| self.capabilities.data.holds(path));
        if is_inside { &self.capabilities.data } else { &self.capabilities.machine }
    }

    /// Shares unchanged files with another environment. Both must be states of the same folders, and this one must be
    /// [mounted](Files::with_mount) as a patch of the other.
    pub fn like(mut self, other: Arc<Shared>) -> Shared {
        self.store.share_secrets_of(&other.store);
        self.like = Some(other);
        self
    }

    /// Shares equal files with another state of the same folders. The trees of both must identify the content of files.
    pub fn after(mut self, other: &Shared) -> Shared {
        self.store.take_over(&other.store);
        self
    }

    /// Returns the same sources with other capabilities, whose files are a [patch](hieratic_sandbox::Patched) of these:
    /// some files have other content, but none was added or removed, and no module configuration differs. Unpatched
    /// files are taken from here. Functions must be [set](Self::with_functions) again, because they read code through
    /// the capabilities.
    pub fn patched(self: &Arc<Self>, capabilities: Capabilities) -> Shared {
        Shared {
            bare_modules: unset_flags(&self.layers),
            layers: self.layers.clone(),
            store: self.store.empty_copy(capabilities.clone()),
            like: Some(self.clone()),
            configs: FileCache::new(capabilities.data.clone()),
            capabilities,
            externals: BackendRegistries::default(),
            functions: None,
            options: crate::options::OptionsCache::default(),
            commons: SharedIndexes::default(),
            listings: self.listings.clone(),
            seen: Mutex::default(),
            without_levels: self.without_levels.clone(),
            skipped_levels: self.skipped_levels.clone(),
            sensitive_secrets: self.sensitive_secrets,
            has_global_layer: self.has_global_layer,
            is_global_inside: OnceLock::new(),
        }
    }

    /// If `once` is set, checks each file and runs each glob only once, for programs that look up many nodes and end.
    pub fn once(mut self, once: bool) -> Shared {
        self.store.set_once(once);
        self.listings = once.then(Arc::default);
        self
    }

    /// Limits the cache to about this number of recently used data files. Others are read again when needed.
    pub fn keep(&self, files: usize) {
        self.store.set_capacity(files);
    }

    /// Returns whether files are never rechecked.
    pub(super) fn is_once(&self) -> bool {
        self.listings.is_some()
    }

    /// The files that a pattern finds. Errors quote it as written.
    pub(super) fn glob(
        &self,
        pattern: &str,
        written: &str,
        files: &Files,
        budget: &Budget,
    ) -> Result<Arc<[Match]>, Error> {
        match &self.listings {
            Some(listings) => listings.files(pattern, written, files, budget),
            None => glob::files(pattern, written, files, budget),
        }
    }

    /// Observes a path of data.
    pub(super) fn observe_data(&self, files: &Files, path: &Arc<Path>) -> PathState {
        let look = || {
            let observation = Observation::read(files, path);
            // A path outside the visible files is an error when it is read, not a missing file.
            let exists = observation.exists() || files.is_hidden(path);
            PathState { observation, exists }
        };
        self.seen(ObservationKey { on_machine: self.is_machine(files), is_data: true, path: path.clone() }, look)
    }

    /// Observes a path of a configuration.
    pub(super) fn observe_config(&self, files: &Files, path: &Arc<Path>) -> Observation {
        let look = || {
            let observation = Observation::read(files, path);
            PathState { exists: observation.exists(), observation }
        };
        self.seen(ObservationKey { on_machine: self.is_machine(files), is_data: false, path: path.clone() }, look)
            .observation
    }

    fn is_machine(&self, files: &Files) -> bool {
        std::ptr::eq(files, &self.capabilities.machine)
    }

    fn seen(&self, sought: ObservationKey, look: impl FnOnce() -> PathState) -> PathState {
        if !self.is_once() {
            return look();
        }
        if let Some(known) = self.seen.lock().unwrap_or_else(PoisonError::into_inner).get(&sought) {
            return known.clone();
        }
        let seen = look();
        let mut all = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MAX_OBSERVATIONS {
            all.clear();
        }
        all.insert(sought, seen.clone());
        seen
    }

    /// Returns whether another node has found that a module has no configuration, if files are never rechecked: most modules have
    /// none, and there may be hundreds.
    pub(super) fn is_without_config(&self, layer: Layer) -> bool {
        let Layer::Module(index) = layer else { return false };
        self.is_once() && self.bare_modules.get(index).is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Records that a module has no configuration.
    pub(super) fn record_absence(&self, layer: Layer) {
        if let Layer::Module(index) = layer
            && let Some(flag) = self.bare_modules.get(index)
        {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// Adds a `data_hash` function that reads files of another format.
    pub fn with_reader(mut self, reader: Arc<dyn DataReader>) -> Shared {
        self.store.add_reader(reader);
        self
    }

    /// Sets the functions of a language that levels may name.
    pub fn with_functions(mut self, functions: Arc<dyn DataFunctions>) -> Shared {
        self.functions = Some(functions);
        self
    }

    /// Returns the plain strings of all secrets that lookups have read.
    pub fn secrets(&self) -> &Secrets {
        self.store.secrets()
    }

    /// Returns the layers of the environment.
    pub fn layers(&self) -> &Layers {
        &self.layers
    }

    pub(super) fn config(&self, path: &Path, context: &Context<'_>) -> LoadedConfig {
        let files = self.files_of_config(path);
        if let Some(known) = self.is_once().then(|| self.configs.known(path)).flatten() {
            return known;
        }
        let seen = match self.configs.get_in(files, path) {
            Ok(known) => return known,
            Err(seen) => seen,
        };
        let mut warnings = Vec::new();
        let config = Config::load(path, files, context, &mut warnings).map(|config| config.map(Arc::new));
        let loaded: LoadedConfig = Arc::new((config, warnings));
        self.configs.keep_in(files, path, seen, loaded.clone());
        loaded
    }
}
