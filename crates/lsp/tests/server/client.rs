//! A client over an in-memory connection.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, PipeWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread::{JoinHandle, spawn};
use std::time::Duration;

use hieratic_lsp::{ServerOptions, serve};
use serde_json::{Value, json};

/// How long an answer may take before a test fails: nothing is measured by it.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Client {
    input: Option<PipeWriter>,
    messages: Receiver<Value>,
    server: Option<JoinHandle<std::io::Result<()>>>,
    number: i64,
    /// Whether positions count bytes instead of units of UTF-16.
    pub counts_bytes: bool,
    pub root: PathBuf,
    /// The diagnostics that are shown of each file.
    pub shown: BTreeMap<PathBuf, Value>,
    pub notifications: Vec<Value>,
}

pub fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

pub fn options() -> ServerOptions {
    let mut check = hieratic_lint::Options::default();
    check.settings.permissions.confined = true;
    ServerOptions { check, facts: Vec::new(), memory: Arc::new(()), inventory: None, settings: Arc::new(()) }
}

impl Client {
    /// A client that has not introduced itself.
    pub fn silent(root: &Path, options: ServerOptions) -> Client {
        let (server_in, input) = std::io::pipe().unwrap();
        let (output, server_out) = std::io::pipe().unwrap();
        let server = spawn(move || serve(options, BufReader::new(server_in), server_out));
        let (send, messages) = channel();
        spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read(&mut output) {
                if send.send(message).is_err() {
                    return;
                }
            }
        });
        Client {
            input: Some(input),
            messages,
            server: Some(server),
            number: 0,
            counts_bytes: false,
            root: root.to_owned(),
            shown: BTreeMap::new(),
            notifications: Vec::new(),
        }
    }

    /// A client with a folder.
    pub fn new(root: &Path) -> Client {
        Client::with(root, options(), json!({}))
    }

    pub fn with(root: &Path, options: ServerOptions, wishes: Value) -> Client {
        Client::offering(root, options, wishes, "utf-16")
    }

    /// A client that counts positions in an encoding.
    pub fn offering(root: &Path, options: ServerOptions, wishes: Value, encoding: &str) -> Client {
        let mut client = Client::silent(root, options);
        client.counts_bytes = encoding == "utf-8";
        let folder = json!([{"uri": uri(root), "name": "root"}]);
        let capabilities = json!({
            "general": {"positionEncodings": [encoding]},
            "workspace": {"workspaceEdit": {"documentChanges": client.counts_bytes, "resourceOperations": ["create"]}},
            "textDocument": {
                "completion": {"completionItem": {"snippetSupport": true}},
                "codeAction": if client.counts_bytes { json!({"resolveSupport": {"properties": ["edit"]}}) } else { json!({}) },
            },
        });
        let answer = client.request(
            "initialize",
            json!({"processId": null, "rootUri": null, "workspaceFolders": folder, "capabilities": capabilities, "initializationOptions": wishes}),
        );
        assert!(answer["capabilities"]["hoverProvider"].as_bool().unwrap());
        client.notify("initialized", json!({}));
        client
    }

    pub fn send_raw(&mut self, bytes: &[u8]) {
        // A server that has ended reads no more.
        let _ = self.input.as_mut().unwrap().write_all(bytes);
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.send_raw(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    pub fn notify(&mut self, method: &str, parameters: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": parameters}));
    }

    pub fn ask(&mut self, method: &str, parameters: Value) -> i64 {
        self.number += 1;
        let id = self.number;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters}));
        id
    }

    pub fn next(&mut self) -> Value {
        let message = self.messages.recv_timeout(PATIENCE).expect("the server answers");
        if message["method"] == "textDocument/publishDiagnostics" {
            let path = message["params"]["uri"].as_str().unwrap().strip_prefix("file://").unwrap();
            self.shown.insert(path.into(), message["params"]["diagnostics"].clone());
        } else if message.get("method").is_some() {
            self.notifications.push(message.clone());
        }
        message
    }

    pub fn answer(&mut self, id: i64) -> Value {
        loop {
            let message = self.next();
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
        }
    }

    /// The result of a request.
    pub fn request(&mut self, method: &str, parameters: Value) -> Value {
        let id = self.ask(method, parameters);
        let answer = self.answer(id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Waits until everything is checked.
    pub fn settle(&mut self) {
        self.request("hieratic/settled", json!({}));
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    pub fn open(&mut self, name: &str, text: &str) {
        let item = json!({"uri": uri(&self.path(name)), "languageId": "", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": item}));
    }

    /// Opens a file as it is saved.
    pub fn open_saved(&mut self, name: &str) -> String {
        let text = std::fs::read_to_string(self.path(name)).unwrap();
        self.open(name, &text);
        text
    }

    pub fn replace(&mut self, name: &str, version: i64, text: &str) {
        let document = json!({"uri": uri(&self.path(name)), "version": version});
        self.notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": [{"text": text}]}));
    }

    pub fn close(&mut self, name: &str) {
        let document = json!({"uri": uri(&self.path(name))});
        self.notify("textDocument/didClose", json!({"textDocument": document}));
    }

    /// How long a part of a line is in positions.
    fn units(&self, text: &str) -> usize {
        if self.counts_bytes { text.len() } else { text.encode_utf16().count() }
    }

    /// A text after edits, which are all about the text before.
    pub fn edited(&self, text: &str, edits: &Value) -> String {
        let offset = |place: &Value| {
            let number = |name: &str| usize::try_from(place[name].as_u64().unwrap()).unwrap();
            let line: usize = text.split_inclusive('\n').take(number("line")).map(str::len).sum();
            let rest = &text[line..];
            let ends = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
            line + ends.into_iter().find(|at| self.units(&rest[..*at]) == number("character")).unwrap()
        };
        let mut all: Vec<(usize, usize, &str)> = edits
            .as_array()
            .unwrap()
            .iter()
            .map(|edit| {
                let range = &edit["range"];
                (offset(&range["start"]), offset(&range["end"]), edit["newText"].as_str().unwrap())
            })
            .collect();
        all.sort();
        let mut edited = String::new();
        let mut done = 0;
        for (start, end, new) in all {
            assert!(start >= done, "edits do not overlap");
            edited.push_str(&text[done..start]);
            edited.push_str(new);
            done = end;
        }
        edited + &text[done..]
    }

    /// The parameters of a request about the place of a part of a text; `|` in the part is the place.
    pub fn at(&self, name: &str, text: &str, part: &str) -> Value {
        let mark = part.find('|').unwrap_or(0);
        let plain = part.replace('|', "");
        let offset = text.find(&plain).unwrap_or_else(|| panic!("{plain:?} is in {name}")) + mark;
        let before = &text[..offset];
        let line = before.matches('\n').count();
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let character = self.units(&before[start..]);
        json!({
            "textDocument": {"uri": uri(&self.path(name))},
            "position": {"line": line, "character": character},
            "context": {"includeDeclaration": true, "triggerKind": 1, "isRetrigger": false},
        })
    }

    pub fn hover(&mut self, name: &str, text: &str, part: &str) -> String {
        let at = self.at(name, text, part);
        let answer = self.request("textDocument/hover", at);
        answer["contents"]["value"].as_str().unwrap_or("").to_owned()
    }

    /// The labels of completions.
    pub fn complete(&mut self, name: &str, text: &str, part: &str) -> Vec<String> {
        let at = self.at(name, text, part);
        let answer = self.request("textDocument/completion", at);
        let items = answer["items"].as_array().cloned().unwrap_or_default();
        items.iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
    }

    /// Where something is defined, or named: files with lines, counted from 1.
    pub fn places(&mut self, method: &str, name: &str, text: &str, part: &str) -> Vec<String> {
        let at = self.at(name, text, part);
        let answer = self.request(method, at);
        let all = answer.as_array().cloned().unwrap_or_default();
        let mut places: Vec<String> = all
            .iter()
            .map(|place| {
                let path = place["uri"].as_str().unwrap().strip_prefix("file://").unwrap();
                let path = Path::new(path).strip_prefix(&self.root).unwrap().display().to_string();
                format!("{path}:{}", place["range"]["start"]["line"].as_u64().unwrap() + 1)
            })
            .collect();
        places.sort();
        places
    }

    /// What is shown of a file: code, line counted from 1, and the first line of the message.
    pub fn diagnostics(&self, name: &str) -> Vec<(String, u64, String)> {
        let all = self.shown.get(&self.path(name)).and_then(Value::as_array).cloned().unwrap_or_default();
        all.iter()
            .map(|one| {
                let message = one["message"].as_str().unwrap().lines().next().unwrap().to_owned();
                let line = one["range"]["start"]["line"].as_u64().unwrap() + 1;
                (one["code"].as_str().unwrap().to_owned(), line, message)
            })
            .collect()
    }

    /// Ends the server as the protocol asks for it.
    pub fn end(mut self) {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.server.take().unwrap().join().unwrap().unwrap();
    }

    /// Goes away without a word; what the server says of it.
    pub fn vanish(mut self) -> std::io::Result<()> {
        self.input = None;
        self.server.take().unwrap().join().unwrap()
    }
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim() {
            "" => break,
            line => {
                if let Some(value) = line.strip_prefix("Content-Length: ") {
                    length = value.parse().unwrap();
                }
            }
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).unwrap())
}
