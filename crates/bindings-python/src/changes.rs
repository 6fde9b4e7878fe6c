//! `Environment.diff`: the changes of the answers of nodes, with their reasons.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::budget::Budget;
use hieratic::sandbox::{Disk, Mounted, Patched, Tree};
use hieratic::{Facts, Hash, Limits, Origin, Permissions, Redactor, Settings, Value};
use hieratic_fleet::nodes_of;
use hieratic_git::Repository;
use hieratic_impact::{Cause, LevelAt, Options, Part, Report, Subject, compare};
use hieratic_lint::{nodes_of_any_data, shown_node};
use pyo3::prelude::*;

use crate::environment::Environment;
use crate::error::PythonError;
use crate::facts::NodesArgument;
use crate::values::to_python;

/// The limits of the command: the number of changes that are analyzed, and of variants that are listed for one of them.
const MAX_DETAILS: usize = 20_000;
const MAX_VARIANTS: usize = 10;

/// Compares two revisions, or a revision with the working tree.
pub(crate) fn diff(
    py: Python<'_>,
    environment: &Environment,
    base: &str,
    head: Option<&str>,
    nodes: Option<NodesArgument>,
    keys: &[String],
) -> PyResult<Py<PyAny>> {
    let report = py.detach(|| compare_revisions(environment, base, head, nodes, keys))?;
    to_python(py, &report)
}

fn compare_revisions(
    environment: &Environment,
    base: &str,
    head: Option<&str>,
    nodes: Option<NodesArgument>,
    keys: &[String],
) -> Result<Value, PythonError> {
    let failed = |error: hieratic_git::Error| PythonError::plain(error.message, error.help);
    let root = &environment.root;
    let settings = &environment.settings;
    let budget = Budget::new(settings.limits);
    let repository = Repository::open_within(root, settings.permissions.outside, &budget).map_err(failed)?;
    let root = repository.root().to_owned();
    let base_commit = repository.commit(base).map_err(failed)?;
    let head_commit = head.map(|head| repository.commit(head)).transpose().map_err(failed)?;
    let changed = match head_commit {
        Some(head) => repository.changed(base_commit, head),
        None => repository.changed_in_worktree(base_commit),
    };
    let old: Arc<dyn Tree> = Arc::new(repository.tree(base_commit).map_err(failed)?);
    let head_tree: Option<Arc<dyn Tree>> = match head_commit {
        Some(head) => Some(Arc::new(repository.tree(head).map_err(failed)?)),
        None => None,
    };
    let under = head_tree.clone().unwrap_or_else(|| Arc::new(Disk::new(&root)));
    let changed = changed.map_err(failed)?.without_pointers(&*old, &*under);
    let base_tree: Arc<dyn Tree> = Arc::new(Patched::new(under, old, changed.paths.iter().cloned()));
    let settings = |tree: Option<Arc<dyn Tree>>| Settings {
        tree: tree.map(|tree| Mounted::shared(&root, tree)),
        once: true,
        // The revision may come from an untrusted author, and others may read the report.
        permissions: Permissions { confined: true, ..environment.settings.permissions },
        ..environment.settings.clone()
    };
    let (head_settings, base_settings) = (settings(head_tree), settings(Some(base_tree)));
    let fault = |error: hieratic::Error| environment.fault(&error);
    let head = hieratic::Environment::open(&head_settings).map_err(fault)?;
    let base = hieratic::Environment::open_beside(&base_settings, &head).map_err(fault)?;
    let subjects: Vec<Subject> = facts(nodes, &[&base_settings, &head_settings], environment)?
        .into_iter()
        .map(|facts| Subject { name: facts.node().unwrap_or_default().to_owned(), base: facts, head: None })
        .collect();
    let paths: BTreeSet<PathBuf> = changed.paths.iter().map(|path| root.join(path)).collect();
    let mask = environment.mask(false);
    mask.add(head.secrets());
    mask.add(base.secrets());
    let options = Options {
        changed: &paths,
        wanted: &|key: &str| hieratic::is_wanted(key, keys),
        extra: &[],
        limits: Limits::default(),
        most_details: MAX_DETAILS,
        most_variants: MAX_VARIANTS,
        conceal: false,
        parent_budget: None,
    };
    let report = compare([&base, &head], &subjects, &options, &mask);
    Ok(to_python_report(&report, &subjects, &root, &mask))
}

