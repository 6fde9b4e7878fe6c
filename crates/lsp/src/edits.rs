//! Edits of several documents in one answer.

use std::collections::HashMap;
use std::sync::Arc;

use lsp_types::{
    CreateFile, CreateFileOptions, DocumentChangeOperation, DocumentChanges, OneOf,
    OptionalVersionedTextDocumentIdentifier, ResourceOp, TextDocumentEdit, TextEdit, WorkspaceEdit,
};

use crate::document::Document;
use crate::snapshot::Snapshot;

/// The edits of one document.
pub(crate) struct Edits {
    pub(crate) document: Arc<Document>,
    pub(crate) edits: Vec<TextEdit>,
    /// Whether the edit creates the file.
    pub(crate) is_new: bool,
}

impl Edits {
    /// Edits of a document that exists.
    pub(crate) fn new(document: Arc<Document>, edits: Vec<TextEdit>) -> Edits {
        Edits { document, edits, is_new: false }
    }
}

/// Combines all edits. A client that supports versions rejects them if a document has changed since. Files are only
/// created if the client supports it.
pub(crate) fn workspace_edit(snapshot: &Snapshot, all: Vec<Edits>) -> WorkspaceEdit {
    if !snapshot.capabilities.versioned_edits {
        let changes: HashMap<_, _> = all.into_iter().map(|one| (one.document.uri.clone(), one.edits)).collect();
        return WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() };
    }
    let mut operations = Vec::new();
    let has_new = all.iter().any(|one| one.is_new);
    let mut changed = Vec::new();
    for Edits { document, edits, is_new } in all {
        let uri = document.uri.clone();
        if is_new {
            let options = CreateFileOptions { overwrite: Some(false), ignore_if_exists: Some(false) };
            let create = CreateFile { uri: uri.clone(), options: Some(options), annotation_id: None };
            operations.push(DocumentChangeOperation::Op(ResourceOp::Create(create)));
        }
        let edit = TextDocumentEdit {
            text_document: OptionalVersionedTextDocumentIdentifier { uri, version: document.version },
            edits: edits.into_iter().map(OneOf::Left).collect(),
        };
        if has_new { operations.push(DocumentChangeOperation::Edit(edit)) } else { changed.push(edit) }
    }
    let changes = if has_new { DocumentChanges::Operations(operations) } else { DocumentChanges::Edits(changed) };
    WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() }
}
