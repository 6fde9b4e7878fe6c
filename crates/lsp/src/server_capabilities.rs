//! The capabilities that the server reports to clients.

use serde_json::{Value, json};

use crate::positions::Encoding;
use crate::tokens;

/// Chooses the node whose answers are shown, or returns the nodes to choose from.
pub(crate) const CHOOSE_NODE: &str = "hieratic.chooseNode";
/// Chooses the variable files of jobs.
pub(crate) const CHOOSE_VARIABLES: &str = "hieratic.chooseVariables";
/// Shows the plain text of an encrypted value.
pub(crate) const DECRYPT: &str = "hieratic.decrypt";
/// Returns a document with its merge directives expanded.
pub(crate) const EXPAND: &str = "hieratic.expand";
/// Returns the graph of classes.
pub(crate) const GRAPH: &str = "hieratic.graph";
/// Explains the answer of a key.
pub(crate) const WHY: &str = "hieratic.why";

/// Returns the server's capabilities, with positions in the given encoding.
pub(crate) fn server_capabilities(encoding: Encoding) -> Value {
    json!({
        "positionEncoding": encoding.kind(),
        "textDocumentSync": {"openClose": true, "change": 2, "save": {"includeText": false}},
        "hoverProvider": true,
        "completionProvider": {"triggerCharacters": [":", "$", "%", "{", "'", "\"", ".", "/", "=", "+", "[", "("]},
        "signatureHelpProvider": {"triggerCharacters": ["(", ","]},
        "definitionProvider": true,
        "referencesProvider": true,
        "renameProvider": {"prepareProvider": true},
        "callHierarchyProvider": true,
        "documentHighlightProvider": true,
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "codeActionProvider": {"codeActionKinds": ["quickfix", "source.fixAll", "refactor"], "resolveProvider": true},
        "codeLensProvider": {"resolveProvider": false},
        "documentLinkProvider": {"resolveProvider": false},
        "documentFormattingProvider": true,
        "foldingRangeProvider": true,
        "selectionRangeProvider": true,
        "inlayHintProvider": {"resolveProvider": false},
        "semanticTokensProvider": {"legend": tokens::legend(), "full": true, "range": true},
        "executeCommandProvider": {"commands": [CHOOSE_NODE, CHOOSE_VARIABLES, DECRYPT, EXPAND, GRAPH, WHY]},
        "workspace": {"workspaceFolders": {"supported": true, "changeNotifications": true}},
    })
}
