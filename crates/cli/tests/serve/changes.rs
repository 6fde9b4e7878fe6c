//! What changes between revisions, and the history of a key, as pages and over the API.

use std::io::Write;
use std::net::TcpStream;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::browser::ATTACK;
use crate::git::{commit, git, init};
use crate::service::{Repository, Service};
use crate::until::until;

const COMMON: &str = "environments/production/data/common.yaml";
const WEB: &str = "environments/production/data/roles/web.yaml";

/// A repository with three commits on a branch, one on another, and changes that are not committed; none without git.
pub fn changed() -> Option<Repository> {
    let repository = Repository::new(&[
        (
            COMMON,
            "port: 80\nurl: \"http://x:%{lookup('port')}/\"\nlist: [a, b]\ndeep: {same: 1, text: \"one\\ntwo\\n\"}\n",
        ),
        (WEB, "list: [c, d]\n"),
        ("environments/production/modules/ntp/manifests/init.pp", "class ntp (Integer $port = 123) { }\n"),
        ("facts/web01.json", "{\"role\": \"web\"}"),
        ("facts/web02.json", "{\"role\": \"web\"}"),
        ("facts/db01.json", "{\"role\": \"db\"}"),
    ]);
    let write = |name: &str, text: &str| repository.write(name, text);
    if !init(repository.path()) {
        return None;
    }
    git(repository.path(), &["tag", "v1"]);
    write(WEB, "list: [c, e]\nonly: 1\n");
    commit(repository.path(), "Web gets <i>");
    write(
        COMMON,
        "port: 8080\nurl: \"http://x:%{lookup('port')}/\"\nlist: [a, b]\ndeep: {same: 1, text: \"one\\nthree\\n\"}\n",
    );
    commit(repository.path(), "Higher port");
    git(repository.path(), &["checkout", "-q", "-b", "other", "v1"]);
    write(WEB, "list: [c, d, z]\n");
    commit(repository.path(), "Aside");
    git(repository.path(), &["checkout", "-q", "main"]);
    write("environments/production/data/nodes/db01.yaml", "port: 5432\n");
    write("environments/production/modules/ntp/manifests/init.pp", "class ntp (String $port = '123') { }\n");
    std::thread::sleep(Duration::from_millis(60));
    Some(repository)
}

