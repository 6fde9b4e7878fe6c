//! Tokens, one at a time: whether `break` is a keyword depends on the functions that exist.

use hieratic_source::Span;
use unicode_general_category::{GeneralCategory, get_general_category};

use super::token::{Keyword, Token, TokenKind};

/// Reads tokens.
pub(super) struct Lexer<'t> {
    text: &'t str,
    left: &'t str,
    right: &'t str,
    /// The next byte, and the first one of the token.
    at: usize,
    start: usize,
    line: u32,
    start_line: u32,
    parens: usize,
    in_action: bool,
    /// Whether `break` and `continue` are keywords.
    pub(super) keywords: LoopKeywords,
    /// The message of the token `Error`.
    pub(super) error: String,
}

/// The words that leave a loop and are keywords, because no function has their name.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoopKeywords {
    pub(super) has_break: bool,
    pub(super) has_continue: bool,
}

const SPACES: [char; 4] = [' ', '\t', '\r', '\n'];

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str, left: &'t str, right: &'t str, keywords: LoopKeywords) -> Self {
        Lexer {
            text,
            left,
            right,
            at: 0,
            start: 0,
            line: 1,
            start_line: 1,
            parens: 0,
            in_action: false,
            keywords,
            error: String::new(),
        }
    }

    pub(super) fn next(&mut self) -> Token {
        if self.in_action { self.inside_action() } else { self.outside() }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn behind(&self, bytes: usize) -> &'t str {
        self.text.get(self.at + bytes..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += letter.len_utf8();
        self.line += u32::from(letter == '\n');
        Some(letter)
    }

    /// Skips bytes, and counts their lines.
    fn skip(&mut self, bytes: usize) {
        let skipped = self.rest().get(..bytes).unwrap_or_default();
        self.line += newlines(skipped);
        self.at += bytes;
    }

    /// Leaves out everything up to here.
    fn ignore(&mut self) {
        self.start = self.at;
        self.start_line = self.line;
    }

    fn token(&mut self, kind: TokenKind) -> Token {
        let token = Token { kind, span: Span::new(self.start, self.at), line: self.start_line };
        self.ignore();
        token
    }

    fn fail(&mut self, message: impl Into<String>) -> Token {
        self.error = message.into();
        let token = Token { kind: TokenKind::Error, span: Span::new(self.start, self.at), line: self.start_line };
        // Nothing after an error is read.
        self.text = "";
        self.at = 0;
        self.start = 0;
        token
    }

    /// Text up to the next action, or the end.
    fn outside(&mut self) -> Token {
        loop {
            let Some(found) = self.rest().find(self.left) else {
                self.skip(self.rest().len());
                let kind = if self.at > self.start { TokenKind::Text } else { TokenKind::End };
                return self.token(kind);
            };
            if found > 0 {
                let text = self.rest().get(..found).unwrap_or_default();
                let trims = has_left_trim(self.behind(found + self.left.len()));
                let kept = if trims { text.trim_end_matches(SPACES).len() } else { found };
                self.skip(kept);
                let token = self.token(TokenKind::Text);
                self.skip(found - kept);
                self.ignore();
                if !token.span.is_empty() {
                    return token;
                }
            }
            match self.left_delimiter() {
                Some(token) => return token,
                // A comment.
                None => continue,
            }
        }
    }

    /// The left delimiter. Nothing is returned for a comment.
    fn left_delimiter(&mut self) -> Option<Token> {
        self.at += self.left.len();
        let marker = if has_left_trim(self.rest()) { 2 } else { 0 };
        if self.behind(marker).starts_with("/*") {
            self.skip(marker);
            self.ignore();
            return self.comment();
        }
        let token = self.token(TokenKind::LeftDelimiter);
        self.in_action = true;
        self.skip(marker);
        self.ignore();
        self.parens = 0;
        Some(token)
    }

    fn comment(&mut self) -> Option<Token> {
        let Some(end) = self.behind(2).find("*/") else {
            return Some(self.fail("unclosed comment"));
        };
        self.skip(end + 4);
        match self.at_right_delimiter() {
            None => Some(self.fail("comment ends before closing delimiter")),
            Some(trims) => {
                self.pass_right_delimiter(trims);
                None
            }
        }
    }

    /// Whether a right delimiter is here; if so, whether it trims.
    fn at_right_delimiter(&self) -> Option<bool> {
        if has_right_trim(self.rest()) && self.behind(2).starts_with(self.right) {
            return Some(true);
        }
        self.rest().starts_with(self.right).then_some(false)
    }

    fn pass_right_delimiter(&mut self, trims: bool) {
        self.skip(if trims { 2 } else { 0 } + self.right.len());
        if trims {
            let rest = self.rest();
            self.skip(rest.len() - rest.trim_start_matches(SPACES).len());
        }
        self.ignore();
    }

    fn right_delimiter(&mut self) -> Token {
        let trims = self.at_right_delimiter() == Some(true);
        if trims {
            self.skip(2);
            self.ignore();
        }
        self.at += self.right.len();
        let token = self.token(TokenKind::RightDelimiter);
        if trims {
            let rest = self.rest();
            self.skip(rest.len() - rest.trim_start_matches(SPACES).len());
            self.ignore();
        }
        self.in_action = false;
        token
    }

    fn inside_action(&mut self) -> Token {
        if self.at_right_delimiter().is_some() {
            return if self.parens == 0 { self.right_delimiter() } else { self.fail("unclosed left paren") };
        }
        let Some(letter) = self.peek() else { return self.fail("unclosed action") };
        match letter {
            ' ' | '\t' | '\r' | '\n' => return self.spaces(),
            '.' if self.behind(1).bytes().next().is_some_and(|next| !next.is_ascii_digit()) => {
                self.bump();
                return self.field_or_variable(TokenKind::Field);
            }
            '.' | '+' | '-' | '0'..='9' => return self.number(),
            _ if is_alphanumeric(letter) => return self.identifier(),
            _ => {}
        }
        self.bump();
        match letter {
            '=' => self.token(TokenKind::Assign),
            ':' => match self.bump() {
                Some('=') => self.token(TokenKind::Declare),
                _ => self.fail("expected :="),
            },
            '|' => self.token(TokenKind::Pipe),
            '"' => self.quoted('"', TokenKind::String, "unterminated quoted string"),
            '\'' => self.quoted('\'', TokenKind::CharConstant, "unterminated character constant"),
            '`' => self.raw_string(),
            '$' => self.field_or_variable(TokenKind::Variable),
            '(' => {
                self.parens += 1;
                self.token(TokenKind::LeftParen)
            }
            ')' if self.parens == 0 => self.fail("unexpected right paren"),
            ')' => {
                self.parens -= 1;
                self.token(TokenKind::RightParen)
            }
            '!'..='~' => self.token(TokenKind::Char),
            _ => self.fail(format!("unrecognized character in action: {}", code_point(letter))),
        }
    }

    /// Spaces, of which the last may belong to a delimiter that trims.
    fn spaces(&mut self) -> Token {
        let mut count = 0;
        while self.peek().is_some_and(is_space) {
            self.bump();
            count += 1;
        }
        let last = self.text.get(self.at - 1..).unwrap_or_default();
        if has_right_trim(last) && last.get(2..).unwrap_or_default().starts_with(self.right) {
            self.at -= 1;
            self.line -= u32::from(last.starts_with('\n'));
            if count == 1 {
                return self.right_delimiter();
            }
        }
        self.token(TokenKind::Space)
    }

    fn identifier(&mut self) -> Token {
        self.letters();
        if !self.at_terminator() {
            return self.bad_character();
        }
        let word = self.text.get(self.start..self.at).unwrap_or_default();
        let kind = match (Keyword::from_word(word), word) {
            (Some(Keyword::Break), _) if !self.keywords.has_break => TokenKind::Identifier,
            (Some(Keyword::Continue), _) if !self.keywords.has_continue => TokenKind::Identifier,
            (Some(keyword), _) => TokenKind::Keyword(keyword),
            (None, "true" | "false") => TokenKind::Bool,
            (None, _) => TokenKind::Identifier,
        };
        self.token(kind)
    }

    /// The letters after `.` or `$`.
    fn field_or_variable(&mut self, kind: TokenKind) -> Token {
        if self.at_terminator() {
            return self.token(if kind == TokenKind::Variable { kind } else { TokenKind::Dot });
        }
        self.letters();
        if self.at_terminator() { self.token(kind) } else { self.bad_character() }
    }

    fn letters(&mut self) {
        while self.peek().is_some_and(is_alphanumeric) {
            self.bump();
        }
    }

    fn bad_character(&mut self) -> Token {
        let letter = self.peek().map_or_else(String::new, code_point);
        self.fail(format!("bad character {letter}"))
    }

    /// Whether a name may end here.
    fn at_terminator(&self) -> bool {
        match self.peek() {
            None | Some(' ' | '\t' | '\r' | '\n' | '.' | ',' | '|' | ':' | ')' | '(') => true,
            Some(_) => self.rest().starts_with(self.right),
        }
    }

    fn quoted(&mut self, quote: char, kind: TokenKind, unterminated: &str) -> Token {
        loop {
            match self.bump() {
                Some('\\') if self.peek().is_some_and(|next| next != '\n') => {
                    self.bump();
                }
                None | Some('\n' | '\\') => return self.fail(unterminated),
                Some(letter) if letter == quote => return self.token(kind),
                Some(_) => {}
            }
        }
    }

    fn raw_string(&mut self) -> Token {
        loop {
            match self.bump() {
                None => return self.fail("unterminated raw quoted string"),
                Some('`') => return self.token(TokenKind::RawString),
                Some(_) => {}
            }
        }
    }

    fn number(&mut self) -> Token {
        if !self.scan_number() {
            return self.bad_number();
        }
        if !matches!(self.peek(), Some('+' | '-')) {
            return self.token(TokenKind::Number);
        }
        // A complex number has an imaginary part.
        if !self.scan_number() || !self.text.get(..self.at).unwrap_or_default().ends_with('i') {
            return self.bad_number();
        }
        self.token(TokenKind::Complex)
    }

    fn bad_number(&mut self) -> Token {
        let text = self.text.get(self.start..self.at).unwrap_or_default();
        self.fail(format!("bad number syntax: {}", hieratic_hcl_types::quoted(text)))
    }

    fn accept(&mut self, letters: &str) -> bool {
        let is_one = self.peek().is_some_and(|letter| letters.contains(letter));
        if is_one {
            self.bump();
        }
        is_one
    }

    fn scan_number(&mut self) -> bool {
        const DECIMAL: &str = "0123456789_";
        const HEXADECIMAL: &str = "0123456789abcdefABCDEF_";
        self.accept("+-");
        let mut digits = DECIMAL;
        if self.accept("0") {
            if self.accept("xX") {
                digits = HEXADECIMAL;
            } else if self.accept("oO") {
                digits = "01234567_";
            } else if self.accept("bB") {
                digits = "01_";
            }
        }
        while self.accept(digits) {}
        if self.accept(".") {
            while self.accept(digits) {}
        }
        let has_exponent = digits == DECIMAL && self.accept("eE") || digits == HEXADECIMAL && self.accept("pP");
        if has_exponent {
            self.accept("+-");
            while self.accept(DECIMAL) {}
        }
        self.accept("i");
        if self.peek().is_some_and(is_alphanumeric) {
            self.bump();
            return false;
        }
        true
    }
}

