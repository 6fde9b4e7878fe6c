//! The parser: words become a tree.
//!
//! It goes down from statements to values by one function for each rule of the grammar, and finds operators by their
//! rank. See the [grammar](https://github.com/puppetlabs/puppet-specifications/blob/master/language/expressions.md). Some
//! rules look odd but are the reference's: functions such as `notice` take arguments without parentheses, a brace
//! behind a whole expression always begins a resource, a parenthesis on a new line never begins a call.

mod definition;
mod expression;
mod literal;
mod resource;
mod statement;

use hieratic_diagnostics::Source;
use hieratic_regexp::Regexp;
use hieratic_value::Str;

use crate::ast::{Expr, Extent, Node, Program};
use crate::lexer::token::{Kind, Token};
use crate::lexer::{Lexed, Settings, lex};
use crate::problem::Problem;

/// How a text is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Whether the text is a template (EPP).
    pub epp: bool,
    /// Whether plans are allowed.
    pub tasks: bool,
}

/// What came of reading a text.
#[derive(Debug)]
pub struct Parsed {
    /// The tree; none if the text is wrong.
    pub program: Option<Program>,
    /// What is wrong, the first fault first, and what is questionable.
    pub problems: Vec<Problem>,
}

/// How deep the code may be nested.
const DEEPEST: usize = 600;

/// How many faults are looked for in one text.
const MOST_FAULTS: usize = 10;

/// Reads a text.
///
/// ```
/// use hieratic_diagnostics::Source;
/// use hieratic_grammar::{Options, parse};
///
/// let parsed = parse(&Source::new("site.pp", "notice(1 +)"), &Options::default());
/// assert_eq!(parsed.problems[0].message, "Syntax error at ')'");
/// assert_eq!(parsed.problems[0].span.start, 10);
/// ```
pub fn parse(source: &Source, options: &Options) -> Parsed {
    if u32::try_from(source.text().len()).is_err() {
        let problem = Problem::error("too-large", "the text is larger than 4 GiB", Extent::default());
        return Parsed { program: None, problems: vec![problem] };
    }
    let lexed = lex(source.text(), Settings { epp: options.epp, tasks: options.tasks });
    let mut parser = Parser::new(&lexed);
    let body = stacker::maybe_grow(2 << 20, 64 << 20, || parser.program(options.epp));
    let mut faults = parser.faults;
    let failed = !faults.is_empty();
    // Warnings of the lexer come first, as they do in the reference; it stops at the first fault.
    let mut problems = lexed.problems;
    if let Some(first) = faults.first() {
        let end = first.span.start;
        problems.retain(|warning| warning.span.start <= end);
    }
    problems.append(&mut faults);
    let program = (!failed).then(|| Program { source: source.clone(), body });
    Parsed { program, problems }
}

/// That a fault was found and noted.
struct Failed;

type Parse<T = Expr> = Result<T, Failed>;

struct Parser<'l> {
    tokens: &'l [Token],
    regexps: &'l [Regexp],
    fault: Option<&'l Problem>,
    at: usize,
    /// The names of the classes around.
    names: Vec<Str>,
    faults: Vec<Problem>,
    depth: usize,
}

impl<'l> Parser<'l> {
    fn new(lexed: &'l Lexed) -> Self {
        Parser {
            tokens: &lexed.tokens,
            regexps: &lexed.regexps,
            fault: lexed.fault.as_ref(),
            at: 0,
            names: Vec::new(),
            faults: Vec::new(),
            depth: 0,
        }
    }

    fn token(&self) -> &'l Token {
        // The last token is the end, which is never passed.
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn kind(&self) -> Kind {
        self.token().kind
    }

    fn kind_ahead(&self, ahead: usize) -> Kind {
        self.tokens.get(self.at + ahead).map_or(Kind::End, |token| token.kind)
    }

