//! The [`Capabilities`] of an environment, derived from the user's permissions.

use std::path::{Path, PathBuf};

use hieratic_sandbox::{Capabilities, Files, Outside, Programs, plain};

use crate::control_repo;
use crate::search_path::SearchPath;
use crate::settings::{ResolvedSettings, Settings};

/// Returns the capabilities of an environment with known folder and modules.
pub(crate) fn capabilities_of(settings: &Settings, resolved: &ResolvedSettings, root: &Path) -> Capabilities {
    let permissions = settings.permissions;
    let mut trees = vec![control_repo::repository_of(root).unwrap_or_else(|| enclosing_folder(root))];
    if settings.environment_dir.is_some() || names_environment(settings, root) {
        trees.push(root.to_owned());
    }
    let given = settings.modulepath.iter().chain([&resolved.basemodulepath]);
    trees.extend(given.flat_map(SearchPath::folders).map(Path::to_owned));
    trees.extend(settings.readable.iter().cloned());
    trees.extend(settings.datadirs.iter().map(|folder| folder.here.clone()));
    // A manifest that the person names is read, wherever it is.
    trees.extend(settings.manifest.as_deref().map(plain));
    let inside = settings.mounted(Files::below(trees).with_refused(&settings.refused));
    let inside = if settings.once { inside.at_one_moment() } else { inside };
    let (data, code) = match (permissions.outside, permissions.confined) {
        (true, _) => (inside.with_outside(Outside::Always), inside.with_outside(Outside::Always)),
        (false, false) => (inside.with_outside(Outside::Named), inside),
        (false, true) => (inside.clone(), inside),
    };
    Capabilities {
        machine: settings.anywhere(),
        data,
        code,
        programs: match (permissions.programs, permissions.confined) {
            (true, _) => Programs::Always,
            (false, true) => Programs::Never,
            (false, false) => Programs::OfMachine,
        },
        network: permissions.network,
        variables: permissions.variables(),
        limits: settings.limits,
    }
}

/// Returns whether the user or the machine named the folder of environments, so that an environment in it may be a
/// link: some deployments replace a link. A folder that was discovered from the current one may be untrusted.
fn names_environment(settings: &Settings, root: &Path) -> bool {
    let is_sound = || {
        settings.anywhere().real(root).is_ok_and(|real| !root.parent().is_some_and(|parent| parent.starts_with(&real)))
    };
    !settings.permissions.confined && !settings.was_found && is_sound()
}

/// Returns the tree of an environment outside any git repository: the parent of the folder of environments.
fn enclosing_folder(root: &Path) -> PathBuf {
    match root.parent() {
        Some(parent) if parent.ends_with("environments") => parent.parent().unwrap_or(parent).to_owned(),
        _ => root.to_owned(),
    }
}
