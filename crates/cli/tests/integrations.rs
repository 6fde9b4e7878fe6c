//! The script of the actions for CI, run against a local server that stands in for GitHub and GitLab.

#![cfg(unix)]
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

use hieratic_testing::skipped;
use serde_json::{Value, json};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../integrations/ci/hieratic_ci.py");

/// A request that the server was sent.
#[derive(Clone, Debug)]
struct Request {
    method: String,
    path: String,
    token: String,
    body: Value,
}

/// An answer: the status, headers, and the body.
struct Answer(u16, String, Vec<u8>);

impl Answer {
    fn json(value: &Value) -> Answer {
        Answer(200, String::new(), value.to_string().into_bytes())
    }
}

/// A server that keeps what it is sent.
struct Server {
    address: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    fn start(answer: impl Fn(&Request, &str) -> Answer + Send + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let requests: Arc<Mutex<Vec<Request>>> = Arc::default();
        let (kept, own) = (requests.clone(), address.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = BufReader::new(stream.unwrap());
                let (mut first, mut length, mut token) = (String::new(), 0, String::new());
                stream.read_line(&mut first).unwrap();
                loop {
                    let mut line = String::new();
                    if stream.read_line(&mut line).unwrap() <= 2 {
                        break;
                    }
                    let (name, value) = line.split_once(':').unwrap();
                    match name.to_ascii_lowercase().as_str() {
                        "content-length" => length = value.trim().parse().unwrap(),
                        "authorization" | "private-token" => token = value.trim().to_owned(),
                        _ => {}
                    }
                }
                let mut body = vec![0; length];
                stream.read_exact(&mut body).unwrap();
                let mut words = first.split(' ').map(str::to_owned);
                let (method, path) = (words.next().unwrap(), words.next().unwrap());
                let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
                let request = Request { method, path, token, body };
                let Answer(status, headers, body) = answer(&request, &own);
                kept.lock().unwrap().push(request);
                let head = format!(
                    "HTTP/1.1 {status} X\r\n{headers}Connection: close\r\nContent-Length: {}\r\n\r\n",
                    body.len()
                );
                // A client that has what it needs may be gone.
                let _ = stream.get_mut().write_all(&[head.as_bytes(), &body].concat());
            }
        });
        Server { address, requests }
    }

    fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// The requests that change something, as `METHOD PATH`.
    fn changes(&self) -> Vec<String> {
        let changes = self.requests().into_iter().filter(|request| request.method != "GET");
        changes.map(|request| format!("{} {}", request.method, request.path)).collect()
    }
}

fn has_python() -> bool {
    let is_there = Command::new("python3").arg("--version").output().is_ok();
    if !is_there {
        skipped("python3 is not installed");
    }
    is_there
}

fn script(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new("python3");
    command.arg(SCRIPT).args(arguments).current_dir(folder).env_clear();
    command.env("PATH", std::env::var("PATH").unwrap()).envs(variables.iter().copied());
    command.output().unwrap()
}

/// What a run prints, and its exit status.
fn printed(output: &Output) -> (String, i32) {
    let text = [output.stdout.as_slice(), &output.stderr].concat();
    (String::from_utf8(text).unwrap(), output.status.code().unwrap())
}

