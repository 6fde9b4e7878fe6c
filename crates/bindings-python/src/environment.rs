//! [`Environment`]: an environment of a control repository, opened once.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hieratic::budget::Budget;
use hieratic::layers::DataFolder;
use hieratic::sandbox::{Disk, Mounted, Patched, Tree};
use hieratic::{Limits, Permissions, PuppetVersion, Redactor, SearchPath, Settings, Strict};
use hieratic_git::Repository;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyMapping, PyTuple};

use crate::answers::{Answers, AnswersArguments};
use crate::arguments::{DataFolders, SearchPathArgument, Texts, absolute, texts};
use crate::changes;
use crate::error::{PythonError, warn};
use crate::facts::{FactsArgument, NodesArgument, require};
use crate::forks::ForkSafe;
use crate::node::Node;
use crate::permissions::PermissionArguments;
use crate::work::{LimitsArgument, Work};

/// An environment: its layers of data, opened once, shared by threads and nodes.
#[pyclass(frozen, subclass, module = "hieratic._native")]
pub(crate) struct Environment {
    shared: ForkSafe<SharedEnvironment>,
    /// The arguments for opening it again.
    opening: OpeningArguments,
    /// The costs of a call that sets none.
    work: Work,
    /// The arguments that it was made with.
    arguments: Py<PyDict>,
    /// The number of skipped levels that were warned of.
    warned: AtomicUsize,
}

/// The parts of an environment that work on another thread needs.
#[derive(Clone, Debug)]
pub(crate) struct SharedEnvironment {
    pub(crate) inner: Arc<hieratic::Environment>,
    pub(crate) settings: Settings,
    /// The folder that paths are shown from.
    pub(crate) root: PathBuf,
}

impl SharedEnvironment {
    /// The redaction of the secrets of the environment.
    pub(crate) fn redactor(&self, reveal: bool) -> Redactor {
        Redactor::new(self.inner.secrets(), reveal)
    }

    pub(crate) fn fault(&self, error: &hieratic::Error) -> PythonError {
        PythonError::from_error(error, &self.redactor(false))
    }

    pub(crate) fn permissions(&self) -> Permissions {
        self.settings.permissions
    }
}

impl Environment {
    /// Returns the costs of a call, by its arguments and those of the environment.
    ///
    /// # Errors
    /// The arguments are invalid, or limit files: those of an environment are shared by its calls.
    pub(crate) fn work_of(&self, limits: Option<LimitsArgument>, timeout: Option<f64>) -> PyResult<Work> {
        let work = Work::new(self.work.limits, limits, timeout)?;
        if work.limits.file != self.work.limits.file {
            return Err(PyValueError::new_err(
                "limits: the limit 'file' is that of the environment: pass it to Environment",
            ));
        }
        Ok(work)
    }

    /// Shares the environment with another thread.
    ///
    /// # Errors
    /// It had to be opened again after a fork, which failed.
    pub(crate) fn share(&self, py: Python<'_>) -> PyResult<SharedEnvironment> {
        self.shared.get(py, || self.opening.clone().open(py, self.work))
    }

    /// Warns of levels that cannot be asked here, once for each: a server may give other answers.
    ///
    /// # Errors
    /// Warnings are exceptions, if Python's filters say so.
    pub(crate) fn warn_of_skipped_levels(&self, py: Python<'_>) -> PyResult<()> {
        let levels = self.share(py)?.inner.skipped_levels();
        let before = self.warned.swap(levels.len(), Ordering::Relaxed);
        for level in levels.iter().skip(before) {
            let message = format!(
                "the level '{}' was not asked: {}; a server may give another answer",
                level.level,
                level.reason()
            );
            warn(py, &message)?;
        }
        Ok(())
    }

    pub(crate) fn permissions(&self) -> Permissions {
        self.opening.settings.permissions
    }
}

/// The arguments for opening an environment.
#[derive(Clone)]
struct OpeningArguments {
    settings: Settings,
    place: Place,
}

