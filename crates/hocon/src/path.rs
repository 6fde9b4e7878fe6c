//! [`Path`]: the path of a value.

use std::fmt;
use std::rc::Rc;

use super::error::{HoconError, HoconResult, Origin};
use super::token::{Literal, Token, TokenKind};
use super::value::json_string;
use hieratic_source::Position;

/// Names from the root down; there is at least one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Path(pub Rc<[Rc<str>]>);

impl Path {
    /// Parses a path from tokens. The origin is only used in messages.
    pub fn parse(tokens: &[Token], origin: Option<&Origin>, at: Position) -> HoconResult<Path> {
        let fail = |message: String| match origin {
            Some(origin) => HoconError::at(origin, message),
            None => HoconError::plain(at, message),
        };
        if tokens.is_empty() {
            return Err(fail("Expecting a field name or path here, but got nothing".into()));
        }
        let mut names = vec![Name::default()];
        for token in tokens {
            match &token.kind {
                TokenKind::Whitespace(_) | TokenKind::End => {}
                TokenKind::Literal(Literal::String(text)) => {
                    if let Some(name) = names.last_mut() {
                        name.text.push_str(text);
                        name.may_be_empty |= name.text.is_empty();
                    }
                }
                // Points count even in a token that was read as a number.
                TokenKind::Literal(literal) => add(&mut names, &literal.text()),
                TokenKind::Text(text) => add(&mut names, text),
                _ => {
                    return Err(fail(format!(
                        "Token not allowed in path expression: {token} \
                         (you can double-quote this token if you really want it here)"
                    )));
                }
            }
        }
        if names.iter().any(|name| name.text.is_empty() && !name.may_be_empty) {
            return Err(fail(
                "path has a leading, trailing, or two adjacent period '.' \
                 (use quoted \"\" empty string if you want an empty element)"
                    .into(),
            ));
        }
        Ok(Path(names.into_iter().map(|name| name.text.into()).collect()))
    }

    /// Concatenates paths.
    pub fn join<'p>(paths: impl Iterator<Item = &'p Path>) -> Path {
        Path(paths.flat_map(|path| path.0.iter().cloned()).collect())
    }
}

#[derive(Default)]
struct Name {
    text: String,
    may_be_empty: bool,
}

/// Adds text without quotes: its points separate names.
fn add(names: &mut Vec<Name>, text: &str) {
    for (index, part) in text.split('.').enumerate() {
        if index > 0 {
            names.push(Name::default());
        }
        if let Some(name) = names.last_mut() {
            name.text.push_str(part);
        }
    }
}

/// As messages show it: names with anything unusual in quotes.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, name) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(".")?;
            }
            let usual = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
            if name.is_empty() || !name.chars().all(usual) {
                f.write_str(&json_string(name))?;
            } else {
                f.write_str(name)?;
            }
        }
        Ok(())
    }
}
