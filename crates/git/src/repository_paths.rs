//! [`RepositoryPaths`]: the paths of the parts of a git repository, which must be inside of it.
//!
//! A hostile `.git` can lead anywhere: by a link, by a file with the path of another one, by `commondir`, by
//! `info/alternates`. No path outside is read unless the user permits it. Exceptions are the repositories of linked
//! working trees and submodules, which git stores elsewhere, if they refer back to this one.

use std::io;
use std::path::{Path, PathBuf};

use hieratic_budget::Budget;
use hieratic_sandbox::{Denied, Disk, Files, Outside, Tree, TreeEntry, is_absence, plain};

use crate::config::Config;
use crate::error::{Error, Remedy};

/// The size of the largest file that holds a path.
const LARGEST_POINTER: u64 = 16 << 10;
/// The size of the largest file of configuration.
const LARGEST_CONFIG: u64 = 1 << 20;
/// The limit of alternate folders of objects that a repository may name, and of the length of a chain of them.
const MOST_ALTERNATES: usize = 100;

/// The paths of the parts of a repository.
#[derive(Clone, Debug)]
pub(crate) struct RepositoryPaths {
    /// The root of the working tree; of a bare repository, its own folder.
    pub(crate) root: PathBuf,
    /// The folder with the private files of a working tree: `HEAD`, the index.
    pub(crate) own: PathBuf,
    /// The folder that all working trees share: references, configuration, objects.
    pub(crate) common: PathBuf,
    /// The folders of objects.
    pub(crate) objects: Vec<PathBuf>,
    /// The files that may be read.
    pub(crate) files: Files,
    /// The configuration.
    pub(crate) config: Config,
    /// Whether there is no working tree.
    pub(crate) is_bare: bool,
}

impl RepositoryPaths {
    /// The repository whose working tree has this root, or the bare one in this folder.
    pub(crate) fn find(root: &Path, outside: bool, budget: &Budget) -> Result<RepositoryPaths, Error> {
        let root = plain(root);
        let outside_is = if outside { Outside::Always } else { Outside::Never };
        let mut files = Files::below([&root]).with_outside(outside_is);
        let none = || {
            Error::new(
                format!("{} is not a git repository", root.display()),
                "name the folder that has `.git` in it, or a bare repository",
            )
            .with_remedy(Remedy::OtherFolder)
        };
        let pointer = root.join(".git");
        let own = match is_folder(&files, &pointer)? {
            Some(true) => pointer,
            Some(false) => {
                let own = read_pointer(&files, &pointer, "gitdir:")?.ok_or_else(none)?;
                if !own.starts_with(&root) && !outside {
                    let near = near(&root, &own).ok_or_else(|| leads_out(&pointer, &own))?;
                    files = files.and_below(near);
                }
                own
            }
            None => root.clone(),
        };
        let common = read_pointer(&files, &own.join("commondir"), "")?.unwrap_or_else(|| own.clone());
        let is_inside = |path: &Path| outside || files.trees().iter().any(|tree| path.starts_with(tree));
        if !is_inside(&common) {
            return Err(leads_out(&own.join("commondir"), &common));
        }
        for (folder, name) in [(&own, "HEAD"), (&common, "objects"), (&common, "refs")] {
            if is_folder(&files, &folder.join(name))?.is_none_or(|is| is == (name == "HEAD")) {
                return Err(none());
            }
        }
        let files = files.at_one_moment();
        let path = common.join("config");
        let config = match read(&files, &path, LARGEST_CONFIG)? {
            Some(bytes) => {
                let text = String::from_utf8(bytes).map_err(|_| Error::damaged(path.display(), "it is not UTF-8"))?;
                Config::parse(&text).map_err(|reason| Error::damaged(path.display(), reason))?
            }
            None => Config::default(),
        };
        config.check().map_err(|error| error.within(root.display()))?;
        let is_bare = own == root || config.is_set("core", "bare") && own == common;
        let mut place =
            RepositoryPaths { objects: vec![common.join("objects")], root, own, common, files, config, is_bare };
        place.add_alternates(outside, budget)?;
        Ok(place)
    }

