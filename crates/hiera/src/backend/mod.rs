//! External backends: executables that are named in a `hieratic.yaml` next to `hiera.yaml`.
//!
//! A `hiera.yaml` names a function for every level. A name that is not built in refers to an executable:
//!
//! ```yaml
//! # hieratic.yaml
//! version: 1
//! backends:
//!   vault_lookup:                 # lookup_key: vault_lookup
//!     command: [ruby, vault.rb]   # next to this file, or on the PATH
//!     timeout: 5                  # seconds for one answer; default: 10
//!     interpolate: true           # whether %{...} in answers is resolved; default: false
//!     secret: true                # whether explanations redact its answers; default: false
//! ```
//!
//! The executable is started when it is first called, and reused. It reads one JSON object from a line, and writes one
//! to a line. A request is `{"id", "function", "kind", "options", "path" or "uri", "facts"}` with `key` and `segments`
//! unless the kind is `data_hash`; an answer is `{"id", "value"}`, `{"id", "not_found": true}` or `{"id", "error":
//! "text"}`.
//!
//! Instead of a command, a backend may name a file with its answers by key: a local substitute for data that is
//! elsewhere.

pub(crate) mod function;
mod process;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use hieratic_budget::Budget;
use hieratic_diagnostics::Source;
use hieratic_sandbox::{Capabilities, Files};
use hieratic_value::collections::HashMap;
use hieratic_value::{Hash, Str, Value};
use hieratic_yaml as yaml;

use crate::Error;
use crate::codes;
use crate::config::FunctionKind;
use crate::error::Place;
use crate::file_id::Observation;
use crate::key::{Key, Segment};
use crate::scope::Scope;
use crate::source::Format;

use hieratic_sandbox::SlashPath as _;
use process::{POLL_INTERVAL, Process, Response};

/// The name of the file that names executables.
pub const FILE_NAME: &str = "hieratic.yaml";

/// The registries of all configurations by file, with the observed state of the file.
#[derive(Debug, Default)]
pub(crate) struct BackendRegistries(Mutex<HashMap<PathBuf, ObservedRegistry>>);

/// The observed state of a file, and its content if it exists.
type ObservedRegistry = (Observation, Option<Arc<Registry>>);

impl BackendRegistries {
    /// Returns the executables named in a file, which was just observed in this state.
    pub(crate) fn in_file(
        &self,
        path: &Path,
        observation: Observation,
        files: &Files,
    ) -> Result<Option<Arc<Registry>>, Error> {
        if let Some((of, known)) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(path)
            && of.holds(&observation)
        {
            return Ok(known.clone());
        }
        let read = match files.read(path) {
            Ok(bytes) => Some(Arc::new(Registry::parse(&bytes, path)?)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(Error::of_file(&error, path)),
        };
        if observation.is_of_current(files, path) {
            self.0
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .insert(path.to_path_buf(), (observation, read.clone()));
        }
        Ok(read)
    }
}

/// The executables of one `hieratic.yaml`.
#[derive(Debug, Default)]
pub(crate) struct Registry(HashMap<Str, ExternalBackend>);

/// The implementation of a backend function.
#[derive(Clone, Debug)]
pub(crate) enum ExternalBackend {
    /// An executable.
    Program(Arc<BackendProgram>),
    /// A file that has the answers.
    File { path: Arc<Path>, format: Format, secret: bool },
}

/// One executable.
#[derive(Debug)]
pub(crate) struct BackendProgram {
    name: Str,
    command: Vec<String>,
    folder: PathBuf,
    timeout: Duration,
    interpolate: bool,
    secret: bool,
    process: Mutex<Option<Process>>,
    /// Whether a thread is talking to the process.
    busy: Mutex<bool>,
    free: Condvar,
}

/// A request to an executable.
#[derive(Debug)]
pub(crate) struct BackendRequest<'q> {
    pub(crate) kind: FunctionKind,
    pub(crate) options: &'q Hash,
    /// The location of the level's data, with its name in requests: `path` or `uri`.
    pub(crate) place: Option<(&'static str, Str)>,
    /// The key, or `None` for all data.
    pub(crate) key: Option<&'q Key>,
    pub(crate) scope: &'q Scope,
}

impl Registry {
    fn parse(bytes: &[u8], path: &Path) -> Result<Registry, Error> {
        let file = path.to_slashes();
        let value =
            yaml::parse(bytes, &yaml::Options { symbols: false, regexps: false, file: &file }).map_err(|error| {
                let place = Place::new(path, error.position()).within(&Source::new(file.as_str(), bytes));
                Error::puppet(codes::HIERATIC_YAML, error.message()).at(place)
            })?;
        let problem = |message: String| Error::puppet(codes::HIERATIC_YAML, message).at(Place::file(path));
        let Some(root) = value.as_hash() else {
            return Err(problem(format!("{file}: expected a hash with `version` and `backends`")));
        };
        if let Some(unknown) = root.keys().find(|key| !matches!(key.as_str(), Some("version" | "backends"))) {
            return Err(problem(format!("{file}: unrecognized key '{}'", unknown.to_text())));
        }
        if root.get("version") != Some(&Value::Integer(1)) {
            return Err(problem(format!("{file}: expected `version: 1`")));
        }
        let mut registry = Registry::default();
        let folder = path.parent().unwrap_or(Path::new("/"));
        for (name, settings) in root.get("backends").and_then(Value::as_hash).unwrap_or(&Hash::default()) {
            let (Some(name), Some(settings)) = (name.as_str(), settings.as_hash()) else {
                return Err(problem(format!("{file}: every backend requires a name and a hash of settings")));
            };
            let answerer = ExternalBackend::parse(name, settings, folder)
                .map_err(|message| problem(format!("{file}: backend '{name}': {message}")))?;
            registry.0.insert(name.into(), answerer);
        }
        Ok(registry)
    }

