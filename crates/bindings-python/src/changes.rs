//! `Environment.diff`: the changes of the answers of nodes, with their causes.

use std::collections::HashSet;
use std::path::Path;

use hieratic::budget::Budget;
use hieratic::lookup::Origin;
use hieratic::value::Str;
use hieratic::{Facts, Hash, Limits, Permissions, Redactor, Settings, Value};
use hieratic_fleet::{FileNodes, nodes_of};
use hieratic_git::{Remedy, Repository};
use hieratic_impact::{Cause, Diff, LevelAt, Part, Subject};
use hieratic_lint::{JobValues, nodes_of_any_data};
use hieratic_report::{Change, ChangeGroup, Head, Nodes, Options, Report, Sides, compare, compare_jobs, job_options};
use pyo3::prelude::*;

use crate::environment::SharedEnvironment;
use crate::error::PythonError;
use crate::facts::NodesArgument;
use crate::values::to_python;
use crate::work::Work;

/// The limits of the command: the number of changes that are analyzed, and of variants that are listed for one of them.
const MAX_DETAILS: usize = 20_000;
const MAX_VARIANTS: usize = 10;

/// An error of git's, with what the arguments of this library could do.
pub(crate) fn git_error(error: hieratic_git::Error) -> PythonError {
    let help = match error.remedy() {
        Some(Remedy::FilesOutside) => {
            "open the environment with allow_outside=True, if the repository is trusted".to_owned()
        }
        Some(Remedy::OtherFolder) => "open an environment that is in a repository of git".to_owned(),
        None => error.help,
    };
    PythonError::plain(error.message, help)
}

/// Compares two revisions, or a revision with the working tree.
pub(crate) fn diff(
    py: Python<'_>,
    environment: SharedEnvironment,
    base: String,
    head: Option<String>,
    nodes: Option<NodesArgument>,
    keys: Vec<String>,
    work: Work,
) -> PyResult<Py<PyAny>> {
    if let Some(nodes) = &nodes {
        nodes.require(&environment.permissions())?;
    }
    let report = work.run(py, move |budget| {
        compare_revisions(&environment, &base, head.as_deref(), nodes, &keys, work.limits, budget)
    })?;
    to_python(py, &report)
}

fn compare_revisions(
    environment: &SharedEnvironment,
    base: &str,
    head: Option<&str>,
    nodes: Option<NodesArgument>,
    keys: &[String],
    limits: Limits,
    budget: &Budget,
) -> Result<Value, PythonError> {
    // The time is that of the whole comparison, which its budget measures.
    let limits = Limits { time: None, ..limits };
    let settings = Settings {
        once: true,
        // The revision may come from an untrusted author, and others may read the report.
        permissions: Permissions { confined: true, ..environment.settings.permissions },
        ..environment.settings.clone()
    };
    let outside = settings.permissions.outside;
    let repository = Repository::open_within(&environment.root, outside, budget).map_err(git_error)?;
    let head = head.map_or(Head::WorkingTree, Head::Revision);
    let sides = Sides::from_revisions(settings, &repository, base, head, false).map_err(git_error)?;
    let open = sides.open(limits).map_err(|problem| environment.fault(&problem.error))?;
    let are_synthetic = nodes.is_none();
    let Diff { base, head } = sides.both_settings(limits);
    let subjects = facts(nodes, &[&base, &head], environment)?.into_iter().map(Subject::new).collect();
    let redactor = environment.redactor(false);
    redactor.add(open.environments.head.secrets());
    redactor.add(open.environments.base.secrets());
    // Some keys of some nodes say nothing about jobs.
    let jobs = keys
        .is_empty()
        .then(|| compare_jobs(job_options(&sides, JobValues::default(), limits), sides.root(), &sides.changed()));
    let options = Options {
        selects_key: &|key: &str| hieratic::lookup::matches_patterns(key, keys),
        limits,
        most_details: MAX_DETAILS,
        most_variants: MAX_VARIANTS,
        conceal: false,
        parent_budget: Some(budget),
        progress: &(),
        findings: None,
        jobs: jobs.as_ref(),
        catalogs: None,
    };
    let report = compare(&open, &Nodes { subjects, are_synthetic }, &options, &redactor);
    let mut report = report.map_err(|error| environment.fault(&error))?;
    if let Some(jobs) = &jobs {
        report.add_jobs(jobs, &sides, &redactor);
    }
    to_data(&report).map_err(|problem| PythonError::plain(problem.to_string(), ""))
}

/// The nodes that are given, or those that the data describes.
fn facts(
    nodes: Option<NodesArgument>,
    settings: &[&Settings],
    environment: &SharedEnvironment,
) -> Result<Vec<Facts>, PythonError> {
    match nodes {
        Some(NodesArgument::Known(nodes)) => unique(nodes),
        Some(NodesArgument::Paths(paths)) => {
            let version = environment.inner.puppet_version();
            nodes_of(&paths, &[], version, &environment.permissions())
                .and_then(FileNodes::unique)
                .map_err(|error| PythonError::from_error(&error, &Redactor::default()))
        }
        None => Ok(nodes_of_any_data(settings)),
    }
}

