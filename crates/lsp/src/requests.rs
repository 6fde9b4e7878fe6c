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

use crate::client::{failed, unanswered};
use crate::document::{Document, Language};
use crate::hub::Hub;
use crate::server::read;
use crate::world::World;
use crate::{
    actions, code, configuration, data, directives, folding, format, jobs, links, rename, symbols, templates, tokens,
};

/// Requests about a document as a whole.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OfDocument {
    text_document: TextDocumentIdentifier,
}

/// The answer to a request.
pub(crate) fn answer(world: &World, hub: &Hub, method: &str, parameters: Value) -> Result<Value, ResponseError> {
    match method {
        "textDocument/hover" => {
            let asked: HoverParams = read(parameters)?;
            let at = asked.text_document_position_params;
            let document = world.open(&at.text_document.uri)?;
            told(hover(world, &document, document.offset(at.position)).map(|(text, span)| Hover {
                contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: text }),
                range: Some(document.range(span)),
            }))
        }
        "textDocument/completion" => {
            let asked: CompletionParams = read(parameters)?;
            let at = asked.text_document_position;
            let document = world.open(&at.text_document.uri)?;
            let (items, is_incomplete) = complete(world, &document, document.offset(at.position));
            told(CompletionResponse::List(CompletionList { is_incomplete, items }))
        }
        "textDocument/signatureHelp" => {
            let asked: SignatureHelpParams = read(parameters)?;
            let at = asked.text_document_position_params;
            let document = world.open(&at.text_document.uri)?;
            let help = document.language.is_code();
            told(help.then(|| code::signature::help(world, &document, document.offset(at.position))).flatten())
        }
        "textDocument/definition" => {
            let asked: GotoDefinitionParams = read(parameters)?;
            let at = asked.text_document_position_params;
            let document = world.open(&at.text_document.uri)?;
            let found = definition(world, &document, document.offset(at.position));
            told(found.map(GotoDefinitionResponse::Array))
        }
        "textDocument/references" => {
            let asked: ReferenceParams = read(parameters)?;
            let at = asked.text_document_position;
            let document = world.open(&at.text_document.uri)?;
            let offset = document.offset(at.position);
            told(references(world, &document, offset, asked.context.include_declaration)?)
        }
        "textDocument/prepareRename" => {
            let asked: TextDocumentPositionParams = read(parameters)?;
            let document = world.open(&asked.text_document.uri)?;
            told(rename::prepare(world, &document, document.offset(asked.position))?)
        }
        "textDocument/rename" => {
            let asked: RenameParams = read(parameters)?;
            let at = asked.text_document_position;
            let document = world.open(&at.text_document.uri)?;
            told(rename::rename(world, &document, document.offset(at.position), &asked.new_name)?)
        }
        "textDocument/documentHighlight" => {
            let asked: HoverParams = read(parameters)?;
            let at = asked.text_document_position_params;
            let document = world.open(&at.text_document.uri)?;
            let offset = document.offset(at.position);
            told(match document.language {
                Language::Manifest | Language::Epp => code::references::highlights(&document, offset),
                Language::Jinja | Language::Erb => templates::highlights(&document, offset),
                _ => data::highlights::highlights(&document, offset),
            })
        }
        "textDocument/documentSymbol" => {
            let document = of_document(world, parameters)?;
            told(DocumentSymbolResponse::Nested(symbols::of_document(&document)))
        }
        "workspace/symbol" => {
            let asked: WorkspaceSymbolParams = read(parameters)?;
            told(symbols::of_workspace(world, &asked.query)?)
        }
        "textDocument/foldingRange" => {
            let asked: FoldingRangeParams = read(parameters)?;
            told(folding::folds(&*world.open(&asked.text_document.uri)?))
        }
        "textDocument/selectionRange" => {
            let asked: SelectionRangeParams = read(parameters)?;
            let document = world.open(&asked.text_document.uri)?;
            let ranges = asked.positions.iter().map(|position| folding::selection(&document, *position));
            told(ranges.collect::<Vec<_>>())
        }
        "textDocument/documentLink" => {
            let document = of_document(world, parameters)?;
            told(links::links(world, &document))
        }
        "textDocument/formatting" => {
            let asked: DocumentFormattingParams = read(parameters)?;
            told(format::format(&*world.open(&asked.text_document.uri)?)?)
        }
        "textDocument/semanticTokens/full" => {
            let asked: SemanticTokensParams = read(parameters)?;
            let document = world.open(&asked.text_document.uri)?;
            let data = tokens::tokens(&document, 0..document.text.len());
            told(SemanticTokens { result_id: None, data })
        }
        "textDocument/semanticTokens/range" => {
            let asked: SemanticTokensRangeParams = read(parameters)?;
            let document = world.open(&asked.text_document.uri)?;
            let data = tokens::tokens(&document, document.lines.span(&document.text, asked.range));
            told(SemanticTokens { result_id: None, data })
        }
        "textDocument/inlayHint" => {
            let asked: InlayHintParams = read(parameters)?;
            let document = world.open(&asked.text_document.uri)?;
            told(match document.language.is_code() {
                true => code::hints::hints(world, &document, asked.range),
                false => data::hints::hints(world, &document, asked.range),
            })
        }
        "textDocument/codeLens" => {
            let document = of_document(world, parameters)?;
            told(data::lens::lenses(world, &document))
        }
        "textDocument/codeAction" => {
            let asked: CodeActionParams = read(parameters)?;
            let document = world.open(&asked.text_document.uri)?;
            let found = actions::actions(world, hub, &document, &asked);
            told(found.into_iter().map(CodeActionOrCommand::CodeAction).collect::<Vec<_>>())
        }
        "codeAction/resolve" => told(data::moves::resolved(world, read(parameters)?)?),
        "workspace/executeCommand" => command(world, hub, &parameters),
        "hieratic/settled" => {
            // For tests and measurements: the answer comes when there is nothing to check any more.
            while !hub.is_idle() {
                world.go_on()?;
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            Ok(Value::Null)
        }
        "hieratic/expand" => {
            let document = of_document(world, parameters)?;
            directives::expanded_text(world, &document).map(Value::from)
        }
        _ => Err(unanswered(ErrorCode::MethodNotFound, format!("{method} is not answered"))),
    }
}

