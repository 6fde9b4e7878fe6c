//! Random edits and undos: what the server shows is what a fresh check says of the same texts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hieratic_lint::{Options, audit};
use serde_json::{Value, json};

use crate::client::{Client, uri};
use crate::repository::create;

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit.max(1)
    }
}

const EDITED: [&str; 8] = [
    "data/common.yaml",
    "data/roles/web.yaml",
    "data/nodes/web01.yaml",
    "modules/web/manifests/init.pp",
    "modules/web/manifests/site.pp",
    "modules/web/templates/conf.epp",
    "hiera.yaml",
    "docs/ensemble.yaml",
];

const PIECES: [&str; 22] = [
    "web::port: x\n",
    "web::mode: fast\n",
    "web::nothing: 1\n",
    "'%{lookup(\"nowhere\")}'",
    "%{osfamily}",
    "a: 1\na: 1\n",
    "{",
    "}",
    "[",
    "'",
    "\"",
    ":",
    "\n",
    "  ",
    "\u{1f600}",
    "\r\n",
    "lookup_options:\n  x::y: {merge: deep}\n",
    "class web::new { }\n",
    "$x = 1\n",
    "motd: '%{lookup(\"motd\")}'\n",
    "# comment\n",
    "  - ",
];

/// Code, line, and first line of the message of everything that a fresh check finds, by file.
fn fresh(texts: &BTreeMap<PathBuf, String>, like: &Path) -> BTreeMap<PathBuf, Vec<(String, u64, String)>> {
    let copy = tempfile::tempdir().unwrap();
    let root = copy.path().canonicalize().unwrap();
    for (path, text) in texts {
        let name = path.strip_prefix(like).unwrap();
        let file = root.join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    let mut found: BTreeMap<PathBuf, Vec<(String, u64, String)>> = BTreeMap::new();
    let there = root.display().to_string();
    for finding in audit(&Options::for_paths([&root]), &()).findings {
        // What is in no file is shown in none.
        let Ok(name) = Path::new(finding.file()).strip_prefix(&root).map(Path::to_path_buf) else { continue };
        let message = finding.diagnostic.message.replace(&there, &like.display().to_string());
        let first = message.lines().next().unwrap_or_default().to_owned();
        let line = u64::from(finding.line().unwrap_or(1).max(1));
        let is_manifest = finding.rule.id() == "manifest";
        let code = if is_manifest { finding.diagnostic.code.id() } else { finding.rule.id() };
        found.entry(like.join(name)).or_default().push((code.to_owned(), line, first));
    }
    found
}

fn walk(folder: &Path, texts: &mut BTreeMap<PathBuf, String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, texts)
        } else {
            drop(texts.insert(path.clone(), std::fs::read_to_string(&path).unwrap()))
        }
    }
}

/// A line of the protocol, where a carriage return ends one, as `check` counts lines, from 1 both.
fn line_of_check(text: &str, line: u64) -> u64 {
    let ends =
        |(at, byte): (usize, &u8)| *byte == b'\n' || *byte == b'\r' && text.as_bytes().get(at + 1) != Some(&b'\n');
    let mut before = (1, 1);
    for (at, byte) in text.bytes().enumerate() {
        if before.0 == line {
            break;
        }
        before.0 += u64::from(ends((at, &byte)));
        before.1 += u64::from(byte == b'\n');
    }
    before.1
}

fn assert_same(client: &Client, texts: &BTreeMap<PathBuf, String>, when: &str) {
    let mut fresh = fresh(texts, &client.root);
    let shown = client.shown.keys().filter_map(|path| {
        let name = path.strip_prefix(&client.root).ok()?.to_str()?;
        let text = texts.get(path).map_or("", String::as_str);
        let mut found = client.diagnostics(name);
        found.iter_mut().for_each(|(_, line, _)| *line = line_of_check(text, *line));
        (!found.is_empty()).then(|| (path.clone(), found))
    });
    let mut shown: BTreeMap<PathBuf, Vec<(String, u64, String)>> = shown.collect();
    fresh.values_mut().chain(shown.values_mut()).for_each(|all| all.sort());
    assert_eq!(shown, fresh, "{when}");
}

