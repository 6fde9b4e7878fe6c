//! Semantic tokens, for syntax highlighting.

use hieratic::hiera::inspect::interpolations;
use hieratic::hocon::{WordKind, words};
use hieratic_hcl_syntax::Span;
use hieratic_hcl_syntax::ast::{Expression, Step};
use hieratic_puppet_syntax::TokenKind;
use lsp_types::SemanticToken;
use serde_json::{Value, json};

use crate::code::symbol_at::{CodeWords, Symbol};
use crate::document::{Document, Language};
use crate::keys::{Name, Value as Data};
use crate::templates::jinja::{HighlightKind, colored};
use crate::templates::lexer::{TagKind, WordKind as Word};

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

/// Words that Ruby keeps for itself.
const RUBY: [&str; 33] = [
    "alias", "and", "begin", "break", "case", "class", "def", "defined?", "do", "else", "elsif", "end", "ensure",
    "false", "for", "if", "in", "module", "next", "nil", "not", "or", "redo", "rescue", "return", "self", "then",
    "true", "unless", "until", "when", "while", "yield",
];

/// Returns the names of token types, in the order of their indexes.
pub(crate) fn legend() -> Value {
    json!({"tokenTypes": KINDS, "tokenModifiers": []})
}

/// The tokens of a part of a document.
pub(crate) fn tokens(document: &Document, within: std::ops::Range<usize>) -> Vec<SemanticToken> {
    let mut found: Vec<(usize, usize, usize)> = match document.language {
        Language::Manifest | Language::Epp => code(document),
        Language::Yaml | Language::Json => data(document),
        Language::Hocon => hocon(document),
        Language::Hcl => blocks(document),
        Language::Jinja | Language::Erb => tags(document),
        Language::Other => Vec::new(),
    };
    found.retain(|(start, end, _)| *start < within.end && *end > within.start);
    found.sort_unstable();
    encode(document, &found)
}

fn code(document: &Document) -> Vec<(usize, usize, usize)> {
    let words = CodeWords::new(document);
    let comments = document.tokens().iter().filter(|token| token.kind == TokenKind::Comment);
    let mut found: Vec<(usize, usize, usize)> =
        comments.map(|token| (token.span.first(), token.span.behind(), COMMENT)).collect();
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
            Some(TokenKind::Name) => match words.symbol(index) {
                Some(Symbol::Class(_)) => CLASS,
                Some(Symbol::ResourceType(_)) => STRUCT,
                Some(Symbol::Function(_)) => FUNCTION,
                Some(Symbol::Attribute { .. }) => PROPERTY,
                _ if matches!(words.text(index + 1), "=>" | "+>") => PROPERTY,
                _ => continue,
            },
            _ => continue,
        };
        let span = words.extent(index);
        found.push((span.first(), span.behind(), kind));
    }
    found
}

fn data(document: &Document) -> Vec<(usize, usize, usize)> {
    let mut found = Vec::new();
    for node in document.keys().nodes() {
        if let Name::Key(key, span) = &node.name {
            let is_parameter = key.contains("::");
            found.push((span.first(), span.behind(), if is_parameter { PARAMETER } else { PROPERTY }));
        }
        let text = document.slice(node.span);
        if matches!(node.value, Data::Scalar(..)) && text.contains("%{") {
            found.extend(inserted(text, node.span.first()));
        }
    }
    found
}

/// Returns the interpolations of a string that starts at an offset.
fn inserted(text: &str, start: usize) -> Vec<(usize, usize, usize)> {
    let all = interpolations(text).into_iter();
    all.map(|one| (start + one.range.start, start + one.range.end, MACRO)).collect()
}

/// Returns the tokens of HOCON, which few editors highlight.
fn hocon(document: &Document) -> Vec<(usize, usize, usize)> {
    let mut found = data(document);
    found.retain(|(.., kind)| *kind != MACRO);
    found.sort_unstable();
    let mut colored = Vec::new();
    for word in words(&document.text) {
        let kind = match word.kind {
            WordKind::Comment => COMMENT,
            WordKind::Quoted | WordKind::Text => STRING,
            WordKind::Number => NUMBER,
            WordKind::Literal => KEYWORD,
            WordKind::Substitution => MACRO,
            _ => continue,
        };
        let (start, end) = (word.span.start, word.span.end);
        // The words of keys are colored as keys.
        let before = found.partition_point(|(start, ..)| *start < end);
        if before.checked_sub(1).and_then(|at| found.get(at)).is_some_and(|(_, key_end, _)| *key_end > start) {
            continue;
        }
        colored.extend(around(&document.text, start, end, kind));
    }
    found.extend(colored);
    found
}

/// Returns the tokens of a part of a string, split at its interpolations.
fn around(text: &str, start: usize, end: usize, kind: usize) -> Vec<(usize, usize, usize)> {
    let written = text.get(start..end).unwrap_or_default();
    let mut found = Vec::new();
    let mut from = start;
    if kind == STRING && written.contains("%{") {
        for one in inserted(written, start) {
            found.extend([(from, one.0, kind), one]);
            from = one.1;
        }
    }
    found.push((from, end, kind));
    found.retain(|(start, end, _)| start < end);
    found
}

