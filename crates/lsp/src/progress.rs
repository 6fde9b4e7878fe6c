//! [`Shown`]: how far a check is, in the editor.

use std::sync::atomic::{AtomicUsize, Ordering};

use hieratic_audit::Progress;
use serde_json::json;

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