/// Somebody who types nonsense, and takes some of it back.
struct Typist {
    client: Client,
    numbers: Numbers,
    /// What all files are, those that are open as they are edited.
    texts: BTreeMap<PathBuf, String>,
    saved: BTreeMap<PathBuf, String>,
    undo: Vec<(usize, String)>,
    versions: [i64; EDITED.len()],
    edits: usize,
}

/// How long a text may become before it is as it was saved again, in bytes.
const LONGEST: usize = 6_000;

/// How many edits can be taken back.
const MOST_UNDONE: usize = 200;

impl Typist {
    /// Opens all files that are edited.
    fn new(root: &Path, seed: u64) -> Typist {
        let mut texts = BTreeMap::new();
        walk(root, &mut texts);
        let mut client = Client::new(root);
        client.settle();
        assert_same(&client, &texts, "before any edit");
        for name in EDITED {
            client.open_saved(name);
        }
        let saved = texts.clone();
        let versions = [1; EDITED.len()];
        Typist { client, numbers: Numbers(seed), texts, saved, undo: Vec::new(), versions, edits: 0 }
    }

    /// Changes a file somewhere, or takes a change back.
    fn edit(&mut self) {
        self.edits += 1;
        let file = self.numbers.below(EDITED.len());
        match (self.numbers.below(4), self.undo.pop()) {
            (0, Some((file, before))) => self.replace(file, before),
            (_, kept) => {
                self.undo.extend(kept);
                let path = self.client.path(EDITED[file]);
                if self.texts[&path].len() > LONGEST {
                    self.replace(file, self.saved[&path].clone())
                } else {
                    self.write(file)
                }
            }
        }
        if self.undo.len() > MOST_UNDONE {
            self.undo.drain(..MOST_UNDONE / 2);
        }
    }

    fn replace(&mut self, file: usize, text: String) {
        self.versions[file] += 1;
        self.client.replace(EDITED[file], self.versions[file], &text);
        self.texts.insert(self.client.path(EDITED[file]), text);
    }

    /// Types a piece into a file, in the place of nothing or of a few characters.
    fn write(&mut self, file: usize) {
        let path = self.client.path(EDITED[file]);
        let text = self.texts[&path].clone();
        let places: Vec<usize> = (0..=text.len()).filter(|at| text.is_char_boundary(*at)).collect();
        let mut place = || places[self.numbers.below(places.len())];
        let (a, b) = (place(), place());
        let (start, end) = match self.numbers.below(3) {
            // Mostly something is typed; sometimes a part is replaced.
            0 if a.abs_diff(b) < 12 => (a.min(b), a.max(b)),
            _ => (a, a),
        };
        let piece = PIECES[self.numbers.below(PIECES.len())];
        let next = format!("{}{piece}{}", &text[..start], &text[end..]);
        self.versions[file] += 1;
        // Between the characters that end a line there is no position.
        let is_between = |at: usize| text[..at].ends_with('\r') && text[at..].starts_with('\n');
        let change = if is_between(start) || is_between(end) {
            json!({"text": next})
        } else {
            // As a range, as editors send it.
            json!({"range": {"start": position(&text, start), "end": position(&text, end)}, "text": piece})
        };
        let document = json!({"uri": uri(&path), "version": self.versions[file]});
        let changed = json!({"textDocument": document, "contentChanges": [change]});
        self.client.notify("textDocument/didChange", changed);
        self.undo.push((file, text));
        self.texts.insert(path, next);
    }

    /// Compares what is shown with what a fresh check finds.
    fn compare(&mut self) {
        self.client.settle();
        assert_same(&self.client, &self.texts, &format!("after {} edits", self.edits));
    }
}

