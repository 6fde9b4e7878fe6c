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
mod words;

use hieratic_diagnostics::{Code, Span};
use hieratic_value::Str;

use crate::ast::{Expr, Node};
use crate::codes;
use crate::lexer::Lexer;
use crate::token::{Kind, Payload, Token};
use crate::{Options, Problem};
use pending::Pending;
use words::Words;

/// The maximum height of a tree. Every walk over it needs stack space for each level.
pub(crate) const HIGHEST: u32 = 1000;

/// A level takes much less than this, in bytes, even in a build that is not optimized.
pub(crate) const LEAST_STACK: usize = 128 << 10;
/// The size of the stack segment that is allocated when less is left, in bytes.
pub(crate) const MORE_STACK: usize = 2 << 20;

/// A rule could not be completed; the problem is already noted.
struct Failed;

type Parse<T> = Result<T, Failed>;

struct Parser<'s> {
    text: &'s str,
    /// The options.
    options: Options,
    /// The lexer, which holds the next token.
    lexer: Lexer<'s>,
    /// The one behind it, if it had to be looked at.
    ahead: Option<Token<'s>>,
    words: Words,
    pending: Pending,
    /// The end of the token before.
    end: u32,
    problems: Vec<Problem>,
    /// The number of errors among them.
    errors: usize,
    /// Problems that the reference only reports if there is no syntax error.
    late: Vec<Problem>,
    /// The classes (and plans) around.
    names: Vec<Str>,
    /// The number of open recursive rules.
    depth: u32,
    /// The height of the highest tree that was completed in the innermost of them.
    height: u32,
    /// Whether the assignment that was read last is just an expression.
    plain: bool,
    /// Whether recovery is pointless.
    hopeless: bool,
}

/// Parses source text. The tree is only usable if there are no errors.
pub(crate) fn parse(text: &str, options: &Options) -> (Option<Expr>, Vec<Problem>) {
    if let Some(problem) = unreadable(text) {
        return (None, vec![problem]);
    }
    let mut lexer = lexer(text, options);
    lexer.next();
    let mut parser = Parser {
        text,
        options: *options,
        lexer,
        ahead: None,
        words: Words::new(),
        pending: Pending::default(),
        end: 0,
        problems: Vec::new(),
        errors: 0,
        late: Vec::new(),
        names: Vec::new(),
        depth: 0,
        height: 0,
        plain: false,
        hopeless: false,
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
fn unreadable(text: &str) -> Option<Problem> {
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
    fn kind(&self) -> Kind {
        self.lexer.token.kind
    }

    /// The kind of the token behind the next.
    fn kind_ahead(&mut self) -> Kind {
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
    fn accept(&mut self, kind: Kind) -> bool {
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
    fn expect(&mut self, kind: Kind) -> Parse<Token<'s>> {
        if self.lexer.token.kind == kind { Ok(self.take()) } else { Err(self.unexpected()) }
    }

    /// Takes the next token for its text.
    fn take_text(&mut self) -> Str {
        let token = self.take();
        self.text_of(token)
    }

    /// Takes the next token, which must be of a kind, for its text.
    fn expect_text(&mut self, kind: Kind) -> Parse<Str> {
        let token = self.expect(kind)?;
        Ok(self.text_of(token))
    }

    /// The text that a token brings.
    fn text_of(&mut self, token: Token<'_>) -> Str {
        match token.payload {
            Payload::Text(text) => text,
            Payload::Piece(text) => self.words.share(text),
            _ => self.words.share(token.kind.text()),
        }
    }

    /// An expression whose text begins at a byte and ends with the token before; messages point at its first byte.
    fn node(&self, start: u32, node: Node) -> Expr {
        self.node_at(start, start, node)
    }

    /// An expression at which messages point somewhere else.
    fn node_at(&self, start: u32, at: u32, node: Node) -> Expr {
        Expr { node, span: Span { start, end: self.end.max(start) }, at }
    }

    /// Nothing, at the end of the token before.
    fn nothing(&self) -> Expr {
        Expr { node: Node::Nop, span: Span { start: self.end, end: self.end }, at: self.end }
    }

    /// Notes an error, behind the warnings that the lexer has come upon before.
    #[cold]
    fn note(&mut self, problem: Problem) {
        self.problems.extend(self.lexer.take_warnings());
        self.problems.push(problem);
        self.errors += 1;
    }

    /// The next token cannot be here.
    #[cold]
    fn unexpected(&mut self) -> Failed {
        let token = &self.lexer.token;
        if token.kind == Kind::Fault {
            self.hopeless = true;
            let fault = self.lexer.fault();
            let known = self.problems.last() == fault;
            if let Some(fault) = fault.cloned().filter(|_| !known) {
                self.note(fault);
            }
            return Failed;
        }
        if token.kind == Kind::End {
            let extent = token.extent();
            let mut problem = Problem::error(codes::SYNTAX_ERROR, "Syntax error at end of input", extent);
            problem.at = None;
            problem.help = hint::hint(self.text, &self.options, token.kind, token.start);
            self.note(problem);
            return Failed;
        }
        let message = format!("Syntax error at '{}'", token.shown());
        let mut problem = Problem::error(codes::SYNTAX_ERROR, message, token.extent());
        problem.help = hint::hint(self.text, &self.options, token.kind, token.start);
        self.note(problem);
        Failed
    }

    /// Reports an error that is not a syntax error; parsing continues.
    #[cold]
    fn refuse(&mut self, issue: Code, message: impl Into<String>, extent: Span) {
        self.note(Problem::error(issue, message, extent));
    }

    /// Like [`Parser::refuse`], but a lexical error in the next token is reported instead, because the reference has
    /// already read that token.
    #[cold]
    fn refuse_behind(&mut self, issue: Code, message: impl Into<String>, extent: Span) {
        if self.kind() == Kind::Fault {
            let _ = self.unexpected();
        } else {
            self.refuse(issue, message, extent);
        }
    }

    /// Reads something one level deeper, on more stack if there is too little left.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= HIGHEST {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let result = stacker::maybe_grow(LEAST_STACK, MORE_STACK, || read(self));
        self.depth -= 1;
        result
    }

    /// The tree becomes one higher.
    fn grow(&mut self) -> Parse<()> {
        self.height += 1;
        if self.height > HIGHEST { Err(self.too_deep()) } else { Ok(()) }
    }

    #[cold]
    fn too_deep(&mut self) -> Failed {
        self.hopeless = true;
        let message = format!("Expressions are nested more than {HIGHEST} levels deep");
        self.note(Problem::error(codes::NESTING_TOO_DEEP, message, self.lexer.token.extent()));
        Failed
    }
}
