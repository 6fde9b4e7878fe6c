//! `hieratic secret edit`, killed at any point: the file is the old or the new one, and plain text lies nowhere but in the
//! private folder, which the next run clears.

#![cfg(unix)]
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::until::until;

const OLD: &str = "swordfish-that-was-there-before";
const NEW: &str = "swordfish-that-was-typed-anew";

/// How often the command is killed.
const ROUNDS: u64 = 60;

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
    command.arg("secret").args(arguments).current_dir(folder).env("HOME", folder).env_remove("EYAML_CONFIG");
    command.env("HIERATIC_PRIVATE_DIR", folder.join("private")).env("EDITOR", "sh editor.sh").stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn decrypted(folder: &Path) -> String {
    let output = command(folder, &["decrypt", "-e", "data/a.eyaml"]).stdout(Stdio::piped()).output().unwrap();
    assert!(output.status.success(), "the file is torn");
    String::from_utf8(output.stdout).unwrap()
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn set_up() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::create_dir(path.join("data")).unwrap();
    fs::create_dir(path.join("keys")).unwrap();
    for name in ["private_key.pkcs7.pem", "public_key.pkcs7.pem"] {
        let key = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crypto/tests/keys").join(name);
        fs::copy(key, path.join("keys").join(name)).unwrap();
    }
    // The script knows only what to look for, so that the words stand nowhere but in the edited file.
    fs::write(path.join("editor.sh"), "sed -i 's/that-was-there-before/that-was-typed-anew/' \"$1\"\nsleep 0.01\n")
        .unwrap();
    let plain: String = (0..20).map(|number| format!("k{number}: DEC::PKCS7[{OLD}-{number}]!\n")).collect();
    fs::write(path.join("plain.eyaml"), plain).unwrap();
    let encrypted = command(path, &["encrypt", "-e", "plain.eyaml"]).stdout(Stdio::piped()).output().unwrap();
    fs::remove_file(path.join("plain.eyaml")).unwrap();
    fs::write(path.join("data/a.eyaml"), encrypted.stdout).unwrap();
    folder
}

#[test]
fn killed_at_any_point_nothing_is_lost_and_nothing_lies_about() {
    let folder = set_up();
    let path = folder.path();
    let original = fs::read(path.join("data/a.eyaml")).unwrap();
    let old = decrypted(path);
    let new = old.replace("that-was-there-before", "that-was-typed-anew");
    let began = Instant::now();
    assert!(command(path, &["edit", "data/a.eyaml"]).status().unwrap().success());
    let mut whole = began.elapsed();
    assert_eq!(decrypted(path), new);
    let (mut olds, mut news) = (0, 0);
    for round in 0..5 * ROUNDS {
        if round > 0 && round % ROUNDS == 0 {
            match (olds, news) {
                // The first run was quicker than these are, or slower: the machine has other work.
                (_, 0) => whole *= 2,
                (0, _) => whole /= 2,
                _ => break,
            }
        }
        fs::write(path.join("data/a.eyaml"), &original).unwrap();
        let mut child = command(path, &["edit", "data/a.eyaml"]).spawn().unwrap();
        // Steps of another size than the round's spread the moments over all of a run, and a little longer.
        let part = u32::try_from((round * 37) % ROUNDS).unwrap();
        std::thread::sleep(whole * part * 11 / 10 / u32::try_from(ROUNDS).unwrap());
        // SIGKILL, which no process can prepare for.
        child.kill().unwrap();
        child.wait().unwrap();
        let after = decrypted(path);
        assert!(after == old || after == new, "round {round}");
        if after == old {
            olds += 1
        } else {
            news += 1
        }
        for file in files(path).iter().filter(|file| !file.starts_with(path.join("private"))) {
            let text = String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned();
            assert!(!text.contains(OLD) && !text.contains(NEW), "plain text in {}", file.display());
        }
    }
    assert!(olds > 0 && news > 0, "{olds} times the old file, {news} times the new one: the moments are not spread");
    // The editor of the last round may still be running.
    std::thread::sleep(Duration::from_millis(100));
    assert!(command(path, &["edit", "data/a.eyaml"]).status().unwrap().success());
    let left: Vec<PathBuf> = files(&path.join("private"));
    assert_eq!(left, [path.join("private/lock")], "the next run clears what was left");
    let names: Vec<String> = files(path).iter().map(|path| path.display().to_string()).collect();
    let ours = |name: &&String| name.contains("/.hieratic-") || name.ends_with(".journal");
    assert_eq!(names.iter().find(ours), None);
}

