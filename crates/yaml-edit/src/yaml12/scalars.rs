//! Scans scalars: plain, quoted, and in blocks.

use std::borrow::Cow;

use super::cursor::Mark;
use super::error::{Yaml12Error, describe_char};
use super::scanner::Scanner;
use super::token::Style;

/// A scalar that borrows from the source as long as no part of it is escaped or folded.
struct ScalarText<'t> {
    text: Cow<'t, str>,
}

impl<'t> ScalarText<'t> {
    fn new() -> ScalarText<'t> {
        ScalarText { text: Cow::Borrowed("") }
    }

    fn add(&mut self, piece: &'t str) {
        if self.text.is_empty() {
            self.text = Cow::Borrowed(piece);
        } else if !piece.is_empty() {
            self.text.to_mut().push_str(piece);
        }
    }

    fn add_character(&mut self, character: char) {
        self.text.to_mut().push(character);
    }

    /// Adds the value of a line break and those after it in a folded scalar.
    fn fold(&mut self, first: char, breaks: &str) {
        if first != '\n' {
            self.add_character(first);
        } else if breaks.is_empty() {
            self.add_character(' ');
        }
        self.text.to_mut().push_str(breaks);
    }
}

impl<'t> Scanner<'t> {
    pub(super) fn plain(&mut self) -> Result<(), Yaml12Error> {
        let start = self.cursor.mark();
        let mut end = start;
        let indent = self.indent + 1;
        let mut text = ScalarText::new();
        // The characters before the next piece: blanks, or a line break and those after it.
        let mut blanks = "";
        let mut folded: Option<(char, String)> = None;
        loop {
            let from = self.cursor.mark();
            if self.cursor.byte(0) != b'#' {
                self.plain_piece();
            }
            let piece = self.cursor.since(from);
            if piece.is_empty() {
                break;
            }
            self.may_be_key = false;
            if let Some((first, breaks)) = folded.take() {
                text.fold(first, &breaks);
            }
            text.add(blanks);
            text.add(piece);
            end = self.cursor.mark();
            self.cursor.skip(|byte| byte == b' ');
            blanks = self.cursor.since(end);
            if let Some(first) = self.cursor.line_break() {
                blanks = "";
                self.may_be_key = true;
                let Some(breaks) = self.plain_breaks() else { break };
                folded = Some((first, breaks));
            } else if blanks.is_empty() {
                break;
            }
            let is_outside = self.flow.is_empty() && self.cursor.column() < indent;
            if self.cursor.byte(0) == b'#' || is_outside {
                break;
            }
        }
        self.scalar(text.text, Style::Plain, start, end);
        Ok(())
    }

    /// Steps over the characters of a scalar without quotes up to a blank or what ends it.
    fn plain_piece(&mut self) {
        let in_flow = !self.flow.is_empty();
        let mut length = 0;
        loop {
            match self.cursor.byte(length) {
                0 | b' ' | b'\t' | b'\n' | b'\r' => break,
                b':' if self.cursor.is_gap(length + 1) => break,
                b',' | b'[' | b']' | b'{' | b'}' if in_flow => break,
                b'?' if in_flow && self.is_yaml11 => break,
                0xc2 | 0xe2 if self.cursor.is_line_end(length) => break,
                _ => length += 1,
            }
        }
        self.cursor.forward(length);
    }

    /// Steps over further line breaks and the blanks between; none where the document ends.
    fn plain_breaks(&mut self) -> Option<String> {
        let mut breaks = String::new();
        if self.cursor.is_document_mark() {
            return None;
        }
        loop {
            self.cursor.skip(|byte| byte == b' ');
            let Some(meaning) = self.cursor.line_break() else { return Some(breaks) };
            breaks.push(meaning);
            if self.cursor.is_document_mark() {
                return None;
            }
        }
    }

    pub(super) fn quoted(&mut self) -> Result<(), Yaml12Error> {
        let start = self.cursor.mark();
        let quote = self.cursor.byte(0);
        self.cursor.forward(1);
        let mut text = ScalarText::new();
        self.quoted_piece(quote, start, &mut text)?;
        while self.cursor.byte(0) != quote {
            self.quoted_space(start, &mut text)?;
            self.quoted_piece(quote, start, &mut text)?;
        }
        self.cursor.forward(1);
        let end = self.cursor.mark();
        self.scalar(text.text, Style::Quoted, start, end);
        Ok(())
    }

