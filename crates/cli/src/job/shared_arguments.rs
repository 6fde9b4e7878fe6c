//! `-var` for several jobs: each job receives the variables that it declares.

use std::path::Path;

use hieratic::nomad_job::Job;
use hieratic_diagnostics::{Diagnostic, Severity};

use super::JobArguments;
use crate::codes;
use crate::report::Reporter;
use hieratic::sandbox::SlashPath as _;

/// The variables that `-var` sets, and the jobs that do not declare them.
pub(super) struct SharedArguments {
    variables: Vec<SharedVariable>,
    /// Whether a job could not be read, so that its variables are not known.
    pub(super) are_incomplete: bool,
}

struct SharedVariable {
    name: String,
    is_declared: bool,
    /// The jobs without it.
    without: Vec<String>,
}

impl SharedArguments {
    pub(super) fn new(arguments: &JobArguments) -> SharedArguments {
        let mut variables: Vec<SharedVariable> = Vec::new();
        for (name, _) in arguments.var.iter().filter_map(|argument| argument.split_once('=')) {
            if !variables.iter().any(|known| known.name == name) {
                variables.push(SharedVariable { name: name.to_owned(), is_declared: false, without: Vec::new() });
            }
        }
        SharedArguments { variables, are_incomplete: false }
    }

    /// Notes which variables a job declares.
    pub(super) fn note(&mut self, file: &Path, job: &Job) {
        for variable in &mut self.variables {
            if job.variables().iter().any(|declared| *declared.name == *variable.name) {
                variable.is_declared = true;
            } else {
                variable.without.push(file.to_slashes());
            }
        }
    }

    /// Reports variables that some jobs do not declare; returns false if one is declared by none.
    pub(super) fn report(&self, reporter: &Reporter) -> bool {
        let mut passed = true;
        for variable in self.variables.iter().filter(|variable| !variable.without.is_empty()) {
            let name = &variable.name;
            if variable.is_declared || self.are_incomplete {
                let message =
                    format!("-var {name} is not for {}, which do not declare it", variable.without.join(", "));
                let message = match variable.without.as_slice() {
                    [only] => format!("-var {name} is not for {only}, which does not declare it"),
                    _ => message,
                };
                reporter.diagnostic(&Diagnostic::new(Severity::Note, codes::USAGE, message));
            } else {
                let message = format!("no job declares the variable of -var {name}");
                let error = Diagnostic::new(Severity::Error, codes::USAGE, message);
                reporter.diagnostic(&error.help("remove the flag, or declare the variable"));
                passed = false;
            }
        }
        passed
    }
}
