//! [`compare_jobs`]: the changes of Nomad jobs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use hieratic::budget::Budget;
use hieratic::diagnostics::Diagnose;
use hieratic::hcl::HieraInHcl;
use hieratic::nomad_job::{Difference, FieldChange, Job};
use hieratic::value::ErasedSort as _;
use hieratic::{Environment, Limits, Value};
use hieratic_impact::{Diff, Part, PartValue, Side, Subject};
use hieratic_lint::{JobFile, JobReader, JobRun, JobValues, Options};
use rayon::prelude::*;

use crate::sides::Sides;

/// A changed job, for one entry of the settings.
#[derive(Clone, Debug)]
pub struct JobDelta {
    /// The job file.
    pub file: PathBuf,
    /// The line of the job, counted from 1.
    pub line: u32,
    /// The entry of the settings. It is empty if no entry has the job.
    pub entry: String,
    /// The identifiers of the job. `None` if it does not exist or is invalid.
    pub jobs: Diff<Option<String>>,
    /// The error of an invalid job.
    pub errors: Diff<Option<String>>,
    /// The fields that differ, as `nomad job plan` names them. Secrets in them are not redacted.
    pub fields: Vec<Part>,
    /// The file of the job before the change, if it was another one.
    pub moved_from: Option<PathBuf>,
}

/// The changes of jobs.
#[derive(Clone, Debug)]
pub struct JobReport {
    /// The options of both sides.
    options: Diff<Options>,
    /// The folder of the jobs.
    root: PathBuf,
    /// The jobs that call `hiera`: they are compared for each node of an environment.
    of_nodes: Vec<PathBuf>,
    /// The changed jobs, by file and entry.
    pub deltas: Vec<JobDelta>,
    /// The number of job files.
    pub count: usize,
    /// The changed files of jobs and variables that the report covers.
    pub changed_files: BTreeSet<PathBuf>,
    /// The jobs that could not be compared, and the folders that could not be read, with the reason.
    pub not_compared: Vec<(PathBuf, String)>,
    /// The variables without a value, with their jobs. The parts of jobs that depend on them are not compared.
    pub unset: BTreeMap<String, BTreeSet<PathBuf>>,
}

/// Returns the options of the jobs of both sides, with the values of their variables.
pub fn job_options(sides: &Sides, job_values: JobValues, limits: Limits) -> Diff<Options> {
    sides.both_settings(limits).map(|settings| Options {
        settings,
        job_values: job_values.clone(),
        ..Options::default()
    })
}

impl JobReport {
    fn new(options: Diff<Options>, root: &Path) -> JobReport {
        let (of_nodes, deltas, count, changed_files, not_compared, unset) = Default::default();
        JobReport { options, root: root.to_owned(), of_nodes, deltas, count, changed_files, not_compared, unset }
    }

    /// Reports the jobs that call `hiera` as not compared, because there is no data.
    pub fn leave_out_jobs_of_nodes(&mut self) {
        let reason = "it calls hiera, and there is no data: compare it with hieratic job --diff";
        self.not_compared.extend(self.of_nodes.drain(..).map(|path| (path, reason.to_owned())));
    }
}

/// The limit of evaluations of jobs that call `hiera`: each is evaluated for each node.
const MOST_EVALUATIONS: usize = 20_000;

/// Compares the jobs below a folder, for each entry of the settings. `options` are those of base and head, `changed`
/// are the changed files, with absolute paths.
pub fn compare_jobs(options: Diff<Options>, root: &Path, changed: &BTreeSet<PathBuf>) -> JobReport {
    let mut report = JobReport::new(options.clone(), root);
    if changed.is_empty() {
        return report;
    }
    let readers = options.as_ref().map(JobReader::new);
    let (mut files, unreadable) = readers.head.candidates(root);
    report.not_compared = unreadable;
    files.extend(changed.iter().filter(|path| path.starts_with(root)).cloned());
    files.sort_erased();
    files.dedup();
    let compared: Vec<FileReport> = files.par_iter().map(|path| compare_file(&readers, root, path, changed)).collect();
    let mut lone = Vec::new();
    for (path, one) in files.into_iter().zip(compared) {
        report.deltas.extend(one.deltas);
        lone.extend(one.lone);
        report.not_compared.extend(one.not_compared);
        report.changed_files.extend(one.changed_files);
        report.count += usize::from(one.is_job);
        for variable in one.unset {
            report.unset.entry(variable).or_default().insert(path.clone());
        }
        report.of_nodes.extend(one.is_of_nodes.then_some(path));
    }
    report.deltas.extend(pair_moved(lone));
    report.deltas.sort_erased_by(|one, other| (&one.file, &one.entry).cmp(&(&other.file, &other.entry)));
    report
}

