//! `fileset`: the regular files below a folder whose paths match a pattern.

use std::io::ErrorKind;

use hieratic_budget::{Budget, Exhausted};
use hieratic_hcl_types::go::path;
use hieratic_hcl_types::{CallError, Type, Value};
use hieratic_sandbox::FileKind;
use hieratic_sandbox::name_pattern::{
    BadPattern, Dialect, ExpansionError, MAX_EXPANSION_BYTES, expand_braces, matches,
};

use super::guard::{AccessError, Guard};
use crate::arguments::{CallResult, call_error};

/// The maximum number of patterns that braces expand to.
const MAX_PATTERNS: usize = 10_000;

/// The maximum number of visited files and folders: links can form cycles.
const MAX_ENTRIES: usize = 1_000_000;

/// The cost of visiting one, in steps.
const ENTRY_COST: u64 = 4;

/// The maximum depth of folders.
const MAX_DEPTH: usize = 256;

pub(super) fn find_files(budget: &Budget, base: &str, guard: &Guard, path: &str, pattern: &str) -> CallResult {
    let folder = if path.starts_with('/') { path.to_owned() } else { path::join(base, path) };
    let whole = path::join(&folder, pattern);
    let folder = path::clean(&folder);
    // The pattern may lead above the folder; its beginning is then a path like any other.
    let (root, pattern) = match relative_to(&folder, &whole) {
        Some(pattern) => (folder.clone(), pattern),
        None if whole == folder => (folder.clone(), ""),
        None => {
            let wild = whole.find(['*', '?', '[', '{', '\\']).unwrap_or(whole.len());
            match whole.get(..wild).and_then(|before| before.rsplit_once('/')) {
                Some((root, _)) => {
                    let root = if root.is_empty() { "/" } else { root };
                    (root.to_owned(), relative_to(root, &whole).unwrap_or_default())
                }
                None => (".".to_owned(), whole.as_str()),
            }
        }
    };
    match guard.stat(&root) {
        Ok(_) => {}
        Err(AccessError::Outside(message)) => return call_error(message),
        Err(AccessError::Io(_)) => return Ok(Value::set(Type::String, Vec::new())),
    }
    let mut search = Search { guard, budget, found: Vec::new(), seen: 0 };
    let patterns = expand_braces(Dialect::Go, pattern, MAX_PATTERNS, budget).map_err(|error| match error {
        ExpansionError::Limit(limit) => limit.into(),
        ExpansionError::BadPattern => bad(&whole),
        ExpansionError::TooLarge => CallError::call(format!(
            "the braces of the pattern expand to more than {MAX_PATTERNS} patterns or {} MiB",
            MAX_EXPANSION_BYTES >> 20
        )),
    })?;
    for pattern in &patterns {
        let steps: Vec<&str> = pattern.split('/').collect();
        search.below(&root, &steps, 0).map_err(|problem| match problem {
            SearchError::Pattern => bad(&whole),
            SearchError::Other(message) => CallError::call(message),
            SearchError::Limit(limit) => limit.into(),
        })?;
    }
    let mut files = Vec::with_capacity(search.found.len());
    for path in search.found {
        match guard.stat(&path) {
            Ok(stat) if stat.is_file() => {
                files.push(Value::string(path_from(&folder, &path)));
            }
            Ok(_) => {}
            Err(AccessError::Outside(message)) => return call_error(message),
            Err(AccessError::Io(error)) => {
                let reason = if error.kind() == ErrorKind::NotFound {
                    "no such file or directory".to_owned()
                } else {
                    error.to_string()
                };
                return call_error(format!("failed to stat ({path}): stat {path}: {reason}"));
            }
        }
    }
    Ok(Value::set(Type::String, files))
}

fn bad(pattern: &str) -> CallError {
    CallError::call(format!("failed to glob pattern ({pattern}): syntax error in pattern"))
}

/// A path as seen from a folder, which need not be above it.
fn path_from(folder: &str, path: &str) -> String {
    let steps = |path: &str| -> Vec<String> {
        path.split('/').filter(|step| !step.is_empty() && *step != ".").map(str::to_owned).collect()
    };
    let (from, to) = (steps(folder), steps(path));
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..", from.len() - common);
    up.chain(to.iter().skip(common).map(String::as_str)).collect::<Vec<_>>().join("/")
}

enum SearchError {
    Pattern,
    Other(String),
    Limit(Exhausted),
}

impl From<Exhausted> for SearchError {
    fn from(limit: Exhausted) -> Self {
        SearchError::Limit(limit)
    }
}

impl From<BadPattern> for SearchError {
    fn from(_: BadPattern) -> Self {
        SearchError::Pattern
    }
}

struct Search<'g> {
    guard: &'g Guard,
    budget: &'g Budget,
    found: Vec<String>,
    seen: usize,
}

/// A file or folder in a folder.
struct Entry {
    name: String,
    path: String,
    is_folder: bool,
}

impl Search<'_> {
    /// Finds what matches the steps of a pattern in a folder.
    fn below(&mut self, folder: &str, steps: &[&str], depth: usize) -> Result<(), SearchError> {
        let Some((&step, rest)) = steps.split_first() else { return Ok(()) };
        if depth > MAX_DEPTH {
            return Err(SearchError::Other(format!("{folder} is more than {MAX_DEPTH} folders deep")));
        }
        let entries = self.entries(folder)?;
        if step == "**" {
            for entry in &entries {
                if rest.is_empty() {
                    self.found.push(entry.path.clone());
                }
                if entry.is_folder {
                    self.below(&entry.path, steps, depth + 1)?;
                }
            }
            return if rest.is_empty() { Ok(()) } else { self.here(&entries, rest, depth) };
        }
        self.here(&entries, steps, depth)
    }

    /// Finds what matches among these. A second `**` is but a `*`.
    fn here(&mut self, entries: &[Entry], steps: &[&str], depth: usize) -> Result<(), SearchError> {
        let Some((&step, rest)) = steps.split_first() else { return Ok(()) };
        for entry in entries {
            if !matches(Dialect::Go, step, &entry.name)? {
                continue;
            }
            if rest.is_empty() {
                self.found.push(entry.path.clone());
            } else if entry.is_folder {
                self.below(&entry.path, rest, depth + 1)?;
            }
        }
        Ok(())
    }

    /// The entries of a folder, sorted by name. An unreadable folder is empty.
    fn entries(&mut self, folder: &str) -> Result<Vec<Entry>, SearchError> {
        let mut entries = Vec::new();
        for entry in self.guard.list(folder) {
            self.seen += 1;
            self.budget.steps(ENTRY_COST)?;
            if self.seen > MAX_ENTRIES {
                return Err(SearchError::Other(format!(
                    "more than {MAX_ENTRIES} files and folders are below {folder}"
                )));
            }
            let path = path::join(folder, &entry.name);
            let is_folder = match entry.kind {
                FileKind::Link => match self.guard.stat(&path) {
                    Ok(stat) => stat.is_folder(),
                    Err(AccessError::Outside(message)) => return Err(SearchError::Other(message)),
                    Err(AccessError::Io(_)) => false,
                },
                kind => kind == FileKind::Folder,
            };
            entries.push(Entry { name: entry.name, path, is_folder });
        }
        Ok(entries)
    }
}

/// Returns a path as seen from a folder above it.
fn relative_to<'p>(from: &str, path: &'p str) -> Option<&'p str> {
    match from {
        "." => Some(path),
        "/" => path.strip_prefix('/'),
        from => path.strip_prefix(from)?.strip_prefix('/'),
    }
}