#[test]
fn a_comment_is_posted_once_and_then_updated() {
    if !has_python() {
        return;
    }
    let comments = Arc::new(Mutex::new(vec![
        // Anybody can write the marker.
        json!({"id": 1, "user": {"login": "jo"}, "body": "<!-- hieratic: changes -->\nfrom a person"}),
        json!({"id": 2, "user": {"login": "echo[bot]"}, "body": "<!-- hieratic: changes -->\nfrom another bot"}),
    ]));
    let kept = comments.clone();
    let server = Server::start(move |request, address| {
        let mut comments = kept.lock().unwrap();
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/user") if request.token == "Bearer of-a-person" => Answer::json(&json!({"login": "jo"})),
            ("GET", "/user") => Answer(403, String::new(), b"{}".to_vec()),
            ("GET", "/repos/acme/control/issues/7/comments?per_page=100") => {
                let next = format!("Link: <{address}/repos/acme/control/issues/7/comments?page=2>; rel=\"next\"\r\n");
                Answer(200, next, Value::from(comments[..2].to_vec()).to_string().into_bytes())
            }
            ("GET", _) => Answer::json(&Value::from(comments[2..].to_vec())),
            ("POST", _) => {
                let user = json!({"login": "github-actions[bot]"});
                comments.push(json!({"id": 3, "user": user, "body": request.body["body"]}));
                Answer::json(&comments[2])
            }
            (_, path) => {
                let id: usize = path.rsplit('/').next().unwrap().parse().unwrap();
                comments[id - 1]["body"] = request.body["body"].clone();
                Answer::json(&comments[id - 1])
            }
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let variables =
        [("GITHUB_API_URL", server.address.as_str()), ("GITHUB_REPOSITORY", "acme/control"), ("GITHUB_TOKEN", "t0ken")];
    let comment = |text: &str| {
        fs::write(folder.path().join("comment.md"), text).unwrap();
        printed(&script(folder.path(), &["comment", "--file", "comment.md", "--number", "7"], &variables))
    };
    assert_eq!(comment("one"), ("posted the comment 3\n".to_owned(), 0));
    assert_eq!(comment("one"), ("the comment 3 is up to date\n".to_owned(), 0));
    assert_eq!(comment("two"), ("updated the comment 3\n".to_owned(), 0));
    assert_eq!(
        server.changes(),
        ["POST /repos/acme/control/issues/7/comments", "PATCH /repos/acme/control/issues/comments/3"]
    );
    assert_eq!(comments.lock().unwrap()[2]["body"], "<!-- hieratic: changes -->\ntwo");
    assert!(server.requests().iter().all(|request| request.token == "Bearer t0ken"));
    let (text, status) = comment(&"x".repeat(80_000));
    assert_eq!(status, 0, "{text}");
    assert!(comments.lock().unwrap()[2]["body"].as_str().unwrap().len() < 65_536);
    // A person's token updates the comment of that person, and the login of an app that of the app.
    let person = [variables[0], variables[1], ("GITHUB_TOKEN", "of-a-person")];
    let (text, status) =
        printed(&script(folder.path(), &["comment", "--file", "comment.md", "--number", "7"], &person));
    assert_eq!((text.as_str(), status), ("updated the comment 1\n", 0));
    let app = ["comment", "--file", "comment.md", "--number", "7", "--author", "echo[bot]"];
    assert_eq!(printed(&script(folder.path(), &app, &variables)), ("updated the comment 2\n".to_owned(), 0));
    // Without a token, the message says what is missing and not more.
    let (text, status) =
        printed(&script(folder.path(), &["comment", "--file", "comment.md", "--number", "7"], &variables[..2]));
    assert!(status == 2 && text.starts_with("error: GITHUB_TOKEN is not set"), "{text}");
}

#[test]
fn the_comment_of_a_fork_goes_to_the_pull_request_of_its_commit() {
    if !has_python() {
        return;
    }
    let commit = "a".repeat(40);
    let pulls = json!([{"number": 4, "head": {"sha": "b".repeat(40)}}, {"number": 5, "head": {"sha": commit}}]);
    let server = Server::start(move |request, _| match request.path.as_str() {
        "/repos/acme/control/pulls?state=open&per_page=100" => Answer::json(&pulls),
        "/user" => Answer::json(&json!({"login": "jo"})),
        _ if request.method == "GET" => Answer::json(&json!([])),
        _ => Answer::json(&json!({"id": 9})),
    });
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("comment.md"), "text").unwrap();
    let variables =
        [("GITHUB_API_URL", server.address.as_str()), ("GITHUB_REPOSITORY", "acme/control"), ("GITHUB_TOKEN", "t")];
    let run = |commit: &str| {
        printed(&script(folder.path(), &["comment-of-fork", "--file", "comment.md", "--commit", commit], &variables))
    };
    assert_eq!(run(&commit), ("posted the comment 9\n".to_owned(), 0));
    assert_eq!(run(&"c".repeat(40)), ("no open pull request has this commit any more\n".to_owned(), 0));
    assert_eq!(run("main").1, 2);
    assert_eq!(server.changes(), ["POST /repos/acme/control/issues/5/comments"]);
}

#[test]
fn tokens_stay_at_their_host_and_errors_are_reported() {
    if !has_python() {
        return;
    }
    let server = Server::start(|request, _| match request.path.as_str() {
        path if path.contains("/issues/1/") => {
            Answer(200, "Link: <http://other.example/next>; rel=\"next\"\r\n".to_owned(), b"[]".to_vec())
        }
        path if path.contains("/issues/3/") => {
            Answer(302, "Location: http://127.0.0.2:1/elsewhere\r\n".to_owned(), Vec::new())
        }
        path if path.contains("/issues/4/") => Answer(200, String::new(), b"<html>".to_vec()),
        _ => Answer(403, String::new(), b"{\"message\": \"Resource not accessible\"}".to_vec()),
    });
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("comment.md"), "text").unwrap();
    let variables =
        [("GITHUB_API_URL", server.address.as_str()), ("GITHUB_REPOSITORY", "acme/control"), ("GITHUB_TOKEN", "t0ken")];
    let run = |number: &str| {
        printed(&script(folder.path(), &["comment", "--file", "comment.md", "--number", number], &variables))
    };
    let (text, status) = run("1");
    assert!(status == 2 && text.contains("the next page is at another host"), "{text}");
    let (text, status) = run("2");
    assert!(
        status == 2 && text.contains("403") && text.contains("Resource not accessible") && !text.contains("t0ken"),
        "{text}"
    );
    let (text, status) = run("3");
    assert!(status == 2 && text.contains("redirects to another host"), "{text}");
    let (text, status) = run("4");
    assert!(status == 2 && text.contains("did not answer with JSON") && !text.contains("Traceback"), "{text}");
}

