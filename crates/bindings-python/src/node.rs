//! [`Node`]: a node's view of an environment.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hieratic::budget::Budget;
use hieratic::explain::reasons;
use hieratic::lookup::{Origin, OriginRow, origins};
use hieratic::puppet_types::Type;
use hieratic::{Facts, Query, Strategy, Value};
use hieratic_bindings_core::{BindingError, LIMIT, Omissions, lookup_all};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::OptionalArgument;
use crate::arguments::{Texts, texts};
use crate::environment::{Environment, SharedEnvironment};
use crate::error::PythonError;
use crate::facts::FactsArgument;
use crate::forks::{ForkSafe, RunningWork};
use crate::values::{from_python, hash_of, to_python};
use crate::work::{LimitsArgument, Work, take_signal};

/// A machine's view of an environment: it sees files as they were when it first needed them.
#[pyclass(frozen, module = "hieratic")]
pub(crate) struct Node {
    inner: ForkSafe<Arc<hieratic::Node>>,
    pub(crate) facts: Facts,
    environment: Py<Environment>,
    /// The modules that lookups were made for, and an empty name for keys without one: the first lookup of each may have to read files.
    answered: Mutex<HashSet<Box<str>>>,
}

/// One key, or several of which the first that is found answers.
enum Keys {
    One(PyBackedStr),
    Several(Vec<PyBackedStr>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Keys {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(name) = object.extract() {
            return Ok(Keys::One(name));
        }
        match object.extract::<Vec<PyBackedStr>>() {
            Ok(names) if !names.is_empty() => Ok(Keys::Several(names)),
            Ok(_) => Err(PyValueError::new_err("name at least one key")),
            Err(_) => {
                let found = object.get_type().name()?;
                Err(PyTypeError::new_err(format!("a key is a string, or a list of strings, not {found}")))
            }
        }
    }
}

impl Keys {
    fn names(&self) -> Vec<&str> {
        match self {
            Keys::One(name) => vec![name],
            Keys::Several(names) => names.iter().map(|name| &**name).collect(),
        }
    }

    /// The modules of the names: the parts before the first `::`.
    fn modules(&self) -> impl Iterator<Item = &str> {
        let names = match self {
            Keys::One(name) => std::slice::from_ref(name),
            Keys::Several(names) => names,
        };
        names.iter().map(|name| {
            let name = name.strip_prefix("::").unwrap_or(name);
            name.split_once("::").map_or("", |(module, _)| module)
        })
    }

    /// The names for another thread.
    fn to_strings(&self) -> Vec<String> {
        self.names().into_iter().map(str::to_owned).collect()
    }
}

impl Node {
    pub(crate) fn open(
        environment: &Bound<'_, Environment>,
        name: Option<String>,
        facts: Option<FactsArgument>,
        trusted: Option<&Bound<'_, PyAny>>,
        variables: Option<&Bound<'_, PyAny>>,
        work: Work,
    ) -> PyResult<Node> {
        let py = environment.py();
        let own = environment.get();
        let shared = own.share(py)?;
        let mut facts = match (facts, name) {
            // A file may be large.
            (Some(facts @ FactsArgument::File(_)), name) => {
                let permissions = own.permissions();
                work.run(py, move |budget| facts.of_node(name.as_deref(), &permissions, budget.limits()))?
            }
            (Some(facts), name) => facts.of_node(name.as_deref(), &own.permissions(), &work.limits)?,
            (None, Some(name)) => Facts::named_for(&name, shared.inner.puppet_version()),
            (None, None) => Facts::default(),
        };
        if let Some(trusted) = trusted {
            facts.set_trusted(hash_of(trusted, "trusted")?);
        }
        if let Some(variables) = variables {
            for (name, value) in hash_of(variables, "variables")?.iter() {
                facts.set_variable(&name.to_text(), value.clone());
            }
        }
        let inner = ForkSafe::new(new_node(py, &shared, &facts)?);
        let environment = environment.clone().unbind();
        Ok(Node { inner, facts, environment, answered: Mutex::default() })
    }

