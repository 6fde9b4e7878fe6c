//! [`Permissions`]: the rights that the user gives to a repository.

use std::path::Path;

use hieratic_sandbox::{Files, Outside, Variables, plain};

use crate::control_repo;

/// The permissions that the user gives to a repository. By default, it may read its own files, and data, keys and
/// modules outside of the repository that its configuration names (`datadir: /srv/data`), as the reference does.
///
/// That is right for a user's own lookups in the current files. Commands that check, compare or rewrite a repository,
/// or read a revision, are [confined](Permissions::confined): the configuration may be untrusted, and others may read
/// the output.
///
/// `docs/security.md` describes the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Permissions {
    /// Run the programs that the repository names.
    pub programs: bool,
    /// Read files outside of the repository, and environment variables.
    pub outside: bool,
    /// Fetch pages from the network.
    pub network: bool,
    /// Never read outside of the repository, for untrusted changes: using data, a key or a module outside is an error,
    /// unless `outside` permits it. The programs that the machine's configuration names do not run either.
    pub confined: bool,
}

impl Permissions {
    /// Grants all permissions, for a trusted repository.
    pub fn all() -> Permissions {
        Permissions { programs: true, outside: true, network: true, confined: false }
    }

    /// Returns the files for a path on the command line. If the path is in a repository, links that lead out of the
    /// repository are refused.
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
        let outer = path.parent().map(control_repo::repository_of).unwrap_or_default();
        Files::below(outer).with_outside(Outside::User)
    }

    /// Returns the files below a folder on the command line.
    pub fn files_below(&self, folder: &Path) -> Files {
        if self.outside { Files::anywhere() } else { Files::below([folder]) }
    }

    /// Returns the environment variables that a repository may read: all of them with the permission `outside`,
    /// otherwise hidden ones.
    pub fn variables(&self) -> Variables {
        if self.outside { Variables::of_process() } else { Variables::hidden() }
    }
}