/// What the command prints as JSON.
fn printed(repository: &Repository, arguments: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
    command.args(arguments).args(["--environment-dir", "environments/production"]);
    let output = command.current_dir(repository.path()).env("XDG_CONFIG_HOME", "/nowhere").output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn shows(service: &Service, page: &str, parts: &[&str], lacks: &[&str]) {
    let answer = service.get(page);
    assert_eq!(answer.status, 200, "{page}: {}", answer.text);
    parts.iter().for_each(|part| assert!(answer.text.contains(part), "{page} lacks {part}: {}", answer.text));
    lacks.iter().for_each(|part| assert!(!answer.text.contains(part), "{page} has {part}: {}", answer.text));
}

#[test]
fn changes_are_those_of_the_command() {
    let Some(repository) = changed() else { return };
    let service = repository.serve(&[]);
    for (query, arguments) in [
        ("", vec![]),
        ("?base=v1", vec!["v1"]),
        ("?base=v1&head=HEAD", vec!["v1..HEAD"]),
        ("?base=main&head=other", vec!["main..other"]),
        ("?base=main&head=other&merge_base=true", vec!["main...other"]),
        ("?base=v1&key=l*t", vec!["v1", "--key", "l*t"]),
        ("?base=v1&node=db01", vec!["v1", "--node", "db01"]),
        ("?base=HEAD~1&head=HEAD", vec!["HEAD~1..HEAD"]),
    ] {
        let answer = service.get(&format!("/v1/changes{query}"));
        assert_eq!(answer.status, 200, "{query}: {}", answer.text);
        let reported = printed(
            &repository,
            &[&["diff", "--facts", "facts", "--no-findings", "--format", "json"], &*arguments].concat(),
        );
        let without_findings = |mut answer: Value| {
            answer["findings"] = json!([]);
            answer
        };
        assert_eq!(without_findings(answer.json()), reported, "{query}");
        assert_eq!(answer.json(), service.get(&format!("/v1/changes{query}")).json());
    }
    let reported = service.get("/v1/changes?base=v1").json();
    assert_eq!(reported["summary"]["nodes"], 3, "{reported}");
    assert_eq!(reported["parameters"][0]["key"], "ntp::port", "{reported}");
    // A part of a key is enough.
    assert_eq!(service.get("/v1/changes?base=v1&key=OR").json()["groups"][0]["changes"][0]["key"], "port");
    // What was compared before is not told of files that have changed since.
    repository.write("environments/production/data/nodes/db01.yaml", "port: 5433\n");
    until("the changed file is compared", || service.get("/v1/changes?base=v1").text.contains("5433").then_some(()));
}

#[test]
fn changes_of_jobs_are_those_of_the_command() {
    let Some(repository) = changed() else { return };
    let job = |count: u8| {
        let task = "task \"t\" {\n driver = \"docker\"\n config { image = \"i:${hiera(\"port\", 1)}\" }\n}";
        format!("job \"web\" {{\n group \"g\" {{\n count = {count}\n {task}\n }}\n}}\n")
    };
    let plain = |count: u8| job(count).replace("${hiera(\"port\", 1)}", "1").replace("\"web\"", "\"plain\"");
    let settings = "[[jobs]]\nname = \"prod\"\nfiles = [\"jobs/*\"]\n";
    let files = [("hieratic.toml", settings), ("jobs/web.nomad.hcl", &job(1)), ("jobs/plain.nomad.hcl", &plain(1))];
    for (name, text) in files {
        repository.write(name, text);
    }
    commit(repository.path(), "Jobs");
    repository.write("jobs/web.nomad.hcl", &job(2));
    repository.write("jobs/plain.nomad.hcl", &plain(2));
    let service = repository.serve(&[]);
    let answer = service.get("/v1/changes").json();
    let reported = printed(&repository, &["diff", "--facts", "facts", "--no-findings", "--format", "json"]);
    assert_eq!(answer["jobs"], reported["jobs"]);
    let jobs: Vec<_> = reported["jobs"].as_array().unwrap().iter().map(|job| (&job["job"], &job["nodes"])).collect();
    assert_eq!(jobs.len(), 2, "{reported}");
    assert!(jobs.contains(&(&json!("plain"), &Value::Null)), "{reported}");
    assert!(jobs.contains(&(&json!("web"), &json!("all 3 nodes"))), "{reported}");
    assert_eq!(service.get("/v1/changes?key=port").json()["jobs"], json!([]));
    shows(&service, "/changes", &["Nomad jobs", "plain"], &[]);
}

#[test]
fn new_findings_are_listed_without_values_of_data() {
    let Some(repository) = changed() else { return };
    repository.write(WEB, "list: [c, e]\nonly: 1\nonly: 'hush'\nntp::port: 'hush'\n");
    repository.write("environments/production/manifests/site.pp", "notify { 'hush' }\n");
    std::thread::sleep(Duration::from_millis(60));
    let service = repository.serve(&[]);
    let reported = service.get("/v1/changes").json();
    let mut found: Vec<(&str, &str)> = Vec::new();
    for one in reported["findings"].as_array().unwrap() {
        found.push((one["code"].as_str().unwrap(), one["message"].as_str().unwrap()));
    }
    let command = printed(&repository, &["diff", "--facts", "facts", "--format", "json"]);
    let rules: Vec<&str> =
        command["findings"].as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap()).collect();
    assert_eq!(found.iter().map(|(rule, _)| *rule).collect::<Vec<_>>(), rules, "{reported}");
    assert!(rules.contains(&"duplicate-key") && rules.len() > 1, "{rules:?}");
    let of_data = found.iter().find(|(rule, _)| *rule == "duplicate-key").unwrap();
    assert!(!of_data.1.contains("only"), "{of_data:?}");
    shows(&service, "/changes", &["New findings of", "/finding?rule=duplicate-key", "data/roles/web.yaml:3"], &[]);
    // A node or some keys have none of their own.
    assert_eq!(service.get("/v1/changes?key=list").json()["findings"], json!([]));
}

