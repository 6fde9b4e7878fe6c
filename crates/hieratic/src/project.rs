//! The Unfurl project of a document, and the locations of its repositories.
//!
//! A project is a folder with a file `unfurl.yaml`. Repositories that documents include are searched in it, or next to
//! it if that is permitted. Nothing is cloned (<https://docs.unfurl.run/projects.html>).

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use hieratic_budget::Budget;
use hieratic_diagnostics::nearest;
use hieratic_directives::{Document, Options, ReadFault, expand};
use hieratic_git::Repository;
use hieratic_sandbox::{Files, Mounted, plain};
use hieratic_value::{Hash, Value};

use crate::control_repo;
use crate::documents::IncludedFiles;
use crate::permissions::Permissions;
use hieratic_sandbox::SlashPath as _;

/// The file that makes a folder a project.
const PROJECT_FILE: &str = "unfurl.yaml";

/// The limit of projects in each other: an ensemble with its own repository is a project within one.
const MOST_PROJECTS: usize = 2;

/// The limit of folders above that are looked at.
const HIGHEST: usize = 40;

/// The limit of folders of a project that are searched for repositories.
const MOST_FOLDERS: usize = 200;

/// The folder in which Unfurl links the repositories of a project.
const LINKS: &str = "tosca_repositories";

/// The projects around a document.
#[derive(Clone, Debug)]
pub(crate) struct Project {
    /// The folder of the document.
    folder: PathBuf,
    /// The folders of the projects, the nearest first.
    roots: Vec<PathBuf>,
    permissions: Permissions,
    /// The tree that replaces a folder.
    tree: Option<Mounted>,
    budget: Budget,
    /// The git repositories with their first commits, computed on first use: documents may refer to them any number of
    /// times.
    first_commits: OnceLock<Vec<(PathBuf, FirstCommit)>>,
    /// The git repositories with the addresses of their remotes, also computed on first use.
    remotes: OnceLock<Vec<(PathBuf, RemoteAddresses)>>,
    /// The files of the projects, expanded, with their folders.
    environments: OnceLock<Result<Vec<(Value, PathBuf)>, ReadFault>>,
}

/// The addresses of the remotes of a repository, or the error of reading it.
type RemoteAddresses = Result<Vec<String>, String>;

/// The first commit of a history, `None` if it is shallow, or the error of reading it.
type FirstCommit = Result<Option<String>, String>;

impl Project {
    /// The project around the folder of a document. One outside of a project has its own folder.
    pub(crate) fn around(folder: &Path, permissions: Permissions, tree: Option<&Mounted>, budget: &Budget) -> Project {
        let folder = plain(folder);
        // The root of a disk is not a project.
        let above = folder.ancestors().take(HIGHEST).filter(|above| above.parent().is_some());
        let is_project = |above: &&Path| {
            let files = Mounted::over(tree, Files::below([above]));
            // An unreadable file does not make a project, so that nothing more may be read because of it.
            files.read_text(&above.join(PROJECT_FILE)).is_ok_and(|text| text.contains("unfurl/"))
        };
        let roots = above.filter(is_project).take(MOST_PROJECTS).map(Path::to_owned).collect();
        Project {
            folder,
            roots,
            permissions,
            tree: tree.cloned(),
            budget: budget.clone(),
            first_commits: OnceLock::new(),
            remotes: OnceLock::new(),
            environments: OnceLock::new(),
        }
    }

    /// The folders whose files a document may include.
    pub(crate) fn folders(&self) -> impl Iterator<Item = &Path> {
        self.roots.iter().map(PathBuf::as_path).chain([self.folder.as_path()])
    }

