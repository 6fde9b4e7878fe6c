//! Parses expressions. Every token has a binding power: a Pratt parser, as in the reference. => Parses expressions: a
//! Pratt parser with a binding power for each token, as in the reference.

use std::sync::Arc;

use hieratic_jinja::extend::{Result, error, work};

use super::lexer::{Token, TokenKind, tokens};
use super::node::Node;

/// Parses an expression.
pub fn parse(expression: &str) -> Result<Arc<Node>> {
    let mut parser = Parser { tokens: tokens(expression)?, at: 0, expression };
    let parsed = parser.expression(0)?;
    match parser.peek() {
        TokenKind::End => Ok(parsed.node),
        _ => Err(parser.fault("Unexpected token")),
    }
}

/// A node and how deep the deepest one below it is: the tree of a chain of operators is as deep as the chain is long.
struct Parsed {
    node: Arc<Node>,
    depth: usize,
    /// True if a following `[0]` or slice becomes a part of it.
    indexed: bool,
}

impl Parsed {
    fn leaf(node: Node) -> Parsed {
        Parsed { node: Arc::new(node), depth: 1, indexed: false }
    }
}

/// The maximum depth of the tree of an expression.
const MAX_DEPTH: usize = 1_000;

/// Below this power, a token ends a projection.
const STOPS: u8 = 10;

struct Parser<'a> {
    tokens: Vec<Token>,
    at: usize,
    expression: &'a str,
}

fn power(kind: &TokenKind) -> u8 {
    match kind {
        TokenKind::Pipe => 1,
        TokenKind::Or => 2,
        TokenKind::And => 3,
        TokenKind::Comparison(_) => 5,
        TokenKind::Flatten => 9,
        TokenKind::Star => 20,
        TokenKind::Filter => 21,
        TokenKind::Dot => 40,
        TokenKind::Not => 45,
        TokenKind::LeftBrace => 50,
        TokenKind::LeftBracket => 55,
        TokenKind::LeftParenthesis => 60,
        _ => 0,
    }
}

