//! Walks the folders of a repository without leaving it.

use std::path::{Path, PathBuf};

use hieratic::sandbox::{FileKind, Files, is_absence_or_refused};
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// The deepest nesting of folders.
const DEEPEST: usize = 200;

/// The names that a walk leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ignored {
    /// The names in `.gitignore`, `.git/info/exclude` and `.ignore`, as in git and in search tools.
    ByGit,
    /// Nothing.
    Nothing,
}

/// A file that a walk came by.
#[derive(Clone, Debug)]
pub(crate) struct WalkedFile {
    /// The path.
    pub(crate) path: PathBuf,
    /// Whether the name is a link.
    pub(crate) is_link: bool,
}

/// Something that a walk passed over.
#[derive(Clone, Debug)]
pub(crate) struct Skipped {
    /// The path.
    pub(crate) path: PathBuf,
    /// Whether it is a folder, with everything in it.
    pub(crate) is_folder: bool,
    /// The reason.
    pub(crate) skip: Skip,
}

/// The reason why a walk passes over something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Skip {
    /// Its name begins with a dot.
    Hidden,
    /// Git ignores it.
    IgnoredByGit,
    /// It is nested too deeply.
    TooDeep,
    /// It is a device, a pipe or a socket.
    Special,
    /// It cannot be read, for this reason.
    Unreadable(String),
}

/// The files and links below a folder.
#[derive(Debug, Default)]
pub(crate) struct WalkResult {
    /// The files and links, sorted.
    pub(crate) found: Vec<WalkedFile>,
    /// The paths that it skipped. The folder `.git` does not count.
    pub(crate) skipped: Vec<Skipped>,
}

/// Returns every file and link below a folder, sorted. Links are not followed, and hidden names are left out. A folder
/// that does not exist has no files.
///
/// Only listings and regular files of the repository are read: not even a `.gitignore` that is a link or a pipe.
pub(crate) fn files_below(files: &Files, folder: &Path, ignored: Ignored) -> WalkResult {
    let mut walk = Walk { files, rules: Vec::new(), below: WalkResult::default() };
    if ignored == Ignored::ByGit {
        walk.rules_above(folder);
    }
    walk.folder(folder, ignored, 0);
    walk.below
}

/// Returns whether git ignores a path below a folder, or one of the folders around it. The path need not exist.
pub(crate) fn is_ignored(files: &Files, root: &Path, path: &Path) -> bool {
    let mut walk = Walk { files, rules: Vec::new(), below: WalkResult::default() };
    walk.rules_above(root);
    let mut outer: Vec<&Path> = path.ancestors().take_while(|folder| folder.starts_with(root)).collect();
    outer.reverse();
    outer.iter().any(|inner| {
        let is_folder = *inner != path;
        let is_ignored = *inner != root && walk.is_ignored(inner, is_folder);
        if is_folder {
            walk.rules_of(inner);
        }
        is_ignored
    })
}

struct Walk<'f> {
    files: &'f Files,
    /// The rules of the folders on the way, the outermost first.
    rules: Vec<Gitignore>,
    below: WalkResult,
}

impl Walk<'_> {
    /// Reads the rules of the repository around a folder: those between its root and the folder.
    fn rules_above(&mut self, folder: &Path) {
        let above: Vec<&Path> = folder.ancestors().skip(1).collect();
        let is_root = |folder: &&Path| self.files.holds(folder) && self.files.exists(&folder.join(".git"));
        let Some(root) = above.iter().position(is_root) else { return };
        for folder in above[..=root].iter().rev() {
            self.rules_of(folder);
        }
    }

    /// Reads the rules that a folder has; whether there were any.
    fn rules_of(&mut self, folder: &Path) -> bool {
        let mut builder = GitignoreBuilder::new(folder);
        let mut any = false;
        for name in [".git/info/exclude", ".gitignore", ".ignore"] {
            let file = folder.join(name);
            let text = match self.files.read_text(&file) {
                Ok(text) => text,
                // Git does not follow a link of this name, either.
                Err(error) if is_absence_or_refused(&error) => continue,
                Err(error) => {
                    self.skip(file, false, Skip::Unreadable(error.to_string()));
                    continue;
                }
            };
            for line in text.lines() {
                // An invalid pattern ignores nothing, as in git.
                any |= builder.add_line(None, line).is_ok();
            }
        }
        let rules = builder.build().ok().filter(|_| any);
        self.rules.extend(rules);
        any
    }

    fn skip(&mut self, path: PathBuf, is_folder: bool, skip: Skip) {
        self.below.skipped.push(Skipped { path, is_folder, skip });
    }

    fn folder(&mut self, folder: &Path, ignored: Ignored, depth: usize) {
        let entries = match self.files.list(folder) {
            Ok(entries) => entries,
            // The walk over links reports a path that leads out.
            Err(error) if is_absence_or_refused(&error) => return,
            Err(error) => return self.skip(folder.to_owned(), true, Skip::Unreadable(error.to_string())),
        };
        let before = self.rules.len();
        if ignored == Ignored::ByGit
            && entries.iter().any(|entry| matches!(&*entry.name, ".git" | ".gitignore" | ".ignore"))
        {
            self.rules_of(folder);
        }
        for entry in entries.iter().filter(|entry| entry.name != ".git") {
            let path = folder.join(&entry.name);
            let is_folder = entry.kind == FileKind::Folder;
            if entry.name.starts_with('.') {
                self.skip(path, is_folder, Skip::Hidden);
            } else if self.is_ignored(&path, is_folder) {
                self.skip(path, is_folder, Skip::IgnoredByGit);
            } else {
                match entry.kind {
                    FileKind::Folder if depth < DEEPEST => self.folder(&path, ignored, depth + 1),
                    FileKind::Folder => self.skip(path, true, Skip::TooDeep),
                    FileKind::Other => self.skip(path, false, Skip::Special),
                    kind => self.below.found.push(WalkedFile { path, is_link: kind == FileKind::Link }),
                }
            }
        }
        self.rules.truncate(before);
    }

    /// Returns whether the innermost rule that matches a path leaves it out.
    fn is_ignored(&self, path: &Path, is_folder: bool) -> bool {
        let speaks = self.rules.iter().rev().map(|rules| rules.matched(path, is_folder)).find(|found| !found.is_none());
        matches!(speaks, Some(Match::Ignore(_)))
    }
}