    /// Adds the characters before the next whitespace or the end.
    fn quoted_piece(&mut self, quote: u8, start: Mark, text: &mut ScalarText<'t>) -> Result<(), Yaml12Error> {
        loop {
            let from = self.cursor.mark();
            let mut length = 0;
            loop {
                match self.cursor.byte(length) {
                    0 | b' ' | b'\t' | b'\n' | b'\r' | b'\'' | b'"' | b'\\' => break,
                    0xc2 | 0xe2 if self.cursor.is_line_end(length) => break,
                    _ => length += 1,
                }
            }
            self.cursor.forward(length);
            text.add(self.cursor.since(from));
            match self.cursor.byte(0) {
                b'\'' if quote == b'\'' && self.cursor.byte(1) == b'\'' => {
                    text.add_character('\'');
                    self.cursor.forward(2);
                }
                b'\\' if quote == b'"' => self.escape(start, text)?,
                byte @ (b'\'' | b'"' | b'\\') if byte != quote => {
                    text.add_character(char::from(byte));
                    self.cursor.forward(1);
                }
                _ => return Ok(()),
            }
        }
    }

    fn escape(&mut self, start: Mark, text: &mut ScalarText<'t>) -> Result<(), Yaml12Error> {
        const CONTEXT: &str = "while scanning a double-quoted scalar";
        self.cursor.forward(1);
        let digits = match self.cursor.byte(0) {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            _ => {
                let character = self.cursor.character();
                let meaning = match character {
                    '0' => '\0',
                    'a' => '\u{7}',
                    'b' => '\u{8}',
                    't' | '\t' => '\t',
                    'n' => '\n',
                    'v' => '\u{b}',
                    'f' => '\u{c}',
                    'r' => '\r',
                    'e' => '\u{1b}',
                    ' ' | '"' | '/' | '\\' => character,
                    'N' => '\u{85}',
                    '_' => '\u{a0}',
                    'L' => '\u{2028}',
                    'P' => '\u{2029}',
                    _ if self.cursor.line_break().is_some() => {
                        let breaks = self.quoted_breaks(start)?;
                        text.text.to_mut().push_str(&breaks);
                        return Ok(());
                    }
                    unknown => {
                        let problem = format!("found unknown escape character {}", describe_char(unknown));
                        return Err(Yaml12Error::new(problem, self.cursor.mark()).during(CONTEXT, start));
                    }
                };
                self.cursor.forward(1);
                text.add_character(meaning);
                return Ok(());
            }
        };
        self.cursor.forward(1);
        let found = self.cursor.rest();
        if let Some(other) = found.chars().chain(['\0']).take(digits).find(|c| !c.is_ascii_hexdigit()) {
            let other = describe_char(other);
            let problem = format!("expected escape sequence of {digits} hexdecimal numbers, but found {other}");
            return Err(Yaml12Error::new(problem, self.cursor.mark()).during(CONTEXT, start));
        }
        let number = found.get(..digits).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let pair = || surrogate_pair(found).map(|character| (character, SURROGATE_PAIR));
        let Some((character, length)) =
            number.and_then(char::from_u32).map(|character| (character, digits)).or_else(pair)
        else {
            let problem = "found invalid Unicode character escape code";
            return Err(Yaml12Error::new(problem, self.cursor.mark()).during(CONTEXT, start));
        };
        text.add_character(character);
        self.cursor.forward(length);
        Ok(())
    }

    fn quoted_space(&mut self, start: Mark, text: &mut ScalarText<'t>) -> Result<(), Yaml12Error> {
        let from = self.cursor.mark();
        self.cursor.skip(|byte| matches!(byte, b' ' | b'\t'));
        let blanks = self.cursor.since(from);
        if self.cursor.is_at_end() {
            let error = Yaml12Error::new("found unexpected end of stream", self.cursor.mark());
            return Err(error.during("while scanning a quoted scalar", start));
        }
        match self.cursor.line_break() {
            Some(first) => {
                let breaks = self.quoted_breaks(start)?;
                text.fold(first, &breaks);
            }
            None => text.add(blanks),
        }
        Ok(())
    }

    fn quoted_breaks(&mut self, start: Mark) -> Result<String, Yaml12Error> {
        let mut breaks = String::new();
        loop {
            if self.cursor.is_document_mark() {
                let error = Yaml12Error::new("found unexpected document separator", self.cursor.mark());
                return Err(error.during("while scanning a quoted scalar", start));
            }
            self.cursor.skip(|byte| matches!(byte, b' ' | b'\t'));
            match self.cursor.line_break() {
                Some(meaning) => breaks.push(meaning),
                None => return Ok(breaks),
            }
        }
    }

