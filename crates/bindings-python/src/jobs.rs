//! `job`: a Nomad job as the API's JSON.

use std::path::PathBuf;

use hieratic::{Permissions, json};
use hieratic_bindings_core::{JobData, JobOptions, api_job, folder_of};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::error::PythonError;
use crate::node::Node;
use crate::permissions::PermissionArguments;
use crate::values::to_python;

/// Reads a job: a path, or its text. `variables` are values as `-var` takes them: strings, of which variables with a type are parsed.
#[pyfunction]
#[pyo3(signature = (job, *, variables=None, var_files=None, node=None, strict=true, allow_files=false, allow_outside=false))]
pub(crate) fn job(
    job: &Bound<'_, PyAny>,
    variables: Option<&Bound<'_, PyDict>>,
    var_files: Option<Vec<PathBuf>>,
    node: Option<&Bound<'_, Node>>,
    strict: bool,
    allow_files: bool,
    allow_outside: bool,
) -> PyResult<Py<PyAny>> {
    let py = job.py();
    let permissions: Permissions =
        PermissionArguments { outside: allow_outside, ..PermissionArguments::default() }.into();
    let (name, text, folder) = match job.cast::<PyString>() {
        Ok(text) => ("job".to_owned(), text.to_cow()?.as_bytes().to_vec(), PathBuf::from(".")),
        Err(_) => {
            let path: PathBuf = job.extract()?;
            let bytes = permissions.files_named(&path).read(&path).map_err(|error| {
                PythonError::plain(format!("{} cannot be read: {error}", path.display()), "name a readable job file")
            })?;
            (path.display().to_string(), bytes, folder_of(&path))
        }
    };
    let variables = match variables {
        Some(variables) => variables
            .iter()
            .map(|(name, value)| Ok(format!("{}={}", name.extract::<String>()?, value.str()?)))
            .collect::<PyResult<_>>()?,
        None => Vec::new(),
    };
    let var_files = var_files.unwrap_or_default();
    let options = JobOptions { name, folder, variables, var_files, strict, allow_files, allow_outside };
    let node = node.map(Bound::get);
    let value = py.detach(|| {
        let mask = node.map(|node| node.environment_of().mask(false));
        let data = node.zip(mask.as_ref()).map(|(node, mask)| JobData {
            environment: &node.environment_of().inner,
            facts: &node.facts,
            mask,
        });
        let text = api_job(text, options, data)?;
        json::parse(text.as_bytes()).map_err(|error| PythonError::plain(error.to_string(), "report this as a bug"))
    })?;
    to_python(py, &value)
}