#[test]
fn nodes_are_derived_where_no_facts_are_stored() {
    let Some(repository) = changed() else { return };
    // The service finds facts in this folder.
    std::fs::remove_dir_all(repository.path().join("facts")).unwrap();
    let service = Service::start(repository.path(), &["--environment-dir", "environments/production"]);
    for (query, range) in [("?base=v1", "v1"), ("?base=v1&head=main", "v1..main")] {
        let reported = printed(&repository, &["diff", range, "--no-findings", "--format", "json"]);
        let mut answer = service.get(&format!("/v1/changes{query}")).json();
        answer["findings"] = json!([]);
        assert_eq!(answer, reported);
        assert_eq!(answer["summary"]["made_up"], true);
    }
    shows(&service, "/changes?base=v1", &["role=web"], &["/key?", "/node?"]);
}

#[test]
fn changes_are_a_page() {
    let Some(repository) = changed() else { return };
    let service = repository.serve(&[]);
    shows(
        &service,
        "/changes?base=v1",
        &[
            "keys change on 3 of 3 nodes, v1 (",
            "→ the working tree",
            "all 3 nodes",
            "2 of 3 nodes: role=web",
            "/key?environment=production&amp;node=web01&amp;key=list",
            "/node?environment=production&amp;node=web02",
            // Only what differs is marked.
            "<mark>d</mark>",
            "data/roles/web.yaml:1",
            "class=\"badge added\"",
            "All (",
            "New keys (1)",
            "three",
            "Class parameters",
            "/v1/changes?environment=production&amp;base=v1",
        ],
        &["same"],
    );
    shows(&service, "/changes?base=v1&only=new", &["New keys (1)", ">only<"], &[">list<"]);
    shows(&service, "/changes?base=v1&node=db01&key=por", &[">port<"], &[">list<", "web01"]);
    shows(&service, "/changes?base=main&head=other&merge_base=true", &["checked", "+ [2]: z"], &[">port<"]);
    shows(&service, "/changes?base=HEAD&head=HEAD", &["No values change"], &[]);
    shows(&service, "/compare", &["/changes"], &[]);
    // Two pages in one file look the same as those of the service.
    let alone = Command::new(env!("CARGO_BIN_EXE_hieratic"))
        .args(["diff", "v1", "--facts", "facts", "--no-findings", "--format", "html"])
        .args(["--environment-dir", "environments/production"])
        .current_dir(repository.path())
        .output()
        .unwrap();
    let alone = String::from_utf8(alone.stdout).unwrap();
    let style = hieratic_report::pages::STYLE;
    assert!(service.get("/style.css").text.starts_with(style), "pages to send around have the style of the service");
    assert!(alone.contains(style) && alone.contains("<mark>d</mark>") && alone.contains("Made 20"), "{alone}");
}

#[test]
fn incomparable_sides_are_reported() {
    let repository = Repository::new(&[(COMMON, "port: 80\n"), ("facts/n.json", "{}")]);
    let service = repository.serve(&[]);
    for path in ["/changes", "/v1/changes", "/v1/history?node=n&key=port"] {
        let answer = service.get(path);
        assert!(answer.status == 404 && answer.text.contains("not in a git repository"), "{path}: {}", answer.text);
    }
    if !git(repository.path(), &["init", "-q", "-b", "main"]) {
        return;
    }
    let empty = service.get("/v1/changes");
    assert!(empty.status == 404 && empty.text.contains("no revision 'HEAD'"), "{}", empty.text);
    assert!(init(repository.path()));
    for (query, status, part) in [
        ("base=none", 404, "no revision 'none'"),
        ("head=none", 404, "no revision 'none'"),
        ("base=%3A%2Fword", 400, "`base` is not a revision"),
        ("head=HEAD%40%7B1%7D", 400, "`head` is not a revision"),
        ("base=a..b", 400, "`base` is not a revision"),
        ("node=none", 404, "none"),
        ("node=a%2Fb", 400, "not a valid node name"),
        ("environment=none", 404, "none"),
    ] {
        for path in ["/changes", "/v1/changes"] {
            let answer = service.get(&format!("{path}?{query}"));
            // On a page, what is between backticks is code.
            let text = answer.text.replace("<code>", "`").replace("</code>", "`");
            assert!(answer.status == status && text.contains(part), "{path}?{query}: {text}");
        }
    }
    assert_eq!(service.get("/v1/changes?bas=HEAD").status, 400);
    assert_eq!(service.get("/v1/history?node=n").status, 400);
    assert_eq!(service.get("/changes?only=bad").status, 400);
    // If a hierarchy cannot be read on one side, the answer says so and names the side.
    repository.write("environments/production/hiera.yaml", "version: [\n");
    std::thread::sleep(Duration::from_millis(60));
    let text = service.get("/changes?base=HEAD").text;
    assert!(text.contains("− can be looked up") && text.contains("hiera.yaml"), "{text}");
}

