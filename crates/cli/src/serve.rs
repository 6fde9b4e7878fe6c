//! `hieratic serve`: lookups over HTTP, and a page for the browser.

#[cfg(not(target_os = "wasi"))]
use std::collections::HashMap;
use std::net::SocketAddr;
#[cfg(not(target_os = "wasi"))]
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::ExitCode;
#[cfg(not(target_os = "wasi"))]
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clap::Args;
use hieratic::{Error, SearchPath};
#[cfg(not(target_os = "wasi"))]
use hieratic_service::{FactsSource, IndexStore, Limits, Observer, ServiceOptions, TlsFiles};

#[cfg(not(target_os = "wasi"))]
use crate::access::Access;
#[cfg(not(target_os = "wasi"))]
use crate::args::PlaceArguments;
use crate::args::{LimitArguments, MessageArguments, PermissionArguments, VersionArguments};
#[cfg(not(target_os = "wasi"))]
use crate::fleet;
#[cfg(not(target_os = "wasi"))]
use crate::found_facts::FoundFacts;
#[cfg(not(target_os = "wasi"))]
use crate::index_files::IndexFiles;
#[cfg(not(target_os = "wasi"))]
use crate::levels;
#[cfg(not(target_os = "wasi"))]
use crate::output;
#[cfg(not(target_os = "wasi"))]
use crate::progress::Bar;
use crate::puppetdb::PuppetDbArguments;
use crate::report::Reporter;
#[cfg(not(target_os = "wasi"))]
use crate::target::{self, Target};

/// The flags of `serve`.
#[derive(Args, Debug)]
pub(crate) struct ServeArguments {
    /// The address to listen on; non-local addresses require --token-file or --open
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8088")]
    listen: SocketAddr,
    /// A folder with the facts of each node in NAME.json, NAME.yaml or NAME.yml, a file of one node, or one of many (NDJSON, Parquet, Arrow)
    #[arg(long, alias = "facts-dir", value_name = "FILE|FOLDER", conflicts_with = "puppetdb")]
    pub(crate) facts: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) puppetdb: PuppetDbArguments,
    /// Cache facts from PuppetDB for this time, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds, requires = "puppetdb")]
    puppetdb_keep: Duration,

    /// A file of access tokens, one per line; every request must carry one
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Allow unauthenticated clients
    #[arg(long)]
    open: bool,
    /// The certificate chain of the service, in PEM format
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The key of the certificate, in PEM format
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Allow requests to reveal decrypted and Sensitive values
    #[arg(long)]
    reveal: bool,
    /// Show the catalogs of nodes: compile the Puppet code of the environment on request
    #[arg(long)]
    catalogs: bool,

    /// URL template for a line of a file on a forge, as the settings say.
    #[arg(skip)]
    pub(crate) link: Option<String>,
    /// The entries of `[[jobs]]` in the settings.
    #[arg(skip)]
    pub(crate) job_sets: Vec<hieratic_lint::JobSet>,

    /// The maximum size of a request body, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 20)]
    body_limit: usize,
    /// The maximum time for a request, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    timeout: Duration,
    /// The maximum number of requests processed at once
    #[arg(long, value_name = "COUNT", default_value_t = 64)]
    concurrency: usize,
    /// The maximum number of open connections
    #[arg(long, value_name = "COUNT", default_value_t = 1024)]
    connections: usize,
    /// Debounce for file changes, in milliseconds
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 50, value_parser = clap::value_parser!(u64).range(20..=60_000))]
    settle: u64,
    /// The approximate size of the node cache, in MB
    #[arg(long, value_name = "MEGABYTES", default_value_t = 256)]
    keep: u64,
    /// Make the index of all nodes anew, and do not keep it in the cache folder of the user
    #[arg(long)]
    no_cache: bool,
    /// Time for requests in flight on shutdown, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    shutdown_timeout: Duration,

    /// The environment for requests that name none
    #[arg(long, short = 'E', value_name = "NAME")]
    pub(crate) environment: Option<String>,
    /// The folder of the only environment; its name does not matter
    #[arg(long, value_name = "FOLDER")]
    pub(crate) environment_dir: Option<PathBuf>,
    /// The folders that contain environments, separated by colons
    #[arg(long, value_name = "FOLDERS")]
    environmentpath: Option<SearchPath>,
    /// The folder that contains code and data
    #[arg(long, value_name = "FOLDER")]
    codedir: Option<PathBuf>,
    /// The folder that contains puppet.conf and the global hiera.yaml
    #[arg(long, value_name = "FOLDER")]
    confdir: Option<PathBuf>,
    /// The global hiera.yaml
    #[arg(long = "hiera_config", alias = "hiera-config", value_name = "FILE")]
    pub(crate) hiera_config: Option<PathBuf>,
    /// Module folders, separated by colons
    #[arg(long, value_name = "FOLDERS")]
    pub(crate) modulepath: Option<SearchPath>,
    /// Module folders of all environments, separated by colons
    #[arg(long, value_name = "FOLDERS")]
    basemodulepath: Option<SearchPath>,
    /// Replace a datadir of hiera.yaml by a folder here: /srv/hiera=data (repeatable)
    #[arg(long, value_name = "DATADIR=FOLDER", action = clap::ArgAction::Append, value_parser = crate::args::datadir)]
    pub(crate) datadir: Vec<String>,
    /// Skip the level of this name: its backend cannot run here (repeatable)
    #[arg(long, value_name = "NAME", action = clap::ArgAction::Append, allow_hyphen_values = true)]
    pub(crate) without_level: Vec<String>,
    /// Whether the levels come from the settings instead of the flag.
    #[arg(skip)]
    pub(crate) without_level_by_settings: bool,
    /// Whether the settings make decrypted values Sensitive.
    #[arg(skip)]
    pub(crate) sensitive_secrets: bool,

    #[command(flatten)]
    pub(crate) puppet: VersionArguments,
    #[command(flatten)]
    permissions: PermissionArguments,
    #[command(flatten)]
    limits: LimitArguments,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// A length of time in seconds, with a fraction if need be.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_string())?;
    Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|time| !time.is_zero() && *time <= Duration::from_secs(86_400))
        .ok_or_else(|| "expected seconds, more than 0 and at most 86400".into())
}