    /// The folder of a repository that a file in `including` names, by its address if the documents declare one.
    pub(crate) fn repository(&self, name: &str, address: Option<&str>, including: &Path) -> Result<PathBuf, ReadFault> {
        if let Some(address) = address {
            return self.resolve_address(name, address, including);
        }
        match name {
            "self" => return Ok(self.folder.clone()),
            // As the reference: the project, or the document's own folder outside of one.
            "spec" | "project" => return Ok(self.roots.first().unwrap_or(&self.folder).clone()),
            "unfurl" if !self.declares(name)? => {
                return Err(fault(
                    "the repository 'unfurl' is the folder in which Unfurl is installed, which is not read".to_owned(),
                    "declare a repository `unfurl` with its folder as `url: file:FOLDER`, and pass --allow-outside",
                ));
            }
            _ => {}
        }
        match self.environment_repository(name)? {
            Some((address, root)) => self.resolve_address(name, &address, &root),
            None => Err(self.unknown_repository(name)?),
        }
    }

    /// The error about a name that no repository has.
    fn unknown_repository(&self, name: &str) -> Result<ReadFault, ReadFault> {
        let declared = self.environments()?.iter().flat_map(|(project, _)| declared_repositories(project));
        let known: Vec<&str> = declared.chain(["self", "spec"]).collect();
        let help = match nearest(name, known) {
            Some(near) => format!("did you mean '{near}'?"),
            None => "declare it under `repositories` of `spec.service_template` or of an environment in unfurl.yaml"
                .to_owned(),
        };
        Ok(ReadFault { message: format!("no repository has the name '{name}'"), help: Some(help), absent: true })
    }

    /// Returns whether the environment of a project declares a repository.
    pub(crate) fn declares(&self, name: &str) -> Result<bool, ReadFault> {
        Ok(self.environment_repository(name)?.is_some())
    }

    /// Returns the address of a repository in the environment of a project, with the folder of that project.
    fn environment_repository(&self, name: &str) -> Result<Option<(String, PathBuf)>, ReadFault> {
        let found = self
            .environments()?
            .iter()
            .find_map(|(project, root)| environment_address(project, name).map(|address| (address, root.clone())));
        Ok(found)
    }

    /// The files of the projects, expanded, with their folders.
    fn environments(&self) -> Result<&[(Value, PathBuf)], ReadFault> {
        let read = || self.roots.iter().map(|root| self.expanded(root)).collect();
        self.environments.get_or_init(read).as_deref().map_err(Clone::clone)
    }

    /// The file of a project, expanded.
    fn expanded(&self, root: &Path) -> Result<(Value, PathBuf), ReadFault> {
        let path = root.join(PROJECT_FILE);
        let refused = |message: String| fault(message, "fix the file of the project");
        let files = Mounted::over(self.tree.as_ref(), Files::below([root]));
        let text = files.read_text(&path).map_err(|error| refused(format!("{}: {error}", path.display())))?;
        let document = Document::parse(&text, &path.to_slashes(), root);
        let options =
            Options { environment: self.permissions.variables(), budget: self.budget.clone(), ..Options::default() };
        let expanded = document.and_then(|document| {
            // Only its own folder: the file of a project needs no repositories.
            let mut files = IncludedFiles::of_folder(root, self.permissions, self.tree.as_ref());
            expand(&document, &mut files, &options)
        });
        let expanded = expanded.map_err(|failure| refused(failure.message().to_owned()))?;
        Ok((expanded.to_value(), root.to_owned()))
    }

    /// The folder that an address means.
    fn resolve_address(&self, name: &str, address: &str, including: &Path) -> Result<PathBuf, ReadFault> {
        let address = address.trim();
        let (address, fragment) = address.split_once('#').unwrap_or((address, ""));
        // `#REVISION:FOLDER`; the revision is always that of the working tree.
        let below = fragment.split_once(':').map_or("", |(_, folder)| folder).trim_start_matches('/');
        let folder = if let Some(local) = address.strip_prefix("git-local://") {
            let (commit, path) = local.split_once(':').unwrap_or((local, ""));
            self.repository_by_first_commit(name, commit)?.join(path.trim_start_matches('/'))
        } else if let Some(path) = path_of(address) {
            including.join(path)
        } else {
            self.clone_of(name, address)?
        };
        let folder = plain(&folder.join(below));
        if self.permissions.outside || self.folders().any(|root| folder.starts_with(root)) {
            return Ok(folder);
        }
        Err(fault(
            format!("the repository '{name}' is '{}', outside of the project", folder.display()),
            "pass --allow-outside to read the file",
        ))
    }

