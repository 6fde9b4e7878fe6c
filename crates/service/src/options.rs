//! [`ServiceOptions`]: the settings of a service.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use hieratic::Settings;

use crate::facts::FactsSource;
use crate::index_store::IndexStore;

/// The settings of a service.
#[derive(Clone, Debug)]
pub struct ServiceOptions {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// A listener that is bound already, such as one of systemd's, instead of the address.
    pub listener: Option<Arc<std::net::TcpListener>>,
    /// The settings for opening environments.
    pub settings: Settings,
    /// The source of the facts of nodes.
    pub facts: FactsSource,
    /// A file of tokens, one per line. Every request has to present one of them; without the file, no token is needed.
    pub token_file: Option<PathBuf>,
    /// The server's certificate and key; without them, connections are not encrypted.
    pub tls: Option<TlsFiles>,
    /// The entries of `[[jobs]]` in the settings: how the Nomad jobs of the repository are run.
    pub job_sets: Vec<hieratic_lint::JobSet>,
    /// Keeps the indexes of all nodes between starts; without it, they are made anew.
    pub index_store: Option<Arc<dyn IndexStore>>,
    /// Hears of the work of the service.
    pub observer: Option<Arc<dyn Observer>>,
    /// Whether requests may reveal secrets.
    pub reveal: bool,
    /// Allows pages to show catalogs, for which the code of the environment is compiled.
    pub catalogs: bool,
    /// The address of a line of a file at a forge, with `{path}` and `{line}`.
    pub link: Option<String>,
    /// Whether to accept requests without a token on an address that other machines can reach.
    pub open: bool,
    /// The limits of the service.
    pub limits: Limits,
}

/// Hears what the service does beside its answers, for the person who started it.
pub trait Observer: std::fmt::Debug + Send + Sync {
    /// Some nodes of an environment were read for its index; that is the end if they are all.
    fn nodes_read(&self, environment: &str, read: usize, all: usize);

    /// Something does not work as expected, and the service answers all the same.
    fn note(&self, message: &str);
}

/// A certificate and its key, in PEM form.
#[derive(Clone, Debug)]
pub struct TlsFiles {
    /// The certificate, and those that lead to its root.
    pub certificate: PathBuf,
    /// The private key.
    pub key: PathBuf,
}

/// The limits of the service.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The bytes of one request's body.
    pub body: usize,
    /// The time for one request, its body included.
    pub time: Duration,
    /// The requests that are worked on at once; others wait.
    pub at_once: usize,
    /// The number of long requests, which share one half of the processors. More are refused.
    pub long: usize,
    /// The work that one request may cost. Its time is [`time`](Self::time).
    pub work: hieratic::budget::Limits,
    /// The connections that are open at once; for another, the one is closed that has been idle the longest.
    pub connections: usize,
    /// The time that files must have been unchanged before they count as complete.
    pub settle: Duration,
    /// The time that a node may answer from files read earlier, while the files keep changing.
    pub stale: Duration,
    /// The time that requests have to finish after the service has received the signal to shut down.
    pub shutdown: Duration,
    /// The approximate size of the cache of nodes, in bytes.
    pub kept: u64,
}

impl Limits {
    /// The limits of one answer: of its work, and of its time.
    pub(crate) fn of_answer(&self) -> hieratic::budget::Limits {
        hieratic::budget::Limits { time: Some(self.time), ..self.work }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            body: 1 << 20,
            time: Duration::from_secs(10),
            at_once: 64,
            long: 64,
            work: hieratic::budget::Limits { bytes: 64 << 20, ..hieratic::budget::Limits::default() },
            connections: 1024,
            settle: Duration::from_millis(50),
            stale: Duration::from_secs(5),
            shutdown: Duration::from_secs(30),
            kept: 256 << 20,
        }
    }
}
