//! Facts as arguments: dictionaries, files, tables.

use std::path::PathBuf;

use hieratic::facts::{node_of_facts, node_of_file};
use hieratic::sandbox::Files;
use hieratic::{Facts, Hash, Permissions};
use hieratic_fleet::{NodeError, Source, Sources, facts_of};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::error::PythonError;
use crate::node::Node;
use crate::tables;
use crate::values::hash_of;

/// The facts of one node: a mapping, or the path of a file.
pub(crate) enum FactsArgument {
    Known(Hash),
    File(PathBuf),
}

impl<'a, 'py> FromPyObject<'a, 'py> for FactsArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if is_path(&object)? {
            return object.extract().map(FactsArgument::File);
        }
        hash_of(&object, "facts").map(FactsArgument::Known)
    }
}

fn is_path(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(object.is_instance_of::<PyString>() || object.hasattr("__fspath__")?)
}

impl FactsArgument {
    /// The facts of a node that may be named beside them.
    pub(crate) fn of_node(self, name: Option<&str>, permissions: &Permissions) -> Result<Facts, PythonError> {
        match self {
            FactsArgument::Known(facts) => {
                let own = node_of_facts(&facts);
                Ok(Facts::new(name.or(own.as_deref()), facts))
            }
            FactsArgument::File(file) => {
                let files: Files = permissions.files_named(&file);
                let facts = match name {
                    Some(name) => Facts::load(&file, &files).map(|facts| Facts::new(Some(name), facts)),
                    None => node_of_file(&file, &files),
                };
                facts.map_err(|error| PythonError::from_error(&error, &hieratic::Redactor::default()))
            }
        }
    }
}

/// Many nodes: paths of files and folders of facts, names, mappings, nodes, or a table with a row for each node.
#[derive(Clone)]
pub(crate) enum NodesArgument {
    Paths(Vec<PathBuf>),
    Known(Vec<Facts>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for NodesArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if is_path(&object)? {
            return Ok(NodesArgument::Paths(vec![object.extract()?]));
        }
        if object.hasattr("__arrow_c_stream__")? {
            return tables::facts(&object).map(NodesArgument::Known);
        }
        let items: Vec<Bound<'_, PyAny>> = match object.cast::<PyList>() {
            Ok(list) => list.iter().collect(),
            Err(_) => object.try_iter()?.collect::<PyResult<_>>()?,
        };
        if !items.is_empty() && items.iter().map(is_path).collect::<PyResult<Vec<_>>>()?.into_iter().all(|is| is) {
            return Ok(NodesArgument::Paths(items.iter().map(|item| item.extract()).collect::<PyResult<_>>()?));
        }
        items.iter().enumerate().map(|(at, item)| node(item, at)).collect::<PyResult<_>>().map(NodesArgument::Known)
    }
}

fn node(item: &Bound<'_, PyAny>, at: usize) -> PyResult<Facts> {
    if let Ok(node) = item.cast::<Node>() {
        return Ok(node.get().facts.clone());
    }
    if is_path(item)? {
        return Err(PyTypeError::new_err("nodes must be paths or facts, not both"));
    }
    facts_of(&hash_of(item, "a node")?).map_err(|message| {
        PythonError::plain(format!("node {at}: {message}"), "add `certname`, or `name` and `facts`").into()
    })
}

impl NodesArgument {
    /// The nodes one after the other.
    pub(crate) fn sources(
        self,
        permissions: Permissions,
    ) -> Box<dyn Iterator<Item = Result<Source, NodeError>> + Send> {
        match self {
            NodesArgument::Paths(paths) => Box::new(Sources::of(paths, permissions)),
            NodesArgument::Known(nodes) => Box::new(nodes.into_iter().map(|facts| Ok(Source::from(facts)))),
        }
    }
}
