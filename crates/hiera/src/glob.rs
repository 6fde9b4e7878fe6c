//! Files that match a glob, with the rules of Ruby's `Dir.glob`.
//!
//! `*`, `?`, `[a-z]` and `[!a]` match within a name, `**/` matches any number of directories, `{a,b}` one of the
//! alternatives; a backslash escapes the next character. Only a literal dot matches the dot at the beginning of a name.
//! Names are sorted; the alternatives of braces keep their order. `**/` does not follow symbolic links to directories,
//! so that a loop of links ends.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hieratic_budget::{Budget, Exhausted};
use hieratic_sandbox::name_pattern::{self, Dialect, ExpansionError, MAX_EXPANSION_BYTES, expand_braces};
use hieratic_sandbox::{DirEntry, FileKind, Files};
use hieratic_value::collections::HashMap;

use crate::Error;
use crate::codes;

/// The maximum number of alternatives that braces expand to; more is a mistake or an attack.
const MAX_ALTERNATIVES: usize = 10_000;

/// The maximum depth of directories.
const MAX_DEPTH: usize = 200;

/// The error for files that are nested deeper: they are not treated as absent.
const TOO_DEEP: Exhausted = Exhausted::Depth(MAX_DEPTH as u32);

/// The steps that a directory entry costs, because it is read from the file system.
const STEPS_PER_ENTRY: u64 = 10;

/// A file that matches a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    pub(crate) path: Arc<Path>,
    /// Whether it was listed as a regular file; a link may lead to one, too.
    pub(crate) is_file: bool,
}

/// The files (no directories) that match an absolute pattern. Errors quote it as written.
pub(crate) fn files(pattern: &str, written: &str, files: &Files, budget: &Budget) -> Result<Arc<[Match]>, Error> {
    search_all(pattern, written, files, budget, &|directory| entries(directory, files, budget))
}

/// A cache of directory listings, for a search for many patterns: each directory is read once.
#[derive(Debug, Default)]
pub(crate) struct Listings {
    directories: Mutex<HashMap<PathBuf, Listing>>,
    patterns: Mutex<HashMap<String, Arc<[Match]>>>,
}

impl Listings {
    /// The files (no directories) that match an absolute pattern. Errors quote it as written.
    pub(crate) fn files(
        &self,
        pattern: &str,
        written: &str,
        files: &Files,
        budget: &Budget,
    ) -> Result<Arc<[Match]>, Error> {
        if let Some(known) = lock(&self.patterns).get(pattern) {
            return Ok(known.clone());
        }
        let found = search_all(pattern, written, files, budget, &|directory| self.entries(directory, files, budget))?;
        lock(&self.patterns).insert(pattern.into(), found.clone());
        Ok(found)
    }

    fn entries(&self, directory: &Path, files: &Files, budget: &Budget) -> Result<Listing, Exhausted> {
        if let Some(known) = lock(&self.directories).get(directory) {
            return Ok(known.clone());
        }
        let listed = entries(directory, files, budget)?;
        lock(&self.directories).insert(directory.to_path_buf(), listed.clone());
        Ok(listed)
    }
}

fn lock<T>(known: &Mutex<T>) -> MutexGuard<'_, T> {
    // A map is whole at every moment.
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The entries of a directory, or `None` if permission was denied.
type Listing = Option<Arc<[DirEntry]>>;

/// Lists a directory.
type List<'l> = &'l dyn Fn(&Path) -> Result<Listing, Exhausted>;

fn search_all(
    pattern: &str,
    written: &str,
    files: &Files,
    budget: &Budget,
    list: List<'_>,
) -> Result<Arc<[Match]>, Error> {
    let mut search = Search { files, list, budget, found: Vec::new() };
    for alternative in alternatives(pattern, written, budget)? {
        let components: Vec<&str> = alternative.split('/').filter(|component| !component.is_empty()).collect();
        // The literal components in front are not listed: the folders above a repository may be unreadable.
        let named = components.iter().take_while(|component| !is_pattern(component)).count();
        let start = folder(&alternative, &components[..named]);
        if files.is_hidden(&start) {
            // A path outside the visible files is an error when it is read, not an empty folder.
            search.found.push(Match { path: start.into(), is_file: true });
        } else if named == 0 || files.is_named(&start) {
            search.at(&start, &components[named..], named)?;
        }
    }
    Ok(search.found.into())
}