/// The position of a byte in units of UTF-16.
fn position(text: &str, at: usize) -> Value {
    let ends = |at: usize| {
        let rest = &text.as_bytes()[at..];
        rest[0] == b'\n' || rest[0] == b'\r' && rest.get(1) != Some(&b'\n')
    };
    let line = (0..at).filter(|at| ends(*at)).count();
    let start = (0..at).rev().find(|at| ends(*at)).map_or(0, |at| at + 1);
    json!({"line": line, "character": text[start..at].encode_utf16().count()})
}

#[test]
fn incremental_findings_equal_a_fresh_check() {
    let folder = tempfile::tempdir().unwrap();
    create(folder.path());
    let mut typist = Typist::new(&folder.path().canonicalize().unwrap(), 7);
    for round in 0..60 {
        typist.edit();
        if round % 3 == 0 {
            typist.compare();
        }
    }
    typist.compare();
    typist.client.end();
}

/// Requests that a soak sends between edits.
const ASKED: [&str; 12] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/codeAction",
    "textDocument/codeLens",
    "textDocument/inlayHint",
    "textDocument/documentSymbol",
    "textDocument/semanticTokens/full",
    "textDocument/foldingRange",
];

/// Edits and requests for as long as `HIERATIC_SOAK` says, in seconds (a minute without it), by hand:
/// `HIERATIC_SOAK=600 cargo test --test server soak -- --ignored --nocapture`.
#[test]
#[ignore = "runs for minutes; see its comment"]
fn soak() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let time = std::time::Duration::from_secs(number("HIERATIC_SOAK").unwrap_or(60));
    let folder = tempfile::tempdir().unwrap();
    create(folder.path());
    let mut typist = Typist::new(&folder.path().canonicalize().unwrap(), number("HIERATIC_SEED").unwrap_or(11));
    let begun = std::time::Instant::now();
    let (mut requests, mut checks, mut first) = (0, 0, None);
    while begun.elapsed() < time {
        typist.edit();
        if typist.edits.is_multiple_of(7) {
            requests += 1;
            let file = typist.numbers.below(EDITED.len());
            let path = typist.client.path(EDITED[file]);
            let text = typist.texts[&path].clone();
            let mut at = typist.numbers.below(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            let place = position(&text, at);
            let method = ASKED[typist.numbers.below(ASKED.len())];
            let context = json!({
                "textDocument": {"uri": uri(&path)}, "position": place, "newName": "web::other",
                "range": {"start": place, "end": place},
                "context": {"diagnostics": [], "includeDeclaration": true, "triggerKind": 1},
            });
            let id = typist.client.ask(method, context);
            let answer = typist.client.answer(id);
            assert_ne!(answer["error"]["code"], -32603, "{method} at {at}: {answer}\n{text}");
        }
        if typist.edits.is_multiple_of(50) {
            // A file is closed without being saved, and opened again.
            let file = typist.numbers.below(EDITED.len());
            typist.client.close(EDITED[file]);
            typist.versions[file] = 1;
            typist.undo.retain(|(undone, _)| *undone != file);
            let path = typist.client.path(EDITED[file]);
            let text = typist.client.open_saved(EDITED[file]);
            typist.texts.insert(path, text);
        }
        if typist.edits.is_multiple_of(250) {
            checks += 1;
            typist.compare();
            let panics = typist.client.notifications.iter().find(|one| one["method"] == "window/showMessage");
            assert!(panics.is_none(), "{panics:?}");
            typist.client.notifications.clear();
        }
        if first.is_none() && typist.edits == 2_000 {
            first = resident();
        }
    }
    typist.compare();
    let memory = (first, resident());
    println!("{} edits, {requests} requests, {checks} comparisons; memory {memory:?} in KiB", typist.edits);
    typist.client.end();
}

