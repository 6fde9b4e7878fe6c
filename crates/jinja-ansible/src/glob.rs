//! [`glob`]: the files that a pattern finds.

use std::path::{Component, Path, PathBuf};

use hieratic_jinja::extend::{FileAccess, Result, error, work};

use crate::pattern::compile;

/// The most files that a pattern finds.
const MAX_PATHS: usize = 10_000;

/// Returns the accessible paths that match a pattern with `*`, `?` and `[...]` in its parts.
pub fn glob(reach: &FileAccess<'_>, pattern: &str) -> Result<Vec<PathBuf>> {
    reach.open(Path::new(pattern))?;
    let absolute = reach.absolute(Path::new(pattern));
    let mut found = vec![PathBuf::from("/")];
    for part in absolute.components() {
        let Component::Normal(part) = part else { continue };
        let part = part.to_string_lossy();
        let is_pattern = part.contains(['*', '?', '[']);
        let matcher = if is_pattern { Some(compile(&wildcard(&part), false, false)?) } else { None };
        let mut next = Vec::new();
        for folder in &found {
            let Some(matcher) = &matcher else {
                next.push(folder.join(&*part));
                continue;
            };
            let entries = reach.list(folder)?;
            work::steps(entries.len())?;
            for entry in entries {
                let hidden = entry.name.starts_with('.') && !part.starts_with('.');
                if !hidden && matcher.is_match(&entry.name).unwrap_or(false) {
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

/// The regular expression of a pattern.
fn wildcard(pattern: &str) -> String {
    let mut out = String::from("\\A");
    let mut rest = pattern;
    while let Some(letter) = rest.chars().next() {
        rest = rest.get(letter.len_utf8()..).unwrap_or("");
        match letter {
            '*' => out.push_str(".*"),
            '?' => out.push('.'),
            '[' => match rest.get(1..).and_then(|inner| inner.find(']')) {
                Some(end) => {
                    let class = rest.get(..end + 1).unwrap_or("").replace('\\', "\\\\");
                    let class = class.strip_prefix('!').map_or(class.clone(), |class| format!("^{class}"));
                    out.push_str(&format!("[{class}]"));
                    rest = rest.get(end + 2..).unwrap_or("");
                }
                None => out.push_str("\\["),
            },
            letter if letter.is_ascii_punctuation() => {
                out.push('\\');
                out.push(letter);
            }
            letter => out.push(letter),
        }
    }
    out + "\\z"
}
