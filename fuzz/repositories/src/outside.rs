//! A folder beside the repositories that nothing in them may be read through: it is watched by the system.

use std::io;
use std::mem::MaybeUninit;
use std::path::{Path, PathBuf};

use rustix::fd::OwnedFd;
use rustix::fs::inotify;

/// What is in the folder: a repository of git that would answer if somebody followed a way to it, and data.
const FILES: [(&str, &str); 9] = [
    ("HEAD", "ref: refs/heads/main\n"),
    ("config", "[core]\n\trepositoryformatversion = 0\n"),
    ("refs/heads/main", "4b825dc642cb6eb9a060e54bf8d69288fbee4904\n"),
    ("packed-refs", "4b825dc642cb6eb9a060e54bf8d69288fbee4904 refs/heads/main\n"),
    ("objects/info/alternates", ""),
    ("objects/pack/pack-a.idx", ""),
    ("objects/4b/825dc642cb6eb9a060e54bf8d69288fbee4904", ""),
    ("data.yaml", "port: of the outside\n"),
    ("hiera.yaml", "version: 5\n"),
];

/// The folder, watched.
pub(crate) struct Outside {
    folder: PathBuf,
    events: OwnedFd,
}

impl Outside {
    /// Makes the folder.
    pub(crate) fn make(folder: &Path) -> io::Result<Outside> {
        let events = inotify::init(inotify::CreateFlags::NONBLOCK | inotify::CreateFlags::CLOEXEC)?;
        for (name, text) in FILES {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().unwrap_or(folder))?;
            std::fs::write(path, text)?;
        }
        let flags = inotify::WatchFlags::OPEN | inotify::WatchFlags::ACCESS;
        for inner in ["", "refs", "refs/heads", "objects", "objects/info", "objects/pack", "objects/4b"] {
            inotify::add_watch(&events, folder.join(inner), flags)?;
        }
        Ok(Outside { folder: folder.to_owned(), events })
    }

    /// The names that were opened since this was asked last, in the folder or below it.
    pub(crate) fn opened(&self) -> Vec<String> {
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let mut reader = inotify::Reader::new(&self.events, &mut buffer);
        let mut names = Vec::new();
        // There are no more events where nothing can be read.
        while let Ok(event) = reader.next() {
            let name = event.file_name().map_or_else(|| self.folder.to_string_lossy(), |name| name.to_string_lossy());
            names.push(name.into_owned());
        }
        names.dedup();
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opened_files_are_reported() {
        let folder = crate::worker::scratch().with_extension("watched");
        let outside = Outside::make(&folder).unwrap();
        assert!(outside.opened().is_empty());
        std::fs::read(folder.join("data.yaml")).unwrap();
        assert!(outside.opened().contains(&"data.yaml".to_owned()));
        assert!(outside.opened().is_empty());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