    /// The repository of the project whose history begins with a commit.
    fn repository_by_first_commit(&self, name: &str, commit: &str) -> Result<PathBuf, ReadFault> {
        let candidates = self.first_commits.get_or_init(|| {
            let folders = self.git_folders().into_iter();
            let begin = |folder: &Path| first_commit(folder, self.permissions, &self.budget);
            folders.map(|folder| (folder.clone(), begin(&folder))).collect()
        });
        let mut unseen = None;
        for (folder, begin) in candidates {
            match begin {
                Ok(Some(first)) if first == commit => return Ok(folder.clone()),
                Ok(Some(_)) => {}
                Ok(None) => unseen = Some("its history is shallow".to_owned()),
                Err(reason) => unseen = Some(reason.clone()),
            }
        }
        // If the history is unavailable, as in an export of the project, the usual folders are used.
        if unseen.is_some() || candidates.is_empty() {
            match (name, self.roots.last()) {
                ("self", _) => return Ok(self.folder.clone()),
                ("spec", Some(root)) => return Ok(root.clone()),
                _ => {}
            }
        }
        let because = unseen.map(|reason| format!(" (one cannot be seen: {reason})")).unwrap_or_default();
        Err(fault(
            format!("no repository of the project begins with the commit {commit} of the repository '{name}'{because}"),
            "clone the repository into the folder of the project",
        ))
    }

    /// The folders around and in the projects that are repositories of git, the nearest first.
    fn git_folders(&self) -> Vec<PathBuf> {
        let mut found: Vec<PathBuf> = Vec::new();
        let mut add = |folder: PathBuf| {
            if !found.contains(&folder) {
                found.push(folder);
            }
        };
        for folder in [&self.folder].into_iter().chain(&self.roots) {
            control_repo::repository_of(folder).into_iter().for_each(&mut add);
        }
        for root in &self.roots {
            self.folders_in(root).into_iter().filter(|folder| is_git(folder)).for_each(&mut add);
        }
        found
    }

    /// The folders directly in a project, and those that are linked to it.
    fn folders_in(&self, root: &Path) -> Vec<PathBuf> {
        let files = Files::below([root]);
        let list = |folder: &Path| {
            // A missing folder is empty; an unreadable one is not searched.
            let entries = files.list(folder).unwrap_or_default();
            let names = entries.into_iter().take(MOST_FOLDERS).map(|entry| folder.join(entry.name));
            names.filter(|path| files.is_folder(path)).collect::<Vec<_>>()
        };
        [list(root), list(&root.join(LINKS))].concat()
    }

    /// Returns an existing clone of an address: a link with the name of the repository, the project itself, a repository
    /// in it, or one beside it.
    fn clone_of(&self, name: &str, address: &str) -> Result<PathBuf, ReadFault> {
        let last = address.trim_end_matches('/').rsplit(['/', ':']).next().unwrap_or(address);
        let last = last.strip_suffix(".git").unwrap_or(last);
        for root in self.roots.iter().filter(|_| is_plain_name(name)) {
            let files = Mounted::over(self.tree.as_ref(), Files::below([root]));
            let link = root.join(LINKS).join(name);
            // A link with the name of the repository is an explicit choice.
            if files.is_folder(&link) {
                return Ok(link);
            }
        }
        let in_projects = self.roots.iter().flat_map(|root| [Some(root.as_path()), root.parent()]).flatten();
        let named = in_projects.filter(|_| is_plain_name(last)).map(|folder| folder.join(last));
        let named = named.map(|folder| (folder.clone(), remote_addresses(&folder, self.permissions, &self.budget)));
        let own = self.remotes.get_or_init(|| {
            let folders = self.git_folders().into_iter();
            folders.map(|folder| (folder.clone(), remote_addresses(&folder, self.permissions, &self.budget))).collect()
        });
        let mut unseen = None;
        for (clone, remotes) in own.iter().cloned().chain(named) {
            match remotes {
                Ok(remotes) if remotes.contains(&same_address(address)) => return Ok(clone),
                Ok(_) => {}
                Err(reason) => unseen = Some(reason),
            }
        }
        let because = unseen.map(|reason| format!(" (a folder cannot be read: {reason})")).unwrap_or_default();
        Err(fault(
            format!("the repository '{name}' would have to be cloned from {address}{because}"),
            "clone it into the folder of the project, under its own name or as tosca_repositories/NAME",
        ))
    }
}