#[test]
fn findings_are_uploaded_with_the_baseline_applied() {
    if !has_python() || Command::new("git").arg("--version").output().is_err() {
        return;
    }
    let server = Server::start(|_, _| Answer::json(&json!({"id": "upload-1"})));
    let folder = repository();
    let path = folder.path();
    let hieratic = env!("CARGO_BIN_EXE_hieratic");
    let summary = path.join("summary.md");
    let variables = [
        ("HIERATIC", hieratic),
        ("HOME", "/nowhere"),
        ("GITHUB_STEP_SUMMARY", summary.to_str().unwrap()),
        ("GITHUB_API_URL", server.address.as_str()),
        ("GITHUB_REPOSITORY", "acme/control"),
        ("GITHUB_TOKEN", "t"),
    ];
    let run = |arguments: &[&str]| printed(&script(path, arguments, &variables));
    let (text, status) = run(&["run", "--base", "main", "--out", "out", "--check", "--fail-on error"]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("::error file=data/common.yaml"), "{text}");
    let comment = fs::read_to_string(path.join("out/comment.md")).unwrap();
    assert!(comment.starts_with("### 1 key changes on "), "{comment}");
    assert!(comment.contains("`hieratic check`: 1 finding: 1 `duplicate-key`"), "{comment}");
    assert_eq!(fs::read_to_string(&summary).unwrap(), comment);
    let commit = "d".repeat(40);
    let upload = ["sarif", "--file", "out/hieratic.sarif", "--commit", &commit, "--ref", "refs/heads/x"];
    assert_eq!(run(&upload), ("uploaded out/hieratic.sarif as upload-1\n".to_owned(), 0));
    let request = server.requests().pop().unwrap();
    assert_eq!(
        (request.path.as_str(), request.body["commit_sha"].as_str()),
        ("/repos/acme/control/code-scanning/sarifs", Some(commit.as_str()))
    );
    assert!(request.body["sarif"].as_str().unwrap().len() > 100);
    // What the baseline accepts is not a finding any more.
    let accepted = Command::new(hieratic).args(["check", "--write-baseline", "known.json"]).current_dir(path).status();
    assert!(accepted.unwrap().success());
    fs::write(path.join("hieratic.toml"), "[check]\nbaseline = \"known.json\"\n").unwrap();
    let (text, status) = run(&["run", "--base", "main", "--out", "out"]);
    assert_eq!(status, 0, "{text}");
    assert!(fs::read_to_string(path.join("out/comment.md")).unwrap().contains("`hieratic check`: nothing found"));
    let (text, status) = run(&["run", "--base", "nowhere", "--out", "out"]);
    assert!(status == 2 && text.contains("fetch-depth: 0"), "{text}");
}

