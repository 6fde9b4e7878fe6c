//! [`answer`]: which request is answered where.

use hieratic_diagnostics::Span;
use lsp_server::{ErrorCode, ResponseError};
use lsp_types::{
    CodeActionOrCommand, CodeActionParams, CompletionList, CompletionParams, CompletionResponse,
    DocumentFormattingParams, DocumentSymbolResponse, FoldingRangeParams, GotoDefinitionParams, GotoDefinitionResponse,
    Hover, HoverContents, HoverParams, InlayHintParams, MarkupContent, MarkupKind, ReferenceParams, RenameParams,
    SelectionRangeParams, SemanticTokens, SemanticTokensParams, SemanticTokensRangeParams, SignatureHelpParams,
    TextDocumentIdentifier, TextDocumentPositionParams, Url, WorkspaceSymbolParams,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::client::{error_response, failed};
use crate::document::{Document, Language};
use crate::global_state::GlobalState;
use crate::server::read;
use crate::snapshot::Snapshot;
use crate::{
    actions, code, configuration, data, directives, folding, format, jobs, links, rename, symbols, templates, tokens,
};

/// Requests about a document as a whole.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DocumentRequest {
    text_document: TextDocumentIdentifier,
}

/// The answer to a request.
pub(crate) fn answer(
    snapshot: &Snapshot,
    global: &GlobalState,
    method: &str,
    parameters: Value,
) -> Result<Value, ResponseError> {
    match method {
        "textDocument/hover" => {
            let parameters: HoverParams = read(parameters)?;
            let at = parameters.text_document_position_params;
            let document = snapshot.open(&at.text_document.uri)?;
            to_response(hover(snapshot, &document, document.offset(at.position)).map(|(text, span)| Hover {
                contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: text }),
                range: Some(document.range(span)),
            }))
        }
        "textDocument/completion" => {
            let parameters: CompletionParams = read(parameters)?;
            let at = parameters.text_document_position;
            let document = snapshot.open(&at.text_document.uri)?;
            let (items, is_incomplete) = complete(snapshot, &document, document.offset(at.position));
            to_response(CompletionResponse::List(CompletionList { is_incomplete, items }))
        }
        "textDocument/signatureHelp" => {
            let parameters: SignatureHelpParams = read(parameters)?;
            let at = parameters.text_document_position_params;
            let document = snapshot.open(&at.text_document.uri)?;
            let help = document.language.is_code();
            to_response(
                help.then(|| code::signature::help(snapshot, &document, document.offset(at.position))).flatten(),
            )
        }
        "textDocument/definition" => {
            let parameters: GotoDefinitionParams = read(parameters)?;
            let at = parameters.text_document_position_params;
            let document = snapshot.open(&at.text_document.uri)?;
            let found = definition(snapshot, &document, document.offset(at.position));
            to_response(found.map(GotoDefinitionResponse::Array))
        }
        "textDocument/references" => {
            let parameters: ReferenceParams = read(parameters)?;
            let at = parameters.text_document_position;
            let document = snapshot.open(&at.text_document.uri)?;
            let offset = document.offset(at.position);
            to_response(references(snapshot, &document, offset, parameters.context.include_declaration)?)
        }
        "textDocument/prepareRename" => {
            let parameters: TextDocumentPositionParams = read(parameters)?;
            let document = snapshot.open(&parameters.text_document.uri)?;
            to_response(rename::prepare(snapshot, &document, document.offset(parameters.position))?)
        }
        "textDocument/rename" => {
            let parameters: RenameParams = read(parameters)?;
            let at = parameters.text_document_position;
            let document = snapshot.open(&at.text_document.uri)?;
            to_response(rename::rename(snapshot, &document, document.offset(at.position), &parameters.new_name)?)
        }
        "textDocument/documentHighlight" => {
            let parameters: HoverParams = read(parameters)?;
            let at = parameters.text_document_position_params;
            let document = snapshot.open(&at.text_document.uri)?;
            let offset = document.offset(at.position);
            to_response(match document.language {
                Language::Manifest | Language::Epp => code::references::highlights(&document, offset),
                Language::Jinja | Language::Erb => templates::highlights(&document, offset),
                _ => data::highlights::highlights(&document, offset),
            })
        }
        "textDocument/documentSymbol" => {
            let document = read_document(snapshot, parameters)?;
            to_response(DocumentSymbolResponse::Nested(symbols::document_symbols(&document)))
        }
        "workspace/symbol" => {
            let parameters: WorkspaceSymbolParams = read(parameters)?;
            to_response(symbols::workspace_symbols(snapshot, &parameters.query)?)
        }
        "textDocument/foldingRange" => {
            let parameters: FoldingRangeParams = read(parameters)?;
            to_response(folding::folds(&*snapshot.open(&parameters.text_document.uri)?))
        }
        "textDocument/selectionRange" => {
            let parameters: SelectionRangeParams = read(parameters)?;
            let document = snapshot.open(&parameters.text_document.uri)?;
            let ranges = parameters.positions.iter().map(|position| folding::selection(&document, *position));
            to_response(ranges.collect::<Vec<_>>())
        }
        "textDocument/documentLink" => {
            let document = read_document(snapshot, parameters)?;
            to_response(links::links(snapshot, &document))
        }
        "textDocument/formatting" => {
            let parameters: DocumentFormattingParams = read(parameters)?;
            to_response(format::format(&*snapshot.open(&parameters.text_document.uri)?)?)
        }
        "textDocument/semanticTokens/full" => {
            let parameters: SemanticTokensParams = read(parameters)?;
            let document = snapshot.open(&parameters.text_document.uri)?;
            let data = tokens::tokens(&document, 0..document.text.len());
            to_response(SemanticTokens { result_id: None, data })
        }
        "textDocument/semanticTokens/range" => {
            let parameters: SemanticTokensRangeParams = read(parameters)?;
            let document = snapshot.open(&parameters.text_document.uri)?;
            let data = tokens::tokens(&document, document.lines.span(&document.text, parameters.range));
            to_response(SemanticTokens { result_id: None, data })
        }
        "textDocument/inlayHint" => {
            let parameters: InlayHintParams = read(parameters)?;
            let document = snapshot.open(&parameters.text_document.uri)?;
            to_response(match document.language.is_code() {
                true => code::hints::hints(snapshot, &document, parameters.range),
                false => data::hints::hints(snapshot, &document, parameters.range),
            })
        }
        "textDocument/codeLens" => {
            let document = read_document(snapshot, parameters)?;
            to_response(data::lens::lenses(snapshot, &document))
        }
        "textDocument/codeAction" => {
            let parameters: CodeActionParams = read(parameters)?;
            let document = snapshot.open(&parameters.text_document.uri)?;
            let found = actions::actions(snapshot, global, &document, &parameters);
            to_response(found.into_iter().map(CodeActionOrCommand::CodeAction).collect::<Vec<_>>())
        }
        "codeAction/resolve" => to_response(data::moves::resolve(snapshot, read(parameters)?)?),
        "workspace/executeCommand" => command(snapshot, global, &parameters),
        "hieratic/settled" => {
            // A request for tests and measurements: it is answered when no check is pending.
            while !global.is_idle() {
                snapshot.check_cancelled()?;
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            Ok(Value::Null)
        }
        "hieratic/expand" => {
            let document = read_document(snapshot, parameters)?;
            directives::expanded_text(snapshot, &document).map(Value::from)
        }
        _ => Err(error_response(ErrorCode::MethodNotFound, format!("{method} is not answered"))),
    }
}