    pub(super) fn block_scalar(&mut self) -> Result<(), Yaml12Error> {
        let start = self.cursor.mark();
        let is_folded = self.cursor.byte(0) == b'>';
        self.cursor.forward(1);
        let Header { keeps, strips, indent } = self.block_header(start)?;
        let least = self.indent + 1;
        let (mut breaks, mut end, indent) = match indent {
            None => {
                let (breaks, deepest, end) = self.block_indentation();
                (breaks, end, least.max(deepest))
            }
            Some(further) => {
                let indent = least.max(1) + further - 1;
                let (breaks, end) = self.block_breaks(indent);
                (breaks, end, indent)
            }
        };
        let mut text = ScalarText::new();
        let mut line_break = None;
        while self.cursor.column() == indent && !self.cursor.is_at_end() {
            if !breaks.is_empty() {
                text.text.to_mut().push_str(&breaks);
            }
            let begins_blank = matches!(self.cursor.byte(0), b' ' | b'\t');
            let from = self.cursor.mark();
            self.cursor.forward_to_line_end();
            text.add(self.cursor.since(from));
            line_break = self.cursor.line_break();
            (breaks, end) = self.block_breaks(indent);
            let ends = least == 0 && self.cursor.column() == 0 && self.cursor.is_document_mark();
            if ends || self.cursor.column() != indent || self.cursor.is_at_end() {
                break;
            }
            let is_blank = matches!(self.cursor.byte(0), b' ' | b'\t');
            match line_break {
                Some('\n') if is_folded && !begins_blank && !is_blank => {
                    text.text.to_mut().push_str(if breaks.is_empty() { " " } else { "" });
                }
                Some(meaning) => text.add_character(meaning),
                None => {}
            }
        }
        if !strips && let Some(meaning) = line_break {
            text.add_character(meaning);
        }
        if keeps && !breaks.is_empty() {
            text.text.to_mut().push_str(&breaks);
        }
        self.scalar(text.text, Style::Block, start, end);
        Ok(())
    }

    fn block_header(&mut self, start: Mark) -> Result<Header, Yaml12Error> {
        const CONTEXT: &str = "while scanning a block scalar";
        let mut header = Header { keeps: false, strips: false, indent: None };
        let mut chomps = false;
        for _ in 0..2 {
            match self.cursor.byte(0) {
                sign @ (b'+' | b'-') if !chomps => {
                    chomps = true;
                    header.keeps = sign == b'+';
                    header.strips = sign == b'-';
                }
                b'0' if header.indent.is_none() => {
                    let problem = "expected indentation indicator in the range 1-9, but found 0";
                    return Err(Yaml12Error::new(problem, self.cursor.mark()).during(CONTEXT, start));
                }
                digit @ b'1'..=b'9' if header.indent.is_none() => header.indent = Some(i64::from(digit - b'0')),
                _ => break,
            }
            self.cursor.forward(1);
        }
        let here = |scanner: &Self, expected: &str| {
            let problem = format!("expected {expected}, but found {}", describe_char(scanner.cursor.character()));
            Yaml12Error::new(problem, scanner.cursor.mark()).during(CONTEXT, start)
        };
        if self.cursor.byte(0) != b' ' && !self.cursor.is_line_end(0) {
            return Err(here(self, "chomping or indentation indicators"));
        }
        self.cursor.skip(|byte| byte == b' ');
        if self.cursor.byte(0) == b'#' {
            self.cursor.forward_to_line_end();
        }
        if !self.cursor.is_line_end(0) {
            return Err(here(self, "a comment or a line break"));
        }
        self.cursor.line_break();
        Ok(header)
    }

    /// The empty lines before the first one, the column of the deepest of all these, and where the last of them ends.
    fn block_indentation(&mut self) -> (String, i64, Mark) {
        let (mut breaks, mut deepest, mut end) = (String::new(), 0, self.cursor.mark());
        loop {
            let begin = self.cursor.column();
            self.cursor.skip(|byte| byte == b' ');
            if self.cursor.column() > begin {
                deepest = deepest.max(self.cursor.column());
            }
            match self.cursor.line_break() {
                Some(meaning) => breaks.push(meaning),
                None => return (breaks, deepest, end),
            }
            end = self.cursor.mark();
        }
    }

    /// The empty lines before the next one, and where they end.
    fn block_breaks(&mut self, indent: i64) -> (String, Mark) {
        let (mut breaks, mut end) = (String::new(), self.cursor.mark());
        loop {
            while self.cursor.column() < indent && self.cursor.byte(0) == b' ' {
                self.cursor.forward(1);
            }
            match self.cursor.line_break() {
                Some(meaning) => breaks.push(meaning),
                None => return (breaks, end),
            }
            end = self.cursor.mark();
        }
    }
}

/// The indicators in the header of a block scalar.
struct Header {
    /// Whether the line breaks at the end are part of the scalar.
    keeps: bool,
    /// Whether even the first of them is dropped.
    strips: bool,
    /// The indentation of the scalar relative to the block around it.
    indent: Option<i64>,
}

/// The length of a surrogate pair after its first `\u`.
const SURROGATE_PAIR: usize = "d83d\\ude00".len();

/// The character of two escapes after a `\u`, as JSON writes those beyond the first 65,536: `d83d\ude00`.
fn surrogate_pair(text: &str) -> Option<char> {
    let (high, low) = text.get(..SURROGATE_PAIR)?.split_once("\\u")?;
    let unit = |digits: &str| {
        // A sign is not a digit, although it may begin a number.
        let is_number = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        u16::from_str_radix(digits, 16).ok().filter(|_| is_number)
    };
    char::decode_utf16([unit(high)?, unit(low)?]).next()?.ok().filter(|character| u32::from(*character) > 0xffff)
}
