//! `Dir.glob` for code in Ruby: <https://docs.ruby-lang.org/en/3.1/Dir.html#method-c-glob>.
//!
//! Names are sorted. `**/` does not follow links. A pattern that ends in a slash finds folders. Files outside of the
//! environment are not found.

use std::path::{Path, PathBuf};

use hieratic_budget::{Budget, Exhausted};
use hieratic_sandbox::name_pattern::{Dialect, ExpansionError, expand_braces, matches};
use hieratic_sandbox::{FileKind, Files};

/// The maximum number of alternatives that braces expand to, and of paths that a pattern finds.
const MAX_PATHS: usize = 100_000;

/// The maximum depth of folders.
const MAX_DEPTH: usize = 200;

/// The steps that an entry of a folder costs.
const STEPS_PER_ENTRY: u64 = 10;

/// The error of a search.
pub(super) enum GlobError {
    /// A limit of the budget.
    Limit(Exhausted),
    /// Folders are nested more deeply than [`MAX_DEPTH`].
    TooDeep,
    /// More alternatives or paths than a pattern may have.
    TooMany,
}

impl From<Exhausted> for GlobError {
    fn from(limit: Exhausted) -> GlobError {
        GlobError::Limit(limit)
    }
}

impl From<ExpansionError> for GlobError {
    fn from(error: ExpansionError) -> GlobError {
        match error {
            ExpansionError::Limit(limit) => GlobError::Limit(limit),
            // Ruby's dialect has no malformed braces.
            ExpansionError::TooLarge | ExpansionError::BadPattern => GlobError::TooMany,
        }
    }
}

/// The paths that a pattern finds, and the folders that were listed for them.
#[derive(Debug, Default)]
pub(super) struct GlobMatches {
    pub(super) paths: Vec<String>,
    pub(super) folders: Vec<PathBuf>,
}

/// Searches for the paths that match an absolute pattern.
pub(super) fn glob(pattern: &str, hidden: bool, files: &Files, budget: &Budget) -> Result<GlobMatches, GlobError> {
    let mut search = Search { files, budget, hidden, only_folders: false, found: GlobMatches::default() };
    for alternative in expand_braces(Dialect::Ruby, pattern, MAX_PATHS, budget)? {
        let parts: Vec<&str> = alternative.split('/').filter(|part| !part.is_empty()).collect();
        search.only_folders = alternative.ends_with('/');
        search.walk(Path::new("/"), &parts, 0)?;
    }
    Ok(search.found)
}

struct Search<'s> {
    files: &'s Files,
    budget: &'s Budget,
    /// Whether wildcards match names that begin with a dot.
    hidden: bool,
    only_folders: bool,
    found: GlobMatches,
}

impl Search<'_> {
    fn walk(&mut self, folder: &Path, parts: &[&str], depth: usize) -> Result<(), GlobError> {
        self.budget.steps(STEPS_PER_ENTRY)?;
        let Some((first, rest)) = parts.split_first() else { return self.find(folder) };
        if depth > MAX_DEPTH {
            return Err(GlobError::TooDeep);
        }
        if *first == "**" && !rest.is_empty() {
            return self.walk_below(folder, rest, depth);
        }
        if !first.contains(['*', '?', '[', '\\']) {
            return self.walk(&folder.join(first), rest, depth + 1);
        }
        for (name, kind) in self.entries(folder)? {
            if self.is_match(first, &name) && (rest.is_empty() || kind != FileKind::File) {
                self.walk(&folder.join(name), rest, depth + 1)?;
            }
        }
        Ok(())
    }

    /// Searches a folder and all below it, in one walk over sorted names.
    fn walk_below(&mut self, folder: &Path, parts: &[&str], depth: usize) -> Result<(), GlobError> {
        let Some((first, rest)) = parts.split_first() else { return Ok(()) };
        if depth > MAX_DEPTH {
            return Err(GlobError::TooDeep);
        }
        if *first == "**" && !rest.is_empty() {
            return self.walk_below(folder, rest, depth);
        }
        for (name, kind) in self.entries(folder)? {
            let path = folder.join(&name);
            if self.is_match(first, &name) && (rest.is_empty() || kind != FileKind::File) {
                self.walk(&path, rest, depth + 1)?;
            }
            if kind == FileKind::Folder && (self.hidden || !name.starts_with('.')) {
                self.walk_below(&path, parts, depth + 1)?;
            }
        }
        Ok(())
    }

    fn is_match(&self, pattern: &str, name: &str) -> bool {
        let is_seen = self.hidden || !name.starts_with('.') || pattern.starts_with('.');
        // Ruby's dialect has no malformed patterns.
        is_seen && matches(Dialect::Ruby, pattern, name).unwrap_or(false)
    }

    /// Takes a path that exists.
    fn find(&mut self, path: &Path) -> Result<(), GlobError> {
        // A file that may not be seen is not there for Ruby code.
        let Some(about) = self.files.stat(path) else { return Ok(()) };
        if self.only_folders && !about.is_folder() {
            return Ok(());
        }
        if self.found.paths.len() >= MAX_PATHS {
            return Err(GlobError::TooMany);
        }
        let mut path = path.display().to_string();
        if self.only_folders {
            path.push('/');
        }
        self.budget.bytes(path.len())?;
        self.found.paths.push(path);
        Ok(())
    }

    /// The entries of a folder. One that cannot be listed has none, as in Ruby.
    fn entries(&mut self, folder: &Path) -> Result<Vec<(String, FileKind)>, GlobError> {
        self.found.folders.push(folder.to_path_buf());
        let Ok(entries) = self.files.list(folder) else { return Ok(Vec::new()) };
        self.budget.steps(STEPS_PER_ENTRY.saturating_mul(entries.len() as u64))?;
        Ok(entries.into_iter().map(|entry| (entry.name, entry.kind)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(root: &Path, pattern: &str) -> Vec<String> {
        let pattern = format!("{}/{pattern}", root.display());
        let Ok(found) = glob(&pattern, false, &Files::anywhere(), &Budget::default()) else { panic!("{pattern}") };
        let below = format!("{}/", root.display());
        found.paths.iter().map(|path| path.strip_prefix(&below).unwrap().to_owned()).collect()
    }

    #[test]
    fn files_and_folders_are_found_as_in_ruby() {
        let root = tempfile::tempdir().unwrap();
        for file in ["b.rb", "a/z.rb", "a/d/y.rb", ".h/x.rb", "c.txt"] {
            let path = root.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        assert_eq!(paths(root.path(), "*"), ["a", "b.rb", "c.txt"]);
        assert_eq!(paths(root.path(), "*/"), ["a/"]);
        assert_eq!(paths(root.path(), "**/*.rb"), ["a/d/y.rb", "a/z.rb", "b.rb"]);
        assert_eq!(paths(root.path(), "{c.txt,b}*"), ["c.txt", "b.rb"]);
        assert_eq!(paths(root.path(), ".h/*"), [".h/x.rb"]);
        assert_eq!(paths(root.path(), "nope/*"), [""; 0]);
    }
}
