//! Handlers of commands.

use std::path::PathBuf;

use lsp_server::ResponseError;
use lsp_types::{ExecuteCommandParams, Url};
use serde_json::{Value, json};

use crate::client::{failed, from_value, invalid_parameters};
use crate::code::class_graph::{self, ClassGraph};
use crate::document::Document;
use crate::server_capabilities::{CHOOSE_NODE, CHOOSE_VARIABLES, DECRYPT, EXPAND, GRAPH, WHY};
use crate::session::{ClientSession, PendingRequest};
use crate::snapshot::Snapshot;
use crate::{data, directives};

/// Runs a command.
pub(crate) fn execute(session: &mut ClientSession, request: PendingRequest, command: ExecuteCommandParams) {
    let arguments = command.arguments;
    match command.command.as_str() {
        CHOOSE_NODE => choose_node(session, request, arguments),
        CHOOSE_VARIABLES => {
            let answer = choose_variables(session, arguments.into_iter().next());
            session.answer(request, answer);
        }
        DECRYPT => session.answer_in_pool(request, move |snapshot| decrypt(snapshot, &arguments)),
        EXPAND => session.answer_in_pool(request, move |snapshot| {
            directives::expanded_text(snapshot, &*document(snapshot, &arguments)?)
        }),
        GRAPH => session.answer_in_pool(request, move |snapshot| graph(snapshot, &arguments)),
        WHY => session.answer_in_pool(request, move |snapshot| why(snapshot, &arguments)),
        other => {
            let error = invalid_parameters(format!("unknown command {other}"));
            session.answer::<Value>(request, Err(error));
        }
    }
}

/// Chooses the node whose answers are shown, or returns the nodes to choose from.
fn choose_node(session: &ClientSession, request: PendingRequest, arguments: Vec<Value>) {
    let picker = session.picker();
    if session.options.inventory.is_none() {
        session.answer(request, picker.choose(arguments.first()));
    } else {
        // This may query another machine.
        session.answer_in_pool(request, move |_| picker.choose(arguments.first()));
    }
}

/// Selects other variable files for jobs, by paths relative to the first folder; returns the selected files.
fn choose_variables(session: &ClientSession, files: Option<Value>) -> Result<Value, ResponseError> {
    if let Some(files) = files.filter(|files| !files.is_null()) {
        let names: Vec<PathBuf> = from_value(files)?;
        let base = session.folders.first().cloned().unwrap_or_default();
        session.global.choose_variables(names.iter().map(|name| base.join(name)).collect());
    }
    Ok(json!({"files": &*session.global.snapshot().variables}))
}

/// Shows the plain text of an encrypted value in a window, which no editor keeps in a file.
fn decrypt(snapshot: &Snapshot, arguments: &[Value]) -> Result<Value, ResponseError> {
    let document = document(snapshot, arguments)?;
    let position = from_value(arguments.get(1).cloned().unwrap_or_default())?;
    let plain = data::secrets::decrypted(snapshot, &document, document.offset(position))?;
    snapshot.client.show_info(plain);
    Ok(Value::Null)
}

/// Returns the graph of classes around those of a document, or of all manifests without an argument.
fn graph(snapshot: &Snapshot, arguments: &[Value]) -> Result<ClassGraph, ResponseError> {
    let of = match arguments {
        [] | [Value::Null] => None,
        arguments => Some(document(snapshot, arguments)?),
    };
    Ok(class_graph::graph(snapshot, of.as_ref().map(|document| document.path.as_path())))
}

/// Explains the answer of a key for the chosen node.
fn why(snapshot: &Snapshot, arguments: &[Value]) -> Result<String, ResponseError> {
    let document = document(snapshot, arguments)?;
    let key = arguments.get(1).and_then(Value::as_str);
    let key = key.ok_or_else(|| invalid_parameters("the second argument is a key"))?;
    let view = snapshot.view_of(&document.path).ok_or_else(|| failed("the file is not in a control repository"))?;
    let file = view.file(&document.path).cloned();
    let node = snapshot.node_for(view, file.as_deref());
    Ok(data::hover::key_hover(snapshot, view, node.as_ref(), key))
}

/// The document whose address is the first argument.
fn document(snapshot: &Snapshot, arguments: &[Value]) -> Result<std::sync::Arc<Document>, ResponseError> {
    let uri = arguments.first().and_then(Value::as_str);
    let uri = uri.ok_or_else(|| invalid_parameters("the argument is the address of a file"))?;
    snapshot.open(&Url::parse(uri).map_err(|error| invalid_parameters(error.to_string()))?)
}
