//! [`Finding`]: an error or an ineffective part of a file.

use hieratic_source::Span;

/// A part of a file that the program rejects, or that has no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The span in the file.
    pub span: Span,
    /// The message.
    pub message: String,
    /// The text to write instead.
    pub help: Option<String>,
    /// Whether the program rejects the file. Otherwise, it ignores the argument.
    pub is_refused: bool,
}
