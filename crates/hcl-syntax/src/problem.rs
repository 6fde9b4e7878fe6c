//! Errors and warnings with their positions.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use hieratic_diagnostics::{Diagnose, Diagnostic, Severity};

use crate::columns::ColumnRule;
use crate::{Position, Source, Span, codes};

/// A span with its source.
///
/// `Display` prints the reference's notation: `file:1,5-8`, or `file:1,5-2,1` for several lines.
#[derive(Clone, Debug)]
pub struct Range {
    /// The source.
    pub source: Arc<Source>,
    /// The span.
    pub span: Span,
    columns: ColumnRule,
}

impl Range {
    /// Creates a range.
    pub fn new(source: Arc<Source>, span: Span) -> Self {
        let columns = source.columns;
        Range { source, span, columns }
    }

    /// A part whose columns are counted by another rule than those of its source.
    pub(crate) fn counted_by(columns: ColumnRule, source: Arc<Source>, span: Span) -> Self {
        Range { source, span, columns }
    }

    /// Returns the byte range in the file.
    pub fn bytes(&self) -> std::ops::Range<u32> {
        let first = self.source.first_byte();
        let length = self.source.bytes().len() as u32;
        let byte = |offset: u32| first + if self.columns.reaches_beyond_end() { offset } else { offset.min(length) };
        byte(self.span.start)..byte(self.span.end)
    }

    /// Returns the position of the start.
    pub fn start(&self) -> Position {
        self.columns.position(&self.source, self.span.start)
    }

    /// Returns the position of the end.
    pub fn end(&self) -> Position {
        self.columns.position(&self.source, self.span.end)
    }
}

impl Range {
    /// Adds the part to a message that is about it.
    fn placing(&self, diagnostic: Diagnostic) -> Diagnostic {
        if self.source.name().is_empty() {
            // A problem of a value from the command line has no position.
            return diagnostic;
        }
        let start = self.source.start();
        if start.line == 1 && start.column == 1 && self.source.as_text().content().is_text() {
            return diagnostic.label(self.source.as_text().clone(), self.span, "");
        }
        // A source within another one, such as a template in JSON, has no separate line numbers.
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

/// An error or a warning about a source, found when it was parsed or evaluated.
///
/// `Display` prints the reference's form of an error: `file:1,5-8: Summary; Detail`, with `<nil>` if it has no
/// position.
///
/// ```
/// use hieratic_hcl_syntax::Problem;
///
/// assert_eq!(Problem::error("Summary", "Detail.").to_string(), "<nil>: Summary; Detail.");
/// ```
///
/// In a [`Diagnostic`] the summary is the message, with a label at the position, and the detail is a note. The source
/// and its line index are shared between diagnostics.
///
/// ```
/// use hieratic_diagnostics::Diagnose;
/// use hieratic_hcl_syntax::{Source, parse_config};
///
/// let diagnostics = parse_config(Source::new("a.hcl", "a = 1\na = 2\na = 3\n")).problems.diagnose();
/// let text = |at: usize| diagnostics[at].labels[0].source.text().as_ptr();
/// assert_eq!((diagnostics.len(), text(0)), (2, text(1)));
/// ```
#[derive(Clone, Debug)]
pub struct Problem {
    /// The severity: error or warning.
    pub severity: Severity,
    /// A short description of the error.
    pub summary: Cow<'static, str>,
    /// The error and its solution, in complete sentences.
    pub detail: Cow<'static, str>,
    /// The position.
    pub subject: Option<Range>,
    /// The surrounding range that an excerpt should include.
    pub context: Option<Range>,
    /// A suggestion in addition to the reference's message.
    pub hint: Option<Cow<'static, str>>,
    /// Whether the problem may only be a consequence of another one. The reference reports it as well; output for
    /// people may leave it out.
    pub follows: bool,
}

impl Problem {
    /// Creates an error without a position.
    pub fn error(summary: impl Into<Cow<'static, str>>, detail: impl Into<Cow<'static, str>>) -> Self {
        let (summary, detail) = (summary.into(), detail.into());
        Problem { severity: Severity::Error, summary, detail, subject: None, context: None, hint: None, follows: false }
    }

    /// Converts the problem to a warning.
    pub fn as_warning(self) -> Self {
        Problem { severity: Severity::Warning, ..self }
    }

    /// Sets the position.
    pub fn at(self, source: &Arc<Source>, span: Span) -> Self {
        self.at_range(Range::new(source.clone(), span))
    }

    /// Sets the position to a range.
    pub fn at_range(self, range: Range) -> Self {
        Problem { subject: Some(range), ..self }
    }

    /// Adds a suggestion.
    pub fn with_hint(self, hint: impl Into<Cow<'static, str>>) -> Self {
        Problem { hint: Some(hint.into()), ..self }
    }

    /// Sets whether the problem may be only a consequence of another one.
    pub fn with_follows(self, follows: bool) -> Self {
        Problem { follows, ..self }
    }

    /// Sets the surrounding range that an excerpt should include.
    pub fn with_context(self, source: &Arc<Source>, span: Span) -> Self {
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
        // Some messages of the reference have no position, but a context.
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
/// `Display` prints what the reference prints for an error: the first problem, and the number of the others.
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

    /// Adds all problems of another list.
    pub fn append(&mut self, other: Problems) {
        if self.0.is_empty() {
            self.0 = other.0;
        } else {
            self.0.extend(other.0);
        }
    }

    /// Returns whether at least one problem is an error.
    pub fn has_errors(&self) -> bool {
        self.0.iter().any(|problem| problem.severity == Severity::Error)
    }

    /// Returns the problems for changes.
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
