//! [`JobReader`]: the jobs of a repository, with the variables of each run.

use std::io;
use std::path::{Path, PathBuf};

use hieratic::budget::Budget;
use hieratic::hcl::HieraInHcl;
use hieratic::hcl_types::{Type, Value};
use hieratic::nomad_job::{Failure, Job, Options as JobOptions};
use hieratic::sandbox::{Files, is_absence};
use hieratic_diagnostics::Source;

use crate::job_values::JobRuns;
use crate::kind::Kind;
use crate::options::Options;
use crate::paths::shown;
use crate::texts::hcl::{asks_for_data, is_plain_job, job_options};
use crate::tree::{Ignored, Skip, files_below};

/// Reads the jobs of a repository, once for each entry of the settings.
pub struct JobReader<'o> {
    options: &'o Options,
    runs: JobRuns<'o>,
}

/// A job file.
pub struct JobFile {
    source: Source,
    /// Whether it calls `hiera`, whose answers depend on a node.
    pub asks_for_data: bool,
}

/// A job with the variables of one run.
pub struct JobRun {
    /// The entry of the settings. It is empty if no entry has the job.
    pub name: String,
    /// The job.
    pub job: Result<Job, Failure>,
    /// The variables without a value. In the job, strings are the text `${var.NAME}`, and other types are unknown
    /// values.
    pub unset: Vec<String>,
}

impl<'o> JobReader<'o> {
    /// Creates a reader. Only the settings and the job values of the options are used.
    pub fn new(options: &'o Options) -> JobReader<'o> {
        JobReader { options, runs: JobRuns::new(options) }
    }

    /// Returns the limits of evaluating a job.
    pub fn limits(&self) -> hieratic::Limits {
        self.options.settings.limits
    }

    /// Returns the files below a folder whose names may be those of jobs, sorted, and the folders and files that cannot
    /// be read, with reasons. Hidden files and files that git ignores are left out.
    pub fn candidates(&self, folder: &Path) -> (Vec<PathBuf>, Vec<(PathBuf, String)>) {
        let below = files_below(&self.files(folder), folder, Ignored::ByGit);
        let files = below.found.into_iter().filter(|file| !file.is_link && is_candidate(&file.path));
        let unreadable = below.skipped.into_iter().filter_map(|skipped| match skipped.skip {
            Skip::Unreadable(reason) => Some((skipped.path, reason)),
            _ => None,
        });
        (files.map(|file| file.path).collect(), unreadable.collect())
    }

    /// Reads a file. Returns `None` if it does not exist or is not a job.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn file(&self, root: &Path, path: &Path) -> io::Result<Option<JobFile>> {
        if !is_candidate(path) {
            return Ok(None);
        }
        let text = match self.files(root).read_text(path) {
            Ok(text) => text,
            Err(error) if is_absence(&error) => return Ok(None),
            // A binary file is not a job.
            Err(error) if error.kind() == io::ErrorKind::InvalidData => return Ok(None),
            Err(error) => return Err(error),
        };
        let source = Source::new(shown(path), text);
        let asks_for_data = asks_for_data(source.text());
        Ok(is_plain_job(path, &source).then_some(JobFile { source, asks_for_data }))
    }

    /// Returns whether a changed file can change a job: its own file, a variable file of an entry, or a file that its
    /// functions read.
    pub fn can_depend_on(&self, path: &Path, file: &JobFile, is_changed: impl Fn(&Path) -> bool) -> bool {
        is_changed(path)
            // All functions that read files have this word in their names.
            || file.source.text().contains("file")
            || self.variable_files(path).any(|file| is_changed(file))
    }

    /// Returns the variable files of the entries that run a job.
    pub fn variable_files(&self, path: &Path) -> impl Iterator<Item = &PathBuf> {
        self.runs.variable_files(path)
    }

    /// Evaluates a job for each of its runs, with the data of a node if it looks up data.
    pub fn runs(&self, path: &Path, file: &JobFile, data: Option<&HieraInHcl>) -> Vec<JobRun> {
        let runs = self.runs.for_job(path).into_iter();
        let evaluate = |run: crate::job_values::Run| {
            let name = run.name.clone();
            let mut options = job_options(path, &file.source, run, self.options);
            if let Some(data) = data {
                options.functions.push(("hiera".to_owned(), data.function.clone()));
                options.observer = Some(data.observer.clone());
            }
            let (job, unset) = match Job::parse(file.source.text(), &options) {
                Ok(job) => (Ok(job), Vec::new()),
                Err(failure) => parse_without_values(file.source.text(), &options, failure),
            };
            JobRun { name, job, unset }
        };
        runs.map(evaluate).collect()
    }

    fn files(&self, folder: &Path) -> Files {
        let settings = &self.options.settings;
        settings.mounted(settings.permissions.files_below(folder))
    }
}

/// Evaluates a job that fails, without the values of its variables: secrets are often not in the repository. Returns what
/// is wrong apart from that, and the names of these variables.
fn parse_without_values(text: &str, options: &JobOptions, failure: Failure) -> (Result<Job, Failure>, Vec<String>) {
    let limits = *options.budget.limits();
    let partial = JobOptions { partial: true, budget: Budget::new(limits), ..options.clone() };
    let unknown = match Job::parse(text, &partial) {
        Ok(unknown) => unknown,
        Err(failure) => return (Err(failure), Vec::new()),
    };
    let unset: Vec<String> = unknown.unset().map(|variable| variable.name.to_string()).collect();
    if unset.is_empty() {
        return (Err(failure), unset);
    }
    let strings = unknown.unset().filter(|variable| matches!(variable.ty, None | Some(Type::String)));
    let named =
        strings.map(|variable| (variable.name.to_string(), Value::string(format!("${{var.{}}}", variable.name))));
    let values = partial.values.iter().cloned().chain(named).collect();
    let named = JobOptions { values, budget: Budget::new(limits), ..partial };
    // The text may be no number or address where the job needs one.
    let job = Job::parse(text, &named).unwrap_or(unknown);
    (Ok(job), unset)
}

/// Returns whether a file may be a job, by its name.
fn is_candidate(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    match extension {
        // Repositories have many files of JSON.
        "json" => name.ends_with(".nomad.json"),
        "job" => true,
        _ => Kind::from_path(path) == Some(Kind::Hcl),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_known_by_name() {
        for (name, expected) in [("a.nomad", true), ("a.nomad.hcl", true), ("a.job", true), ("a.nomad.json", true)] {
            assert_eq!(is_candidate(Path::new(name)), expected, "{name}");
        }
        for name in ["a.json", "a.yaml", "nomad", "a.tpl"] {
            assert!(!is_candidate(Path::new(name)), "{name}");
        }
    }
}
