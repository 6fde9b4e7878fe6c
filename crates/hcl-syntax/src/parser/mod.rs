//! The parser of the native syntax.
//!
//! It has one token of lookahead. After a mistake it skips tokens until it can continue; from then on it is
//! *recovering*, and suppresses most messages, because they may be consequences of the first. Messages and skipped
//! tokens are those of the reference (<https://github.com/hashicorp/hcl/tree/main/hclsyntax>).

mod absolute;
mod block;
mod body;
mod call;
mod collection;
mod expression;
mod for_expression;
mod label;
mod operators;
mod recovery;
mod splat;
mod term;
pub(crate) use term::template;
mod traversal;

use std::borrow::Cow;
use std::sync::Arc;

use hieratic_value::collections::HashMap;

use crate::scanner::{Scanner, Token, TokenKind};
use crate::{Expression, Problem, Problems, Source, Span, invalid_tokens};

/// The maximum nesting depth of expressions and blocks.
///
/// The reference has no limit and may exhaust its memory; configurations do not reach a hundred levels.
pub const MAX_DEPTH: u32 = 1000;

/// The free stack space in bytes below which more is allocated, and the size of the allocation.
const STACK_RESERVE: (usize, usize) = (128 << 10, 1 << 20);

/// The parser of the native syntax.
pub(crate) struct Parser<'a> {
    source: &'a Arc<Source>,
    text: &'a [u8],
    scanner: Scanner<'a>,
    /// The lookahead token. Line ends that do not count are skipped when it is inspected.
    ahead: Token,
    /// The token read last.
    previous: Option<Token>,
    /// Whether line ends count.
    newlines: bool,
    /// Whether tokens were skipped because of a mistake.
    pub(crate) recovery: bool,
    problems: Vec<Problem>,
    /// Every name, once.
    names: HashMap<&'a [u8], Arc<str>>,
    /// The number of expressions and blocks around the current token.
    depth: u32,
    /// The height of the expression read last.
    pub(crate) height: u32,
    /// The number of messages at the time when parsing was abandoned, because nesting was too deep.
    abandoned: Option<usize>,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(source: &'a Arc<Source>, template: bool) -> Self {
        let text = source.bytes();
        let mut scanner = Scanner::new(text, template);
        let ahead = next_token(&mut scanner);
        Parser {
            source,
            text,
            scanner,
            ahead,
            previous: None,
            newlines: true,
            recovery: false,
            problems: Vec::new(),
            names: HashMap::default(),
            depth: 0,
            height: 0,
            abandoned: None,
        }
    }

    /// All messages: those about tokens first, then those about the syntax.
    pub(crate) fn finish(mut self) -> Problems {
        if let Some(count) = self.abandoned {
            self.problems.truncate(count);
        } else {
            while self.ahead.kind != TokenKind::Eof {
                self.ahead = next_token(&mut self.scanner);
            }
        }
        if self.scanner.invalid.is_empty() {
            return self.problems.into();
        }
        let mut all = invalid_tokens::problems(self.source, &self.scanner.invalid);
        all.append(&mut self.problems);
        all.into()
    }

    pub(crate) fn peek(&mut self) -> Token {
        if self.ahead.kind == TokenKind::Newline && !self.newlines {
            while self.ahead.kind == TokenKind::Newline {
                self.advance();
            }
        }
        self.ahead
    }

    pub(crate) fn peek_kind(&mut self) -> TokenKind {
        self.peek().kind
    }

    pub(crate) fn read(&mut self) -> Token {
        let token = self.peek();
        self.previous = Some(token);
        self.advance();
        token
    }

    fn advance(&mut self) {
        if self.abandoned.is_none() {
            self.ahead = next_token(&mut self.scanner);
        }
    }

    /// The span of the last consumed token; before that, of the first token.
    pub(crate) fn previous_span(&mut self) -> Span {
        match self.previous {
            Some(token) => token.span(),
            None => self.peek().span(),
        }
    }

    /// Sets whether line ends count, and returns the previous setting.
    pub(crate) fn set_newlines(&mut self, count: bool) -> bool {
        std::mem::replace(&mut self.newlines, count)
    }

    /// Compares a token with a word.
    pub(crate) fn is_word(&self, token: Token, word: &str) -> bool {
        token.kind == TokenKind::Identifier && self.bytes(token) == word.as_bytes()
    }

    pub(crate) fn bytes(&self, token: Token) -> &'a [u8] {
        self.text.get(token.span().range()).unwrap_or_default()
    }

    pub(crate) fn text(&self, token: Token) -> Cow<'a, str> {
        String::from_utf8_lossy(self.bytes(token))
    }

    /// The name that an identifier is.
    pub(crate) fn name(&mut self, token: Token) -> Arc<str> {
        let bytes = self.bytes(token);
        self.names.entry(bytes).or_insert_with(|| String::from_utf8_lossy(bytes).into()).clone()
    }

    /// The number of messages so far. If it has grown later, the parts parsed in between have errors.
    pub(crate) fn mark(&self) -> usize {
        self.problems.len()
    }

    /// Returns whether an error occurred since the mark after which parsing cannot continue in place.
    pub(crate) fn is_lost(&self, mark: usize) -> bool {
        self.recovery && self.problems.len() > mark
    }

    pub(crate) fn error(
        &mut self,
        subject: Span,
        summary: impl Into<Cow<'static, str>>,
        detail: impl Into<Cow<'static, str>>,
    ) {
        self.problems.push(Problem::error(summary, detail).at(self.source, subject));
    }

    /// Adds a problem at a span.
    pub(crate) fn push(&mut self, problem: Problem, subject: Span) {
        self.problems.push(problem.at(self.source, subject));
    }

    /// The bytes before an offset, as far as a realistic line reaches.
    pub(crate) fn text_before(&self, at: u32) -> &'a [u8] {
        /// The number of bytes that are inspected.
        const EXCERPT_LENGTH: usize = 1 << 10;
        let at = (at as usize).min(self.text.len());
        self.text.get(at.saturating_sub(EXCERPT_LENGTH)..at).unwrap_or_default()
    }

    /// The bytes from an offset on.
    pub(crate) fn text_from(&self, at: u32) -> &'a [u8] {
        self.text.get(at as usize..).unwrap_or_default()
    }

    pub(crate) fn error_within(
        &mut self,
        subject: Span,
        context: Span,
        summary: impl Into<Cow<'static, str>>,
        detail: impl Into<Cow<'static, str>>,
    ) {
        let problem = Problem::error(summary, detail).at(self.source, subject).with_context(self.source, context);
        self.problems.push(problem);
    }

    /// Formats a span for a message.
    pub(crate) fn describe(&self, span: Span) -> String {
        crate::Range::new(self.source.clone(), span).to_string()
    }

    /// Parses one level deeper.
    pub(crate) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> T, otherwise: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth == MAX_DEPTH {
            self.abandon();
            return otherwise(self);
        }
        self.depth += 1;
        let result = stacker::maybe_grow(STACK_RESERVE.0, STACK_RESERVE.1, || read(self));
        self.depth -= 1;
        result
    }

    /// Updates the height of the tree: an expression was built from parts of at most that height.
    pub(crate) fn rise(&mut self, height: u32) {
        self.height = height + 1;
        if self.height > MAX_DEPTH {
            self.height = 0;
            self.abandon();
        }
    }

    /// Returns whether the rest of the source was skipped.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.abandoned.is_some()
    }

    /// Skips the rest of the source, because it is nested too deeply.
    fn abandon(&mut self) {
        if self.abandoned.is_some() {
            return;
        }
        let at = self.peek().span();
        self.error(
            at,
            "Nesting too deep",
            format!("Expressions and blocks may be nested up to {MAX_DEPTH} levels deep, and no deeper."),
        );
        self.recovery = true;
        self.abandoned = Some(self.problems.len());
        let end = self.text.len() as u32;
        self.ahead = Token { kind: TokenKind::Eof, start: end, end };
    }

    /// The placeholder for an expression that could not be parsed.
    pub(crate) fn placeholder(&mut self, span: Span) -> Expression {
        self.height = 0;
        Expression::Error(span)
    }
}

/// Returns the next token that is not a comment.
fn next_token(scanner: &mut Scanner<'_>) -> Token {
    loop {
        let token = scanner.next();
        if token.kind != TokenKind::Comment {
            return token;
        }
    }
}
