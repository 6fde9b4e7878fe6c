//! [`Stamp`]: a fingerprint of the file metadata of an environment.
//!
//! Two equal fingerprints mean that no file was added, removed or changed in between. `.git` is left out: no answer
//! depends on it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use hieratic::powers::{Files, Kind, Stat};
use sha2::{Digest, Sha256};

use crate::Service;
use crate::environments::Opened;
use crate::problem::Problem;

/// The maximum number of names in a fingerprint. In a larger tree, changes of the others are not noticed.
const MOST_NAMES: usize = 200_000;

/// The maximum depth of folders.
const DEEPEST: usize = 64;

/// A fingerprint of files at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stamp(String);

impl Stamp {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The files and folders that answers and findings depend on.
#[derive(Clone)]
pub(crate) struct Places {
    /// The files that the environment may read. Links that lead outside are not followed.
    files: Files,
    environment: Vec<PathBuf>,
    /// The facts of nodes, if files hold them.
    facts: Option<PathBuf>,
}

impl Places {
    /// The places of an environment.
    pub(crate) fn of(service: &Service, environment: &str) -> Result<Places, Problem> {
        let (opened, _) = service.nodes.environments.get(environment)?;
        Ok(Places::of_opened(service, &opened))
    }

    fn of_opened(service: &Service, opened: &Opened) -> Places {
        let layers = opened.environment.layers();
        let root = layers.environment.root.clone();
        let outside = opened.environment.modulepath().filter(|folder| !folder.starts_with(&root));
        let mut environment = vec![root.clone(), layers.global_config.clone()];
        environment.extend(outside);
        Places {
            files: opened.environment.powers().code.clone(),
            environment,
            facts: service.stored.place().map(Path::to_path_buf),
        }
    }

    /// Returns the current fingerprint.
    pub(crate) fn stamp(&self) -> Stamp {
        let mut walk = Walk { hash: Sha256::new(), left: MOST_NAMES, seen: HashSet::new() };
        for place in &self.environment {
            walk.place(&self.files, place, 0);
        }
        if let Some(place) = &self.facts {
            walk.place(&Files::below([place]), place, 0);
        }
        Stamp(walk.hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect())
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
        self.note(path, stat.as_ref());
        let Some(stat) = stat.filter(Stat::is_folder) else { return };
        // Without an inode number, folders cannot be identified.
        if depth > DEEPEST || stat.inode != 0 && !self.seen.insert((stat.device, stat.inode)) {
            return;
        }
        let entries = match files.list(path) {
            Ok(entries) => entries,
            // Its files are not known: it is not as it was once it can be listed.
            Err(_) => return self.named(path, Some([u128::MAX; 4])),
        };
        for entry in entries.iter().filter(|entry| entry.name != ".git") {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            // Pipes and devices hold nothing.
            if entry.kind != Kind::Other {
                self.place(files, &path.join(&entry.name), depth + 1);
            }
        }
    }

    fn note(&mut self, path: &Path, stat: Option<&Stat>) {
        // The content of a folder is visited itself. Its times also change when ignored files are written in it.
        let told = stat.map(|stat| match stat.is_folder() {
            true => [0; 4],
            false => [u128::from(stat.len), stat.inode, nanoseconds(stat.modified), nanoseconds(stat.changed)],
        });
        self.named(path, told);
    }

    fn named(&mut self, path: &Path, told: Option<[u128; 4]>) {
        self.hash.update(path.as_os_str().as_encoded_bytes());
        self.hash.update([0, u8::from(told.is_some())]);
        for number in told.into_iter().flatten() {
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
    fn a_stamp_changes_with_the_files_alone() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("data/a.yaml", "a: 1\n");
        let places =
            Places { files: Files::below([folder.path()]), environment: vec![folder.path().into()], facts: None };
        let first = places.stamp();
        write(".git/index", "1");
        assert_eq!(places.stamp(), first);
        write("data/a.yaml", "a: 10\n");
        let second = places.stamp();
        assert_ne!(second, first);
        write("data/b.yaml", "");
        assert_ne!(places.stamp(), second);
        std::fs::remove_file(folder.path().join("data/b.yaml")).unwrap();
        assert_eq!(places.stamp(), second);
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_neither_out_nor_in_circles() {
        let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink(folder.path(), folder.path().join("again")).unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.path().join("out")).unwrap();
        let places =
            Places { files: Files::below([folder.path()]), environment: vec![folder.path().into()], facts: None };
        let first = places.stamp();
        std::fs::write(outside.path().join("other"), "1").unwrap();
        assert_eq!(places.stamp(), first);
    }
}
