//! Strings: what is between quotes, with escapes resolved and interpolations read as code.
//!
//! See [strings](https://www.puppet.com/docs/puppet/8/lang_data_string.html).

use hieratic_value::Str;

use super::token::Kind;
use super::{DEEPEST, Lexer, Step, variable_length};
use crate::problem::Problem;

/// Which escapes a text has.
#[derive(Clone, Debug)]
pub(super) enum Escapes {
    /// All of double quotes; others are warned of.
    Double,
    /// Those that a heredoc names; others are left as they are.
    Listed(Vec<char>),
}

impl Escapes {
    fn has(&self, c: char) -> bool {
        match self {
            Escapes::Double => matches!(c, '\\' | '$' | '\'' | '"' | 'r' | 'n' | 't' | 's' | 'u' | '\n'),
            Escapes::Listed(listed) => listed.contains(&c),
        }
    }
}

/// What ends a piece of a string.
enum End {
    /// The string itself.
    Closed,
    /// `${`
    Expression,
    /// `$`, which may begin a name.
    Dollar,
}

impl Lexer<'_, '_> {
    pub(super) fn single_quoted(&mut self) -> Step {
        let start = self.at;
        let mut at = start + 1;
        let mut escaped = false;
        loop {
            match self.bytes.get(at) {
                None => {
                    let message =
                        format!("Unclosed quote after \"'\" followed by '{}'", self.followed_by(start + 1));
                    return Err(self.fault("unclosed-quote", message, start + 1));
                }
                Some(b'\'') => break,
                Some(b'\\') => {
                    escaped = true;
                    at += 2;
                }
                Some(_) => at += 1,
            }
        }
        let raw = &self.text[start + 1..at];
        let text: Str = if escaped { unescape_single(raw).into() } else { raw.into() };
        self.at = at + 1;
        self.push(Kind::String, start, Some(text));
        Ok(())
    }

    pub(super) fn double_quoted(&mut self) -> Step {
        let (start, tokens) = (self.at, self.out.tokens.len());
        self.at += 1;
        self.pieces(start, Some(b'"'), &Escapes::Double).inspect_err(|_| {
            // The whole string is one fault.
            self.out.tokens.truncate(tokens);
        })
    }

    /// Reads the pieces of a string, up to a quote or to the end of the text, and the code between them.
    pub(super) fn pieces(&mut self, start: usize, quote: Option<u8>, escapes: &Escapes) -> Step {
        let mut piece_start = start;
        let mut first = true;
        let mut text = String::new();
        let mut last = "\"";
        loop {
            let (raw, end) = self.piece(quote, last)?;
            self.unescape(raw.0, raw.1, escapes, &mut text)?;
            last = match end {
                End::Closed => {
                    let kind = if first { Kind::String } else { Kind::DqPost };
                    let piece = std::mem::take(&mut text);
                    self.push(kind, piece_start, Some(piece.into()));
                    return Ok(());
                }
                End::Expression => {
                    let kind = if first { Kind::DqPre } else { Kind::DqMid };
                    self.push(kind, piece_start, Some(std::mem::take(&mut text).into()));
                    self.interpolation()?;
                    "${"
                }
                End::Dollar => {
                    let length = variable_length(&self.bytes[self.at..]);
                    if length == 0 {
                        text.push('$');
                        last = "$";
                        continue;
                    }
                    let name: Str = self.text[self.at..self.at + length].into();
                    let dollar = self.at - 1;
                    let kind = if first { Kind::DqPre } else { Kind::DqMid };
                    let after = self.at;
                    self.at = dollar;
                    self.push(kind, piece_start, Some(std::mem::take(&mut text).into()));
                    self.at = after + length;
                    self.push(Kind::Variable, dollar, Some(name));
                    "$"
                }
            };
            first = false;
            piece_start = self.at;
        }
    }

    /// The next piece without what ends it; the text goes on behind that.
    fn piece(&mut self, quote: Option<u8>, last: &str) -> Step<((usize, usize), End)> {
        let start = self.at;
        let mut at = start;
        loop {
            match self.bytes.get(at) {
                None if quote.is_none() => {
                    self.at = at;
                    return Ok(((start, at), End::Closed));
                }
                None => {
                    let followed = self.followed_by(start);
                    let shown = if last == "'" { "\"'\"".to_owned() } else { format!("'{last}'") };
                    let message = format!("Unclosed quote after {shown} followed by '{followed}'");
                    return Err(self.fault("unclosed-quote", message, start));
                }
                Some(byte) if Some(*byte) == quote => {
                    self.at = at + 1;
                    return Ok(((start, at), End::Closed));
                }
                Some(b'$') if self.interpolates => {
                    let braced = self.bytes.get(at + 1) == Some(&b'{');
                    self.at = at + if braced { 2 } else { 1 };
                    return Ok(((start, at), if braced { End::Expression } else { End::Dollar }));
                }
                Some(b'\\') if self.escapes_dollar => at = (at + 2).min(self.bytes.len()),
                Some(_) => at += 1,
            }
        }
    }

