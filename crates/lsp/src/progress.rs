//! [`Shown`]: how far a check is, in the editor. [`Waiting`]: what somebody who waits for a long answer sees of it.

use std::sync::atomic::{AtomicUsize, Ordering};

use hieratic_audit::Progress;
use serde_json::{Value, json};

use crate::client::Client;

/// The name of the progress of a first check.
const TOKEN: &str = "hieratic/check";

/// Shows the client how far a check is.
pub(crate) struct Shown<'c> {
    client: &'c Client,
    steps: AtomicUsize,
    done: AtomicUsize,
}

impl<'c> Shown<'c> {
    /// Begins.
    pub(crate) fn new(client: &'c Client) -> Shown<'c> {
        client.request("window/workDoneProgress/create", json!({"token": TOKEN}));
        let begin = json!({"kind": "begin", "title": "Checking", "percentage": 0});
        client.notify_by("$/progress", json!({"token": TOKEN, "value": begin}));
        Shown { client, steps: AtomicUsize::new(0), done: AtomicUsize::new(0) }
    }
}

impl Progress for Shown<'_> {
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

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        self.client.notify_by("$/progress", json!({"token": TOKEN, "value": {"kind": "end"}}));
    }
}

/// How many elements of a list are answered at once, if the client takes parts.
const PART: usize = 100;

/// Requests that may take long enough for people to wonder.
const LONG: [&str; 5] = [
    "textDocument/references",
    "textDocument/rename",
    "workspace/symbol",
    "workspace/executeCommand",
    "codeAction/resolve",
];

/// Somebody who waits for an answer, and what they want to see before it is there.
#[derive(Clone, Default)]
pub(crate) struct Waiting {
    client: Option<Client>,
    /// The name under which the client shows that something goes on.
    work: Option<Value>,
    /// The name under which the client takes parts of a list.
    part: Option<Value>,
}

impl Waiting {
    /// What a request says of it. Beginning is shown at once.
    pub(crate) fn of(client: &Client, method: &str, parameters: &Value) -> Waiting {
        let named = |name: &str| parameters.get(name).filter(|token| token.is_string() || token.is_number()).cloned();
        let work = named("workDoneToken").filter(|_| LONG.contains(&method));
        let waiting = Waiting { client: Some(client.clone()), work, part: named("partialResultToken") };
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

    /// Gives elements of a list to the client at once, if it takes them; those that are left are part of the answer.
    pub(crate) fn found<T: serde::Serialize>(&self, all: Vec<T>) -> Vec<T> {
        match &self.part {
            Some(token) if !all.is_empty() => {
                self.send(token, json!(all));
                Vec::new()
            }
            _ => all,
        }
    }

    /// The answer is there: what is not sent yet of a list goes in parts.
    pub(crate) fn done(&self, answer: Value) -> Value {
        let answer = match (answer, &self.part) {
            (Value::Array(all), Some(token)) => {
                for part in all.chunks(PART) {
                    self.send(token, Value::from(part.to_vec()));
                }
                json!([])
            }
            (answer, _) => answer,
        };
        self.end();
        answer
    }

    /// Nothing goes on any more.
    pub(crate) fn end(&self) {
        if let Some(token) = &self.work {
            self.send(token, json!({"kind": "end"}));
        }
    }
}
