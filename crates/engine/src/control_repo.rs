//! Finding the control repository around a folder.

use std::path::{Path, PathBuf};

/// A control repository that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// A folder that is one environment.
    Environment(PathBuf),
    /// A folder with one folder for each environment.
    Environments(PathBuf),
}

/// How far up to look.
const HIGHEST: usize = 40;

/// The innermost control repository that a folder is in.
pub(crate) fn around(folder: &Path) -> Option<Found> {
    for candidate in folder.ancestors().take(HIGHEST) {
        if is_environment(candidate) {
            return Some(Found::Environment(candidate.to_path_buf()));
        }
        let environments = candidate.join("environments");
        if has_environment(&environments) {
            return Some(Found::Environments(environments));
        }
        if candidate.file_name().is_some_and(|name| name == "environments") && has_environment(candidate) {
            return Some(Found::Environments(candidate.to_path_buf()));
        }
    }
    None
}

/// Whether a folder looks like an environment: it has a configuration of its own, and is no module.
fn is_environment(folder: &Path) -> bool {
    let has = |name: &str| folder.join(name).exists();
    has("environment.conf") || has("hiera.yaml") && !has("metadata.json") && !has("environments")
}

fn has_environment(environments: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(environments) else { return false };
    entries.filter_map(Result::ok).any(|entry| is_environment(&entry.path()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_innermost_repository_is_found() {
        let root = tempfile::tempdir().unwrap();
        let repo = root.path().join("control");
        fs::create_dir_all(repo.join("data/nodes")).unwrap();
        fs::create_dir_all(repo.join("modules/ntp/data")).unwrap();
        fs::write(repo.join("hiera.yaml"), "version: 5\n").unwrap();
        fs::write(repo.join("modules/ntp/hiera.yaml"), "version: 5\n").unwrap();
        fs::write(repo.join("modules/ntp/metadata.json"), "{}").unwrap();
        assert_eq!(around(&repo.join("data/nodes")), Some(Found::Environment(repo.clone())));
        assert_eq!(around(&repo.join("modules/ntp/data")), Some(Found::Environment(repo)));
    }

    #[test]
    fn a_folder_of_environments_is_found() {
        let root = tempfile::tempdir().unwrap();
        let environments = root.path().join("environments");
        fs::create_dir_all(environments.join("production")).unwrap();
        fs::write(environments.join("production/hiera.yaml"), "version: 5\n").unwrap();
        assert_eq!(around(root.path()), Some(Found::Environments(environments.clone())));
        assert_eq!(around(&environments), Some(Found::Environments(environments)));
    }
}
