//! [`Node`]: a node's view of an environment: its variables, and the sources that its hierarchies resolve to.

mod collect;
mod freshness;
mod level;
mod load;
mod location;
mod patched;
mod prefetch;
mod provider;
mod read;
mod resolve;
mod shared;
mod skipped;
mod sources;
mod traversal;
mod yaml_files;

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hieratic_diagnostics::Source;
use hieratic_puppet_types::{PuppetVersion, Strict};
use hieratic_value::{Str, Value};

pub(crate) use level::{Backend, Level, Levels, not_a_hash, returned_from};
pub(crate) use location::{Location, LocationKind};
pub(crate) use provider::Provider;
pub(crate) use resolve::Interpolator;
pub use shared::Shared;
pub(crate) use skipped::{SkipReason, looks_remote};
pub use skipped::{SkippedLevel, SkippedLevels};
pub(crate) use sources::{Hit, KeyHits, Sources};
pub use yaml_files::YamlFiles;

use crate::freshness::AccessLog;
use crate::key::Key;
use crate::key_record::KeyRecord;
use crate::lookup::NestedAnswers;
use crate::options::LookupOptions;
use crate::scope::{LocalVariable, Scope, VariableResult};
use crate::secrets::Secrets;
use crate::{Error, LostKnockout, NamedVariables, Warning};

/// The rules of a lookup that depend on the version of Puppet and on settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The version of Puppet to reproduce.
    pub version: PuppetVersion,
    /// The treatment of doubtful input.
    pub strict: Strict,
}

impl Rules {
    /// Returns the rules of a version, with its defaults.
    pub const fn for_version(version: PuppetVersion) -> Rules {
        Rules { version, strict: version.strict() }
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::for_version(PuppetVersion::default())
    }
}

/// A node's view of an environment.
///
/// The node reads each file on first use and does not see later changes; a new node does. Lookups take `&self`, and
/// threads can share a node.
#[derive(Debug)]
pub struct Node {
    pub(crate) shared: Arc<Shared>,
    pub(crate) scope: Scope,
    pub(crate) rules: Rules,
    global: Cell<Provider>,
    environment: Cell<Option<Provider>>,
    modules: Box<[ModuleCell]>,
    pub(crate) options: OptionsOfLayers,
    /// The options that lookups found which conceal secrets. They depend on none.
    open_options: OnceLock<Box<OptionsOfLayers>>,
    warnings: Mutex<indexmap::IndexSet<Warning>>,
    lost: Mutex<Vec<LostKnockout>>,
    pub(crate) accesses: AccessLog,
    /// The id of the node, different even from another one with the same variables.
    pub(crate) number: u64,
    /// Whether variables must not lead out of the configured folders.
    confined: bool,
    /// The record of the variables that are named, if the caller wants one.
    named: Option<Arc<NamedVariables>>,
    /// The record of the keys that are looked up, if the caller wants one.
    pub(crate) recorded_keys: Option<Arc<KeyRecord>>,
    /// The answers of keys in long chains.
    pub(crate) nested: NestedAnswers,
}

/// The id of the next node.
static NUMBERS: AtomicU64 = AtomicU64::new(0);

type Cell<T> = OnceLock<Result<T, Error>>;
/// The provider of a module. A node has a cell for each module, and most modules have no data.
type ModuleCell = OnceLock<Option<Box<Result<Provider, Error>>>>;

/// Lookup options that were compiled, by the module that they are for.
#[derive(Debug, Default)]
pub(crate) struct OptionsOfLayers {
    pub(crate) global: OnceLock<Option<Value>>,
    pub(crate) environment: OnceLock<Option<Value>>,
    pub(crate) unqualified: OnceLock<Arc<LookupOptions>>,
    pub(crate) modules: Box<[OnceLock<Arc<LookupOptions>>]>,
    pub(crate) defaults: Box<[OnceLock<Arc<LookupOptions>>]>,
}

impl OptionsOfLayers {
    /// Creates an empty cache for a number of modules.
    fn new(modules: usize) -> OptionsOfLayers {
        let cells = || (0..modules).map(|_| OnceLock::new()).collect();
        OptionsOfLayers { modules: cells(), defaults: cells(), ..OptionsOfLayers::default() }
    }
}

