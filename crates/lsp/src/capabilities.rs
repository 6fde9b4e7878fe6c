//! The capabilities that the server reports to clients.

use serde_json::{Value, json};

use crate::positions::Encoding;
use crate::tokens;

/// Commands that clients may run.
pub(crate) const COMMANDS: [&str; 5] =
    ["hieratic.chooseNode", "hieratic.chooseVariables", "hieratic.decrypt", "hieratic.expand", "hieratic.why"];

/// Returns the server's capabilities, with positions in the given encoding.
pub(crate) fn capabilities(encoding: Encoding) -> Value {
    json!({
        "positionEncoding": encoding.kind(),
        "textDocumentSync": {"openClose": true, "change": 2, "save": {"includeText": false}},
        "hoverProvider": true,
        "completionProvider": {"triggerCharacters": [":", "$", "%", "{", "'", "\"", ".", "/", "=", "+", "[", "("]},
        "signatureHelpProvider": {"triggerCharacters": ["(", ","]},
        "definitionProvider": true,
        "referencesProvider": true,
        "renameProvider": {"prepareProvider": true},
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
        "executeCommandProvider": {"commands": COMMANDS},
        "workspace": {"workspaceFolders": {"supported": true, "changeNotifications": true}},
    })
}