/// How much memory the process has, in KiB.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[test]
fn file_changes_on_disk_are_noticed() {
    let folder = tempfile::tempdir().unwrap();
    create(folder.path());
    let root = folder.path().canonicalize().unwrap();
    let mut texts = BTreeMap::new();
    walk(&root, &mut texts);
    let mut client = Client::new(&root);
    client.settle();
    let tell = |client: &mut Client, name: &str, kind: u64| {
        let changes = json!([{"uri": uri(&client.path(name)), "type": kind}]);
        client.notify("workspace/didChangeWatchedFiles", json!({"changes": changes}));
        client.settle();
    };
    let mut write = |client: &mut Client, name: &str, text: Option<&str>| {
        let path = client.path(name);
        match text {
            Some(text) => {
                let kind = if path.exists() { 2 } else { 1 };
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(&path, text).unwrap();
                texts.insert(path, text.to_owned());
                tell(client, name, kind);
            }
            None => {
                std::fs::remove_file(&path).unwrap();
                texts.remove(&path);
                tell(client, name, 3);
            }
        }
        assert_same(client, &texts, name);
    };
    write(&mut client, "data/roles/db.yaml", Some("web::port: none\n"));
    write(&mut client, "data/roles/db.yaml", Some("web::port: 1\nweb::nothing: 2\n"));
    write(&mut client, "modules/web/manifests/init.pp", Some("class web($port, $nothing) { }\n"));
    write(&mut client, "modules/web/manifests/init.pp", None);
    write(&mut client, "modules/new/manifests/init.pp", Some("class new(Integer $a = 'x') { }\n"));
    write(&mut client, "data/roles/db.yaml", None);
    write(&mut client, "environment.conf", Some("modulepath = nowhere\n"));
    // What is saved while it is open is what is open.
    client.open("data/common.yaml", "a: 1\na: 2\n");
    client.settle();
    assert_eq!(client.diagnostics("data/common.yaml").len(), 1);
    std::fs::write(client.path("data/common.yaml"), "b: 1\n").unwrap();
    tell(&mut client, "data/common.yaml", 2);
    assert_eq!(client.diagnostics("data/common.yaml").len(), 1);
    client.close("data/common.yaml");
    client.settle();
    texts.insert(client.path("data/common.yaml"), "b: 1\n".to_owned());
    assert_same(&client, &texts, "closed");
    client.end();
}

#[test]
fn huge_and_invalid_files_are_tolerated() {
    let folder = tempfile::tempdir().unwrap();
    create(folder.path());
    let root = folder.path().canonicalize().unwrap();
    let mut client = Client::new(&root);
    let deep = "a:\n".to_owned() + &(1..400).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect::<String>();
    let many: String = (0..50_000).map(|number| format!("k{number}: {number}\n")).collect();
    for (name, text) in [
        ("data/roles/deep.yaml", deep.as_str()),
        ("data/roles/many.yaml", many.as_str()),
        ("data/roles/flow.yaml", &"[".repeat(20_000)),
        ("modules/web/manifests/deep.pp", &"[".repeat(20_000)),
        ("modules/web/manifests/line.pp", &"$a = 1 ".repeat(20_000)),
        ("jobs/deep.nomad.hcl", &"a {".repeat(5_000)),
        ("data/roles/nul.yaml", "a: \0\n"),
        ("t.epp", "<%"),
    ] {
        client.open(name, text);
        let document = json!({"uri": uri(&client.path(name))});
        let place = json!({"line": 0, "character": 3});
        for (method, parameters) in [
            ("textDocument/hover", json!({"textDocument": document, "position": place})),
            ("textDocument/completion", json!({"textDocument": document, "position": place})),
            ("textDocument/documentSymbol", json!({"textDocument": document})),
            ("textDocument/foldingRange", json!({"textDocument": document})),
            ("textDocument/semanticTokens/full", json!({"textDocument": document})),
            ("textDocument/selectionRange", json!({"textDocument": document, "positions": [place]})),
            ("textDocument/definition", json!({"textDocument": document, "position": place})),
        ] {
            let id = client.ask(method, parameters);
            let answer = client.answer(id);
            let code = answer["error"]["code"].as_i64();
            assert!(answer.get("result") != Some(&Value::Null) || code.is_none(), "{method}");
            assert_ne!(code, Some(-32603), "{name}: {method}: {answer}");
        }
    }
    client.settle();
    assert!(!client.notifications.iter().any(|one| one["method"] == "window/showMessage"), "nothing panicked");
    client.end();
}