/// The nodes that are given, or those that the data describes.
fn facts(
    nodes: Option<NodesArgument>,
    settings: &[&Settings],
    environment: &Environment,
) -> Result<Vec<Facts>, PythonError> {
    match nodes {
        Some(NodesArgument::Known(nodes)) => Ok(nodes),
        Some(NodesArgument::Paths(paths)) => {
            let version = environment.inner.puppet_version();
            nodes_of(&paths, &[], version, &environment.permissions())
                .map_err(|error| PythonError::from_error(&error, &Redactor::default()))
        }
        None => Ok(nodes_of_any_data(settings)),
    }
}

fn hash(pairs: Vec<(&str, Value)>) -> Value {
    pairs.into_iter().collect::<Hash>().into()
}

fn count(number: usize) -> Value {
    Value::Integer(i64::try_from(number).unwrap_or(i64::MAX))
}

fn to_python_report(report: &Report, subjects: &[Subject], root: &Path, mask: &hieratic::Redactor) -> Value {
    let shown = |file: &Path| Value::from(file.strip_prefix(root).unwrap_or(file).display().to_string());
    let name = |node: &usize| {
        let subject = &subjects[*node];
        Value::from(mask.name(&shown_node(subject.head.as_ref().unwrap_or(&subject.base))).into_owned())
    };
    let names = |nodes: &[usize]| -> Value { nodes.iter().map(name).collect() };
    let origin = |origin: &Option<Origin>| match origin {
        Some(Origin::File { file, line, .. }) => vec![("file", shown(file)), ("line", i64::from(*line).into())],
        Some(Origin::Named(name)) => vec![("source", Value::String(name.clone()))],
        None => Vec::new(),
    };
    let part = |part: &Part| {
        let mut pairs = vec![("path", Value::from(part.path.clone()))];
        for (side, found) in ["base", "head"].into_iter().zip(&part.sides) {
            if let Some(found) = found {
                let mut side_pairs = vec![(if found.is_error { "error" } else { "value" }, found.value.clone())];
                side_pairs.extend(origin(&found.origin));
                if found.is_redacted {
                    side_pairs.push(("redacted", true.into()));
                }
                pairs.push((side, hash(side_pairs)));
            }
        }
        hash(pairs)
    };
    let cause = |cause: &Cause| {
        let names =
            |levels: &[LevelAt]| levels.iter().map(|level| Value::String(level.name.clone())).collect::<Value>();
        match cause {
            Cause::Line { file, line, is_head } => hash(vec![
                ("cause", "line".into()),
                ("file", shown(file)),
                ("line", i64::from(*line).into()),
                ("side", if *is_head { "head" } else { "base" }.into()),
            ]),
            Cause::Rule { base, head, place } => {
                let mut pairs = vec![
                    ("cause", Value::from("rule")),
                    ("base", base.as_str().into()),
                    ("head", head.as_str().into()),
                ];
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
    };
    let groups = report.groups.iter().map(|group| {
        let changes = group.changes.iter().map(|change| {
            hash(vec![
                ("key", Value::String(change.key.clone())),
                ("parts", change.parts.iter().map(part).collect()),
                ("causes", change.causes.iter().map(cause).collect()),
                ("varies", change.varies.into()),
            ])
        });
        hash(vec![("nodes", names(&group.nodes)), ("changes", changes.collect())])
    });
    let reason = |reason: &Option<String>| match reason {
        Some(reason) => mask.message(reason).into_owned().into(),
        None => Value::Undef,
    };
    let broken = report.broken.iter().map(|broken| {
        let [base, head] = &broken.reasons;
        hash(vec![("nodes", names(&broken.nodes)), ("base", reason(base)), ("head", reason(head))])
    });
    hash(vec![
        ("nodes", count(report.nodes)),
        ("asked", count(report.classes)),
        ("groups", groups.collect()),
        ("broken", broken.collect()),
    ])
}
