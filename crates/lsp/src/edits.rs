//! Edits of several documents in one answer.

use std::collections::HashMap;
use std::sync::Arc;

use lsp_types::{
    DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, TextEdit, WorkspaceEdit,
};

use crate::document::Document;
use crate::world::World;

/// What becomes of a document.
pub(crate) struct Edits {
    pub(crate) document: Arc<Document>,
    pub(crate) edits: Vec<TextEdit>,
}

/// All edits as one; a client that knows versions refuses them for texts that are newer than they are.
pub(crate) fn workspace_edit(world: &World, all: Vec<Edits>) -> WorkspaceEdit {
    if !world.versions {
        let changes: HashMap<_, _> = all.into_iter().map(|one| (one.document.uri.clone(), one.edits)).collect();
        return WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() };
    }
    let changes = all.into_iter().map(|Edits { document, edits }| TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier { uri: document.uri.clone(), version: document.version },
        edits: edits.into_iter().map(OneOf::Left).collect(),
    });
    WorkspaceEdit { document_changes: Some(DocumentChanges::Edits(changes.collect())), ..WorkspaceEdit::default() }
}
