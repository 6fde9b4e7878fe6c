//! What `check` finds, as pages and over the API; and the history of a key.

use serde_json::{Value, json};

use crate::git::{self, git};
use crate::service::{Repository, Service, example};
use crate::until::until;

const COMMON: &str = "environments/production/data/common.yaml";

/// A repository with something wrong in the files of one node, and in those of all.
pub fn faulty() -> Repository {
    Repository::new(&[
        (COMMON, "web::port: '80'\nweb::prot: 1\ntwice: 1\ntwice: 2\n"),
        ("environments/production/data/roles/a.yaml", "one: '%{facts.no_such}'\ntext: \"%{lookup('no::key')}\"\n"),
        ("environments/production/data/roles/unused.yaml", "one: 1\n"),
        ("environments/production/modules/web/manifests/init.pp", "class web(Integer $port = 80) { }\n"),
        ("facts/a.json", "{\"role\": \"a\"}"),
        ("facts/b.json", "{\"role\": \"b\"}"),
        ("facts/c.json", "{\"role\": \"b\"}"),
    ])
}

/// The findings once they are those of the files as they are.
fn current(service: &Service, query: &str) -> Value {
    until("the check is complete", || {
        let answer = service.get(&format!("/v1/findings{query}"));
        assert_eq!(answer.status, 200, "{}", answer.text);
        Some(answer.json()).filter(|answer| answer["complete"] == true)
    })
}

fn rules(answer: &Value) -> Vec<&str> {
    answer["findings"].as_array().unwrap().iter().map(|one| one["rule"].as_str().unwrap()).collect()
}

#[test]
fn findings_have_places_and_can_be_selected() {
    let repository = faulty();
    let service = repository.serve(&[]);
    let all = current(&service, "");
    let found = rules(&all);
    for rule in ["parameter-type", "unknown-parameter", "duplicate-key", "unknown-key"] {
        assert!(found.contains(&rule), "{rule}: {all}");
    }
    assert_eq!(all["nodes"], 3);
    let twice = all["findings"].as_array().unwrap().iter().find(|one| one["rule"] == "duplicate-key").unwrap();
    assert_eq!(twice["severity"], "error");
    assert_eq!(twice["place"]["file"], "data/common.yaml");
    assert_eq!(twice["place"]["line"], 4);
    assert_eq!(twice["place"]["text"], "twice: 2");
    // The worst come first, and counts say what there is to choose from.
    let severities: Vec<&str> =
        all["findings"].as_array().unwrap().iter().map(|one| one["severity"].as_str().unwrap()).collect();
    let rank = |word: &&str| ["error", "warning", "note"].iter().position(|other| other == word).unwrap();
    assert!(severities.is_sorted_by_key(rank), "{severities:?}");
    let errors = severities.iter().filter(|word| **word == "error").count();
    assert_eq!(all["errors"], errors);
    let chosen = current(&service, "?severity=error&rule=duplicate-key");
    assert_eq!(rules(&chosen), ["duplicate-key"]);
    assert!(chosen["rules"].as_array().unwrap().len() > 1, "{chosen}");
    assert_eq!(current(&service, "?file=COMMON.y&limit=1")["more"], true);
    assert_eq!(rules(&current(&service, "?file=no-such-file")), [""; 0]);
    assert_eq!(service.get("/v1/findings?severity=bad").status, 400);
    assert_eq!(service.get("/v1/findings?environment=none").status, 404);
    assert_eq!(service.get("/v1/findings?node=none").status, 404);
    // A node has those in the files that it reads.
    let (a, b) = (current(&service, "?node=a"), current(&service, "?node=b"));
    assert!(rules(&a).contains(&"unknown-key") && rules(&a).contains(&"duplicate-key"), "{a}");
    assert!(!rules(&b).contains(&"unknown-key") && rules(&b).contains(&"duplicate-key"), "{b}");
}

