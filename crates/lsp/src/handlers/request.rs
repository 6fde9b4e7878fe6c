//! Handlers of requests. Each has an immutable snapshot and runs in a thread of the pool.

use std::path::PathBuf;

use lsp_server::ResponseError;
use lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem, CallHierarchyOutgoingCall,
    CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams, CodeAction, CodeActionOrCommand, CodeActionParams,
    CodeActionResponse, CodeLens, CodeLensParams, CompletionList, CompletionParams, CompletionResponse,
    DocumentFormattingParams, DocumentHighlight, DocumentHighlightParams, DocumentLink, DocumentLinkParams,
    DocumentSymbolParams, DocumentSymbolResponse, FoldingRange, FoldingRangeParams, GotoDefinitionParams,
    GotoDefinitionResponse, Hover, HoverContents, HoverParams, InlayHint, InlayHintParams, Location, MarkupContent,
    MarkupKind, PrepareRenameResponse, ReferenceParams, RenameParams, SelectionRange, SelectionRangeParams,
    SemanticTokens, SemanticTokensParams, SemanticTokensRangeParams, SemanticTokensRangeResult, SemanticTokensResult,
    SignatureHelp, SignatureHelpParams, TextDocumentPositionParams, TextEdit, WorkspaceEdit, WorkspaceSymbolParams,
    WorkspaceSymbolResponse,
};
use serde_json::Value;

use super::language;
use crate::client::invalid_parameters;
use crate::code::class_graph::ClassGraph;
use crate::extensions::{DocumentParams, OptionalDocumentParams};
use crate::paths::path_of;
use crate::session::{ClientSession, PendingRequest};
use crate::snapshot::Snapshot;
use crate::status::{NotJudged, not_judged as find_not_judged};
use crate::{actions, code, data, directives, folding, format, links, rename, symbols, tokens};

/// The answer of a handler; `None` if there is nothing at the position.
type Answer<T> = Result<Option<T>, ResponseError>;

pub(crate) fn settled(session: &mut ClientSession, request: PendingRequest, _: Value) {
    let client = session.client.clone();
    session.global.when_idle(Box::new(move || client.respond(request.id, Ok(Value::Null))));
}

pub(crate) fn expand(snapshot: &Snapshot, parameters: DocumentParams) -> Result<String, ResponseError> {
    directives::expanded_text(snapshot, &*snapshot.open(&parameters.text_document.uri)?)
}

pub(crate) fn not_judged(snapshot: &Snapshot, parameters: OptionalDocumentParams) -> Result<NotJudged, ResponseError> {
    Ok(find_not_judged(snapshot, path_given(parameters)?.as_deref()))
}

pub(crate) fn completion(snapshot: &Snapshot, parameters: CompletionParams) -> Answer<CompletionResponse> {
    let at = parameters.text_document_position;
    let document = snapshot.open(&at.text_document.uri)?;
    let (items, is_incomplete) = language::complete(snapshot, &document, document.offset(at.position));
    Ok(Some(CompletionResponse::List(CompletionList { is_incomplete, items })))
}

pub(crate) fn hover(snapshot: &Snapshot, parameters: HoverParams) -> Answer<Hover> {
    let at = parameters.text_document_position_params;
    let document = snapshot.open(&at.text_document.uri)?;
    let found = language::hover(snapshot, &document, document.offset(at.position));
    Ok(found.map(|(text, span)| Hover {
        contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: text }),
        range: Some(document.range(span)),
    }))
}

pub(crate) fn signature_help(snapshot: &Snapshot, parameters: SignatureHelpParams) -> Answer<SignatureHelp> {
    let at = parameters.text_document_position_params;
    let document = snapshot.open(&at.text_document.uri)?;
    if !document.language.is_code() {
        return Ok(None);
    }
    Ok(code::signature::help(snapshot, &document, document.offset(at.position)))
}

pub(crate) fn definition(snapshot: &Snapshot, parameters: GotoDefinitionParams) -> Answer<GotoDefinitionResponse> {
    let at = parameters.text_document_position_params;
    let document = snapshot.open(&at.text_document.uri)?;
    let found = language::definition(snapshot, &document, document.offset(at.position));
    Ok(found.map(GotoDefinitionResponse::Array))
}

pub(crate) fn references(snapshot: &Snapshot, parameters: ReferenceParams) -> Answer<Vec<Location>> {
    let at = parameters.text_document_position;
    let document = snapshot.open(&at.text_document.uri)?;
    language::references(snapshot, &document, document.offset(at.position), parameters.context.include_declaration)
}

pub(crate) fn prepare_rename(
    snapshot: &Snapshot,
    parameters: TextDocumentPositionParams,
) -> Answer<PrepareRenameResponse> {
    let document = snapshot.open(&parameters.text_document.uri)?;
    rename::prepare(snapshot, &document, document.offset(parameters.position)).map(Some)
}

pub(crate) fn rename(snapshot: &Snapshot, parameters: RenameParams) -> Answer<WorkspaceEdit> {
    let at = parameters.text_document_position;
    let document = snapshot.open(&at.text_document.uri)?;
    rename::rename(snapshot, &document, document.offset(at.position), &parameters.new_name).map(Some)
}

pub(crate) fn prepare_call_hierarchy(
    snapshot: &Snapshot,
    parameters: CallHierarchyPrepareParams,
) -> Answer<Vec<CallHierarchyItem>> {
    let at = parameters.text_document_position_params;
    let document = snapshot.open(&at.text_document.uri)?;
    if !document.language.is_code() {
        return Ok(None);
    }
    Ok(code::hierarchy::prepare(snapshot, &document, document.offset(at.position)))
}