/// A control repository with a branch that changes a key and has a mistake.
fn repository() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
        let status = Command::new("git").current_dir(folder.path()).args(identity).args(arguments).status();
        assert!(status.unwrap().success());
    };
    git(&["init", "-q", "-b", "main"]);
    write("hiera.yaml", "version: 5\nhierarchy:\n  - {name: C, path: common.yaml}\n");
    write("data/common.yaml", "port: 80\n");
    git(&["add", "-A"]);
    git(&["commit", "-q", "-m", "One"]);
    git(&["checkout", "-q", "-b", "topic"]);
    write("data/common.yaml", "port: 80\nport: 8080\n");
    git(&["commit", "-q", "-a", "-m", "Two"]);
    folder
}

#[test]
fn a_release_is_installed_if_its_checksum_is_right() {
    if !has_python() || Command::new("sha256sum").arg("--version").output().is_err() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let target = match std::env::consts::ARCH {
        "x86_64" => "x86_64-unknown-linux-musl",
        "aarch64" => "aarch64-unknown-linux-musl",
        _ => return skipped("there is no release for this machine"),
    };
    if std::env::consts::OS != "linux" {
        return skipped("the archive of the test is for Linux");
    }
    let name = format!("hieratic-1.2.3-{target}");
    let inside = folder.path().join(&name);
    fs::create_dir_all(&inside).unwrap();
    fs::write(inside.join("hieratic"), "#!/bin/sh\necho installed\n").unwrap();
    let archive = folder.path().join(format!("{name}.tar.gz"));
    let tar = Command::new("tar").arg("-czf").arg(&archive).arg("-C").arg(folder.path()).arg(&name).status();
    assert!(tar.unwrap().success());
    let sum = Command::new("sha256sum").arg(format!("{name}.tar.gz")).current_dir(folder.path()).output().unwrap();
    let sums = Arc::new(Mutex::new(String::from_utf8(sum.stdout).unwrap()));
    let (served, bytes) = (sums.clone(), fs::read(&archive).unwrap());
    let server = Server::start(move |request, _| match request.path.rsplit('/').next() {
        Some("SHA256SUMS") => Answer(200, String::new(), served.lock().unwrap().clone().into_bytes()),
        Some(file) if file.ends_with(".tar.gz") && request.path.starts_with("/v1.2.3/") => {
            Answer(200, String::new(), bytes.clone())
        }
        _ => Answer(404, String::new(), Vec::new()),
    });
    let variables = [("HIERATIC_RELEASES", server.address.as_str())];
    let install = |version: &str, to: &str| {
        printed(&script(folder.path(), &["install", "--version", version, "--to", to], &variables))
    };
    let (text, status) = install("v1.2.3", "bin");
    assert_eq!(status, 0, "{text}");
    let ran = Command::new(folder.path().join("bin/hieratic")).output().unwrap();
    assert_eq!(ran.stdout, b"installed\n");
    assert!(install("9.9.9", "other").0.contains("cannot be downloaded"));
    assert!(install("../..", "other").0.contains("is not a version"));
    let page = std::mem::replace(&mut *sums.lock().unwrap(), "<html>\nsign in\n".to_owned());
    let (text, status) = install("1.2.3", "other");
    assert!(status == 2 && text.contains("does not list"), "{text}");
    *sums.lock().unwrap() = page;
    let wrong = sums.lock().unwrap().replacen(|c: char| c.is_ascii_hexdigit(), "0", 64);
    *sums.lock().unwrap() = wrong;
    let (text, status) = install("1.2.3", "other");
    assert!(status == 2 && text.contains("another checksum"), "{text}");
    assert!(!folder.path().join("other").exists());
}

