//! [`EnvironmentFingerprint`]: a fingerprint of the file metadata of an environment.
//!
//! Two equal fingerprints mean that no file was added, removed or changed in between. `.git` is left out: no answer
//! depends on it.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use hieratic::sandbox::{FileKind, Files, Stat};
use sha2::{Digest, Sha256};

use crate::Service;
use crate::environments::OpenEnvironment;
use crate::problem::Problem;

/// The maximum number of names in a fingerprint. In a larger tree, changes of the others are not noticed.
const MAX_NAMES: usize = 200_000;

/// The maximum depth of folders.
const MAX_DEPTH: usize = 64;

/// A fingerprint of files at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct EnvironmentFingerprint(String);

impl EnvironmentFingerprint {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The files and folders that answers and findings depend on.
#[derive(Clone)]
pub(crate) struct EnvironmentFiles {
    /// The files that the environment may read. Links that lead outside are not followed.
    files: Files,
    environment: Vec<PathBuf>,
    /// The facts of nodes, if files hold them.
    facts: Option<PathBuf>,
}

impl EnvironmentFiles {
    /// Returns the files of an environment.
    pub(crate) fn new(service: &Service, environment: &str) -> Result<EnvironmentFiles, Problem> {
        let (opened, _) = service.nodes.environments.get(environment)?;
        Ok(EnvironmentFiles::from_open(service, &opened))
    }

    /// Returns the files of an open environment.
    pub(crate) fn from_open(service: &Service, opened: &OpenEnvironment) -> EnvironmentFiles {
        let layers = opened.environment.layers();
        let root = layers.environment.root.clone();
        let outside = opened.environment.modulepath().filter(|folder| !folder.starts_with(&root));
        let mut environment = vec![root.clone(), layers.global_config.clone()];
        environment.extend(outside);
        EnvironmentFiles {
            files: opened.environment.capabilities().code.clone(),
            environment,
            facts: service.stored.path().map(Path::to_path_buf),
        }
    }

    /// Returns the current fingerprint.
    pub(crate) fn fingerprint(&self) -> EnvironmentFingerprint {
        let walk = self.walk(None);
        EnvironmentFingerprint(walk.hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect())
    }

    /// Returns a digest of the names and contents of all files; `None` if they are too many, or too deep.
    pub(crate) fn content(&self) -> Option<FileContents> {
        let walk = self.walk(Some(MAX_CONTENT_BYTES));
        (walk.left > 0 && walk.content != Some(0) && !walk.is_too_deep)
            .then(|| FileContents { digest: walk.hash.finalize().into(), newest: walk.newest })
    }

    /// Returns whether a file is among them, so that its changes show.
    pub(crate) fn contain(&self, path: &Path) -> bool {
        self.environment.iter().any(|place| path.starts_with(place))
            && path.components().all(|part| match part {
                Component::ParentDir => false,
                Component::Normal(name) => name != ".git",
                Component::Prefix(_) | Component::RootDir | Component::CurDir => true,
            })
    }

    #[cfg(test)]
    pub(crate) fn of_folder(folder: &Path) -> EnvironmentFiles {
        EnvironmentFiles { files: Files::below([folder]), environment: vec![folder.into()], facts: None }
    }

    fn walk(&self, content: Option<u64>) -> Walk {
        let mut walk = Walk {
            hash: Sha256::new(),
            left: MAX_NAMES,
            seen: HashSet::new(),
            content,
            newest: None,
            is_too_deep: false,
        };
        for place in &self.environment {
            walk.place(&self.files, place, 0);
        }
        if let Some(place) = &self.facts {
            walk.place(&Files::below([place]), place, 0);
        }
        walk
    }
}

/// The names and contents of files at one moment.
pub(crate) struct FileContents {
    pub(crate) digest: [u8; 32],
    /// The time of the last change of a file.
    pub(crate) newest: Option<SystemTime>,
}

/// The maximum size of all files whose contents are read, in bytes.
const MAX_CONTENT_BYTES: u64 = 1 << 30;

/// The size from which a file, such as an archive in a module, counts by its size and times instead of its content, in bytes.
const LARGE_FILE_BYTES: u64 = 4 << 20;

/// A walk through folders.
struct Walk {
    hash: Sha256,
    left: usize,
    /// The folders that were walked through: links may lead to one again.
    seen: HashSet<(u64, u128)>,
    /// The number of bytes that may still be read, if contents count.
    content: Option<u64>,
    /// The time of the last change of a file.
    newest: Option<SystemTime>,
    /// Whether folders were left out because they are too deep.
    is_too_deep: bool,
}

impl Walk {
    fn place(&mut self, files: &Files, path: &Path, depth: usize) {
        let stat = files.stat(path);
        match (&stat, self.content) {
            (Some(stat), Some(left)) if !stat.is_folder() && stat.len < LARGE_FILE_BYTES => {
                self.hash_content(files, path, stat, left);
            }
            _ => self.hash_file(path, stat.as_ref()),
        }
        let Some(stat) = stat.filter(Stat::is_folder) else { return };
        self.is_too_deep |= depth > MAX_DEPTH;
        // Without an inode number, folders cannot be identified.
        if depth > MAX_DEPTH || stat.inode != 0 && !self.seen.insert((stat.device, stat.inode)) {
            return;
        }
        let entries = match files.list(path) {
            Ok(entries) => entries,
            // Its entries are unknown: the fingerprint changes once the folder can be listed.
            Err(_) => return self.hash_entry(path, Some([u128::MAX; 4])),
        };
        for entry in entries.iter().filter(|entry| entry.name != ".git") {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            // Pipes and devices hold nothing.
            if entry.kind != FileKind::Other {
                self.place(files, &path.join(&entry.name), depth + 1);
            }
        }
    }

