//! `job`: converts a Nomad job to the API's JSON.

use std::path::PathBuf;

use hieratic::{Limits, Permissions, Value, json};
use hieratic_bindings_core::{BindingError, JobData, JobOptions, api_job, folder_of, read_bytes};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::arguments::{Paths, paths};
use crate::error::PythonError;
use crate::facts::require;
use crate::hcl_values;
use crate::node::Node;
use crate::permissions::PermissionArguments;
use crate::values::{hash_of, to_python};
use crate::work::{LimitsArgument, Work};

/// The argument that is a job: a path object names a file, a string is the job.
enum JobArgument {
    Text(Vec<u8>),
    File(PathBuf),
}

impl JobArgument {
    /// Reads the file: on the pool, because it may be large. Returns the name, the text and the folder of the job.
    fn read(self, permissions: &Permissions, limits: &Limits) -> Result<(String, Vec<u8>, PathBuf), BindingError> {
        match self {
            JobArgument::Text(text) => Ok(("job".to_owned(), text, PathBuf::from("."))),
            JobArgument::File(path) => {
                let bytes = read_bytes(&path, permissions, limits)?;
                Ok((path.display().to_string(), bytes, folder_of(&path)))
            }
        }
    }
}

/// Reads a job: a path, or its text. `variables` are values: a variable with a type has its value converted to it, as HCL converts.
#[pyfunction]
#[pyo3(signature = (job, *, variables=None, var_files=None, node=None, strict=true, limits=None, timeout=None, allow_files=false,
    allow_outside=false))]
#[expect(clippy::too_many_arguments, reason = "pass them as keyword arguments")]
pub(crate) fn job(
    job: &Bound<'_, PyAny>,
    variables: Option<&Bound<'_, PyAny>>,
    var_files: Option<Paths>,
    node: Option<&Bound<'_, Node>>,
    strict: bool,
    limits: Option<LimitsArgument>,
    timeout: Option<f64>,
    allow_files: bool,
    allow_outside: bool,
) -> PyResult<Py<PyAny>> {
    let py = job.py();
    let permissions: Permissions =
        PermissionArguments { outside: allow_outside, ..PermissionArguments::default() }.into();
    let given = match job.cast::<PyString>() {
        Ok(text) => JobArgument::Text(text.to_cow()?.as_bytes().to_vec()),
        // Python checks that anything else is a path.
        Err(_) => JobArgument::File(job.extract()?),
    };
    let variables = match variables {
        Some(variables) => {
            let of_pair = |(name, value): (&Value, &Value)| {
                let name = name.to_text();
                hcl_values::check(&name, value)?;
                Ok((name, value.clone()))
            };
            hash_of(variables, "variables")?.iter().map(of_pair).collect::<PyResult<_>>()?
        }
        None => Vec::new(),
    };
    let var_files = paths(var_files);
    for file in &var_files {
        require(file, &permissions)?;
    }
    let work = match node {
        Some(node) => node.get().environment_of().work_of(limits, timeout)?,
        None => Work::new(Limits::default(), limits, timeout)?,
    };
    let node = match node {
        Some(node) => Some((node.get().environment_of().share(py)?, node.get().facts.clone())),
        None => None,
    };
    let value = work.run(py, move |budget| {
        let budget = budget.clone();
        let (name, text, folder) = given.read(&permissions, budget.limits())?;
        let options = JobOptions { name, folder, variables, var_files, strict, allow_files, allow_outside, budget };
        let node = node.as_ref().map(|(environment, facts)| (environment, facts, environment.redactor(false)));
        let data = node.as_ref().map(|(environment, facts, redactor)| JobData {
            environment: &environment.inner,
            facts,
            redactor,
        });
        let text = api_job(text, options, data)?;
        json::parse(text.as_bytes()).map_err(|error| PythonError::plain(error.to_string(), "report this as a bug"))
    })?;
    to_python(py, &value)
}
