//! [`Permissions`]: what the person at the keyboard lets a repository do, and the [`Powers`] that follow from it.

use std::path::{Path, PathBuf};

use hieratic_powers::{Files, Outside, Powers, Programs, Variables, plain};

use crate::control_repo;
use crate::settings::{Resolved, Settings};

/// What the person at the keyboard lets a repository do. Without more: read its own files, and data levels that the
/// configuration places elsewhere (`datadir: /srv/data`), as the reference does.
///
/// `docs/security.md` describes the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Permissions {
    /// Run the programs that it names.
    pub programs: bool,
    /// Read files outside of the repository, and variables of the environment.
    pub outside: bool,
    /// Fetch pages from the network.
    pub network: bool,
    /// Stay inside in every case and run no program at all, as is right for a stranger's change: data levels that lead out are
    /// not read, unless `outside` lets them be.
    pub confined: bool,
}

impl Permissions {
    /// Everything: for a repository that is trusted.
    pub fn all() -> Permissions {
        Permissions { programs: true, outside: true, network: true, confined: false }
    }

    /// The files that a person named, of which a part may lie in a repository: a link in it that leads out of it is refused.
    ///
    /// ```
    /// use hieratic::Permissions;
    /// let folder = tempfile::tempdir().unwrap();
    /// std::fs::create_dir(folder.path().join(".git")).unwrap();
    /// std::os::unix::fs::symlink("/etc/passwd", folder.path().join("a.yaml")).unwrap();
    /// let file = folder.path().join("a.yaml");
    /// assert!(Permissions::default().files_named(&file).read(&file).is_err());
    /// assert!(Permissions { outside: true, ..Permissions::default() }.files_named(&file).read(&file).is_ok());
    /// ```
    pub fn files_named(&self, path: &Path) -> Files {
        if self.outside {
            return Files::of_user();
        }
        let path = plain(path);
        let around = path.parent().map(control_repo::repository_of).unwrap_or_default();
        Files::below(around).with_outside(Outside::User)
    }

    /// The files below a folder that a person named.
    pub fn files_below(&self, folder: &Path) -> Files {
        if self.outside { Files::anywhere() } else { Files::below([folder]) }
    }

    /// The variables of the environment that a repository may see.
    pub fn variables(&self) -> Variables {
        if self.outside { Variables::of_process() } else { Variables::default() }
    }

    /// The powers of an environment whose folder and modules are known.
    pub(crate) fn powers(&self, settings: &Settings, resolved: &Resolved, root: &Path) -> Powers {
        let mut trees = vec![control_repo::repository_of(root).unwrap_or_else(|| around(root))];
        if settings.environment_dir.is_some() || self.names_environment(settings, root) {
            trees.push(root.to_owned());
        }
        let given = settings.modulepath.iter().chain([&resolved.basemodulepath]);
        let folders = given.flat_map(|path| path.split(':')).filter(|folder| !folder.is_empty());
        trees.extend(folders.map(PathBuf::from));
        trees.extend(settings.datadirs.iter().map(|(_, here)| here.clone()));
        let inside = settings.mounted(Files::below(trees).with_largest(settings.limits.file));
        let (data, code) = match (self.outside, self.confined) {
            (true, _) => (inside.with_outside(Outside::Always), inside.with_outside(Outside::Always)),
            (false, false) => (inside.with_outside(Outside::Named), inside),
            (false, true) => (inside.clone(), inside),
        };
        Powers {
            machine: settings.anywhere().with_largest(settings.limits.file),
            data,
            code,
            programs: match (self.programs, self.confined) {
                (_, true) => Programs::Never,
                (true, false) => Programs::Always,
                (false, false) => Programs::OfMachine,
            },
            network: self.network,
            variables: self.variables(),
            limits: settings.limits,
        }
    }

    /// Whether a person or the machine named the folder of environments, so that an environment in it may be a link: some
    /// deployments exchange a link. A folder that was found by standing in it may be a stranger's.
    fn names_environment(&self, settings: &Settings, root: &Path) -> bool {
        let is_sound = || {
            settings
                .anywhere()
                .real(root)
                .is_ok_and(|real| !root.parent().is_some_and(|parent| parent.starts_with(&real)))
        };
        !self.confined && !settings.was_found && is_sound()
    }
}

/// What belongs to an environment that is in no repository of git: the folder that holds the folder of environments.
fn around(root: &Path) -> PathBuf {
    match root.parent() {
        Some(parent) if parent.ends_with("environments") => parent.parent().unwrap_or(parent).to_owned(),
        _ => root.to_owned(),
    }
}
