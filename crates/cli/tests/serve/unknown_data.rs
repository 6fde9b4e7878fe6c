//! Pages about data that is not known here: levels that are not asked, data on other machines, and files with errors.

use crate::service::{Repository, Service};
use crate::until::until;

/// The text of a page when all nodes have been read.
fn complete(service: &Service, page: &str) -> String {
    until(&format!("{page} is complete"), || {
        let answer = service.get(page);
        (answer.status == 200 && !answer.text.contains("data-pending")).then_some(answer.text)
    })
}

fn has(text: &str, parts: &[&str]) {
    parts.iter().for_each(|part| assert!(text.contains(part), "{part} in {text}"));
}

#[test]
fn levels_that_are_not_asked_are_named_and_not_judged() {
    let hiera = "version: 5\nhierarchy:\n  - {name: Vault, data_hash: vault_hiera_hash, uri: 'https://vault.example.com'}\n  \
                 - {name: Left, path: left.yaml}\n  - {name: Common, path: common.yaml}\n";
    let repository = Repository::new(&[
        ("environments/production/hiera.yaml", hiera),
        ("environments/production/data/common.yaml", "port: 80\n"),
        ("environments/production/data/left.yaml", "port: 81\n"),
        ("facts/n.json", "{}"),
    ]);
    let service = repository.serve(&["--without-level", "Left"]);
    let vault = "the level Vault, because vault_hiera_hash reads the data of another system.";
    let left = "the level Left, because it was left out by --without-level or the settings.";
    for page in [
        "/",
        "/node?node=n",
        "/key?node=n&key=port",
        "/key?node=n&key=none",
        "/spread?key=port",
        "/find?q=port",
        "/hierarchy",
    ] {
        has(&complete(&service, page), &["Not asked: ", vault, left]);
    }
    has(&complete(&service, "/key?node=n&key=port"), &["<summary>2 levels were not asked"]);
    has(&complete(&service, "/key?node=n&key=none"), &["<summary>1 place has no such key; 2 levels were not asked"]);
    has(&complete(&service, "/node?node=n"), &["not asked</span>"]);
    // Nobody here knows whether it can go.
    let text = complete(&service, "/hierarchy");
    has(&text, &["<span class=\"badge\">not asked</span>"]);
    assert!(!text.contains("read by no node") && !text.contains("never win:"), "{text}");
    let text = complete(&service, "/level?level=Vault");
    has(&text, &["The level is not asked, so nobody here knows what would change."]);
    assert!(!text.contains("can go"), "{text}");
    let level = &service.get("/v1/hierarchy").json()["levels"][0];
    assert_eq!(level["not_asked"], "vault_hiera_hash reads the data of another system", "{level}");
}

#[test]
fn lines_are_shown_though_a_level_below_has_an_error() {
    let repository = Repository::new(&[
        (
            "environments/production/data/nodes/n.yaml",
            "port: 8080\nlist: [a]\npassword: plain\nbroken: \"%{lookup('none')}\"\n",
        ),
        (
            "environments/production/data/common.yaml",
            "port: \"%{lookup('none')}\"\nlist: \"%{lookup('none')}\"\npassword: \"%{lookup('none')}\"\n\
             lookup_options:\n  list: {merge: unique}\n  password: {convert_to: Sensitive}\n",
        ),
        ("facts/n.json", "{}"),
    ]);
    let service = repository.serve(&[]);
    let text = complete(&service, "/file?path=data/nodes/n.yaml&node=n");
    // The first value is the answer; the merge fails, as the value that names a missing key does.
    has(&text, &[": 8080", ": [a]", "none", "1 key is not shown"]);
    assert!(!text.contains("plain"), "{text}");
    // A file that cannot be read may have options that make keys secret.
    repository.write("environments/production/data/roles/r.yaml", "a: [\n");
    repository.write("facts/n.json", "{\"role\": \"r\"}");
    std::thread::sleep(std::time::Duration::from_millis(60));
    let text = until("the error is known", || {
        let text = service.get("/file?path=data/nodes/n.yaml&node=n").text;
        text.contains("4 keys are not shown, because an error on n hides").then_some(text)
    });
    has(&text, &["roles/r.yaml", "port: ", "not shown"]);
    assert!(!text.contains("8080") && !text.contains("plain"), "{text}");
    // Where another node answers, it is known that they are not.
    repository.write("facts/m.json", "{}");
    repository.write("environments/production/data/nodes/m.yaml", "list: b\n");
    repository.write("environments/production/data/common.yaml", "port: 80\nlist: [c]\n");
    std::thread::sleep(std::time::Duration::from_millis(60));
    let text = until("the other node is read", || {
        let text = service.get("/file?path=data/nodes/n.yaml&node=n").text;
        text.contains(": 8080").then_some(text)
    });
    has(&text, &[": [a]", "2 keys are not shown, because an error on n hides"]);
    assert!(!text.contains("plain"), "{text}");
}

#[test]
fn a_search_leads_to_the_line_of_each_node() {
    let repository = Repository::new(&[
        ("environments/production/data/nodes/a.yaml", "gateway: 10.0.0.1\nlist: [x, 10.0.0.2]\n"),
        ("environments/production/data/nodes/b.yaml", "other: 1\ngateway: 10.0.0.1\nlist:\n  - x\n  - 10.0.0.2\n"),
        ("facts/a.json", "{}"),
        ("facts/b.json", "{}"),
    ]);
    let service = repository.serve(&[]);
    has(&complete(&service, "/find?q=10.0.0.1"), &["data/nodes/a.yaml:1", "data/nodes/b.yaml:2"]);
    has(&complete(&service, "/find?q=10.0.0.2"), &["list[1]", "data/nodes/a.yaml:2", "data/nodes/b.yaml:5"]);
    has(&service.get("/suggest?q=10.0.0.1").text, &["data/nodes/a.yaml:1 and 1 more place"]);
}

#[test]
fn huge_values_are_shortened_and_say_so() {
    let huge = "x".repeat(60_000);
    let repository = Repository::new(&[
        ("environments/production/data/common.yaml", &format!("huge: {huge}\n'::lead': 1\n")),
        ("facts/n.json", &format!("{{\"long\": \"{huge}\"}}")),
    ]);
    let service = repository.serve(&[]);
    let text = complete(&service, "/key?node=n&key=huge");
    has(&text, &["…", "The value is longer. Not all of it is shown."]);
    assert!(!text.contains(&huge) && !text.contains("value large"), "{}", text.len());
    has(&complete(&service, "/file?path=data/common.yaml&node=n"), &["50002 more characters"]);
    has(&complete(&service, "/node?node=n"), &["59500 more characters", "<span class=\"dim\">::<wbr></span>lead"]);
}
