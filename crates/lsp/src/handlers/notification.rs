//! Handlers of notifications. They change the state of the session and never block.

use std::path::Path;

use lsp_server::{RequestId, ResponseError};
use lsp_types::notification::{DidChangeWatchedFiles, Notification as _};
use lsp_types::request::RegisterCapability;
use lsp_types::{
    CancelParams, DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams, InitializedParams,
    NumberOrString, Registration, RegistrationParams,
};
use serde_json::json;

use crate::client::invalid_parameters;
use crate::document::{Document, Language};
use crate::extensions::Status;
use crate::paths::path_of;
use crate::session::ClientSession;
use crate::status;

pub(crate) fn initialized(session: &mut ClientSession, _: InitializedParams) -> Result<(), ResponseError> {
    if session.global.capabilities.watch_files {
        session.client.request::<RegisterCapability>(RegistrationParams {
            registrations: vec![Registration {
                id: "hieratic-files".to_owned(),
                method: DidChangeWatchedFiles::METHOD.to_owned(),
                register_options: Some(json!({"watchers": [{"globPattern": "**/*"}]})),
            }],
        });
    }
    session.client.notify::<Status>(status::status(&session.global));
    Ok(())
}

pub(crate) fn did_open(session: &mut ClientSession, opened: DidOpenTextDocumentParams) -> Result<(), ResponseError> {
    let item = opened.text_document;
    let Some(path) = path_of(&item.uri) else { return Ok(()) };
    session.add_root_for(&path);
    let language = Language::from_path(&path, &item.language_id);
    let encoding = session.global.capabilities.encoding;
    let document = Document::new(path.clone(), item.uri, Some(item.version), language, item.text, encoding);
    session.global.set_document(&path, Some(document));
    Ok(())
}

pub(crate) fn did_change(
    session: &mut ClientSession,
    changed: DidChangeTextDocumentParams,
) -> Result<(), ResponseError> {
    let uri = &changed.text_document.uri;
    let Some(path) = path_of(uri) else { return Ok(()) };
    let snapshot = session.global.snapshot();
    let open = snapshot.documents.get(&path);
    let document = open.ok_or_else(|| invalid_parameters(format!("{uri} is not open")))?;
    let next = document.changed(changed.content_changes, changed.text_document.version);
    session.global.set_document(&path, Some(next));
    Ok(())
}

pub(crate) fn did_close(session: &mut ClientSession, closed: DidCloseTextDocumentParams) -> Result<(), ResponseError> {
    let Some(path) = path_of(&closed.text_document.uri) else { return Ok(()) };
    session.global.publisher.close(&path);
    session.global.set_document(&path, None);
    let is_root = session.global.snapshot().roots.iter().any(|root| root.folder == path);
    // A document outside of all folders was a root by itself.
    if is_root {
        session.global.remove_root(&path);
    }
    Ok(())
}

pub(crate) fn did_save(session: &mut ClientSession, saved: DidSaveTextDocumentParams) -> Result<(), ResponseError> {
    if let Some(path) = path_of(&saved.text_document.uri) {
        session.global.touch(&path);
    }
    Ok(())
}

pub(crate) fn did_change_watched_files(
    session: &mut ClientSession,
    changed: DidChangeWatchedFilesParams,
) -> Result<(), ResponseError> {
    let paths = changed.changes.iter().filter_map(|change| path_of(&change.uri));
    paths.filter(|path| !is_in_git_folder(path)).for_each(|path| session.global.touch(&path));
    Ok(())
}

pub(crate) fn did_change_workspace_folders(
    session: &mut ClientSession,
    changed: DidChangeWorkspaceFoldersParams,
) -> Result<(), ResponseError> {
    for removed in changed.event.removed.iter().filter_map(|folder| path_of(&folder.uri)) {
        session.global.remove_root(&removed);
        session.folders.retain(|folder| *folder != removed);
    }
    for added in changed.event.added.iter().filter_map(|folder| path_of(&folder.uri)) {
        session.global.add_root(added.clone());
        session.folders.push(added);
    }
    Ok(())
}

pub(crate) fn cancel(session: &mut ClientSession, cancelled: CancelParams) -> Result<(), ResponseError> {
    session.cancel(&match cancelled.id {
        NumberOrString::Number(id) => RequestId::from(id),
        NumberOrString::String(id) => RequestId::from(id),
    });
    Ok(())
}

/// Returns whether a path is in a `.git` folder.
fn is_in_git_folder(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == ".git")
}