    pub(crate) fn get(&self, name: &str) -> Option<ExternalBackend> {
        self.0.get(name).cloned()
    }
}

impl ExternalBackend {
    fn parse(name: &str, settings: &Hash, folder: &Path) -> Result<ExternalBackend, String> {
        let Some(file) = settings.get("file") else {
            return BackendProgram::parse(name, settings, folder)
                .map(|external| ExternalBackend::Program(Arc::new(external)));
        };
        let Some(file) = file.as_str().filter(|file| !file.is_empty()) else {
            return Err(format!("'file' cannot be {}", file.inspect()));
        };
        let mut secret = false;
        for (key, value) in settings {
            match (key.as_str(), value) {
                (Some("file"), _) => {}
                (Some("secret"), Value::Boolean(is_secret)) => secret = *is_secret,
                (Some("secret"), value) => return Err(format!("'secret' cannot be {}", value.inspect())),
                (Some(key @ ("command" | "timeout" | "interpolate")), _) => {
                    return Err(format!("'{key}' is for executables: remove it, or the `file`"));
                }
                _ => return Err(format!("unrecognized key '{}'", key.to_text())),
            }
        }
        let path = crate::paths::join(folder, file);
        let format = match path.extension().and_then(|extension| extension.to_str()) {
            Some("json") => Format::Json,
            Some("conf" | "hocon") => Format::Hocon,
            _ => Format::Yaml,
        };
        Ok(ExternalBackend::File { path: path.into(), format, secret })
    }
}

/// The exclusive right to use the process, released on drop.
struct ProcessGuard<'e>(&'e BackendProgram);

impl Drop for ProcessGuard<'_> {
    fn drop(&mut self) {
        *self.0.busy.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.0.free.notify_one();
    }
}

impl BackendProgram {
    fn parse(name: &str, settings: &Hash, folder: &Path) -> Result<BackendProgram, String> {
        let mut external = BackendProgram {
            name: name.into(),
            command: Vec::new(),
            folder: folder.to_path_buf(),
            timeout: Duration::from_secs(10),
            interpolate: false,
            secret: false,
            process: Mutex::default(),
            busy: Mutex::default(),
            free: Condvar::new(),
        };
        for (key, value) in settings {
            match (key.as_str(), value) {
                (Some("command"), Value::String(command)) => external.command = vec![command.to_string()],
                (Some("command"), Value::Array(words)) => {
                    external.command = words.iter().map(Value::to_text).collect();
                }
                (Some("timeout"), Value::Integer(seconds)) if *seconds > 0 => {
                    external.timeout = Duration::from_secs(seconds.unsigned_abs());
                }
                (Some("timeout"), Value::Float(seconds)) if *seconds > 0.0 && *seconds < 1e9 => {
                    external.timeout = Duration::from_secs_f64(*seconds);
                }
                (Some("interpolate"), Value::Boolean(interpolate)) => external.interpolate = *interpolate,
                (Some("secret"), Value::Boolean(secret)) => external.secret = *secret,
                (Some(key @ ("command" | "timeout" | "interpolate" | "secret")), value) => {
                    return Err(format!("'{key}' cannot be {}", value.inspect()));
                }
                _ => return Err(format!("unrecognized key '{}'", key.to_text())),
            }
        }
        if external.command.first().is_none_or(String::is_empty) {
            return Err("expected a `command` or a `file`".into());
        }
        Ok(external)
    }

