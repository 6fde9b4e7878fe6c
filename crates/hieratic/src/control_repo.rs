//! Finds the control repository around a folder.

use std::path::{Path, PathBuf};

use hieratic_sandbox::{FileKind, Files, plain};

/// A control repository that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ControlRepo {
    /// A folder that is one environment.
    Environment(PathBuf),
    /// A folder with one folder for each environment.
    Environments(PathBuf),
}

/// The maximum number of ancestor folders to search.
const MAX_ANCESTORS: usize = 40;

/// The innermost control repository that a folder is in.
pub(crate) fn around(folder: &Path) -> Option<ControlRepo> {
    for candidate in folder.ancestors().take(MAX_ANCESTORS) {
        if is_environment(&Files::below([candidate]), candidate) {
            return Some(ControlRepo::Environment(candidate.to_path_buf()));
        }
        let environments = candidate.join("environments");
        // Links among environments may lead anywhere; those that lead out of the folder do not count.
        if has_environment(&Files::below([&environments]), &environments) {
            return Some(ControlRepo::Environments(environments));
        }
        let is_among = candidate.file_name().is_some_and(|name| name == "environments");
        if is_among && has_environment(&Files::below([candidate]), candidate) {
            return Some(ControlRepo::Environments(candidate.to_path_buf()));
        }
    }
    None
}

/// The control repository that a folder is by its own files, which need not be on disk.
pub(crate) fn at(folder: &Path, files: &Files) -> Option<ControlRepo> {
    let environments = folder.join("environments");
    match has_environment(files, &environments) {
        _ if is_environment(files, folder) => Some(ControlRepo::Environment(folder.to_path_buf())),
        true => Some(ControlRepo::Environments(environments)),
        false => None,
    }
}

/// Returns whether a folder looks like an environment: it has its own configuration, and is not a module.
fn is_environment(files: &Files, folder: &Path) -> bool {
    let has = |name: &str| files.is_named(&folder.join(name));
    // An empty folder `environments` must not hide the data around it.
    let has_environments = || {
        let entries = files.list(&folder.join("environments")).unwrap_or_default();
        entries.iter().any(|entry| entry.kind != FileKind::File)
    };
    has("environment.conf")
        || has("hiera.yaml") && !has("metadata.json") && !has_environments() && !is_module_of_another(folder)
}

/// Returns whether a folder is in the module path of an enclosing environment. Site modules often have no
/// `metadata.json`.
fn is_module_of_another(folder: &Path) -> bool {
    let Some(modules) = folder.parent() else { return false };
    let Some(name) = modules.file_name().and_then(|name| name.to_str()) else { return false };
    let Some(outer) = modules.parent() else { return false };
    let files = Files::below([outer]);
    match files.read_text(&outer.join("environment.conf")) {
        Ok(text) => match text.lines().find_map(|line| line.trim_start().strip_prefix("modulepath")) {
            Some(path) => path.split(['=', ':', ';']).any(|entry| entry.trim().trim_end_matches('/') == name),
            None => name == "modules",
        },
        // Without one, or if it cannot be read, which opening the environment reports: this only guesses the folder
        // that is meant.
        Err(_) => name == "modules" && files.is_named(&outer.join("hiera.yaml")),
    }
}

/// Returns the git repository that a folder is in. Home folders and the root of the file system do not count as
/// repositories.
pub fn repository_of(folder: &Path) -> Option<PathBuf> {
    let folder = plain(folder);
    let home = home_folder();
    let mut candidates = folder.ancestors().take(MAX_ANCESTORS);
    let found = candidates.find(|candidate| Files::anywhere().exists(&candidate.join(".git")))?;
    (found.parent().is_some() && Some(found) != home.as_deref()).then(|| found.to_owned())
}

/// The home folder of the person at the keyboard.
pub(crate) fn home_folder() -> Option<PathBuf> {
    std::env::home_dir().filter(|home| home.is_absolute())
}

fn has_environment(files: &Files, environments: &Path) -> bool {
    // An unreadable folder is not a sign of a repository: this only guesses the folder that is meant.
    let entries = files.list(environments).unwrap_or_default();
    entries.iter().any(|entry| is_environment(files, &environments.join(&entry.name)))
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
        assert_eq!(around(&repo.join("data/nodes")), Some(ControlRepo::Environment(repo.clone())));
        assert_eq!(around(&repo.join("modules/ntp/data")), Some(ControlRepo::Environment(repo)));
    }

    #[test]
    fn an_empty_folder_of_environments_is_none() {
        let root = tempfile::tempdir().unwrap();
        let repo = root.path().join("control");
        fs::create_dir_all(repo.join("environments")).unwrap();
        fs::write(repo.join("hiera.yaml"), "version: 5\n").unwrap();
        fs::write(repo.join("environments/.gitkeep"), "").unwrap();
        assert_eq!(around(&repo), Some(ControlRepo::Environment(repo.clone())));
        fs::create_dir(repo.join("environments/production")).unwrap();
        assert_eq!(around(&repo), None);
    }

    #[test]
    fn modules_of_a_site_are_no_environments() {
        let root = tempfile::tempdir().unwrap();
        let repo = root.path().join("control");
        for folder in ["modules/ntp", "site/role", "other/thing"] {
            fs::create_dir_all(repo.join(folder)).unwrap();
            fs::write(repo.join(folder).join("hiera.yaml"), "version: 5\n").unwrap();
        }
        fs::write(repo.join("hiera.yaml"), "version: 5\n").unwrap();
        let found = |folder: &str| around(&repo.join(folder));
        let (outer, itself) =
            (Some(ControlRepo::Environment(repo.clone())), |folder| Some(ControlRepo::Environment(repo.join(folder))));
        assert_eq!(found("modules/ntp"), outer);
        assert_eq!(found("site/role"), itself("site/role"));
        fs::write(repo.join("environment.conf"), "modulepath = site:modules:$basemodulepath\n").unwrap();
        assert_eq!([found("site/role"), found("modules/ntp")], [outer.clone(), outer]);
        assert_eq!(found("other/thing"), itself("other/thing"));
    }

    #[test]
    fn a_folder_of_environments_is_found() {
        let root = tempfile::tempdir().unwrap();
        let environments = root.path().join("environments");
        fs::create_dir_all(environments.join("production")).unwrap();
        fs::write(environments.join("production/hiera.yaml"), "version: 5\n").unwrap();
        assert_eq!(around(root.path()), Some(ControlRepo::Environments(environments.clone())));
        assert_eq!(around(&environments), Some(ControlRepo::Environments(environments)));
    }
}
