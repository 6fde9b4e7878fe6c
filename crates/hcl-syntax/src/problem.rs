//! What is wrong, and where.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use hieratic_diagnostics::{Diagnose, Diagnostic, Severity};

use crate::literal::pieces;
use crate::{Position, Source, Span, codes, grapheme_count};

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

    /// The bytes of the file that the part is.
    pub fn bytes(&self) -> std::ops::Range<u32> {
        let first = self.source.first_byte();
        let length = self.source.bytes().len() as u32;
        let byte = |offset: u32| match self.counting {
            Counting::Clusters => first + offset.min(length),
            Counting::BytesFrom(_) | Counting::EscapesFrom(_) => first + offset,
        };
        byte(self.span.start)..byte(self.span.end)
    }

    /// Where the part begins.
    pub fn start(&self) -> Position {
        self.position(self.span.start)
    }

    /// Where the part ends.
    pub fn end(&self) -> Position {
        self.position(self.span.end)
    }

    fn position(&self, offset: u32) -> Position {
        let (start, columns) = match self.counting {
            Counting::Clusters => return self.source.position(offset),
            Counting::BytesFrom(from) => (from, offset.saturating_sub(from)),
            Counting::EscapesFrom(from) => {
                let text = self.source.slice(Span { start: from, end: offset });
                (from, pieces(text, true).map(grapheme_count).sum())
            }
        };
        let start = self.source.position(start);
        Position { column: start.column + columns, ..start }
    }
}