    pub(crate) fn interpolates(&self) -> bool {
        self.interpolate
    }

    pub(crate) fn is_secret(&self) -> bool {
        self.secret
    }

    /// Requests a key, or all data. `None` if the backend does not have it.
    pub(crate) fn request(
        &self,
        question: &BackendRequest<'_>,
        capabilities: &Capabilities,
        budget: &Budget,
    ) -> Result<Option<Value>, Error> {
        budget.ended()?;
        let mut request: Vec<(Value, Value)> = vec![
            ("function".into(), Value::String(self.name.clone())),
            ("kind".into(), question.kind.name().into()),
            ("options".into(), Value::Hash(question.options.clone())),
            ("facts".into(), Value::Hash(question.scope.facts().clone())),
        ];
        if let Some((name, place)) = &question.place {
            request.push(((*name).into(), Value::String(place.clone())));
        }
        if let Some(key) = question.key {
            request.push(("key".into(), Value::String(key.root().clone())));
            let segments = key.segments().iter().map(Segment::to_value).collect();
            request.push(("segments".into(), segments));
        }
        let turn = self.lock_process(budget)?;
        let running = self.running().take();
        let mut process = match running {
            Some(running) => running,
            None => self.start(capabilities)?,
        };
        let answer = process.request(request, self.timeout, budget);
        // A process that broke the protocol or was left is not reused; the next request starts another.
        if matches!(answer, Response::Answered(_)) {
            *self.running() = Some(process);
        }
        drop(turn);
        match answer {
            Response::Answered(answer) => answer.map_err(|message| self.fault(&message)),
            Response::ProtocolError(message) => Err(self.fault(&message)),
            Response::Cancelled(exhausted) => Err(exhausted.into()),
        }
    }

    /// Waits until no other thread talks to the process.
    fn lock_process(&self, budget: &Budget) -> Result<ProcessGuard<'_>, Error> {
        let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        while *busy {
            budget.waits()?;
            busy = self.free.wait_timeout(busy, POLL_INTERVAL).unwrap_or_else(PoisonError::into_inner).0;
        }
        *busy = true;
        Ok(ProcessGuard(self))
    }

    fn running(&self) -> std::sync::MutexGuard<'_, Option<Process>> {
        self.process.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts the executable, if it may run.
    fn start(&self, capabilities: &Capabilities) -> Result<Process, Error> {
        let (program, arguments) = self.command.split_first().ok_or_else(|| self.fault("expected a command"))?;
        // A name with a slash, or of a file in the folder, is taken from the folder.
        let beside = self.folder.join(program);
        let program = if capabilities.files_of(&self.folder).is_file(&beside) { beside } else { program.into() };
        let Some(command) = capabilities.command(&self.folder.join(FILE_NAME), &program) else {
            let message = "it was not run: programs of a repository require permission";
            return Err(Error::lookup(codes::PROGRAM_REFUSED, format!("backend '{}': {message}", self.name))
                .at(Place::file(&self.folder.join(FILE_NAME)))
                .help("pass --allow-programs, or trust the repository with `hieratic trust`"));
        };
        Process::start(command, arguments, &self.folder).map_err(|message| self.fault(&message))
    }

    fn fault(&self, message: &str) -> Error {
        Error::lookup(codes::EXTERNAL_BACKEND, format!("backend '{}': {message}", self.name))
            .help(format!("the command of the backend is `{}`", self.command.join(" ")))
            .at(Place::file(&self.folder.join(FILE_NAME)))
    }
}
