//! [`FactsFolder`]: a folder with a file of facts for each node.

use std::io;
use std::path::{Path, PathBuf};

use hieratic_hiera::{Error, ErrorKind};
use hieratic_sandbox::{FileKind, Files};
use hieratic_value::ErasedSort as _;
use hieratic_value::{Hash, Value};

use crate::codes;
use crate::facts::Facts;

/// A folder with a facts file for each node: `NAME.json`, `NAME.yaml` or `NAME.yml`, the first that exists. A file with
/// exactly the node's name, as `ansible -m setup --tree` writes it, is found as well, but is not listed by
/// [`names`](Self::names).
///
/// ```
/// use hieratic::facts::FactsFolder;
/// use hieratic::Permissions;
///
/// let folder = tempfile::tempdir().unwrap();
/// std::fs::write(folder.path().join("web01.yaml"), "role: web").unwrap();
/// let nodes = FactsFolder::new(folder.path(), &Permissions::default());
/// assert_eq!(nodes.names().unwrap(), ["web01"]);
/// assert!(nodes.read(&nodes.file("web01").unwrap()).is_ok());
/// assert_eq!(nodes.file("web02"), None);
/// ```
#[derive(Clone, Debug)]
pub struct FactsFolder {
    folder: PathBuf,
    files: Files,
}

/// The extensions of facts files; the first that exists wins.
const ENDINGS: [&str; 3] = ["json", "yaml", "yml"];

impl FactsFolder {
    /// Creates the folder from a path on the command line.
    pub fn new(folder: &Path, permissions: &crate::Permissions) -> FactsFolder {
        FactsFolder { folder: folder.to_owned(), files: permissions.files_below(folder) }
    }

    /// Returns the possible files with a node's facts. The first existing one wins. There are none for an invalid name
    /// ([`is_node_name`]).
    pub fn places(&self, node: &str) -> impl Iterator<Item = PathBuf> {
        let endings: &[&str] = if is_node_name(node) { &ENDINGS } else { &[] };
        let plain = (!endings.is_empty()).then(|| self.folder.join(node));
        endings.iter().map(move |ending| self.folder.join(format!("{node}.{ending}"))).chain(plain)
    }

    /// Returns the existing files with the name of a node. The first has the facts; there are others if a node has files in
    /// several formats.
    pub fn files(&self, node: &str) -> impl Iterator<Item = PathBuf> {
        self.places(node).filter(|path| self.files.is_file(path))
    }

    /// Returns the existing file with the name of a node.
    pub fn file(&self, node: &str) -> Option<PathBuf> {
        self.files(node).next()
    }

    /// Returns the facts file of a node: the file with its name, otherwise the file whose facts contain its name
    /// ([`node_of_file`]). `None` if there is no such file.
    ///
    /// # Errors
    /// The folder cannot be listed.
    pub fn find(&self, node: &str) -> io::Result<Option<PathBuf>> {
        // Facts that cannot be read name no node.
        let is_of_node = |file: &PathBuf| node_of_file(file, &self.files).is_ok_and(|facts| facts.node() == Some(node));
        match self.file(node) {
            Some(file) => Ok(Some(file)),
            None => Ok(self.all()?.into_iter().find(is_of_node)),
        }
    }

    /// Reads one of the files.
    pub fn read(&self, file: &Path) -> Result<Hash, Error> {
        Facts::load(file, &self.files)
    }

    /// Returns the facts files, sorted. Those whose names are not Unicode are included, and cannot be read.
    pub fn all(&self) -> io::Result<Vec<PathBuf>> {
        let entries = self.files.list(&self.folder)?;
        let files =
            entries.iter().filter(|entry| entry.kind != FileKind::Folder).map(|entry| self.folder.join(&entry.name));
        let ends_so = |path: &PathBuf| {
            let ending = path.extension().and_then(|ending| ending.to_str());
            ending.is_some_and(|ending| ENDINGS.contains(&ending))
        };
        let mut files: Vec<PathBuf> = files
            .filter(|path| ends_so(path) && self.files.is_named(path))
            .chain(self.unnamed().filter(ends_so))
            .collect();
        files.sort_erased();
        Ok(files)
    }

