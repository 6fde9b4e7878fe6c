//! [`ClientSession`]: the server from `initialize` to `shutdown`.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder};

use hieratic::sandbox::Files;
use hieratic::value::collections::HashMap;
use hieratic::{PuppetVersion, Settings};
use hieratic_lint::{RuleSet, StyleOptions};
use lsp_server::{ErrorCode, RequestId, ResponseError};
use lsp_types::{Url, WorkspaceFolder};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::client::{Client, error_response};
use crate::client_capabilities::ClientCapabilities;
use crate::global_state::GlobalState;
use crate::node_choice::NodeChoice;
use crate::options::ServerOptions;
use crate::paths::path_of;
use crate::picker::Picker;
use crate::pool::{Pool, panic_text};
use crate::progress::RequestProgress;
use crate::snapshot::Snapshot;
use hieratic::sandbox::SlashPath as _;

/// The stack size of a thread that checks, in bytes.
const CHECK_STACK_BYTES: usize = 16 << 20;

/// The client's `initializationOptions`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct InitializationOptions {
    /// Files and folders of facts, absolute or below the first folder.
    facts: Vec<PathBuf>,
    /// The node whose answers are shown.
    node: Option<String>,
    /// The version of Puppet: `6`, `7` or `8`.
    puppet_version: Option<String>,
    /// Files with values of variables of jobs, absolute or below the first folder; the last one counts.
    variable_files: Vec<PathBuf>,
    /// Whether unused keys are findings.
    unused: bool,
    /// The rules of style that are checked: `puppet-lint` or `vox-pupuli`.
    style: Option<StyleRules>,
}

/// The rules of style.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum StyleRules {
    PuppetLint,
    VoxPupuli,
}

/// The rules of style in a folder, with the options of its `.puppet-lint.rc`.
fn style_options(rules: StyleRules, folder: &Path, client: &Client) -> StyleOptions {
    let set = match rules {
        StyleRules::PuppetLint => RuleSet::PuppetLint,
        StyleRules::VoxPupuli => RuleSet::VoxPupuli,
    };
    let file = folder.join(".puppet-lint.rc");
    let files = Files::below([folder]);
    if !files.is_file(&file) {
        return StyleOptions::new(set, folder.to_owned(), None);
    }
    match files.read_text(&file) {
        Ok(text) => StyleOptions::new(set, folder.to_owned(), Some((&file.to_slashes(), &text))),
        Err(error) => {
            client.show_warning(format!("hieratic: {} cannot be read: {error}", file.display()));
            StyleOptions::new(set, folder.to_owned(), None)
        }
    }
}

/// A request that is not answered yet.
pub(crate) struct PendingRequest {
    pub(crate) id: RequestId,
    pub(crate) method: &'static str,
    pub(crate) progress: RequestProgress,
}

/// Whether a server has threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Threading {
    /// Messages, checks and answers have their threads.
    Several,
    /// Everything happens in the thread that brings the messages.
    None,
}

/// The parameters of the first request that are read.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InitializeParameters {
    capabilities: Value,
    #[serde(default)]
    initialization_options: Option<Value>,
    #[serde(default)]
    root_uri: Option<Url>,
    #[serde(default)]
    workspace_folders: Option<Vec<WorkspaceFolder>>,
}

/// A server whose client has introduced itself.
pub(crate) struct ClientSession {
    pub(crate) client: Client,
    pub(crate) global: Arc<GlobalState>,
    pub(crate) pool: Pool,
    checks: Vec<thread::JoinHandle<()>>,
    cancellations: Cancellations,
    /// The folders that the client has opened.
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) options: ServerOptions,
}

impl ClientSession {
    /// Starts the threads of a server, if it has some.
    ///
    /// # Errors
    /// The threads cannot be started.
    pub(crate) fn start(
        client: Client,
        options: &ServerOptions,
        parameters: InitializeParameters,
        threading: Threading,
    ) -> io::Result<ClientSession> {
        // Options that make no sense are those of another server: the client has no other ones for this one.
        let initial: InitializationOptions = parameters
            .initialization_options
            .and_then(|options| serde_json::from_value(options).ok())
            .unwrap_or_default();
        let mut check = options.check.clone();
        if let Some(version) = initial.puppet_version.and_then(|text| text.parse::<PuppetVersion>().ok()) {
            check.settings.puppet_version = version;
            check.strict = version.strict();
        }
        check.unused |= initial.unused;
        let capabilities = ClientCapabilities::new(&parameters.capabilities);
        // Older clients name one folder only.
        let single = parameters.root_uri;
        let named = parameters.workspace_folders.unwrap_or_default().into_iter().map(|folder| folder.uri);
        let mut folders: Vec<PathBuf> = named.filter_map(|uri| path_of(&uri)).collect();
        if folders.is_empty() {
            folders.extend(single.as_ref().and_then(path_of));
        }
        let base = folders.first().cloned().unwrap_or_default();
        check.style = initial.style.map(|rules| style_options(rules, &base, &client));
        for folder in &folders {
            match options.settings.jobs(folder) {
                Ok(jobs) => {
                    check.job_values.sets.extend(jobs.sets);
                    check.job_values.nomad_version = jobs.nomad_version;
                }
                Err(error) => client.show_warning(format!("hieratic: the settings cannot be read: {error}")),
            }
        }
        let global = GlobalState::new(client.clone(), check, capabilities);
        let facts: Vec<PathBuf> =
            options.facts.iter().cloned().chain(initial.facts.iter().map(|path| base.join(path))).collect();
        let node = initial.node.or_else(|| options.memory.node(folders.first()?));
        let chosen = NodeChoice::load(&facts, node, global.check.settings.puppet_version);
        if let Some(error) = &chosen.error {
            client.show_warning(format!("hieratic: the facts cannot be read: {error}"));
        }
        global.choose(chosen);
        global.choose_variables(initial.variable_files.iter().map(|path| base.join(path)).collect());
        let global = Arc::new(global);
        for folder in &folders {
            global.add_root(folder.clone());
        }
        let (checks, pool) = match threading {
            Threading::Several => {
                let threads = thread::available_parallelism().map_or(2, usize::from).clamp(2, 4);
                (start_checks(&global)?, Pool::new(threads)?)
            }
            Threading::None => (Vec::new(), Pool::without_threads()),
        };
        let session = ClientSession {
            client,
            global,
            pool,
            checks,
            cancellations: Cancellations::default(),
            folders,
            options: options.clone(),
        };
        if session.options.inventory.is_some() {
            let picker = session.picker();
            session.pool.run(move || picker.load());
        }
        Ok(session)
    }