/// The nodes, if none of them is there twice.
fn unique(nodes: Vec<Facts>) -> Result<Vec<Facts>, PythonError> {
    let mut names = HashSet::new();
    match nodes.iter().filter_map(Facts::node).find(|name| !names.insert(*name)) {
        Some(name) => {
            let help = "omit one of the two: it is ambiguous whose facts apply";
            Err(PythonError::plain(format!("the node {name} is there twice"), help))
        }
        None => Ok(nodes),
    }
}

fn hash(pairs: Vec<(&str, Value)>) -> Value {
    pairs.into_iter().collect::<Hash>().into()
}

fn names(names: &[Str]) -> Value {
    names.iter().cloned().map(Value::String).collect()
}

/// The report as Python has it: places are pairs of `file` and `line`, and causes have parts.
fn to_data(report: &Report) -> Result<Value, hieratic::value::Mismatch> {
    let mut all = vec![("nodes", report.summary.nodes.into()), ("asked", report.summary.classes.into())];
    // Optional kinds of changes are not compared here.
    for kind in Change::KINDS.into_iter().filter(|kind| !kind.is_optional || kind.list == "jobs") {
        let groups = report.groups_of(kind);
        let list = if kind.is_grouped {
            groups.map(group).collect::<Result<Value, _>>()?
        } else {
            let single = groups.flat_map(|group| group.changes.iter().map(move |change| single(group, change)));
            single.collect::<Result<Value, _>>()?
        };
        all.push((kind.list, list));
    }
    all.push(("not_compared", report.notes.iter().map(|note| Value::from(note.as_str())).collect()));
    Ok(hash(all))
}

fn group(group: &ChangeGroup) -> Result<Value, hieratic::value::Mismatch> {
    let changes = group.changes.iter().map(change).collect::<Result<Value, _>>()?;
    Ok(hash(vec![("nodes", names(group.names())), ("changes", changes)]))
}

/// A change that is not in a group with others.
fn single(group: &ChangeGroup, change: &Change) -> Result<Value, hieratic::value::Mismatch> {
    Ok(match change {
        Change::Failure(failure) => {
            let reasons = failure.reasons.as_ref();
            let Diff { base, head } = reasons.map(|reason| reason.as_deref().map_or(Value::Undef, Value::from));
            hash(vec![("nodes", names(group.names())), ("base", base), ("head", head)])
        }
        change => Value::from_data(change)?,
    })
}

fn change(change: &Change) -> Result<Value, hieratic::value::Mismatch> {
    Ok(match change {
        Change::Key(key) => hash(vec![
            ("key", key.key.as_str().into()),
            ("parts", key.parts.iter().map(part).collect()),
            ("causes", key.causes.iter().map(cause).collect()),
            ("varies", key.as_on.is_some().into()),
        ]),
        change => Value::from_data(change)?,
    })
}

fn part(part: &Part) -> Value {
    let mut pairs = vec![("path", Value::from(part.path.clone()))];
    for (side, found) in part.values.as_ref().sides() {
        let Some(found) = found else { continue };
        let mut of_side = vec![(if found.is_error { "error" } else { "value" }, found.value.clone())];
        match &found.origin {
            Some(Origin::File { file, line, .. }) => {
                of_side.extend([("file", shown(file)), ("line", i64::from(*line).into())]);
            }
            Some(Origin::Named(name)) => of_side.push(("source", Value::String(name.clone()))),
            None => {}
        }
        if found.is_redacted {
            of_side.push(("redacted", true.into()));
        }
        pairs.push((side.name(), hash(of_side)));
    }
    hash(pairs)
}

fn cause(cause: &Cause) -> Value {
    let names = |levels: &[LevelAt]| levels.iter().map(|level| Value::String(level.name.clone())).collect::<Value>();
    match cause {
        Cause::Line { file, line, side } => hash(vec![
            ("cause", "line".into()),
            ("file", shown(file)),
            ("line", i64::from(*line).into()),
            ("side", side.name().into()),
        ]),
        Cause::Rule { base, head, place } => {
            let mut pairs =
                vec![("cause", Value::from("rule")), ("base", base.as_str().into()), ("head", head.as_str().into())];
            if let Some((file, line)) = place {
                pairs.extend([("file", shown(file)), ("line", i64::from(*line).into())]);
            }
            hash(pairs)
        }
        Cause::Hierarchy { file, removed, added, other, reordered } => hash(vec![
            ("cause", "hierarchy".into()),
            ("file", shown(file)),
            ("removed", names(removed)),
            ("added", names(added)),
            ("changed", names(other)),
            ("reordered", (*reordered).into()),
        ]),
        Cause::File { file } => hash(vec![("cause", "file".into()), ("file", shown(file))]),
        Cause::Facts => hash(vec![("cause", "facts".into())]),
    }
}

fn shown(file: &Path) -> Value {
    file.display().to_string().into()
}
