//! `--revision`: reads files from a commit in git instead of the working tree.

use std::path::{Path, PathBuf};

use clap::Args;
use hieratic::sandbox::Mounted;
use hieratic::{Error, Limits};

use crate::args::PlaceArguments;
use crate::usage::usage;
use crate::{documents, revisions};

/// The flag of the verbs that can read a commit.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct RevisionArguments {
    /// Read the repository as it is in this git revision, without a checkout
    #[arg(long, value_name = "REV")]
    revision: Option<String>,
    /// The commit that this means, once the paths are known that are read from it.
    #[arg(skip)]
    pub(crate) commit: Option<Mounted>,
}

impl RevisionArguments {
    /// The revision that is read, as the flag names it.
    pub(crate) fn commit_name(&self) -> Option<String> {
        self.revision.clone()
    }

    /// Reads the environment from the revision. Facts and other files about nodes come from the disk: nodes are in
    /// their current state, for any revision.
    pub(crate) fn of_environment(&mut self, place: &mut PlaceArguments, limits: Limits) -> Result<(), Error> {
        let Some(revision) = self.revision.as_deref() else { return Ok(()) };
        place.revision = Some(commit(revision, place, limits)?);
        Ok(())
    }

    /// Mounts files and folders, and everything that they refer to, from the revision of their repository; `outside`
    /// allows the repository around a folder to refer to files outside of itself.
    pub(crate) fn of_files(
        &mut self,
        paths: &[PathBuf],
        outside: impl FnOnce(&Path) -> bool,
        limits: Limits,
    ) -> Result<(), Error> {
        let Some(revision) = self.revision.as_deref() else { return Ok(()) };
        let here = Path::new(".");
        let folder = match paths.first().map(PathBuf::as_path) {
            Some(path) if path.is_dir() || path.as_os_str() != "-" => documents::around(path),
            _ => here.to_owned(),
        };
        self.commit = Some(open(revision, &folder, outside(&folder), limits)?);
        named_are_inside(paths, self.commit.as_ref())
    }
}

/// Refuses files that a commit cannot have: they would be read as they are now.
pub(crate) fn named_are_inside(paths: &[PathBuf], mounted: Option<&Mounted>) -> Result<(), Error> {
    let Some(root) = mounted.map(Mounted::root) else { return Ok(()) };
    let is_outside = |path: &&PathBuf| path.as_os_str() != "-" && !hieratic::sandbox::plain(path).starts_with(root);
    match paths.iter().find(is_outside) {
        Some(path) => Err(usage(format!(
            "{} is not in the repository {}, whose revision is read",
            path.display(),
            root.display()
        ))
        .help("name files of one repository, by paths below it")),
        None => Ok(()),
    }
}

/// The commit that a revision means of the repository that the flags mean, from which the environment is taken then.
pub(crate) fn commit(revision: &str, place: &mut PlaceArguments, limits: Limits) -> Result<Mounted, Error> {
    let (settings, folder) = revisions::environment(place);
    place.environment_dir = settings.environment_dir;
    open(revision, &folder, settings.permissions.outside, limits)
}

/// Opens the commit that a revision means of the repository around a folder.
pub(crate) fn open(revision: &str, folder: &Path, outside: bool, limits: Limits) -> Result<Mounted, Error> {
    let help = "--revision reads files of a git repository";
    let repository = revisions::repository(folder, outside, limits, help)?;
    let commit = repository.commit(revision).map_err(revisions::failed)?;
    let tree = repository.tree(commit).map_err(revisions::failed)?;
    Ok(Mounted::new(repository.root(), tree))
}