impl OpeningArguments {
    /// Returns the arguments for a process with another current folder.
    fn absolute(self) -> OpeningArguments {
        let OpeningArguments { settings: own, place } = self;
        let one = |path: Option<PathBuf>| path.map(absolute);
        let several = |path: Option<SearchPath>| path.map(|path| folders_of(Some(&path)).unwrap_or_default().into());
        let settings = Settings {
            environment_dir: one(own.environment_dir),
            environmentpath: several(own.environmentpath),
            codedir: one(own.codedir),
            confdir: one(own.confdir),
            hiera_config: one(own.hiera_config),
            modulepath: several(own.modulepath),
            datadirs: own
                .datadirs
                .into_iter()
                .map(|folder| DataFolder { here: absolute(&folder.here), ..folder })
                .collect(),
            ..own
        };
        let path = Some(absolute(place.path.unwrap_or_else(|| PathBuf::from("."))));
        OpeningArguments { settings, place: Place { path, ..place } }
    }

    fn open(self, py: Python<'_>, work: Work) -> PyResult<SharedEnvironment> {
        let OpeningArguments { settings, place } = self;
        let (inner, settings, root) = work.run(py, move |_| open(settings, place))?;
        Ok(SharedEnvironment { inner: Arc::new(inner), settings, root })
    }
}

/// The folders of a search path, for a process with another current folder.
fn folders_of(path: Option<&SearchPath>) -> Option<Vec<PathBuf>> {
    path.map(|path| path.folders().map(absolute).collect())
}

/// The arguments of a new environment that are not settings as they are.
#[derive(Clone)]
struct Place {
    path: Option<PathBuf>,
    revision: Option<String>,
    files: Vec<(PathBuf, Vec<u8>)>,
}

/// Opens an environment: its repository, a revision of it, and unsaved files over both.
fn open(mut settings: Settings, place: Place) -> Result<(hieratic::Environment, Settings, PathBuf), PythonError> {
    let is_named =
        settings.environmentpath.is_some() || settings.environment_dir.is_some() || settings.codedir.is_some();
    let folder = place.path.unwrap_or_else(|| PathBuf::from("."));
    let named = settings.environment_dir.as_ref().or(settings.codedir.as_ref());
    require(named.unwrap_or(&folder), &settings.permissions)?;
    if !is_named {
        settings.find_repository(&folder);
    }
    let outer = named_folder(&settings).unwrap_or(folder);
    let outside = settings.permissions.outside;
    let mut base: Option<(PathBuf, Arc<dyn Tree>)> = None;
    if let Some(revision) = &place.revision {
        let budget = Budget::new(settings.limits);
        let repository = Repository::open_within(&outer, outside, &budget).map_err(changes::git_error)?;
        let commit = repository.commit(revision).map_err(changes::git_error)?;
        base = Some((repository.root().to_owned(), Arc::new(repository.tree(commit).map_err(changes::git_error)?)));
    }
    if !place.files.is_empty() {
        // Relative paths begin at the folder of the environment.
        let own = std::path::absolute(&outer).unwrap_or_else(|_| outer.clone());
        let (root, under) = match base.take() {
            Some((root, tree)) => (root, tree),
            None => {
                let root = hieratic::layers::repository_of(&outer).unwrap_or(outer);
                let root = std::path::absolute(&root).unwrap_or(root);
                let disk: Arc<dyn Tree> = Arc::new(Disk::new(&root));
                (root, disk)
            }
        };
        let mut over = Vec::new();
        for (path, bytes) in place.files {
            let whole = hieratic::sandbox::plain(&own.join(&path));
            let Ok(below) = whole.strip_prefix(&root) else {
                let message = format!("{} is not below {}", path.display(), root.display());
                return Err(PythonError::plain(message, "files are in the repository of the environment"));
            };
            over.push((below.to_owned(), bytes));
        }
        base = Some((root, Arc::new(Patched::with_files(under, over.into_iter().collect()))));
    }
    if let Some((root, tree)) = base {
        settings.tree = Some(Mounted::shared(root, tree));
        // The files of a tree never change.
        settings.find_in_tree();
    }
    let inner = hieratic::Environment::open(&settings)
        .map_err(|error| PythonError::from_error(&error, &Redactor::default()))?;
    let root = inner.layers().environment.root.clone();
    let root = hieratic::layers::repository_of(&root).unwrap_or(root);
    Ok((inner, settings, root))
}