pub(crate) fn incoming_calls(
    snapshot: &Snapshot,
    parameters: CallHierarchyIncomingCallsParams,
) -> Answer<Vec<CallHierarchyIncomingCall>> {
    code::hierarchy::incoming(snapshot, &parameters.item)
}

pub(crate) fn outgoing_calls(
    snapshot: &Snapshot,
    parameters: CallHierarchyOutgoingCallsParams,
) -> Answer<Vec<CallHierarchyOutgoingCall>> {
    code::hierarchy::outgoing(snapshot, &parameters.item)
}

pub(crate) fn class_graph(
    snapshot: &Snapshot,
    parameters: OptionalDocumentParams,
) -> Result<ClassGraph, ResponseError> {
    Ok(code::class_graph::graph(snapshot, path_given(parameters)?.as_deref()))
}

/// The path of the document that parameters may name.
fn path_given(parameters: OptionalDocumentParams) -> Result<Option<PathBuf>, ResponseError> {
    let Some(document) = parameters.text_document else { return Ok(None) };
    let path = path_of(&document.uri);
    path.map(Some).ok_or_else(|| invalid_parameters("the address is not that of a file"))
}

pub(crate) fn highlights(snapshot: &Snapshot, parameters: DocumentHighlightParams) -> Answer<Vec<DocumentHighlight>> {
    let at = parameters.text_document_position_params;
    let document = snapshot.open(&at.text_document.uri)?;
    Ok(language::highlights(&document, document.offset(at.position)))
}

pub(crate) fn document_symbols(
    snapshot: &Snapshot,
    parameters: DocumentSymbolParams,
) -> Answer<DocumentSymbolResponse> {
    let document = snapshot.open(&parameters.text_document.uri)?;
    Ok(Some(DocumentSymbolResponse::Nested(symbols::document_symbols(&document))))
}

pub(crate) fn workspace_symbols(
    snapshot: &Snapshot,
    parameters: WorkspaceSymbolParams,
) -> Answer<WorkspaceSymbolResponse> {
    let symbols = symbols::workspace_symbols(snapshot, &parameters.query)?;
    Ok(Some(WorkspaceSymbolResponse::Flat(symbols)))
}

pub(crate) fn folding_ranges(snapshot: &Snapshot, parameters: FoldingRangeParams) -> Answer<Vec<FoldingRange>> {
    Ok(Some(folding::folds(&*snapshot.open(&parameters.text_document.uri)?)))
}

pub(crate) fn selection_ranges(snapshot: &Snapshot, parameters: SelectionRangeParams) -> Answer<Vec<SelectionRange>> {
    let document = snapshot.open(&parameters.text_document.uri)?;
    let ranges = parameters.positions.iter().map(|position| folding::selection(&document, *position));
    Ok(Some(ranges.collect()))
}

pub(crate) fn document_links(snapshot: &Snapshot, parameters: DocumentLinkParams) -> Answer<Vec<DocumentLink>> {
    let document = snapshot.open(&parameters.text_document.uri)?;
    Ok(Some(links::links(snapshot, &document)))
}

pub(crate) fn formatting(snapshot: &Snapshot, parameters: DocumentFormattingParams) -> Answer<Vec<TextEdit>> {
    format::format(&*snapshot.open(&parameters.text_document.uri)?)
}

pub(crate) fn semantic_tokens(snapshot: &Snapshot, parameters: SemanticTokensParams) -> Answer<SemanticTokensResult> {
    let document = snapshot.open(&parameters.text_document.uri)?;
    let data = tokens::tokens(&document, 0..document.text.len());
    Ok(Some(SemanticTokensResult::Tokens(SemanticTokens { result_id: None, data })))
}

pub(crate) fn semantic_tokens_in_range(
    snapshot: &Snapshot,
    parameters: SemanticTokensRangeParams,
) -> Answer<SemanticTokensRangeResult> {
    let document = snapshot.open(&parameters.text_document.uri)?;
    let data = tokens::tokens(&document, document.lines.span(&document.text, parameters.range));
    Ok(Some(SemanticTokensRangeResult::Tokens(SemanticTokens { result_id: None, data })))
}

pub(crate) fn inlay_hints(snapshot: &Snapshot, parameters: InlayHintParams) -> Answer<Vec<InlayHint>> {
    let document = snapshot.open(&parameters.text_document.uri)?;
    Ok(Some(if document.language.is_code() {
        code::hints::hints(snapshot, &document, parameters.range)
    } else {
        data::hints::hints(snapshot, &document, parameters.range)
    }))
}

pub(crate) fn code_lenses(snapshot: &Snapshot, parameters: CodeLensParams) -> Answer<Vec<CodeLens>> {
    let document = snapshot.open(&parameters.text_document.uri)?;
    Ok(Some(data::lens::lenses(snapshot, &document)))
}

pub(crate) fn code_actions(snapshot: &Snapshot, parameters: CodeActionParams) -> Answer<CodeActionResponse> {
    let document = snapshot.open(&parameters.text_document.uri)?;
    let actions = actions::actions(snapshot, &document, &parameters);
    Ok(Some(actions.into_iter().map(CodeActionOrCommand::CodeAction).collect()))
}

pub(crate) fn resolve_code_action(snapshot: &Snapshot, action: CodeAction) -> Result<CodeAction, ResponseError> {
    data::moves::resolve(snapshot, action)
}
