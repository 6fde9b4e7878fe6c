//! [`is_incomplete`]: detects input that continues on the next line.

use hieratic::code::read_code;
use hieratic_diagnostics::{Severity, Source};
use hieratic_puppet_syntax::codes;

/// Returns whether the input is incomplete, so that it continues on the next line.
pub(super) fn is_incomplete(text: &str) -> bool {
    let source = Source::new("", text);
    let read = read_code(&source, false, &Default::default());
    let first = read.problems.iter().find(|problem| problem.severity == Severity::Error);
    first.is_some_and(|problem| {
        problem.message == "Syntax error at end of input"
            || matches!(
                problem.issue,
                codes::UNCLOSED_QUOTE
                    | codes::UNCLOSED_MLCOMMENT
                    | codes::HEREDOC_WITHOUT_TEXT
                    | codes::HEREDOC_WITHOUT_END_TAGGED_LINE
            )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn incomplete_input_continues() {
        assert!(is_incomplete("[1, 2"));
        assert!(is_incomplete("'abc"));
        assert!(is_incomplete("@(END)\ntext"));
        assert!(!is_incomplete("[1, 2]"));
        assert!(!is_incomplete("[1, 2}"));
    }
}
