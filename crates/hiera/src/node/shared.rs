//! [`Shared`]: the sources of all nodes of an environment.

use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hieratic_hash::HashMap;
use hieratic_powers::{Budget, Files, Powers};
use hieratic_value::Str;

use super::absent::NotAsked;
use crate::backend::Externals;
use crate::backend::function::DataFunctions;
use crate::common::Commons;
use crate::config::{Config, Context};
use crate::glob::Match;
use crate::kept::KeptFiles;
use crate::layers::{Layer, Layers};
use crate::secrets::Secrets;
use crate::source::{DataReader, Store};
use crate::stamp::Sighting;
use crate::{Error, Warning, glob};

/// The sources of all nodes of an environment, shared between threads.
#[derive(Debug)]
pub struct Shared {
    pub(crate) layers: Layers,
    /// What its files, code and configuration may do.
    pub(crate) powers: Powers,
    pub(crate) store: Store,
    /// An environment in the same folders, which has what is the same there.
    pub(super) like: Option<Arc<Shared>>,
    /// Configurations by their files, with what the file was like.
    configs: KeptFiles<LoadedConfig>,
    pub(super) externals: Externals,
    pub(crate) functions: Option<Arc<dyn DataFunctions>>,
    pub(crate) options: crate::options::Compiled,
    /// The files that nodes have in common.
    pub(super) commons: Commons,
    /// The directories that were listed, if nothing is looked at twice.
    listings: Option<Arc<glob::Listings>>,
    /// What was seen then.
    seen: Mutex<HashMap<Sought, Seen>>,
    /// The names of levels that are not asked.
    without_levels: Arc<[Str]>,
    /// The levels that were not asked.
    not_asked: NotAsked,
    /// Whether values that hold something decrypted become Sensitive.
    sensitive_secrets: bool,
    /// Whether data of the whole machine is looked at.
    pub(super) has_global_layer: bool,
    /// Whether the configuration of the whole machine lies in the repository. Every node asks, and links have to be followed to tell.
    is_global_inside: OnceLock<bool>,
}

/// What was looked for.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Sought {
    /// Whether it is among the files of the machine, not of the repository.
    on_machine: bool,
    /// Whether it is data, not a configuration.
    is_data: bool,
    path: Arc<Path>,
}

/// What is at a path.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) sighting: Sighting,
    /// Whether there is something, be it a link that leads out.
    pub(super) exists: bool,
}

/// Of how many paths it is kept what was seen there: each node may have one of its own.
const MOST_SEEN: usize = 100_000;

pub(super) type LoadedConfig = Arc<(Result<Option<Arc<Config>>, Error>, Vec<Warning>)>;

impl Shared {
    /// The sources of an environment, which may read its own files. With `positions`, values know where in their files they
    /// stand.
    pub fn new(layers: Layers, positions: bool) -> Shared {
        let roots = layers.modules.values().map(|module| module.root.as_path());
        let powers = Powers::below(std::iter::once(layers.environment.root.as_path()).chain(roots));
        Shared {
            layers,
            store: Store::new(positions, powers.clone()),
            like: None,
            configs: KeptFiles::new(powers.data.clone()),
            powers: powers.clone(),
            externals: Externals::default(),
            functions: None,
            options: crate::options::Compiled::default(),
            commons: Commons::default(),
            listings: None,
            seen: Mutex::default(),
            without_levels: Arc::default(),
            not_asked: NotAsked::default(),
            sensitive_secrets: false,
            has_global_layer: true,
            is_global_inside: OnceLock::new(),
        }
    }

    /// Gives its files, code and configuration these powers.
    pub fn with_powers(mut self, powers: Powers) -> Shared {
        self.store.set_powers(powers.clone());
        self.powers = powers;
        self.is_global_inside = OnceLock::new();
        self
    }

    /// Leaves the global layer out if `there` does not say that it is there.
    pub fn with_global_layer(mut self, there: bool) -> Shared {
        self.has_global_layer = there;
        self
    }

    /// Asks no level of these names, in any layer.
    pub fn without_levels(mut self, names: impl IntoIterator<Item = Str>) -> Shared {
        self.without_levels = names.into_iter().collect();
        self
    }

    /// Makes values Sensitive that hold something decrypted, if `sensitive` says so, whatever their levels say.
    pub fn with_sensitive_secrets(mut self, sensitive: bool) -> Shared {
        self.sensitive_secrets = sensitive;
        self
    }

    /// Whether such values become Sensitive.
    pub(crate) fn makes_secrets_sensitive(&self) -> bool {
        self.sensitive_secrets
    }

    /// Notes in a record which levels were not asked.
    pub fn noting(mut self, not_asked: NotAsked) -> Shared {
        self.not_asked = not_asked;
        self
    }

    /// The levels that were not asked for keys that they may have.
    pub fn not_asked(&self) -> &NotAsked {
        &self.not_asked
    }