impl ServeArguments {
    /// Returns whether a flag names the environments.
    pub(crate) fn names_environments(&self) -> bool {
        self.environmentpath.is_some() || self.codedir.is_some() || self.confdir.is_some()
    }

    /// The facts that the repository of the environments has in one of the usual folders; otherwise none.
    #[cfg(not(target_os = "wasi"))]
    fn found_facts(&self, place: &PlaceArguments) -> FactsSource {
        let target = Target::new(place);
        let settings = target.settings();
        let folder = target::environment_folder(settings).unwrap_or_else(|| target::nearest_folder(settings));
        let root = hieratic::layers::repository_of(&folder).unwrap_or(folder);
        // The path is shown.
        let shown = |folder: PathBuf| PathBuf::from(output::relative_file(&folder));
        FoundFacts::below(&root).map_or(FactsSource::Names, |found| FactsSource::Folder(shown(found.folder)))
    }

    #[cfg(not(target_os = "wasi"))]
    fn options(&self) -> ServiceOptions {
        let place = PlaceArguments {
            environment: self.environment.clone(),
            environment_dir: self.environment_dir.clone(),
            environmentpath: self.environmentpath.clone(),
            codedir: self.codedir.clone(),
            confdir: self.confdir.clone(),
            hiera_config: self.hiera_config.clone(),
            modulepath: self.modulepath.clone(),
            basemodulepath: self.basemodulepath.clone(),
            datadir: self.datadir.clone(),
            without_level: self.without_level.clone(),
            sensitive_secrets: self.sensitive_secrets,
            puppet: self.puppet,
            permissions: self.permissions,
            access: Access::for_verb("serve"),
            ..PlaceArguments::default()
        };
        let facts = match (&self.facts, self.puppetdb.settings()) {
            (Some(file), _) if file.is_file() && hieratic_fleet::is_of_many(file) => FactsSource::Many(file.clone()),
            (Some(file), _) if file.is_file() => FactsSource::File(file.clone()),
            (Some(folder), _) => FactsSource::Folder(folder.clone()),
            (None, Some(puppetdb)) => FactsSource::PuppetDb(puppetdb, self.puppetdb_keep),
            (None, None) => self.found_facts(&place),
        };
        let tls = self.tls_cert.clone().zip(self.tls_key.clone());
        let defaults = Limits::default();
        ServiceOptions {
            listen: self.listen,
            listener: None,
            settings: Target::new(&place).settings_with(true),
            facts,
            job_sets: self.job_sets.clone(),
            // A user without a home folder has no cache.
            index_store: IndexFiles::of_user()
                .filter(|_| !self.no_cache)
                .map(|files| -> Arc<dyn IndexStore> { Arc::new(files) }),
            observer: None,
            token_file: self.token_file.clone(),
            tls: tls.map(|(certificate, key)| TlsFiles { certificate, key }),
            reveal: self.reveal,
            catalogs: self.catalogs,
            link: self.link.clone(),
            open: self.open,
            limits: Limits {
                body: self.body_limit,
                time: self.timeout,
                at_once: self.concurrency,
                connections: self.connections,
                settle: Duration::from_millis(self.settle),
                shutdown: self.shutdown_timeout,
                kept: self.keep.saturating_mul(1 << 20),
                work: self.limits.over(defaults.work),
                ..defaults
            },
        }
    }
}