/// The folder that the literal components in front of a pattern name. On Windows, the first one is a drive: `C:` alone is the current
/// folder there, not the root.
fn folder(pattern: &str, components: &[&str]) -> PathBuf {
    let root = if pattern.starts_with('/') { "/" } else { "" };
    let end = if components.len() == 1 && root.is_empty() { "/" } else { "" };
    PathBuf::from(format!("{root}{}{end}", components.join("/")))
}

/// Returns the folder that the literal components in front of a pattern name: all files that it finds are below.
pub(crate) fn named_folder(pattern: &str) -> PathBuf {
    let components = pattern.split('/').filter(|component| !component.is_empty());
    let named: Vec<&str> = components.take_while(|name| !is_pattern(name) && !name.contains('{')).collect();
    folder(pattern, &named)
}

/// Expands the braces of a pattern. Errors quote the pattern as written.
pub(crate) fn alternatives(pattern: &str, written: &str, budget: &Budget) -> Result<Vec<String>, Error> {
    expand_braces(Dialect::Ruby, pattern, MAX_ALTERNATIVES, budget).map_err(|error| match error {
        ExpansionError::Limit(limit) => limit.into(),
        // Ruby's dialect has no malformed braces.
        ExpansionError::TooLarge | ExpansionError::BadPattern => {
            let start: String = written.chars().take(100).collect();
            let message = format!(
                "The braces of the pattern '{start}' expand to more than {MAX_ALTERNATIVES} paths or {} MiB",
                MAX_EXPANSION_BYTES >> 20
            );
            Error::fatal(codes::GLOB_LIMIT, message).help("use * for unknown names, or fewer braces")
        }
    })
}

/// Returns whether a name contains wildcards.
fn is_pattern(name: &str) -> bool {
    name.contains(['*', '?', '[', '\\'])
}

/// A search in progress.
struct Search<'l> {
    files: &'l Files,
    list: List<'l>,
    budget: &'l Budget,
    found: Vec<Match>,
}