#[test]
fn unjudged_files_are_reported() {
    let manifest = "environments/production/manifests/site.pp";
    let repository = Repository::new(&[
        (COMMON, "a: 1\n"),
        ("environments/production/Puppetfile", "mod 'example-nginx', '1.0.0'\n"),
        (manifest, "class { 'nginx': }\n"),
        ("environments/production/site.erb", "<%= 1 %>\n"),
        ("facts/a.json", "{\"role\": \"a\"}"),
        ("facts/b.json", "not JSON"),
    ]);
    let service = repository.serve(&[]);
    let expected = [
        "1 node (their facts cannot be read)",
        "1 manifest (modules of Puppetfile are missing: install them)",
        "1 template (ERB outside of templates/: name it to check it)",
    ];
    let all = current(&service, "");
    let reported: Vec<&str> = all["not_judged"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    assert_eq!(reported[..expected.len()], expected);
    let page = service.get("/findings").text;
    for words in expected {
        assert!(page.contains(words), "{words}: {page}");
    }
}

#[test]
fn findings_are_pages() {
    let repository = faulty();
    let service = repository.serve(&["--timeout", "60"]);
    current(&service, "");
    let has = |page: &str, parts: &[&str], lacks: &[&str]| {
        let answer = service.get(page);
        assert_eq!(answer.status, 200, "{page}: {}", answer.text);
        parts.iter().for_each(|part| assert!(answer.text.contains(part), "{page} lacks {part}: {}", answer.text));
        lacks.iter().for_each(|part| assert!(!answer.text.contains(part), "{page} has {part}: {}", answer.text));
    };
    let twice = "<mark>twice</mark>: 2";
    has(
        "/findings",
        &[twice, "data/common.yaml:4", "/finding?rule=duplicate-key", "files checked", "Help: "],
        &["in progress"],
    );
    has("/findings?rule=unknown-key", &["no::key", "All findings"], &[twice]);
    has("/findings?node=b", &[twice], &["no::key"]);
    has("/node?node=a", &["<h2 id=\"findings\">", twice, "no::key"], &["in progress"]);
    has("/node?node=b", &[twice], &["no::key"]);
    has("/finding?rule=duplicate-key", &["Why it matters", "ntp::iburst", "/findings?rule=duplicate-key"], &["```"]);
    has("/finding", &["unknown-parameter", "/finding?rule=job-port"], &[]);
    assert_eq!(service.get("/finding?rule=none").status, 404);
    let (_folder, clean) = example(&[]);
    current(&clean, "");
    assert!(clean.get("/findings").text.contains("No findings"));
}

#[test]
fn data_that_can_go_is_found_where_it_is_no_secret() {
    let repository = Repository::new(&[
        (COMMON, "port: 80\npw: word\nlookup_options: {pw: {convert_to: Sensitive}}\n"),
        ("environments/production/data/roles/a.yaml", "port: 80\npw: word\n"),
        ("facts/a.json", "{\"role\": \"a\"}"),
    ]);
    let service = repository.serve(&[]);
    let redundant = |answer: &Value| -> Vec<u64> {
        let found = answer["findings"].as_array().unwrap().iter().filter(|one| one["rule"] == "redundant-value");
        found.map(|one| one["place"]["line"].as_u64().unwrap()).collect()
    };
    assert_eq!(redundant(&current(&service, "")), [0; 0]);
    let reported = current(&service, "?hygiene=true");
    assert_eq!(redundant(&reported), [1], "{reported}");
    let page = service.get("/findings?hygiene=true&severity=note").text;
    assert!(page.contains("redundant-value") && page.contains("checked"), "{page}");
    // Links to other findings keep it.
    assert!(page.contains("hygiene=true&amp;") || page.contains("&amp;hygiene=true"), "{page}");
}

#[test]
fn findings_follow_the_files() {
    let repository = faulty();
    let service = repository.serve(&[]);
    assert!(rules(&current(&service, "?file=common")).contains(&"duplicate-key"));
    repository.write(COMMON, "twice: 1\n");
    until("the corrected file has no findings", || rules(&current(&service, "?file=common")).is_empty().then_some(()));
    // Facts count, too.
    repository.write("facts/d.json", "{\"role\": \"d\"}");
    until("the new node counts", || (current(&service, "")["nodes"] == json!(4)).then_some(()));
}

#[test]
fn the_history_of_a_key_is_a_page_without_secrets() {
    let repository = Repository::new(&[(COMMON, "port: 80\npw: canary-7d\n"), ("facts/n.json", "{}")]);
    let page = |service: &Service, key: &str| service.get(&format!("/history?node=n&key={key}"));
    let service = repository.serve(&[]);
    assert_eq!(page(&service, "port").status, 404);
    assert!(!service.get("/key?node=n&key=port").text.contains("/history"));
    if !git(repository.path(), &["init", "-q", "-b", "main"]) {
        return;
    }
    let commit = |text: &str, message: &str| {
        repository.write(COMMON, text);
        assert!(git::commit(repository.path(), message));
    };
    commit("port: 80\npw: canary-7d\n", "first <i>");
    commit("port: 80\npw: canary-7d\nother: 1\n", "beside");
    commit("port: 8080\npw: canary-7d\nlookup_options: {pw: {convert_to: Sensitive}}\n", "higher");
    until("the page shows the last commit", || service.get("/key?node=n&key=port").text.contains("8080").then_some(()));
    let shown = page(&service, "port");
    assert_eq!(shown.status, 200, "{}", shown.text);
    for part in ["higher", "first &lt;i&gt;", "A &amp; B", "80<mark>80</mark>", "data/common.yaml:1"] {
        assert!(shown.text.contains(part), "{part} in {}", shown.text);
    }
    assert!(!shown.text.contains("beside"), "{}", shown.text);
    assert!(service.get("/key?node=n&key=port").text.contains("/history?environment=production"));
    // What is secret now was none once.
    let secret = page(&service, "pw");
    assert!(secret.status == 200 && secret.text.contains("its past is not shown"), "{}", secret.text);
    assert!(!secret.text.contains("canary-7d"), "{}", secret.text);
    assert_eq!(service.get("/history?node=n&key=port&from=HEAD~1").status, 400);
    assert_eq!(service.get("/history?node=none&key=port").status, 404);
}
