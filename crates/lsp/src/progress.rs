//! [`CheckProgress`]: the progress of a check in the editor. [`RequestProgress`]: the progress and partial results of
//! long requests.

use std::sync::atomic::{AtomicUsize, Ordering};

use hieratic_lint::Progress;
use lsp_types::request::{
    CodeActionResolveRequest, ExecuteCommand, References, Rename, Request as _, WorkDoneProgressCreate,
    WorkspaceSymbolRequest,
};
use lsp_types::{
    ProgressToken, WorkDoneProgress, WorkDoneProgressBegin, WorkDoneProgressCreateParams, WorkDoneProgressEnd,
    WorkDoneProgressReport,
};
use serde_json::{Value, json};

use crate::client::Client;

/// Shows the client how far a check is.
pub(crate) struct CheckProgress<'c> {
    client: &'c Client,
    token: ProgressToken,
    steps: AtomicUsize,
    done: AtomicUsize,
}

impl<'c> CheckProgress<'c> {
    /// Begins.
    pub(crate) fn new(client: &'c Client) -> CheckProgress<'c> {
        let token = ProgressToken::String("hieratic/check".to_owned());
        client.request::<WorkDoneProgressCreate>(WorkDoneProgressCreateParams { token: token.clone() });
        let progress = CheckProgress { client, token, steps: AtomicUsize::new(0), done: AtomicUsize::new(0) };
        progress.send(WorkDoneProgress::Begin(WorkDoneProgressBegin {
            title: "Checking".to_owned(),
            percentage: Some(0),
            ..WorkDoneProgressBegin::default()
        }));
        progress
    }

    fn send(&self, value: WorkDoneProgress) {
        self.client.progress(&self.token, value);
    }
}

impl Progress for CheckProgress<'_> {
    fn begin(&self, subject: &'static str, steps: usize) {
        self.steps.fetch_add(steps, Ordering::Relaxed);
        let message = Some(subject.to_owned());
        self.send(WorkDoneProgress::Report(WorkDoneProgressReport { message, ..WorkDoneProgressReport::default() }));
    }

    fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        // A message for each file would cost more than the file.
        if done.is_multiple_of(500) {
            let steps = self.steps.load(Ordering::Relaxed).max(1);
            // Below 100, so that it fits.
            let percentage = u32::try_from((100 * done / steps).min(99)).ok();
            self.send(WorkDoneProgress::Report(WorkDoneProgressReport {
                percentage,
                ..WorkDoneProgressReport::default()
            }));
        }
    }
}

impl Drop for CheckProgress<'_> {
    fn drop(&mut self) {
        self.send(WorkDoneProgress::End(WorkDoneProgressEnd::default()));
    }
}

/// The number of elements in a part.
const PART_LENGTH: usize = 100;

/// The title of the progress of a request that may take long.
fn title(method: &str) -> Option<&'static str> {
    match method {
        References::METHOD => Some("Looking for references"),
        WorkspaceSymbolRequest::METHOD => Some("Looking for symbols"),
        Rename::METHOD | ExecuteCommand::METHOD | CodeActionResolveRequest::METHOD => Some("Comparing answers"),
        _ => None,
    }
}

/// The client that waits for an answer, and the tokens under which it takes progress and parts.
#[derive(Clone, Default)]
pub(crate) struct RequestProgress {
    client: Option<Client>,
    /// The token of the progress.
    work: Option<ProgressToken>,
    /// The token under which the client takes parts of a list.
    part: Option<ProgressToken>,
}

impl RequestProgress {
    /// Reads the tokens of a request, and reports the begin of the work.
    pub(crate) fn new(client: &Client, method: &str, parameters: &Value) -> RequestProgress {
        let title = title(method);
        let work = title.and_then(|_| token(parameters, "workDoneToken"));
        let part = token(parameters, "partialResultToken");
        let progress = RequestProgress { client: Some(client.clone()), work, part };
        if let (Some(title), Some(token)) = (title, &progress.work) {
            client.progress(
                token,
                WorkDoneProgress::Begin(WorkDoneProgressBegin {
                    title: title.to_owned(),
                    cancellable: Some(true),
                    ..WorkDoneProgressBegin::default()
                }),
            );
        }
        progress
    }

    /// Sends elements of a list at once, if the client takes parts. Returns the elements that are not sent.
    pub(crate) fn send_part<T: serde::Serialize>(&self, all: Vec<T>) -> Vec<T> {
        match (&self.client, &self.part) {
            (Some(client), Some(token)) if !all.is_empty() => {
                client.progress(token, all);
                Vec::new()
            }
            _ => all,
        }
    }

    /// Sends the rest of a list in parts, and reports the end. Returns the result of the request.
    pub(crate) fn finish(&self, answer: Value) -> Value {
        let answer = match (answer, &self.client, &self.part) {
            (Value::Array(all), Some(client), Some(token)) => {
                for part in all.chunks(PART_LENGTH) {
                    client.progress(token, part);
                }
                json!([])
            }
            (answer, ..) => answer,
        };
        self.end();
        answer
    }

    /// Reports the end.
    pub(crate) fn end(&self) {
        if let (Some(client), Some(token)) = (&self.client, &self.work) {
            client.progress(token, WorkDoneProgress::End(WorkDoneProgressEnd::default()));
        }
    }
}

/// A token among the parameters of a request. A token that is neither a string nor an integer is ignored.
fn token(parameters: &Value, name: &str) -> Option<ProgressToken> {
    serde_json::from_value(parameters.get(name)?.clone()).ok()
}
