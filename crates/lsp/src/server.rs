//! [`serve`]: reads messages, changes documents, and has requests answered.

use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use hieratic::{Facts, PuppetVersion, Settings};
use hieratic_value::collections::HashMap;
use lsp_server::{ErrorCode, ResponseError};
use lsp_types::{
    DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams, InitializeParams, Url,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::capabilities::capabilities;
use crate::client::{Client, Outgoing, error_response};
use crate::document::{Document, Language};
use crate::global_state::{GlobalState, Refreshes};
use crate::node_choice::NodeChoice;
use crate::paths::path_of;
use crate::picker::{self, Picker};
use crate::pool::{Pool, panic_text};
use crate::positions::Encoding;
use crate::progress::RequestProgress;
use crate::requests;
use crate::transport::{self, Incoming};

/// The options of a server.
#[derive(Clone)]
pub struct ServerOptions {
    /// The options of a check, except the paths, which the client names.
    pub check: hieratic_lint::Options,
    /// Files and folders of facts that describe nodes.
    pub facts: Vec<PathBuf>,
    /// Stores the node that was chosen for a folder.
    pub memory: Arc<dyn NodeMemory>,
    /// Knows further nodes.
    pub inventory: Option<Arc<dyn Inventory>>,
}

/// Knows nodes that no file describes, such as PuppetDB. Only threads that may wait ask it.
pub trait Inventory: Send + Sync {
    /// The names of all nodes.
    ///
    /// # Errors
    /// Why they are not known, as people read it.
    fn names(&self) -> Result<Vec<String>, String>;

    /// Returns the facts of a node; `None` if the node is unknown.
    ///
    /// # Errors
    /// The reason why the facts cannot be read, for people.
    fn facts(&self, node: &str) -> Result<Option<Facts>, String>;
}

/// Remembers which node was chosen for a folder.
pub trait NodeMemory: Send + Sync {
    /// The node that was chosen for a folder last.
    fn node(&self, folder: &std::path::Path) -> Option<String>;
    /// Another node, or none, was chosen.
    fn choose(&self, folder: &std::path::Path, node: Option<&str>);
}

/// Remembers nothing.
impl NodeMemory for () {
    fn node(&self, _: &std::path::Path) -> Option<String> {
        None
    }

    fn choose(&self, _: &std::path::Path, _: Option<&str>) {}
}

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
}

/// Serves one client until it is done, or gone.
///
/// # Errors
/// The client left without saying so (`exit` without `shutdown`), or the streams fail.
pub fn serve(options: ServerOptions, mut input: impl BufRead, output: impl Write + Send + 'static) -> io::Result<()> {
    let (out, messages) = channel::<Outgoing>();
    let writer = thread::Builder::new().name("writes".to_owned()).spawn(move || {
        let mut output = output;
        for message in messages {
            if transport::write(&mut output, &message.value()).is_err() {
                // The client has disconnected. The end of the input stops the other threads.
                return;
            }
        }
    })?;
    let client = Client::new(out);
    let outcome = Server { options, client, running: None, has_shut_down: false }.run(&mut input);
    let _ = writer.join();
    outcome
}

struct Server {
    options: ServerOptions,
    client: Client,
    running: Option<Running>,
    has_shut_down: bool,
}

/// A server whose client has introduced itself.
struct Running {
    global: Arc<GlobalState>,
    pool: Pool,
    checks: Vec<thread::JoinHandle<()>>,
    /// Requests that are not answered yet, by their ids as text.
    pending: Arc<Mutex<HashMap<String, Arc<AtomicBool>>>>,
    folders: Vec<PathBuf>,
    watches: bool,
}

/// The action after a message.
enum Next {
    Continue,
    Exit,
}