#[test]
fn the_history_is_that_of_the_command() {
    let Some(repository) = changed() else { return };
    let service = repository.serve(&[]);
    for (node, key) in [("web01", "port"), ("web01", "list"), ("db01", "list"), ("db01", "deep"), ("web01", "none")] {
        let facts = format!("facts/{node}.json");
        let reported =
            printed(&repository, &["history", key, "--node", node, "--facts", &facts, "--render-as", "json"]);
        let answer = service.get(&format!("/v1/history?node={node}&key={key}"));
        assert_eq!(answer.status, 200, "{}", answer.text);
        assert_eq!(answer.json()["changes"], reported, "{node} {key}");
        assert_eq!([&answer.json()["secret"], &answer.json()["shallow"]], [false, false]);
    }
    shows(
        &service,
        "/history?node=web01&key=list",
        &["Web gets &lt;i&gt;", "A &amp; B", "<mark>d</mark>", "data/roles/web.yaml:1"],
        &["Higher port", "<i>"],
    );
    let first = service.get("/v1/history?node=web01&key=list").json()["changes"][1]["commit"].clone();
    let older = service.get(&format!("/v1/history?node=web01&key=list&from={}", first.as_str().unwrap())).json();
    assert_eq!(older["changes"].as_array().unwrap().len(), 1, "{older}");
    assert_eq!(older["changes"][0]["parts"][0]["before"], Value::Null, "{older}");
}

#[test]
fn nothing_that_is_or_was_secret_is_shown() {
    const CANARY: &str = "canary-71c";
    let sensitive = "lookup_options: {pw: {convert_to: Sensitive}, deep: {convert_to: Sensitive}}\n";
    let repository = Repository::new(&[
        (COMMON, &format!("pw: {CANARY}-1\ndeep: {{a: {CANARY}-1}}\nopen: x\n")),
        ("facts/n.json", "{}"),
        ("facts/m.json", "{}"),
    ]);
    if !init(repository.path()) {
        return;
    }
    let write = |text: &str| repository.write(COMMON, text);
    write(&format!("pw: {CANARY}-2\ndeep: {{a: {CANARY}-1, b: {CANARY}-2}}\nopen: y\nalso: {CANARY}-4\n"));
    commit(repository.path(), "readable");
    write(&format!("pw: {CANARY}-3\ndeep: {{a: {CANARY}-3}}\nopen: z\n{sensitive}"));
    commit(repository.path(), "secret");
    write(&format!("pw: {CANARY}-4\ndeep: {{a: {CANARY}-4}}\nopen: q\n{sensitive}"));
    std::thread::sleep(Duration::from_millis(60));
    let service = repository.serve(&[]);
    // What was a secret's value under another name is found once the secret was met.
    assert_eq!(service.lookup("n", "pw").status, 200);
    for range in [
        "base=HEAD~2",
        "base=HEAD~2&head=HEAD~1",
        "base=HEAD~1&head=HEAD",
        "base=HEAD",
        "base=HEAD&head=HEAD~2",
        "base=HEAD~1",
    ] {
        for path in ["/changes", "/v1/changes"] {
            let answer = service.get(&format!("{path}?{range}"));
            assert!(answer.status == 200 && !answer.text.contains(CANARY), "{path}?{range}: {}", answer.text);
            assert!(answer.text.contains("open") && answer.text.contains("pw"), "{path}?{range}: {}", answer.text);
        }
    }
    let reported = service.get("/v1/changes?base=HEAD~2&head=HEAD~1").json();
    let pw = reported["groups"][0]["changes"].as_array().unwrap().iter().find(|change| change["key"] == "pw").unwrap();
    let redacted =
        |side: &str| json!({"side": side, "path": [], "value": "Sensitive [value redacted]", "redacted": true});
    assert_eq!(pw["parts"], json!([redacted("base"), redacted("head")]), "{reported}");
    for key in ["pw", "deep", "deep.a", "also"] {
        for path in ["/history", "/v1/history"] {
            let answer = service.get(&format!("{path}?node=n&key={key}"));
            assert!(answer.status == 200 && !answer.text.contains(CANARY), "{path} {key}: {}", answer.text);
        }
    }
}