#[test]
fn told_to_end_the_plain_text_is_removed_at_once() {
    let folder = set_up();
    let path = folder.path();
    fs::write(path.join("editor.sh"), "touch started\nsleep 60\ntouch ended\n").unwrap();
    let original = fs::read(path.join("data/a.eyaml")).unwrap();
    let mut child = command(path, &["edit", "data/a.eyaml"]).spawn().unwrap();
    until("the editor is started", || path.join("started").exists().then_some(()));
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    assert!(!child.wait().unwrap().success());
    assert!(!path.join("ended").exists(), "the editor was waited for");
    assert_eq!(files(&path.join("private")), [path.join("private/lock")]);
    assert_eq!(fs::read(path.join("data/a.eyaml")).unwrap(), original);
}

#[test]
fn a_rotation_that_is_killed_goes_on() {
    let folder = set_up();
    let path = folder.path();
    let original = fs::read(path.join("data/a.eyaml")).unwrap();
    for number in 0..12 {
        fs::write(path.join(format!("data/{number}.eyaml")), &original).unwrap();
    }
    let new = ["--pkcs7-private-key", "n/private.pem", "--pkcs7-public-key", "n/public.pem"];
    let result =
        command(path, &[&["createkeys", "--pkcs7-keysize", "1024"], new.as_slice()].concat()).status().unwrap();
    assert!(result.success());
    let rotate = ["rotate", "data", "--new-public-key", "n/public.pem"];
    let plain = decrypted(path);
    for round in 0..12 {
        let mut child = command(path, &rotate).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(round * 40));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(command(path, &rotate).status().unwrap().success());
    for number in 0..12 {
        let file = format!("data/{number}.eyaml");
        let output =
            command(path, &[&["decrypt", "-e", &file], new.as_slice()].concat()).stdout(Stdio::piped()).output();
        assert_eq!(String::from_utf8(output.unwrap().stdout).unwrap(), plain);
    }
}

#[test]
fn a_refactoring_that_is_killed_is_done_or_undone_in_all_files() {
    const FILES: usize = 25;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::create_dir_all(path.join("data/nodes")).unwrap();
    fs::write(
        path.join("hiera.yaml"),
        "version: 5\nhierarchy:\n  - {name: Node, path: 'nodes/%{trusted.certname}.yaml'}\n",
    )
    .unwrap();
    let file = |number: usize| path.join(format!("data/nodes/n{number}.yaml"));
    let reset = || (0..FILES).for_each(|number| fs::write(file(number), format!("# kept\nold: {number}\n")).unwrap());
    let refactor = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
        command.arg("refactor").args(arguments).current_dir(path).env("HOME", path);
        command.env("HIERATIC_PRIVATE_DIR", path.join("private")).stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    reset();
    let began = Instant::now();
    assert!(refactor(&["rename", "old", "new", "--write"]).status().unwrap().success());
    let whole = began.elapsed();
    let (mut olds, mut news) = (0, 0);
    const KILLS: u32 = 24;
    for round in 0..KILLS {
        reset();
        let mut child = refactor(&["rename", "old", "new", "--write"]).spawn().unwrap();
        // The files are replaced at the end.
        std::thread::sleep(whole / 2 + whole * round / KILLS);
        child.kill().unwrap();
        child.wait().unwrap();
        // The next run completes or takes back what was begun, even one that writes nothing.
        let _ = refactor(&["dedupe"]).status().unwrap();
        let texts: Vec<String> = (0..FILES).map(|number| fs::read_to_string(file(number)).unwrap()).collect();
        let has =
            |key: &str| texts.iter().enumerate().all(|(number, text)| *text == format!("# kept\n{key}: {number}\n"));
        assert!(has("old") || has("new"), "round {round}: {texts:?}");
        if has("old") { olds += 1 } else { news += 1 }
    }
    assert!(olds + news == KILLS);
    let names: Vec<String> = files(path).iter().map(|path| path.display().to_string()).collect();
    assert_eq!(names.iter().find(|name| name.contains("/.hieratic-") || name.ends_with(".journal")), None);
}

