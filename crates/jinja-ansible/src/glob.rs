//! [`glob`]: the files that a pattern finds.

use std::path::{Component, Path, PathBuf};

use hieratic_jinja::extend::{FileAccess, Result, error, work};
use hieratic_sandbox::name_pattern::{Dialect, matches};

/// The most files that a pattern finds.
const MAX_PATHS: usize = 10_000;

/// Returns the paths that match a pattern, limited to those that the engine may read. `*`, `?` and `[...]` match within
/// one part of a path.
pub fn glob(reach: &FileAccess<'_>, pattern: &str) -> Result<Vec<PathBuf>> {
    reach.open(Path::new(pattern))?;
    let absolute = reach.absolute(Path::new(pattern));
    let mut found = vec![PathBuf::from("/")];
    for part in absolute.components() {
        let Component::Normal(part) = part else { continue };
        let part = part.to_string_lossy();
        let is_pattern = part.contains(['*', '?', '[']);
        let mut next = Vec::new();
        for folder in &found {
            if !is_pattern {
                next.push(folder.join(&*part));
                continue;
            }
            let entries = reach.list(folder)?;
            work::steps(entries.len())?;
            for entry in entries {
                let hidden = entry.name.starts_with('.') && !part.starts_with('.');
                // Python's dialect has no malformed patterns.
                if !hidden && matches(Dialect::Python, &part, &entry.name).unwrap_or(false) {
                    next.push(folder.join(entry.name));
                }
                if next.len() > MAX_PATHS {
                    return Err(error(format!("the pattern {pattern} finds more than {MAX_PATHS} files")));
                }
            }
        }
        found = next;
    }
    let mut existing = Vec::with_capacity(found.len());
    for path in found {
        if reach.seen(&path)?.is_some() {
            existing.push(path);
        }
    }
    existing.sort();
    Ok(existing)
}