/// Names and values that would be markup.
pub fn hostile() -> Option<Repository> {
    let quoted = serde_json::to_string(ATTACK).unwrap();
    let hiera = |name: &str| format!("version: 5\nhierarchy:\n  - {{name: {name}, path: common.yaml}}\n");
    let repository = Repository::new(&[
        ("environments/production/hiera.yaml", &hiera(&quoted)),
        (COMMON, &format!("{{{quoted}: {quoted}, plain: {{{quoted}: [{quoted}]}}, wide: {:?}}}", "x".repeat(300))),
        ("facts/n.json", &json!({ATTACK: ATTACK}).to_string()),
        ("facts/m.json", "{}"),
    ]);
    if !init(repository.path()) {
        return None;
    }
    let data = format!("{{{quoted}: {quoted}1, plain: {{{quoted}: [1, {quoted}]}}, wide: {:?}}}", "y".repeat(300));
    repository.write(COMMON, &data.replace("\"1,", "\","));
    repository.write("environments/production/hiera.yaml", &hiera("other"));
    commit(repository.path(), ATTACK);
    std::thread::sleep(Duration::from_millis(60));
    Some(repository)
}

#[test]
fn nothing_hostile_becomes_markup() {
    let Some(repository) = hostile() else { return };
    let service = repository.serve(&[]);
    let own = "<script src=\"/script.js\" defer></script>";
    for page in ["/changes?base=HEAD~1", "/changes?base=HEAD~1&head=HEAD", "/history?node=n&key=plain"] {
        let answer = service.get(page);
        let text = answer.text.replace(own, "");
        assert!(answer.status == 200 && text.contains("&lt;script&gt;"), "{page}: {text}");
        assert!(!["<script", "<img", "<i>"].iter().any(|markup| text.contains(markup)), "{page}: {text}");
    }
}

#[test]
fn a_comparison_continues_while_a_client_requests_it() {
    // Four hundred keys with the same long value, in which each node replaces two thousand variables.
    let data = |end: &str| {
        let long = "%{facts.none}".repeat(2_000);
        let keys: String = (1..400).map(|number| format!("c{number}: *long\n")).collect();
        format!("c0: &long \"{long}{end}\"\n{keys}plain: 1\n")
    };
    let repository = Repository::new(&[(COMMON, &data("")), ("facts/n.json", "{}"), ("facts/m.json", "{}")]);
    if !init(repository.path()) {
        return;
    }
    repository.write(COMMON, &data("x"));
    std::thread::sleep(Duration::from_millis(60));
    let service = repository.serve(&["--timeout", "2", "--concurrency", "1"]);
    let answer = service.get("/v1/changes");
    assert_eq!(answer.status, 503, "{}", answer.text);
    assert!(answer.text.contains("in progress") && answer.heads.contains_key("retry-after"), "{}", answer.text);
    let page = service.get("/changes");
    assert!(
        page.status == 200 && page.text.contains("Comparing…") && page.text.contains("data-pending"),
        "{}",
        page.text
    );
    assert_eq!(service.lookup("n", "plain").status, 200);
    // A comparison that nobody asks for any more makes room for the next.
    let service = repository.serve(&["--timeout", "60", "--concurrency", "1"]);
    let address = service.url.strip_prefix("http://").unwrap();
    for _ in 0..3 {
        let mut gone = TcpStream::connect(address).unwrap();
        write!(gone, "GET /v1/changes HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
        std::thread::sleep(Duration::from_millis(300));
    }
    let small = service.get("/v1/changes?key=plain");
    assert_eq!(small.status, 200, "{}", small.text);
}