fn newlines(text: &str) -> u32 {
    // A file has at most 4 GiB, see `Span`.
    u32::try_from(text.bytes().filter(|byte| *byte == b'\n').count()).unwrap_or(u32::MAX)
}

fn is_space(letter: char) -> bool {
    SPACES.contains(&letter)
}

/// Letters and digits of any script, as Go's `unicode` classes them, and the underscore.
fn is_alphanumeric(letter: char) -> bool {
    use GeneralCategory::{
        DecimalNumber, LowercaseLetter, ModifierLetter, OtherLetter, TitlecaseLetter, UppercaseLetter,
    };
    if letter.is_ascii() {
        return letter == '_' || letter.is_ascii_alphanumeric();
    }
    matches!(
        get_general_category(letter),
        DecimalNumber | LowercaseLetter | ModifierLetter | OtherLetter | TitlecaseLetter | UppercaseLetter
    )
}

fn has_left_trim(text: &str) -> bool {
    text.strip_prefix('-').is_some_and(|rest| rest.starts_with(SPACES))
}

fn has_right_trim(text: &str) -> bool {
    text.strip_prefix(SPACES).is_some_and(|rest| rest.starts_with('-'))
}

/// A character as Go's `%#U` prints it.
fn code_point(letter: char) -> String {
    let number = u32::from(letter);
    if letter.is_control() { format!("U+{number:04X}") } else { format!("U+{number:04X} '{letter}'") }
}
