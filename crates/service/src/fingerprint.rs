//! [`EnvironmentFingerprint`]: a fingerprint of the file metadata of an environment.
//!
//! Two equal fingerprints mean that no file was added, removed or changed in between. `.git` is left out: no answer
//! depends on it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
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

    fn from_open(service: &Service, opened: &OpenEnvironment) -> EnvironmentFiles {
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
        let mut walk = Walk { hash: Sha256::new(), left: MAX_NAMES, seen: HashSet::new() };
        for place in &self.environment {
            walk.place(&self.files, place, 0);
        }
        if let Some(place) = &self.facts {
            walk.place(&Files::below([place]), place, 0);
        }
        EnvironmentFingerprint(walk.hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect())
    }
}

/// A walk through folders.
struct Walk {
    hash: Sha256,
    left: usize,
    /// The folders that were walked through: links may lead to one again.
    seen: HashSet<(u64, u128)>,
}

impl Walk {
    fn place(&mut self, files: &Files, path: &Path, depth: usize) {
        let stat = files.stat(path);
        self.hash_file(path, stat.as_ref());
        let Some(stat) = stat.filter(Stat::is_folder) else { return };
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
        let places = EnvironmentFiles {
            files: Files::below([folder.path()]),
            environment: vec![folder.path().into()],
            facts: None,
        };
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

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed_outside_or_in_cycles() {
        let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink(folder.path(), folder.path().join("again")).unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.path().join("out")).unwrap();
        let places = EnvironmentFiles {
            files: Files::below([folder.path()]),
            environment: vec![folder.path().into()],
            facts: None,
        };
        let first = places.fingerprint();
        std::fs::write(outside.path().join("other"), "1").unwrap();
        assert_eq!(places.fingerprint(), first);
    }
}