fn fault(message: String, help: &str) -> ReadFault {
    ReadFault { message, help: Some(help.to_owned()), absent: false }
}

/// Returns whether a name is that of one file or folder.
fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && name != "." && name != ".." && !name.contains(['/', '\\', '\0'])
}

/// The path that an address is, if it is one: `file:lib`, `file:///srv/lib`, `../lib`.
fn path_of(address: &str) -> Option<&str> {
    let path = match address.strip_prefix("file:") {
        Some(path) if path.starts_with('/') => {
            // One slash is left of many.
            return Some(&path[path.len() - path.trim_start_matches('/').len() - 1..]);
        }
        Some(path) => path,
        None if address.contains("://") || address.contains('@') => return None,
        None => address,
    };
    Some(path)
}

/// Returns whether a folder is the root of a git repository.
fn is_git(folder: &Path) -> bool {
    Files::below([folder]).is_named(&folder.join(".git"))
}

/// Returns the addresses that a folder is a clone of. One that is no repository has none.
fn remote_addresses(folder: &Path, permissions: Permissions, budget: &Budget) -> RemoteAddresses {
    if !is_git(folder) {
        return Ok(Vec::new());
    }
    let repository = Repository::open_within(folder, permissions.outside, budget);
    let repository = repository.map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(repository.remote_urls().map(same_address).collect())
}

/// An address without the parts that may differ: user, scheme and the ending `.git`.
fn same_address(address: &str) -> String {
    let address = address.split_once("://").map_or(address, |(_, rest)| rest);
    let address = address.split_once('@').map_or(address, |(_, rest)| rest);
    let address = address.trim_end_matches('/');
    address.strip_suffix(".git").unwrap_or(address).replacen(':', "/", 1).to_lowercase()
}

/// Returns the first commit of a repository's history, or `None` if the history is incomplete.
fn first_commit(folder: &Path, permissions: Permissions, budget: &Budget) -> Result<Option<String>, String> {
    let repository = Repository::open_within(folder, permissions.outside, budget).map_err(|error| error.to_string())?;
    let head = repository.commit("HEAD").map_err(|error| error.to_string())?;
    let first = repository.first_commit(head).map_err(|error| error.to_string())?;
    Ok(first.map(|first| first.to_string()))
}

/// The environments that count of the file of a project: its default one, and the one for all.
fn environment_names(project: &Value) -> impl Iterator<Item = &str> {
    let default = project.at_path(&["default_environment"]).and_then(Value::as_str);
    default.into_iter().chain(["defaults"])
}

/// The address of a repository in the file of a project.
fn environment_address(project: &Value, name: &str) -> Option<String> {
    let url = |environment| project.at_path(&["environments", environment, "repositories", name, "url"]);
    environment_names(project).find_map(url)?.as_str().map(str::to_owned)
}

/// The names of the repositories in the file of a project.
fn declared_repositories(project: &Value) -> impl Iterator<Item = &str> {
    let repositories = move |environment| project.at_path(&["environments", environment, "repositories"]);
    let all = environment_names(project).filter_map(repositories).filter_map(Value::as_hash);
    all.flat_map(Hash::keys).filter_map(Value::as_str)
}
