//! `fileset`: the regular files below a folder whose paths match a pattern.

use std::fs::Metadata;

use hieratic_cty::{CallError, Type, Value};

use super::glob::{BadPattern, alternatives, matches};
use super::guard::Guard;
use super::paths;
use crate::arguments::{Outcome, failed};

/// How many files and folders are looked at: links can lead in circles.
const MOST: usize = 1_000_000;

/// How many folders deep.
const DEEPEST: usize = 256;

pub(super) fn matching(base: &str, guard: &Guard, path: &str, pattern: &str) -> Outcome {
    let folder = if path.starts_with('/') { path.to_owned() } else { paths::joined(base, path) };
    let whole = paths::joined(&folder, pattern);
    let folder = paths::clean(&folder);
    // The pattern may lead above the folder; its beginning is then a path like any other.
    let (root, pattern) = match paths::relative(&folder, &whole) {
        Some(pattern) => (folder.clone(), pattern),
        None if whole == folder => (folder.clone(), ""),
        None => {
            let wild = whole.find(['*', '?', '[', '{', '\\']).unwrap_or(whole.len());
            match whole.get(..wild).and_then(|before| before.rsplit_once('/')) {
                Some((root, _)) => {
                    let root = if root.is_empty() { "/" } else { root };
                    (root.to_owned(), paths::relative(root, &whole).unwrap_or_default())
                }
                None => (".".to_owned(), whole.as_str()),
            }
        }
    };
    guard.check(&root).map_err(CallError::call)?;
    if std::fs::symlink_metadata(&root).is_err() {
        return Ok(Value::set(Type::String, Vec::new()));
    }
    let mut search = Search { guard, found: Vec::new(), seen: 0 };
    let patterns = alternatives(pattern).map_err(|_| bad(&whole))?;
    for pattern in &patterns {
        let steps: Vec<&str> = pattern.split('/').collect();
        search.below(&root, &steps, 0).map_err(|fault| match fault {
            Fault::Pattern => bad(&whole),
            Fault::Other(message) => CallError::call(message),
        })?;
    }
    let mut files = Vec::with_capacity(search.found.len());
    for path in search.found {
        match std::fs::metadata(&path) {
            Ok(metadata) if metadata.is_file() => {
                files.push(Value::string(seen_from(&folder, &path)));
            }
            Ok(_) => {}
            Err(error) => {
                let reason = if error.kind() == std::io::ErrorKind::NotFound {
                    "no such file or directory".to_owned()
                } else {
                    error.to_string()
                };
                return failed(format!("failed to stat ({path}): stat {path}: {reason}"));
            }
        }
    }
    Ok(Value::set(Type::String, files))
}

fn bad(pattern: &str) -> CallError {
    CallError::call(format!("failed to glob pattern ({pattern}): syntax error in pattern"))
}

/// A path as seen from a folder, which need not be above it.
fn seen_from(folder: &str, path: &str) -> String {
    let steps = |path: &str| -> Vec<String> {
        path.split('/').filter(|step| !step.is_empty() && *step != ".").map(str::to_owned).collect()
    };
    let (from, to) = (steps(folder), steps(path));
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..", from.len() - common);
    up.chain(to.iter().skip(common).map(String::as_str)).collect::<Vec<_>>().join("/")
}

enum Fault {
    Pattern,
    Other(String),
}

impl From<BadPattern> for Fault {
    fn from(_: BadPattern) -> Self {
        Fault::Pattern
    }
}

struct Search<'g> {
    guard: &'g Guard,
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
    fn below(&mut self, folder: &str, steps: &[&str], depth: usize) -> Result<(), Fault> {
        let Some((&step, rest)) = steps.split_first() else { return Ok(()) };
        if depth > DEEPEST {
            return Err(Fault::Other(format!("{folder} is more than {DEEPEST} folders deep")));
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
    fn here(&mut self, entries: &[Entry], steps: &[&str], depth: usize) -> Result<(), Fault> {
        let Some((&step, rest)) = steps.split_first() else { return Ok(()) };
        for entry in entries {
            if !matches(step, &entry.name)? {
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

    /// What is in a folder, by name. One that cannot be read is empty.
    fn entries(&mut self, folder: &str) -> Result<Vec<Entry>, Fault> {
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            self.seen += 1;
            if self.seen > MOST {
                return Err(Fault::Other(format!("more than {MOST} files and folders are below {folder}")));
            }
            // Names that are no text cannot be told to anybody.
            let Ok(name) = entry.file_name().into_string() else { continue };
            let path = paths::joined(folder, &name);
            let kind = entry.file_type();
            let is_link = kind.as_ref().is_ok_and(std::fs::FileType::is_symlink);
            if is_link {
                self.guard.check(&path).map_err(Fault::Other)?;
            }
            let is_folder = if is_link {
                std::fs::metadata(&path).as_ref().is_ok_and(Metadata::is_dir)
            } else {
                kind.is_ok_and(|kind| kind.is_dir())
            };
            entries.push(Entry { name, path, is_folder });
        }
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }
}