    /// Ends all threads.
    pub(crate) fn end(self) {
        self.global.end();
        drop(self.pool);
        for check in self.checks {
            // A check reports its own panics.
            let _ = check.join();
        }
    }

    /// Creates the picker of nodes.
    pub(crate) fn picker(&self) -> Picker {
        Picker {
            global: self.global.clone(),
            folder: self.folders.first().cloned(),
            memory: self.options.memory.clone(),
            inventory: self.options.inventory.clone(),
        }
    }

    /// Adds a root for a document outside of the folders: its control repository, or the document alone.
    pub(crate) fn add_root_for(&self, path: &Path) {
        if self.global.snapshot().root_of(path).is_some() {
            return;
        }
        let outer = path.parent().map(Settings::discover);
        let found = outer.and_then(|settings| {
            let environments = settings.environmentpath;
            settings.environment_dir.or_else(|| environments?.folders().next()?.parent().map(Path::to_path_buf))
        });
        self.global.add_root(found.unwrap_or_else(|| path.to_owned()));
    }

    /// Answers a request at once.
    pub(crate) fn answer<T: Serialize>(&self, request: PendingRequest, answer: Result<T, ResponseError>) {
        respond(&self.client, request, answer);
    }

    /// Answers a request in the thread pool, with the state of this moment.
    pub(crate) fn answer_in_pool<T: Serialize>(
        &self,
        request: PendingRequest,
        answer: impl FnOnce(&Snapshot) -> Result<T, ResponseError> + Send + 'static,
    ) {
        let is_cancelled = self.cancellations.add(&request.id);
        let mut snapshot = self.global.snapshot();
        snapshot.progress = request.progress.clone();
        snapshot.cancelled = is_cancelled;
        let (client, cancellations) = (self.client.clone(), self.cancellations.clone());
        self.pool.run(move || {
            let method = request.method;
            let answered = snapshot.check_cancelled().and_then(|()| {
                catch_unwind(AssertUnwindSafe(|| answer(&snapshot))).unwrap_or_else(|panic| {
                    let reason = panic_text(&*panic);
                    let message = format!("{method} failed: {reason}. Please report this");
                    Err(error_response(ErrorCode::InternalError, message))
                })
            });
            cancellations.remove(&request.id);
            // The client expects no response to a request that it has cancelled.
            respond(&client, request, snapshot.check_cancelled().and(answered));
        });
    }

    /// Marks a request as cancelled; a request that is answered already is unknown.
    pub(crate) fn cancel(&self, id: &RequestId) {
        self.cancellations.cancel(id);
    }
}

/// Starts the thread that checks folders, and the one that checks single documents.
fn start_checks(global: &Arc<GlobalState>) -> io::Result<Vec<thread::JoinHandle<()>>> {
    let (folders, documents) = (global.clone(), global.clone());
    Ok(vec![
        Builder::new()
            .name("checks".to_owned())
            .stack_size(CHECK_STACK_BYTES)
            .spawn(move || folders.check_folders())?,
        Builder::new().name("types".to_owned()).stack_size(CHECK_STACK_BYTES).spawn(move || documents.check_typed())?,
    ])
}

fn respond<T: Serialize>(client: &Client, request: PendingRequest, answer: Result<T, ResponseError>) {
    let answer = answer.and_then(|answer| {
        serde_json::to_value(answer).map_err(|error| error_response(ErrorCode::InternalError, error.to_string()))
    });
    let answer = match answer {
        Ok(answer) => Ok(request.progress.finish(answer)),
        Err(error) => {
            request.progress.end();
            Err(error)
        }
    };
    client.respond(request.id, answer);
}

/// Whether the requests that are not answered yet are cancelled.
#[derive(Clone, Default)]
struct Cancellations(Arc<Mutex<HashMap<RequestId, Arc<AtomicBool>>>>);

impl Cancellations {
    fn pending(&self) -> MutexGuard<'_, HashMap<RequestId, Arc<AtomicBool>>> {
        // Every insertion and removal is a single step, so the table is consistent after a panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, id: &RequestId) -> Arc<AtomicBool> {
        let flag = Arc::new(AtomicBool::new(false));
        self.pending().insert(id.clone(), flag.clone());
        flag
    }

    fn remove(&self, id: &RequestId) {
        self.pending().remove(id);
    }

    fn cancel(&self, id: &RequestId) {
        if let Some(flag) = self.pending().get(id) {
            flag.store(true, Ordering::Relaxed);
        }
    }
}
