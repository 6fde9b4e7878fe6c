//! [`FileAccess`]: the files that a template can access.

use std::path::{Component, Path, PathBuf};
use std::{fmt, io};

use hieratic_sandbox::{Denied, DirEntry, FileKind, Files, HiddenVariable, Outside, Stat, is_absence};

use crate::error::{Result, error};
use crate::options::Options;
use crate::work;

/// The cost of a file system query in steps.
const QUERY_STEPS: usize = 20;

/// The source of an error about a file that templates must not access.
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

/// Returns whether an error is about a file or an environment variable that templates must not access.
pub fn is_denied(error: &minijinja::Error) -> bool {
    let mut source = std::error::Error::source(error);
    while let Some(inner) = source {
        if inner.is::<NotAllowed>() || inner.is::<HiddenVariable>() {
            return true;
        }
        source = inner.source();
    }
    false
}

/// The files that a template can access.
pub struct FileAccess<'a>(pub &'a Options);

impl FileAccess<'_> {
    /// Returns the files.
    pub fn files(&self) -> &Files {
        &self.0.files
    }

    /// Returns whether templates cannot access any file.
    fn is_closed(&self) -> bool {
        self.files().trees().is_empty() && self.files().outside() == Outside::Never
    }

    /// Resolves a path relative to the base folder.
    pub fn absolute(&self, path: &Path) -> PathBuf {
        std::path::absolute(self.0.base.join(path)).unwrap_or_else(|_| self.0.base.join(path))
    }

    /// Returns an error if templates cannot access any files.
    pub fn open(&self, path: &Path) -> Result<()> {
        if self.is_closed() {
            Err(denied(format!(
                "the file {} cannot be read: templates require permission to read files",
                path.display()
            )))
        } else {
            Ok(())
        }
    }

    /// Creates the error for a file that could not be read, with the message of Ansible.
    fn fault(&self, path: &Path, problem: &io::Error) -> minijinja::Error {
        let name = path.display();
        match Denied::from_error(problem) {
            Some(reason) if is_outside(problem) => denied(format!(
                "the file {name} cannot be read: it is outside of the folders that templates can read ({reason})"
            )),
            _ => error(format!("Unable to retrieve file contents. Could not find or access '{name}': {problem}")),
        }
    }

    /// Returns the path with all links resolved, or an error if it does not exist or must not be accessed.
    pub fn allowed(&self, path: &Path) -> Result<PathBuf> {
        self.open(path)?;
        self.files().real(path).map_err(|error| self.fault(path, &error))
    }

    /// Returns the metadata of a path, links followed. Returns `None` if it does not exist, and an error if it must not
    /// be accessed.
    pub fn seen(&self, path: &Path) -> Result<Option<Stat>> {
        let absolute = self.absolute(path);
        self.open(&absolute)?;
        work::steps(QUERY_STEPS)?;
        match self.files().try_stat(&absolute) {
            Ok(stat) => return Ok(Some(stat)),
            Err(error) if is_outside(&error) => return Err(self.fault(&absolute, &error)),
            Err(_) => {}
        }
        // The error must not reveal whether a file outside exists.
        let ordered = absolute.components().all(|part| part != Component::ParentDir);
        let mut ancestors = absolute.ancestors().skip(1);
        let nearest = ancestors.find_map(|ancestor| match self.files().try_stat(ancestor) {
            Ok(_) => Some(true),
            Err(error) => is_outside(&error).then_some(false),
        });
        match nearest {
            Some(true) if ordered => Ok(None),
            _ => Err(denied(format!(
                "the file {} cannot be accessed: it is outside of the folders that templates can read",
                path.display()
            ))),
        }
    }

    /// Lists a folder. A missing folder has no entries.
    ///
    /// # Errors
    /// Templates must not access the folder, or it cannot be read.
    pub fn list(&self, folder: &Path) -> Result<Vec<DirEntry>> {
        work::steps(QUERY_STEPS)?;
        match self.files().list(folder) {
            Ok(entries) => Ok(entries),
            Err(error) if is_absence(&error) => Ok(Vec::new()),
            Err(error) => Err(self.fault(folder, &error)),
        }
    }

    /// Returns whether a path is a symbolic link, even a dangling one.
    pub fn is_link(&self, path: &Path) -> Result<bool> {
        self.seen(path)?;
        let absolute = self.absolute(path);
        let (Some(folder), Some(name)) = (absolute.parent(), absolute.file_name().and_then(|name| name.to_str()))
        else {
            return Ok(false);
        };
        let Ok(entries) = self.files().list(folder) else { return Ok(false) };
        work::steps(entries.len())?;
        Ok(entries.iter().any(|entry| entry.name == name && entry.kind == FileKind::Link))
    }

    /// Returns whether a path is a regular file that templates can access.
    pub fn is_file(&self, path: &Path) -> bool {
        self.files().is_file(path)
    }

    /// Returns the file of a lookup: in a folder of its kind below one of the searched folders, or in the folder
    /// itself.
    pub fn find(&self, kind: &str, name: &str) -> Result<Option<PathBuf>> {
        self.first(&self.candidates(kind, name), |_| true)
    }

    /// Returns the possible paths of the file of a lookup, in search order.
    pub fn candidates(&self, kind: &str, name: &str) -> Vec<PathBuf> {
        self.places(self.folders(), kind, name)
    }

    /// The folders where files are looked for.
    fn folders(&self) -> Vec<&Path> {
        match self.0.search.as_slice() {
            [] => vec![&self.0.base],
            several => several.iter().map(PathBuf::as_path).collect(),
        }
    }

    /// Returns the candidate paths of a file, in search order.
    fn places(&self, folders: Vec<&Path>, kind: &str, name: &str) -> Vec<PathBuf> {
        let name = Path::new(name);
        if name.is_absolute() {
            return vec![name.to_path_buf()];
        }
        // A name that begins with the folder of its kind is not prefixed with it again.
        let is_named = !self.0.search.is_empty() && name.components().next() == Some(Component::Normal(kind.as_ref()));
        let below = folders.into_iter().flat_map(|folder| {
            let in_kind = (!is_named).then(|| folder.join(kind).join(name));
            in_kind.into_iter().chain([folder.join(name)])
        });
        let absolute = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
        below.map(absolute).collect()
    }

    /// Returns the first of these paths that exists and fits.
    fn first(&self, places: &[PathBuf], fits: impl Fn(&Path) -> bool) -> Result<Option<PathBuf>> {
        let mut refused = None;
        for path in places {
            self.open(path)?;
            work::steps(QUERY_STEPS)?;
            match self.files().real(path) {
                Ok(real) if fits(&real) => return Ok(Some(real)),
                Ok(_) => {}
                Err(error) if is_outside(&error) => {
                    refused.get_or_insert_with(|| self.fault(path, &error));
                }
                // A file that cannot be resolved does not exist.
                Err(_) => {}
            }
        }
        refused.map_or(Ok(None), Err)
    }

    /// Returns the file of an included template.
    pub fn template(&self, name: &str) -> Result<Option<PathBuf>> {
        match self.template_candidates(name) {
            // A folder of this name is passed over.
            Some(places) => self.first(&places, |path| self.is_file(path)),
            None => Ok(None),
        }
    }

    /// Returns the candidate paths of an included template; `None` if the name is not valid for a template.
    fn template_candidates(&self, name: &str) -> Option<Vec<PathBuf>> {
        let name = name.trim_start_matches('/');
        if Path::new(name).components().any(|part| part == Component::ParentDir) {
            return None;
        }
        let mut places = Vec::new();
        let base = (!self.0.search.is_empty()).then_some(self.0.base.as_path());
        for folder in self.folders().into_iter().chain(base) {
            let below = [folder.join("templates").join(name), folder.join(name)];
            places.extend(below.map(|path| std::path::absolute(&path).unwrap_or(path)));
        }
        Some(places)
    }

    /// Creates the error for included templates that do not exist, with their names and the folders that were searched.
    pub fn no_template(&self, names: &[String]) -> minijinja::Error {
        let quoted = names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ");
        let mut places: Vec<PathBuf> =
            names.iter().filter_map(|name| self.template_candidates(name)).flatten().collect();
        places.iter_mut().for_each(|place| *place = place.parent().unwrap_or(place).to_path_buf());
        let mut seen = std::collections::HashSet::new();
        places.retain(|place| seen.insert(place.clone()));
        let places = places.iter().map(|place| place.display().to_string()).collect::<Vec<_>>().join(", ");
        let message = match (names, places.as_str()) {
            (_, "") => format!("the template {quoted} was not found: the name of a template must not contain '..'"),
            ([_], places) => format!("the template {quoted} was not found in {places}"),
            (_, places) => format!("none of the templates {quoted} was found in {places}"),
        };
        minijinja::Error::new(minijinja::ErrorKind::TemplateNotFound, message)
    }

    /// Reads a file.
    pub fn read_text(&self, path: &Path) -> Result<String> {
        let text = self.files().read_text(path);
        let text = text.map_err(|problem| error(format!("could not read {}: {problem}", path.display())))?;
        work::bytes(text.len())?;
        Ok(text)
    }
}

/// Returns whether a file was refused because it is outside the allowed folders.
fn is_outside(error: &io::Error) -> bool {
    Denied::from_error(error)
        .is_some_and(|denied| matches!(denied.reason(), hieratic_sandbox::DeniedReason::Outside { .. }))
}
