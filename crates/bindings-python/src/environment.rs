//! [`Environment`]: an environment of a control repository, opened once.

use std::path::PathBuf;
use std::sync::Arc;

use hieratic::layers::DataFolder;
use hieratic::{Permissions, PuppetVersion, Redactor, SearchPath, Settings, Strict};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::answers::Answers;
use crate::changes;
use crate::error::PythonError;
use crate::facts::{FactsArgument, NodesArgument};
use crate::node::Node;
use crate::permissions::PermissionArguments;

/// An environment: its layers of data, opened once, shared by threads and nodes.
#[pyclass(frozen, module = "hieratic")]
pub(crate) struct Environment {
    pub(crate) inner: Arc<hieratic::Environment>,
    pub(crate) settings: Settings,
    /// The folder that paths are shown from.
    pub(crate) root: PathBuf,
}

impl Environment {
    /// The redaction of the secrets of the environment.
    pub(crate) fn mask(&self, reveal: bool) -> Redactor {
        Redactor::new(self.inner.secrets(), reveal)
    }

    pub(crate) fn fault(&self, error: &hieratic::Error) -> PythonError {
        PythonError::from_error(error, &self.mask(false))
    }

    pub(crate) fn permissions(&self) -> Permissions {
        self.settings.permissions
    }
}

#[pymethods]
impl Environment {
    #[new]
    #[pyo3(signature = (path=None, *, environment=None, environment_dir=None, environmentpath=None, codedir=None, confdir=None,
        hiera_config=None, modulepath=None, datadirs=None, puppet_version=None, strict=None, allow_programs=false,
        allow_outside=false, allow_network=false, confined=false))]
    #[expect(clippy::too_many_arguments, reason = "pass them as keyword arguments")]
    fn new(
        py: Python<'_>,
        path: Option<PathBuf>,
        environment: Option<String>,
        environment_dir: Option<PathBuf>,
        environmentpath: Option<String>,
        codedir: Option<PathBuf>,
        confdir: Option<PathBuf>,
        hiera_config: Option<PathBuf>,
        modulepath: Option<String>,
        datadirs: Option<Vec<(String, PathBuf)>>,
        puppet_version: Option<&str>,
        strict: Option<&str>,
        allow_programs: bool,
        allow_outside: bool,
        allow_network: bool,
        confined: bool,
    ) -> PyResult<Environment> {
        let allowed = PermissionArguments { programs: allow_programs, outside: allow_outside, network: allow_network };
        let version = puppet_version.map(str::parse::<PuppetVersion>).transpose();
        let strict = strict.map(str::parse::<Strict>).transpose();
        let is_named = environmentpath.is_some() || environment_dir.is_some() || codedir.is_some();
        let mut settings = Settings {
            environment,
            environment_dir,
            environmentpath: environmentpath.map(SearchPath::from),
            codedir,
            confdir,
            hiera_config,
            modulepath: modulepath.map(SearchPath::from),
            datadirs: datadirs.unwrap_or_default().into_iter().map(DataFolder::from).collect(),
            puppet_version: version.map_err(|error| PyValueError::new_err(error.to_string()))?.unwrap_or_default(),
            strict: strict.map_err(|error| PyValueError::new_err(error.to_string()))?,
            positions: true,
            permissions: Permissions { confined, ..allowed.into() },
            ..Settings::default()
        };
        let folder = path.unwrap_or_else(|| PathBuf::from("."));
        py.detach(|| {
            if !is_named {
                settings.find_repository(&folder);
            }
            let inner = hieratic::Environment::open(&settings)
                .map_err(|error| PythonError::from_error(&error, &Redactor::default()))?;
            let root = inner.layers().environment.root.clone();
            let root = hieratic::layers::repository_of(&root).unwrap_or(root);
            Ok(Environment { inner: Arc::new(inner), settings, root })
        })
    }

    /// The environment's name.
    #[getter]
    fn name(&self) -> &str {
        self.inner.name()
    }

    /// The folder of the environment.
    #[getter]
    fn root(&self) -> PathBuf {
        self.inner.layers().environment.root.clone()
    }

    /// A node of the environment.
    #[pyo3(signature = (name=None, facts=None, *, trusted=None, variables=None))]
    fn node(
        slf: &Bound<'_, Self>,
        name: Option<&str>,
        facts: Option<FactsArgument>,
        trusted: Option<&Bound<'_, PyAny>>,
        variables: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Node> {
        Node::open(slf, name, facts, trusted, variables)
    }

    /// The answers of many nodes as a table.
    #[pyo3(signature = (nodes, keys=None, *, r#where=None, shard=None, reveal=false, skip_errors=false))]
    fn answers(
        slf: &Bound<'_, Self>,
        nodes: NodesArgument,
        keys: Option<Vec<String>>,
        r#where: Option<String>,
        shard: Option<&str>,
        reveal: bool,
        skip_errors: bool,
    ) -> PyResult<Answers> {
        Answers::new(slf, nodes, keys.unwrap_or_default(), r#where, shard, reveal, skip_errors)
    }

    /// Returns the changes of the answers of nodes, with their reasons.
    #[pyo3(signature = (base="HEAD", head=None, *, nodes=None, keys=None))]
    fn diff(
        &self,
        py: Python<'_>,
        base: &str,
        head: Option<&str>,
        nodes: Option<NodesArgument>,
        keys: Option<Vec<String>>,
    ) -> PyResult<Py<PyAny>> {
        changes::diff(py, self, base, head, nodes, &keys.unwrap_or_default())
    }

    fn __repr__(&self) -> String {
        format!("Environment({:?}, {:?})", self.inner.name(), self.root())
    }
}
