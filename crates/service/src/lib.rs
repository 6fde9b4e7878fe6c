//! Lookups over HTTP, and a page for the browser.
//!
//! [`Service`] answers for environments and nodes, each from one state of the files; [`serve`] puts it behind a socket with
//! limits, tokens and TLS, and ends gracefully. What can be asked is described by [`OPENAPI`]; `docs/service.md` shows it.
//!
//! **No answer mixes two versions of files.** A node that was asked before is kept together with everything that it has
//! looked at ([`hieratic::Looks`]). Before it answers, all of that is held against the file system. What is as it was
//! answers at once. What has changed is read anew by a new node, whose answer is given only if, after it was computed, all
//! that it has read is still there, and had been so for a moment (`settle`) before it was read. While somebody is in the
//! middle of changing files, nodes go on answering from what they have read before.
//!
//! **Nothing secret leaves.** Answers are made of masked values, unless both the server and the request say otherwise.

mod access;
mod answers;
mod api;
mod changes;
pub mod codes;
mod connections;
mod environments;
mod events;
mod facts;
mod findings;
mod fleet;
mod history;
mod json;
mod lanes;
mod levels;
mod limits;
mod metrics;
mod nodes;
mod options;
mod page;
mod problem;
mod questions;
mod reads;
mod router;
mod search;
mod server;
mod stamps;
mod tls;
mod words;

use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

pub use api::OPENAPI;
pub use facts::FactsSource;
pub use options::{Limits, Options, TlsFiles};
pub use reads::Reads;
pub use router::routes;
pub use server::{Bound, bind, serve};

use access::Access;
use facts::Stored;
use metrics::Metrics;
use nodes::Nodes;

/// Everything that answers share.
pub(crate) struct Service {
    /// The service itself, for work that goes on beside requests.
    pub(crate) own: Weak<Service>,
    pub(crate) nodes: Nodes,
    pub(crate) stored: Arc<Stored>,
    /// The names of all nodes, and until when they are not asked for again.
    pub(crate) names: Mutex<Option<(Instant, Vec<String>)>>,
    /// The answers of all nodes.
    pub(crate) fleet: fleet::Fleet,
    /// What changes between revisions.
    pub(crate) changes: changes::Changes,
    /// What `check` finds.
    pub(crate) checks: findings::Checks,
    /// The streams that report changed files.
    pub(crate) events: events::Events,
    pub(crate) access: Access,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) limits: Limits,
    /// Whether requests may ask for secrets.
    pub(crate) reveal: bool,
    /// Where a forge shows a line of a file.
    pub(crate) link: Option<String>,
    /// How many questions may be worked on at once.
    pub(crate) places: Arc<tokio::sync::Semaphore>,
    /// How many wait for that.
    pub(crate) waiting: AtomicUsize,
    /// Those that are worked on for longer.
    pub(crate) lanes: Arc<lanes::Lanes>,
    /// How many bytes the larger bodies of requests have that are underway.
    pub(crate) bodies: AtomicUsize,
    /// How many bytes all answers have that are made, and not yet taken by their clients.
    pub(crate) answers: Arc<AtomicUsize>,
}

/// How long it has to take to list the nodes before their names are kept.
const LONG: Duration = Duration::from_millis(20);

/// How many times longer than that names are kept.
const TIMES: u32 = 20;

/// How long names are kept at most.
const LONGEST: Duration = Duration::from_secs(10);

impl Service {
    /// The names of all nodes, sorted. Those of many nodes may be some seconds old.
    pub(crate) fn names(&self) -> Result<Vec<String>, problem::Problem> {
        let kept = || self.names.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if let Some((_, names)) = kept().as_ref().filter(|(until, _)| now < *until) {
            return Ok(names.clone());
        }
        // Without a lock: others may go on meanwhile.
        let names = self.stored.names()?;
        let took = now.elapsed();
        *kept() = (took >= LONG).then(|| (Instant::now() + LONGEST.min(took * TIMES), names.clone()));
        Ok(names)
    }

    /// How files of an environment are named: as seen from its folder.
    pub(crate) fn namer(
        &self,
        environment: &str,
    ) -> Result<impl Fn(&std::path::Path) -> String + use<>, problem::Problem> {
        let (opened, _) = self.nodes.environments.get(environment)?;
        let root = opened.environment.layers().environment.root.clone();
        Ok(move |file: &std::path::Path| page::Named::new(&root, None).file(file))
    }
}

/// A service, shared by all connections.
pub(crate) type Shared = Arc<Service>;
