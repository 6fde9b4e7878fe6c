//! Hostile repositories: reading them would be expensive, lead outside, or give wrong files.

use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::sync::Arc;

use hieratic_budget::{Exhausted, Limits};
use sha1::{Digest, Sha1};

use super::*;

/// A repository that is written byte by byte, without git.
struct ForgedRepository(tempfile::TempDir);

impl ForgedRepository {
    fn new() -> ForgedRepository {
        let forged = ForgedRepository(tempfile::tempdir().unwrap());
        for folder in [".git/objects/pack", ".git/refs/heads"] {
            std::fs::create_dir_all(forged.path().join(folder)).unwrap();
        }
        forged.write(".git/HEAD", "ref: refs/heads/main\n");
        forged
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    /// An object under its name.
    fn object(&self, kind: &str, bytes: &[u8]) -> [u8; 20] {
        self.object_of_size(kind, bytes.len() as u64, bytes)
    }

    /// An object whose header declares another size.
    fn object_of_size(&self, kind: &str, size: u64, bytes: &[u8]) -> [u8; 20] {
        let whole = [format!("{kind} {size}\0").as_bytes(), bytes].concat();
        let id: [u8; 20] = Sha1::digest(&whole).into();
        let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        packed.write_all(&whole).unwrap();
        let name = hex(id);
        self.write(&format!(".git/objects/{}/{}", &name[..2], &name[2..]), packed.finish().unwrap());
        id
    }

    fn tree(&self, entries: &[(&str, &str, [u8; 20])]) -> [u8; 20] {
        let one = |(mode, name, id): &(&str, &str, [u8; 20])| [format!("{mode} {name}\0").as_bytes(), id].concat();
        self.object("tree", &entries.iter().flat_map(one).collect::<Vec<u8>>())
    }

    /// A commit under the name of a branch.
    fn commit(&self, branch: &str, tree: [u8; 20], parent: Option<[u8; 20]>) -> [u8; 20] {
        let parent = parent.map_or(String::new(), |parent| format!("parent {}\n", hex(parent)));
        let who = "A <a@example.com> 1 +0000";
        let text = format!("tree {}\n{parent}author {who}\ncommitter {who}\n\n{branch}\n", hex(tree));
        let id = self.object("commit", text.as_bytes());
        self.write(&format!(".git/refs/heads/{branch}"), hex(id));
        id
    }

    /// A billion paths of twenty objects.
    fn bomb(&self, leaf: &str) -> [u8; 20] {
        let leaf = self.object("blob", leaf.as_bytes());
        let names: Vec<String> = (0..10).map(|number| format!("n{number}")).collect();
        let mut tree = self.tree(&names.iter().map(|name| ("100644", &**name, leaf)).collect::<Vec<_>>());
        for _ in 0..8 {
            tree = self.tree(&names.iter().map(|name| ("40000", &**name, tree)).collect::<Vec<_>>());
        }
        tree
    }

    fn open(&self) -> Repository {
        Repository::open(self.path()).unwrap()
    }

    fn refusal(&self) -> Error {
        Repository::open(self.path()).unwrap_err()
    }
}

fn hex(id: [u8; 20]) -> String {
    id.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn a_billion_paths_end_at_a_limit_or_when_cancelled() {
    let forged = ForgedRepository::new();
    let first = forged.commit("main", forged.bomb("a: 1\n"), None);
    forged.commit("other", forged.bomb("a: 2\n"), Some(first));
    let limits = Limits { steps: 100_000, bytes: 8 << 20, ..Limits::default() };
    let repository = forged.open().within(&Budget::new(limits));
    let [main, other] = ["main", "other"].map(|name| repository.commit(name).unwrap());
    let error = repository.changed(main, other).unwrap_err();
    assert!(error.limit().is_some() && error.help.contains("--limit"), "{error:?}");
    let error = repository.within(&Budget::new(limits)).changed_in_worktree(main).unwrap_err();
    assert!(error.limit().is_some(), "{error:?}");
    // The history compares what was read, not all files.
    let walked = repository.within(&Budget::new(limits));
    let steps: Vec<Step> = walked.history(other).map(Result::unwrap).collect();
    let reads = Arc::new(Reads::default());
    let deep: PathBuf = std::iter::repeat_n("n0", 9).collect();
    assert!(walked.tree(other).unwrap().recording(reads.clone()).entry(&deep).is_ok());
    assert!(steps.len() == 2 && walked.change_of_reads(&steps[0], &reads).unwrap() != ReadsChange::Nothing);
    // Walking over its files ends as well, and its error is not a missing file.
    let tree = repository.within(&Budget::new(limits)).tree(main).unwrap();
    let mut folders = vec![PathBuf::new()];
    let problem = loop {
        let folder = folders.pop().unwrap();
        match tree.list(&folder) {
            Ok(entries) => folders.extend(entries.into_iter().map(|entry| folder.join(entry.name))),
            Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => {}
            Err(error) => break error,
        }
    };
    assert!(problem.to_string().contains("more than"), "{problem}");
    let budget = Budget::new(Limits { bytes: u64::MAX, steps: u64::MAX, ..limits });
    let waiting = repository.within(&budget);
    let error = std::thread::scope(|scope| {
        let work = scope.spawn(|| waiting.changed(main, other).unwrap_err());
        std::thread::sleep(std::time::Duration::from_millis(20));
        budget.cancel();
        work.join().unwrap()
    });
    assert_eq!(error.limit(), Some(Exhausted::Cancelled));
}

#[test]
fn declared_sizes_are_limited_before_allocation() {
    let forged = ForgedRepository::new();
    let tree = forged.tree(&[]);
    for (kind, size) in [("commit", 3 << 30), ("tag", 3 << 30), ("tree", 1 << 40), ("commit", u64::MAX)] {
        let id = forged.object_of_size(kind, size, format!("tree {}\n", hex(tree)).as_bytes());
        forged.write(".git/refs/heads/main", hex(id));
        let error = forged.open().commit("main").unwrap_err();
        let is_tree = kind == "tree";
        assert!(is_tree || error.message.contains(&format!("has {size} bytes, more than")), "{error:?}");
    }
    let blob = forged.object_of_size("blob", 3 << 30, b"a");
    let short = forged.object_of_size("blob", 10, b"a");
    forged.commit("main", forged.tree(&[("100644", "large", blob), ("100644", "short", short)]), None);
    let tree = forged.open().tree(forged.open().commit("main").unwrap()).unwrap();
    for (name, reason) in [("large", "more than"), ("short", "shorter than its header declares")] {
        let error = tree.read(Path::new(name)).unwrap_err().to_string();
        assert!(error.contains(reason) && error.contains(name), "{error}");
    }
    // A tag of a tag, and so on.
    let mut id = [7; 20];
    for _ in 0..200 {
        id = forged.object("tag", format!("object {}\ntype tag\ntag a\n", hex(id)).as_bytes());
    }
    forged.write(".git/refs/heads/main", hex(id));
    assert!(forged.open().commit("main").unwrap_err().message.contains("tags in one chain"));
}

#[test]
fn names_that_git_refuses_are_errors() {
    let forged = ForgedRepository::new();
    let blob = forged.object("blob", b"a: 1\n");
    for name in ["..", ".git", "a/b", ""] {
        let commit = forged.commit("main", forged.tree(&[("100644", name, blob)]), None);
        let repository = forged.open();
        let main = repository.commit("main").unwrap();
        assert_eq!(main.to_string(), hex(commit));
        let error = repository.changed_in_worktree(main).unwrap_err();
        assert!(error.message.contains("is not allowed") && error.message.contains("tree"), "{error:?}");
        let error = repository.tree(main).unwrap().entry(Path::new("a")).unwrap_err();
        assert_ne!(error.kind(), std::io::ErrorKind::NotFound);
    }
}

/// A version of the index with one path.
fn index(path: &[u8]) -> Vec<u8> {
    let mut index =
        [&b"DIRC\0\0\0\x02\0\0\0\x01"[..], &[0; 24], &0o100_644_u32.to_be_bytes(), &[0; 12], &[1; 20]].concat();
    index.extend(u16::try_from(path.len()).unwrap().to_be_bytes());
    index.extend(path);
    index.resize(index.len() + 8 - (62 + path.len()) % 8, 0);
    let hash = Sha1::digest(&index);
    index.extend(hash);
    index
}

#[test]
fn index_paths_that_lead_outside_are_errors() {
    let forged = ForgedRepository::new();
    forged.commit("main", forged.tree(&[]), None);
    let repository = forged.open();
    let main = repository.commit("main").unwrap();
    for path in ["../outside", "a/../b", "/etc/passwd", ".git/config", "a/.GIT/b", "a//b"] {
        forged.write(".git/index", index(path.as_bytes()));
        let error = repository.changed_in_worktree(main).unwrap_err();
        assert!(error.message.contains("index") && error.message.contains("is not allowed"), "{path}: {error:?}");
    }
    forged.write(".git/index", index(b"a/b"));
    assert_eq!(names(&repository.changed_in_worktree(main).unwrap()), Vec::<String>::new());
    forged.write(".git/index", &index(b"a/b")[..70]);
    assert!(repository.changed_in_worktree(main).unwrap_err().message.contains("damaged"));
}

#[test]
fn nothing_below_a_link_and_no_device_is_read() {
    let forged = ForgedRepository::new();
    let blob = forged.object("blob", b"port: 1\n");
    let folder = forged.tree(&[("100644", "pagemap", blob)]);
    let data = forged.tree(&[("40000", "self", folder)]);
    forged.commit("main", forged.tree(&[("40000", "data", data), ("100644", "kept", blob)]), None);
    symlink("/proc", forged.path().join("data")).unwrap();
    symlink("/dev/zero", forged.path().join("kept")).unwrap();
    forged.write(".git/index", index(b"data/self/pagemap"));
    let repository = forged.open();
    let changed = repository.changed_in_worktree(repository.commit("main").unwrap()).unwrap();
    assert_eq!(names(&changed), ["data", "data/self/pagemap", "kept"]);
}

#[test]
fn paths_that_lead_outside_are_refused_with_help() {
    let outside = ForgedRepository::new();
    outside.commit("main", outside.tree(&[]), None);
    let elsewhere = outside.path().join(".git");
    let refused = |make: &dyn Fn(&Path)| {
        let forged = ForgedRepository::new();
        make(&forged.path().join(".git"));
        let error = match Repository::open(forged.path()) {
            Ok(repository) => repository.commit("main").unwrap_err(),
            Err(error) => error,
        };
        assert!(error.message.contains("leads to"), "{error:?}");
        assert!(error.message.contains(elsewhere.to_str().unwrap()), "{error:?}");
        assert!(error.help.contains("open_within") && error.remedy() == Some(Remedy::FilesOutside), "{error:?}");
        let trusted = Repository::open_within(forged.path(), true, &Budget::default()).unwrap();
        assert!(trusted.commit("main").is_ok());
    };
    let main = std::fs::read_to_string(elsewhere.join("refs/heads/main")).unwrap();
    let with_main = |git: &Path| std::fs::write(git.join("refs/heads/main"), &main).unwrap();
    refused(&|git| {
        std::fs::remove_dir_all(git).unwrap();
        symlink(&elsewhere, git).unwrap();
    });
    refused(&|git| {
        std::fs::remove_dir_all(git).unwrap();
        std::fs::write(git, format!("gitdir: {}\n", elsewhere.display())).unwrap();
    });
    refused(&|git| std::fs::write(git.join("commondir"), elsewhere.to_str().unwrap()).unwrap());
    refused(&|git| {
        with_main(git);
        std::fs::remove_dir_all(git.join("objects")).unwrap();
        symlink(elsewhere.join("objects"), git.join("objects")).unwrap();
    });
    refused(&|git| {
        with_main(git);
        std::fs::create_dir(git.join("objects/info")).unwrap();
        std::fs::write(git.join("objects/info/alternates"), elsewhere.join("objects").to_str().unwrap()).unwrap();
    });
    refused(&|git| {
        std::fs::remove_dir_all(git.join("refs")).unwrap();
        symlink(elsewhere.join("refs"), git.join("refs")).unwrap();
        symlink(elsewhere.join("objects/pack"), git.join("unused")).unwrap();
        std::fs::remove_dir_all(git.join("objects")).unwrap();
        symlink(elsewhere.join("objects"), git.join("objects")).unwrap();
    });
    refused(&|git| {
        with_main(git);
        let start = &main[..2];
        symlink(elsewhere.join("objects").join(start), git.join("objects").join(start)).unwrap();
    });
}

#[test]
fn endless_and_irregular_files_are_refused() {
    let pipe = |path: &Path| assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    let zero = |path: &Path| symlink("/dev/zero", path).unwrap();
    let sparse = |path: &Path| std::fs::File::create(path).unwrap().set_len(10 << 30).unwrap();
    let makers: [&dyn Fn(&Path); 3] = [&pipe, &zero, &sparse];
    for name in ["HEAD", "config", "packed-refs", "index", "refs/heads/main", "shallow", "objects/info/alternates"] {
        for make in makers {
            let forged = ForgedRepository::new();
            forged.commit("main", forged.tree(&[]), None);
            let path = forged.path().join(".git").join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            let _ = std::fs::remove_file(&path);
            make(&path);
            let outcome = Repository::open(forged.path()).and_then(|repository| {
                let main = repository.commit("HEAD")?;
                repository.history(main).try_for_each(|step| step.map(drop))?;
                repository.commit("packed").map_or_else(
                    |error| if error.message.contains("no revision") { Ok(()) } else { Err(error) },
                    |_| Ok(()),
                )?;
                repository.changed_in_worktree(main).map(drop)
            });
            let error = outcome.expect_err(name);
            assert!(error.message.contains(name), "{name}: {error:?}");
        }
    }
}

#[test]
fn settings_neither_run_nor_read_anything() {
    let forged = ForgedRepository::new();
    forged.commit("main", forged.tree(&[]), None);
    let mark = forged.path().join("ran");
    let run = format!("touch {}", mark.display());
    forged.write(
        ".git/config",
        format!(
            "[core]\nfsmonitor = {run}\nworktree = /\nexcludesFile = /etc/passwd\nattributesFile = /dev/zero\nhooksPath = /\n\
            [include]\npath = /dev/zero\n[filter \"a\"]\nclean = {run}\n[diff \"a\"]\ntextconv = {run}\n"
        ),
    );
    forged.write(".gitattributes", "* filter=a diff=a\n");
    let repository = forged.open();
    let changed = repository.changed_in_worktree(repository.commit("main").unwrap()).unwrap();
    assert_eq!(names(&changed), [".gitattributes"]);
    assert!(!mark.exists());
    forged.write(".git/config", "[core]\nrepositoryformatversion = 1\n[extensions]\nrefStorage = reftable\n");
    assert!(forged.refusal().message.contains("refstorage"));
}

#[test]
fn a_missing_object_is_not_a_missing_file() {
    let forged = ForgedRepository::new();
    let (here, gone) = (forged.object("blob", b"a: 1\n"), [9; 20]);
    let data = forged.tree(&[("100644", "gone.yaml", gone), ("100644", "here.yaml", here)]);
    forged.commit("main", forged.tree(&[("40000", "data", data), ("40000", "lost", gone)]), None);
    let open = || {
        let repository = forged.open();
        (repository.tree(repository.commit("main").unwrap()).unwrap(), repository)
    };
    let (tree, repository) = open();
    assert_eq!(tree.read(Path::new("data/here.yaml")).unwrap(), b"a: 1\n");
    for (problem, path) in [
        (tree.read(Path::new("data/gone.yaml")).err(), "data/gone.yaml"),
        (tree.read(Path::new("lost/a")).err(), "lost"),
        (tree.entry(Path::new("lost/a")).err(), "lost"),
        (tree.list(Path::new("lost")).err(), "lost"),
    ] {
        let error = problem.unwrap().to_string();
        assert!(error.contains(&hex(gone)) && error.contains("--refetch") && error.contains(path), "{path}: {error}");
    }
    // The folder names the file; only its content is not here.
    assert!(matches!(tree.entry(Path::new("data/gone.yaml")), Ok(TreeEntry::Stat(about)) if about.is_file()));
    assert_eq!(tree.entry(Path::new("nope/a")).unwrap_err().kind(), std::io::ErrorKind::NotFound);
    assert!(repository.changed_in_worktree(repository.commit("main").unwrap()).unwrap_err().message.contains("lost"));
    forged.write(".git/config", "[remote \"origin\"]\npromisor = true\n");
    let error = open().0.read(Path::new("data/gone.yaml")).unwrap_err().to_string();
    assert!(error.contains("partial clone"), "{error}");
}

#[test]
fn a_damaged_object_is_an_error() {
    let forged = ForgedRepository::new();
    let blob = forged.object("blob", b"a: 1\n");
    forged.commit("main", forged.tree(&[("100644", "a", blob)]), None);
    let name = hex(blob);
    let path = format!(".git/objects/{}/{}", &name[..2], &name[2..]);
    let sound = std::fs::read(forged.path().join(&path)).unwrap();
    for at in 0..sound.len() {
        let mut damaged = sound.clone();
        damaged[at] ^= 0x55;
        forged.write(&path, damaged);
        let repository = forged.open();
        let tree = repository.tree(repository.commit("main").unwrap()).unwrap();
        let error = tree.read(Path::new("a")).unwrap_err();
        assert_ne!(error.kind(), std::io::ErrorKind::NotFound, "{at}");
        forged.write(&path, &sound[..at]);
        assert!(tree.read(Path::new("a")).is_err(), "{at}");
    }
    // An object under the name of another one.
    let other = hex(forged.object("blob", b"a: 2\n"));
    std::fs::copy(
        forged.path().join(format!(".git/objects/{}/{}", &other[..2], &other[2..])),
        forged.path().join(&path),
    )
    .unwrap();
    let repository = forged.open();
    let tree = repository.tree(repository.commit("main").unwrap()).unwrap();
    assert!(tree.read(Path::new("a")).unwrap_err().to_string().contains("another hash"));
}
