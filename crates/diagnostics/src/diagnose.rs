//! [`Diagnose`]: an error that can be reported as diagnostics.

use crate::Diagnostic;

/// An error that can be reported as diagnostics.
///
/// The error owns the source that was parsed. The file is not read again for an excerpt: it could have changed, or
/// belong to another revision.
///
/// ```
/// use hieratic_diagnostics::{Code, Diagnose, Diagnostic, Severity, Source, Span};
///
/// const ODD: Code = Code::new("odd", "A line is odd");
///
/// struct Odd(Source, Span);
///
/// impl Diagnose for Odd {
///     fn diagnose(&self) -> Vec<Diagnostic> {
///         vec![Diagnostic::new(Severity::Error, ODD, "this is odd").label(self.0.clone(), self.1, "")]
///     }
/// }
///
/// let source = Source::new("a.yaml", "a: 1");
/// let shown = Odd(source.clone(), source.line(1)).diagnose();
/// assert_eq!(shown[0].labels.len(), 1);
/// ```
pub trait Diagnose {
    /// Returns the messages, the most important first. There is at least one.
    fn diagnose(&self) -> Vec<Diagnostic>;
}
