//! Requests and notifications that the protocol does not have.

use lsp_types::TextDocumentIdentifier;
use lsp_types::notification::Notification;
use lsp_types::request::Request;
use serde::{Deserialize, Serialize};
use serde_json::Value;

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

/// A request for tests and measurements: it is answered when no check is pending.
pub(crate) enum SettledRequest {}

impl Request for SettledRequest {
    type Params = Value;
    type Result = ();
    const METHOD: &'static str = "hieratic/settled";
}

/// The chosen node, and the nodes to choose from.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct NodeStatus {
    pub(crate) node: Option<String>,
    pub(crate) nodes: Vec<String>,
}

/// Tells the client which node is chosen.
pub(crate) enum Status {}

impl Notification for Status {
    type Params = NodeStatus;
    const METHOD: &'static str = "hieratic/status";
}
