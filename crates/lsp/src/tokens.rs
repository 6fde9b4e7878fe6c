//! Semantic tokens: what words are, for editors that color them.

use hieratic_hiera::inspect::interpolations;
use hieratic_syntax::TokenKind;
use lsp_types::SemanticToken;
use serde_json::{Value, json};

use crate::code::thing::{Thing, Words};
use crate::document::{Document, Language};
use crate::keys::{Name, Value as Data};

/// The kinds of tokens, in the order of their numbers.
const KINDS: [&str; 15] = [
    "keyword",
    "class",
    "struct",
    "function",
    "type",
    "property",
    "variable",
    "parameter",
    "string",
    "number",
    "regexp",
    "comment",
    "macro",
    "operator",
    "enumMember",
];

const KEYWORD: usize = 0;
const CLASS: usize = 1;
const STRUCT: usize = 2;
const FUNCTION: usize = 3;
const TYPE: usize = 4;
const PROPERTY: usize = 5;
const VARIABLE: usize = 6;
const PARAMETER: usize = 7;
const STRING: usize = 8;
const NUMBER: usize = 9;
const REGEXP: usize = 10;
const COMMENT: usize = 11;
const MACRO: usize = 12;

/// What the numbers of kinds mean.
pub(crate) fn legend() -> Value {
    json!({"tokenTypes": KINDS, "tokenModifiers": []})
}

/// The tokens of a part of a document.
pub(crate) fn tokens(document: &Document, within: std::ops::Range<usize>) -> Vec<SemanticToken> {
    let mut found: Vec<(usize, usize, usize)> = match document.language {
        Language::Manifest | Language::Epp => code(document),
        Language::Yaml | Language::Json => data(document),
        Language::Hcl => blocks(document),
        _ => Vec::new(),
    };
    found.retain(|(start, end, _)| *start < within.end && *end > within.start);
    found.sort_unstable();
    encode(document, &found)
}

fn code(document: &Document) -> Vec<(usize, usize, usize)> {
    let words = Words::of(document);
    let comments = document.tokens().iter().filter(|token| token.kind == TokenKind::Comment);
    let mut found: Vec<(usize, usize, usize)> =
        comments.map(|token| (token.span.start as usize, token.span.end as usize, COMMENT)).collect();
    for index in 0..words.len() {
        let kind = match words.kind(index) {
            Some(TokenKind::Keyword) => match words.text(index + 1) {
                "=>" | "+>" => PROPERTY,
                _ => KEYWORD,
            },
            Some(TokenKind::TypeName) => TYPE,
            Some(TokenKind::Number) => NUMBER,
            Some(TokenKind::Variable) => VARIABLE,
            Some(TokenKind::String | TokenKind::StringPart | TokenKind::Heredoc) => STRING,
            Some(TokenKind::Regexp) => REGEXP,
            Some(TokenKind::Name) => match words.thing(index) {
                Some(Thing::Class(_)) => CLASS,
                Some(Thing::ResourceType(_)) => STRUCT,
                Some(Thing::Function(_)) => FUNCTION,
                Some(Thing::Attribute { .. }) => PROPERTY,
                _ if matches!(words.text(index + 1), "=>" | "+>") => PROPERTY,
                _ => continue,
            },
            _ => continue,
        };
        let span = words.extent(index);
        found.push((span.start, span.end, kind));
    }
    found
}

fn data(document: &Document) -> Vec<(usize, usize, usize)> {
    let mut found = Vec::new();
    for node in document.keys().nodes() {
        if let Name::Key(key, span) = &node.name {
            let is_parameter = key.contains("::");
            found.push((span.start, span.end, if is_parameter { PARAMETER } else { PROPERTY }));
        }
        let text = document.slice(node.span.start, node.span.end);
        if matches!(node.value, Data::Scalar(..)) && text.contains("%{") {
            for one in interpolations(text) {
                found.push((node.span.start + one.range.start, node.span.start + one.range.end, MACRO));
            }
        }
    }
    found
}

fn blocks(document: &Document) -> Vec<(usize, usize, usize)> {
    let mut found = Vec::new();
    let mut open = vec![&document.hcl().tree];
    while let Some(body) = open.pop() {
        for attribute in body.attributes() {
            found.push((attribute.name_span.start as usize, attribute.name_span.end as usize, PROPERTY));
        }
        for block in &body.blocks {
            found.push((block.kind_span.start as usize, block.kind_span.end as usize, TYPE));
            open.push(&block.body);
        }
    }
    found
}

/// Tokens as the protocol has them: each from the one before, none over several lines.
fn encode(document: &Document, found: &[(usize, usize, usize)]) -> Vec<SemanticToken> {
    let mut encoded = Vec::with_capacity(found.len());
    let (mut last_line, mut last_start) = (0, 0);
    let mut behind = 0;
    for (start, end, kind) in found {
        let (mut start, end) = (*start.max(&behind), *end);
        while start < end {
            let line = document.lines.line_of(start);
            let content = document.lines.line(&document.text, line);
            let stop = end.min(content.end);
            if stop > start {
                let position = document.lines.position(&document.text, start);
                let delta_line = position.line - last_line;
                let delta_start = if delta_line == 0 { position.character - last_start } else { position.character };
                encoded.push(SemanticToken {
                    delta_line,
                    delta_start,
                    length: document.lines.units(document.slice(start, stop)),
                    token_type: u32::try_from(*kind).unwrap_or(0),
                    token_modifiers_bitset: 0,
                });
                (last_line, last_start) = (position.line, position.character);
            }
            let next = document.lines.line(&document.text, line + 1).start;
            start = next.max(stop).max(start + 1);
        }
        behind = behind.max(end);
    }
    encoded
}