/// A job that one side alone has in a file.
struct LoneJob {
    delta: JobDelta,
    side: Side,
    job: Job,
}

/// Compares jobs that moved to another file. A job moved if each side has one lone job with its identifier, for the
/// same entry. One that is otherwise equal is no change.
fn pair_moved(lone: Vec<LoneJob>) -> Vec<JobDelta> {
    let mut by_identity: BTreeMap<(String, String), Vec<LoneJob>> = BTreeMap::new();
    for one in lone {
        by_identity.entry((identifier(&one.job), one.delta.entry.clone())).or_default().push(one);
    }
    by_identity.into_values().flat_map(paired).collect()
}

/// The changes of the lone jobs with an identifier.
fn paired(jobs: Vec<LoneJob>) -> Vec<JobDelta> {
    let pair = match jobs.as_slice() {
        [one, other] if one.side != other.side => {
            Some(if one.side == Side::Base { (one, other) } else { (other, one) })
        }
        _ => None,
    };
    let difference = pair.and_then(|(base, head)| Difference::between(&base.job, &head.job));
    let (Some((base, head)), Some(difference)) = (pair, difference) else {
        return jobs.into_iter().map(|one| one.delta).collect();
    };
    if !difference.has_changes() {
        return Vec::new();
    }
    vec![JobDelta {
        jobs: Diff { base: base.delta.jobs.base.clone(), head: head.delta.jobs.head.clone() },
        fields: difference.field_changes().into_iter().map(part).collect(),
        moved_from: Some(base.delta.file.clone()),
        ..head.delta.clone()
    }]
}

/// The changes of jobs that call `hiera`.
#[derive(Default)]
pub(crate) struct NodeJobs {
    /// The changes, each with the node that it is for.
    pub(crate) deltas: Vec<(usize, JobDelta)>,
    /// The jobs that could not be compared, and why.
    pub(crate) not_compared: BTreeSet<(PathBuf, String)>,
}

impl JobReport {
    /// Compares the jobs that call `hiera` for each node, with the data of both sides. The comparison ends early if the
    /// budget of the request has ended.
    pub(crate) fn compare_for_nodes(
        &self,
        environments: Diff<&Environment>,
        nodes: &[Subject],
        budget: Option<&Budget>,
    ) -> NodeJobs {
        let mut all = NodeJobs::default();
        if self.of_nodes.is_empty() {
            return all;
        }
        let readers = self.options.as_ref().map(JobReader::new);
        let most = (MOST_EVALUATIONS / self.of_nodes.len()).max(1);
        for path in &self.of_nodes {
            if nodes.len() > most {
                all.refuse(path, format!("it calls hiera: it is compared for {most} of {} nodes", nodes.len()));
            }
            let files = readers.as_ref().map(|reader| reader.file(&self.root, path));
            let files = match files {
                Diff { base: Ok(base), head: Ok(head) } => Diff { base, head },
                Diff { base: Err(error), .. } | Diff { head: Err(error), .. } => {
                    all.refuse(path, format!("it cannot be read: {error}"));
                    continue;
                }
            };
            let compare = |(at, node): (usize, &Subject)| {
                if budget.is_some_and(|budget| budget.ended().is_err()) {
                    return (at, Ok(Vec::new()));
                }
                (at, compare_for_node(&readers, path, files.as_ref().map(Option::as_ref), environments, node))
            };
            let compared: Vec<_> = nodes.par_iter().take(most).enumerate().map(compare).collect();
            for (at, compared) in compared {
                all.add(path, at, compared);
            }
        }
        all
    }
}

impl NodeJobs {
    /// Adds the comparisons of a job for a node.
    fn add(&mut self, path: &Path, node: usize, compared: Result<Vec<Comparison>, hieratic::Error>) {
        let comparisons = match compared {
            Ok(comparisons) => comparisons,
            Err(error) => return self.refuse(path, error.to_string()),
        };
        for comparison in comparisons {
            match comparison {
                Comparison::Same => {}
                Comparison::Changed(delta) => self.deltas.push((node, *delta)),
                Comparison::Lone(lone) => self.deltas.push((node, lone.delta)),
                Comparison::Invalid(message) => self.refuse(path, message),
            }
        }
    }

    fn refuse(&mut self, path: &Path, reason: String) {
        self.not_compared.insert((path.to_owned(), reason));
    }
}

