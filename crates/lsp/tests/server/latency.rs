//! How long requests take on a large repository, by hand:
//! `HIERATIC_REPOSITORY=/path HIERATIC_FILE=data/common.yaml HIERATIC_KEY=a::b cargo test --test server latency -- --ignored --nocapture`.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Client, options, uri};

/// How often each request is sent.
const ROUNDS: usize = 5;

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

#[test]
#[ignore = "measures a repository that is not part of the tests; see its comment"]
fn latency() {
    let variable = |name: &str| std::env::var(name).unwrap();
    let root = Path::new(&variable("HIERATIC_REPOSITORY")).canonicalize().unwrap();
    let (name, key) = (variable("HIERATIC_FILE"), variable("HIERATIC_KEY"));
    let facts = std::env::var("HIERATIC_FACTS").ok();
    let mut client = Client::with(&root, options(), json!({"facts": facts.into_iter().collect::<Vec<_>>()}));
    client.settle();
    let text = client.open_saved(&name);
    client.settle();
    let document = json!({"textDocument": {"uri": uri(&client.path(&name))}});
    let at = text.find(&format!("{key}:")).unwrap();
    let position = json!({"line": text[..at].matches('\n').count(), "character": 0});
    let with = |more: Value| {
        let mut parameters = document.clone();
        parameters.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        parameters
    };
    let requests = [
        ("textDocument/codeLens", document.clone()),
        ("textDocument/documentSymbol", document.clone()),
        ("workspace/symbol", json!({"query": "profile"})),
        ("workspace/symbol", json!({"query": "port"})),
        ("textDocument/hover", with(json!({"position": position}))),
        ("textDocument/completion", with(json!({"position": position}))),
        ("textDocument/references", with(json!({"position": position, "context": {"includeDeclaration": true}}))),
        ("textDocument/rename", with(json!({"position": position, "newName": format!("{key}_renamed")}))),
    ];
    let mut version = 1;
    for (method, parameters) in requests {
        // Each time after an edit of the file, before its check, and once more without one.
        let (mut edited, mut again) = (Vec::new(), Vec::new());
        for round in 0..ROUNDS {
            version += 1;
            client.replace(&name, version, &format!("{text}zzz_{round}: 1\n"));
            for times in [&mut edited, &mut again] {
                let begun = Instant::now();
                let id = client.ask(method, parameters.clone());
                let answer = client.answer(id);
                times.push(begun.elapsed());
                if let Some(error) = answer.get("error") {
                    println!("{method}: {}", error["message"]);
                }
            }
            client.settle();
        }
        println!("{method}: {:?} after an edit, {:?} again", median(edited), median(again));
    }
    client.end();
}
