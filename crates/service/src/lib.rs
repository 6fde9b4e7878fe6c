//! Lookups over HTTP, and pages for the browser.
//!
//! [`Service`] answers for environments and nodes, each answer from one state of the files; [`serve`] puts it behind a
//! socket with limits, tokens and TLS, and shuts down gracefully. [`OPENAPI`] describes the routes; `docs/service.md`
//! shows them.
//!
//! **No answer mixes two versions of files.** A node is cached together with the metadata of all files that it has read
//! ([`hieratic::dependencies::AccessLog`]). Before it answers, the metadata is compared with the file system. If
//! nothing has changed, it answers. Otherwise a new node reads the changed files. Its answer is only returned if all of
//! them are unchanged after the computation, and had been unchanged for a moment (`settle`) before. While files keep
//! changing, nodes answer from data that they have read before.
//!
//! **No secret leaves the service.** Answers consist of redacted values, unless both the server and the request reveal
//! secrets.

mod access;
mod answer_memory;
mod api;
mod blame;
mod catalogs;
mod changes;
mod chosen_facts;
pub mod codes;
mod connections;
mod environments;
mod events;
mod facts;
mod files;
mod findings;
mod fingerprint;
mod fleet;
mod forge;
mod hierarchy_config;
mod history;
mod index_store;
mod json;
mod levels;
mod limits;
mod lookups;
mod metrics;
mod nodes;
mod options;
mod page;
mod problem;
mod reads;
mod recent;
mod router;
mod scheduler;
mod search;
mod server;
mod suggestions;
mod tls;
mod words;

use std::path::PathBuf;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

pub use api::OPENAPI;
pub use facts::FactsSource;
pub use index_store::IndexStore;
pub use options::{Limits, Observer, ServiceOptions, TlsFiles};
pub use reads::Reads;
pub use router::routes;
pub use server::{BoundService, bind, serve};

use access::Access;
use facts::FactsStore;
use metrics::Metrics;
use nodes::Nodes;

/// Everything that answers share.
pub(crate) struct Service {
    /// A reference to the service itself, for background threads.
    pub(crate) own: Weak<Service>,
    pub(crate) nodes: Nodes,
    pub(crate) stored: Arc<FactsStore>,
    /// The cached names of all nodes, and when they expire.
    pub(crate) names: Mutex<Option<(Instant, Vec<String>)>>,
    /// The files of facts whose names are not those of nodes, for as long.
    pub(crate) misnamed: Mutex<Option<(Instant, Vec<PathBuf>)>>,
    /// The answers of all nodes.
    pub(crate) fleet: fleet::Fleet,
    /// The comparisons between revisions.
    pub(crate) changes: changes::Comparisons,
    /// The lines that the latest commits changed.
    pub(crate) recent: recent::RecentCache,
    /// The findings of `check`.
    pub(crate) checks: findings::Checks,
    /// The streams that report changed files.
    pub(crate) events: events::Events,
    pub(crate) access: Access,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) limits: Limits,
    /// Keeps indexes between starts.
    pub(crate) index_store: Option<Arc<dyn IndexStore>>,
    /// Hears of the work.
    observer: Option<Arc<dyn Observer>>,
    /// Whether requests may reveal secrets.
    pub(crate) reveal: bool,
    /// Allows pages to show catalogs.
    pub(crate) catalogs: bool,
    /// The address of a line of a file at a forge.
    pub(crate) link: Option<String>,
    /// The entries of `[[jobs]]` in the settings, which say how the Nomad jobs of the repository are run.
    pub(crate) job_sets: Vec<hieratic_lint::JobSet>,
    /// Limits the number of requests that run at once.
    pub(crate) places: Arc<tokio::sync::Semaphore>,
    /// The number of requests that wait for a permit.
    pub(crate) waiting: AtomicUsize,
    /// Those that are worked on for longer.
    pub(crate) scheduler: Arc<scheduler::RequestScheduler>,
    /// The size of the larger request bodies that are in flight, in bytes.
    pub(crate) bodies: AtomicUsize,
    /// The size of all answers that clients have not yet received, in bytes.
    pub(crate) answers: Arc<AtomicUsize>,
}

/// The time that listing the nodes has to take before their names are cached.
const SLOW_LISTING: Duration = Duration::from_millis(20);

/// The lifetime of cached names, as a multiple of that time.
const NAMES_LIFETIME_FACTOR: u32 = 20;

/// The maximum lifetime of cached names.
const MAX_NAMES_LIFETIME: Duration = Duration::from_secs(10);

impl Service {
    /// The names of all nodes, sorted. Those of many nodes may be some seconds old.
    pub(crate) fn names(&self) -> Result<Vec<String>, problem::Problem> {
        listed(&self.names, || self.stored.names())
    }

    /// The files of facts whose names are not those of nodes. Those of many files may be some seconds old.
    pub(crate) fn misnamed(&self) -> Result<Vec<PathBuf>, problem::Problem> {
        listed(&self.misnamed, || Ok(self.stored.misnamed()))
    }

    /// Tells how many nodes of an environment were read.
    pub(crate) fn tell_progress(&self, environment: &str, read: usize, all: usize) {
        if let Some(observer) = &self.observer {
            observer.nodes_read(environment, read, all);
        }
    }

    /// Tells that something does not work as expected.
    pub(crate) fn note(&self, message: &str) {
        if let Some(observer) = &self.observer {
            observer.note(message);
        }
    }

    /// Returns the function that names files of an environment: relative to its folder.
    pub(crate) fn namer(
        &self,
        environment: &str,
    ) -> Result<impl Fn(&std::path::Path) -> String + use<>, problem::Problem> {
        let (opened, _) = self.nodes.environments.get(environment)?;
        let root = opened.environment.layers().environment.root.clone();
        Ok(move |file: &std::path::Path| page::FileLinks::new(&root).file(file))
    }
}

/// Returns a list, which is kept for some seconds if making it takes long.
fn listed<T: Clone>(
    kept: &Mutex<Option<(Instant, T)>>,
    list: impl FnOnce() -> Result<T, problem::Problem>,
) -> Result<T, problem::Problem> {
    let kept = || kept.lock().unwrap_or_else(PoisonError::into_inner);
    let now = Instant::now();
    if let Some((_, known)) = kept().as_ref().filter(|(until, _)| now < *until) {
        return Ok(known.clone());
    }
    // Other requests are not locked out meanwhile.
    let found = list()?;
    let took = now.elapsed();
    *kept() = (took >= SLOW_LISTING)
        .then(|| (Instant::now() + MAX_NAMES_LIFETIME.min(took * NAMES_LIFETIME_FACTOR), found.clone()));
    Ok(found)
}

/// A service, shared by all connections.
pub(crate) type Shared = Arc<Service>;
