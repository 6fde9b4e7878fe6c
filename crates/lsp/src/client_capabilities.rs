//! [`ClientCapabilities`]: the features of the protocol that the client supports.

use lsp_types::ResourceOperationKind;

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
    pub(crate) fn new(client: &lsp_types::ClientCapabilities) -> ClientCapabilities {
        let offered = client.general.as_ref().and_then(|general| general.position_encodings.as_deref());
        let mut capabilities =
            ClientCapabilities { encoding: Encoding::negotiate(offered), ..ClientCapabilities::default() };
        if let Some(window) = &client.window {
            capabilities.progress = window.work_done_progress == Some(true);
        }
        if let Some(workspace) = &client.workspace {
            capabilities.read_workspace(workspace);
        }
        if let Some(document) = &client.text_document {
            capabilities.read_document(document);
        }
        capabilities
    }

    fn read_workspace(&mut self, workspace: &lsp_types::WorkspaceClientCapabilities) {
        if let Some(edit) = &workspace.workspace_edit {
            let operations = edit.resource_operations.as_deref().unwrap_or_default();
            self.versioned_edits = edit.document_changes == Some(true);
            self.create_files = self.versioned_edits && operations.contains(&ResourceOperationKind::Create);
        }
        self.refresh_lenses = workspace.code_lens.as_ref().is_some_and(|lens| lens.refresh_support == Some(true));
        self.refresh_hints = workspace.inlay_hint.as_ref().is_some_and(|hint| hint.refresh_support == Some(true));
        let watched = workspace.did_change_watched_files.as_ref();
        self.watch_files = watched.is_some_and(|watched| watched.dynamic_registration == Some(true));
    }

    fn read_document(&mut self, document: &lsp_types::TextDocumentClientCapabilities) {
        let item = document.completion.as_ref().and_then(|completion| completion.completion_item.as_ref());
        self.snippets = item.is_some_and(|item| item.snippet_support == Some(true));
        let resolve = document.code_action.as_ref().and_then(|action| action.resolve_support.as_ref());
        self.resolve_edits = resolve.is_some_and(|resolve| resolve.properties.iter().any(|name| name == "edit"));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn capabilities(client: serde_json::Value) -> ClientCapabilities {
        ClientCapabilities::new(&serde_json::from_value(client).unwrap())
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