/// A journal as a run leaves it that was killed after it had replaced the first of two files.
#[test]
fn verbs_that_read_say_that_half_of_a_change_is_there() {
    use sha2::{Digest as _, Sha256};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap();
    let (one, other) = (path.join("one"), path.join("other"));
    for repository in [&one, &other] {
        fs::create_dir_all(repository.join("data")).unwrap();
        fs::create_dir(repository.join(".git")).unwrap();
        let hiera = "version: 5\nhierarchy:\n  - {name: A, path: a.yaml}\n  - {name: B, path: b.yaml}\n";
        fs::write(repository.join("hiera.yaml"), hiera).unwrap();
        fs::write(repository.join("data/a.yaml"), "k: new\n").unwrap();
        fs::write(repository.join("data/b.yaml"), "k: old\n").unwrap();
    }
    let digest = |text: &str| Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let mut journal = b"hieratic journal 1\0".to_vec();
    for name in ["a.yaml", "b.yaml"] {
        let (target, beside) = (one.join("data").join(name), one.join("data").join(format!(".hieratic-{name}")));
        fs::write(&beside, if name == "a.yaml" { "k: old\n" } else { "k: new\n" }).unwrap();
        for part in [target.to_str().unwrap(), beside.to_str().unwrap(), &digest("k: old\n"), &digest("k: new\n")] {
            journal.extend_from_slice(part.as_bytes());
            journal.push(0);
        }
    }
    journal.extend_from_slice(b"end\0commit\0");
    let state = path.join("state");
    let private = |folder: &Path| {
        use std::os::unix::fs::PermissionsExt as _;
        fs::create_dir_all(folder).unwrap();
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).unwrap();
    };
    private(&state);
    private(&state.join("journals"));
    fs::write(state.join("journals/1.journal"), journal).unwrap();
    let reported = |repository: &Path, arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_hieratic"))
            .args(arguments)
            .current_dir(repository)
            .env("HIERATIC_STATE_DIR", &state)
            .env("HOME", &path)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    let from = one.join("data");
    let from = from.to_str().unwrap();
    let verbs: [&[&str]; 9] = [
        &["lookup", "k", "--node", "a"],
        &["check"],
        &["check", from],
        &["compare", "a", "b"],
        &["schema"],
        &["catalog", "--node", "a"],
        &["eval", "-e", "1", "--node", "a"],
        &["affected", "data/a.yaml"],
        &["repl", "--node", "a"],
    ];
    for arguments in verbs {
        let message = reported(&one, arguments);
        let lines: Vec<&str> =
            message.lines().filter(|line| line.contains("a killed run was to replace 2 files")).collect();
        assert_eq!(lines.len(), 1, "{arguments:?}: {message}");
        assert!(lines[0].contains("run its command again"), "{message}");
        let elsewhere = reported(&other, arguments);
        assert!(arguments.contains(&from) || !elsewhere.contains("killed run"), "{arguments:?}: {elsewhere}");
    }
    // Nothing was changed by looking. The next run that may write completes it, and there is nothing more to say.
    assert_eq!(fs::read_to_string(one.join("data/b.yaml")).unwrap(), "k: old\n");
    assert!(reported(&one, &["refactor", "dedupe"]).contains("completed the changes of a killed run"));
    assert_eq!(fs::read_to_string(one.join("data/b.yaml")).unwrap(), "k: new\n");
    assert!(!reported(&one, &["lookup", "k", "--node", "a"]).contains("killed run"));
}

