//! Reading on behind an error, so that one reading finds more than one.

use super::{Failed, Parse, Parser};
use crate::token::Kind;

/// So many errors are enough.
const MOST: usize = 20;

impl Parser<'_> {
    /// Skips what belongs to a statement that began at a byte, in a block that ends with a kind of token.
    ///
    /// People indent: a statement ends before the first line that is indented no more than its own, or with the brace that
    /// begins such a line.
    pub(super) fn resume(&mut self, start: u32, close: Kind) -> Parse<()> {
        let indentation = self.indentation(start);
        let failed_at = self.token.start;
        if self.hopeless || self.problems.len() >= MOST {
            return Err(Failed);
        }
        loop {
            match self.kind() {
                Kind::Fault => {
                    self.hopeless = true;
                    return Err(Failed);
                }
                Kind::End if close == Kind::End => return Ok(()),
                Kind::End => {
                    // The end is no second error.
                    self.hopeless = true;
                    return Err(Failed);
                }
                kind => {
                    let at = self.token.start;
                    let moved = at > start;
                    if moved && self.begins_line(at) && self.indentation(at) <= indentation {
                        if kind != Kind::RightBrace {
                            if kind.starts_expression() && (at > failed_at || at > start) {
                                return Ok(());
                            }
                        } else if close == Kind::RightBrace && self.indentation(at) < indentation {
                            return Ok(());
                        } else {
                            self.skip();
                            return Ok(());
                        }
                    }
                    self.skip();
                }
            }
        }
    }

    /// Whether only blanks stand before a byte on its line.
    fn begins_line(&self, at: u32) -> bool {
        let before = self.text.get(..at as usize).unwrap_or("");
        let line = before.rsplit('\n').next().unwrap_or("");
        line.bytes().all(|byte| matches!(byte, b' ' | b'\t'))
    }

    /// How many blanks begin the line of a byte.
    fn indentation(&self, at: u32) -> usize {
        let before = self.text.get(..at as usize).unwrap_or("");
        let line = before.rfind('\n').map_or(0, |newline| newline + 1);
        self.text[line..].bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
    }
}
