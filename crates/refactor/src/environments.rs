//! The target environments of a change, and the environments that read the changed files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hieratic::layers::repository_of;
use hieratic::value::ErasedSort as _;
use hieratic::{Environment, Facts, Settings};
use hieratic_impact::environments_of_data;
use hieratic_lint::{Contents, contents_about};

use crate::plan::PlanError;

/// Returns the settings of all environments of a repository. The target is first: the environment in the settings, or
/// `production`. A folder that is itself an environment can be deployed under any name, so its environments include
/// those with data under their names.
pub fn environments(settings: &Settings) -> Vec<Settings> {
    let own = settings.environment_name().to_owned();
    let with_name = |name: String| Settings { environment: Some(name), ..settings.clone() };
    if settings.environmentpath.is_none() {
        // The next attempt to open it reports the error.
        let opened = Environment::open(settings).ok();
        let names = opened.map(|environment| environments_of_data(&environment)).unwrap_or_default();
        let others: Vec<Settings> = names.into_keys().filter(|name| *name != own).map(with_name).collect();
        return std::iter::once(settings.clone()).chain(others).collect();
    }
    // A link to an environment is found as its target, and does not count again.
    let mut names = Settings { environment_dir: None, ..settings.clone() }.environments();
    match names.iter().position(|name| *name == own) {
        Some(at) => names[..=at].rotate_right(1),
        // Opening it reports that it does not exist.
        None if settings.environment.is_some() => names.insert(0, own),
        None => {}
    }
    if names.is_empty() {
        return vec![settings.clone()];
    }
    let of_name = |(index, name): (usize, String)| match index {
        0 => with_name(name),
        _ => Settings { environment_dir: None, ..with_name(name) },
    };
    names.into_iter().enumerate().map(of_name).collect()
}

/// The folder in which files may be changed: the environment or, if there are several, the repository that they share.
pub(crate) fn shared_root(environments: &[Settings], root: &Path) -> PathBuf {
    let are_folders = environments.first().is_some_and(|own| own.environmentpath.is_some());
    if environments.len() < 2 || !are_folders {
        return root.to_owned();
    }
    let outer = || Some(root.parent()?.parent()?.to_owned());
    repository_of(root).or_else(outer).unwrap_or_else(|| root.to_owned())
}

/// An environment that cannot be read, as the reason why nothing is planned: it may need what would change.
fn unread(settings: &Settings, message: &str) -> PlanError {
    let name = settings.environment_name();
    PlanError::new(
        format!("the environment {name} cannot be read: {message}"),
        "fix it first: it may read the same data",
    )
}

/// The contents of the environments that a change of keys concerns: all environments if none is named, otherwise the
/// named one and those that share a file with it that has one of the keys. Returns the names of the latter, too.
///
/// # Errors
/// An environment cannot be read.
pub(crate) fn contents_across(
    settings: &Settings,
    all: &[Settings],
    keys: &[&str],
) -> Result<(Contents, Vec<String>), PlanError> {
    let is_named = settings.environment.is_some();
    let mut merged: Option<Contents> = None;
    let mut sharing = Vec::new();
    for environment in all {
        let own = contents_about(environment, keys);
        let Some(known) = &mut merged else {
            merged = Some(own.map_err(|message| PlanError::new(message, "run it in a control repository"))?);
            continue;
        };
        let other = own.map_err(|message| unread(environment, &message))?;
        if is_named {
            if !share(known, &other, keys) {
                continue;
            }
            sharing.extend(environment.environment.clone());
        }
        merge(known, other);
    }
    merged.map(|contents| (contents, sharing)).ok_or_else(|| PlanError::new("there is no environment", "name one"))
}

/// Returns whether two environments read the same file that has one of the keys, or run the same code.
fn share(one: &Contents, other: &Contents, keys: &[&str]) -> bool {
    let has =
        |file: &&hieratic_lint::Data| file.keys.iter().chain(&file.options).any(|key| keys.contains(&key.as_str()));
    let files: BTreeSet<&Path> = one.data.iter().filter(has).map(|file| file.path.as_path()).collect();
    let code: BTreeSet<&Path> = one.code.iter().map(|(path, _)| path.as_path()).collect();
    other.data.iter().any(|file| files.contains(file.path.as_path()))
        || other.code.iter().any(|(path, _)| code.contains(path.as_path()))
}

fn merge(all: &mut Contents, other: Contents) {
    let known: BTreeSet<PathBuf> = all.data.iter().map(|file| file.path.clone()).collect();
    all.data.extend(other.data.into_iter().filter(|file| !known.contains(&file.path)));
    all.code.extend(other.code);
    all.code.sort_erased();
    all.code.dedup();
    all.unread.extend(other.unread);
    all.unread.sort_erased();
    all.unread.dedup();
    all.has_hidden_keys |= other.has_hidden_keys;
}

/// Counts the data files of the target environments, without those of modules. Returns the number of files that one of
/// the nodes reads, and the number of all files.
///
/// # Errors
/// An environment cannot be read.
pub fn files_read(settings: &Settings, nodes: &[Facts]) -> Result<[usize; 2], PlanError> {
    let (mut all, mut read) = (BTreeSet::new(), BTreeSet::new());
    let environments = environments(settings);
    let targets = if settings.environment.is_some() { &environments[..1] } else { &environments };
    for settings in targets {
        // The paths alone say which files there are.
        let contents = contents_about(settings, &[]).map_err(|message| unread(settings, &message))?;
        all.extend(contents.data.into_iter().filter(|file| file.module.is_none()).map(|file| file.path));
        let environment = Environment::open(settings).map_err(|error| unread(settings, &error.to_string()))?;
        for facts in nodes {
            // A node that cannot be looked up reads nothing that is known.
            if let Ok(node) = environment.node(facts)
                && let Ok(sources) = node.sources()
            {
                read.extend(sources);
            }
        }
    }
    let count = all.iter().filter(|path| read.contains(*path)).count();
    Ok([count, all.len()])
}