fn to_response(answer: impl Serialize) -> Result<Value, ResponseError> {
    serde_json::to_value(answer).map_err(|error| error_response(ErrorCode::InternalError, error.to_string()))
}

fn read_document(snapshot: &Snapshot, parameters: Value) -> Result<std::sync::Arc<Document>, ResponseError> {
    let parameters: DocumentRequest = read(parameters)?;
    snapshot.open(&parameters.text_document.uri)
}

/// Runs a command.
fn command(snapshot: &Snapshot, global: &GlobalState, parameters: &Value) -> Result<Value, ResponseError> {
    let first = &parameters["arguments"][0];
    let uri = || {
        let text = first
            .as_str()
            .ok_or_else(|| error_response(ErrorCode::InvalidParams, "the argument is the address of a file"))?;
        Url::parse(text).map_err(|error| error_response(ErrorCode::InvalidParams, error.to_string()))
    };
    match parameters["command"].as_str() {
        Some("hieratic.expand") => {
            let document = snapshot.open(&uri()?)?;
            directives::expanded_text(snapshot, &document).map(Value::from)
        }
        Some(data::secrets::DECRYPT) => {
            let document = snapshot.open(&uri()?)?;
            let position = read(parameters["arguments"][1].clone())?;
            let plain = data::secrets::decrypted(snapshot, &document, document.offset(position))?;
            // Shown in a window, which no editor keeps in a file.
            global.client.show_info(plain);
            Ok(Value::Null)
        }
        Some("hieratic.why") => {
            let document = snapshot.open(&uri()?)?;
            let key = parameters["arguments"][1].as_str();
            let key = key.ok_or_else(|| error_response(ErrorCode::InvalidParams, "the second argument is a key"))?;
            let view =
                snapshot.view_of(&document.path).ok_or_else(|| failed("the file is not in a control repository"))?;
            let file = view.file(&document.path).cloned();
            let node = snapshot.node_for(view, file.as_deref());
            Ok(json!(data::hover::key_hover(snapshot, view, node.as_ref(), key)))
        }
        Some(other) => Err(error_response(ErrorCode::InvalidParams, format!("unknown command {other}"))),
        None => Err(error_response(ErrorCode::InvalidParams, "a command has a name")),
    }
}

