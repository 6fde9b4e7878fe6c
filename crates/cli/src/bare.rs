//! Bare git repositories: their content can only be read by revision.

use std::path::{Path, PathBuf};

use hieratic::Limits;
use hieratic::budget::Budget;
use hieratic::sandbox::Mounted;
use hieratic_git::{Error, Repository};

/// The bare repository that a folder is, or would be in.
pub(crate) fn repository(folder: &Path) -> Option<PathBuf> {
    let folder = hieratic::sandbox::plain(folder);
    let is_bare = |folder: &&Path| {
        folder.join("HEAD").is_file() && folder.join("objects").is_dir() && folder.join("refs").is_dir()
    };
    folder.ancestors().find(is_bare).map(Path::to_owned)
}

/// The files of the last commit of a repository, which may not lead out of it.
pub(crate) fn tree_of_head(root: &Path) -> Result<Mounted, Error> {
    let repository = Repository::open_within(root, false, &Budget::new(Limits::default()))?;
    Ok(Mounted::new(repository.root(), repository.tree(repository.commit("HEAD")?)?))
}
