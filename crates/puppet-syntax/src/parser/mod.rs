//! The parser builds the tree by recursive descent and, for operators, by precedence.
//!
//! The reference's parser is generated from an LALR grammar, which shifts in case of conflict. This parser accepts the
//! same language and fails at the same token: it only consumes a token that can follow.

mod call;
mod collection;
mod conditional;
mod definition;
mod expression;
mod hint;
mod interner;
mod number;
mod parameter;
mod pending;
mod primary;
mod recovery;
mod resource;
mod statement;
mod string;
mod template;
mod types;

use hieratic_diagnostics::{Code, Span};
use hieratic_value::Str;

use crate::ast::{Expr, Node};
use crate::codes;
use crate::lexer::Lexer;
use crate::token::{Payload, SyntaxKind, Token};
use crate::{Options, Problem};
use interner::WordInterner;
use pending::Pending;

/// The maximum height of a tree. Every walk over it needs stack space for each level.
pub(crate) const MAX_HEIGHT: u32 = 1000;

/// The stack that a level needs at most, in bytes, even in a debug build.
pub(crate) const MIN_STACK: usize = 128 << 10;
/// The size of the stack segment that is allocated when less is left, in bytes.
pub(crate) const STACK_SEGMENT: usize = 2 << 20;

/// A rule failed; the problem is already recorded.
struct ParseFailed;

type ParseResult<T> = Result<T, ParseFailed>;

struct Parser<'s> {
    text: &'s str,
    /// The options.
    options: Options,
    /// The lexer, which holds the next token.
    lexer: Lexer<'s>,
    /// The token after it, if the parser had to look ahead.
    ahead: Option<Token<'s>>,
    interner: WordInterner,
    pending: Pending,
    /// The end of the previous token.
    end: u32,
    problems: Vec<Problem>,
    /// The number of errors among them.
    errors: usize,
    /// Problems that the reference only reports if there is no syntax error.
    late: Vec<Problem>,
    /// The enclosing classes (and plans).
    names: Vec<Str>,
    /// The number of open recursive rules.
    depth: u32,
    /// The height of the highest tree that was completed in the innermost of them.
    height: u32,
    /// Whether the assignment that was read last is just an expression.
    plain: bool,
    /// Whether recovery is pointless.
    is_unrecoverable: bool,
}

/// Parses source text. The tree is only usable if there are no errors.
pub(crate) fn parse(text: &str, options: &Options) -> (Option<Expr>, Vec<Problem>) {
    if let Some(problem) = find_unreadable(text) {
        return (None, vec![problem]);
    }
    let mut lexer = lexer(text, options);
    lexer.next();
    let mut parser = Parser {
        text,
        options: *options,
        lexer,
        ahead: None,
        interner: WordInterner::new(),
        pending: Pending::default(),
        end: 0,
        problems: Vec::new(),
        errors: 0,
        late: Vec::new(),
        names: Vec::new(),
        depth: 0,
        height: 0,
        plain: false,
        is_unrecoverable: false,
    };
    let body = if options.epp { parser.template() } else { parser.manifest() };
    let mut problems = parser.problems;
    problems.extend(parser.lexer.take_warnings());
    problems.append(&mut parser.late);
    (body.ok(), problems)
}

/// Returns a lexer before the first token.
fn lexer<'s>(text: &'s str, options: &Options) -> Lexer<'s> {
    if options.epp { Lexer::template(text, options.tasks) } else { Lexer::new(text, options.tasks) }
}

/// Returns the problem of source text that cannot be parsed at all.
fn find_unreadable(text: &str) -> Option<Problem> {
    if text.starts_with('\u{feff}') {
        let message = "Illegal UTF-8 Byte Order mark at beginning of input: [EF BB BF] - remove these from the puppet \
                       source";
        let mut problem = Problem::error(codes::ILLEGAL_BOM, message, Span { start: 0, end: 3 });
        problem.at = None;
        return Some(problem);
    }
    // Positions are stored in 32 bits.
    if text.len() >= u32::MAX as usize {
        return Some(Problem::error(codes::TOO_LONG, "The text is too long", Span::default()));
    }
    None
}

impl<'s> Parser<'s> {
    /// The kind of the next token.
    fn kind(&self) -> SyntaxKind {
        self.lexer.token.kind
    }

    /// The kind of the token after the next.
    fn kind_ahead(&mut self) -> SyntaxKind {
        let lexer = &mut self.lexer;
        let ahead = self.ahead.get_or_insert_with(|| {
            let token = lexer.token.take();
            lexer.next();
            std::mem::replace(&mut lexer.token, token)
        });
        ahead.kind
    }

