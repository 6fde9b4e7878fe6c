//! Error recovery, so that one run reports several errors.

use super::{ParseFailed, ParseResult, Parser};
use crate::token::SyntaxKind;

/// The maximum number of errors.
const MOST: usize = 20;

impl Parser<'_> {
    /// Skips what belongs to a statement that began at a byte, in a block that ends with a kind of token.
    ///
    /// People indent: a statement ends before the first line that is indented no more than its own, or with the brace that
    /// begins such a line.
    pub(super) fn resume(&mut self, start: u32, close: SyntaxKind) -> ParseResult<()> {
        if self.is_unrecoverable || self.errors >= MOST {
            return Err(ParseFailed);
        }
        let indentation = self.indentation(start);
        loop {
            let kind = self.kind();
            if kind == SyntaxKind::End && close == SyntaxKind::End {
                return Ok(());
            }
            if matches!(kind, SyntaxKind::End | SyntaxKind::Error) {
                // The missing end is probably in the skipped part.
                self.is_unrecoverable = true;
                return Err(ParseFailed);
            }
            let at = self.lexer.token.start;
            let own = if at > start { self.indentation_of_next() } else { None };
            let ends = own.is_some_and(|own| own <= indentation);
            if ends && kind == SyntaxKind::RightBrace {
                let closes = close == SyntaxKind::RightBrace && own < Some(indentation);
                if !closes {
                    self.skip();
                }
                return Ok(());
            }
            if ends && kind.starts_expression() {
                return Ok(());
            }
            self.skip();
        }
    }

    /// Returns the indentation of the next token, if it is the first on its line.
    fn indentation_of_next(&self) -> Option<usize> {
        let between = self.text.get(self.end as usize..self.lexer.token.start as usize)?;
        between.rfind('\n').map(|newline| leading_blanks(&between[newline + 1..]))
    }

    /// Returns the indentation of the line of a byte.
    fn indentation(&self, at: u32) -> usize {
        let before = self.text.get(..at as usize).unwrap_or("");
        leading_blanks(&before[before.rfind('\n').map_or(0, |newline| newline + 1)..])
    }
}

fn leading_blanks(line: &str) -> usize {
    line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}