impl Search<'_> {
    fn at(&mut self, directory: &Path, components: &[&str], depth: usize) -> Result<(), Exhausted> {
        self.budget.steps(STEPS_PER_ENTRY)?;
        let Some((first, rest)) = components.split_first() else {
            if !self.files.is_folder(directory) {
                self.find(directory.into(), false)?;
            }
            return Ok(());
        };
        if depth > MAX_DEPTH {
            return Err(TOO_DEEP);
        }
        if *first == "**" && !rest.is_empty() {
            return self.below(directory, rest, depth);
        }
        if !is_pattern(first) {
            let next = directory.join(first);
            return if self.files.is_named(&next) { self.at(&next, rest, depth + 1) } else { Ok(()) };
        }
        for entry in self.entries_of(directory)?.iter() {
            if self.matches_component(first, entry)? {
                self.from(entry, directory, rest, depth)?;
            }
        }
        Ok(())
    }

    /// The entries of a directory. One that may not be read is found itself, so that reading it is an error: it is not empty.
    fn entries_of(&mut self, directory: &Path) -> Result<Arc<[DirEntry]>, Exhausted> {
        match (self.list)(directory)? {
            Some(entries) => Ok(entries),
            None => {
                self.find(directory.into(), true)?;
                Ok(Arc::default())
            }
        }
    }

    /// Searches a directory and all below it, in one walk over sorted names, as Ruby does.
    fn below(&mut self, directory: &Path, components: &[&str], depth: usize) -> Result<(), Exhausted> {
        if depth > MAX_DEPTH {
            return Err(TOO_DEEP);
        }
        let (first, rest) = (components[0], &components[1..]);
        if first == "**" && !rest.is_empty() {
            return self.below(directory, rest, depth);
        }
        for entry in self.entries_of(directory)?.iter() {
            if self.matches_component(first, entry)? {
                self.from(entry, directory, rest, depth)?;
            }
            if entry.kind == FileKind::Folder && !entry.name.starts_with('.') {
                self.below(&directory.join(&entry.name), components, depth + 1)?;
            }
        }
        Ok(())
    }

    /// Searches for the rest of a pattern from an entry on.
    fn from(&mut self, entry: &DirEntry, directory: &Path, rest: &[&str], depth: usize) -> Result<(), Exhausted> {
        let path = directory.join(&entry.name);
        match (rest.is_empty(), entry.kind == FileKind::Link) {
            (true, false) if entry.kind == FileKind::Folder => Ok(()),
            (true, false) => self.find(path.into(), entry.kind == FileKind::File),
            // Only a directory can contain the rest.
            (false, false) if entry.kind != FileKind::Folder => Ok(()),
            _ => self.at(&path, rest, depth + 1),
        }
    }

    fn find(&mut self, path: Arc<Path>, is_file: bool) -> Result<(), Exhausted> {
        self.budget.bytes(path.as_os_str().len() + size_of::<Match>())?;
        self.found.push(Match { path, is_file });
        Ok(())
    }

    /// Returns whether a name matches a component of the pattern. In the worst case every character is compared with
    /// every other.
    fn matches_component(&self, pattern: &str, entry: &DirEntry) -> Result<bool, Exhausted> {
        self.budget.steps(STEPS_PER_ENTRY + pattern.len() as u64)?;
        Ok(matches(pattern, &entry.name))
    }
}

/// Lists a directory. A missing or otherwise unreadable one has no entries, as in Ruby.
fn entries(directory: &Path, files: &Files, budget: &Budget) -> Result<Listing, Exhausted> {
    let entries = match files.list(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(None),
        // A fault of a mounted tree is remembered, and ends the answer.
        Err(_) => Vec::new(),
    };
    budget.steps(STEPS_PER_ENTRY.saturating_mul(entries.len() as u64))?;
    Ok(Some(entries.into()))
}