impl Range {
    /// Adds the part to a message that is about it.
    fn placing(&self, diagnostic: Diagnostic) -> Diagnostic {
        if self.source.name().is_empty() {
            // What was given on the command line has no place.
            return diagnostic;
        }
        let start = self.source.start();
        if start.line == 1 && start.column == 1 && self.source.as_text().content().is_text() {
            return diagnostic.label(self.source.as_text().clone(), self.span, "");
        }
        // A text within another one, such as a template in JSON, has no lines of its own.
        let start = self.start();
        diagnostic.location(self.source.name().as_ref(), Some(start.line), Some(start.column))
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

/// Something that is wrong with a source, or was found when it was evaluated.
///
/// As text it is what the reference makes of it as an error: `file:1,5-8: Summary; Detail`, and `<nil>` where it has no place.
///
/// ```
/// use hieratic_hcl_syntax::Problem;
///
/// assert_eq!(Problem::error("Summary", "Detail.").to_string(), "<nil>: Summary; Detail.");
/// ```
///
/// As a [`Diagnostic`] the summary is the message, with a label on the place, and the detail is a note. The text that it is about is
/// shared, and so is where the lines of it begin.
///
/// ```
/// use hieratic_diagnostics::Diagnose;
/// use hieratic_hcl_syntax::{Source, parse_config};
///
/// let told = parse_config(Source::new("a.hcl", "a = 1\na = 2\na = 3\n")).problems.diagnose();
/// let text = |at: usize| told[at].labels[0].source.text().as_ptr();
/// assert_eq!((told.len(), text(0)), (2, text(1)));
/// ```
#[derive(Clone, Debug)]
pub struct Problem {
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

impl Problem {
    /// An error without a place.
    pub fn error(summary: impl Into<Cow<'static, str>>, detail: impl Into<Cow<'static, str>>) -> Self {
        let (summary, detail) = (summary.into(), detail.into());
        Problem { severity: Severity::Error, summary, detail, subject: None, context: None, hint: None, follows: false }
    }

    /// The same as a warning.
    pub fn as_warning(self) -> Self {
        Problem { severity: Severity::Warning, ..self }
    }

    /// The same at a place.
    pub fn at(self, source: &Arc<Source>, span: Span) -> Self {
        self.at_range(Range::new(source.clone(), span))
    }

    /// The same at a place.
    pub fn at_range(self, range: Range) -> Self {
        Problem { subject: Some(range), ..self }
    }

    /// The same with what may have been meant.
    pub fn hinting(self, hint: impl Into<Cow<'static, str>>) -> Self {
        Problem { hint: Some(hint.into()), ..self }
    }

    /// The same as one that may be there only because of another.
    pub fn following(self, follows: bool) -> Self {
        Problem { follows, ..self }
    }

    /// The same with what to show around its place.
    pub fn within(self, source: &Arc<Source>, span: Span) -> Self {
        Problem { context: Some(Range::new(source.clone(), span)), ..self }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.subject {
            Some(range) => write!(f, "{range}: {}; {}", self.summary, self.detail),
            None => write!(f, "<nil>: {}; {}", self.summary, self.detail),
        }
    }
}

impl std::error::Error for Problem {}

impl Diagnose for Problem {
    fn diagnose(&self) -> Vec<Diagnostic> {
        let mut diagnostic = Diagnostic::new(self.severity, codes::HCL, self.summary.as_ref());
        // Some messages of the reference have no place, but are about one.
        if let Some(range) = self.subject.as_ref().or(self.context.as_ref()) {
            diagnostic = range.placing(diagnostic);
        }
        if !self.detail.is_empty() {
            diagnostic = diagnostic.note(self.detail.as_ref());
        }
        if let Some(hint) = &self.hint {
            diagnostic = diagnostic.help(hint.as_ref());
        }
        vec![diagnostic]
    }
}

/// Problems in the order in which they were found.
///
/// As text they are what the reference makes of them as one error: the first, and how many more there are.
///
/// ```
/// use hieratic_hcl_syntax::{Problem, Problems};
///
/// let mut all = Problems::default();
/// assert_eq!(all.to_string(), "no diagnostics");
/// all.push(Problem::error("A", "b."));
/// all.push(Problem::error("C", "d."));
/// assert_eq!(all.to_string(), "<nil>: A; b., and 1 other diagnostic(s)");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// Adds a problem.
    pub fn push(&mut self, problem: Problem) {
        self.0.push(problem);
    }

    /// Adds all of another list.
    pub fn append(&mut self, other: Problems) {
        if self.0.is_empty() {
            self.0 = other.0;
        } else {
            self.0.extend(other.0);
        }
    }

    /// Whether one of them is an error.
    pub fn has_errors(&self) -> bool {
        self.0.iter().any(|problem| problem.severity == Severity::Error)
    }

    /// The problems, to be changed.
    pub fn as_mut_vec(&mut self) -> &mut Vec<Problem> {
        &mut self.0
    }
}

impl std::ops::Deref for Problems {
    type Target = [Problem];

    fn deref(&self) -> &[Problem] {
        &self.0
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Problems(vec![problem])
    }
}

impl From<Vec<Problem>> for Problems {
    fn from(problems: Vec<Problem>) -> Self {
        Problems(problems)
    }
}

impl FromIterator<Problem> for Problems {
    fn from_iter<T: IntoIterator<Item = Problem>>(problems: T) -> Self {
        Problems(problems.into_iter().collect())
    }
}

impl Extend<Problem> for Problems {
    fn extend<T: IntoIterator<Item = Problem>>(&mut self, problems: T) {
        self.0.extend(problems);
    }
}

impl IntoIterator for Problems {
    type Item = Problem;
    type IntoIter = std::vec::IntoIter<Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Problems {
    type Item = &'a Problem;
    type IntoIter = std::slice::Iter<'a, Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_slice() {
            [] => f.write_str("no diagnostics"),
            [only] => only.fmt(f),
            [first, rest @ ..] => write!(f, "{first}, and {} other diagnostic(s)", rest.len()),
        }
    }
}

impl std::error::Error for Problems {}

impl Diagnose for Problems {
    fn diagnose(&self) -> Vec<Diagnostic> {
        self.iter().flat_map(Diagnose::diagnose).collect()
    }
}
