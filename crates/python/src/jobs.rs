//! `job`: a Nomad job as the API's JSON.

use std::path::PathBuf;

use hieratic::nomad::{Job, Options, VariableFile};
use hieratic::powers::Files;
use hieratic::{HclTeller, HieraInHcl, Permissions, json, repository_of};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::facts::folder_of;
use crate::faults::Fault;
use crate::node::Node;
use crate::permissions::Allowed;
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
    let permissions: Permissions = Allowed { outside: allow_outside, ..Allowed::default() }.into();
    let (path, text, folder) = match job.cast::<PyString>() {
        Ok(text) => ("job".to_owned(), text.to_cow()?.as_bytes().to_vec(), PathBuf::from(".")),
        Err(_) => {
            let path: PathBuf = job.extract()?;
            let bytes = permissions.files_named(&path).read(&path).map_err(|error| {
                Fault::plain(format!("{} cannot be read: {error}", path.display()), "name a readable job file")
            })?;
            (path.display().to_string(), bytes, folder_of(&path))
        }
    };
    let arguments = match variables {
        Some(variables) => variables
            .iter()
            .map(|(name, value)| Ok(format!("{}={}", name.extract::<String>()?, value.str()?)))
            .collect::<PyResult<_>>()?,
        None => Vec::new(),
    };
    let file = |path: PathBuf| VariableFile {
        content: permissions
            .files_named(&path)
            .read(&path)
            .map_err(|error| format!("open {}: {error}", path.display())),
        path: path.display().to_string(),
    };
    let own = repository_of(&folder).unwrap_or_else(|| folder.clone());
    let mut options = Options {
        path,
        arguments,
        files: var_files.unwrap_or_default().into_iter().map(file).collect(),
        strict,
        reach: Some(Files::below([&own])),
        outside: allow_outside,
        folder: allow_files.then(|| folder.clone()),
        ..Options::default()
    };
    let mut mask = None;
    if let Some(node) = node {
        let environment = node.get().environment_of();
        mask = Some(environment.mask(false));
        let data = HieraInHcl::of(&environment.inner, &node.get().facts, &options.budget);
        let data = data.map_err(|error| environment.fault(&error))?;
        options.functions.push(("hiera".to_owned(), data.function));
        options.witness = Some(data.witness);
    }
    let value = py.detach(|| {
        let job = Job::parse(text, &options).map_err(|failure| {
            let message = failure.to_string();
            let diagnostics = HclTeller::default().tell_all(failure.diagnostics().iter());
            let message = mask.as_ref().map_or(message.clone(), |mask| mask.message(&message).into_owned());
            match diagnostics.is_empty() {
                true => Fault::plain(message, "check that the file is a job"),
                false => Fault::of_diagnostics(&diagnostics, mask.as_ref()).saying(message),
            }
        })?;
        let text = job.to_json().map_err(|error| Fault::plain(error.to_string(), "use finite numbers"))?;
        json::parse(text.as_bytes()).map_err(|error| Fault::plain(error.to_string(), "report this as a bug"))
    })?;
    to_python(py, &value)
}