    /// Adds the content of a file. One that cannot be read differs from each that can.
    fn hash_content(&mut self, files: &Files, path: &Path, stat: &Stat, left: u64) {
        self.newest = self.newest.max(stat.modified).max(stat.changed);
        match files.read(path) {
            Ok(bytes) => {
                self.content = Some(left.saturating_sub(bytes.len() as u64));
                self.hash_entry(path, Some([u128::from(bytes.len() as u64), 0, 0, 0]));
                self.hash.update(&bytes);
            }
            Err(_) => self.hash_entry(path, Some([u128::MAX - 1; 4])),
        }
    }

    fn hash_file(&mut self, path: &Path, stat: Option<&Stat>) {
        // The content of a folder is visited itself. Its times also change when ignored files are written in it.
        let metadata = stat.map(|stat| {
            if stat.is_folder() {
                [0; 4]
            } else {
                [u128::from(stat.len), stat.inode, nanoseconds(stat.modified), nanoseconds(stat.changed)]
            }
        });
        self.hash_entry(path, metadata);
    }

    fn hash_entry(&mut self, path: &Path, metadata: Option<[u128; 4]>) {
        self.hash.update(path.as_os_str().as_encoded_bytes());
        self.hash.update([0, u8::from(metadata.is_some())]);
        for number in metadata.into_iter().flatten() {
            self.hash.update(number.to_le_bytes());
        }
    }
}

fn nanoseconds(time: Option<SystemTime>) -> u128 {
    time.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok()).map_or(0, |time| time.as_nanos())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_changes_only_with_the_files() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("data/a.yaml", "a: 1\n");
        let places = EnvironmentFiles::of_folder(folder.path());
        let first = places.fingerprint();
        write(".git/index", "1");
        assert_eq!(places.fingerprint(), first);
        write("data/a.yaml", "a: 10\n");
        let second = places.fingerprint();
        assert_ne!(second, first);
        write("data/b.yaml", "");
        assert_ne!(places.fingerprint(), second);
        std::fs::remove_file(folder.path().join("data/b.yaml")).unwrap();
        assert_eq!(places.fingerprint(), second);
    }

    #[test]
    fn contents_count_and_times_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.yaml");
        std::fs::write(&file, "a: 1\n").unwrap();
        let places = EnvironmentFiles::of_folder(folder.path());
        let (fingerprint, content) = (places.fingerprint(), places.content().unwrap());
        // Another file with the same content.
        std::fs::write(folder.path().join("new"), "a: 1\n").unwrap();
        std::fs::rename(folder.path().join("new"), &file).unwrap();
        assert_ne!(places.fingerprint(), fingerprint);
        assert_eq!(places.content().unwrap().digest, content.digest);
        std::fs::write(&file, "a: 2\n").unwrap();
        assert_ne!(places.content().unwrap().digest, content.digest);
        assert!(content.newest.is_some());
        assert!(places.contain(&file) && !places.contain(Path::new("/elsewhere")));
        assert!(!places.contain(&folder.path().join("../elsewhere")));
        assert!(!places.contain(&folder.path().join(".git/a.yaml")));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed_outside_or_in_cycles() {
        let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink(folder.path(), folder.path().join("again")).unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.path().join("out")).unwrap();
        let places = EnvironmentFiles::of_folder(folder.path());
        let first = places.fingerprint();
        std::fs::write(outside.path().join("other"), "1").unwrap();
        assert_eq!(places.fingerprint(), first);
    }
}