    /// Reads the code of an interpolation up to its brace.
    fn interpolation(&mut self) -> Step {
        if self.depth >= DEEPEST {
            return Err(self.fault("nesting-too-deep", "the interpolations are nested too deeply", self.at));
        }
        self.depth += 1;
        let outer = self.braces;
        self.braces += 1;
        let first = self.out.tokens.len();
        // What stands before the string says nothing about the code in it.
        self.after = Some(Kind::DqPre);
        loop {
            if self.at >= self.bytes.len() {
                break;
            }
            let count = self.out.tokens.len();
            self.word()?;
            let closed = self.out.tokens.len() > count
                && self.out.tokens.last().is_some_and(|token| token.kind == Kind::RBrace)
                && self.braces == outer;
            if closed {
                self.out.tokens.pop();
                self.to_variable(first);
                break;
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// A lone word, or one that is looked into or called on, is the name of a variable.
    fn to_variable(&mut self, first: usize) {
        let tokens = &mut self.out.tokens[first..];
        let alone = tokens.len() == 1;
        let entered = tokens.get(1).is_some_and(|next| matches!(next.kind, Kind::Dot | Kind::LBrack));
        let Some(token) = tokens.first_mut().filter(|_| alone || entered) else { return };
        let is_word = matches!(token.kind, Kind::Number | Kind::Name | Kind::Word);
        if is_word || token.kind.is_keyword() && !matches!(token.kind, Kind::True | Kind::False) {
            let text = token.text.clone().or_else(|| token.kind.fixed().map(Str::from));
            token.text = text;
            token.kind = Kind::Variable;
            token.extra = 1;
        } else if matches!(token.kind, Kind::True | Kind::False) {
            token.text = token.kind.fixed().map(Str::from);
            token.kind = Kind::Variable;
            token.extra = 1;
        }
    }

    /// Resolves the escapes of a piece.
    fn unescape(&mut self, start: usize, end: usize, escapes: &Escapes, out: &mut String) -> Step {
        let raw = &self.text[start..end];
        if !raw.contains('\\') {
            out.push_str(raw);
            return Ok(());
        }
        let resolved;
        let raw = if escapes.has('u') && raw.contains("\\u") {
            resolved = self.unicode(raw)?;
            &resolved
        } else {
            raw
        };
        let mut rest = raw;
        while let Some(at) = rest.find('\\') {
            out.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            let Some(c) = rest.chars().next() else {
                out.push('\\');
                break;
            };
            if c == '\r' && !rest.starts_with("\r\n") {
                out.push('\\');
                continue;
            }
            let (c, length) = if c == '\r' { ('\n', 2) } else { (c, c.len_utf8()) };
            let written = &rest[..length];
            rest = &rest[length..];
            if !escapes.has(c) {
                if matches!(escapes, Escapes::Double) {
                    let message = format!("Unrecognized escape sequence '\\{written}'");
                    self.warn("unrecognized-escape", message);
                }
                out.push('\\');
                out.push_str(written);
                continue;
            }
            match c {
                'r' => out.push('\r'),
                'n' => out.push('\n'),
                't' => out.push('\t'),
                's' => out.push(' '),
                'u' => {
                    let message = "Unicode escape '\\u' was not followed by 4 hex digits or 1-6 hex digits in {} or was > 10ffff";
                    self.warn("illegal-unicode-escape", message.into());
                    out.push_str("\\u");
                }
                '\n' => {}
                other => out.push(other),
            }
        }
        out.push_str(rest);
        Ok(())
    }

    /// Resolves `\u1234` and `\u{12345}` where the backslash is not escaped itself.
    fn unicode(&self, raw: &str) -> Step<String> {
        let mut out = String::new();
        let mut rest = raw;
        while let Some(at) = rest.find('\\') {
            out.push_str(&rest[..at]);
            rest = &rest[at..];
            let code = rest.strip_prefix("\\u").and_then(code_point);
            let Some((code, length)) = code else {
                // The character behind a backslash is not looked at again.
                let next = rest[1..].chars().next().map_or(0, char::len_utf8);
                out.push_str(&rest[..1 + next]);
                rest = &rest[1 + next..];
                continue;
            };
            rest = &rest[2 + length..];
            match char::from_u32(code) {
                Some(c) => out.push(c),
                None => {
                    // Ruby knows no such character either; its messages have no place.
                    let message = if code > 0x0010_ffff { "pack(U): value out of range" } else { "invalid byte sequence in UTF-8" };
                    let problem = self.fault("illegal-unicode-escape", message, self.at);
                    return Err(Box::new(Problem { at: None, ..*problem }));
                }
            }
        }
        out.push_str(rest);
        Ok(out)
    }

    /// Warns of an escape; the reference points behind the piece.
    fn warn(&mut self, issue: &'static str, message: String) {
        let at = self.places.of(self.at);
        let problem = Problem::warning(issue, message, crate::ast::Extent { start: at, end: at });
        self.out.problems.push(problem);
    }
}

/// The number of a code point behind `\u`, and how long it is written.
fn code_point(rest: &str) -> Option<(u32, usize)> {
    if let Some(braced) = rest.strip_prefix('{') {
        let end = braced.find('}')?;
        let digits = &braced[..end];
        let fits = (1..=6).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        return fits.then(|| u32::from_str_radix(digits, 16).ok()).flatten().map(|code| (code, end + 2));
    }
    let digits = rest.get(..4)?;
    let fits = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    fits.then(|| u32::from_str_radix(digits, 16).ok()).flatten().map(|code| (code, 4))
}

/// In single quotes only the backslash and the quote can be escaped.
fn unescape_single(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut characters = raw.chars().peekable();
    while let Some(c) = characters.next() {
        match (c, characters.peek()) {
            ('\\', Some('\\' | '\'')) => out.extend(characters.next()),
            _ => out.push(c),
        }
    }
    out
}