    /// The environment that the node looks into.
    pub(crate) fn environment_of(&self) -> &Environment {
        self.environment.get()
    }

    /// The environment and the node, as this process can use them.
    fn share(&self, py: Python<'_>) -> PyResult<(SharedEnvironment, Arc<hieratic::Node>)> {
        Ok((self.environment.get().share(py)?, self.inner(py)?))
    }

    fn inner(&self, py: Python<'_>) -> PyResult<Arc<hieratic::Node>> {
        self.inner.get(py, || {
            self.answered().clear();
            new_node(py, &self.environment.get().share(py)?, &self.facts)
        })
    }

    fn answered(&self) -> MutexGuard<'_, HashSet<Box<str>>> {
        self.answered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether lookups of such keys were made before.
    fn has_answered(&self, key: &Keys) -> bool {
        let answered = self.answered();
        key.modules().all(|module| answered.contains(module))
    }

    /// The exception of a lookup that failed, or of the signal that ended it.
    fn failed(&self, py: Python<'_>, error: &hieratic::Error) -> PyErr {
        let fault = || self.environment.get().share(py).map(|shared| PyErr::from(shared.fault(error)));
        take_signal().unwrap_or_else(|| fault().unwrap_or_else(|error| error))
    }
}

fn new_node(py: Python<'_>, environment: &SharedEnvironment, facts: &Facts) -> PyResult<Arc<hieratic::Node>> {
    let _running = RunningWork::new();
    let node = py.detach(|| environment.inner.node(facts));
    Ok(Arc::new(node.map_err(|error| environment.fault(&error))?))
}

/// The arguments of a lookup beside its keys.
#[derive(Default)]
struct LookupArguments {
    default: Option<Value>,
    merge: Option<Strategy>,
    value_type: Option<Type>,
}

impl LookupArguments {
    fn new(
        default: OptionalArgument<Bound<'_, PyAny>>,
        merge: Option<&Bound<'_, PyAny>>,
        value_type: Option<&str>,
    ) -> PyResult<LookupArguments> {
        let invalid = |message: String| PyValueError::new_err(message);
        let default = match default {
            OptionalArgument::Is(default) => Some(from_python(&default)?),
            OptionalArgument::Missing => None,
        };
        let merge = match merge {
            Some(merge) => Some(Strategy::parse(&from_python(merge)?).map_err(|error| invalid(error.to_string()))?),
            None => None,
        };
        let value_type = match value_type {
            Some(text) => Some(hieratic::puppet_types::parse(text).map_err(|error| invalid(error.to_string()))?),
            None => None,
        };
        Ok(LookupArguments { default, merge, value_type })
    }

    fn query(self, names: Vec<&str>, budget: Budget) -> Query<'_> {
        let LookupArguments { default, merge, value_type } = self;
        Query { names, default, merge, value_type, budget, ..Query::default() }
    }
}

#[pymethods]
impl Node {
    #[new]
    #[pyo3(signature = (environment, name=None, facts=None, *, trusted=None, variables=None, limits=None, timeout=None))]
    fn new(
        environment: &Bound<'_, Environment>,
        name: Option<String>,
        facts: Option<FactsArgument>,
        trusted: Option<&Bound<'_, PyAny>>,
        variables: Option<&Bound<'_, PyAny>>,
        limits: Option<LimitsArgument>,
        timeout: Option<f64>,
    ) -> PyResult<Node> {
        let work = environment.get().work_of(limits, timeout)?;
        Node::open(environment, name, facts, trusted, variables, work)
    }

