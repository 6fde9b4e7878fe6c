//! Messages: the handshake, what is malformed, what is cancelled, and clients that vanish.

use serde_json::{Value, json};

use crate::client::{Client, options, uri};
use crate::repository::create;

#[test]
fn malformed_messages_are_answered_and_skipped() {
    let folder = tempfile::tempdir().unwrap();
    create(folder.path());
    let mut client = Client::new(folder.path());
    client.send_raw(b"Content-Length: 5\r\n\r\n{\"a\":");
    let answer = client.next();
    let mut first = answer;
    while first["error"]["code"] != -32700 {
        first = client.next();
    }
    for (message, code) in [
        (json!([1]), -32600),
        (json!({"jsonrpc": "2.0", "id": 7}), -32600),
        (json!({"jsonrpc": "2.0", "id": "x", "method": "no/such"}), -32601),
        (json!({"jsonrpc": "2.0", "id": 8, "method": "textDocument/hover", "params": {"a": 1}}), -32602),
        (json!({"jsonrpc": "2.0", "id": 9, "method": "textDocument/hover", "params": null}), -32602),
        (
            json!({"jsonrpc": "2.0", "id": 10, "method": "textDocument/hover",
                "params": {"textDocument": {"uri": "untitled:x"}, "position": {"line": 0, "character": 0}}}),
            -32602,
        ),
    ] {
        let text = message.to_string();
        client.send_raw(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
        let answer = loop {
            let answer = client.next();
            if answer.get("error").is_some() {
                break answer;
            }
        };
        assert_eq!(answer["error"]["code"], code, "{message}: {answer}");
    }
    // Notifications that make no sense have no answer, and do no harm.
    client.notify(
        "textDocument/didChange",
        json!({"textDocument": {"uri": "file:///x", "version": 1}, "contentChanges": []}),
    );
    client.notify("textDocument/didOpen", json!(3));
    client.notify("$/unknown", json!({}));
    client.settle();
    client.end();
}

#[test]
fn the_handshake_comes_first_and_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::silent(folder.path(), options());
    let id = client.ask("textDocument/hover", json!({}));
    assert_eq!(client.answer(id)["error"]["code"], -32002);
    let capabilities = json!({"general": {"positionEncodings": ["utf-16", "utf-8"]}});
    let folders = json!([{"uri": uri(folder.path()), "name": "r"}]);
    let start = json!({"processId": null, "capabilities": capabilities, "workspaceFolders": folders});
    let answer = client.request("initialize", start.clone());
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-8");
    let id = client.ask("initialize", start);
    assert_eq!(client.answer(id)["error"]["code"], -32600);
    client.request("shutdown", Value::Null);
    let id = client.ask("textDocument/hover", json!({}));
    assert_eq!(client.answer(id)["error"]["code"], -32600);
    client.notify("exit", Value::Null);
    client.vanish().unwrap();
}

#[test]
fn the_server_ends_when_the_client_disconnects() {
    let folder = tempfile::tempdir().unwrap();
    create(folder.path());
    let mut client = Client::new(folder.path());
    client.open_saved("data/common.yaml");
    assert!(client.vanish().is_err(), "the client never said that it ends");
    let mut client = Client::new(folder.path());
    client.send_raw(b"Content-Length: 100\r\n\r\n{");
    assert!(client.vanish().is_err());
}

#[test]
fn a_cancelled_request_gets_a_cancellation_error() {
    let folder = tempfile::tempdir().unwrap();
    create(folder.path());
    let mut client = Client::new(folder.path());
    client.settle();
    let mut cancelled = 0;
    for _ in 0..50 {
        let id = client.ask("workspace/symbol", json!({"query": "web"}));
        client.notify("$/cancelRequest", json!({"id": id}));
        let answer = client.answer(id);
        assert!(answer.get("result").is_some() || answer["error"]["code"] == -32800, "{answer}");
        cancelled += usize::from(answer.get("error").is_some());
    }
    // Which of both is first is nobody's promise.
    assert!(cancelled <= 50);
    client.notify("$/cancelRequest", json!({"id": 99_999}));
    client.notify("$/cancelRequest", json!(null));
    client.end();
}

#[test]
fn folders_come_and_go() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    create(one.path());
    create(two.path());
    std::fs::write(two.path().join("data/common.yaml"), "a: 1\na: 2\n").unwrap();
    let mut client = Client::new(one.path());
    client.settle();
    let wrong = two.path().join("data/common.yaml");
    assert!(!client.shown.contains_key(&wrong));
    let folder = json!([{"uri": uri(two.path()), "name": "two"}]);
    client.notify("workspace/didChangeWorkspaceFolders", json!({"event": {"added": folder, "removed": []}}));
    client.settle();
    assert!(!client.shown[&wrong].as_array().unwrap().is_empty());
    client.notify("workspace/didChangeWorkspaceFolders", json!({"event": {"added": [], "removed": folder}}));
    client.settle();
    assert_eq!(client.shown[&wrong], json!([]));
    client.end();
}

#[test]
fn a_file_without_a_folder_is_checked_with_the_repository_around_it() {
    let folder = tempfile::tempdir().unwrap();
    create(folder.path());
    let mut client = Client::silent(folder.path(), options());
    client.request("initialize", json!({"processId": null, "rootUri": null, "capabilities": {}}));
    client.notify("initialized", json!({}));
    client.open("data/nodes/web01.yaml", "web::port: no number\n");
    client.settle();
    let found = client.diagnostics("data/nodes/web01.yaml");
    assert_eq!(found.iter().map(|(code, ..)| code.as_str()).collect::<Vec<_>>(), ["parameter-type"]);
    let alone = tempfile::tempdir().unwrap();
    client.root = alone.path().to_owned();
    std::fs::write(alone.path().join("a.pp"), "").unwrap();
    client.open("a.pp", "class {\n");
    client.settle();
    assert_eq!(client.diagnostics("a.pp").len(), 1);
    client.close("a.pp");
    client.settle();
    assert_eq!(client.diagnostics("a.pp").len(), 0);
    client.end();
}
