//! [`compare_jobs`]: the changes of Nomad jobs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use hieratic::Value;
use hieratic::diagnostics::Diagnose;
use hieratic::nomad_job::{Difference, FieldChange, Job};
use hieratic_impact::{Diff, Part, PartValue};
use hieratic_lint::{JobFile, JobReader, JobRun, Options};
use rayon::prelude::*;

/// A job that changes, as one entry of the settings runs it.
#[derive(Clone, Debug)]
pub struct JobDelta {
    /// The job file.
    pub file: PathBuf,
    /// The line of the job, counted from 1.
    pub line: u32,
    /// The entry of the settings; empty if the job is in none.
    pub entry: String,
    /// The identifiers of the job; `None` where it does not exist or is not valid.
    pub jobs: Diff<Option<String>>,
    /// The reason why the job is not valid.
    pub errors: Diff<Option<String>>,
    /// The fields that differ, as `nomad job plan` names them. Secrets in them are not redacted.
    pub fields: Vec<Part>,
}

/// The changes of jobs.
#[derive(Clone, Debug, Default)]
pub struct JobReport {
    /// The jobs that change, by file and entry.
    pub deltas: Vec<JobDelta>,
    /// The number of job files.
    pub count: usize,
    /// The changed files of jobs and of their variables that this report is about.
    pub covered: BTreeSet<PathBuf>,
    /// The jobs that could not be compared, and why, and the folders that could not be read.
    pub not_compared: Vec<(PathBuf, String)>,
}

/// Compares the jobs below a folder, each as every entry of the settings runs it. `options` are those of base and head,
/// `changed` are the changed files, with absolute paths.
pub fn compare_jobs(options: Diff<&Options>, root: &Path, changed: &BTreeSet<PathBuf>) -> JobReport {
    let mut report = JobReport::default();
    if changed.is_empty() {
        return report;
    }
    let readers = options.map(JobReader::new);
    let (mut files, unreadable) = readers.head.candidates(root);
    report.not_compared = unreadable;
    files.extend(changed.iter().filter(|path| path.starts_with(root)).cloned());
    files.sort();
    files.dedup();
    let compared: Vec<JobReport> = files.par_iter().map(|path| compare_file(&readers, root, path, changed)).collect();
    for one in compared {
        report.deltas.extend(one.deltas);
        report.not_compared.extend(one.not_compared);
        report.covered.extend(one.covered);
        report.count += one.count;
    }
    report
}

/// Counts the job files below a folder.
pub fn count_jobs(options: &Options, root: &Path) -> usize {
    let reader = JobReader::new(options);
    let (files, _) = reader.candidates(root);
    // A file that cannot be read counts: it may be one.
    files.par_iter().filter(|path| !matches!(reader.file(root, path), Ok(None))).count()
}

/// Compares the job in a file.
fn compare_file(readers: &Diff<JobReader<'_>>, root: &Path, path: &Path, changed: &BTreeSet<PathBuf>) -> JobReport {
    let mut report = JobReport::default();
    let head = readers.head.file(root, path);
    // A file that has not changed is read once.
    let base = if changed.contains(path) { readers.base.file(root, path).map(Some) } else { Ok(None) };
    let (head, base) = match (head, base) {
        (Ok(head), Ok(base)) => (head, base),
        (Err(error), _) | (_, Err(error)) => {
            report.not_compared.push((path.to_owned(), format!("it cannot be read: {error}")));
            return report;
        }
    };
    let files = Diff { base: base.as_ref().unwrap_or(&head).as_ref(), head: head.as_ref() };
    let Some(file) = files.latest() else { return report };
    report.count = 1;
    report.covered.extend(changed.get(path).cloned());
    report.covered.extend(readers.head.variable_files(path).filter(|file| changed.contains(*file)).cloned());
    if !readers.head.can_depend_on(path, file, |path| changed.contains(path)) {
        return report;
    }
    if files.into_iter().flatten().any(|file| file.asks_for_data) {
        let reason = "it calls hiera, whose answers depend on a node: compare it with hieratic job --diff".to_owned();
        report.not_compared.push((path.to_owned(), reason));
        return report;
    }
    for (entry, jobs) in runs(readers, path, files) {
        match compare_runs(path, entry, jobs) {
            Comparison::Same => {}
            Comparison::Changed(delta) => report.deltas.push(*delta),
            Comparison::Invalid(message) => report.not_compared.push((path.to_owned(), message)),
        }
    }
    report
}

type JobResult = Result<Job, String>;

/// Evaluates a job on both sides, by the names of its runs.
fn runs(
    readers: &Diff<JobReader<'_>>,
    path: &Path,
    files: Diff<Option<&JobFile>>,
) -> BTreeMap<String, Diff<Option<JobResult>>> {
    let mut runs = BTreeMap::<String, Diff<Option<JobResult>>>::new();
    for (side, (reader, file)) in readers.as_ref().zip(files).sides() {
        let Some(file) = file else { continue };
        for JobRun { name, job } in reader.runs(path, file) {
            let job = job.map_err(|failure| message(&failure));
            *runs.entry(name).or_default().as_mut().side(side) = Some(job);
        }
    }
    runs
}

/// The reason why a job is not valid, in a sentence.
fn message(failure: &impl Diagnose) -> String {
    let Some(first) = failure.diagnose().into_iter().next() else { return String::new() };
    first.notes.first().map_or(first.message.clone(), |note| format!("{}: {note}", first.message))
}

enum Comparison {
    Same,
    Changed(Box<JobDelta>),
    /// Neither side is valid.
    Invalid(String),
}

fn compare_runs(path: &Path, entry: String, jobs: Diff<Option<JobResult>>) -> Comparison {
    let valid = jobs.as_ref().map(|job| job.as_ref().and_then(|job| job.as_ref().ok()));
    let errors = jobs.as_ref().map(|job| job.as_ref().and_then(|job| job.as_ref().err()).cloned());
    if valid.latest().is_none() {
        return errors.latest().map_or(Comparison::Same, Comparison::Invalid);
    }
    let fields = match valid.both() {
        Some(Diff { base, head }) => match Difference::between(base, head) {
            Some(difference) if !difference.has_changes() => return Comparison::Same,
            Some(difference) => difference.field_changes().into_iter().map(part).collect(),
            // Another identifier makes it another job.
            None => Vec::new(),
        },
        None => Vec::new(),
    };
    let line = valid.latest().map_or(1, line);
    let delta =
        JobDelta { file: path.to_owned(), line, entry, jobs: valid.map(|job| job.map(identifier)), errors, fields };
    Comparison::Changed(Box::new(delta))
}

fn identifier(job: &Job) -> String {
    job.record().text("ID").map(|id| id.to_string()).unwrap_or_default()
}

/// The line of a job, counted from 1.
fn line(job: &Job) -> u32 {
    let places = job.record().entries().filter_map(|(_, datum)| job.place(datum));
    places.map(|range| range.start().line).min().unwrap_or(1)
}

fn part(change: FieldChange) -> Part {
    let value = |text: String| PartValue { value: text.into(), origin: None, is_error: false, is_redacted: false };
    let values = Diff { base: change.old, head: change.new }.map(|side| side.map(value));
    Part::new(change.path.into_iter().map(Value::from).collect(), values)
}