impl Node {
    /// The cache of the options that lookups found which conceal secrets.
    pub(crate) fn open_options(&self) -> &OptionsOfLayers {
        self.open_options.get_or_init(|| Box::new(OptionsOfLayers::new(self.shared.layers.modules.len())))
    }

    /// Creates a node with its variables.
    pub fn new(shared: Arc<Shared>, scope: Scope, rules: Rules) -> Node {
        let modules = shared.layers.modules.len();
        Node {
            scope,
            rules,
            global: OnceLock::new(),
            environment: OnceLock::new(),
            modules: (0..modules).map(|_| OnceLock::new()).collect(),
            options: OptionsOfLayers::new(modules),
            open_options: OnceLock::new(),
            warnings: Mutex::default(),
            lost: Mutex::default(),
            accesses: AccessLog::default(),
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            confined: false,
            named: None,
            recorded_keys: None,
            nested: NestedAnswers::default(),
            shared,
        }
    }

    /// Returns the content of a data file that the node has read, if the environment keeps [positions](Shared::new).
    pub fn source_of(&self, file: &Arc<Path>) -> Option<Source> {
        self.shared.source_of(file)
    }

    /// Returns the plain strings of all secrets that lookups of the environment have read.
    pub fn secrets(&self) -> &Secrets {
        self.shared.secrets()
    }

    /// Returns the node with a check for untrusted facts: a variable that leads a path out of its configured folder is
    /// an error.
    pub fn confined(self) -> Node {
        Node { confined: true, ..self }
    }

    /// Returns the node with a record of the variables that lookups refer to.
    pub fn noting(self, named: Arc<NamedVariables>) -> Node {
        Node { named: Some(named), ..self }
    }

    /// Returns the node with a record of the keys for which lookups search data.
    pub fn recording_keys(self, recorded_keys: Arc<KeyRecord>) -> Node {
        Node { recorded_keys: Some(recorded_keys), ..self }
    }

    /// Records that a lookup searches a key, if the caller wants a record.
    pub(crate) fn record_lookup(&self, key: &Key) {
        if let Some(recorded_keys) = &self.recorded_keys {
            recorded_keys.record(key.root());
        }
    }

    /// Returns the node with the local variables of a position in a program, by their names in the data.
    pub fn with_locals(&self, nearer: &[(Str, LocalVariable)]) -> Node {
        let (confined, named, recorded_keys) = (self.confined, self.named.clone(), self.recorded_keys.clone());
        Node {
            confined,
            named,
            recorded_keys,
            ..Node::new(self.shared.clone(), self.scope.with_locals(nearer), self.rules)
        }
    }

    /// Returns the value of a variable with this [hash](Scope::hash_of), and records its name.
    pub(crate) fn variable(&self, name: &Str, hash: u64) -> VariableResult<'_> {
        if let Some(named) = &self.named {
            named.record(name);
        }
        self.scope.get(name, hash)
    }

    /// Returns the node's variables.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Returns the distinct warnings since the last call.
    pub fn take_warnings(&self) -> Vec<Warning> {
        std::mem::take(&mut *self.warnings.lock().unwrap_or_else(PoisonError::into_inner)).into_iter().collect()
    }

    /// Returns the read error of a tree that replaces the files, if any. Then it is unknown which files exist.
    pub(crate) fn fault(&self) -> Option<Error> {
        let error = self.shared.capabilities().data.fault()?;
        Some(Error::fatal(crate::codes::FILE_UNREADABLE, error))
    }

    /// The numbers of warnings and of lost knockouts since they were taken last.
    pub(crate) fn note_counts(&self) -> (usize, usize) {
        let warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner).len();
        (warnings, self.lost.lock().unwrap_or_else(PoisonError::into_inner).len())
    }

    pub(crate) fn warn(&self, warning: Warning) {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner).insert(warning);
    }

    /// Returns the knockouts that were lost since the last call.
    pub fn take_lost_knockouts(&self) -> Vec<LostKnockout> {
        std::mem::take(&mut *self.lost.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn lose(&self, lost: Vec<LostKnockout>) {
        let mut all = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
        for one in lost {
            if !all.contains(&one) {
                all.push(one);
            }
        }
    }
}
