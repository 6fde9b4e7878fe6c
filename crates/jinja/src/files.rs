//! [`Reach`]: which files a template may look at.

use std::path::{Component, Path, PathBuf};
use std::{fmt, io};

use hieratic_powers::{Denied, Files, Kind, Outside, Stat};

use crate::error::{Result, error};
use crate::options::Options;
use crate::work;

/// How many steps a question to the file system is.
const ASKED: usize = 20;

/// That a template may not look at a file: what stands behind the error that says so.
#[derive(Debug)]
struct NotAllowed;

impl fmt::Display for NotAllowed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("templates cannot access the file")
    }
}

impl std::error::Error for NotAllowed {}

fn denied(message: String) -> minijinja::Error {
    error(message).with_source(NotAllowed)
}

/// Whether an error is about a file that templates may not look at.
pub fn is_denied(error: &minijinja::Error) -> bool {
    let mut source = std::error::Error::source(error);
    while let Some(inner) = source {
        if inner.is::<NotAllowed>() {
            return true;
        }
        source = inner.source();
    }
    false
}

/// Which files a template may look at.
pub struct Reach<'a>(pub &'a Options);

impl Reach<'_> {
    /// The files.
    pub fn files(&self) -> &Files {
        &self.0.files
    }

    /// Whether templates may look at no file at all.
    fn is_closed(&self) -> bool {
        self.files().trees().is_empty() && self.files().outside() == Outside::Never
    }

    /// A path from the base folder.
    pub fn absolute(&self, path: &Path) -> PathBuf {
        std::path::absolute(self.0.base.join(path)).unwrap_or_else(|_| self.0.base.join(path))
    }

    /// An error unless some files may be looked at.
    pub fn open(&self, path: &Path) -> Result<()> {
        match self.is_closed() {
            false => Ok(()),
            true => Err(denied(format!(
                "the file {} cannot be read: templates require permission to read files",
                path.display()
            ))),
        }
    }

    /// What went wrong with a file, in the words of Ansible.
    fn fault(&self, path: &Path, fault: &io::Error) -> minijinja::Error {
        let name = path.display();
        match Denied::of(fault) {
            Some(why) if is_outside(fault) => denied(format!(
                "the file {name} cannot be read: it is outside of the folders that templates can read ({why})"
            )),
            _ => error(format!("Unable to retrieve file contents. Could not find or access '{name}': {fault}")),
        }
    }

    /// The path as it really is, if it exists and may be looked at.
    pub fn allowed(&self, path: &Path) -> Result<PathBuf> {
        self.open(path)?;
        self.files().real(path).map_err(|fault| self.fault(path, &fault))
    }

    /// What is at a path, links followed; nothing if there is nothing, an error if it may not be looked at.
    pub fn seen(&self, path: &Path) -> Result<Option<Stat>> {
        let absolute = self.absolute(path);
        self.open(&absolute)?;
        work::steps(ASKED)?;
        match self.files().try_stat(&absolute) {
            Ok(stat) => return Ok(Some(stat)),
            Err(fault) if is_outside(&fault) => return Err(self.fault(&absolute, &fault)),
            Err(_) => {}
        }
        // Whether something outside exists is told to nobody.
        let ordered = absolute.components().all(|part| part != Component::ParentDir);
        let mut ancestors = absolute.ancestors().skip(1);
        let nearest = ancestors.find_map(|ancestor| match self.files().try_stat(ancestor) {
            Ok(_) => Some(true),
            Err(fault) => is_outside(&fault).then_some(false),
        });
        match nearest {
            Some(true) if ordered => Ok(None),
            _ => Err(denied(format!(
                "the file {} cannot be accessed: it is outside of the folders that templates can read",
                path.display()
            ))),
        }
    }

    /// Whether a path is a link, also one to nowhere.
    pub fn is_link(&self, path: &Path) -> Result<bool> {
        self.seen(path)?;
        let absolute = self.absolute(path);
        let (Some(folder), Some(name)) = (absolute.parent(), absolute.file_name().and_then(|name| name.to_str()))
        else {
            return Ok(false);
        };
        let Ok(entries) = self.files().list(folder) else { return Ok(false) };
        work::steps(entries.len())?;
        Ok(entries.iter().any(|entry| entry.name == name && entry.kind == Kind::Link))
    }

    /// Whether a regular file is at a path that may be looked at.
    pub fn is_file(&self, path: &Path) -> bool {
        self.files().is_file(path)
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
            self.open(&path)?;
            work::steps(ASKED)?;
            match self.files().real(&path) {
                Ok(real) => return Ok(Some(real)),
                Err(fault) if is_outside(&fault) => return Err(self.fault(&path, &fault)),
                Err(_) => {}
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

    /// The text of a file.
    pub fn read_text(&self, path: &Path) -> Result<String> {
        let text = self.files().read_text(path);
        let text = text.map_err(|fault| error(format!("could not read {}: {fault}", path.display())))?;
        work::bytes(text.len())?;
        Ok(text)
    }
}

/// Whether a file was refused because of where it lies.
fn is_outside(fault: &io::Error) -> bool {
    Denied::of(fault).is_some_and(|denied| matches!(denied.reason(), hieratic_powers::Reason::Outside { .. }))
}
