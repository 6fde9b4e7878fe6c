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
    /// An already bound listener, such as one of systemd, instead of the address.
    pub listener: Option<Arc<std::net::TcpListener>>,
    /// The settings for opening environments.
    pub settings: Settings,
    /// The source of the facts of nodes.
    pub facts: FactsSource,
    /// A file of tokens, one per line. Every request must have one of them. Without the file, no token is needed.
    pub token_file: Option<PathBuf>,
    /// The server's certificate and key. Without them, connections are not encrypted.
    pub tls: Option<TlsFiles>,
    /// The entries of `[[jobs]]` in the settings, with the variables of the Nomad jobs of the repository.
    pub job_sets: Vec<hieratic_lint::JobSet>,
    /// Stores the indexes of all nodes between starts. Without it, they are rebuilt.
    pub index_store: Option<Arc<dyn IndexStore>>,
    /// Receives messages about the work of the service.
    pub observer: Option<Arc<dyn Observer>>,
    /// Whether requests may reveal secrets.
    pub reveal: bool,
    /// Whether pages may show catalogs, for which the code of the environment is evaluated.
    pub catalogs: bool,
    /// The address of a line of a file at a forge, with `{path}` and `{line}`.
    pub link: Option<String>,
    /// Whether to accept requests without a token on an address that other machines can reach.
    pub open: bool,
    /// The limits of the service.
    pub limits: Limits,
}

/// Receives messages about the work of the service, for its operator.
pub trait Observer: std::fmt::Debug + Send + Sync {
    /// Reports the progress of the index of an environment: `read` of `all` nodes were read.
    fn nodes_read(&self, environment: &str, read: usize, all: usize);

    /// Reports a problem that does not prevent answers.
    fn note(&self, message: &str);
}

/// A certificate and its key, in PEM form.
#[derive(Clone, Debug)]
pub struct TlsFiles {
    /// The certificate with its chain.
    pub certificate: PathBuf,
    /// The private key.
    pub key: PathBuf,
}

/// The limits of the service.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The maximum size of a request's body, in bytes.
    pub body: usize,
    /// The time for one request, including its body.
    pub time: Duration,
    /// The number of requests that are processed at the same time. Others wait.
    pub at_once: usize,
    /// The number of long requests, which share one half of the processors. Further ones are refused.
    pub long: usize,
    /// The budget of one request. Its time is [`time`](Self::time).
    pub work: hieratic::budget::Limits,
    /// The maximum number of open connections. A further one closes the connection that has been idle for the longest
    /// time.
    pub connections: usize,
    /// The time for which a file must be unchanged before it counts as complete.
    pub settle: Duration,
    /// The time for which a node may answer from earlier data while its files keep changing.
    pub stale: Duration,
    /// The time for requests to finish after the signal to shut down.
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