impl Parser<'_> {
    fn peek(&self) -> &TokenKind {
        self.ahead(0)
    }

    fn ahead(&self, count: usize) -> &TokenKind {
        self.tokens.get(self.at + count).map_or(&TokenKind::End, |token| &token.kind)
    }

    fn next(&mut self) -> TokenKind {
        let kind = self.peek().clone();
        self.at += 1;
        kind
    }

    /// Takes a token of this kind.
    fn expect(&mut self, expected: &TokenKind) -> Result<()> {
        if self.peek().name() == expected.name() {
            self.at += 1;
            return Ok(());
        }
        Err(self.fault(&format!("Expecting: {}, got: {}", expected.name(), self.peek().name())))
    }

    fn takes(&mut self, expected: &TokenKind) -> bool {
        let is = self.peek().name() == expected.name();
        self.at += usize::from(is);
        is
    }

    /// A node over others.
    fn over(&self, node: Node, parts: &[usize]) -> Result<Parsed> {
        let depth = parts.iter().max().map_or(1, |depth| depth + 1);
        if depth > MAX_DEPTH {
            return Err(error(format!("the JMESPath expression nests deeper than {MAX_DEPTH} levels")));
        }
        Ok(Parsed { node: Arc::new(node), depth, indexed: false })
    }

    fn expression(&mut self, above: u8) -> Result<Parsed> {
        work::deeper(|| {
            let mut left = self.start()?;
            while above < power(self.peek()) {
                left = self.behind(left)?;
            }
            Ok(left)
        })
    }

    /// An expression from its first token on.
    fn start(&mut self) -> Result<Parsed> {
        let first = self.next();
        let identity = || Parsed::leaf(Node::Identity);
        match first {
            TokenKind::Literal(value) => Ok(Parsed::leaf(Node::Literal(value))),
            TokenKind::Name(name) => Ok(Parsed::leaf(Node::Field(name))),
            TokenKind::QuotedName(name) => match self.peek() {
                TokenKind::LeftParenthesis => Err(self.fault("Quoted identifier not allowed for function names.")),
                _ => Ok(Parsed::leaf(Node::Field(name))),
            },
            TokenKind::Star => match self.peek() {
                TokenKind::RightBracket => self.over(Node::Values(identity().node, identity().node), &[1]),
                _ => {
                    let right = self.projected(20)?;
                    self.over(Node::Values(identity().node, right.node), &[right.depth])
                }
            },
            TokenKind::Filter => self.filter(identity()),
            TokenKind::LeftBrace => self.dict(),
            TokenKind::LeftParenthesis => {
                let inner = self.expression(0)?;
                self.expect(&TokenKind::RightParenthesis)?;
                Ok(inner)
            }
            TokenKind::Flatten => self.flatten(identity()),
            TokenKind::Not => {
                let inner = self.expression(45)?;
                self.over(Node::Not(inner.node), &[inner.depth])
            }
            TokenKind::LeftBracket => match (self.peek(), self.ahead(1)) {
                (TokenKind::Number(_) | TokenKind::Colon, _) => self.index(identity()),
                (TokenKind::Star, TokenKind::RightBracket) => {
                    self.at += 2;
                    self.projection(identity())
                }
                _ => self.list(),
            },
            TokenKind::Current => Ok(identity()),
            TokenKind::Reference => {
                let inner = self.expression(0)?;
                self.over(Node::Reference(inner.node), &[inner.depth])
            }
            _ => {
                self.at -= 1;
                Err(self.fault("invalid token"))
            }
        }
    }

    /// Parses an infix or postfix token, with the expression to its left.
    fn behind(&mut self, left: Parsed) -> Result<Parsed> {
        match self.next() {
            TokenKind::Dot if self.takes(&TokenKind::Star) => {
                let right = self.projected(40)?;
                let depths = [left.depth, right.depth];
                self.over(Node::Values(left.node, right.node), &depths)
            }
            TokenKind::Dot => {
                let right = self.member(40)?;
                self.chained(left, right)
            }
            TokenKind::Pipe => {
                let right = self.expression(1)?;
                self.chained(left, right)
            }
            TokenKind::Or => {
                let right = self.expression(2)?;
                let depths = [left.depth, right.depth];
                self.over(Node::Or(left.node, right.node), &depths)
            }
            TokenKind::And => {
                let right = self.expression(3)?;
                let depths = [left.depth, right.depth];
                self.over(Node::And(left.node, right.node), &depths)
            }
            TokenKind::Comparison(comparison) => {
                let right = self.expression(5)?;
                let depths = [left.depth, right.depth];
                self.over(Node::Compare(comparison, left.node, right.node), &depths)
            }
            TokenKind::LeftParenthesis => self.call(left),
            TokenKind::Filter => self.filter(left),
            TokenKind::Flatten => self.flatten(left),
            TokenKind::LeftBracket => match self.peek() {
                TokenKind::Number(_) | TokenKind::Colon => self.index(left),
                _ => {
                    self.expect(&TokenKind::Star)?;
                    self.expect(&TokenKind::RightBracket)?;
                    self.projection(left)
                }
            },
            _ => {
                self.at -= 1;
                Err(self.fault("invalid token"))
            }
        }
    }

    /// Applies the right part to the result of the left one; a chain stays flat.
    fn chained(&self, left: Parsed, right: Parsed) -> Result<Parsed> {
        let depth = left.depth;
        match Arc::try_unwrap(left.node) {
            Ok(Node::Chain(mut parts)) => {
                parts.push(right.node);
                let inner = depth.max(right.depth + 1);
                self.over(Node::Chain(parts), &[inner - 1])
            }
            Ok(other) => self.over(Node::Chain(vec![Arc::new(other), right.node]), &[depth, right.depth]),
            Err(shared) => self.over(Node::Chain(vec![shared, right.node]), &[depth, right.depth]),
        }
    }

    fn call(&mut self, left: Parsed) -> Result<Parsed> {
        let Node::Field(name) = &*left.node else {
            let before = self.at.checked_sub(2).and_then(|at| self.tokens.get(at));
            let name = before.map_or("", |token| &token.text).to_string();
            return Err(self.fault(&format!("Invalid function name '{name}'")));
        };
        let mut arguments = Vec::new();
        let mut depths = vec![0];
        while !matches!(self.peek(), TokenKind::RightParenthesis) {
            let argument = self.expression(0)?;
            // The reference does not miss a comma.
            self.takes(&TokenKind::Comma);
            depths.push(argument.depth);
            arguments.push(argument.node);
        }
        self.at += 1;
        self.over(Node::Call(name.clone(), arguments), &depths)
    }

    fn filter(&mut self, left: Parsed) -> Result<Parsed> {
        let condition = self.expression(0)?;
        self.expect(&TokenKind::RightBracket)?;
        let right = match self.peek() {
            TokenKind::Flatten => Parsed::leaf(Node::Identity),
            _ => self.projected(21)?,
        };
        let depths = [left.depth, right.depth, condition.depth];
        self.over(Node::Filter { left: left.node, right: right.node, condition: condition.node }, &depths)
    }

    fn flatten(&mut self, left: Parsed) -> Result<Parsed> {
        let flat = self.over(Node::Flatten(left.node), &[left.depth])?;
        let right = self.projected(9)?;
        let depths = [flat.depth, right.depth];
        self.over(Node::Projection(flat.node, right.node), &depths)
    }

    /// Parses a projection of the expression to the left, after `[*]`.
    fn projection(&mut self, left: Parsed) -> Result<Parsed> {
        let right = self.projected(20)?;
        let depths = [left.depth, right.depth];
        self.over(Node::Projection(left.node, right.node), &depths)
    }

    /// Parses `[0]` and `[start:stop:step]`, after the bracket.
    fn index(&mut self, left: Parsed) -> Result<Parsed> {
        let indexed = left.indexed;
        let is_slice = matches!(self.peek(), TokenKind::Colon) || matches!(self.ahead(1), TokenKind::Colon);
        let part = if is_slice {
            Parsed::leaf(self.slice()?)
        } else {
            match self.next() {
                TokenKind::Number(number) => {
                    self.expect(&TokenKind::RightBracket)?;
                    Parsed::leaf(Node::Index(number))
                }
                _ => return Err(self.fault("syntax error")),
            }
        };
        let chain = Parsed { indexed: true, ..self.chained(left, part)? };
        // A slice directly after an index is not a projection.
        if is_slice && !indexed { self.projection(chain) } else { Ok(chain) }
    }

    fn slice(&mut self) -> Result<Node> {
        let mut parts = [None, None, None];
        let mut index = 0;
        while !matches!(self.peek(), TokenKind::RightBracket) {
            match self.peek().clone() {
                TokenKind::Colon if index < 2 => index += 1,
                TokenKind::Number(number) => parts[index] = Some(number),
                _ => return Err(self.fault("syntax error")),
            }
            self.at += 1;
        }
        self.at += 1;
        Ok(Node::Slice(parts))
    }

    /// Parses the expression that a projection applies to each element; the identity if the next token ends it.
    fn projected(&mut self, above: u8) -> Result<Parsed> {
        match self.peek() {
            next if power(next) < STOPS => Ok(Parsed::leaf(Node::Identity)),
            TokenKind::LeftBracket | TokenKind::Filter => self.expression(above),
            TokenKind::Dot => {
                self.at += 1;
                self.member(above)
            }
            _ => Err(self.fault("syntax error")),
        }
    }

    /// Parses the expression after a dot.
    fn member(&mut self, above: u8) -> Result<Parsed> {
        match self.peek() {
            TokenKind::Name(_) | TokenKind::QuotedName(_) | TokenKind::Star => self.expression(above),
            TokenKind::LeftBracket => {
                self.at += 1;
                self.list()
            }
            TokenKind::LeftBrace => {
                self.at += 1;
                self.dict()
            }
            other => {
                let expected = "['quoted_identifier', 'unquoted_identifier', 'lbracket', 'lbrace']";
                Err(self.fault(&format!("Expecting: {expected}, got: {}", other.name())))
            }
        }
    }

    fn list(&mut self) -> Result<Parsed> {
        let (mut items, mut depths) = (Vec::new(), Vec::new());
        loop {
            let item = self.expression(0)?;
            depths.push(item.depth);
            items.push(item.node);
            if self.takes(&TokenKind::RightBracket) {
                return self.over(Node::List(items), &depths);
            }
            self.expect(&TokenKind::Comma)?;
        }
    }

    fn dict(&mut self) -> Result<Parsed> {
        let (mut pairs, mut depths) = (Vec::new(), Vec::new());
        loop {
            let key = match self.peek().clone() {
                TokenKind::Name(name) | TokenKind::QuotedName(name) => name,
                other => {
                    let expected = "['quoted_identifier', 'unquoted_identifier']";
                    return Err(self.fault(&format!("Expecting: {expected}, got: {}", other.name())));
                }
            };
            self.at += 1;
            self.expect(&TokenKind::Colon)?;
            let value = self.expression(0)?;
            depths.push(value.depth);
            pairs.push((key, value.node));
            // The reference does not miss a comma.
            if !self.takes(&TokenKind::Comma) && self.takes(&TokenKind::RightBrace) {
                return self.over(Node::Dict(pairs), &depths);
            }
        }
    }

    /// The error about the next token.
    fn fault(&self, message: &str) -> hieratic_jinja::extend::Error {
        let Parser { expression, .. } = self;
        let token = self.tokens.get(self.at).or(self.tokens.last());
        error(match token {
            Some(Token { kind, start, text }) if !matches!(kind, TokenKind::End) => format!(
                "{message}: Parse error at column {start}, token \"{text}\" ({}), for expression:\n\"{expression}\"\n{}^",
                kind.name().to_uppercase(),
                " ".repeat(start + 1)
            ),
            _ => {
                let end = " ".repeat(expression.chars().count() + 1);
                format!("Invalid jmespath expression: Incomplete expression:\n\"{expression}\"\n{end}^")
            }
        })
    }
}
