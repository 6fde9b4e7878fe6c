//! Files that change while the service answers.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::service::{HIERA, Repository, Service};
use crate::until::until;

/// Waits until a lookup answers so.
fn comes(service: &Service, key: &str, expected: &Value) {
    until(&format!("{key} becomes {expected}"), || (service.lookup("n", key).value() == *expected).then_some(()));
}

#[test]
fn every_kind_of_file_is_read_again() {
    let data = "environments/production/data/common.yaml";
    let repository = Repository::new(&[(data, "k: 1\n"), ("facts/n.json", r#"{"role": "a"}"#)]);
    let service = repository.serve(&[]);
    assert_eq!(service.lookup("n", "k").value(), json!(1));
    repository.write(data, "k: 2\n");
    comes(&service, "k", &json!(2));
    // A file that was not there.
    repository.write("environments/production/data/nodes/n.yaml", "k: 3\n");
    comes(&service, "k", &json!(3));
    fs::remove_file(repository.path().join("environments/production/data/nodes/n.yaml")).unwrap();
    comes(&service, "k", &json!(2));
    // Facts.
    repository.write("environments/production/data/roles/b.yaml", "k: 4\n");
    repository.write("facts/n.json", r#"{"role": "b"}"#);
    comes(&service, "k", &json!(4));
    // The hierarchy.
    repository
        .write("environments/production/hiera.yaml", "version: 5\nhierarchy:\n  - {name: Only, glob: 'only/*.yaml'}\n");
    repository.write("environments/production/data/only/a.yaml", "k: 5\n");
    comes(&service, "k", &json!(5));
    // A file that a pattern finds from now on, before the other.
    repository.write("environments/production/data/only/A.yaml", "k: 6\n");
    comes(&service, "k", &json!(6));
    // A module, and its own data.
    repository.write("environments/production/modules/m/hiera.yaml", "version: 5\n");
    repository.write("environments/production/modules/m/data/common.yaml", "m::k: 7\n");
    comes(&service, "m::k", &json!(7));
    repository.write("environments/production/hiera.yaml", HIERA);
    comes(&service, "k", &json!(4));
    // Fault, and its end.
    repository.write("environments/production/data/roles/b.yaml", "k: [\n");
    until("the fault is answered", || {
        (service.lookup("n", "k").json()["answers"][0]["error"]["code"] == "data-syntax").then_some(())
    });
    repository.write("environments/production/data/roles/b.yaml", "k: 8\n");
    comes(&service, "k", &json!(8));
}

#[test]
fn facts_of_many_nodes_are_in_one_file() {
    let line = |name: &str, role: &str| format!("{{\"certname\": \"{name}\", \"facts\": {{\"role\": \"{role}\"}}}}\n");
    let repository = Repository::new(&[
        ("environments/production/data/common.yaml", "k: 1\n"),
        ("environments/production/data/roles/b.yaml", "k: 2\n"),
        ("fleet.ndjson", &(line("n", "a") + &line("m", "b"))),
    ]);
    let environments = repository.path().join("environments");
    let flags = ["--environmentpath", environments.to_str().unwrap(), "--facts", "fleet.ndjson"];
    let service = Service::start(repository.path(), &flags);
    let value = |node: &str| service.lookup(node, "k").value();
    assert_eq!((value("n"), value("m")), (json!(1), json!(2)));
    assert_eq!(service.get("/v1/nodes").json()["nodes"], json!(["m", "n"]));
    let unknown = service.lookup("x", "k");
    assert_eq!(unknown.status, 404, "{}", unknown.text);
    assert!(unknown.text.contains("no facts are stored for the node 'x'"), "{}", unknown.text);
    // A node that occurs again has its first facts, as with every verb, and the other places are listed.
    repository.write("fleet.ndjson", &(line("n", "b") + &line("m", "b") + &line("n", "a")));
    comes(&service, "k", &json!(2));
    let listed = service.get("/v1/nodes").json();
    assert_eq!(listed["nodes"], json!(["m", "n"]));
    let reported = listed["repeated"][0].as_str().unwrap();
    assert!(reported.ends_with("fleet.ndjson:3: the node n came before; its other facts are used"), "{reported}");
    assert!(service.get("/").text.contains("the node n came before"));
    repository.write("fleet.ndjson", &line("n", "b"));
    until("the file repeats no node", || service.get("/v1/nodes").json().get("repeated").is_none().then_some(()));
    // What cannot be read is said before the service starts.
    repository.write("fleet.ndjson", "{\"certname\": \"n\", \"facts\": {\n");
    let refused = std::process::Command::new(env!("CARGO_BIN_EXE_hieratic"))
        .args(["serve", "--listen", "127.0.0.1:0"])
        .args(flags)
        .current_dir(repository.path())
        .output()
        .unwrap();
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(message.contains("fleet.ndjson:1") && message.contains("half-written"), "{message}");
}

#[test]
fn an_environment_may_be_exchanged_by_a_link() {
    let repository = Repository::new(&[("facts/n.json", "{}")]);
    for version in ["a", "b"] {
        let text = |level: &str| format!("k: ['{version} {level}']\nlookup_options: {{k: {{merge: unique}}}}\n");
        repository.write(&format!("deployed/{version}/hiera.yaml"), HIERA);
        repository.write(&format!("deployed/{version}/data/common.yaml"), &text("common"));
        repository.write(&format!("deployed/{version}/data/nodes/n.yaml"), &text("node"));
    }
    let environments = repository.path().join("environments");
    fs::remove_dir_all(environments.join("production")).unwrap();
    let deploy = |version: &str| {
        let link = environments.join("new");
        std::os::unix::fs::symlink(repository.path().join("deployed").join(version), &link).unwrap();
        fs::rename(link, environments.join("production")).unwrap();
    };
    deploy("a");
    std::thread::sleep(Duration::from_millis(50));
    let service = repository.serve(&[]);
    assert_eq!(service.lookup("n", "k").value(), json!(["a node", "a common"]));
    let ended = AtomicBool::new(false);
    let seen = std::thread::scope(|scope| {
        scope.spawn(|| {
            for turn in 0..40 {
                deploy(if turn % 2 == 0 { "b" } else { "a" });
                std::thread::sleep(Duration::from_millis(25));
            }
            ended.store(true, Ordering::Relaxed);
        });
        let mut seen = [0, 0];
        while !ended.load(Ordering::Relaxed) {
            let value = service.lookup("n", "k").value();
            let which =
                [json!(["a node", "a common"]), json!(["b node", "b common"])].iter().position(|one| *one == value);
            seen[which.unwrap_or_else(|| panic!("torn: {value}"))] += 1;
        }
        seen
    });
    assert!(seen[0] > 0 && seen[1] > 0, "{seen:?}");
}

/// Writes a file over where it is, in two pieces with a pause between.
fn write_in_pieces(path: &Path, text: &str) {
    let mut file = fs::File::create(path).unwrap();
    let (first, second) = text.as_bytes().split_at(text.len() / 2);
    file.write_all(first).unwrap();
    std::thread::sleep(Duration::from_millis(2));
    file.write_all(second).unwrap();
}

#[test]
fn no_answer_mixes_two_versions() {
    let data = "environments/production/data";
    let options = "lookup_options: {k: {merge: unique}}\n";
    let version = |letter: char, level: &str| {
        let filler: String = (0..200).map(|number| format!("filler{number}: {letter}\n")).collect();
        format!("{options}{filler}k: ['{letter} {level}', '{letter} end of {level}']\n")
    };
    let repository = Repository::new(&[]);
    let levels = ["common.yaml", "roles/web.yaml", "nodes/n0.yaml", "nodes/n1.yaml", "nodes/n2.yaml"];
    for level in levels {
        repository.write(&format!("{data}/{level}"), &version('a', level));
    }
    for node in 0..3 {
        repository.write(&format!("facts/n{node}.json"), r#"{"role": "web"}"#);
    }
    std::thread::sleep(Duration::from_millis(50));
    // On a busy machine the writer may have to wait in the middle for its turn.
    let service = repository.serve(&["--settle", "300"]);
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for turn in 0..8 {
                let letter = if turn % 2 == 0 { 'b' } else { 'a' };
                for level in levels {
                    let path = repository.path().join(data).join(level);
                    write_in_pieces(&path, &version(letter, level));
                }
                std::thread::sleep(Duration::from_millis(700));
            }
            ended.store(true, Ordering::Relaxed);
        });
        let askers: Vec<_> = (0..3)
            .map(|node| {
                let (service, ended) = (&service, &ended);
                scope.spawn(move || {
                    let mut seen = [0, 0];
                    while !ended.load(Ordering::Relaxed) {
                        let answer = service.lookup(&format!("n{node}"), "k");
                        assert_eq!(answer.status, 200, "{}", answer.text);
                        let value = answer.value();
                        let letters: Vec<char> = value
                            .as_array()
                            .map_or(&[][..], |all| all)
                            .iter()
                            .filter_map(|one| one.as_str()?.chars().next())
                            .collect();
                        let all = |letter: char| letters.len() == 6 && letters.iter().all(|one| *one == letter);
                        assert!(all('a') || all('b'), "torn: {}", answer.text);
                        seen[usize::from(all('b'))] += 1;
                    }
                    seen
                })
            })
            .collect();
        for asker in askers {
            let seen = asker.join().unwrap();
            assert!(seen[0] > 0 && seen[1] > 0, "{seen:?}");
        }
    });
}

#[test]
fn files_that_changed_together_are_waited_for_together() {
    let data = "environments/production/data";
    let repository = Repository::new(&[("facts/n.json", "{}")]);
    let write = |level: &str, letter: char| {
        let text = format!("k: ['{letter} {level}']\nlookup_options: {{k: {{merge: unique}}}}\n");
        repository.write(&format!("{data}/{level}"), &text);
    };
    let both = |letter: char| json!([format!("{letter} nodes/n.yaml"), format!("{letter} common.yaml")]);
    let write_both = |letter: char| ["common.yaml", "nodes/n.yaml"].into_iter().for_each(|level| write(level, letter));
    write_both('a');
    // A tenth of the time for which a part of the files has to be left alone.
    let settle = Duration::from_millis(250);
    std::thread::sleep(settle);
    let service = repository.serve(&["--settle", "250"]);
    assert_eq!(service.lookup("n", "k").value(), both('a'));
    write_both('b');
    comes(&service, "k", &both('b'));
    // Whoever writes them is held up between the two, for longer than one file has to be left alone.
    write("common.yaml", 'c');
    std::thread::sleep(settle + settle / 2);
    assert_eq!(service.lookup("n", "k").value(), both('b'));
    write("nodes/n.yaml", 'c');
    comes(&service, "k", &both('c'));
    // One of them alone is believed in the end.
    write("nodes/n.yaml", 'd');
    comes(&service, "k", &json!(["d nodes/n.yaml", "c common.yaml"]));
}
