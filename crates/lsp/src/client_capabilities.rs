//! [`ClientCapabilities`]: the features of the protocol that the client supports.

use lsp_types::PositionEncodingKind;
use serde::Deserialize;
use serde_json::Value;

use crate::positions::Encoding;

/// The features that the client supports, read once from its first request.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ClientCapabilities {
    /// The unit of positions.
    pub(crate) encoding: Encoding,
    /// Whether completions may contain snippets.
    pub(crate) snippets: bool,
    /// Whether edits may name the versions of documents.
    pub(crate) versioned_edits: bool,
    /// Whether edits may create files.
    pub(crate) create_files: bool,
    /// Whether the client resolves the edits of code actions.
    pub(crate) resolve_edits: bool,
    /// Whether the client shows the progress of a check.
    pub(crate) progress: bool,
    /// Whether the client can be asked to request code lenses again.
    pub(crate) refresh_lenses: bool,
    /// Whether the client can be asked to request inlay hints again.
    pub(crate) refresh_hints: bool,
    /// Whether the client watches files for the server.
    pub(crate) watch_files: bool,
}

impl ClientCapabilities {
    /// Reads the capabilities of a client.
    ///
    /// Only these are read: the types of all capabilities of the protocol are a hundred times as much code.
    pub(crate) fn new(client: &Value) -> ClientCapabilities {
        let has = |pointer| client.pointer(pointer) == Some(&Value::Bool(true));
        let names = |pointer| client.pointer(pointer).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let offered: Option<Vec<PositionEncodingKind>> =
            client.pointer("/general/positionEncodings").and_then(|offered| Deserialize::deserialize(offered).ok());
        let versioned_edits = has("/workspace/workspaceEdit/documentChanges");
        let operations = names("/workspace/workspaceEdit/resourceOperations");
        ClientCapabilities {
            encoding: Encoding::negotiate(offered.as_deref()),
            snippets: has("/textDocument/completion/completionItem/snippetSupport"),
            versioned_edits,
            create_files: versioned_edits && operations.iter().any(|operation| operation == "create"),
            resolve_edits: names("/textDocument/codeAction/resolveSupport/properties")
                .iter()
                .any(|name| name == "edit"),
            progress: has("/window/workDoneProgress"),
            refresh_lenses: has("/workspace/codeLens/refreshSupport"),
            refresh_hints: has("/workspace/inlayHint/refreshSupport"),
            watch_files: has("/workspace/didChangeWatchedFiles/dynamicRegistration"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn capabilities(client: serde_json::Value) -> ClientCapabilities {
        ClientCapabilities::new(&client)
    }

    #[test]
    fn a_client_without_capabilities_has_none() {
        let none = capabilities(json!({}));
        assert!(!none.snippets && !none.versioned_edits && !none.create_files && !none.resolve_edits);
        assert!(!none.progress && !none.refresh_lenses && !none.refresh_hints && !none.watch_files);
        assert_eq!(none.encoding, Encoding::Utf16);
    }

    #[test]
    fn files_are_created_in_versioned_edits_only() {
        let edit = |versions: bool| json!({"workspace": {"workspaceEdit": {"documentChanges": versions, "resourceOperations": ["create"]}}});
        assert!(capabilities(edit(true)).create_files);
        assert!(!capabilities(edit(false)).create_files);
    }

    #[test]
    fn edits_are_resolved_by_clients_that_name_them() {
        let resolve = |properties: &[&str]| json!({"textDocument": {"codeAction": {"resolveSupport": {"properties": properties}}}});
        assert!(capabilities(resolve(&["kind", "edit"])).resolve_edits);
        assert!(!capabilities(resolve(&["kind"])).resolve_edits);
    }
}
