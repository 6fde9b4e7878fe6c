//! Verbs that write files: two at once, with a full disk, over files that are more than their bytes, and killed.

#![cfg(unix)]
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Instant;

use crate::until::until;

struct Folder(tempfile::TempDir);

const SITE: &str = "+include: one.yaml\nplus:\n  +include: two.yaml\nown: {x: 1}\n";

impl Folder {
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        fs::create_dir(folder.path("keys")).unwrap();
        fs::create_dir(folder.path("data")).unwrap();
        for name in ["private_key.pkcs7.pem", "public_key.pkcs7.pem"] {
            let key = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crypto/tests/keys").join(name);
            fs::copy(key, folder.path("keys").join(name)).unwrap();
        }
        folder.write("plain", "a: DEC::PKCS7[first]!\nb: DEC::PKCS7[second]!\n");
        let encrypted = folder.run(&["secret", "encrypt", "--eyaml", "plain"]);
        fs::write(folder.path("data/a.eyaml"), encrypted.stdout).unwrap();
        folder
    }

    /// A document that includes two files, and its expanded form with a change in each.
    fn with_document() -> Folder {
        let folder = Folder::new();
        folder.documents();
        let expanded = text(&folder.run(&["expand", "site.yaml"]).stdout);
        let changed = expanded.replace("p: 1", "p: 2").replace("q: 1", "q: 2").replace("x: 1", "x: 2");
        assert_eq!(changed.matches(": 2").count(), 3, "{expanded}");
        folder.write("changed.yaml", &changed);
        folder
    }

    fn documents(&self) {
        self.write("site.yaml", SITE);
        self.write("one.yaml", "first:\n  p: 1\n");
        self.write("two.yaml", "second:\n  q: 1\n");
    }

    /// How far the files of the document have been changed.
    fn state(&self) -> [bool; 3] {
        let is_new = |name: &str, old: &str, new: &str| {
            let text = self.read(name);
            assert!(text.contains(old) != text.contains(new), "{name}: {text}");
            text.contains(new)
        };
        [is_new("one.yaml", "p: 1", "p: 2"), is_new("two.yaml", "q: 1", "q: 2"), is_new("site.yaml", "x: 1", "x: 2")]
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn prepared(&self, mut command: Command) -> Command {
        command.current_dir(self.0.path()).env("HOME", self.0.path()).env_remove("EYAML_CONFIG").stdin(Stdio::null());
        command.env("HIERATIC_PRIVATE_DIR", self.path("private")).env("HIERATIC_STATE_DIR", self.path("state"));
        command.env("EDITOR", "sh editor.sh").stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
        command.args(arguments);
        self.prepared(command)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Edits the file with a script as the editor.
    fn edit(&self, script: &str) -> Output {
        self.write("editor.sh", script);
        self.run(&["secret", "edit", "data/a.eyaml"])
    }

    /// An edit that goes on until there is a file `go`.
    fn long_edit(&self) -> Child {
        self.write(
            "editor.sh",
            "touch started; while [ ! -e go ]; do sleep 0.01; done; sed -i s/first/typed/ \"$1\"\n",
        );
        let child = self.command(&["secret", "edit", "data/a.eyaml"]).spawn().unwrap();
        self.wait_for("started");
        child
    }

    fn wait_for(&self, name: &str) {
        until(&format!("there is a file {name}"), || self.path(name).exists().then_some(()));
    }

    fn decrypted(&self, name: &str) -> String {
        text(&self.run(&["secret", "decrypt", "--eyaml", name]).stdout)
    }

    /// All files below a folder, as they are seen from here.
    fn files(&self, name: &str) -> Vec<String> {
        fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
            for entry in fs::read_dir(folder).into_iter().flatten() {
                let path = entry.unwrap().path();
                if path.is_dir() { collect(&path, files) } else { files.push(path) }
            }
        }
        let mut files = Vec::new();
        collect(&self.path(name), &mut files);
        let mut names: Vec<String> =
            files.iter().map(|path| path.strip_prefix(self.0.path()).unwrap().display().to_string()).collect();
        names.sort();
        names
    }

    /// What has names that only Hieratic gives.
    fn left(&self) -> Vec<String> {
        let is_ours = |name: &String| {
            name.contains("/.hieratic-") || name.starts_with(".hieratic-") || name.ends_with(".journal")
        };
        self.files("").into_iter().filter(is_ours).collect()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_file_under_edit_is_locked() {
    let folder = Folder::new();
    let first = folder.long_edit();
    let before = folder.read("data/a.eyaml");
    let rotate = ["secret", "rotate", "data", "--new-public-key", "n/public.pem"];
    let path = folder.run(&[
        "secret",
        "createkeys",
        "--pkcs7-keysize",
        "1024",
        "--pkcs7-private-key",
        "n/private.pem",
        "--pkcs7-public-key",
        "n/public.pem",
    ]);
    assert!(path.status.success(), "{}", text(&path.stderr));
    let others: [&[&str]; 4] = [
        &["secret", "edit", "data/a.eyaml"],
        &["secret", "edit", "data/../data/a.eyaml"],
        &rotate,
        &["check", "data", "--write-baseline", "data/a.eyaml"],
    ];
    for arguments in others {
        let output = folder.run(arguments);
        let message = text(&output.stderr);
        assert!(!output.status.success(), "{arguments:?}");
        assert!(message.contains("a.eyaml is being changed by"), "{arguments:?}\n{message}");
        #[cfg(target_os = "linux")]
        assert!(message.contains(&format!("process {} (hieratic)", first.id())), "{arguments:?}\n{message}");
    }
    assert_eq!(folder.read("data/a.eyaml"), before);
    folder.write("go", "");
    let output = first.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(folder.decrypted("data/a.eyaml").contains("[typed]"));
    assert!(folder.run(&rotate).status.success(), "once the edit has ended");
    assert_eq!(folder.left(), [""; 0]);
}

/// The system gives the lock back.
#[test]
fn an_edit_that_was_killed_holds_nothing() {
    let folder = Folder::new();
    let mut first = folder.long_edit();
    first.kill().unwrap();
    first.wait().unwrap();
    let output = folder.edit("sed -i s/first/second-try/ \"$1\"\n");
    folder.write("go", "");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(folder.decrypted("data/a.eyaml").contains("[second-try]"));
}

#[test]
fn two_edits_of_a_new_file_lose_nothing() {
    let folder = Folder::new();
    let edit = |text: &str| {
        let script = format!(
            "printf 'a: DEC::PKCS7[{text}]!\\n' > \"$1\"; touch {text}; while [ ! -e go ]; do sleep 0.01; done\n"
        );
        folder.write(&format!("{text}.sh"), &script);
        let mut command = folder.command(&["secret", "edit", "data/new.eyaml"]);
        let child = command.env("EDITOR", format!("sh {text}.sh")).spawn().unwrap();
        folder.wait_for(text);
        child
    };
    let (one, other) = (edit("one"), edit("other"));
    folder.write("go", "");
    let outputs = [one.wait_with_output().unwrap(), other.wait_with_output().unwrap()];
    assert_eq!(outputs.iter().filter(|output| output.status.success()).count(), 1);
    let both = folder.decrypted("data/new.eyaml") + &folder.decrypted("data/new.eyaml.edited");
    assert!(both.contains("[one]") && both.contains("[other]"), "{both}");
}

/// Files may not have more than so many blocks, which is all that encrypted values need.
#[test]
fn edits_survive_a_full_disk() {
    let folder = Folder::new();
    let values: String = (0..40).map(|number| format!("k{number}: DEC::PKCS7[typed-{number}]!\\n")).collect();
    folder.write("editor.sh", &format!("printf '{values}' > \"$1\"\n"));
    let before = folder.read("data/a.eyaml");
    let mut command = Command::new("sh");
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" secret edit data/a.eyaml";
    command.args(["-c", script, env!("CARGO_BIN_EXE_hieratic")]);
    let output = folder.prepared(command).output().unwrap();
    let message = text(&output.stderr);
    assert!(!output.status.success() && message.contains("cannot be written"), "{message}");
    assert_eq!(folder.read("data/a.eyaml"), before);
    let kept: Vec<String> = folder.files("private").into_iter().filter(|name| name.contains("kept-")).collect();
    let [kept] = kept.as_slice() else { panic!("{kept:?}\n{message}") };
    assert!(message.contains(kept.as_str()), "{message}");
    assert_eq!(folder.read(kept), values.replace("\\n", "\n"));
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let path = folder.path(kept);
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    }
    for name in folder.files("").iter().filter(|name| !name.starts_with("private") && *name != "editor.sh") {
        assert!(!text(&fs::read(folder.path(name)).unwrap()).contains("typed-"), "{name}");
    }
    // The next edit has room, says what is kept, and leaves it.
    let output = folder.edit("sed -i s/first/typed/ \"$1\"\n");
    assert!(output.status.success() && text(&output.stderr).contains("kept-"), "{}", text(&output.stderr));
    assert!(folder.path(kept).exists());
    assert_eq!(folder.left(), [""; 0]);
}

#[test]
fn edits_are_kept_encrypted_where_possible() {
    let folder = Folder::new();
    let output = folder.edit("sed -i s/first/typed/ \"$1\"; mv data gone\n");
    let message = text(&output.stderr);
    assert!(!output.status.success(), "{message}");
    let kept = "state/kept/a.eyaml.edited";
    assert!(message.contains(kept), "{message}");
    assert!(folder.decrypted(kept).contains("[typed]"));
    assert_eq!(folder.files("private"), ["private/lock"], "no plain text");
}

#[test]
fn a_file_with_two_names_is_left_alone() {
    let folder = Folder::with_document();
    fs::hard_link(folder.path("data/a.eyaml"), folder.path("other")).unwrap();
    let output = folder.edit("touch started; sed -i s/first/typed/ \"$1\"\n");
    assert!(!output.status.success() && text(&output.stderr).contains("2 hard links"), "{}", text(&output.stderr));
    assert!(!folder.path("started").exists(), "before anything is typed");
    // One of several files is enough to leave all.
    fs::hard_link(folder.path("two.yaml"), folder.path("second")).unwrap();
    let output = folder.run(&["restore", "site.yaml", "changed.yaml", "--in-place", "--into-includes"]);
    assert!(!output.status.success() && text(&output.stderr).contains("two.yaml"), "{}", text(&output.stderr));
    assert_eq!(folder.state(), [false; 3]);
    assert_eq!(folder.left(), [""; 0]);
}

#[cfg(target_os = "linux")]
#[test]
fn attributes_and_permissions_stay() {
    use rustix::fs::{XattrFlags, getxattr, setxattr};
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let path = folder.path("data/a.eyaml");
    // The list of access that `setfacl -m u:12345:r` makes: version 2, then tag, permissions and id of each entry.
    let entry = |tag: u16, may: u16, id: u32| [&tag.to_le_bytes()[..], &may.to_le_bytes(), &id.to_le_bytes()].concat();
    let none = u32::MAX;
    let entries = [entry(1, 6, none), entry(2, 4, 12345), entry(4, 4, none), entry(16, 4, none), entry(32, 0, none)];
    let list = [2u32.to_le_bytes().to_vec(), entries.concat()].concat();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let attributes = [("user.owner", b"ops".to_vec()), ("user.empty", Vec::new()), ("system.posix_acl_access", list)];
    let possible: Vec<_> =
        attributes.iter().filter(|(name, value)| setxattr(&path, *name, value, XattrFlags::empty()).is_ok()).collect();
    let before = fs::metadata(&path).unwrap().permissions();
    assert!(folder.edit("sed -i s/first/typed/ \"$1\"\n").status.success());
    assert!(folder.decrypted("data/a.eyaml").contains("[typed]"));
    for (name, value) in &possible {
        let mut now = [0; 256];
        let length = getxattr(&path, *name, &mut now).unwrap();
        assert_eq!(&now[..length], value.as_slice(), "{name}");
    }
    assert_eq!(fs::metadata(&path).unwrap().permissions(), before);
    assert!(possible.len() == 3 || !Path::new("/proc/fs/ext4").exists(), "{possible:?}");
}

/// The moments are spread over a run; each step of it is ended in the tests of `files`.
#[test]
fn a_restoration_that_is_killed_is_whole_after_the_next_run() {
    const ROUNDS: u32 = 40;
    const SPREADS: u32 = 8;
    let folder = Folder::with_document();
    let restore = ["restore", "site.yaml", "changed.yaml", "--in-place", "--into-includes"];
    let began = Instant::now();
    let output = folder.run(&restore);
    let mut whole = began.elapsed();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(folder.state(), [true; 3]);
    let mut seen = Vec::new();
    // On a busy machine, a run can take much longer than the first one, or much less: the moments are spread again then.
    for _ in 0..SPREADS {
        for round in 0..ROUNDS {
            folder.documents();
            let mut child = folder.command(&restore).spawn().unwrap();
            std::thread::sleep(whole * ((round * 17) % ROUNDS) * 11 / 10 / ROUNDS);
            child.kill().unwrap();
            child.wait().unwrap();
            // Another verb that writes, on another file.
            let next = folder.edit("true\n");
            assert!(next.status.success(), "{}", text(&next.stderr));
            let state = folder.state();
            assert!(state == [false; 3] || state == [true; 3], "round {round}: {state:?}");
            assert_eq!(folder.left(), [""; 0], "round {round}");
            seen.push(state[0]);
        }
        match (seen.contains(&false), seen.contains(&true)) {
            (true, true) => break,
            (true, false) => whole *= 2,
            (false, _) => whole /= 2,
        }
    }
    assert!(seen.contains(&false) && seen.contains(&true), "the moments are not spread: {seen:?}");
    assert!(folder.run(&restore).status.success());
    assert_eq!(folder.state(), [true; 3]);
}

/// Names that a repository may have are not taken for ours.
#[test]
fn existing_files_with_such_names_stay() {
    let folder = Folder::new();
    folder.write("data/.hieratic-abc", "theirs");
    folder.write("data/1.journal", "hieratic journal 1\0/etc/passwd\0/etc/shadow\0\0\0end\0commit\0");
    assert!(folder.edit("sed -i s/first/typed/ \"$1\"\n").status.success());
    assert_eq!(folder.left(), ["data/.hieratic-abc", "data/1.journal"]);
}