fn told(answer: impl Serialize) -> Result<Value, ResponseError> {
    serde_json::to_value(answer).map_err(|error| unanswered(ErrorCode::InternalError, error.to_string()))
}

fn of_document(world: &World, parameters: Value) -> Result<std::sync::Arc<Document>, ResponseError> {
    let asked: OfDocument = read(parameters)?;
    world.open(&asked.text_document.uri)
}

/// Runs a command.
fn command(world: &World, hub: &Hub, parameters: &Value) -> Result<Value, ResponseError> {
    let first = &parameters["arguments"][0];
    let uri = || {
        let text = first
            .as_str()
            .ok_or_else(|| unanswered(ErrorCode::InvalidParams, "the argument is the address of a file"))?;
        Url::parse(text).map_err(|error| unanswered(ErrorCode::InvalidParams, error.to_string()))
    };
    match parameters["command"].as_str() {
        Some("hieratic.expand") => {
            let document = world.open(&uri()?)?;
            directives::expanded_text(world, &document).map(Value::from)
        }
        Some(data::secrets::DECRYPT) => {
            let document = world.open(&uri()?)?;
            let position = read(parameters["arguments"][1].clone())?;
            let plain = data::secrets::decrypted(world, &document, document.offset(position))?;
            // Shown in a window, which no editor keeps in a file.
            hub.client.tell(plain);
            Ok(Value::Null)
        }
        Some("hieratic.why") => {
            let document = world.open(&uri()?)?;
            let key = parameters["arguments"][1].as_str();
            let key = key.ok_or_else(|| unanswered(ErrorCode::InvalidParams, "the second argument is a key"))?;
            let view = world.view_of(&document.path).ok_or_else(|| failed("the file is in no control repository"))?;
            let file = view.file(&document.path).cloned();
            let asked = world.node_for(view, file.as_deref());
            Ok(json!(data::hover::of_key(world, view, asked.as_ref(), key)))
        }
        Some(other) => Err(unanswered(ErrorCode::InvalidParams, format!("there is no command {other}"))),
        None => Err(unanswered(ErrorCode::InvalidParams, "a command has a name")),
    }
}