#[test]
fn a_note_of_a_merge_request_is_updated() {
    if !has_python() {
        return;
    }
    let notes = Arc::new(Mutex::new(vec![
        json!({"id": 1, "author": {"id": 5}, "body": "<!-- hieratic: changes -->\nsomebody else"}),
    ]));
    let kept = notes.clone();
    let server = Server::start(move |request, _| {
        let mut notes = kept.lock().unwrap();
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/api/v4/user") => Answer::json(&json!({"id": 42})),
            ("GET", _) => Answer::json(&Value::from(notes.clone())),
            ("POST", _) => {
                notes.push(json!({"id": 2, "author": {"id": 42}, "body": request.body["body"]}));
                Answer::json(&notes[1])
            }
            _ => Answer::json(&json!({})),
        }
    });
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("comment.md"), "text").unwrap();
    let api = format!("{}/api/v4", server.address);
    let variables =
        [("CI_API_V4_URL", api.as_str()), ("CI_PROJECT_ID", "group/control"), ("HIERATIC_GITLAB_TOKEN", "t")];
    let run = |variables: &[(&str, &str)]| {
        printed(&script(folder.path(), &["note", "--file", "comment.md", "--number", "3"], variables))
    };
    assert_eq!(run(&variables), ("posted the note 2\n".to_owned(), 0));
    assert_eq!(run(&variables), ("updated the note 2\n".to_owned(), 0));
    let notes = "/api/v4/projects/group%2Fcontrol/merge_requests/3/notes";
    assert_eq!(server.changes(), [format!("POST {notes}"), format!("PUT {notes}/2")]);
    let (text, status) = run(&variables[..2]);
    assert!(status == 0 && text.starts_with("HIERATIC_GITLAB_TOKEN is not set"), "{text}");
}

#[test]
fn actions_use_only_inputs_that_they_declare() {
    let folder = Path::new(SCRIPT).parent().unwrap().parent().unwrap();
    let used = regex::Regex::new(r"inputs\.([a-z-]+)").unwrap();
    for file in ["github/action.yml", "github/comment/action.yml"] {
        let text = fs::read_to_string(folder.join(file)).unwrap();
        let action = hieratic::yaml::parse(text.as_bytes(), &hieratic::yaml::Options::new(file)).unwrap();
        let declared = action.as_hash().unwrap().get("inputs").unwrap().as_hash().unwrap().clone();
        for name in used.captures_iter(&text).map(|found| found[1].to_owned()) {
            assert!(declared.get(&name).is_some(), "{file}: {name}");
        }
        // An expression in a script would let a name become code.
        let steps = action.as_hash().unwrap().get("runs").unwrap().as_hash().unwrap().get("steps").unwrap().clone();
        for step in steps.as_array().unwrap() {
            let run = step.as_hash().unwrap().get("run").and_then(hieratic::Value::as_str).unwrap_or_default();
            assert!(!run.contains("${{"), "{file}: {run}");
        }
        let readme = fs::read_to_string(folder.join("github/README.md")).unwrap();
        if file == "github/action.yml" {
            for name in declared.keys().filter_map(hieratic::Value::as_str) {
                assert!(readme.contains(&format!("| `{name}` |")), "{name} is not described");
            }
        }
    }
}
