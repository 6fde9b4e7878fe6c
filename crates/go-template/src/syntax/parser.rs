//! The grammar of templates: text, actions and control structures.

use std::sync::Arc;

use hieratic_budget::{Budget, Depth, Exhausted};
use hieratic_source::Span;

use super::error::{Cause, ParseError};
use super::lexer::{Lexer, LoopKeywords};
use super::literal::unquote;
use super::token::{Keyword, Token, TokenKind};
use super::tree::{Branch, Control, Node, Pipeline, Template, Templates};

/// The delimiters of a template, and the functions that it may call.
#[derive(Clone, Copy)]
pub struct Syntax<'s> {
    /// The left delimiter.
    pub left: &'s str,
    /// The right delimiter.
    pub right: &'s str,
    /// Returns whether a function exists in addition to the built-in ones. Without it, names of functions are not
    /// checked.
    pub functions: Option<&'s dyn Fn(&str) -> bool>,
}

impl Default for Syntax<'_> {
    fn default() -> Self {
        Syntax { left: "{{", right: "}}", functions: None }
    }
}

impl Syntax<'_> {
    pub(super) fn knows(&self, name: &str) -> bool {
        self.functions.is_none_or(|exists| exists(name)) || is_builtin(name)
    }
}

/// The functions that every template has.
fn is_builtin(name: &str) -> bool {
    matches!(
        name,
        "and"
            | "call"
            | "eq"
            | "ge"
            | "gt"
            | "html"
            | "index"
            | "js"
            | "le"
            | "len"
            | "lt"
            | "ne"
            | "not"
            | "or"
            | "print"
            | "printf"
            | "println"
            | "slice"
            | "urlquery"
    )
}

/// Parses a template.
///
/// # Errors
/// The template is invalid, or the budget is exhausted. The error is the first one, with the reference's message.
pub fn parse(name: &str, text: &str, syntax: &Syntax<'_>, budget: &Budget) -> Result<Templates, ParseError> {
    let mut templates = Templates::default();
    parse_into(&mut templates, name, text, syntax, budget)?;
    Ok(templates)
}

/// Parses a template, and adds its definitions to others.
///
/// # Errors
/// As [`parse`].
pub fn parse_into(
    templates: &mut Templates,
    name: &str,
    text: &str,
    syntax: &Syntax<'_>,
    budget: &Budget,
) -> Result<(), ParseError> {
    // Without a check of functions, the words are keywords, as they are in templates that use them.
    let is_function = |word: &str| syntax.functions.is_some_and(|exists| exists(word));
    let keywords = LoopKeywords { has_break: !is_function("break"), has_continue: !is_function("continue") };
    let syntax = Syntax {
        left: if syntax.left.is_empty() { "{{" } else { syntax.left },
        right: if syntax.right.is_empty() { "}}" } else { syntax.right },
        ..*syntax
    };
    let mut parser = Parser {
        name,
        text,
        lexer: Lexer::new(text, syntax.left, syntax.right, keywords),
        syntax: &syntax,
        budget,
        depth: Depth::default(),
        pending: Vec::new(),
        line: 1,
        place: Span::at(0),
        scope: Scope::default(),
        templates,
    };
    let nodes = parser.whole()?;
    parser.add(Template { name: name.into(), file: name.into(), nodes })
}

/// The end of a list of nodes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    End,
    Else,
}

impl Ending {
    fn text(self) -> &'static str {
        match self {
            Ending::End => "{{end}}",
            Ending::Else => "{{else}}",
        }
    }
}

/// A node, or the end of the list of nodes.
enum Item {
    Node(Node),
    Ending(Ending),
}

/// The state of one definition.
#[derive(Default)]
pub(super) struct Scope<'t> {
    /// The variables that can be seen, with `$`.
    pub(super) variables: Vec<&'t str>,
    /// The number of open loops.
    loops: usize,
    /// The line of the action that is read, or 0.
    action_line: u32,
}