/// Compares the runs of a job for a node.
fn compare_for_node(
    readers: &Diff<JobReader<'_>>,
    path: &Path,
    files: Diff<Option<&JobFile>>,
    environments: Diff<&Environment>,
    node: &Subject,
) -> Result<Vec<Comparison>, hieratic::Error> {
    let facts = Diff { base: &node.base, head: node.head_facts() };
    let data = environments
        .zip(facts)
        .zip(readers.as_ref())
        .map(|((environment, facts), reader)| HieraInHcl::new(environment, facts, &Budget::new(reader.limits())));
    let data = Diff { base: data.base?, head: data.head? };
    let Runs { by_name, unset } = runs(readers, path, files, data.as_ref().map(Some));
    let mut compared: Vec<Comparison> =
        by_name.into_iter().map(|(entry, jobs)| compare_runs(path, entry, jobs)).collect();
    if !unset.is_empty() {
        let names: Vec<String> = unset.iter().map(|name| format!("var.{name}")).collect();
        compared.push(Comparison::Invalid(format!("no value for {}", names.join(", "))));
    }
    Ok(compared)
}

/// Counts the job files below a folder.
pub fn count_jobs(options: &Options, root: &Path) -> usize {
    let reader = JobReader::new(options);
    let (files, _) = reader.candidates(root);
    // A file that cannot be read counts: it may be one.
    files.par_iter().filter(|path| !matches!(reader.file(root, path), Ok(None))).count()
}

/// The changes of the job in a file.
#[derive(Default)]
struct FileReport {
    deltas: Vec<JobDelta>,
    lone: Vec<LoneJob>,
    is_job: bool,
    is_of_nodes: bool,
    changed_files: BTreeSet<PathBuf>,
    not_compared: Vec<(PathBuf, String)>,
    unset: BTreeSet<String>,
}

/// Compares the job in a file.
fn compare_file(readers: &Diff<JobReader<'_>>, root: &Path, path: &Path, changed: &BTreeSet<PathBuf>) -> FileReport {
    let mut report = FileReport::default();
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
    report.is_job = true;
    report.changed_files.extend(changed.get(path).cloned());
    report.changed_files.extend(readers.head.variable_files(path).filter(|file| changed.contains(*file)).cloned());
    if files.into_iter().flatten().any(|file| file.asks_for_data) {
        // Any change of data may change it.
        report.is_of_nodes = true;
        return report;
    }
    if !readers.head.can_depend_on(path, file, |path| changed.contains(path)) {
        return report;
    }
    let Runs { by_name, unset } = runs(readers, path, files, Diff::default());
    report.unset = unset;
    for (entry, jobs) in by_name {
        match compare_runs(path, entry, jobs) {
            Comparison::Same => {}
            Comparison::Changed(delta) => report.deltas.push(*delta),
            Comparison::Lone(lone) => report.lone.push(*lone),
            Comparison::Invalid(message) => report.not_compared.push((path.to_owned(), message)),
        }
    }
    report
}

type JobResult = Result<Job, String>;

/// The runs of a job on both sides.
#[derive(Default)]
struct Runs {
    by_name: BTreeMap<String, Diff<Option<JobResult>>>,
    /// The variables that have no value in one of them.
    unset: BTreeSet<String>,
}

/// Evaluates a job on both sides.
fn runs(
    readers: &Diff<JobReader<'_>>,
    path: &Path,
    files: Diff<Option<&JobFile>>,
    data: Diff<Option<&HieraInHcl>>,
) -> Runs {
    let mut runs = Runs::default();
    for (side, ((reader, file), data)) in readers.as_ref().zip(files).zip(data).sides() {
        let Some(file) = file else { continue };
        for JobRun { name, job, unset } in reader.runs(path, file, data) {
            let job = job.map_err(|failure| message(&failure));
            runs.unset.extend(unset);
            *runs.by_name.entry(name).or_default().as_mut().side(side) = Some(job);
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
    /// One side alone has the job in this file.
    Lone(Box<LoneJob>),
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
    let identifiers = valid.map(|job| job.map(identifier));
    let delta = JobDelta { file: path.to_owned(), line, entry, jobs: identifiers, errors, fields, moved_from: None };
    match jobs {
        Diff { base: Some(Ok(job)), head: None } => {
            Comparison::Lone(Box::new(LoneJob { delta, side: Side::Base, job }))
        }
        Diff { base: None, head: Some(Ok(job)) } => {
            Comparison::Lone(Box::new(LoneJob { delta, side: Side::Head, job }))
        }
        _ => Comparison::Changed(Box::new(delta)),
    }
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
