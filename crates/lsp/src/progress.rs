//! [`CheckProgress`]: how far a check is, in the editor. [`RequestProgress`]: progress and parts of long answers.

use std::sync::atomic::{AtomicUsize, Ordering};

use hieratic_lint::Progress;
use serde_json::{Value, json};

use crate::client::Client;

/// The name of the progress of a first check.
const TOKEN: &str = "hieratic/check";

/// Shows the client how far a check is.
pub(crate) struct CheckProgress<'c> {
    client: &'c Client,
    steps: AtomicUsize,
    done: AtomicUsize,
}

impl<'c> CheckProgress<'c> {
    /// Begins.
    pub(crate) fn new(client: &'c Client) -> CheckProgress<'c> {
        client.request("window/workDoneProgress/create", json!({"token": TOKEN}));
        let begin = json!({"kind": "begin", "title": "Checking", "percentage": 0});
        client.notify_by("$/progress", json!({"token": TOKEN, "value": begin}));
        CheckProgress { client, steps: AtomicUsize::new(0), done: AtomicUsize::new(0) }
    }
}

impl Progress for CheckProgress<'_> {
    fn begin(&self, what: &'static str, steps: usize) {
        self.steps.fetch_add(steps, Ordering::Relaxed);
        let value = json!({"kind": "report", "message": what});
        self.client.notify_by("$/progress", json!({"token": TOKEN, "value": value}));
    }

    fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        // A message for each file would cost more than the file.
        if done.is_multiple_of(500) {
            let steps = self.steps.load(Ordering::Relaxed).max(1);
            let value = json!({"kind": "report", "percentage": (100 * done / steps).min(99)});
            self.client.notify_by("$/progress", json!({"token": TOKEN, "value": value}));
        }
    }
}

impl Drop for CheckProgress<'_> {
    fn drop(&mut self) {
        self.client.notify_by("$/progress", json!({"token": TOKEN, "value": {"kind": "end"}}));
    }
}

/// The number of elements in a part.
const PART_LENGTH: usize = 100;

/// Requests that may take long.
const LONG: [&str; 5] = [
    "textDocument/references",
    "textDocument/rename",
    "workspace/symbol",
    "workspace/executeCommand",
    "codeAction/resolve",
];

/// The client that waits for an answer, and the tokens under which it takes progress and parts.
#[derive(Clone, Default)]
pub(crate) struct RequestProgress {
    client: Option<Client>,
    /// The token of the progress.
    work: Option<Value>,
    /// The token under which the client takes parts of a list.
    part: Option<Value>,
}

impl RequestProgress {
    /// Reads the tokens of a request, and reports the begin of the work.
    pub(crate) fn new(client: &Client, method: &str, parameters: &Value) -> RequestProgress {
        let named = |name: &str| parameters.get(name).filter(|token| token.is_string() || token.is_number()).cloned();
        let work = named("workDoneToken").filter(|_| LONG.contains(&method));
        let waiting = RequestProgress { client: Some(client.clone()), work, part: named("partialResultToken") };
        if let Some(token) = &waiting.work {
            let title = match method {
                "textDocument/references" => "Looking for references",
                "workspace/symbol" => "Looking for symbols",
                _ => "Comparing answers",
            };
            waiting.send(token, json!({"kind": "begin", "title": title, "cancellable": true}));
        }
        waiting
    }

    fn send(&self, token: &Value, value: Value) {
        if let Some(client) = &self.client {
            client.notify_by("$/progress", json!({"token": token, "value": value}));
        }
    }

    /// Sends elements of a list at once, if the client takes parts. Returns the elements that are not sent.
    pub(crate) fn found<T: serde::Serialize>(&self, all: Vec<T>) -> Vec<T> {
        match &self.part {
            Some(token) if !all.is_empty() => {
                self.send(token, json!(all));
                Vec::new()
            }
            _ => all,
        }
    }

    /// Sends the rest of a list in parts, and reports the end. Returns the result of the request.
    pub(crate) fn done(&self, answer: Value) -> Value {
        let answer = match (answer, &self.part) {
            (Value::Array(all), Some(token)) => {
                for part in all.chunks(PART_LENGTH) {
                    self.send(token, Value::from(part.to_vec()));
                }
                json!([])
            }
            (answer, _) => answer,
        };
        self.end();
        answer
    }

    /// Reports the end.
    pub(crate) fn end(&self) {
        if let Some(token) = &self.work {
            self.send(token, json!({"kind": "end"}));
        }
    }
}
