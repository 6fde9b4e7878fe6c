//! [`Shared`]: the sources of all nodes of an environment.

use std::path::Path;
use std::sync::Arc;

use crate::backend::Externals;
use crate::backend::function::{DataFunctions, DataReader};
use crate::config::{Config, Context};
use crate::kept::KeptFiles;
use crate::layers::Layers;
use crate::secrets::Secrets;
use crate::source::Store;
use crate::{Error, Warning, glob};

/// The sources of all nodes of an environment, shared between threads.
#[derive(Debug)]
pub struct Shared {
    pub(crate) layers: Layers,
    pub(crate) store: Store,
    /// Configurations by their files, with what the file was like.
    configs: KeptFiles<LoadedConfig>,
    pub(super) externals: Externals,
    pub(crate) functions: Option<Arc<dyn DataFunctions>>,
    pub(crate) options: crate::options::Compiled,
    /// The directories that were listed, if nothing is looked at twice.
    listings: Option<glob::Listings>,
}

pub(super) type LoadedConfig = Arc<(Result<Option<Arc<Config>>, Error>, Vec<Warning>)>;

impl Shared {
    /// The sources of an environment. With `positions`, values know where in their files they stand.
    pub fn new(layers: Layers, positions: bool) -> Shared {
        Shared {
            layers,
            store: Store::new(positions),
            configs: KeptFiles::default(),
            externals: Externals::default(),
            functions: None,
            options: crate::options::Compiled::default(),
            listings: None,
        }
    }

    /// Looks at each file, and searches for each pattern, only once if `once` says so: for programs that ask many nodes at one
    /// moment, and then end.
    pub fn once(mut self, once: bool) -> Shared {
        self.store.set_once(once);
        self.listings = once.then(glob::Listings::default);
        self
    }

    /// Whether nothing is looked at twice.
    pub(super) fn is_once(&self) -> bool {
        self.listings.is_some()
    }

    /// The files that a pattern finds.
    pub(super) fn glob(&self, pattern: &str) -> Arc<[Arc<Path>]> {
        match &self.listings {
            Some(listings) => listings.files(pattern),
            None => glob::files(pattern).into_iter().map(Arc::from).collect(),
        }
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
        let seen = match self.configs.get(path) {
            Ok(known) => return known,
            Err(seen) => seen,
        };
        let mut warnings = Vec::new();
        let config = Config::load(path, context, &mut warnings).map(|config| config.map(Arc::new));
        let loaded: LoadedConfig = Arc::new((config, warnings));
        self.configs.keep(path, seen, loaded.clone());
        loaded
    }
}