/// A program in a browser accepts no connections.
#[cfg(target_os = "wasi")]
fn serve(_: &ServeArguments, _: &Reporter) -> Result<(), Error> {
    Err(crate::usage::usage("this build of hieratic has no network and cannot serve"))
}

/// The number of the first file descriptor that systemd passes.
#[cfg(unix)]
const FIRST_PASSED: std::os::fd::RawFd = 3;

/// The listener of a unit `.socket` of systemd, whose address counts instead of that of the flag. `None` without such a unit.
///
/// # Errors
/// More than one socket is passed, or one that accepts no connections over IP.
#[cfg(unix)]
fn passed_listener() -> Result<Option<Arc<TcpListener>>, Error> {
    // A variable that is unset or no number is not of systemd, and the address of --listen is used.
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u32>().ok());
    // The variables are for this process only if it has the number that they say: a parent may have left them.
    let (Some(count), true) = (number("LISTEN_FDS"), number("LISTEN_PID") == Some(std::process::id())) else {
        return Ok(None);
    };
    let refused = |message: &str| {
        crate::usage::usage(message).help("the unit needs one ListenStream, with an address and a port: 127.0.0.1:8088")
    };
    if count != 1 {
        return Err(refused(&format!("systemd passes {count} sockets, and one is served")));
    }
    #[expect(unsafe_code, reason = "a listener is passed as the number of a file descriptor")]
    // SAFETY: the number is that of systemd's protocol, the process asks once, and nothing else has opened or closed it.
    let listener = unsafe { <TcpListener as std::os::fd::FromRawFd>::from_raw_fd(FIRST_PASSED) };
    // A socket of another family has no such address, and one that is closed has none at all.
    match listener.local_addr() {
        Ok(_) => Ok(Some(Arc::new(listener))),
        Err(error) => {
            // It may be another file, which is not this one's to close.
            std::mem::forget(listener);
            Err(refused(&format!("the socket that systemd passes is not one of TCP: {error}")))
        }
    }
}

/// Other systems have no systemd.
#[cfg(not(any(unix, target_os = "wasi")))]
fn passed_listener() -> Result<Option<Arc<TcpListener>>, Error> {
    Ok(None)
}

/// Shows the work of the service on the terminal: a line for each environment whose nodes are being read, and notes.
#[cfg(not(target_os = "wasi"))]
#[derive(Debug)]
struct Terminal {
    messages: crate::args::MessageFormat,
    color: crate::args::Color,
    bars: Mutex<HashMap<String, Bar>>,
}

#[cfg(not(target_os = "wasi"))]
impl Observer for Terminal {
    fn nodes_read(&self, environment: &str, read: usize, all: usize) {
        let mut bars = self.bars.lock().unwrap_or_else(PoisonError::into_inner);
        if read >= all {
            bars.remove(environment);
            return;
        }
        bars.entry(environment.to_string()).or_insert_with(Bar::beside).show("Reading nodes", read, all);
    }

    fn note(&self, message: &str) {
        // The lines are drawn again after the note.
        let bars = self.bars.lock().unwrap_or_else(PoisonError::into_inner);
        let write = || Reporter::new(self.messages, self.color).log_line("note: ", message, false);
        match bars.values().next() {
            Some(bar) => bar.aside(write),
            None => write(),
        }
    }
}

/// Serves until the process is stopped.
#[cfg(not(target_os = "wasi"))]
fn serve(arguments: &ServeArguments, reporter: &Reporter) -> Result<(), Error> {
    let terminal = Terminal {
        messages: arguments.messages.message_format,
        color: arguments.messages.color,
        bars: Mutex::default(),
    };
    let options =
        ServiceOptions { listener: passed_listener()?, observer: Some(Arc::new(terminal)), ..arguments.options() };
    if !arguments.without_level_by_settings {
        let settings = &options.settings;
        let of_name = |name| hieratic::Settings { environment: Some(name), ..settings.clone() };
        levels::check_left_out_of_all(&arguments.without_level, settings.environments().into_iter().map(of_name))?;
    }
    hieratic_service::serve(&options, |bound| {
        reporter.log_line(&format!("Serving {} on {}", bound.described(), bound.url()), "", false);
        fleet::report_repeated(bound.repeated(), reporter);
    })
}

/// Runs the verb.
pub(crate) fn run(arguments: &ServeArguments) -> ExitCode {
    let reporter = Reporter::new(arguments.messages.message_format, arguments.messages.color);
    match serve(arguments, &reporter) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            reporter.error("", &error);
            ExitCode::FAILURE
        }
    }
}
