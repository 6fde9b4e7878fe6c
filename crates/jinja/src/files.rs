//! [`Reach`]: which files a template may look at.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::options::{Files, Options};
use crate::python::{Result, error};

/// The largest file that is read.
const LARGEST: u64 = 64 << 20;

/// The most files that a pattern finds.
const MOST: usize = 10_000;

/// Which files a template may look at. Every path is followed to where it really is before it is allowed.
pub struct Reach<'a>(pub &'a Options);

impl Reach<'_> {
    /// A path from the base folder.
    pub fn absolute(&self, path: &Path) -> PathBuf {
        std::path::absolute(self.0.base.join(path)).unwrap_or_else(|_| self.0.base.join(path))
    }

    /// The path as it really is, if it exists and may be looked at.
    pub fn allowed(&self, path: &Path) -> Result<PathBuf> {
        let name = path.display();
        if self.0.files == Files::None {
            return Err(error(format!(
                "the file {name} may not be read: templates read no files unless they are allowed to"
            )));
        }
        let real = path.canonicalize().map_err(|fault| {
            error(format!("Unable to retrieve file contents. Could not find or access '{name}': {fault}"))
        })?;
        match self.is_inside(&real) {
            true => Ok(real),
            false => Err(error(format!("the file {name} may not be read: it is outside of what templates may read"))),
        }
    }

    /// Whether a real path is in a tree that may be looked at.
    fn is_inside(&self, real: &Path) -> bool {
        let below = |tree: &Path| self.absolute(tree).canonicalize().is_ok_and(|tree| real.starts_with(tree));
        match &self.0.files {
            Files::None => false,
            Files::All => true,
            Files::Base => below(Path::new("")),
            Files::Trees(trees) => below(Path::new("")) || trees.iter().any(|tree| below(tree)),
        }
    }

    /// The path, if there may be something and it may be looked at; an error if it may not.
    pub fn visible(&self, path: &Path) -> Result<Option<PathBuf>> {
        let absolute = self.absolute(path);
        if self.0.files == Files::None {
            return self.allowed(&absolute).map(Some);
        }
        match absolute.symlink_metadata() {
            Ok(_) if absolute.exists() => self.allowed(&absolute).map(|_| Some(absolute)),
            // A link to nowhere counts where its folder may be looked at.
            Ok(_) => match absolute.parent().map(|parent| self.allowed(parent)) {
                Some(Err(fault)) => Err(fault),
                _ => Ok(Some(absolute)),
            },
            // Whether something outside exists is told to nobody.
            Err(_) => {
                let ordered = absolute.components().all(|part| part != Component::ParentDir);
                let existing = absolute.ancestors().skip(1).find_map(|ancestor| ancestor.canonicalize().ok());
                match existing.filter(|existing| ordered && self.is_inside(existing)) {
                    Some(_) => Ok(None),
                    None => Err(error(format!(
                        "the file {} may not be looked at: it is outside of what templates may read",
                        path.display()
                    ))),
                }
            }
        }
    }

    /// A file of a lookup: in a folder of its kind below the base folder, or in the base folder itself.
    pub fn find(&self, folder: &str, name: &str) -> Result<Option<PathBuf>> {
        let name = Path::new(name);
        let candidates = match name.is_absolute() {
            true => vec![name.to_path_buf()],
            false => vec![Path::new(folder).join(name), name.to_path_buf()],
        };
        for candidate in candidates {
            let path = self.absolute(&candidate);
            if self.0.files == Files::None || path.exists() {
                return self.allowed(&path).map(Some);
            }
        }
        Ok(None)
    }

    /// The file of a template that is included, below the base folder.
    pub fn template(&self, name: &str) -> Result<Option<PathBuf>> {
        let parts = Path::new(name).components();
        if parts.into_iter().any(|part| part == Component::ParentDir) {
            return Ok(None);
        }
        self.find("templates", name.trim_start_matches('/'))
    }

    /// The text of a file that was allowed.
    pub fn read_text(&self, path: &Path) -> Result<String> {
        let fault = |fault: std::io::Error| error(format!("could not read {}: {fault}", path.display()));
        let metadata = fs::metadata(path).map_err(fault)?;
        if !metadata.is_file() {
            return Err(error(format!("{} is no file", path.display())));
        }
        if metadata.len() > LARGEST {
            return Err(error(format!("{} is too large to be read", path.display())));
        }
        String::from_utf8(fs::read(path).map_err(fault)?)
            .map_err(|_| error(format!("{} is no text in utf-8", path.display())))
    }

    /// The paths that a pattern with `*`, `?` and `[...]` in its parts finds, those that may be looked at.
    pub fn glob(&self, pattern: &str) -> Result<Vec<PathBuf>> {
        if self.0.files == Files::None {
            self.allowed(Path::new(pattern))?;
        }
        let absolute = self.absolute(Path::new(pattern));
        let mut found = vec![PathBuf::from("/")];
        for part in absolute.components() {
            let Component::Normal(part) = part else { continue };
            let part = part.to_string_lossy();
            let is_pattern = part.contains(['*', '?', '[']);
            let matcher =
                if is_pattern { Some(crate::filters::compile(&wildcard(&part), false, false)?) } else { None };
            let mut next = Vec::new();
            for folder in &found {
                let Some(matcher) = &matcher else {
                    next.push(folder.join(&*part));
                    continue;
                };
                if self.allowed(folder).is_err() {
                    continue;
                }
                for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                    let name = entry.file_name().to_string_lossy().into_owned();
                    let hidden = name.starts_with('.') && !part.starts_with('.');
                    if !hidden && matcher.is_match(&name).unwrap_or(false) {
                        next.push(folder.join(name));
                    }
                    if next.len() > MOST {
                        return Err(error(format!("the pattern {pattern} finds more than {MOST} files")));
                    }
                }
            }
            found = next;
        }
        found.retain(|path| path.exists() && self.allowed(path).is_ok());
        found.sort();
        Ok(found)
    }
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
