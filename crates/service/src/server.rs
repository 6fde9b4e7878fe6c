//! Accepts connections while the service runs, and closes them gracefully.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use axum::Router;
use hieratic::{Error, ErrorKind};
use hyper::service::Service as _;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_rustls::TlsAcceptor;

use crate::access::Access;
use crate::codes;
use crate::connections::{CLIENT_TIMEOUT, Connection, ConnectionService, Connections, TrackedStream};
use crate::environments::Environments;
use crate::facts::{FactsSource, FactsStore};
use crate::metrics::Metrics;
use crate::nodes::Nodes;
use crate::options::ServiceOptions;
use crate::scheduler::RequestScheduler;
use crate::{Service, router, tls};

/// Returns the error of a service that cannot be started.
fn refused(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Fatal, codes::SERVE, message)
}

/// The pause when no connection can be accepted because the machine has no resources left.
const OUT_OF_RESOURCES_PAUSE: Duration = Duration::from_millis(50);

/// The pause when the service is working for all connections.
const NO_ROOM_PAUSE: Duration = Duration::from_millis(5);

/// A service whose address is bound, and that is ready to answer.
pub struct BoundService {
    listener: TcpListener,
    service: Arc<Service>,
    tls: Option<TlsAcceptor>,
    address: SocketAddr,
    described: String,
    repeated: Arc<[String]>,
}

impl BoundService {
    /// Returns the address for a browser.
    pub fn url(&self) -> String {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        format!("{scheme}://{}", self.address)
    }

    /// Returns a description of the sources of nodes, for people.
    pub fn described(&self) -> &str {
        &self.described
    }

    /// Returns the positions of repeated nodes in the file of facts. Their first facts are used.
    pub fn repeated(&self) -> &[String] {
        &self.repeated
    }

    /// Answers a `GET` request without a connection and returns the status and the body. For tests and fuzzers.
    pub async fn answer(&self, path: &str) -> (u16, Vec<u8>) {
        let request = axum::http::Request::get(path).header(axum::http::header::HOST, "localhost");
        let Ok(request) = request.body(axum::body::Body::empty()) else { return (400, b"it is not a path".to_vec()) };
        let router = TowerToHyperService::new(router::router(self.service.clone()));
        let response = match router.call(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        };
        let status = response.status().as_u16();
        match axum::body::to_bytes(response.into_body(), usize::MAX).await {
            Ok(body) => (status, body.to_vec()),
            // The body comes from memory. It reports the truncation itself.
            Err(error) => (500, error.to_string().into_bytes()),
        }
    }
}

/// Serves requests until SIGTERM or SIGINT, then finishes those in flight.
///
/// `ready` is called when requests are accepted. The call blocks; it starts its own runtime.
///
/// # Errors
///
/// A file in the options is missing or unreadable, the address cannot be bound, or other machines can reach it although
/// there are no tokens and [`ServiceOptions::open`] is not set.
pub fn serve(options: &ServiceOptions, ready: impl FnOnce(&BoundService)) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(options.limits.at_once + options.limits.long + 4)
        .thread_name("hieratic")
        .build()
        .map_err(|error| refused(format!("the service cannot start: {error}")))?;
    more_files();
    let outcome = runtime.block_on(async {
        let ended = signal()?;
        let bound = bind(options).await?;
        ready(&bound);
        bound.run(ended).await;
        Ok(())
    });
    // Cancelled work ends with the process.
    runtime.shutdown_background();
    outcome
}

