//! Messages about tokens that are invalid in every context.

use std::sync::Arc;

use crate::scanner::{Token, TokenKind};
use crate::{Problem, Source};

/// The number of reports of each kind of mistake, which limits repeated messages.
#[derive(Default)]
struct ReportCounts {
    bitwise: u32,
    backticks: u32,
    apostrophes: u32,
    semicolons: u32,
    encoding: u32,
}

/// The messages about invalid tokens.
pub(crate) fn problems(source: &Arc<Source>, tokens: &[Token]) -> Vec<Problem> {
    let mut counts = ReportCounts::default();
    let message = |token: &Token| {
        let (summary, detail) = counts.message(source, *token)?;
        Some(Problem::error(summary, detail).at(source, token.span()))
    };
    tokens.iter().filter_map(message).collect()
}

impl ReportCounts {
    fn message(&mut self, source: &Source, token: Token) -> Option<(&'static str, &'static str)> {
        const CHARACTER: &str = "Invalid character";
        match token.kind {
            TokenKind::Ampersand | TokenKind::Pipe | TokenKind::Caret | TokenKind::Tilde => {
                let detail = match token.kind {
                    TokenKind::Ampersand => "Bitwise operators are not supported. Did you mean boolean AND (\"&&\")?",
                    TokenKind::Pipe => "Bitwise operators are not supported. Did you mean boolean OR (\"||\")?",
                    TokenKind::Tilde => "Bitwise operators are not supported. Did you mean boolean NOT (\"!\")?",
                    _ => "Bitwise operators are not supported.",
                };
                count_up_to(&mut self.bitwise, 4).then_some(("Unsupported operator", detail))
            }
            TokenKind::Backtick => count_pair(&mut self.backticks).then_some((
                CHARACTER,
                "The \"`\" character is not valid. To create a multi-line string, use the \"heredoc\" syntax, like \"<<EOT\".",
            )),
            TokenKind::Apostrophe => count_pair(&mut self.apostrophes)
                .then_some((CHARACTER, "Single quotes are not valid. Use double quotes (\") to enclose strings.")),
            TokenKind::Semicolon => count_up_to(&mut self.semicolons, 1).then_some((
                CHARACTER,
                "The \";\" character is not valid. Use newlines to separate arguments and blocks, and commas to separate \
                 items in collection values.",
            )),
            TokenKind::BadUtf8 => count_up_to(&mut self.encoding, 1).then_some((
                "Invalid character encoding",
                "All input files must be UTF-8 encoded. Ensure that UTF-8 encoding is selected in your editor.",
            )),
            TokenKind::QuotedNewline => Some((
                "Invalid multi-line string",
                "Quoted strings may not be split over multiple lines. To produce a multi-line string, either use the \\n \
                 escape to represent a newline character or use the \"heredoc\" multi-line template syntax.",
            )),
            TokenKind::Invalid if matches!(&*source.text(token.span()), "“" | "”") => Some((
                CHARACTER,
                "\"Curly quotes\" are not valid here. These can sometimes be inadvertently introduced when sharing code via \
                 documents or discussion forums. It might help to replace the character with a \"straight quote\".",
            )),
            _ => Some((CHARACTER, "This character is not used within the language.")),
        }
    }
}

/// Counts a report, and returns whether there were fewer than `limit` before it.
fn count_up_to(count: &mut u32, limit: u32) -> bool {
    let report = *count < limit;
    *count += u32::from(report);
    report
}

/// Counts a character that comes in pairs, and returns whether to report it: only the first and the third are.
fn count_pair(count: &mut u32) -> bool {
    let report = count.is_multiple_of(2);
    *count += u32::from(*count <= 2);
    report
}
