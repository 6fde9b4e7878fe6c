//! [`api_job`]: converts a Nomad job to the API's JSON.

use std::path::PathBuf;

use hieratic::budget::Budget;
use hieratic::diagnostics::Diagnose;
use hieratic::hcl::{HieraInHcl, NoHclForm, to_cty};
use hieratic::layers::repository_of;
use hieratic::nomad_job::{Job, Options, VariableFile};
use hieratic::sandbox::Files;
use hieratic::{Environment, Facts, Permissions, Redactor, Value};

use crate::error::BindingError;

/// The options for parsing a job.
#[derive(Clone, Debug, Default)]
pub struct JobOptions {
    /// The name of the job for messages.
    pub name: String,
    /// The folder of the job.
    pub folder: PathBuf,
    /// The values of variables. They are converted to the types of the variables, as in HCL.
    pub variables: Vec<(String, Value)>,
    /// The variable files.
    pub var_files: Vec<PathBuf>,
    /// Whether a value for an undeclared variable is an error.
    pub strict: bool,
    /// Whether functions may read files in the folder of the job.
    pub allow_files: bool,
    /// Whether functions may also read files outside of the repository.
    pub allow_outside: bool,
    /// The budget of the evaluation.
    pub budget: Budget,
}

/// The data for the function `hiera` of a job.
#[derive(Clone, Copy, Debug)]
pub struct JobData<'d> {
    /// The environment for lookups.
    pub environment: &'d Environment,
    /// The node for lookups.
    pub facts: &'d Facts,
    /// Redacts secrets in messages.
    pub redactor: &'d Redactor,
}

/// The error for a variable whose value has no form in HCL.
pub(crate) fn no_hcl_form(name: &str, problem: &NoHclForm) -> BindingError {
    BindingError::plain(format!("the variable {name}: {problem}"), "pass a value that HCL has")
}

/// Converts a job to the API's JSON.
///
/// # Errors
/// The source is not a job, or a variable has no value.
pub fn api_job(job: Vec<u8>, requested: JobOptions, data: Option<JobData<'_>>) -> Result<String, BindingError> {
    let permissions = Permissions { outside: requested.allow_outside, ..Permissions::default() };
    let largest = requested.budget.limits().file;
    let file = |path: &PathBuf| VariableFile {
        content: permissions
            .files_named(path)
            .with_largest(largest)
            .read(path)
            .map_err(|error| format!("open {}: {error}", path.display())),
        path: path.display().to_string(),
    };
    let values = requested.variables.into_iter().map(|(name, value)| {
        let value = to_cty(&value).map_err(|problem| no_hcl_form(&name, &problem))?;
        Ok((name, value))
    });
    let own = repository_of(&requested.folder).unwrap_or_else(|| requested.folder.clone());
    let mut options = Options {
        path: requested.name,
        values: values.collect::<Result<_, BindingError>>()?,
        files: requested.var_files.iter().map(file).collect(),
        strict: requested.strict,
        reach: Some(Files::below([&own]).with_largest(largest)),
        outside: requested.allow_outside,
        budget: requested.budget,
        folder: requested.allow_files.then_some(requested.folder),
        ..Options::default()
    };
    if let Some(JobData { environment, facts, redactor }) = data {
        let data = HieraInHcl::new(environment, facts, &options.budget);
        let data = data.map_err(|error| BindingError::from_error(&error, redactor))?;
        options.functions.push(("hiera".to_owned(), data.function));
        options.observer = Some(data.observer);
    }
    let job = Job::parse(job, &options).map_err(|failure| {
        let message = failure.to_string();
        let redactor = data.map(|data| data.redactor);
        let message = redactor.map_or(message.clone(), |redactor| redactor.message(&message).into_owned());
        BindingError::from_diagnostics(&failure.diagnose(), redactor).with_message(message)
    })?;
    job.to_json().map_err(|error| BindingError::plain(error.to_string(), "use finite numbers"))
}