/// The words in the tags of a template.
fn tags(document: &Document) -> Vec<(usize, usize, usize)> {
    let text = &*document.text;
    let template = document.template();
    let mut found: Vec<(usize, usize, usize)> = Vec::new();
    for tag in template.tags.iter().filter(|tag| tag.kind == TagKind::Comment) {
        found.push((tag.span.first(), tag.span.behind(), COMMENT));
    }
    for (tag, index, word) in template.words() {
        let kind = match word.kind {
            Word::String => STRING,
            Word::Number => NUMBER,
            Word::Comment => COMMENT,
            Word::Sign => continue,
            Word::Name if document.language == Language::Erb => match tag.text(text, index) {
                name if RUBY.contains(&name) => KEYWORD,
                name if name.starts_with(['@', '$']) => VARIABLE,
                name if name.starts_with(':') || tag.text(text, index + 1) == ":" => PROPERTY,
                _ if tag.before(text, index) == "." => FUNCTION,
                name if name.starts_with(char::is_uppercase) => CLASS,
                _ => VARIABLE,
            },
            Word::Name => match colored(tag, text, index) {
                HighlightKind::Keyword => KEYWORD,
                HighlightKind::Function => FUNCTION,
                HighlightKind::Variable => VARIABLE,
                HighlightKind::Property => PROPERTY,
            },
        };
        found.push((word.start, word.end, kind));
    }
    found
}

fn blocks(document: &Document) -> Vec<(usize, usize, usize)> {
    let mut found = Vec::new();
    let mut open = vec![&document.hcl().tree];
    while let Some(body) = open.pop() {
        for attribute in body.attributes() {
            found.push((attribute.name_span.first(), attribute.name_span.behind(), PROPERTY));
            expression(document, &attribute.expression, &mut found);
        }
        for block in &body.blocks {
            found.push((block.kind_span.first(), block.kind_span.behind(), TYPE));
            open.push(&block.body);
        }
    }
    let comments = hieratic_hcl_syntax::comments(document.text.as_bytes()).into_iter();
    found.extend(comments.map(|span| (span.first(), span.behind(), COMMENT)));
    found
}

/// Collects the tokens of an HCL expression.
fn expression(document: &Document, whole: &Expression, found: &mut Vec<(usize, usize, usize)>) {
    let mut open = vec![whole];
    let mut add = |span: Span, kind: usize| {
        let (start, end) = (span.first(), span.behind());
        match kind {
            STRING => found.extend(around(&document.text, start, end, kind)),
            _ => found.push((start, end, kind)),
        }
    };
    while let Some(expression) = open.pop() {
        match expression {
            Expression::Literal(literal) => {
                let written = document.slice(literal.span);
                let kind = match written {
                    "true" | "false" | "null" => KEYWORD,
                    text if text.starts_with(|c: char| c.is_ascii_digit()) && literal.value.as_str().is_none() => {
                        NUMBER
                    }
                    _ => STRING,
                };
                add(literal.span, kind);
            }
            Expression::Template(template) => match template.string_literal() {
                Some(_) => add(template.span, STRING),
                None => open.extend(&template.parts),
            },
            Expression::TemplateWrap(wrap) => open.push(&wrap.wrapped),
            Expression::ScopeTraversal(traversal) => {
                add(traversal.root_span, VARIABLE);
                for step in &traversal.steps {
                    if let Step::Attribute { span, .. } = step {
                        add(Span { start: span.start + 1, end: span.end }, PROPERTY);
                    }
                }
            }
            Expression::RelativeTraversal(traversal) => open.push(&traversal.source),
            Expression::FunctionCall(call) => {
                add(call.name_span, FUNCTION);
                open.extend(&call.arguments);
            }
            Expression::Conditional(one) => open.extend([&one.condition, &one.true_result, &one.false_result]),
            Expression::Binary(one) => open.extend([&one.left, &one.right]),
            Expression::Unary(one) => open.push(&one.operand),
            Expression::Parentheses(one) => open.push(&one.expression),
            Expression::Tuple(one) => open.extend(&one.items),
            Expression::Object(object) => {
                for item in &object.items {
                    match item.key.literal_name() {
                        Some(_) => add(item.key.span(), PROPERTY),
                        None => open.push(&item.key.expression),
                    }
                    open.push(&item.value);
                }
            }
            Expression::For(one) | Expression::TemplateJoin(one) => {
                open.extend([&one.collection, &one.value]);
                open.extend(one.key.iter().chain(&one.condition));
            }
            Expression::Index(one) => open.extend([&one.collection, &one.key]),
            Expression::Splat(one) => open.push(&one.source),
            Expression::Anonymous(_) | Expression::Error(_) => {}
        }
    }
}

/// Tokens as the protocol has them: each from the one before, none over several lines.
fn encode(document: &Document, found: &[(usize, usize, usize)]) -> Vec<SemanticToken> {
    let mut encoded = Vec::with_capacity(found.len());
    let (mut last_line, mut last_start) = (0, 0);
    let mut after = 0;
    for (start, end, kind) in found {
        let (mut start, end) = (*start.max(&after), *end);
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
                    length: document.lines.units(document.slice(start..stop)),
                    token_type: u32::try_from(*kind).unwrap_or(0),
                    token_modifiers_bitset: 0,
                });
                (last_line, last_start) = (position.line, position.character);
            }
            let next = document.lines.line(&document.text, line + 1).start;
            start = next.max(stop).max(start + 1);
        }
        after = after.max(end);
    }
    encoded
}
