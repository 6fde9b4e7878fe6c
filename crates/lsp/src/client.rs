//! [`Client`]: whoever is at the other end.

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

/// Sends messages to the editor. What is sent after it is gone goes nowhere.
#[derive(Clone)]
pub(crate) struct Client {
    out: Sender<Outgoing>,
    number: Arc<AtomicI32>,
}

/// Why a request has no answer.
pub(crate) fn unanswered(code: ErrorCode, message: impl Into<String>) -> ResponseError {
    ResponseError { code: code as i32, message: message.into(), data: None }
}

/// The request makes sense, but there is no answer.
pub(crate) fn failed(message: impl Into<String>) -> ResponseError {
    unanswered(ErrorCode::RequestFailed, message)
}

impl Client {
    pub(crate) fn new(out: Sender<Outgoing>) -> Client {
        Client { out, number: Arc::new(AtomicI32::new(0)) }
    }

    fn send(&self, message: Value) {
        // The writer has ended because nobody reads: there is nobody to tell.
        let _ = self.out.send(Outgoing::Ready(message));
    }

    /// Tells the client something whose parameters are made when it is written.
    pub(crate) fn notify_later(&self, method: &'static str, parameters: impl FnOnce() -> Value + Send + 'static) {
        let make = move || json!({"jsonrpc": "2.0", "method": method, "params": parameters()});
        // As above.
        let _ = self.out.send(Outgoing::Later(Box::new(make)));
    }

    /// Tells the client something.
    pub(crate) fn notify<N: Notification>(&self, parameters: N::Params)
    where
        N::Params: Serialize,
    {
        self.notify_by(N::METHOD, json!(parameters));
    }

    /// The same by the name of a method.
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

    /// Shows a message that somebody asked for.
    pub(crate) fn tell(&self, message: impl Into<String>) {
        let message = message.into();
        self.notify_by("window/showMessage", json!({"type": 3, "message": message}));
    }

    /// Shows a warning.
    pub(crate) fn show(&self, message: impl Into<String>) {
        let message = message.into();
        self.notify_by("window/showMessage", json!({"type": 2, "message": message}));
    }
}
