//! Paths: the syntax of `a::b[c=d]?`.
//!
//! ```text
//! path    = segment ("::" segment)*
//! segment = ["!"] [key] [("=" | "!=") text] ["?"] ("[" path "]" [("=" | "!=") text] ["?"])*
//! key     = integer | "$" name | "*" | "." name | name
//! ```
//!
//! The grammar is that of <https://docs.unfurl.run/expressions.html#expression-query-syntax>, as the reference parses
//! it: whitespace around a segment is dropped, but whitespace around a key inside of a segment is part of the key.

mod lower;
mod parse;
mod print;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use hieratic_diagnostics::{Source, Span};
use hieratic_value::Str;

/// A parsed path.
///
/// Two paths are equal if their steps are, regardless of their positions.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    /// The source that spans refer to.
    pub(crate) source: Source,
    /// The span of the path in the source.
    pub(crate) span: Span,
    /// The segments before lowering.
    pub(crate) written: Vec<Segment>,
    /// The lowered segments, which are evaluated.
    pub(crate) segments: Arc<[Segment]>,
}

impl PartialEq for Path {
    fn eq(&self, other: &Path) -> bool {
        self.written == other.written
    }
}

/// A step of a path.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    pub(crate) key: Key,
    pub(crate) modifier: Modifier,
    pub(crate) test: Option<Test>,
    pub(crate) filters: Vec<Vec<Segment>>,
    /// True if anything, even a blank, is between the last filter and the next segment. Without it, the reference steps
    /// into the elements of a list there.
    pub(crate) apart: bool,
    pub(crate) span: Span,
}

impl PartialEq for Segment {
    fn eq(&self, other: &Segment) -> bool {
        self.key == other.key
            && self.modifier == other.modifier
            && self.test == other.test
            && self.filters == other.filters
            && self.apart == other.apart
    }
}

impl Segment {
    /// The step that stays where it is; it steps into the elements of a list.
    pub(crate) fn empty(span: Span) -> Segment {
        Segment { key: Key::None, modifier: Modifier::None, test: None, filters: Vec::new(), apart: false, span }
    }
}

/// The target of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// The value itself.
    None,
    /// An element of a list, or an integer key of a map.
    Index(i64),
    /// All values of a map.
    All,
    /// The value of a variable.
    Variable(Str),
    /// A key; with a dot in front, of an instance a property.
    Name(Str),
}

/// The modifier before or after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Modifier {
    None,
    /// `?`: only the first match.
    First,
    /// `!`: at the head of a filter, negates the filter.
    Not,
}

/// The comparison of a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Test {
    /// True for `!=`.
    pub(crate) differs: bool,
    /// A string, or a variable with its sigil.
    pub(crate) text: Str,
}

impl Path {
    /// Adds the position of a step to an error.
    pub(crate) fn place(&self, error: crate::ExpressionError, span: Span) -> crate::ExpressionError {
        error.at(&self.source, span)
    }
}
