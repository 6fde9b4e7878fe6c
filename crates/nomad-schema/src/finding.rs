//! [`Finding`]: something wrong in a file.

use hieratic_source::Span;

/// Something that the program refuses, or that has no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The bytes of the file.
    pub span: Span,
    /// The message.
    pub message: String,
    /// The text to write instead.
    pub help: Option<String>,
    /// Whether the program refuses the file. If not, it ignores the argument.
    pub is_refused: bool,
}