fn hover(world: &World, document: &Document, offset: usize) -> Option<(String, Span)> {
    match document.language {
        Language::Manifest | Language::Epp => code::hover::hover(world, document, offset),
        Language::Hcl if jobs::is_job(document) => jobs::hover(world, document, offset),
        Language::Hcl | Language::Hocon => data::hover::hover(world, document, offset),
        Language::Jinja => templates::jinja::hover(document, offset),
        Language::Erb => templates::erb::hover(world, document, offset),
        Language::Yaml if configuration::is(document) => configuration::hover(world, document, offset),
        Language::Yaml | Language::Json => {
            let directive = directives::has_directives(document);
            let found = directive.then(|| directives::hover(world, document, offset)).flatten();
            found.or_else(|| data::hover::hover(world, document, offset))
        }
        _ => None,
    }
}

fn complete(world: &World, document: &Document, offset: usize) -> (Vec<lsp_types::CompletionItem>, bool) {
    match document.language {
        Language::Manifest | Language::Epp => code::complete::complete(world, document, offset),
        Language::Hcl => (jobs::complete(world, document, offset), false),
        Language::Hocon => data::complete::complete(world, document, offset),
        Language::Jinja => (templates::jinja::complete(document, offset), false),
        Language::Erb => (templates::erb::complete(world, document, offset), false),
        Language::Yaml if configuration::is(document) => (configuration::complete(world, document, offset), false),
        Language::Yaml | Language::Json => match directives::complete(document, offset) {
            Some(found) => (found, false),
            None => data::complete::complete(world, document, offset),
        },
        _ => (Vec::new(), false),
    }
}

fn definition(world: &World, document: &Document, offset: usize) -> Option<Vec<lsp_types::Location>> {
    match document.language {
        Language::Manifest | Language::Epp => code::define::definition(world, document, offset),
        Language::Hcl if jobs::definition(document, offset).is_some() => jobs::definition(document, offset),
        Language::Hcl | Language::Hocon => data::define::definition(world, document, offset),
        Language::Jinja => templates::jinja::definition(world, document, offset),
        Language::Erb => templates::erb::definition(world, document, offset),
        Language::Yaml | Language::Json => {
            let directive = directives::has_directives(document);
            let found = directive.then(|| directives::definition(world, document, offset)).flatten();
            found.or_else(|| data::define::definition(world, document, offset))
        }
        _ => None,
    }
}

fn references(
    world: &World,
    document: &Document,
    offset: usize,
    declaration: bool,
) -> Result<Option<Vec<lsp_types::Location>>, ResponseError> {
    match document.language {
        Language::Manifest | Language::Epp => code::references::references(world, document, offset, declaration),
        Language::Hcl if jobs::references(document, offset).is_some() => Ok(jobs::references(document, offset)),
        Language::Jinja => Ok(templates::same_names(document, offset).map(|found| {
            let place = |span: Span| lsp_types::Location { uri: document.uri.clone(), range: document.range(span) };
            found.into_iter().map(place).collect()
        })),
        Language::Erb => Ok(templates::erb::references(world, document, offset, declaration)),
        Language::Yaml | Language::Json | Language::Hocon | Language::Hcl => {
            let Some(key) = data::define::key_at(document, offset) else { return Ok(None) };
            let Some((view, _)) = world.data_of(&document.path) else { return Ok(None) };
            let Some(analysis) = world.analysis_of(&document.path) else { return Ok(None) };
            data::define::references(world, view, analysis, &key, declaration).map(Some)
        }
        _ => Ok(None),
    }
}