    /// The node's name.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.facts.node()
    }

    /// The node's facts.
    #[getter]
    fn facts(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        to_python(py, &Value::Hash(self.facts.facts().clone()))
    }

    /// The trusted data that the node was made with.
    #[getter]
    fn trusted(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let trusted = self.facts.explicit_trusted();
        trusted.map(|trusted| to_python(py, &Value::Hash(trusted.clone()))).transpose()
    }

    /// The variables that the node was made with.
    #[getter]
    fn variables(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        to_python(py, &Value::Hash(self.facts.variables().clone()))
    }

    /// The environment that the node looks into.
    #[getter]
    fn environment(&self, py: Python<'_>) -> Py<Environment> {
        self.environment.clone_ref(py)
    }

    /// The value of a key, or of the first of several that is found.
    #[pyo3(signature = (key, *, default=OptionalArgument::Missing, merge=None, value_type=None, limits=None, timeout=None))]
    #[expect(clippy::too_many_arguments, reason = "pass them as keyword arguments")]
    fn lookup(
        &self,
        py: Python<'_>,
        key: Keys,
        default: OptionalArgument<Bound<'_, PyAny>>,
        merge: Option<&Bound<'_, PyAny>>,
        value_type: Option<&str>,
        limits: Option<LimitsArgument>,
        timeout: Option<f64>,
    ) -> PyResult<Py<PyAny>> {
        let work = self.environment.get().work_of(limits, timeout)?;
        let arguments = LookupArguments::new(default, merge, value_type)?;
        let inner = self.inner(py)?;
        let answer = if self.has_answered(&key) {
            // Another thread would take longer than the lookup: a microsecond.
            let query = arguments.query(key.names(), work.budget());
            let _running = RunningWork::new();
            py.detach(|| inner.lookup(&query))
        } else {
            let (node, names) = (inner, key.to_strings());
            let answer = work.run(py, move |budget| {
                let names = names.iter().map(String::as_str).collect();
                Ok::<_, PythonError>(node.lookup(&arguments.query(names, budget.clone())))
            })?;
            self.answered().extend(key.modules().map(Box::from));
            self.environment.get().warn_of_skipped_levels(py)?;
            answer
        };
        match answer {
            Ok(value) => to_python(py, &value),
            Err(error) => Err(self.failed(py, &error)),
        }
    }

    /// The values of all keys that the node's hierarchy can answer, or of those that a pattern matches.
    #[pyo3(signature = (patterns=None, *, reveal=false, skip_errors=false, allow_empty=false, limits=None, timeout=None))]
    #[expect(clippy::too_many_arguments, reason = "pass them as keyword arguments")]
    fn lookup_all(
        &self,
        py: Python<'_>,
        patterns: Option<Texts>,
        reveal: bool,
        skip_errors: bool,
        allow_empty: bool,
        limits: Option<LimitsArgument>,
        timeout: Option<f64>,
    ) -> PyResult<Py<PyAny>> {
        let environment = self.environment.get();
        let work = environment.work_of(limits, timeout)?;
        let (shared, node) = self.share(py)?;
        let (patterns, redactor) = (texts(patterns), shared.redactor(reveal));
        let omitted = Omissions { errors: skip_errors, unmatched: allow_empty };
        let found =
            work.run(py, move |budget| lookup_all(&shared.inner, &node, &patterns, &redactor, omitted, budget))?;
        self.environment.get().warn_of_skipped_levels(py)?;
        to_python(py, &found)
    }

    /// The keys that the node's hierarchy can answer, sorted.
    #[pyo3(signature = (*, limits=None, timeout=None))]
    fn keys(&self, py: Python<'_>, limits: Option<LimitsArgument>, timeout: Option<f64>) -> PyResult<Vec<String>> {
        let work = self.environment.get().work_of(limits, timeout)?;
        let (shared, node) = self.share(py)?;
        work.run(py, move |budget| {
            let keys = shared.inner.keys(&node).map_err(|error| shared.fault(&error))?;
            budget.steps(keys.len() as u64).map_err(|limit| PythonError::from(BindingError::exhausted(&limit)))?;
            Ok::<_, PythonError>(keys)
        })
    }

    /// Explains the answer to a key, as `hieratic lookup KEY --why --render-as json` prints it.
    #[pyo3(signature = (key, *, default=OptionalArgument::Missing, merge=None, value_type=None, reveal=false, limits=None,
        timeout=None))]
    #[expect(clippy::too_many_arguments, reason = "pass them as keyword arguments")]
    fn why(
        &self,
        py: Python<'_>,
        key: PyBackedStr,
        default: OptionalArgument<Bound<'_, PyAny>>,
        merge: Option<&Bound<'_, PyAny>>,
        value_type: Option<&str>,
        reveal: bool,
        limits: Option<LimitsArgument>,
        timeout: Option<f64>,
    ) -> PyResult<Py<PyAny>> {
        let work = self.environment.get().work_of(limits, timeout)?;
        let arguments = LookupArguments::new(default, merge, value_type)?;
        let (shared, node) = self.share(py)?;
        let (key, redactor) = (key.to_string(), shared.redactor(reveal));
        let reported = work.run(py, move |budget| {
            let why = node.why(&arguments.query(vec![&key], budget.clone()));
            // An answer that work has no room for has no reasons.
            match &why.answer {
                Err(error) if error.code().id() == LIMIT => Err(shared.fault(error)),
                _ => Ok(reasons(&why, &redactor)),
            }
        })?;
        to_python(py, &reported)
    }

    /// The leaves of a value, each with the file, line and column that it comes from.
    #[pyo3(signature = (key, *, merge=None, reveal=false, limits=None, timeout=None))]
    fn origins<'py>(
        &self,
        py: Python<'py>,
        key: Keys,
        merge: Option<&Bound<'_, PyAny>>,
        reveal: bool,
        limits: Option<LimitsArgument>,
        timeout: Option<f64>,
    ) -> PyResult<Bound<'py, PyList>> {
        let work = self.environment.get().work_of(limits, timeout)?;
        let arguments = LookupArguments::new(OptionalArgument::Missing, merge, None)?;
        let (shared, node) = self.share(py)?;
        let (names, redactor) = (key.to_strings(), shared.redactor(reveal));
        let rows = work.run(py, move |budget| {
            let names = names.iter().map(String::as_str).collect();
            Ok::<_, PythonError>(origins(&node, &arguments.query(names, budget.clone()), &redactor))
        })?;
        let rows = rows.map_err(|error| self.failed(py, &error))?;
        let list = PyList::empty(py);
        for row in rows {
            list.append(row_of(py, &row)?)?;
        }
        Ok(list)
    }

    fn __repr__(&self) -> String {
        format!("Node({:?})", self.facts.node().unwrap_or_default())
    }

    /// A worker makes the same node in its own environment.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let own = slf.get();
        let rebuild = py.import("hieratic._pickles")?.getattr("node")?;
        let facts = to_python(py, &Value::Hash(own.facts.facts().clone()))?;
        let arguments = (&own.environment, own.facts.node(), facts, own.trusted(py)?, own.variables(py)?);
        Ok((rebuild, arguments.into_pyobject(py)?))
    }
}

fn row_of<'py>(py: Python<'py>, leaf: &OriginRow) -> PyResult<Bound<'py, PyDict>> {
    let row = PyDict::new(py);
    let path: Vec<Py<PyAny>> = leaf.path.iter().map(|part| to_python(py, part)).collect::<PyResult<_>>()?;
    row.set_item("path", PyTuple::new(py, path)?)?;
    row.set_item("value", to_python(py, &leaf.value)?)?;
    let (file, line, column, source) = match &leaf.origin {
        Some(Origin::File { file, line, column }) => {
            (Some(file.display().to_string()), Some(*line), Some(*column), None)
        }
        Some(Origin::Named(name)) => (None, None, None, Some(name.to_string())),
        None => (None, None, None, None),
    };
    row.set_item("file", file)?;
    row.set_item("line", line)?;
    row.set_item("column", column)?;
    row.set_item("source", source)?;
    row.set_item("secret", leaf.secret)?;
    Ok(row)
}