/// A fleet of many nodes with few classes.
fn a_fleet(path: &Path) {
    fs::create_dir_all(path.join("data/roles")).unwrap();
    let levels = "  - {name: Role, path: 'roles/%{facts.role}.yaml'}\n  - {name: Common, path: common.yaml}\n";
    fs::write(path.join("hiera.yaml"), format!("version: 5\nhierarchy:\n{levels}")).unwrap();
    let keys: String = (0..19).map(|key| format!("key{key}: value {key}\n")).collect();
    fs::write(path.join("data/common.yaml"), format!("broken: \"%{{nosuch('x')}}\"\n{keys}")).unwrap();
    fs::write(path.join("data/roles/r1.yaml"), "key1: of a role\n").unwrap();
    let node = |at: usize| format!("{{\"clientcert\": \"node{at}\", \"role\": \"r{}\"}}\n", at % 3);
    fs::write(path.join("fleet.ndjson"), (0..18_000).map(node).collect::<String>()).unwrap();
}

/// Writes rows to a file, as one that may have so many bytes: the system kills what writes more.
fn rows(path: &Path, output: &str, more: &[&str], most: Option<u64>) -> (bool, String) {
    rows_of(path, &["--nodes", "fleet.ndjson"], output, more, most)
}

fn rows_of(path: &Path, nodes: &[&str], output: &str, more: &[&str], most: Option<u64>) -> (bool, String) {
    // The shell of POSIX counts in blocks of 512 bytes.
    let limit = most.map_or("unlimited".to_owned(), |most| (most / 512).to_string());
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(format!("ulimit -c 0; ulimit -f {limit}; exec \"$@\""))
        .arg("sh")
        .arg(env!("CARGO_BIN_EXE_hieratic"));
    command.args(["lookup", "--all", "--environment-dir", ".", "--output", output]).args(nodes).args(more);
    let output = command.current_dir(path).env("HOME", path).stdin(Stdio::null()).output().unwrap();
    // A lookup fails in each node, so the status is 1; a signal leaves none.
    (output.status.code() == Some(1), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn rows_of_a_fleet_are_continued_where_a_run_was_killed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    a_fleet(path);
    for (kind, share) in [("ndjson", 6), ("parquet", 8)] {
        let (whole, part) = (format!("whole.{kind}"), format!("part.{kind}"));
        assert!(rows(path, &whole, &["--resume"], None).0);
        let expected = fs::read(path.join(&whole)).unwrap();
        let work = path.join(format!("{part}.part"));
        let (is_over, _) = rows(path, &part, &["--resume"], Some(expected.len() as u64 * share / 10));
        assert!(!is_over && work.join("progress.json").exists() && !path.join(&part).exists(), "{kind}");
        // Another question does not continue it, and leaves it alone.
        let (_, reported) = rows(path, &part, &["--resume", "--shard", "1/2"], None);
        assert!(
            reported.contains(&format!("{part} cannot be continued: the command changed since it began")),
            "{reported}"
        );
        assert!(reported.contains(&format!("remove {part}.part to start again")), "{reported}");
        for (file, name) in [("fleet.ndjson", "the facts"), ("data/common.yaml", "the files of the environment")] {
            let kept = path.join("kept");
            fs::rename(path.join(file), &kept).unwrap();
            fs::copy(&kept, path.join(file)).unwrap();
            let (_, reported) = rows(path, &part, &["--resume"], None);
            // The facts are a file of the environment, too.
            assert!(reported.contains("changed since it began") && reported.contains(name), "{reported}");
            fs::remove_file(&kept).unwrap();
        }
        // What a run has kept is bound to the files as they were: begun again and killed again, it is continued.
        fs::remove_dir_all(&work).unwrap();
        assert!(!rows(path, &part, &["--resume"], Some(expected.len() as u64 * share / 10)).0);
        let (is_over, reported) = rows(path, &part, &["--resume"], None);
        assert!(is_over && reported.contains("continues after "), "{reported}");
        assert!(reported.contains("18000 lookups failed"), "{reported}");
        assert!(fs::read(path.join(&part)).unwrap() == expected, "{kind}");
        assert!(!work.exists());
    }
}

/// A PuppetDB with the nodes of a file of facts; in each inventory behind the first, nodes have other facts.
fn changing_puppetdb(path: &Path) -> String {
    let lines = fs::read_to_string(path.join("fleet.ndjson")).unwrap();
    let mut nodes: Vec<(String, String)> = lines
        .lines()
        .map(|line| {
            let name = line.split('"').nth(3).unwrap();
            (name.to_owned(), format!("{{\"certname\": \"{name}\", \"facts\": {line}}}"))
        })
        .collect();
    nodes.sort();
    let inventories = std::cell::Cell::new(0);
    crate::puppetdb::puppetdb(move |requested| {
        let offset: usize = requested.rsplit('=').next().unwrap().parse().unwrap();
        inventories.set(inventories.get() + usize::from(offset == 0));
        let page = nodes.iter().skip(offset).take(250).map(|(_, node)| match inventories.get() {
            1 => node.clone(),
            _ => node.replace("\"r1\"", "\"r2\""),
        });
        // The page is as long as the process.
        format!("[{}]", page.collect::<Vec<_>>().join(",")).leak()
    })
}

#[test]
fn a_run_over_puppetdb_is_continued_with_the_facts_it_began_with() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    a_fleet(path);
    let mut sorted: Vec<String> =
        fs::read_to_string(path.join("fleet.ndjson")).unwrap().lines().map(str::to_owned).collect();
    sorted.sort_by(|one, other| one.split('"').nth(3).cmp(&other.split('"').nth(3)));
    let url = changing_puppetdb(path);
    fs::write(path.join("fleet.ndjson"), sorted.join("\n")).unwrap();
    assert!(rows(path, "whole.ndjson", &[], None).0);
    let expected = fs::read(path.join("whole.ndjson")).unwrap();
    let nodes = ["--puppetdb", url.as_str()];
    let run =
        |share: u64| rows_of(path, &nodes, "part.ndjson", &["--resume"], Some(expected.len() as u64 * share / 10));
    assert!(!run(6).0);
    let facts = path.join("part.ndjson.part/facts.ndjson");
    let kept = fs::read(&facts).unwrap();
    let (_, reported) = rows_of(path, &["--puppetdb", "http://127.0.0.1:9"], "part.ndjson", &["--resume"], None);
    assert!(reported.contains("the command changed since it began"), "{reported}");
    // What the run itself writes is no file of the environment.
    fs::rename(&facts, facts.with_extension("kept")).unwrap();
    let (_, reported) = run(11);
    assert!(reported.contains("facts.ndjson is missing"), "{reported}");
    fs::write(&facts, kept).unwrap();
    let (is_over, reported) = run(11);
    assert!(is_over && reported.contains("continues after "), "{reported}");
    assert!(fs::read(path.join("part.ndjson")).unwrap() == expected);
    assert!(!path.join("part.ndjson.part").exists());
}

#[test]
fn two_runs_do_not_write_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    a_fleet(path);
    fs::create_dir(path.join("rows.csv.part")).unwrap();
    let lock = fs::File::create(path.join("rows.csv.part/lock")).unwrap();
    lock.lock().unwrap();
    let (_, reported) = rows(path, "rows.csv", &["--resume"], None);
    assert!(reported.contains("rows.csv is being written by another run"), "{reported}");
    drop(lock);
    // What a link there leads to is not touched.
    fs::write(path.join("precious"), "kept").unwrap();
    std::os::unix::fs::symlink("../precious", path.join("rows.csv.part/rows")).unwrap();
    let (_, reported) = rows(path, "rows.csv", &["--resume"], None);
    assert!(reported.contains("is not a file"), "{reported}");
    assert_eq!(fs::read_to_string(path.join("precious")).unwrap(), "kept");
}