pub(super) struct Parser<'p, 't> {
    name: &'p str,
    text: &'t str,
    lexer: Lexer<'t>,
    pub(super) syntax: &'p Syntax<'p>,
    pub(super) budget: &'p Budget,
    pub(super) depth: Depth,
    /// Tokens that are put back, the next one last.
    pending: Vec<Token>,
    /// The line of the token that was read last.
    line: u32,
    /// The token that was taken last.
    place: Span,
    pub(super) scope: Scope<'t>,
    templates: &'p mut Templates,
}

impl<'t> Parser<'_, 't> {
    pub(super) fn next(&mut self) -> Result<Token, ParseError> {
        let token = match self.pending.pop() {
            Some(token) => token,
            None => {
                let used = self.budget.step();
                used.map_err(|exhausted| self.exhausted(exhausted))?;
                let token = self.lexer.next();
                self.line = token.line;
                token
            }
        };
        self.place = token.span;
        Ok(token)
    }

    pub(super) fn put_back(&mut self, token: Token) {
        self.pending.push(token);
    }

    pub(super) fn peek(&mut self) -> Result<Token, ParseError> {
        let token = self.next()?;
        self.put_back(token);
        Ok(token)
    }

    pub(super) fn next_non_space(&mut self) -> Result<Token, ParseError> {
        loop {
            let token = self.next()?;
            if token.kind != TokenKind::Space {
                return Ok(token);
            }
        }
    }

    pub(super) fn peek_non_space(&mut self) -> Result<Token, ParseError> {
        let token = self.next_non_space()?;
        self.put_back(token);
        Ok(token)
    }

    pub(super) fn slice(&self, token: Token) -> &'t str {
        self.text.get(token.span.range()).unwrap_or_default()
    }

    pub(super) fn span_text(&self, span: Span) -> &'t str {
        self.text.get(span.range()).unwrap_or_default()
    }

    pub(super) fn error(&self, message: impl Into<String>, cause: Cause) -> ParseError {
        ParseError { name: self.name.to_owned(), line: self.line, span: self.place, message: message.into(), cause }
    }

    pub(super) fn fail<T>(&self, message: impl Into<String>) -> Result<T, ParseError> {
        Err(self.error(message, Cause::Syntax))
    }

    pub(super) fn exhausted(&self, exhausted: Exhausted) -> ParseError {
        self.error(exhausted.to_string(), Cause::Exhausted(exhausted))
    }

    pub(super) fn unexpected<T>(&mut self, token: Token, context: &str) -> Result<T, ParseError> {
        self.place = token.span;
        if token.kind != TokenKind::Error {
            let token = self.describe(token);
            return self.fail(format!("unexpected {token} in {context}"));
        }
        let message = self.lexer.error.clone();
        let started = self.scope.action_line;
        let extra = match started {
            0 => String::new(),
            _ if started == token.line => String::new(),
            _ if message.ends_with(" action") => format!(" started at {}:{started}", self.name),
            _ => format!(" in action started at {}:{started}", self.name),
        };
        self.fail(format!("{message}{extra}"))
    }

    /// A token as messages name it.
    fn describe(&self, token: Token) -> String {
        let text = self.slice(token);
        match token.kind {
            TokenKind::End => "EOF".to_owned(),
            TokenKind::Keyword(_) | TokenKind::Dot => format!("<{text}>"),
            _ if text.len() > 10 => {
                let start: String = text.chars().take(10).collect();
                format!("{}...", hieratic_hcl_types::quoted(&start))
            }
            _ => hieratic_hcl_types::quoted(text),
        }
    }

    fn expect(&mut self, kind: TokenKind, context: &str) -> Result<Token, ParseError> {
        let token = self.next_non_space()?;
        if token.kind == kind { Ok(token) } else { self.unexpected(token, context) }
    }

    /// The whole text.
    fn whole(&mut self) -> Result<Vec<Node>, ParseError> {
        self.scope.variables.push("$");
        let mut nodes = Vec::new();
        loop {
            let token = self.next()?;
            if token.kind == TokenKind::End {
                return Ok(nodes);
            }
            if token.kind == TokenKind::LeftDelimiter {
                let second = self.next_non_space()?;
                if second.kind == TokenKind::Keyword(Keyword::Define) {
                    self.definition()?;
                    continue;
                }
                self.put_back(second);
            }
            self.put_back(token);
            match self.text_or_action()? {
                Item::Node(node) => nodes.push(node),
                Item::Ending(ending) => return self.fail(format!("unexpected {}", ending.text())),
            }
        }
    }

    fn definition(&mut self) -> Result<(), ParseError> {
        const CONTEXT: &str = "define clause";
        let outer = std::mem::take(&mut self.scope);
        self.scope.variables.push("$");
        let token = self.next_non_space()?;
        let name = self.template_name(token, CONTEXT)?;
        self.expect(TokenKind::RightDelimiter, CONTEXT)?;
        let nodes = self.ended_list(CONTEXT)?;
        self.add(Template { name, file: self.name.into(), nodes })?;
        self.scope = outer;
        Ok(())
    }

    /// Nodes that must end with `{{ end }}`.
    fn ended_list(&mut self, context: &str) -> Result<Vec<Node>, ParseError> {
        match self.list()? {
            (nodes, Ending::End) => Ok(nodes),
            (_, ending) => self.fail(format!("unexpected {} in {context}", ending.text())),
        }
    }

    fn add(&mut self, template: Template) -> Result<(), ParseError> {
        let name = template.name.clone();
        let added = self.templates.add(template);
        added.map_err(|()| {
            let name = hieratic_hcl_types::quoted(&name);
            self.error(format!("template: multiple definition of template {name}"), Cause::Syntax)
        })
    }

    /// Nodes up to `{{ end }}` or `{{ else }}`.
    fn list(&mut self) -> Result<(Vec<Node>, Ending), ParseError> {
        let entered = self.budget.enter(&self.depth);
        let guard = entered.map_err(|exhausted| self.exhausted(exhausted))?;
        let listed = stacker::maybe_grow(128 << 10, 1 << 20, || self.list_items());
        drop(guard);
        listed
    }

    fn list_items(&mut self) -> Result<(Vec<Node>, Ending), ParseError> {
        let mut nodes = Vec::new();
        while self.peek_non_space()?.kind != TokenKind::End {
            match self.text_or_action()? {
                Item::Node(node) => nodes.push(node),
                Item::Ending(ending) => return Ok((nodes, ending)),
            }
        }
        self.fail("unexpected EOF")
    }

    fn text_or_action(&mut self) -> Result<Item, ParseError> {
        let token = self.next_non_space()?;
        match token.kind {
            TokenKind::Text => {
                let text = Arc::from(self.slice(token));
                Ok(Item::Node(Node::Text { span: token.span, text }))
            }
            TokenKind::LeftDelimiter => {
                self.scope.action_line = token.line;
                let item = self.action();
                self.scope.action_line = 0;
                item
            }
            _ => self.unexpected(token, "input"),
        }
    }

    fn action(&mut self) -> Result<Item, ParseError> {
        let token = self.next_non_space()?;
        let node = match token.kind {
            TokenKind::Keyword(Keyword::Block) => self.block()?,
            TokenKind::Keyword(Keyword::Break) => {
                self.leave_loop("{{break}}")?;
                Node::Break(token.span)
            }
            TokenKind::Keyword(Keyword::Continue) => {
                self.leave_loop("{{continue}}")?;
                Node::Continue(token.span)
            }
            TokenKind::Keyword(Keyword::Else) => {
                let next = self.peek_non_space()?;
                if !matches!(next.kind, TokenKind::Keyword(Keyword::If | Keyword::With)) {
                    self.expect(TokenKind::RightDelimiter, "else")?;
                }
                return Ok(Item::Ending(Ending::Else));
            }
            TokenKind::Keyword(Keyword::End) => {
                self.expect(TokenKind::RightDelimiter, "end")?;
                return Ok(Item::Ending(Ending::End));
            }
            TokenKind::Keyword(Keyword::If) => Node::If(self.control("if", Some(Keyword::If))?),
            TokenKind::Keyword(Keyword::With) => Node::With(self.control("with", Some(Keyword::With))?),
            TokenKind::Keyword(Keyword::Range) => Node::Range(self.control("range", None)?),
            TokenKind::Keyword(Keyword::Template) => self.template()?,
            _ => {
                self.put_back(token);
                Node::Action(self.pipeline("command", TokenKind::RightDelimiter)?)
            }
        };
        Ok(Item::Node(node))
    }

    fn leave_loop(&mut self, action: &str) -> Result<(), ParseError> {
        let token = self.next_non_space()?;
        if token.kind != TokenKind::RightDelimiter {
            return self.unexpected(token, action);
        }
        if self.scope.loops == 0 {
            return self.fail(format!("{action} outside {{{{range}}}}"));
        }
        Ok(())
    }

    /// A control structure with all its branches. `chained` may follow `else`.
    fn control(&mut self, context: &str, chained: Option<Keyword>) -> Result<Control, ParseError> {
        let variables = self.scope.variables.len();
        let mut branches = Vec::new();
        let otherwise = loop {
            let (branch, ending) = self.branch(context)?;
            branches.push(branch);
            if ending == Ending::End {
                break None;
            }
            let next = self.peek()?;
            if chained.is_some_and(|keyword| next.kind == TokenKind::Keyword(keyword)) {
                self.next()?;
                continue;
            }
            match self.list()? {
                (nodes, Ending::End) => break Some(nodes),
                (_, ending) => return self.fail(format!("expected end; found {}", ending.text())),
            }
        };
        self.scope.variables.truncate(variables);
        Ok(Control { branches, otherwise })
    }

    fn branch(&mut self, context: &str) -> Result<(Branch, Ending), ParseError> {
        let pipeline = self.pipeline(context, TokenKind::RightDelimiter)?;
        let is_loop = usize::from(context == "range");
        self.scope.loops += is_loop;
        let (nodes, ending) = self.list()?;
        self.scope.loops -= is_loop;
        Ok((Branch { pipeline, nodes }, ending))
    }

    /// A template that is defined where it is used.
    fn block(&mut self) -> Result<Node, ParseError> {
        const CONTEXT: &str = "block clause";
        let token = self.next_non_space()?;
        let name = self.template_name(token, CONTEXT)?;
        let argument = self.pipeline(CONTEXT, TokenKind::RightDelimiter)?;
        let outer = std::mem::take(&mut self.scope);
        self.scope.variables.push("$");
        let nodes = self.ended_list(CONTEXT)?;
        self.add(Template { name: name.clone(), file: self.name.into(), nodes })?;
        self.scope = outer;
        Ok(Node::Template { span: token.span, name, argument: Some(argument) })
    }

    fn template(&mut self) -> Result<Node, ParseError> {
        const CONTEXT: &str = "template clause";
        let token = self.next_non_space()?;
        let name = self.template_name(token, CONTEXT)?;
        let next = self.next_non_space()?;
        let argument: Option<Pipeline> = if next.kind == TokenKind::RightDelimiter {
            None
        } else {
            self.put_back(next);
            Some(self.pipeline(CONTEXT, TokenKind::RightDelimiter)?)
        };
        Ok(Node::Template { span: token.span, name, argument })
    }

    fn template_name(&mut self, token: Token, context: &str) -> Result<Arc<str>, ParseError> {
        if !matches!(token.kind, TokenKind::String | TokenKind::RawString) {
            return self.unexpected(token, context);
        }
        match unquote(self.slice(token)) {
            Some(bytes) => Ok(String::from_utf8_lossy(&bytes).into()),
            None => self.fail("invalid syntax"),
        }
    }
}
