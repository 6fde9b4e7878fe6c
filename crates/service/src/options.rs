//! [`Options`]: what a service is started with.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use hieratic::Settings;

use crate::facts::FactsSource;

/// What a service is started with.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where to listen.
    pub listen: SocketAddr,
    /// Where environments lie.
    pub settings: Settings,
    /// Where the facts of nodes are stored.
    pub facts: FactsSource,
    /// A file of tokens, one a line, of which every request has to show one; without it, everybody may ask.
    pub token_file: Option<PathBuf>,
    /// The server's certificate and key; without them, connections are not encrypted.
    pub tls: Option<TlsFiles>,
    /// Whether requests may ask for secrets.
    pub reveal: bool,
    /// Where a forge shows a line of a file, with `{path}` and `{line}` in it.
    pub link: Option<String>,
    /// Whether everybody may ask on an address that others can reach.
    pub open: bool,
    /// How much is allowed at once.
    pub limits: Limits,
}

/// A certificate and its key, in PEM form.
#[derive(Clone, Debug)]
pub struct TlsFiles {
    /// The certificate, and those that lead to its root.
    pub certificate: PathBuf,
    /// The private key.
    pub key: PathBuf,
}

/// How much is allowed at once.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The bytes of one request's body.
    pub body: usize,
    /// The time for one request, its body included.
    pub time: Duration,
    /// The requests that are worked on at once; others wait.
    pub at_once: usize,
    /// The requests that take longer, and go on beside those: they share one half of the processors. More are refused.
    pub long: usize,
    /// The work that one request may cost. Its time is [`time`](Self::time).
    pub work: hieratic::powers::Limits,
    /// The connections that are open at once; for another, the one is closed that has been idle the longest.
    pub connections: usize,
    /// How long files must have been left alone before they are taken as complete.
    pub settle: Duration,
    /// How long a node may go on answering from what it has read before, while its files keep changing.
    pub stale: Duration,
    /// How long requests may take to finish when the service is asked to end.
    pub shutdown: Duration,
    /// The bytes that nodes that were asked before may take, roughly.
    pub kept: u64,
}

impl Limits {
    /// The limits of one answer: of its work, and of its time.
    pub(crate) fn of_answer(&self) -> hieratic::powers::Limits {
        hieratic::powers::Limits { time: Some(self.time), ..self.work }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            body: 1 << 20,
            time: Duration::from_secs(10),
            at_once: 64,
            long: 64,
            work: hieratic::powers::Limits { bytes: 64 << 20, ..hieratic::powers::Limits::default() },
            connections: 1024,
            settle: Duration::from_millis(50),
            stale: Duration::from_secs(5),
            shutdown: Duration::from_secs(30),
            kept: 256 << 20,
        }
    }
}