impl Server {
    fn run(mut self, input: &mut impl BufRead) -> io::Result<()> {
        let ended = loop {
            match transport::read(input) {
                Ok(Incoming::Message(message)) => {
                    if let Next::Exit = self.message(message)? {
                        break Ok(());
                    }
                }
                Ok(Incoming::Malformed(why)) => {
                    self.client.answer(&Value::Null, Err(error_response(ErrorCode::ParseError, why)));
                }
                Ok(Incoming::End) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        if let Some(running) = self.running.take() {
            running.global.end();
            drop(running.pool);
            for check in running.checks {
                let _ = check.join();
            }
        }
        match ended {
            Ok(()) if !self.has_shut_down => {
                Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the client left without shutting the server down"))
            }
            other => other,
        }
    }

    fn message(&mut self, message: Value) -> io::Result<Next> {
        let Value::Object(mut fields) = message else {
            let error = error_response(ErrorCode::InvalidRequest, "a message is an object");
            self.client.answer(&Value::Null, Err(error));
            return Ok(Next::Continue);
        };
        let id = fields.remove("id").filter(|id| id.is_string() || id.is_number());
        let parameters = fields.remove("params").unwrap_or(Value::Null);
        let Some(Value::String(method)) = fields.remove("method") else {
            // A response of the client is ignored; anything else is invalid.
            if !fields.contains_key("result") && !fields.contains_key("error") {
                let error = error_response(ErrorCode::InvalidRequest, "a message has a method, a result or an error");
                self.client.answer(&id.unwrap_or(Value::Null), Err(error));
            }
            return Ok(Next::Continue);
        };
        match id {
            Some(id) => self.request(id, &method, parameters)?,
            None if method == "exit" => return Ok(Next::Exit),
            None => self.notification(&method, parameters),
        }
        Ok(Next::Continue)
    }

    fn request(&mut self, id: Value, method: &str, parameters: Value) -> io::Result<()> {
        if method == "initialize" {
            let answer = match self.running {
                Some(_) => Err(error_response(ErrorCode::InvalidRequest, "the server is initialized already")),
                None => self.initialize(parameters)?,
            };
            self.client.answer(&id, answer);
            return Ok(());
        }
        if method == "shutdown" {
            self.has_shut_down = true;
            self.client.answer(&id, Ok(Value::Null));
            return Ok(());
        }
        let Some(running) = &mut self.running else {
            self.client
                .answer(&id, Err(error_response(ErrorCode::ServerNotInitialized, "the first request is `initialize`")));
            return Ok(());
        };
        if self.has_shut_down {
            self.client.answer(&id, Err(error_response(ErrorCode::InvalidRequest, "the server was shut down")));
            return Ok(());
        }
        if method == "workspace/executeCommand" && parameters["command"] == "hieratic.chooseNode" {
            let picks = running.picks(&self.options);
            match self.options.inventory {
                None => self.client.answer(&id, picks.choose(&parameters)),
                // This may query another machine.
                Some(_) => {
                    let client = self.client.clone();
                    running.pool.run(move || client.answer(&id, picks.choose(&parameters)));
                }
            }
            return Ok(());
        }
        if method == "workspace/executeCommand" && parameters["command"] == "hieratic.chooseVariables" {
            let answer = running.choose_variables(&parameters["arguments"][0]);
            self.client.answer(&id, answer);
            return Ok(());
        }
        let mut snapshot = running.global.snapshot();
        snapshot.waiting = RequestProgress::new(&self.client, method, &parameters);
        let waiting = snapshot.waiting.clone();
        let cancelled = Arc::new(AtomicBool::new(false));
        snapshot.cancelled = cancelled.clone();
        let key = id.to_string();
        let pending = running.pending.clone();
        lock(&pending).insert(key.clone(), cancelled.clone());
        let (client, global, method) = (self.client.clone(), running.global.clone(), method.to_owned());
        running.pool.run(move || {
            let is_cancelled = || cancelled.load(Ordering::Relaxed);
            let answered = match is_cancelled() {
                true => Ok(Err(error_response(ErrorCode::RequestCanceled, "the client cancelled the request"))),
                false => catch_unwind(AssertUnwindSafe(|| requests::answer(&snapshot, &global, &method, parameters))),
            };
            let answer = match answered {
                Ok(_) if is_cancelled() => {
                    Err(error_response(ErrorCode::RequestCanceled, "the client cancelled the request"))
                }
                Ok(answer) => answer,
                Err(panic) => {
                    let why = panic_text(&*panic).to_owned();
                    Err(error_response(ErrorCode::InternalError, format!("{method} failed: {why}. Please report this")))
                }
            };
            lock(&pending).remove(&key);
            let answer = match answer {
                Ok(answer) => Ok(waiting.done(answer)),
                Err(error) => {
                    waiting.end();
                    Err(error)
                }
            };
            client.answer(&id, answer);
        });
        Ok(())
    }

    fn initialize(&mut self, parameters: Value) -> io::Result<Result<Value, ResponseError>> {
        let asked: InitializeParams = match read(parameters) {
            Ok(asked) => asked,
            Err(error) => return Ok(Err(error)),
        };
        let client_options: InitializationOptions = asked
            .initialization_options
            .clone()
            .and_then(|client_options| serde_json::from_value(client_options).ok())
            .unwrap_or_default();
        let general = asked.capabilities.general.as_ref();
        let encoding = Encoding::negotiate(general.and_then(|general| general.position_encodings.as_deref()));
        let mut check = self.options.check.clone();
        if let Some(version) =
            client_options.puppet_version.as_deref().and_then(|text| text.parse::<PuppetVersion>().ok())
        {
            check.settings.puppet_version = version;
            check.strict = version.strict();
        }
        check.unused |= client_options.unused;
        let mut global = GlobalState::new(self.client.clone(), check, encoding);
        let workspace = asked.capabilities.workspace.as_ref();
        let window = asked.capabilities.window.as_ref();
        let document = asked.capabilities.text_document.as_ref();
        global.progress = window.and_then(|window| window.work_done_progress).unwrap_or(false);
        global.snippets = document
            .and_then(|document| document.completion.as_ref()?.completion_item.as_ref()?.snippet_support)
            .unwrap_or(false);
        global.versions = workspace.and_then(|all| all.workspace_edit.as_ref()?.document_changes).unwrap_or(false);
        let operations = workspace.and_then(|all| all.workspace_edit.as_ref()?.resource_operations.as_deref());
        let can_create = operations.is_some_and(|all| all.contains(&lsp_types::ResourceOperationKind::Create));
        global.creates = global.versions && can_create;
        global.resolves = document
            .and_then(|document| document.code_action.as_ref()?.resolve_support.as_ref())
            .is_some_and(|support| support.properties.iter().any(|property| property == "edit"));
        global.refreshes = Refreshes {
            lenses: workspace.and_then(|all| all.code_lens.as_ref()?.refresh_support).unwrap_or(false),
            hints: workspace.and_then(|all| all.inlay_hint.as_ref()?.refresh_support).unwrap_or(false),
            tokens: false,
        };
        let watches = workspace.and_then(|all| all.did_change_watched_files?.dynamic_registration).unwrap_or(false);
        #[allow(deprecated, reason = "older clients name one folder only")]
        let single = asked.root_uri.clone();
        let named = asked.workspace_folders.unwrap_or_default().into_iter().map(|folder| folder.uri);
        let mut folders: Vec<PathBuf> = named.filter_map(|uri| path_of(&uri)).collect();
        if folders.is_empty() {
            folders.extend(single.as_ref().and_then(path_of));
        }
        let base = folders.first().cloned().unwrap_or_default();
        let facts: Vec<PathBuf> =
            self.options.facts.iter().cloned().chain(client_options.facts.iter().map(|path| base.join(path))).collect();
        let remembered = || folders.first().and_then(|folder| self.options.memory.node(folder));
        let node = client_options.node.clone().or_else(remembered);
        let chosen = NodeChoice::load(&facts, node, global.check.settings.puppet_version);
        if let Some(fault) = &chosen.fault {
            self.client.show_warning(format!("hieratic: the facts cannot be read: {fault}"));
        }
        global.choose(chosen);
        global.choose_variables(client_options.variable_files.iter().map(|path| base.join(path)).collect());
        let global = Arc::new(global);
        for folder in &folders {
            global.add_root(folder.clone());
        }
        let (folder_checks, text_checks) = (global.clone(), global.clone());
        let checks = vec![
            thread::Builder::new()
                .name("checks".to_owned())
                .stack_size(16 << 20)
                .spawn(move || folder_checks.check_folders())?,
            thread::Builder::new()
                .name("types".to_owned())
                .stack_size(16 << 20)
                .spawn(move || text_checks.check_typed())?,
        ];
        let threads = thread::available_parallelism().map_or(2, usize::from).clamp(2, 4);
        let running = Running { global, pool: Pool::new(threads)?, checks, pending: Arc::default(), folders, watches };
        if self.options.inventory.is_some() {
            let picks = running.picks(&self.options);
            running.pool.run(move || picks.load());
        }
        self.running = Some(running);
        Ok(Ok(json!({
            "capabilities": capabilities(encoding),
            "serverInfo": {"name": "hieratic", "version": env!("CARGO_PKG_VERSION")},
        })))
    }

    fn notification(&mut self, method: &str, parameters: Value) {
        let Some(running) = &mut self.running else { return };
        let outcome = match method {
            "initialized" => {
                running.initialized(&self.client);
                Ok(())
            }
            "textDocument/didOpen" => read(parameters).map(|opened| running.opened(opened)),
            "textDocument/didChange" => read(parameters).and_then(|changed| running.changed(changed)),
            "textDocument/didClose" => read(parameters).map(|closed| running.closed(&closed)),
            "textDocument/didSave" => read(parameters).map(|saved: DidSaveTextDocumentParams| {
                if let Some(path) = path_of(&saved.text_document.uri) {
                    running.global.touch(&path);
                }
            }),
            "workspace/didChangeWatchedFiles" => read(parameters).map(|changed: DidChangeWatchedFilesParams| {
                let paths = changed.changes.iter().filter_map(|change| path_of(&change.uri));
                paths.filter(|path| !is_of_git(path)).for_each(|path| running.global.touch(&path));
            }),
            "workspace/didChangeWorkspaceFolders" => {
                read(parameters).map(|changed: DidChangeWorkspaceFoldersParams| {
                    for gone in changed.event.removed.iter().filter_map(|folder| path_of(&folder.uri)) {
                        running.global.remove_root(&gone);
                        running.folders.retain(|folder| *folder != gone);
                    }
                    for come in changed.event.added.iter().filter_map(|folder| path_of(&folder.uri)) {
                        running.global.add_root(come.clone());
                        running.folders.push(come);
                    }
                })
            }
            "$/cancelRequest" => {
                if let Some(flag) = lock(&running.pending).get(&parameters["id"].to_string()) {
                    flag.store(true, Ordering::Relaxed);
                }
                Ok(())
            }
            // The server ignores other notifications. Those that begin with `$/` are optional for every server.
            _ => Ok(()),
        };
        if let Err(ResponseError { message, .. }) = outcome {
            self.client.log(format!("hieratic: {method}: {message}"));
        }
    }
}

impl Running {
    fn initialized(&self, client: &Client) {
        if self.watches {
            let options = json!({"watchers": [{"globPattern": "**/*"}]});
            let method = "workspace/didChangeWatchedFiles";
            let registration = json!({"id": "hieratic-files", "method": method, "registerOptions": options});
            client.request("client/registerCapability", json!({"registrations": [registration]}));
        }
        client.notify_by("hieratic/status", picker::status(&self.global));
    }

    /// Creates the picker of nodes.
    fn picks(&self, options: &ServerOptions) -> Picker {
        Picker {
            global: self.global.clone(),
            folder: self.folders.first().cloned(),
            memory: options.memory.clone(),
            inventory: options.inventory.clone(),
        }
    }

    /// Selects other variable files for jobs, by paths relative to the first folder; returns the selected files.
    fn choose_variables(&self, given: &Value) -> Result<Value, ResponseError> {
        if !given.is_null() {
            let names: Vec<PathBuf> = read(given.clone())?;
            let base = self.folders.first().cloned().unwrap_or_default();
            self.global.choose_variables(names.iter().map(|name| base.join(name)).collect());
        }
        Ok(json!({"files": &*self.global.snapshot().variables}))
    }

    /// Adds a root for a document outside of the folders: its control repository, or the document alone.
    fn root_for(&self, path: &std::path::Path) {
        if self.global.snapshot().root_of(path).is_some() {
            return;
        }
        let around = path.parent().map(Settings::discover);
        let found = around.and_then(|settings| {
            let environments = settings.environmentpath;
            settings
                .environment_dir
                .or_else(|| environments?.folders().next()?.parent().map(std::path::Path::to_path_buf))
        });
        self.global.add_root(found.unwrap_or_else(|| path.to_owned()));
    }

    fn opened(&self, opened: DidOpenTextDocumentParams) {
        let item = opened.text_document;
        let Some(path) = path_of(&item.uri) else { return };
        self.root_for(&path);
        let language = Language::from_path(&path, &item.language_id);
        let encoding = self.global.encoding;
        let document = Document::new(path.clone(), item.uri, Some(item.version), language, item.text, encoding);
        self.global.set_document(&path, Some(document));
    }

    fn changed(&self, changed: DidChangeTextDocumentParams) -> Result<(), ResponseError> {
        let uri: &Url = &changed.text_document.uri;
        let Some(path) = path_of(uri) else { return Ok(()) };
        let snapshot = self.global.snapshot();
        let open = snapshot.documents.get(&path);
        let document = open.ok_or_else(|| error_response(ErrorCode::InvalidParams, format!("{uri} is not open")))?;
        let next = document.changed(changed.content_changes, changed.text_document.version);
        self.global.set_document(&path, Some(next));
        Ok(())
    }

    fn closed(&self, closed: &DidCloseTextDocumentParams) {
        let Some(path) = path_of(&closed.text_document.uri) else { return };
        self.global.publisher.close(&path);
        self.global.set_document(&path, None);
        let snapshot = self.global.snapshot();
        let is_alone = snapshot.roots.iter().any(|root| root.folder == path);
        if is_alone {
            self.global.remove_root(&path);
        }
    }
}

/// Returns whether a path is in a `.git` folder.
fn is_of_git(path: &std::path::Path) -> bool {
    path.components().any(|part| part.as_os_str() == ".git")
}

/// Deserializes parameters.
pub(crate) fn read<T: DeserializeOwned>(parameters: Value) -> Result<T, ResponseError> {
    // Read from a value: numbers read from text inside of flattened structures would be lost.
    serde_json::from_value(parameters).map_err(|error| error_response(ErrorCode::InvalidParams, error.to_string()))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // Every insertion and removal is a single step, so the data is consistent after a panic.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
