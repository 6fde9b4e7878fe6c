//! [`Diagnose`]: an error that says as messages what is wrong.

use std::path::Path;

use crate::Diagnostic;

/// Reads the file that an error is about, to show a line of it; none if that cannot be.
pub type Texts<'t> = dyn Fn(&Path) -> Option<String> + 't;

/// An error that says as messages what is wrong.
///
/// An error that holds the text that it is about shows it. One that only names a file asks `texts` for it.
///
/// ```
/// use std::path::Path;
///
/// use hieratic_diagnostics::{Code, Diagnose, Diagnostic, Severity, Source, Texts};
///
/// const ODD: Code = Code::new("odd", "A line is odd");
///
/// struct Odd(&'static str);
///
/// impl Diagnose for Odd {
///     fn diagnose(&self, texts: &Texts<'_>) -> Vec<Diagnostic> {
///         let diagnostic = Diagnostic::new(Severity::Error, ODD, "this is odd");
///         vec![match texts(Path::new(self.0)) {
///             Some(text) => {
///                 let source = Source::new(self.0, text);
///                 let line = source.line(1);
///                 diagnostic.label(source, line, "")
///             }
///             None => diagnostic.location(self.0, Some(1), None),
///         }]
///     }
/// }
///
/// let shown = Odd("a.yaml").diagnose(&|_| Some("a: 1".into()));
/// assert_eq!(shown[0].labels.len(), 1);
/// ```
pub trait Diagnose {
    /// The messages, the most important first; at least one.
    fn diagnose(&self, texts: &Texts<'_>) -> Vec<Diagnostic>;
}
