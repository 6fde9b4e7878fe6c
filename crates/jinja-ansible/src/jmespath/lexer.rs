//! The tokens of an expression.

use hieratic_jinja::extend::objects::Big;
use hieratic_jinja::extend::{Result, Value, error, json};
use num_bigint::BigInt;

use super::node::Comparison;

/// A token of an expression, with its position.
#[derive(Clone, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub start: usize,
    /// The source of the token, for error messages.
    pub text: String,
}

#[derive(Clone, Debug)]
pub enum TokenKind {
    Dot,
    Star,
    LeftBracket,
    RightBracket,
    Flatten,
    Filter,
    Comma,
    Colon,
    Current,
    LeftParenthesis,
    RightParenthesis,
    LeftBrace,
    RightBrace,
    Name(String),
    QuotedName(String),
    Literal(Value),
    Number(Value),
    Pipe,
    Or,
    And,
    Reference,
    Not,
    Comparison(Comparison),
    End,
}

impl TokenKind {
    /// Returns the name of the kind for error messages.
    pub fn name(&self) -> &'static str {
        match self {
            TokenKind::Dot => "dot",
            TokenKind::Star => "star",
            TokenKind::LeftBracket => "lbracket",
            TokenKind::RightBracket => "rbracket",
            TokenKind::Flatten => "flatten",
            TokenKind::Filter => "filter",
            TokenKind::Comma => "comma",
            TokenKind::Colon => "colon",
            TokenKind::Current => "current",
            TokenKind::LeftParenthesis => "lparen",
            TokenKind::RightParenthesis => "rparen",
            TokenKind::LeftBrace => "lbrace",
            TokenKind::RightBrace => "rbrace",
            TokenKind::Name(_) => "unquoted_identifier",
            TokenKind::QuotedName(_) => "quoted_identifier",
            TokenKind::Literal(_) => "literal",
            TokenKind::Number(_) => "number",
            TokenKind::Pipe => "pipe",
            TokenKind::Or => "or",
            TokenKind::And => "and",
            TokenKind::Reference => "expref",
            TokenKind::Not => "not",
            TokenKind::Comparison(comparison) => match comparison {
                Comparison::Equal => "eq",
                Comparison::NotEqual => "ne",
                Comparison::Less => "lt",
                Comparison::LessOrEqual => "lte",
                Comparison::Greater => "gt",
                Comparison::GreaterOrEqual => "gte",
            },
            TokenKind::End => "eof",
        }
    }
}

/// Returns the tokens of an expression, with a final [`TokenKind::End`].
pub fn tokens(expression: &str) -> Result<Vec<Token>> {
    let mut lexer = Lexer { letters: expression.chars().collect(), at: 0, expression };
    let mut tokens = Vec::new();
    while let Some(letter) = lexer.peek() {
        let start = lexer.at;
        if matches!(letter, ' ' | '\t' | '\n' | '\r') {
            lexer.at += 1;
            continue;
        }
        let kind = lexer.token(letter)?;
        let text = lexer.letters[start..lexer.at].iter().collect();
        tokens.push(Token { kind, start, text });
    }
    tokens.push(Token { kind: TokenKind::End, start: lexer.letters.len(), text: String::new() });
    Ok(tokens)
}

struct Lexer<'a> {
    letters: Vec<char>,
    at: usize,
    expression: &'a str,
}

impl Lexer<'_> {
    fn peek(&self) -> Option<char> {
        self.letters.get(self.at).copied()
    }

    /// Takes the next character if it is this one.
    fn takes(&mut self, letter: char) -> bool {
        let is = self.peek() == Some(letter);
        self.at += usize::from(is);
        is
    }

    fn token(&mut self, first: char) -> Result<TokenKind> {
        let start = self.at;
        self.at += 1;
        Ok(match first {
            '.' => TokenKind::Dot,
            '*' => TokenKind::Star,
            ']' => TokenKind::RightBracket,
            ',' => TokenKind::Comma,
            ':' => TokenKind::Colon,
            '@' => TokenKind::Current,
            '(' => TokenKind::LeftParenthesis,
            ')' => TokenKind::RightParenthesis,
            '{' => TokenKind::LeftBrace,
            '}' => TokenKind::RightBrace,
            '[' if self.takes(']') => TokenKind::Flatten,
            '[' if self.takes('?') => TokenKind::Filter,
            '[' => TokenKind::LeftBracket,
            '|' if self.takes('|') => TokenKind::Or,
            '|' => TokenKind::Pipe,
            '&' if self.takes('&') => TokenKind::And,
            '&' => TokenKind::Reference,
            '<' if self.takes('=') => TokenKind::Comparison(Comparison::LessOrEqual),
            '<' => TokenKind::Comparison(Comparison::Less),
            '>' if self.takes('=') => TokenKind::Comparison(Comparison::GreaterOrEqual),
            '>' => TokenKind::Comparison(Comparison::Greater),
            '!' if self.takes('=') => TokenKind::Comparison(Comparison::NotEqual),
            '!' => TokenKind::Not,
            '=' if self.takes('=') => TokenKind::Comparison(Comparison::Equal),
            'A'..='Z' | 'a'..='z' | '_' => {
                while self.peek().is_some_and(|next| next.is_ascii_alphanumeric() || next == '_') {
                    self.at += 1;
                }
                TokenKind::Name(self.letters[start..self.at].iter().collect())
            }
            '0'..='9' | '-' => {
                while self.peek().is_some_and(|next| next.is_ascii_digit()) {
                    self.at += 1;
                }
                let digits: String = self.letters[start..self.at].iter().collect();
                match digits.parse::<BigInt>() {
                    Ok(number) => TokenKind::Number(Big::value(&number)),
                    Err(_) => return Err(self.fault(start, "Unknown token '-'")),
                }
            }
            '\'' => TokenKind::Literal(Value::from(self.until('\'')?.replace("\\'", "'"))),
            '`' => {
                let text = self.until('`')?.replace("\\`", "`");
                // Invalid JSON is a string, as in the first versions of the language.
                let literal = json::parse(&text).or_else(|_| json::parse(&format!("\"{}\"", text.trim_start())));
                TokenKind::Literal(literal.map_err(|_| self.fault(start, &format!("Bad token {text}")))?)
            }
            '"' => {
                let text = format!("\"{}\"", self.until('"')?);
                let name =
                    json::parse(&text).map_err(|error| self.fault(start, error.detail().unwrap_or("Bad name")))?;
                TokenKind::QuotedName(name.as_str().unwrap_or_default().into())
            }
            '=' => return Err(self.fault(start, "Unknown token '='")),
            other => return Err(self.fault(start, &format!("Unknown token {other}"))),
        })
    }

    /// Returns the characters before the next unescaped delimiter, with their escapes.
    fn until(&mut self, delimiter: char) -> Result<String> {
        let start = self.at - 1;
        let mut text = String::new();
        loop {
            let next = self.peek();
            self.at += 1;
            match next {
                Some(letter) if letter == delimiter => return Ok(text),
                Some('\\') => {
                    text.push('\\');
                    match self.peek() {
                        Some(escaped) => text.push(escaped),
                        None => return Err(self.fault(start, &format!("Unclosed {delimiter} delimiter"))),
                    }
                    self.at += 1;
                }
                Some(letter) => text.push(letter),
                None => return Err(self.fault(start, &format!("Unclosed {delimiter} delimiter"))),
            }
        }
    }

    fn fault(&self, at: usize, message: &str) -> hieratic_jinja::extend::Error {
        error(format!("Bad jmespath expression: {message}:\n{}\n{}^", self.expression, " ".repeat(at)))
    }
}