/// The folder that the settings name.
fn named_folder(settings: &Settings) -> Option<PathBuf> {
    let of_path = |path: &SearchPath| path.folders().next().map(|folder| folder.to_owned());
    settings.environment_dir.clone().or_else(|| settings.environmentpath.as_ref().and_then(of_path))
}

#[pymethods]
impl Environment {
    #[new]
    #[pyo3(signature = (path=None, *, environment=None, environment_dir=None, environmentpath=None, codedir=None, confdir=None,
        hiera_config=None, modulepath=None, datadirs=None, puppet_version=None, strict=None, revision=None, files=None,
        limits=None, timeout=None, allow_programs=false, allow_outside=false, allow_network=false, confined=false))]
    #[expect(clippy::too_many_arguments, reason = "pass them as keyword arguments")]
    fn new(
        py: Python<'_>,
        path: Option<PathBuf>,
        environment: Option<String>,
        environment_dir: Option<PathBuf>,
        environmentpath: Option<SearchPathArgument>,
        codedir: Option<PathBuf>,
        confdir: Option<PathBuf>,
        hiera_config: Option<PathBuf>,
        modulepath: Option<SearchPathArgument>,
        datadirs: Option<DataFolders>,
        puppet_version: Option<&str>,
        strict: Option<&str>,
        revision: Option<String>,
        files: Option<&Bound<'_, PyAny>>,
        limits: Option<LimitsArgument>,
        timeout: Option<f64>,
        allow_programs: bool,
        allow_outside: bool,
        allow_network: bool,
        confined: bool,
    ) -> PyResult<Environment> {
        let allowed = PermissionArguments { programs: allow_programs, outside: allow_outside, network: allow_network };
        let version = puppet_version.map(str::parse::<PuppetVersion>).transpose();
        let strictness = strict.map(str::parse::<Strict>).transpose();
        let given = limits.as_ref().map_or_else(|| Ok(PyDict::new(py)), |limits| limits.to_python(py))?;
        let work = Work::new(Limits::default(), limits, timeout)?;
        let files = files.map(unsaved_files).transpose()?.unwrap_or_default();
        let (environmentpath, modulepath) = (environmentpath.map(|path| path.0), modulepath.map(|path| path.0));
        let datadirs = datadirs.map(|folders| folders.0);
        let settings = Settings {
            environment,
            environment_dir,
            environmentpath,
            codedir,
            confdir,
            hiera_config,
            modulepath,
            datadirs: datadirs.unwrap_or_default().into_iter().map(DataFolder::from).collect(),
            puppet_version: version.map_err(|error| PyValueError::new_err(error.to_string()))?.unwrap_or_default(),
            strict: strictness.map_err(|error| PyValueError::new_err(error.to_string()))?,
            positions: true,
            limits: Limits { time: None, ..work.limits },
            permissions: Permissions { confined, ..allowed.into() },
            ..Settings::default()
        };
        let opening = OpeningArguments { settings, place: Place { path, revision, files } };
        let shared = ForkSafe::new(opening.clone().open(py, work)?);
        let opening = opening.absolute();
        let OpeningArguments { settings: own, place } = &opening;
        let arguments = PyDict::new(py);
        arguments.set_item("path", &place.path)?;
        arguments.set_item("environment", &own.environment)?;
        arguments.set_item("environment_dir", &own.environment_dir)?;
        arguments.set_item("environmentpath", folders_of(own.environmentpath.as_ref()))?;
        arguments.set_item("codedir", &own.codedir)?;
        arguments.set_item("confdir", &own.confdir)?;
        arguments.set_item("hiera_config", &own.hiera_config)?;
        arguments.set_item("modulepath", folders_of(own.modulepath.as_ref()))?;
        let datadirs: Vec<(&str, &Path)> = own.datadirs.iter().map(|folder| (&*folder.there, &*folder.here)).collect();
        arguments.set_item("datadirs", datadirs)?;
        arguments.set_item("puppet_version", puppet_version)?;
        arguments.set_item("strict", strict)?;
        arguments.set_item("revision", &place.revision)?;
        let shown = PyDict::new(py);
        for (path, bytes) in &place.files {
            shown.set_item(path, PyBytes::new(py, bytes))?;
        }
        arguments.set_item("files", shown)?;
        arguments.set_item("limits", given)?;
        arguments.set_item("timeout", timeout)?;
        arguments.set_item("allow_programs", allow_programs)?;
        arguments.set_item("allow_outside", allow_outside)?;
        arguments.set_item("allow_network", allow_network)?;
        arguments.set_item("confined", confined)?;
        Ok(Environment { shared, opening, work, arguments: arguments.unbind(), warned: AtomicUsize::new(0) })
    }

    /// The environment's name.
    #[getter]
    fn name(&self) -> String {
        self.shared.last().inner.name().to_owned()
    }

    /// The folder of the environment.
    #[getter]
    fn root(&self) -> PathBuf {
        self.shared.last().inner.layers().environment.root.clone()
    }

    /// A node of the environment.
    #[pyo3(signature = (name=None, facts=None, *, trusted=None, variables=None, limits=None, timeout=None))]
    fn node(
        slf: &Bound<'_, Self>,
        name: Option<String>,
        facts: Option<FactsArgument>,
        trusted: Option<&Bound<'_, PyAny>>,
        variables: Option<&Bound<'_, PyAny>>,
        limits: Option<LimitsArgument>,
        timeout: Option<f64>,
    ) -> PyResult<Node> {
        Node::open(slf, name, facts, trusted, variables, slf.get().work_of(limits, timeout)?)
    }

    /// The answers of many nodes as a table.
    #[pyo3(signature = (nodes, keys=None, *, r#where=None, shard=None, reveal=false, skip_errors=false, allow_empty=false,
        facts=None, limits=None, timeout=None))]
    #[expect(clippy::too_many_arguments, reason = "pass them as keyword arguments")]
    fn answers(
        slf: &Bound<'_, Self>,
        nodes: NodesArgument,
        keys: Option<Texts>,
        r#where: Option<String>,
        shard: Option<String>,
        reveal: bool,
        skip_errors: bool,
        allow_empty: bool,
        facts: Option<Texts>,
        limits: Option<LimitsArgument>,
        timeout: Option<f64>,
    ) -> PyResult<Answers> {
        let work = slf.get().work_of(limits, timeout)?;
        let (keys, filter) = (texts(keys), r#where);
        let arguments =
            AnswersArguments { keys, filter, shard, reveal, skip_errors, allow_empty, facts: texts(facts), work };
        Answers::new(slf, nodes, arguments)
    }

    /// Returns the changes of the answers of nodes, with their reasons.
    #[pyo3(signature = (base="HEAD", head=None, *, nodes=None, keys=None, limits=None, timeout=None))]
    fn diff(
        slf: &Bound<'_, Self>,
        base: &str,
        head: Option<String>,
        nodes: Option<NodesArgument>,
        keys: Option<Texts>,
        limits: Option<LimitsArgument>,
        timeout: Option<f64>,
    ) -> PyResult<Py<PyAny>> {
        let own = slf.get();
        let work = own.work_of(limits, timeout)?;
        changes::diff(slf.py(), own.share(slf.py())?, base.to_owned(), head, nodes, texts(keys), work)
    }

    fn __repr__(&self) -> String {
        format!("Environment({:?}, {:?})", self.name(), self.root())
    }

    /// The arguments that it was made with.
    #[getter]
    fn _arguments(&self, py: Python<'_>) -> Py<PyDict> {
        self.arguments.clone_ref(py)
    }

    /// A worker opens the same repository, with the same settings.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let rebuild = py.import("hieratic._pickles")?.getattr("environment")?;
        Ok((rebuild, (&slf.get().arguments,).into_pyobject(py)?))
    }
}

/// The argument `files`: paths with the text or the bytes that is read instead of them.
fn unsaved_files(files: &Bound<'_, PyAny>) -> PyResult<Vec<(PathBuf, Vec<u8>)>> {
    let Ok(mapping) = files.cast::<PyMapping>() else {
        return Err(PyTypeError::new_err("files must be a mapping of paths to text or bytes"));
    };
    let mut unsaved = Vec::new();
    for pair in mapping.items()?.iter() {
        let (path, content): (PathBuf, Bound<'_, PyAny>) = pair.extract()?;
        let content = match content.cast::<PyBytes>() {
            Ok(bytes) => bytes.as_bytes().to_vec(),
            Err(_) => content.extract::<String>()?.into_bytes(),
        };
        unsaved.push((path, content));
    }
    Ok(unsaved)
}