    /// Returns the files of the folder whose names are not Unicode, in a printable form.
    fn unnamed(&self) -> impl Iterator<Item = PathBuf> {
        self.files.unnamed().into_iter().filter(|path| path.parent() == Some(&*self.folder))
    }

    /// Returns the names of the nodes, sorted. They are taken from the names of the files.
    pub fn names(&self) -> io::Result<Vec<String>> {
        let stem = |path: &PathBuf| path.file_stem()?.to_str().map(String::from);
        let mut names: Vec<String> = self.all()?.iter().filter_map(stem).filter(|name| is_node_name(name)).collect();
        names.sort_erased();
        names.dedup();
        Ok(names)
    }

    /// Returns the files whose names are not those of nodes, sorted: [`names`](Self::names) leaves them out.
    pub fn misnamed(&self) -> io::Result<Vec<PathBuf>> {
        let is_named = |path: &PathBuf| path.file_stem().and_then(|stem| stem.to_str()).is_some_and(is_node_name);
        Ok(self.all()?.into_iter().filter(|path| !is_named(path)).collect())
    }

    /// Reads the facts of all nodes. The names are taken from the facts ([`node_of_file`]).
    pub fn nodes(&self) -> io::Result<Vec<Result<Facts, Error>>> {
        Ok(self.all()?.iter().map(|file| self.node(file)).collect())
    }

    /// Reads the facts of the node of one of the files ([`all`](Self::all)). Call it from several threads for a large
    /// fleet.
    pub fn node(&self, file: &Path) -> Result<Facts, Error> {
        // Names that are not Unicode are escaped.
        if file.as_os_str().as_encoded_bytes().contains(&b'\\') && self.unnamed().any(|path| path == file) {
            let message = format!("the name of {} is not valid Unicode", file.display());
            return Err(Error::new(ErrorKind::Fatal, codes::FACTS_UNREADABLE, message)
                .help("rename the file: it is called as the node is"));
        }
        node_of_file(file, &self.files)
    }
}

/// Reads a facts file. The node's name is the certificate or host name in the facts, otherwise the name of the file.
pub fn node_of_file(file: &Path, files: &Files) -> Result<Facts, Error> {
    let facts = Facts::load(file, files)?;
    let name = node_of_facts(&facts)
        .unwrap_or_else(|| file.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned()));
    Ok(Facts::new(Some(&name), facts))
}

/// Returns the name of a node from its facts: `clientcert`, `networking.fqdn` or `fqdn`.
pub fn node_of_facts(facts: &Hash) -> Option<String> {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(String::from);
    let networking = facts.get("networking").and_then(Value::as_hash);
    text(facts.get("clientcert"))
        .or_else(|| text(networking.and_then(|networking| networking.get("fqdn"))))
        .or_else(|| text(facts.get("fqdn")))
}

/// Returns whether a string can be the name of a node. It becomes part of paths and URLs, so special characters are not
/// allowed.
pub fn is_node_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    !name.is_empty() && name.len() <= 255 && name.chars().all(plain) && !name.starts_with('.')
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use super::*;
    use crate::Permissions;

    #[test]
    fn a_name_that_is_no_unicode_is_an_error_of_its_file() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("web01.yaml"), "role: web").expect("a file");
        std::fs::write(folder.path().join(OsStr::from_bytes(b"web\xff.yaml")), "role: web").expect("a file");
        let nodes = FactsFolder::new(folder.path(), &Permissions::default());
        assert_eq!(nodes.names().expect("names"), ["web01"]);
        let (known, unknown): (Vec<_>, Vec<_>) = nodes.nodes().expect("nodes").into_iter().partition(Result::is_ok);
        assert_eq!(known.len(), 1);
        let messages: Vec<String> = unknown.into_iter().filter_map(|error| Some(error.err()?.to_string())).collect();
        let name = folder.path().join(r"web\xff.yaml");
        assert_eq!(messages, [format!("the name of {} is not valid Unicode", name.display())]);
    }
}
