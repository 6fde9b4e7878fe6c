//! Repositories in memory, and on a disk that is memory.

use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

/// Files by their paths, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Repository {
    pub(crate) files: Vec<File>,
}

/// A file, or a link.
#[derive(Clone, Debug)]
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) bytes: Vec<u8>,
    /// Where it leads, if it is a link.
    pub(crate) link: Option<String>,
}

impl File {
    pub(crate) fn new(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> File {
        File { path: path.into(), bytes: bytes.into(), link: None }
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    pub(crate) fn extension(&self) -> &str {
        Path::new(&self.path).extension().and_then(|extension| extension.to_str()).unwrap_or("")
    }
}

impl Repository {
    pub(crate) fn size(&self) -> usize {
        self.files.iter().map(|file| file.bytes.len() + file.path.len()).sum()
    }

    /// The files whose names end in one of these ways.
    pub(crate) fn ending<'a>(&'a self, extensions: &'a [&str]) -> impl Iterator<Item = &'a File> {
        self.files.iter().filter(move |file| file.link.is_none() && extensions.contains(&file.extension()))
    }

    /// Puts a file in, in place of what has its path.
    pub(crate) fn put(&mut self, file: File) {
        match self.files.iter_mut().find(|known| known.path == file.path) {
            Some(known) => *known = file,
            None => self.files.push(file),
        }
    }

    /// Reads a folder.
    pub(crate) fn read(folder: &Path) -> io::Result<Repository> {
        let mut repository = Repository::default();
        repository.read_below(folder, folder)?;
        repository.files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(repository)
    }

    fn read_below(&mut self, root: &Path, folder: &Path) -> io::Result<()> {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                self.read_below(root, &path)?;
            } else {
                let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
                self.files.push(File::new(name, std::fs::read(&path)?));
            }
        }
        Ok(())
    }

    /// Writes it below an empty folder. What a file system refuses, such as a file below a file, is left out. U+FFFD in a path is written as a
    /// byte that is no Unicode.
    pub(crate) fn write(&self, root: &Path) {
        for file in &self.files {
            let path = root.join(OsString::from_vec(without_unicode(&file.path)));
            // Names are mutated, too, and must not lead out of the folder.
            if !is_inside(&file.path) {
                continue;
            }
            // Nor through a link that was written before.
            let around = path.ancestors().skip(1).take_while(|folder| *folder != root);
            if around.into_iter().any(Path::is_symlink) {
                continue;
            }
            if let Some(folder) = path.parent() {
                let _ = std::fs::create_dir_all(folder);
            }
            let _ = match &file.link {
                Some(target) => std::os::unix::fs::symlink(target, &path),
                None => std::fs::write(&path, &file.bytes),
            };
        }
    }

    /// The folder of the environment, as the files have it.
    pub(crate) fn environment(&self, root: &Path) -> PathBuf {
        let production = "environments/production/";
        if self.files.iter().any(|file| file.path.starts_with(production)) {
            root.join(production)
        } else {
            root.to_owned()
        }
    }
}

fn without_unicode(path: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(path.len());
    for (number, part) in path.split('\u{fffd}').enumerate() {
        bytes.extend((number > 0).then_some(0xff));
        bytes.extend(part.as_bytes());
    }
    bytes
}

/// Whether a path stays below the folder that it begins in.
fn is_inside(path: &str) -> bool {
    use std::path::Component;
    !path.is_empty() && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}