    /// Adds the folders of objects that others name. See <https://git-scm.com/docs/gitrepository-layout>.
    fn add_alternates(&mut self, outside: bool, budget: &Budget) -> Result<(), Error> {
        let mut at = 0;
        while let Some(folder) = self.objects.get(at).cloned() {
            at += 1;
            let path = folder.join("info/alternates");
            let Some(bytes) = read(&self.files, &path, LARGEST_CONFIG)? else { continue };
            let text = String::from_utf8(bytes).map_err(|_| Error::damaged(path.display(), "it is not UTF-8"))?;
            for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
                budget.step()?;
                if line.starts_with('"') {
                    let help = "write the path without quotes";
                    return Err(Error::unsupported(format!("{} contains a quoted path", path.display()), help));
                }
                let named = plain(&folder.join(line));
                if !outside && !self.files.trees().iter().any(|tree| named.starts_with(tree)) {
                    return Err(leads_out(&path, &named));
                }
                if !self.objects.contains(&named) {
                    self.objects.push(named);
                }
                if self.objects.len() > MOST_ALTERNATES {
                    let reason = format!("more than {MOST_ALTERNATES} alternate object folders are named");
                    return Err(Error::damaged(path.display(), reason));
                }
            }
        }
        Ok(())
    }

    /// The bytes of a file of the repository. Returns `None` if it does not exist.
    pub(crate) fn read(&self, path: &Path, largest: u64) -> Result<Option<Vec<u8>>, Error> {
        read(&self.files, path, largest)
    }
}

fn read(files: &Files, path: &Path, largest: u64) -> Result<Option<Vec<u8>>, Error> {
    match files.with_largest(largest).read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if is_absence(&error) => Ok(None),
        Err(error) => Err(file_error(path, &error)),
    }
}

/// An error for a file of the repository. It names the target of a link.
pub(crate) fn file_error(path: &Path, error: &io::Error) -> Error {
    if Denied::from_error(error)
        .is_some_and(|denied| matches!(denied.reason(), hieratic_sandbox::DeniedReason::Outside { .. }))
    {
        let link = path.ancestors().find_map(|path| {
            let disk = Disk::new(path.parent()?);
            match disk.entry(Path::new(path.file_name()?)) {
                Ok(TreeEntry::Link(target)) => Some((path, target)),
                // Only for the message: the error is another one.
                Ok(TreeEntry::Stat(_)) | Err(_) => None,
            }
        });
        if let Some((link, target)) = link {
            return leads_out(link, &target);
        }
    }
    Error::from_file(path, error)
}

/// Returns whether the path is a folder. `None` if it does not exist.
fn is_folder(files: &Files, path: &Path) -> Result<Option<bool>, Error> {
    match files.try_stat(path) {
        Ok(about) => Ok(Some(about.is_folder())),
        Err(error) if is_absence(&error) => Ok(None),
        Err(error) => Err(file_error(path, &error)),
    }
}

/// The path that a file contains after a word. Returns `None` if the file does not exist.
fn read_pointer(files: &Files, path: &Path, word: &str) -> Result<Option<PathBuf>, Error> {
    let Some(bytes) = read(files, path, LARGEST_POINTER)? else { return Ok(None) };
    let text = String::from_utf8(bytes).map_err(|_| Error::damaged(path.display(), "it is not UTF-8"))?;
    let target = text.strip_prefix(word).map(str::trim).filter(|target| !target.is_empty() && !target.contains('\0'));
    let target = target.ok_or_else(|| Error::damaged(path.display(), "it contains no path"))?;
    Ok(Some(plain(&path.parent().unwrap_or(path).join(target))))
}

/// The folders outside of a working tree that git itself made for it: they point back to it.
fn near(root: &Path, own: &Path) -> Option<Vec<PathBuf>> {
    let files = Files::below([own]);
    // Nothing is made of an error but that the folder does not point back.
    let points_to_root = |path: PathBuf, end: &str| {
        let real = |path: &Path| Files::anywhere().real(path).unwrap_or_else(|_| path.to_owned());
        real(&path) == real(&root.join(end))
    };
    let linked = || {
        let back = read_pointer(&files, &own.join("gitdir"), "").ok()??;
        let common = read_pointer(&files, &own.join("commondir"), "").ok()??;
        let is_below = own.parent() == Some(&*common.join("worktrees"));
        (is_below && points_to_root(back, ".git")).then(|| vec![own.to_owned(), common])
    };
    let submodule = || {
        let above = own.ancestors().find(|folder| folder.ends_with(".git/modules"))?.parent()?.parent()?;
        let bytes = read(&files, &own.join("config"), LARGEST_CONFIG).ok()??;
        let config = Config::parse(&String::from_utf8(bytes).ok()?).ok()?;
        let back = plain(&own.join(config.get("core", "", "worktree")?));
        (root.starts_with(above) && points_to_root(back, "")).then(|| vec![own.to_owned()])
    };
    linked().or_else(submodule)
}

fn leads_out(path: &Path, target: &Path) -> Error {
    Error::new(
        format!("{} leads to {}, which is outside of the repository", path.display(), target.display()),
        "open the repository with files outside of it allowed (`open_within`), if it is trusted",
    )
    .with_remedy(Remedy::FilesOutside)
}
