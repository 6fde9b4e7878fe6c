//! The folders of a repository, walked through without leaving it.

use std::path::{Path, PathBuf};

use hieratic::powers::{Files, Kind};
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// How deep folders may lie in each other.
const DEEPEST: usize = 200;

/// What a walk leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ignored {
    /// What `.gitignore`, `.git/info/exclude` and `.ignore` name, as git and the tools that search do.
    ByGit,
    /// Nothing.
    Nothing,
}

/// A file that a walk came by.
#[derive(Clone, Debug)]
pub(crate) struct Walked {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// Whether the name is a link.
    pub(crate) is_link: bool,
}

/// Every file and link below a folder, sorted; links are not followed, and hidden names are left out.
///
/// Nothing but listings and regular files of the repository is read: not even a `.gitignore` that is a link or a pipe.
pub(crate) fn files_below(files: &Files, folder: &Path, ignored: Ignored) -> Vec<Walked> {
    let mut walk = Walk { files, rules: Vec::new(), found: Vec::new() };
    if ignored == Ignored::ByGit {
        walk.rules_above(folder);
    }
    walk.folder(folder, ignored, 0);
    walk.found
}

/// Whether git ignores a path below a folder, or one of the folders around it; nothing has to be there.
pub(crate) fn is_ignored(files: &Files, root: &Path, path: &Path) -> bool {
    let mut walk = Walk { files, rules: Vec::new(), found: Vec::new() };
    walk.rules_above(root);
    let mut around: Vec<&Path> = path.ancestors().take_while(|folder| folder.starts_with(root)).collect();
    around.reverse();
    around.iter().any(|inner| {
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
    found: Vec<Walked>,
}

impl Walk<'_> {
    /// The rules of the repository that a folder lies in: those between its root and the folder.
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
            let Ok(text) = self.files.read_text(&folder.join(name)) else { continue };
            for line in text.lines() {
                // A line that is no pattern ignores nothing, as for git.
                any |= builder.add_line(None, line).is_ok();
            }
        }
        let rules = builder.build().ok().filter(|_| any);
        self.rules.extend(rules);
        any
    }

    fn folder(&mut self, folder: &Path, ignored: Ignored, depth: usize) {
        let Ok(entries) = self.files.list(folder) else { return };
        let before = self.rules.len();
        if ignored == Ignored::ByGit
            && entries.iter().any(|entry| matches!(&*entry.name, ".git" | ".gitignore" | ".ignore"))
        {
            self.rules_of(folder);
        }
        for entry in entries.iter().filter(|entry| !entry.name.starts_with('.')) {
            let path = folder.join(&entry.name);
            if self.is_ignored(&path, entry.kind == Kind::Folder) {
                continue;
            }
            match entry.kind {
                Kind::Folder if depth < DEEPEST => self.folder(&path, ignored, depth + 1),
                Kind::Folder | Kind::Other => {}
                kind => self.found.push(Walked { path, is_link: kind == Kind::Link }),
            }
        }
        self.rules.truncate(before);
    }

    /// Whether the innermost rule that speaks of a path leaves it out.
    fn is_ignored(&self, path: &Path, is_folder: bool) -> bool {
        let speaks = self.rules.iter().rev().map(|rules| rules.matched(path, is_folder)).find(|found| !found.is_none());
        matches!(speaks, Some(Match::Ignore(_)))
    }
}
