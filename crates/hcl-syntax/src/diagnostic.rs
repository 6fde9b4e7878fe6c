//! What is wrong, and where.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::literal::pieces;
use crate::{Pos, Source, Span, grapheme_count};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// Nothing can be done with the result.
    Error,
    /// The result can be used.
    Warning,
}

/// A part of a source, with the source.
///
/// It is written as the reference writes it: `file:1,5-8`, over several lines `file:1,5-2,1`.
#[derive(Clone, Debug)]
pub struct Range {
    /// The source.
    pub source: Arc<Source>,
    /// The part.
    pub span: Span,
    counting: Counting,
}

/// How the columns of a range are counted.
#[derive(Clone, Copy, Debug)]
enum Counting {
    /// As those of any other place.
    Clusters,
    /// In bytes from a place on, whatever they are part of.
    BytesFrom(u32),
    /// Escape by escape from the start of a text on.
    EscapesFrom(u32),
}

impl Range {
    /// The part `span` of `source`.
    pub fn new(source: Arc<Source>, span: Span) -> Self {
        Range { source, span, counting: Counting::Clusters }
    }

    /// The part `span`, its columns counted in bytes from `from` on: faults in strings of JSON have such places, which may even
    /// lie behind the end of the source.
    pub(crate) fn counted_in_bytes(source: Arc<Source>, span: Span, from: u32) -> Self {
        Range { source, span, counting: Counting::BytesFrom(from) }
    }

    /// The part `span` of a quoted text that begins at `from`, in which escapes stand for themselves whatever they meet.
    pub(crate) fn of_escape(source: Arc<Source>, span: Span, from: u32) -> Self {
        Range { source, span, counting: Counting::EscapesFrom(from) }
    }

    /// Where the part begins.
    pub fn start(&self) -> Pos {
        self.position(self.span.start)
    }

    /// Where the part ends.
    pub fn end(&self) -> Pos {
        self.position(self.span.end)
    }

    fn position(&self, offset: u32) -> Pos {
        let (start, columns) = match self.counting {
            Counting::Clusters => return self.source.position(offset),
            Counting::BytesFrom(from) => (from, offset.saturating_sub(from)),
            Counting::EscapesFrom(from) => {
                let text = self.source.slice(Span { start: from, end: offset });
                (from, pieces(text, true).map(grapheme_count).sum())
            }
        };
        let start_position = self.source.position(start);
        Pos {
            line: start_position.line,
            column: start_position.column + columns,
            byte: start_position.byte + offset.saturating_sub(start),
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, end) = (self.start(), self.end());
        write!(f, "{}:{},{}-", self.source.name(), start.line, start.column)?;
        if start.line != end.line {
            write!(f, "{},", end.line)?;
        }
        write!(f, "{}", end.column)
    }
}

/// A message about a source or its evaluation.
///
/// As text it is what the reference makes of it as an error: `file:1,5-8: Summary; Detail`, and `<nil>` where it has no place.
///
/// ```
/// use hieratic_hcl_syntax::Diagnostic;
///
/// assert_eq!(Diagnostic::error("Summary", "Detail.").to_string(), "<nil>: Summary; Detail.");
/// ```
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in a few words.
    pub summary: Cow<'static, str>,
    /// What is wrong and what to do, in sentences.
    pub detail: Cow<'static, str>,
    /// The place.
    pub subject: Option<Range>,
    /// What to show around the place.
    pub context: Option<Range>,
    /// What may have been meant; the reference does not say it.
    pub hint: Option<Cow<'static, str>>,
    /// Whether it is there only because of another message. The reference says it, too; people need not read it.
    pub follows: bool,
}

impl Diagnostic {
    /// An error without a place.
    pub fn error(summary: impl Into<Cow<'static, str>>, detail: impl Into<Cow<'static, str>>) -> Self {
        let (summary, detail) = (summary.into(), detail.into());
        Diagnostic {
            severity: Severity::Error,
            summary,
            detail,
            subject: None,
            context: None,
            hint: None,
            follows: false,
        }
    }

    /// The same as a warning.
    pub fn as_warning(self) -> Self {
        Diagnostic { severity: Severity::Warning, ..self }
    }

    /// The same at a place.
    pub fn at(self, source: &Arc<Source>, span: Span) -> Self {
        self.at_range(Range::new(source.clone(), span))
    }

    /// The same at a place.
    pub fn at_range(self, range: Range) -> Self {
        Diagnostic { subject: Some(range), ..self }
    }

    /// The same with what may have been meant.
    pub fn hinting(self, hint: impl Into<Cow<'static, str>>) -> Self {
        Diagnostic { hint: Some(hint.into()), ..self }
    }

    /// The same as one that may be there only because of another.
    pub fn following(self, follows: bool) -> Self {
        Diagnostic { follows, ..self }
    }

    /// The same with what to show around its place.
    pub fn within(self, source: &Arc<Source>, span: Span) -> Self {
        Diagnostic { context: Some(Range::new(source.clone(), span)), ..self }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.subject {
            Some(range) => write!(f, "{range}: {}; {}", self.summary, self.detail),
            None => write!(f, "<nil>: {}; {}", self.summary, self.detail),
        }
    }
}

impl std::error::Error for Diagnostic {}

/// Messages in the order in which they were found.
///
/// As text they are what the reference makes of them as one error: the first, and how many more there are.
///
/// ```
/// use hieratic_hcl_syntax::{Diagnostic, Diagnostics};
///
/// let mut all = Diagnostics::default();
/// assert_eq!(all.to_string(), "no diagnostics");
/// all.push(Diagnostic::error("A", "b."));
/// all.push(Diagnostic::error("C", "d."));
/// assert_eq!(all.to_string(), "<nil>: A; b., and 1 other diagnostic(s)");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    /// Adds a message.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.0.push(diagnostic);
    }

    /// Adds all of another list.
    pub fn append(&mut self, other: Diagnostics) {
        if self.0.is_empty() {
            self.0 = other.0;
        } else {
            self.0.extend(other.0);
        }
    }

    /// Whether one of them is an error.
    pub fn has_errors(&self) -> bool {
        self.0.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// The messages, to be changed.
    pub fn as_mut_vec(&mut self) -> &mut Vec<Diagnostic> {
        &mut self.0
    }
}

impl std::ops::Deref for Diagnostics {
    type Target = [Diagnostic];

    fn deref(&self) -> &[Diagnostic] {
        &self.0
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        Diagnostics(vec![diagnostic])
    }
}

impl From<Vec<Diagnostic>> for Diagnostics {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Diagnostics(diagnostics)
    }
}

impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<T: IntoIterator<Item = Diagnostic>>(diagnostics: T) -> Self {
        Diagnostics(diagnostics.into_iter().collect())
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<T: IntoIterator<Item = Diagnostic>>(&mut self, diagnostics: T) {
        self.0.extend(diagnostics);
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_slice() {
            [] => f.write_str("no diagnostics"),
            [only] => only.fmt(f),
            [first, rest @ ..] => write!(f, "{first}, and {} other diagnostic(s)", rest.len()),
        }
    }
}

impl std::error::Error for Diagnostics {}