/// Names that begin with a dot are matched only by a dot.
fn matches(pattern: &str, name: &str) -> bool {
    let is_hidden = name.starts_with('.') && !pattern.starts_with('.');
    // Ruby's dialect has no malformed patterns.
    !is_hidden && name_pattern::matches(Dialect::Ruby, pattern, name).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn files(pattern: &str) -> Arc<[Match]> {
        super::files(pattern, pattern, &Files::anywhere(), &Budget::default()).unwrap()
    }

    #[test]
    fn patterns_begin_at_the_root_or_at_a_drive() {
        for (pattern, components, expected) in [
            ("/a/b/*", &["a", "b"][..], "/a/b"),
            ("/*", &[], "/"),
            ("Z:/a/b/*", &["Z:", "a", "b"], "Z:/a/b"),
            ("Z:/*", &["Z:"], "Z:/"),
        ] {
            assert_eq!(folder(pattern, components), Path::new(expected), "{pattern}");
        }
    }

    #[test]
    fn files_are_below_the_folder_that_a_pattern_names() {
        for (pattern, expected) in
            [("/a/b/*.yaml", "/a/b"), ("/a/{b,c}/d", "/a"), ("/a/**/b", "/a"), ("/*", "/"), ("/a/b.yaml", "/a/b.yaml")]
        {
            assert_eq!(named_folder(pattern), Path::new(expected), "{pattern}");
        }
    }

    #[test]
    fn hidden_names_are_matched_by_a_dot_alone() {
        for (pattern, name, expected) in
            [("*.yaml", "a.yaml", true), ("*.yaml", ".a.yaml", false), (".*", ".a", true), ("[.]a", ".a", false)]
        {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn braces_keep_their_order() {
        let alternatives = |pattern: &str| alternatives(pattern, pattern, &Budget::default()).unwrap();
        assert_eq!(alternatives("/{b,a}/{x,y{1,2}}"), ["/b/x", "/b/y1", "/b/y2", "/a/x", "/a/y1", "/a/y2"]);
        assert_eq!(alternatives("/{a"), ["/{a"]);
    }

    #[test]
    fn files_are_found_sorted_and_links_are_not_walked() {
        let root = tempfile::tempdir().unwrap();
        for file in ["b.yaml", "a/z.yaml", "a/d/y.yaml", ".h/x.yaml", "a.yaml"] {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        std::os::unix::fs::symlink(root.path(), root.path().join("loop")).unwrap();
        let found: Vec<String> = files(&format!("{}/**/*.yaml", root.path().display()))
            .iter()
            .map(|found| found.path.strip_prefix(root.path()).unwrap().display().to_string())
            .collect();
        assert_eq!(found, ["a/d/y.yaml", "a/z.yaml", "a.yaml", "b.yaml"]);
    }
    #[test]
    fn listings_find_the_same_and_look_once() {
        let root = tempfile::tempdir().unwrap();
        for file in ["a/z.yaml", "a/d/y.yaml", "a/d.yaml/in.yaml", "b.yaml"] {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        std::os::unix::fs::symlink("b.yaml", root.path().join("a/link.yaml")).unwrap();
        std::os::unix::fs::symlink(root.path(), root.path().join("a/folder.yaml")).unwrap();
        let listings = Listings::default();
        let patterns = ["**/*.yaml", "a/*.yaml", "*/*.yaml", "*", "{b,a/z}.yaml", "a/**/y.yaml", "*/d/*"];
        let patterns = patterns.map(|pattern| format!("{}/{pattern}", root.path().display()));
        let listed =
            |pattern: &String| listings.files(pattern, pattern, &Files::anywhere(), &Budget::default()).unwrap();
        let all = || patterns.iter().map(listed).collect::<Vec<_>>();
        let before = all();
        for (pattern, found) in patterns.iter().zip(&before) {
            assert_eq!(files(pattern), *found, "{pattern}");
            let is_file = |found: &Match| found.path.symlink_metadata().unwrap().is_file();
            assert!(found.iter().all(|one| !one.is_file || is_file(one)), "{pattern}");
        }
        fs::write(root.path().join("a/new.yaml"), "").unwrap();
        assert_eq!(all(), before);
        assert_ne!(files(&patterns[1]).len(), before[1].len());
    }

    #[test]
    fn braces_and_walks_have_a_limit_that_is_named() {
        let bomb = format!("/{}", "{a,b,c,d,e,f,g,h,i,j}".repeat(9));
        let error = super::files(&bomb, "{a,b}", &Files::anywhere(), &Budget::default()).unwrap_err();
        assert!(error.to_string().contains("pattern '{a,b}' expand to more than 10000 paths"), "{error}");
        let long = format!("/{{{}}}{}", ",".repeat(9_000), "x".repeat(9_000));
        let error = alternatives(&long, &long, &Budget::default()).unwrap_err();
        assert_eq!(error.code(), codes::GLOB_LIMIT);
        // Every folder is searched repeatedly: a few folders make millions of paths.
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join(vec!["d"; 40].join("/"))).unwrap();
        let walk = format!("{}/{}none", root.path().display(), "**/*/".repeat(12));
        let few = Budget::new(hieratic_budget::Limits { steps: 100_000, ..Default::default() });
        let error = super::files(&walk, &walk, &Files::anywhere(), &few).unwrap_err();
        assert!(error.is_limit() && error.to_string().contains("100000 steps"), "{error}");
        assert!(error.help_text().is_some_and(|help| help.contains("--limit steps=")));
    }
}
