//! [`Diagnostic`]: one message, as data. [`crate::render`] writes it.

use crate::{Code, Source, Span};

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The operation failed.
    Error,
    /// The operation succeeded, but something should be checked.
    Warning,
    /// For information.
    Note,
}

impl Severity {
    /// Returns the name in every format: `error`, `warning` or `note`.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// A part of a source that a message is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The source.
    pub source: Source,
    /// The span in the source. Renderers clamp it to the source.
    pub span: Span,
    /// The text next to the excerpt. It may be empty.
    pub text: String,
    /// Whether this is the subject of the message and not only related to it.
    pub primary: bool,
}

/// A position in a file whose content is not loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file.
    pub file: String,
    /// The line, counted from 1.
    pub line: Option<u32>,
    /// The column in characters, counted from 1. It is ignored without a line.
    pub column: Option<u32>,
}

/// An error, a warning or a note, as data. Renderers in [`render`](crate::render) write it.
///
/// ```
/// use hieratic_diagnostics::{Code, Diagnostic, Severity, Source, Span};
///
/// const VERSION: Code = Code::new("hiera-version", "The version of a hiera.yaml is not supported");
/// let source = Source::new("hiera.yaml", "version: 4\n");
/// let diagnostic = Diagnostic::new(Severity::Error, VERSION, "this version is not supported")
///     .label(source, Span { start: 9, end: 10 }, "only 5 is")
///     .help("write `version: 5`");
/// assert!(diagnostic.labels[0].primary);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The kind of message.
    pub code: Code,
    /// The message, which names the error.
    pub message: String,
    /// The positions with their sources.
    pub labels: Vec<Label>,
    /// The positions whose sources are not loaded.
    pub locations: Vec<Location>,
    /// Additional lines with more information.
    pub notes: Vec<String>,
    /// The last lines, with the remedy.
    pub help: Vec<String>,
    /// The parts of the message that are quoted from code or data, for redaction. They are not printed separately.
    pub quoted: Vec<String>,
}

impl Diagnostic {
    /// Creates a message without a position.
    pub fn new(severity: Severity, code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity,
            code,
            message: message.into(),
            labels: Vec::new(),
            locations: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
            quoted: Vec::new(),
        }
    }

    /// Adds a span of a source. The first label is the subject of the message; later ones are related to it.
    pub fn label(mut self, source: Source, span: Span, text: impl Into<String>) -> Diagnostic {
        // Most messages have one of each, and thousands of messages are in memory at once.
        self.labels.reserve_exact(1);
        let primary = !self.labels.iter().any(|label| label.primary);
        self.labels.push(Label { source, span, text: text.into(), primary });
        self
    }

    /// Adds a span that is only related to the subject of the message.
    pub fn related(mut self, source: Source, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { source, span, text: text.into(), primary: false });
        self
    }

    /// Adds a position in a file whose content is not loaded.
    pub fn location(mut self, file: impl Into<String>, line: Option<u32>, column: Option<u32>) -> Diagnostic {
        self.locations.push(Location { file: file.into(), line, column });
        self
    }

    /// Adds a note.
    pub fn note(mut self, note: impl Into<String>) -> Diagnostic {
        self.notes.reserve_exact(1);
        self.notes.push(note.into());
        self
    }

    /// Marks a part of the message as a quotation from code or data.
    pub fn quoting(mut self, text: impl Into<String>) -> Diagnostic {
        self.quoted.reserve_exact(1);
        self.quoted.push(text.into());
        self
    }

    /// Adds a remedy.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help.reserve_exact(1);
        self.help.push(help.into());
        self
    }
}
