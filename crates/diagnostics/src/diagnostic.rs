//! [`Diagnostic`]: one message, as data.

use crate::{Source, Span};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// What was asked for could not be done.
    Error,
    /// It could, but something should be looked at.
    Warning,
    /// For information.
    Note,
}

/// A part of a source that a message is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The source.
    pub source: Source,
    /// The part of it; a span outside the source is moved inside when it is shown.
    pub span: Span,
    /// What to say beside it; may be empty.
    pub text: String,
    /// Whether this is where the message is about, rather than something related.
    pub primary: bool,
}

/// A place whose text is not at hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file.
    pub file: String,
    /// The line, counted from 1.
    pub line: Option<u32>,
    /// The column in characters, counted from 1.
    pub column: Option<u32>,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The id of its code.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// Where, with the text.
    pub labels: Vec<Label>,
    /// Where, without the text.
    pub locations: Vec<Location>,
    /// What else is to be known.
    pub notes: Vec<String>,
    /// What to try.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// A message without a place.
    pub fn new(severity: Severity, code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity,
            code,
            message: message.into(),
            labels: Vec::new(),
            locations: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
        }
    }

    /// Adds a part of a source; the first is where the message is about.
    pub fn label(mut self, source: Source, span: Span, text: impl Into<String>) -> Diagnostic {
        let primary = self.labels.is_empty();
        self.labels.push(Label { source, span, text: text.into(), primary });
        self
    }

    /// Adds a place whose text is not at hand.
    pub fn location(mut self, file: impl Into<String>, line: Option<u32>, column: Option<u32>) -> Diagnostic {
        self.locations.push(Location { file: file.into(), line, column });
        self
    }

    /// Adds what else is to be known.
    pub fn note(mut self, note: impl Into<String>) -> Diagnostic {
        self.notes.push(note.into());
        self
    }

    /// Adds what to try.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help.push(help.into());
        self
    }
}