fn hover(snapshot: &Snapshot, document: &Document, offset: usize) -> Option<(String, Span)> {
    match document.language {
        Language::Manifest | Language::Epp => code::hover::hover(snapshot, document, offset),
        Language::Hcl if jobs::is_job(document) => jobs::hover(snapshot, document, offset),
        Language::Hcl | Language::Hocon => data::hover::hover(snapshot, document, offset),
        Language::Jinja => templates::jinja::hover(document, offset),
        Language::Erb => templates::erb::hover(snapshot, document, offset),
        Language::Yaml if configuration::is(document) => configuration::hover(snapshot, document, offset),
        Language::Yaml | Language::Json => {
            let directive = directives::has_directives(document);
            let found = directive.then(|| directives::hover(snapshot, document, offset)).flatten();
            found.or_else(|| data::hover::hover(snapshot, document, offset))
        }
        _ => None,
    }
}

fn complete(snapshot: &Snapshot, document: &Document, offset: usize) -> (Vec<lsp_types::CompletionItem>, bool) {
    match document.language {
        Language::Manifest | Language::Epp => code::complete::complete(snapshot, document, offset),
        Language::Hcl => (jobs::complete(snapshot, document, offset), false),
        Language::Hocon => data::complete::complete(snapshot, document, offset),
        Language::Jinja => (templates::jinja::complete(document, offset), false),
        Language::Erb => (templates::erb::complete(snapshot, document, offset), false),
        Language::Yaml if configuration::is(document) => (configuration::complete(snapshot, document, offset), false),
        Language::Yaml | Language::Json => match directives::complete(document, offset) {
            Some(found) => (found, false),
            None => data::complete::complete(snapshot, document, offset),
        },
        _ => (Vec::new(), false),
    }
}

fn definition(snapshot: &Snapshot, document: &Document, offset: usize) -> Option<Vec<lsp_types::Location>> {
    match document.language {
        Language::Manifest | Language::Epp => code::define::definition(snapshot, document, offset),
        Language::Hcl if jobs::definition(document, offset).is_some() => jobs::definition(document, offset),
        Language::Hcl | Language::Hocon => data::define::definition(snapshot, document, offset),
        Language::Jinja => templates::jinja::definition(snapshot, document, offset),
        Language::Erb => templates::erb::definition(snapshot, document, offset),
        Language::Yaml | Language::Json => {
            let directive = directives::has_directives(document);
            let found = directive.then(|| directives::definition(snapshot, document, offset)).flatten();
            found.or_else(|| data::define::definition(snapshot, document, offset))
        }
        _ => None,
    }
}

fn references(
    snapshot: &Snapshot,
    document: &Document,
    offset: usize,
    declaration: bool,
) -> Result<Option<Vec<lsp_types::Location>>, ResponseError> {
    match document.language {
        Language::Manifest | Language::Epp => code::references::references(snapshot, document, offset, declaration),
        Language::Hcl if jobs::references(document, offset).is_some() => Ok(jobs::references(document, offset)),
        Language::Jinja => Ok(templates::same_names(document, offset).map(|found| {
            let place = |span: Span| lsp_types::Location { uri: document.uri.clone(), range: document.range(span) };
            found.into_iter().map(place).collect()
        })),
        Language::Erb => Ok(templates::erb::references(snapshot, document, offset, declaration)),
        Language::Yaml | Language::Json | Language::Hocon | Language::Hcl => {
            let Some(key) = data::define::key_at(document, offset) else { return Ok(None) };
            let Some((view, _)) = snapshot.data_of(&document.path) else { return Ok(None) };
            let Some(analysis) = snapshot.analysis_of(&document.path) else { return Ok(None) };
            data::define::references(snapshot, view, analysis, &key, declaration).map(Some)
        }
        _ => Ok(None),
    }
}
