//! [`lower`]: converts syntax to values. Duplicate keys merge, `+=` becomes a substitution.

use std::rc::Rc;

use super::error::{HoconError, HoconResult, Origin};
use super::path::Path;
use super::syntax::{Body, BodyPart, Include, IncludeKind, SyntaxNode, SyntaxRoot};
use super::token::{Token, TokenKind};
use super::value::{self, Entries, ExpansionBudget, HoconData, HoconField, HoconNode, Object, Shared};
use super::{MAX_DEPTH, too_deep};
use hieratic_source::Position;

/// The value of a whole text.
pub(super) fn lower(root: &SyntaxRoot, budget: &mut ExpansionBudget) -> HoconResult<Shared> {
    let mut lowering = Lowering { budget, line: 1 + root.newlines, paths: Vec::new(), arrays: 0, depth: 0 };
    lowering.value(&root.value)
}

struct Lowering<'b> {
    budget: &'b mut ExpansionBudget,
    /// The line as the gem counts it here: newlines within a field do not count.
    line: i64,
    /// The paths of the fields around.
    paths: Vec<Path>,
    /// The number of surrounding arrays. A field with `+=` counts as one.
    arrays: usize,
    /// The nesting depth of objects and arrays, including the names of paths.
    depth: usize,
}

impl Lowering<'_> {
    fn origin(&self, at: Position) -> Origin {
        Origin::text(self.line, at)
    }

    fn value(&mut self, written: &SyntaxNode) -> HoconResult<Shared> {
        match written {
            SyntaxNode::Word(token) => word(token),
            SyntaxNode::Object(body) => self.nested(1, body.at, |lowering| lowering.object(body)),
            SyntaxNode::Array(body) => self.nested(1, body.at, |lowering| lowering.array(body)),
            SyntaxNode::Adjacent(values) => {
                let mut pieces = Vec::with_capacity(values.len());
                for value in values {
                    pieces.push(self.value(value)?);
                }
                self.concatenate(pieces)
            }
        }
    }

    fn nested(
        &mut self,
        levels: usize,
        at: Position,
        lower: impl FnOnce(&mut Self) -> HoconResult<Shared>,
    ) -> HoconResult<Shared> {
        self.depth += levels;
        if self.depth > MAX_DEPTH {
            return Err(too_deep(at));
        }
        let value = lower(self)?;
        self.depth -= levels;
        Ok(value)
    }

    /// Pieces side by side; there are at least two, so something remains.
    fn concatenate(&mut self, pieces: Vec<Shared>) -> HoconResult<Shared> {
        let mut pieces = value::consolidate(pieces, self.budget)?;
        if pieces.len() == 1
            && let Some(only) = pieces.pop()
        {
            return Ok(only);
        }
        let origins: Vec<Origin> = pieces.iter().map(|piece| piece.origin.clone()).collect();
        Ok(HoconNode::shared(Origin::merge_all(origins), HoconData::Concatenation(pieces)))
    }

    fn array(&mut self, body: &Body) -> HoconResult<Shared> {
        self.arrays += 1;
        let origin = self.origin(body.at);
        let mut items = Vec::new();
        for part in &body.parts {
            match part {
                BodyPart::Newline => self.line += 1,
                BodyPart::Element(element) => items.push(self.value(element)?),
                BodyPart::Field(_) | BodyPart::Include(_) => {}
            }
        }
        self.arrays -= 1;
        Ok(value::list(origin, items))
    }

    fn object(&mut self, body: &Body) -> HoconResult<Shared> {
        let origin = self.origin(body.at);
        let mut entries = Entries::default();
        for part in &body.parts {
            match part {
                BodyPart::Newline => self.line += 1,
                BodyPart::Include(include) => self.include(include)?,
                BodyPart::Field(field) => {
                    let value = self.field(field)?;
                    let Some((first, below)) = field.path.0.split_first() else { continue };
                    let value = under(below, value, field.key_at);
                    let value = match entries.get(first) {
                        Some(existing) => value::with_fallback(&value, &existing.value, self.budget)?,
                        None => value,
                    };
                    entries.insert(first.clone(), HoconField { key_at: field.key_at, value });
                }
                BodyPart::Element(_) => {}
            }
        }
        Ok(HoconNode::shared(origin, HoconData::Object(Object::new(entries, false))))
    }

    fn field(&mut self, field: &super::syntax::Field) -> HoconResult<Shared> {
        if field.adds && self.arrays > 0 {
            return Err(HoconError::at(
                &self.origin(field.key_at),
                "Due to current limitations of the config parser, += does not work nested inside a list. \
                 += expands to a ${} substitution and the path in ${} cannot currently refer to list elements. \
                 You might be able to move the += outside of the list and then refer to it from inside the list with ${}.",
            ));
        }
        self.paths.push(field.path.clone());
        self.arrays += usize::from(field.adds);
        let value = self.nested(field.path.0.len() - 1, field.key_at, |lowering| lowering.value(&field.value))?;
        self.arrays -= usize::from(field.adds);
        let value = if field.adds {
            let path = Path::join(self.paths.iter());
            let origin = value.origin.clone();
            let before = HoconNode::shared(origin.clone(), HoconData::Reference { path, optional: true });
            self.concatenate(vec![before, value::list(origin, vec![value])])?
        } else {
            value
        };
        self.paths.pop();
        Ok(value)
    }

    /// A source that is not a file has no folder to include from: the gem finds nothing, or fails.
    fn include(&self, include: &Include) -> HoconResult<()> {
        let Include { kind, name, at } = include;
        let scheme = name.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
        let url = matches!(scheme.as_deref(), Some("http" | "https"))
            && name.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte));
        let message = match kind {
            IncludeKind::Guess if url => {
                "undefined method `include_url_without_fallback' for Hocon::Impl::SimpleIncluder:Class"
            }
            IncludeKind::Guess => return Ok(()),
            IncludeKind::Url if !url => {
                let message = format!("include url() specifies an invalid URL: {name}");
                return Err(HoconError::at(&self.origin(*at), message));
            }
            IncludeKind::Url => "undefined method `include_url' for Hocon::Impl::SimpleIncluder",
            IncludeKind::Classpath => "undefined method `include_resources' for Hocon::Impl::SimpleIncluder",
            IncludeKind::File => "include file() is not supported: a data file cannot read another file",
        };
        Err(HoconError::limit(*at, message).with_hint("write the content of the included file here"))
    }
}

fn word(token: &Token) -> HoconResult<Shared> {
    let origin = Origin::text(token.line.unwrap_or(-1), token.at);
    let data = match &token.kind {
        TokenKind::Literal(literal) => HoconData::Literal(literal.clone()),
        TokenKind::Text(text) => HoconData::Text(text.clone()),
        TokenKind::Substitution { optional, expression } => {
            let path = Path::parse(expression, Some(&origin), token.at)?;
            if path.0.len() > MAX_DEPTH {
                return Err(too_deep(token.at));
            }
            HoconData::Reference { path, optional: *optional }
        }
        // The parser takes nothing else for a word.
        _ => HoconData::Text("".into()),
    };
    Ok(HoconNode::shared(origin, data))
}

/// A value inside of one object per name.
fn under(names: &[Rc<str>], value: Shared, key_at: Position) -> Shared {
    names.iter().rev().fold(value, |value, name| {
        let mut origin = value.origin.clone();
        origin.at = key_at;
        let mut entries = Entries::default();
        entries.insert(name.clone(), HoconField { key_at, value });
        HoconNode::shared(origin, HoconData::Object(Object::new(entries, false)))
    })
}
