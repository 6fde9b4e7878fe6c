//! [`IndexFiles`]: stores the indexes of `hieratic serve` in the user's cache folder, for the next start.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hieratic_service::IndexStore;

use crate::{files, places};

/// The variable that names another cache folder.
const PLACE: &str = "XDG_CACHE_HOME";

/// The maximum size of one index, in bytes.
const MAX_BYTES: u64 = 256 << 20;

/// The maximum size of all indexes, in bytes: the ones that were used longest ago are removed.
const MAX_TOTAL_BYTES: u64 = 512 << 20;

/// The maximum number of indexes.
const MAX_FILES: usize = 64;

/// The age from which an unfinished file is one of a process that was killed.
const ABANDONED_AFTER: Duration = Duration::from_secs(24 * 3600);

/// A private folder with one file for each index.
#[derive(Debug)]
pub(crate) struct IndexFiles {
    folder: PathBuf,
    program: String,
}

impl IndexFiles {
    /// Returns those of the user; `None` without a home folder.
    pub(crate) fn of_user() -> Option<IndexFiles> {
        Some(IndexFiles { folder: places::cache()?.join("indexes"), program: program() })
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.index"))
    }

    fn prepare(&self) -> io::Result<()> {
        if let Some(around) = self.folder.parent() {
            fs::create_dir_all(around)?;
        }
        files::private::folder(&self.folder, PLACE)
    }

    /// Removes what is too much, the files that were used longest ago first.
    fn prune(&self) -> io::Result<()> {
        let mut known: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let (path, data) = (entry.path(), entry.metadata()?);
            let used = data.modified()?;
            let is_index = path.extension().is_some_and(|end| end == "index");
            let is_abandoned = used.elapsed().is_ok_and(|age| age > ABANDONED_AFTER);
            if data.is_file() && (is_index || is_abandoned) {
                known.push((if is_index { used } else { UNIX_EPOCH }, data.len(), path));
            }
        }
        known.sort_unstable_by(|one, other| other.cmp(one));
        let mut bytes = 0;
        for (index, (used, length, path)) in known.into_iter().enumerate() {
            bytes += length;
            if index >= MAX_FILES || bytes > MAX_TOTAL_BYTES || used == UNIX_EPOCH {
                removed(&path)?;
            }
        }
        Ok(())
    }
}

/// Removes a file, which another process may have removed.
fn removed(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Identifies this build: its version, and the size and time of its file, which differ between builds of one version.
fn program() -> String {
    let own = std::env::current_exe().and_then(fs::metadata);
    let seconds = |time: SystemTime| time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    let build = own.and_then(|data| Ok((data.len(), seconds(data.modified()?))));
    match build {
        Ok((length, time)) => format!("{} {length} {time}", env!("CARGO_PKG_VERSION")),
        // Without its file, a build is as unknown as the next one: it uses what it keeps itself.
        Err(_) => format!("{} {}", env!("CARGO_PKG_VERSION"), std::process::id()),
    }
}

impl IndexStore for IndexFiles {
    fn program(&self) -> &str {
        &self.program
    }

    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let file = match File::open(self.file(name)) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        // A folder that others may write in is not believed.
        files::private::folder(&self.folder, PLACE)?;
        let data = file.metadata()?;
        if !data.is_file() || data.len() > MAX_BYTES {
            return Err(io::Error::new(ErrorKind::InvalidData, "it is no file of an index"));
        }
        let mut bytes = Vec::new();
        (&file).take(MAX_BYTES).read_to_end(&mut bytes)?;
        // The time of use decides what is removed. A file that keeps its old time is removed earlier.
        let _ =
            File::options().append(true).open(self.file(name)).and_then(|file| file.set_modified(SystemTime::now()));
        Ok(Some(bytes))
    }

    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() as u64 > MAX_BYTES {
            return Ok(());
        }
        self.prepare()?;
        files::whole(&self.file(name), |mut file| file.write_all(bytes))?;
        self.prune()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn store(folder: &Path) -> IndexFiles {
        IndexFiles { folder: folder.join("hieratic/indexes"), program: "test".into() }
    }

    #[test]
    fn the_last_written_file_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path());
        assert_eq!(store.read("a").unwrap(), None);
        store.write("a", b"one").unwrap();
        store.write("a", b"two").unwrap();
        store.write("b", b"").unwrap();
        assert_eq!(store.read("a").unwrap().as_deref(), Some(b"two".as_slice()));
        assert_eq!(fs::read_dir(&store.folder).unwrap().count(), 2, "nothing unfinished is left");
    }

    #[test]
    fn the_oldest_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path());
        let old = SystemTime::now() - Duration::from_secs(100_000);
        for number in 0..MAX_FILES as u64 + 3 {
            store.write(&number.to_string(), b"x").unwrap();
            let file = File::options().append(true).open(store.file(&number.to_string())).unwrap();
            file.set_modified(old + Duration::from_secs(number)).unwrap();
        }
        let part = store.folder.join(".9.index.1.part");
        fs::write(&part, "x").unwrap();
        File::options().append(true).open(&part).unwrap().set_modified(old).unwrap();
        store.write("last", b"x").unwrap();
        assert!(!part.exists() && !store.file("0").exists() && store.file("last").exists());
        assert_eq!(fs::read_dir(&store.folder).unwrap().count(), MAX_FILES);
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_of_others_is_not_believed() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let store = store(folder.path());
        store.write("a", b"one").unwrap();
        fs::set_permissions(&store.folder, fs::Permissions::from_mode(0o777)).unwrap();
        assert!(store.read("a").is_err() && store.write("a", b"two").is_err());
    }
}
