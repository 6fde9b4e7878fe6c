//! [`Client`]: the handle for sending messages to the editor.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::Sender;

use lsp_server::{ErrorCode, ResponseError};
use lsp_types::notification::Notification;
use serde::Serialize;
use serde_json::{Value, json};

/// A message on its way to the editor.
pub(crate) enum Outgoing {
    /// One that is small.
    Ready(Value),
    /// One that is made when it is written: the editor may read slowly, or not at all.
    Later(Box<dyn FnOnce() -> Value + Send>),
}

impl Outgoing {
    /// The message.
    pub(crate) fn value(self) -> Value {
        match self {
            Outgoing::Ready(value) => value,
            Outgoing::Later(make) => make(),
        }
    }
}

/// Sends messages to the editor. They are dropped once the editor has disconnected.
#[derive(Clone)]
pub(crate) struct Client {
    out: Sender<Outgoing>,
    number: Arc<AtomicI32>,
}

/// Returns the error response of a request.
pub(crate) fn error_response(code: ErrorCode, message: impl Into<String>) -> ResponseError {
    ResponseError { code: code as i32, message: message.into(), data: None }
}

/// Returns the error of a valid request that has no result.
pub(crate) fn failed(message: impl Into<String>) -> ResponseError {
    error_response(ErrorCode::RequestFailed, message)
}

impl Client {
    pub(crate) fn new(out: Sender<Outgoing>) -> Client {
        Client { out, number: Arc::new(AtomicI32::new(0)) }
    }

    fn send(&self, message: Value) {
        // The writer only ends when the editor has disconnected.
        let _ = self.out.send(Outgoing::Ready(message));
    }

    /// Sends a notification whose parameters are computed when it is written.
    pub(crate) fn notify_later(&self, method: &'static str, parameters: impl FnOnce() -> Value + Send + 'static) {
        let make = move || json!({"jsonrpc": "2.0", "method": method, "params": parameters()});
        // The writer has ended, as above.
        let _ = self.out.send(Outgoing::Later(Box::new(make)));
    }

    /// Sends a notification.
    pub(crate) fn notify<N: Notification>(&self, parameters: N::Params)
    where
        N::Params: Serialize,
    {
        self.notify_by(N::METHOD, json!(parameters));
    }

    /// Sends a notification by the name of its method.
    pub(crate) fn notify_by(&self, method: &str, parameters: Value) {
        self.send(json!({"jsonrpc": "2.0", "method": method, "params": parameters}));
    }

    /// Answers a request.
    pub(crate) fn answer(&self, id: &Value, answer: Result<Value, ResponseError>) {
        self.send(match answer {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
        });
    }

    /// Asks the client for something whose answer does not matter.
    pub(crate) fn request(&self, method: &str, parameters: Value) {
        let number = self.number.fetch_add(1, Ordering::Relaxed);
        let id = format!("hieratic-{number}");
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters}));
    }

    /// Writes a line into the log that editors show.
    pub(crate) fn log(&self, message: impl Into<String>) {
        let message = message.into();
        self.notify_by("window/logMessage", json!({"type": 3, "message": message}));
    }

    /// Shows a message that the user requested.
    pub(crate) fn show_info(&self, message: impl Into<String>) {
        let message = message.into();
        self.notify_by("window/showMessage", json!({"type": 3, "message": message}));
    }

    /// Shows a warning.
    pub(crate) fn show_warning(&self, message: impl Into<String>) {
        let message = message.into();
        self.notify_by("window/showMessage", json!({"type": 2, "message": message}));
    }
}