/// Binds the address and reads the files in the options.
///
/// # Errors
///
/// As [`serve`].
pub async fn bind(options: &ServiceOptions) -> Result<BoundService, Error> {
    let address = match &options.listener {
        Some(listener) => {
            listener.local_addr().map_err(|error| refused(format!("the socket has no address: {error}")))?
        }
        None => options.listen,
    };
    let local = address.ip().is_loopback();
    if !local && options.token_file.is_none() && !options.open {
        let help = "pass --token-file, or --open to allow unauthenticated clients";
        let message = format!("{address} is reachable from other machines, and no token is required");
        return Err(refused(message).help(help));
    }
    let stored =
        Arc::new(FactsStore::new(&options.facts, &options.settings).map_err(|message| match options.facts {
            FactsSource::Folder(_) => {
                refused(message).help("name a folder with one file of facts per node, NAME.json or NAME.yaml")
            }
            _ => refused(message),
        })?);
    let metrics = Metrics::new();
    let environments = Environments::new(options.settings.clone(), options.limits.settle);
    let described = format!("{}, {}", plural(environments.names().len()), stored.describe());
    let repeated = stored.repeated().map_err(|problem| refused(problem.detail))?;
    let access = Access::new(options.token_file.as_deref(), local).map_err(refused)?;
    let tls = options.tls.as_ref().map(tls::acceptor).transpose().map_err(refused)?;
    let service = Arc::new_cyclic(|own| Service {
        own: own.clone(),
        nodes: Nodes::new(environments, stored.clone(), &options.limits, metrics.clone()),
        stored,
        names: std::sync::Mutex::default(),
        misnamed: std::sync::Mutex::default(),
        fleet: crate::fleet::Fleet::default(),
        changes: crate::changes::Comparisons::default(),
        recent: crate::recent::RecentCache::default(),
        checks: crate::findings::Checks::default(),
        events: crate::events::Events::default(),
        access,
        metrics,
        limits: options.limits.clone(),
        index_store: options.index_store.clone(),
        observer: options.observer.clone(),
        reveal: options.reveal,
        catalogs: options.catalogs,
        link: options.link.clone(),
        job_sets: options.job_sets.clone(),
        places: Arc::new(Semaphore::new(options.limits.at_once.max(1))),
        waiting: AtomicUsize::new(0),
        scheduler: Arc::new(RequestScheduler::new(options.limits.long)),
        bodies: AtomicUsize::new(0),
        answers: Arc::default(),
    });
    let in_use = |error: std::io::Error| {
        refused(format!("cannot listen on {address}: {error}"))
            .help("pass another address to --listen; port 0 selects a free port")
    };
    let listener = match &options.listener {
        Some(listener) => {
            let own = listener.try_clone().map_err(in_use)?;
            own.set_nonblocking(true).map_err(in_use)?;
            TcpListener::from_std(own).map_err(in_use)?
        }
        None => TcpListener::bind(options.listen).await.map_err(in_use)?,
    };
    let address = listener.local_addr().map_err(in_use)?;
    Ok(BoundService { listener, service, tls, address, described, repeated })
}

fn plural(environments: usize) -> String {
    match environments {
        1 => "1 environment".into(),
        count => format!("{count} environments"),
    }
}

impl BoundService {
    /// Serves requests until `ended` resolves, then finishes those in flight.
    async fn run(self, ended: impl Future<Output = ()>) {
        let BoundService { listener, service, tls, .. } = self;
        let limits = service.limits.clone();
        let router = router::router(service.clone());
        let graceful = GracefulShutdown::new();
        let connections = Arc::new(Connections::new(limits.connections));
        let mut ended = std::pin::pin!(ended);
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = &mut ended => break,
            };
            let Ok((stream, _)) = accepted else {
                // The machine has no resources left: idle connections are closed.
                connections.close_longest_idle();
                tokio::time::sleep(OUT_OF_RESOURCES_PAUSE).await;
                continue;
            };
            while !connections.has_room() {
                tokio::time::sleep(NO_ROOM_PAUSE).await;
            }
            let place = connections.enter();
            // Answers are small; they are not to wait for each other.
            let _ = stream.set_nodelay(true);
            let (router, tls, watcher) = (router.clone(), tls.clone(), graceful.watcher());
            tokio::spawn(async move {
                let connection = &place.connection;
                let served = async {
                    match tls {
                        None => serve_connection(stream, router, watcher, connection).await,
                        Some(tls) => {
                            if let Ok(stream) = tls.accept(stream).await {
                                serve_connection(stream, router, watcher, connection).await;
                            }
                        }
                    }
                };
                tokio::select! {
                    () = served => {}
                    () = connection.overdue() => {}
                }
            });
        }
        drop(listener);
        service.events.end();
        // Requests that have not finished by then are aborted.
        let _ = tokio::time::timeout(limits.shutdown, graceful.shutdown()).await;
    }
}

/// The maximum number of concurrent requests on one connection.
const MAX_STREAMS: u32 = 20;

/// The maximum size of the head of a request, in bytes.
const MAX_HEAD_BYTES: u32 = 64 << 10;

/// Answers the requests of one connection.
async fn serve_connection(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    router: Router,
    watcher: Watcher,
    connection: &Arc<Connection>,
) {
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(CLIENT_TIMEOUT).max_buf_size(MAX_HEAD_BYTES as usize);
    builder.http2().timer(TokioTimer::new()).max_concurrent_streams(MAX_STREAMS).max_header_list_size(MAX_HEAD_BYTES);
    let stream = TrackedStream { stream, connection: connection.clone() };
    let served = ConnectionService { router: TowerToHyperService::new(router), connection: connection.clone() };
    // A client that breaks off is its own affair.
    let _ = watcher.watch(builder.serve_connection(TokioIo::new(stream), served).into_owned()).await;
}

/// Lets the process open as many files as it may at all: every connection is one.
fn more_files() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        if current != maximum {
            // Without a higher limit, connections are closed earlier.
            let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
        }
    }
}

/// Waits for the signal to shut down.
fn signal() -> Result<impl Future<Output = ()>, Error> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let deaf = |error: std::io::Error| refused(format!("signals cannot be received: {error}"));
        let mut terminate = signal(SignalKind::terminate()).map_err(deaf)?;
        let mut interrupt = signal(SignalKind::interrupt()).map_err(deaf)?;
        Ok(async move {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        })
    }
    #[cfg(not(unix))]
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
