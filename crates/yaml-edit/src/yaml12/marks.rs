//! Tags, and the directives before a document.

use std::borrow::Cow;

use super::cursor::Mark;
use super::error::{Yaml12Error, describe_char};
use super::scanner::Scanner;
use super::token::{Directive, Tag, TokenKind};

impl<'t> Scanner<'t> {
    pub(super) fn scan_directive(&mut self) -> Result<(), Yaml12Error> {
        const CONTEXT: &str = "while scanning a directive";
        let start = self.cursor.mark();
        let wrong = |scanner: &Self, expected: &str| {
            let problem = format!("expected {expected}, but found {}", describe_char(scanner.cursor.character()));
            Yaml12Error::new(problem, scanner.cursor.mark()).during(CONTEXT, start)
        };
        let ends = |scanner: &Self| scanner.cursor.byte(0) == b' ' || scanner.cursor.is_line_end(0);
        self.cursor.forward(1);
        let from = self.cursor.mark();
        self.cursor.skip(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':' | b'.'));
        let name = self.cursor.since(from);
        if name.is_empty() || !ends(self) {
            return Err(wrong(self, "alphabetic or numeric character"));
        }
        let directive = match name {
            "YAML" => {
                self.cursor.skip(|byte| byte == b' ');
                let major = self.number().ok_or_else(|| wrong(self, "a digit"))?;
                if self.cursor.byte(0) != b'.' {
                    return Err(wrong(self, "a digit or '.'"));
                }
                self.cursor.forward(1);
                let minor = self.number().ok_or_else(|| wrong(self, "a digit"))?;
                if !ends(self) {
                    return Err(wrong(self, "a digit or '.'"));
                }
                self.is_yaml11 = (major, minor) == (1, 1);
                Directive::Yaml(major)
            }
            "TAG" => {
                self.cursor.skip(|byte| byte == b' ');
                let handle = self.handle("directive", start)?;
                if self.cursor.byte(0) != b' ' {
                    return Err(wrong(self, "' '"));
                }
                self.cursor.skip(|byte| byte == b' ');
                let prefix = self.uri("directive", start)?;
                if !ends(self) {
                    return Err(wrong(self, "' '"));
                }
                Directive::Tag(handle, prefix)
            }
            _ => {
                self.cursor.forward_to_line_end();
                Directive::Other
            }
        };
        let end = self.cursor.mark();
        self.cursor.skip(|byte| byte == b' ');
        if self.cursor.byte(0) == b'#' {
            self.cursor.forward_to_line_end();
        }
        if !self.cursor.is_line_end(0) {
            return Err(wrong(self, "a comment or a line break"));
        }
        self.cursor.line_break();
        self.push(TokenKind::Directive(directive), start);
        self.ends_at(end);
        Ok(())
    }

    /// A number of decimal digits; one that is too large counts as the largest.
    fn number(&mut self) -> Option<u64> {
        let from = self.cursor.mark();
        self.cursor.skip(|byte| byte.is_ascii_digit());
        let digits = self.cursor.since(from);
        (!digits.is_empty()).then(|| digits.parse().unwrap_or(u64::MAX))
    }

    pub(super) fn tag(&mut self) -> Result<(), Yaml12Error> {
        let start = self.cursor.mark();
        let wrong = |scanner: &Self, context: &str, expected: &str| {
            let problem = format!("expected {expected}, but found {}", describe_char(scanner.cursor.character()));
            Yaml12Error::new(problem, scanner.cursor.mark()).during(context, start)
        };
        let tag = if self.cursor.byte(1) == b'<' {
            self.cursor.forward(2);
            let suffix = self.uri("tag", start)?;
            if self.cursor.byte(0) != b'>' {
                return Err(wrong(self, "while parsing a tag", "'>'"));
            }
            self.cursor.forward(1);
            Tag { handle: None, suffix }
        } else if self.cursor.is_gap(1) {
            self.cursor.forward(1);
            Tag { handle: None, suffix: Cow::Borrowed("!") }
        } else {
            let word = self.cursor.rest().get(1..).unwrap_or_default();
            let word = word.split([' ', '\r', '\n', '\u{85}', '\u{2028}', '\u{2029}']).next().unwrap_or_default();
            let handle = if word.contains('!') {
                self.handle("tag", start)?
            } else {
                let from = self.cursor.mark();
                self.cursor.forward(1);
                self.cursor.since(from)
            };
            Tag { handle: Some(handle), suffix: self.uri("tag", start)? }
        };
        if self.cursor.byte(0) != b' ' && !self.cursor.is_line_end(0) {
            return Err(wrong(self, "while scanning a tag", "' '"));
        }
        self.push(TokenKind::Tag(tag), start);
        Ok(())
    }

    /// `!`, `!!` or `!name!`.
    fn handle(&mut self, subject: &str, start: Mark) -> Result<&'t str, Yaml12Error> {
        let wrong = |scanner: &Self| {
            let problem = format!("expected '!', but found {}", describe_char(scanner.cursor.character()));
            Yaml12Error::new(problem, scanner.cursor.mark()).during(format!("while scanning an {subject}"), start)
        };
        let from = self.cursor.mark();
        if self.cursor.byte(0) != b'!' {
            return Err(wrong(self));
        }
        self.cursor.forward(1);
        if self.cursor.byte(0) != b' ' {
            self.cursor.skip(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
            if self.cursor.byte(0) != b'!' {
                return Err(wrong(self));
            }
            self.cursor.forward(1);
        }
        Ok(self.cursor.since(from))
    }

    fn uri(&mut self, subject: &str, start: Mark) -> Result<Cow<'t, str>, Yaml12Error> {
        let is_yaml11 = self.is_yaml11;
        let mut uri = Cow::Borrowed("");
        loop {
            let from = self.cursor.mark();
            self.cursor.skip(|byte| {
                byte.is_ascii_alphanumeric() || b"-;/?:@&=+$,_.!~*'()[]".contains(&byte) || (byte == b'#' && !is_yaml11)
            });
            let piece = self.cursor.since(from);
            if uri.is_empty() {
                uri = Cow::Borrowed(piece);
            } else {
                uri.to_mut().push_str(piece);
            }
            if self.cursor.byte(0) != b'%' {
                break;
            }
            let escaped = self.uri_escapes(subject, start)?;
            uri.to_mut().push_str(&escaped);
        }
        if uri.is_empty() {
            let problem = format!("expected URI, but found {}", describe_char(self.cursor.character()));
            return Err(
                Yaml12Error::new(problem, self.cursor.mark()).during(format!("while parsing an {subject}"), start)
            );
        }
        Ok(uri)
    }

    /// Characters that are written as `%C3%A9`.
    fn uri_escapes(&mut self, subject: &str, start: Mark) -> Result<String, Yaml12Error> {
        let from = self.cursor.mark();
        let context = format!("while scanning an {subject}");
        let mut bytes = Vec::new();
        while self.cursor.byte(0) == b'%' {
            self.cursor.forward(1);
            let digits = self.cursor.rest().get(..2).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
            let Some(byte) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) else {
                let found = self.cursor.rest().chars().chain(['\0']).take(2).find(|c| !c.is_ascii_hexdigit());
                let problem = format!(
                    "expected URI escape sequence of 2 hexdecimal numbers, but found {}",
                    describe_char(found.unwrap_or('\0'))
                );
                return Err(Yaml12Error::new(problem, self.cursor.mark()).during(context, start));
            };
            bytes.push(byte);
            self.cursor.forward(2);
        }
        String::from_utf8(bytes)
            .map_err(|_| Yaml12Error::new("the escapes of the URI are not UTF-8", from).during(context, start))
    }
}
