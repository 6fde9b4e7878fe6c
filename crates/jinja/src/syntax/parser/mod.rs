//! Parses tokens to the syntax tree.

mod expressions;
mod statements;
mod translations;

use std::collections::BTreeMap;
use std::sync::Arc;

use hieratic_diagnostics::{Source, Span, nearest};

use super::ast::{Block, Plugin, Template, Uses};
use super::error::SyntaxError;
use super::lexer::{Spanned, Token};
use crate::objects::Key;
use crate::options::Extensions;
use crate::python::methods;
use crate::settings::Settings;

/// The maximum nesting depth of brackets and statements.
const MAX_DEPTH: usize = 64;

type Result<T> = std::result::Result<T, SyntaxError>;

/// Parses the tokens of a template.
pub fn parse(source: &Source, tokens: &[Spanned], settings: &Arc<Settings>) -> Result<Template> {
    let mut parser = Parser {
        tokens,
        at: 0,
        end: source.text().len(),
        depth: 0,
        open: Vec::new(),
        blocks: BTreeMap::new(),
        plugins: Vec::new(),
        uses: Uses::default(),
        loops: 0,
        extensions: settings.extensions,
    };
    let body = parser.body(&[])?;
    let (unit, settings) = (super::resolve::resolve_template(&body), settings.clone());
    Ok(Template { source: source.clone(), body, unit, blocks: parser.blocks, plugins: parser.plugins, settings })
}

/// The name of an attribute, which may be that of a method.
fn key(name: Arc<str>) -> Key {
    let is_method = methods::is_any(&name);
    Key::new(name, is_method)
}

struct Parser<'a> {
    tokens: &'a [Spanned],
    at: usize,
    /// The length of the source, which is the position of a missing token.
    end: usize,
    depth: usize,
    /// The positions and names of the open statements, innermost last.
    open: Vec<(Span, Arc<str>)>,
    blocks: BTreeMap<Arc<str>, Arc<Block>>,
    plugins: Vec<Plugin>,
    /// The special variables that the current macro uses.
    uses: Uses,
    /// The number of enclosing loops.
    loops: usize,
    extensions: Extensions,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at).map(|spanned| &spanned.token)
    }

    fn peek_second(&self) -> Option<&'a Token> {
        self.tokens.get(self.at + 1).map(|spanned| &spanned.token)
    }

    /// Returns the position of the next token.
    fn peek_span(&self) -> Span {
        self.tokens.get(self.at).map_or(Span::at(self.end), |spanned| spanned.span)
    }

    /// Returns the span from `start` to the end of the last token.
    fn since(&self, start: u32) -> Span {
        let last = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        Span { start, end: last.map_or(start, |spanned| spanned.span.end).max(start) }
    }

    fn is_operator(&self, operator: &str) -> bool {
        matches!(self.peek(), Some(Token::Operator(found)) if *found == operator)
    }

    fn is_name(&self, name: &str) -> bool {
        matches!(self.peek(), Some(Token::Name(found)) if **found == *name)
    }

    fn skip_operator(&mut self, operator: &str) -> bool {
        let there = self.is_operator(operator);
        self.at += usize::from(there);
        there
    }

    fn skip_name(&mut self, name: &str) -> bool {
        let there = self.is_name(name);
        self.at += usize::from(there);
        there
    }

    fn found(&self) -> String {
        self.peek().map_or_else(|| "end of template".into(), Token::describe)
    }

    fn expect_operator(&mut self, operator: &str) -> Result<()> {
        if self.skip_operator(operator) { Ok(()) } else { Err(self.unexpected(operator)) }
    }

    fn expect_token(&mut self, token: &Token) -> Result<()> {
        if self.peek() == Some(token) {
            self.at += 1;
            return Ok(());
        }
        Err(self.unexpected(&token.describe()))
    }

    fn expect_name(&mut self) -> Result<Arc<str>> {
        match self.peek() {
            Some(Token::Name(name)) => {
                self.at += 1;
                Ok(name.clone())
            }
            _ => Err(self.unexpected("name")),
        }
    }

    fn unexpected(&self, expected: &str) -> SyntaxError {
        let message = match self.peek() {
            None => format!("unexpected end of template, expected '{expected}'."),
            Some(_) => format!("expected token '{expected}', got '{}'", self.found()),
        };
        SyntaxError::new(message, self.peek_span())
    }

    /// Parses one level deeper, within the limit.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= MAX_DEPTH {
            let message = format!("the template nests more than {MAX_DEPTH} levels deep");
            return Err(SyntaxError::new(message, self.peek_span()));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// The error about a statement that does not exist or does not belong here.
    fn unknown_tag(&self, name: &str, expected: &[&str]) -> SyntaxError {
        const TAGS: [&str; 14] = [
            "for",
            "if",
            "set",
            "macro",
            "call",
            "filter",
            "with",
            "block",
            "extends",
            "include",
            "import",
            "from",
            "autoescape",
            "print",
        ];
        let message = if expected.is_empty() {
            format!("Encountered unknown tag '{name}'.")
        } else {
            let expected: Vec<String> = expected.iter().map(|name| format!("'{name}'")).collect();
            format!(
                "Encountered unknown tag '{name}'. Jinja was looking for the following tags: {}.",
                expected.join(" or ")
            )
        };
        let error = SyntaxError::new(message, self.peek_span());
        match nearest(name, TAGS.into_iter().chain(expected.iter().copied())) {
            Some(suggestion) => error.help(format!("did you mean '{suggestion}'?")),
            None => error,
        }
    }
}