    /// Takes the next token.
    fn take(&mut self) -> Token<'s> {
        let token = self.lexer.token.take();
        self.skip();
        token
    }

    /// Takes the next token if it is of a kind.
    fn accept(&mut self, kind: SyntaxKind) -> bool {
        let found = self.lexer.token.kind == kind;
        if found {
            self.skip();
        }
        found
    }

    /// Takes the next token without looking at it.
    fn skip(&mut self) {
        self.end = self.lexer.token.end;
        match self.ahead.take() {
            Some(token) => self.lexer.token = token,
            None => self.lexer.next(),
        }
    }

    /// Takes the next token, which must be of a kind.
    fn expect(&mut self, kind: SyntaxKind) -> ParseResult<Token<'s>> {
        if self.lexer.token.kind == kind { Ok(self.take()) } else { Err(self.unexpected()) }
    }

    /// Consumes the next token and returns its text.
    fn take_text(&mut self) -> Str {
        let token = self.take();
        self.text_of(token)
    }

    /// Consumes the next token, which must be of a kind, and returns its text.
    fn expect_text(&mut self, kind: SyntaxKind) -> ParseResult<Str> {
        let token = self.expect(kind)?;
        Ok(self.text_of(token))
    }

    /// Returns the text of a token.
    fn text_of(&mut self, token: Token<'_>) -> Str {
        match token.payload {
            Payload::Text(text) => text,
            Payload::Piece(text) => self.interner.share(text),
            _ => self.interner.share(token.kind.text()),
        }
    }

    /// Creates an expression from `start` to the end of the previous token; messages point at its first byte.
    fn node(&self, start: u32, node: Node) -> Expr {
        self.node_at(start, start, node)
    }

    /// Creates an expression with another position for messages.
    fn node_at(&self, start: u32, at: u32, node: Node) -> Expr {
        Expr { node, span: Span { start, end: self.end.max(start) }, at }
    }

    /// Creates [`Node::Nop`] at the end of the previous token.
    fn nothing(&self) -> Expr {
        Expr { node: Node::Nop, span: Span { start: self.end, end: self.end }, at: self.end }
    }

    /// Records an error, after the pending warnings of the lexer.
    #[cold]
    fn record_problem(&mut self, problem: Problem) {
        self.problems.extend(self.lexer.take_warnings());
        self.problems.push(problem);
        self.errors += 1;
    }

    /// Reports that the next token is not allowed here.
    #[cold]
    fn unexpected(&mut self) -> ParseFailed {
        let token = &self.lexer.token;
        if token.kind == SyntaxKind::Error {
            self.is_unrecoverable = true;
            let error = self.lexer.error();
            let known = self.problems.last() == error;
            if let Some(error) = error.cloned().filter(|_| !known) {
                self.record_problem(error);
            }
            return ParseFailed;
        }
        if token.kind == SyntaxKind::End {
            let extent = token.extent();
            let mut problem = Problem::error(codes::SYNTAX_ERROR, "Syntax error at end of input", extent);
            problem.at = None;
            problem.help = hint::hint(self.text, &self.options, token.kind, token.start);
            self.record_problem(problem);
            return ParseFailed;
        }
        let message = format!("Syntax error at '{}'", token.shown());
        let mut problem = Problem::error(codes::SYNTAX_ERROR, message, token.extent());
        problem.help = hint::hint(self.text, &self.options, token.kind, token.start);
        self.record_problem(problem);
        ParseFailed
    }

    /// Reports an error that is not a syntax error; parsing continues.
    #[cold]
    fn report_error(&mut self, issue: Code, message: impl Into<String>, extent: Span) {
        self.record_problem(Problem::error(issue, message, extent));
    }

    /// Like [`Parser::refuse`], but a lexical error in the next token is reported instead, because the reference has
    /// already read that token.
    #[cold]
    fn report_error_after_token(&mut self, issue: Code, message: impl Into<String>, extent: Span) {
        if self.kind() == SyntaxKind::Error {
            let _ = self.unexpected();
        } else {
            self.report_error(issue, message, extent);
        }
    }

    /// Parses one level deeper, on a new stack segment if little is left.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> ParseResult<T>) -> ParseResult<T> {
        if self.depth >= MAX_HEIGHT {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let result = stacker::maybe_grow(MIN_STACK, STACK_SEGMENT, || read(self));
        self.depth -= 1;
        result
    }

    /// Increases the height of the tree by one.
    fn grow(&mut self) -> ParseResult<()> {
        self.height += 1;
        if self.height > MAX_HEIGHT { Err(self.too_deep()) } else { Ok(()) }
    }

    #[cold]
    fn too_deep(&mut self) -> ParseFailed {
        self.is_unrecoverable = true;
        let message = format!("Expressions are nested more than {MAX_HEIGHT} levels deep");
        self.record_problem(Problem::error(codes::NESTING_TOO_DEEP, message, self.lexer.token.extent()));
        ParseFailed
    }
}