    /// Whether a level is not asked because it was [named](Self::without_levels).
    pub fn leaves_out(&self, level: &str) -> bool {
        self.without_levels.iter().any(|name| &**name == level)
    }

    /// What its files, code and configuration may do.
    pub fn powers(&self) -> &Powers {
        &self.powers
    }

    /// The files that a layer may name as data: those of the machine are the business of its owner.
    pub(crate) fn files_of(&self, layer: Layer) -> &Files {
        match layer {
            Layer::Global => self.files_of_config(&self.layers.global_config),
            Layer::Environment | Layer::Module(_) => &self.powers.data,
        }
    }

    /// The files that a file of configuration may name, and is read from.
    pub(crate) fn files_of_config(&self, path: &Path) -> &Files {
        if path != self.layers.global_config {
            return self.powers.files_of(path);
        }
        let is_inside = *self.is_global_inside.get_or_init(|| self.powers.data.holds(path));
        if is_inside { &self.powers.data } else { &self.powers.machine }
    }

    /// Takes what is the same in the files of another environment from there, instead of reading it again: for two states of the
    /// same folders, of which this one is [mounted](Files::with_mount) as a patch of the other.
    pub fn like(mut self, other: Arc<Shared>) -> Shared {
        self.store.share_with(&other.store);
        self.like = Some(other);
        self
    }

    /// The same sources with other powers, whose files are a [patch](hieratic_powers::Patched) of what these read: some files say
    /// something else, while none came and none went, and no configuration of a module is another. What the patch leaves alone is taken
    /// from here. Functions are those that it is [given](Self::with_functions), for they read code by its powers.
    pub fn patched(self: &Arc<Self>, powers: Powers) -> Shared {
        Shared {
            layers: self.layers.clone(),
            store: self.store.like_this(powers.clone()),
            like: Some(self.clone()),
            configs: KeptFiles::new(powers.data.clone()),
            powers,
            externals: Externals::default(),
            functions: None,
            options: crate::options::Compiled::default(),
            commons: Commons::default(),
            listings: self.listings.clone(),
            seen: Mutex::default(),
            without_levels: self.without_levels.clone(),
            not_asked: self.not_asked.clone(),
            sensitive_secrets: self.sensitive_secrets,
            has_global_layer: self.has_global_layer,
            is_global_inside: OnceLock::new(),
        }
    }

    /// Looks at each file, and searches for each pattern, only once if `once` says so: for programs that ask many nodes at one
    /// moment, and then end.
    pub fn once(mut self, once: bool) -> Shared {
        self.store.set_once(once);
        self.listings = once.then(Arc::default);
        self
    }

    /// Keeps about so many files of data from now on, those that were asked for lately. Others are read again when they are needed.
    pub fn keep(&self, files: usize) {
        self.store.keep(files);
    }

    /// Whether nothing is looked at twice.
    pub(super) fn is_once(&self) -> bool {
        self.listings.is_some()
    }

    /// The files that a pattern finds. Errors quote it as it is written.
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

    /// What is at a path of data.
    pub(super) fn see_data(&self, files: &Files, path: &Arc<Path>) -> Seen {
        let look = || {
            let sighting = Sighting::of(files, path);
            // What lies outside, or may not be seen, is an error when it is read, not a file that is not there.
            let exists = sighting.exists() || files.is_hidden(path);
            Seen { sighting, exists }
        };
        self.seen(Sought { on_machine: self.is_machine(files), is_data: true, path: path.clone() }, look)
    }

    /// What is at a path of a configuration.
    pub(super) fn see_config(&self, files: &Files, path: &Arc<Path>) -> Sighting {
        let look = || {
            let sighting = Sighting::of(files, path);
            Seen { exists: sighting.exists(), sighting }
        };
        self.seen(Sought { on_machine: self.is_machine(files), is_data: false, path: path.clone() }, look).sighting
    }

    fn is_machine(&self, files: &Files) -> bool {
        std::ptr::eq(files, &self.powers.machine)
    }

    fn seen(&self, sought: Sought, look: impl FnOnce() -> Seen) -> Seen {
        if !self.is_once() {
            return look();
        }
        if let Some(known) = self.seen.lock().unwrap_or_else(PoisonError::into_inner).get(&sought) {
            return known.clone();
        }
        let seen = look();
        let mut all = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST_SEEN {
            all.clear();
        }
        all.insert(sought, seen.clone());
        seen
    }

    /// Adds a `data_hash` function that reads files of another format.
    pub fn with_reader(mut self, reader: Arc<dyn DataReader>) -> Shared {
        self.store.add_reader(reader);
        self
    }

    /// Lets levels name functions of a language.
    pub fn with_functions(mut self, functions: Arc<dyn DataFunctions>) -> Shared {
        self.functions = Some(functions);
        self
    }

    /// The plain texts of everything secret that lookups have met.
    pub fn secrets(&self) -> &Secrets {
        self.store.secrets()
    }

    /// Where the data comes from.
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
        self.configs.keep(path, seen, loaded.clone());
        loaded
    }
}
