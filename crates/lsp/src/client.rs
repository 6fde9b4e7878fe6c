//! [`Client`]: the handle for sending messages to the editor.

use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crossbeam_channel::Sender;
use hieratic::value::collections::HashMap;
use lsp_server::{ErrorCode, Message, RequestId, Response, ResponseError};
use lsp_types::notification::{LogMessage, Notification, Progress, PublishDiagnostics, ShowMessage};
use lsp_types::request::Request;
use lsp_types::{LogMessageParams, MessageType, PublishDiagnosticsParams, ShowMessageParams, Url};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Sends messages to the editor. They are dropped once the editor has disconnected.
#[derive(Clone)]
pub(crate) struct Client {
    out: Sender<Message>,
    diagnostics: DiagnosticsQueue,
    next_id: Arc<AtomicI32>,
}

/// Returns the error response of a request.
pub(crate) fn error_response(code: ErrorCode, message: impl Into<String>) -> ResponseError {
    ResponseError { code: code as i32, message: message.into(), data: None }
}

/// Returns the error of a valid request that has no result.
pub(crate) fn failed(message: impl Into<String>) -> ResponseError {
    error_response(ErrorCode::RequestFailed, message)
}

/// Returns the error of a request whose parameters make no sense.
pub(crate) fn invalid_parameters(message: impl Into<String>) -> ResponseError {
    error_response(ErrorCode::InvalidParams, message)
}

/// Deserializes parameters.
pub(crate) fn from_value<T: DeserializeOwned>(parameters: Value) -> Result<T, ResponseError> {
    // Read from a value: numbers read from text inside of flattened structures would be lost.
    serde_json::from_value(parameters).map_err(|error| invalid_parameters(error.to_string()))
}

impl Client {
    pub(crate) fn new(out: Sender<Message>, diagnostics: DiagnosticsQueue) -> Client {
        Client { out, diagnostics, next_id: Arc::new(AtomicI32::new(0)) }
    }

    fn send(&self, message: Message) {
        // The writer only ends when the editor has disconnected.
        let _ = self.out.send(message);
    }

    /// Sends a notification.
    pub(crate) fn notify<N: Notification>(&self, parameters: N::Params) {
        self.send(Message::Notification(lsp_server::Notification {
            method: N::METHOD.to_owned(),
            params: json!(parameters),
        }));
    }

    /// Shows diagnostics of a file, which are computed when they are written.
    pub(crate) fn publish_diagnostics(
        &self,
        uri: Url,
        compute: impl FnOnce() -> PublishDiagnosticsParams + Send + 'static,
    ) {
        if !self.diagnostics.push(uri.to_string(), Box::new(compute)) {
            self.send(Message::Notification(lsp_server::Notification {
                method: PublishDiagnostics::METHOD.to_owned(),
                params: json!({"uri": uri}),
            }));
        }
    }

    /// Answers a request.
    pub(crate) fn respond(&self, id: RequestId, answer: Result<Value, ResponseError>) {
        self.send(Message::Response(Response { id, response_result: answer }));
    }

    /// Sends a request whose response does not matter.
    pub(crate) fn request<R: Request>(&self, parameters: R::Params) {
        let number = self.next_id.fetch_add(1, Ordering::Relaxed);
        self.send(Message::Request(lsp_server::Request {
            id: RequestId::from(format!("hieratic-{number}")),
            method: R::METHOD.to_owned(),
            params: json!(parameters),
        }));
    }

    /// Reports the progress of something, or sends a part of a result.
    pub(crate) fn progress(&self, token: &lsp_types::ProgressToken, value: impl Serialize) {
        // `ProgressParams` has no place for parts of results.
        self.send(Message::Notification(lsp_server::Notification {
            method: Progress::METHOD.to_owned(),
            params: json!({"token": token, "value": value}),
        }));
    }

    /// Writes a line into the log that editors show.
    pub(crate) fn log(&self, message: impl Into<String>) {
        self.notify::<LogMessage>(LogMessageParams { typ: MessageType::INFO, message: message.into() });
    }

    /// Shows a message that the user requested.
    pub(crate) fn show_info(&self, message: impl Into<String>) {
        self.notify::<ShowMessage>(ShowMessageParams { typ: MessageType::INFO, message: message.into() });
    }

    /// Shows a warning.
    pub(crate) fn show_warning(&self, message: impl Into<String>) {
        self.notify::<ShowMessage>(ShowMessageParams { typ: MessageType::WARNING, message: message.into() });
    }
}

/// Computes the diagnostics of a file.
type Diagnostics = Box<dyn FnOnce() -> PublishDiagnosticsParams + Send>;

/// The diagnostics that are not written yet, by the address of their file. An editor may read slowly, or not at all: the queue of messages
/// holds the addresses of files only, and a file whose diagnostics change again before that is written once.
#[derive(Clone, Default)]
pub(crate) struct DiagnosticsQueue(Arc<Mutex<HashMap<String, Diagnostics>>>);

impl DiagnosticsQueue {
    fn waiting(&self) -> MutexGuard<'_, HashMap<String, Diagnostics>> {
        // Each change is one insertion or removal, so the table is consistent after a panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the diagnostics of a file. Returns whether they replace others that wait.
    fn push(&self, uri: String, diagnostics: Diagnostics) -> bool {
        self.waiting().insert(uri, diagnostics).is_some()
    }

    /// Returns a message as written: the one about the diagnostics of a file with its diagnostics.
    pub(crate) fn complete(&self, message: Message) -> Option<Message> {
        match message {
            Message::Notification(mut one) if one.method == PublishDiagnostics::METHOD => {
                let compute = self.waiting().remove(one.params["uri"].as_str()?)?;
                one.params = json!(compute());
                Some(Message::Notification(one))
            }
            message => Some(message),
        }
    }
}
