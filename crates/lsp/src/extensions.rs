//! Requests and notifications in addition to those of the protocol.

use lsp_types::TextDocumentIdentifier;
use lsp_types::notification::Notification;
use lsp_types::request::Request;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::code::class_graph::ClassGraph;
use crate::status::{NotJudged, ServerStatus};

/// The parameters of a request about a document as a whole.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DocumentParams {
    /// The document.
    pub(crate) text_document: TextDocumentIdentifier,
}

/// The text of a document with its merge directives expanded.
pub(crate) enum Expand {}

impl Request for Expand {
    type Params = DocumentParams;
    type Result = String;
    const METHOD: &'static str = "hieratic/expand";
}

/// The graph of classes: around those of a document, or of all manifests.
pub(crate) enum ClassGraphRequest {}

impl Request for ClassGraphRequest {
    type Params = OptionalDocumentParams;
    type Result = ClassGraph;
    const METHOD: &'static str = "hieratic/classGraph";
}

/// A request for tests and measurements: it is answered when no check is pending.
pub(crate) enum SettledRequest {}

impl Request for SettledRequest {
    type Params = Value;
    type Result = ();
    const METHOD: &'static str = "hieratic/settled";
}

/// The parts that were not judged: of a document, or of everything.
pub(crate) enum NotJudgedRequest {}

/// The parameters of a request that may be about one document.
#[derive(Default, Deserialize, Serialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct OptionalDocumentParams {
    /// The document.
    pub(crate) text_document: Option<TextDocumentIdentifier>,
}

impl Request for NotJudgedRequest {
    type Params = OptionalDocumentParams;
    type Result = NotJudged;
    const METHOD: &'static str = "hieratic/notJudged";
}

/// Notifies the client of the chosen node and of the parts that were not checked.
pub(crate) enum Status {}

impl Notification for Status {
    type Params = ServerStatus;
    const METHOD: &'static str = "hieratic/status";
}