    /// Takes the word, whatever it is.
    fn advance(&mut self) -> &'l Token {
        let token = self.token();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    /// Takes the word if it is of a kind.
    fn accept(&mut self, kind: Kind) -> Option<&'l Token> {
        (self.kind() == kind).then(|| self.advance())
    }

    /// Takes the word, which has to be of a kind.
    fn expect(&mut self, kind: Kind) -> Parse<&'l Token> {
        match self.accept(kind) {
            Some(token) => Ok(token),
            None => Err(self.unexpected()),
        }
    }

    /// The end of the word before.
    fn end(&self) -> u32 {
        self.at.checked_sub(1).and_then(|before| self.tokens.get(before)).map_or(0, |token| token.span.end)
    }

    /// That the word cannot stand here.
    fn unexpected(&mut self) -> Failed {
        let token = self.token();
        let problem = match (token.kind, self.fault) {
            (Kind::Error, Some(fault)) => fault.clone(),
            (Kind::End, _) => {
                let problem = Problem::error("syntax-error", "Syntax error at end of input", token.span);
                Problem { at: None, ..problem }
            }
            _ => {
                let shown = token.shown(self.regexps);
                Problem::error("syntax-error", format!("Syntax error at '{shown}'"), token.span)
            }
        };
        self.note(problem)
    }

    /// A rule that the grammar itself does not know.
    fn refuse(&mut self, at: Extent, message: &str) -> Failed {
        // The reference tells such faults without the place beside them, so whoever reports them puts it into the text.
        let problem = Problem::error("not-acceptable", message, at);
        self.note(problem)
    }

    fn note(&mut self, problem: Problem) -> Failed {
        if self.faults.iter().all(|known| known.span != problem.span) {
            self.faults.push(problem);
        }
        Failed
    }

    /// Runs a rule one level deeper.
    fn nested<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= DEEPEST {
            let problem = Problem::error("nesting-too-deep", "the code is nested too deeply", self.token().span);
            return Err(self.note(problem));
        }
        self.depth += 1;
        let result = rule(self);
        self.depth -= 1;
        result
    }

    fn program(&mut self, epp: bool) -> Expr {
        let body = if epp { self.template() } else { self.manifest() };
        body.unwrap_or(nop(0))
    }

    /// All statements; after a fault it goes on with what begins a definition, so that several faults are told at once.
    fn manifest(&mut self) -> Parse {
        let mut body = Err(Failed);
        while self.kind() != Kind::End || self.faults.is_empty() && body.is_err() {
            if self.kind() == Kind::End {
                return Ok(nop(self.token().span.start));
            }
            self.depth = 0;
            self.names.clear();
            match self.statements() {
                Ok(statements) if self.kind() == Kind::End => {
                    if self.faults.is_empty() {
                        body = Ok(block(statements, None));
                    }
                    break;
                }
                Ok(_) => {
                    self.unexpected();
                }
                Err(Failed) => {}
            }
            if self.faults.len() >= MOST_FAULTS || self.kind() == Kind::Error || !self.go_on() {
                break;
            }
        }
        body
    }

    /// Goes to the next definition; whether there is one.
    fn go_on(&mut self) -> bool {
        self.advance();
        loop {
            match self.kind() {
                Kind::End | Kind::Error => return false,
                Kind::Class if matches!(self.kind_ahead(1), Kind::Name) => return true,
                Kind::Define | Kind::Node | Kind::Function if matches!(self.kind_ahead(1), Kind::Name | Kind::String) => {
                    return true;
                }
                _ => {
                    self.advance();
                }
            }
        }
    }
}

/// Nothing, at a byte.
fn nop(at: u32) -> Expr {
    Expr { node: Node::Nop, span: Extent { start: at, end: at }, at }
}

/// Statements as one expression: nothing, the only one, or a block.
fn block(mut statements: Vec<Expr>, braces: Option<Extent>) -> Expr {
    match statements.len() {
        0 => {
            let span = braces.unwrap_or_default();
            Expr { node: Node::Nop, span, at: span.start }
        }
        // There is one.
        1 => statements.swap_remove(0),
        _ => {
            let span = braces.unwrap_or_else(|| Extent {
                start: statements.first().map_or(0, |first| first.span.start),
                end: statements.last().map_or(0, |last| last.span.end),
            });
            let at = if braces.is_some() { span.start } else { statements.first().map_or(0, |first| first.at) };
            Expr { node: Node::Block(statements), span, at }
        }
    }
}
