//! Tokens: <https://jinja.palletsprojects.com/en/3.1.x/templates/#whitespace-control>.

use std::collections::HashSet;
use std::sync::Arc;

use hieratic_diagnostics::{Source, Span};
use num_bigint::BigInt;

use super::error::SyntaxError;
use crate::settings::Settings;

/// A token of a template.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// Text outside of braces.
    Data(Arc<str>),
    /// The start of a statement.
    BlockStart,
    /// The end of a statement.
    BlockEnd,
    /// The start of an expression.
    VariableStart,
    /// The end of an expression.
    VariableEnd,
    /// A word.
    Name(Arc<str>),
    /// A string literal, without its quotes and with its escapes resolved.
    String(Arc<str>),
    /// A whole number.
    Integer(BigInt),
    /// A number with a point or an exponent.
    Float(f64),
    /// An operator or a bracket.
    Operator(&'static str),
}

impl Token {
    /// Returns the name of the token in messages.
    pub fn describe(&self) -> String {
        match self {
            Token::Data(_) => "template data / text".into(),
            Token::BlockStart => "begin of statement block".into(),
            Token::BlockEnd => "end of statement block".into(),
            Token::VariableStart => "begin of print statement".into(),
            Token::VariableEnd => "end of print statement".into(),
            Token::Name(name) => name.to_string(),
            Token::String(text) => text.to_string(),
            Token::Integer(number) => number.to_string(),
            Token::Float(number) => number.to_string(),
            Token::Operator(operator) => (*operator).into(),
        }
    }
}

/// A token with its position.
#[derive(Clone, Debug)]
pub struct Spanned {
    /// The token.
    pub token: Token,
    /// The position in the template.
    pub span: Span,
}

/// All operators; those that start with another one come before it.
const OPERATORS: &[&str] = &[
    "//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[", "]", "(", ")", "{", "}", ">", "<", "=", ".",
    ":", "|", ",", ";",
];

/// Normalizes line ends to newlines, and removes the last one.
pub fn normalized(text: &str, keep_trailing_newline: bool) -> String {
    let mut text = if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text.to_string() };
    if !keep_trailing_newline && text.ends_with('\n') {
        text.pop();
    }
    text
}

/// Returns all tokens of a template.
pub fn tokens(source: &Source, settings: &Settings) -> Result<Vec<Spanned>, SyntaxError> {
    let mut lexer = Lexer::new(source, settings);
    lexer.run()?;
    Ok(lexer.tokens)
}
struct Lexer<'a> {
    text: &'a str,
    settings: &'a Settings,
    at: usize,
    tokens: Vec<Spanned>,
    /// The interned names so far.
    names: HashSet<Arc<str>>,
    /// The delimiter of each kind of tag, with its next occurrence. An occurrence is valid until it is passed, so that
    /// all searches together read the template once for each kind. The first of several kinds with the same delimiter
    /// counts.
    starts: Vec<(Start, &'a str, Option<Opening>)>,
    /// The number of bytes that the searches have read.
    #[cfg(test)]
    searched: usize,
}

/// The kinds of tags.
#[derive(Clone, Copy, PartialEq)]
enum Start {
    Block,
    Variable,
    Comment,
    /// A statement to the end of its line.
    Line,
    /// A comment to the end of its line.
    LineComment,
}

impl Start {
    /// Returns the delimiters of the tag.
    fn delimiters(self, settings: &Settings) -> (&str, &str) {
        let (start, end) = match self {
            Start::Block => (&settings.block.0, settings.block.1.as_str()),
            Start::Variable => (&settings.variable.0, settings.variable.1.as_str()),
            Start::Comment => (&settings.comment.0, settings.comment.1.as_str()),
            Start::Line => (&settings.line_statement, ""),
            Start::LineComment => (&settings.line_comment, ""),
        };
        (start.as_str(), end)
    }

    /// Returns the next occurrence from an offset on.
    fn find(self, delimiter: &str, text: &str, from: usize) -> Option<Opening> {
        let rest = text.get(from..)?;
        match self {
            Start::Block | Start::Variable | Start::Comment => {
                rest.find(delimiter).map(|at| Opening { start: from + at, end: from + at + delimiter.len() })
            }
            Start::Line => {
                // Blanks at the start of the line belong to it.
                let first = from == 0 || text.as_bytes().get(from - 1) == Some(&b'\n');
                let lines = first.then_some(0).into_iter().chain(rest.match_indices('\n').map(|(at, _)| at + 1));
                lines.filter_map(|line| rest.get(line..).map(|text| (from + line, text))).find_map(|(start, line)| {
                    let written = line.trim_start_matches([' ', '\t', '\x0b']);
                    let end = start + (line.len() - written.len()) + delimiter.len();
                    written.starts_with(delimiter).then_some(Opening { start, end })
                })
            }
            Start::LineComment => rest.match_indices(delimiter).find_map(|(at, _)| {
                // So do blanks before it, if all of them can.
                let before = rest.get(..at)?;
                let written = before.trim_end_matches(|letter: char| letter.is_whitespace() && letter != '\n');
                let start = from + written.len();
                let whole = text.get(..start)?.chars().next_back().is_none_or(|c| c == '\n' || !c.is_whitespace());
                whole.then_some(Opening { start, end: from + at + delimiter.len() })
            }),
        }
    }
}

/// The start of a tag, and the end of its opening delimiter.
#[derive(Clone, Copy)]
struct Opening {
    start: usize,
    end: usize,
}

impl<'a> Lexer<'a> {
    fn new(source: &'a Source, settings: &'a Settings) -> Lexer<'a> {
        let text = source.text();
        let kinds = [Start::Variable, Start::Line, Start::LineComment, Start::Comment, Start::Block];
        let starts = kinds.map(|kind| (kind, kind.delimiters(settings).0)).into_iter();
        let starts = starts.filter(|(_, delimiter)| !delimiter.is_empty());
        let starts = starts.map(|(kind, delimiter)| (kind, delimiter, kind.find(delimiter, text, 0))).collect();
        Lexer {
            text,
            settings,
            at: 0,
            tokens: Vec::new(),
            names: HashSet::new(),
            starts,
            #[cfg(test)]
            searched: 5 * text.len(),
        }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn push(&mut self, token: Token, start: usize) {
        self.tokens.push(Spanned { token, span: Span::new(start, self.at) });
    }

    /// Adds text of the template, with the line ends of the settings.
    fn push_data(&mut self, text: &str, start: usize) {
        let text = match self.settings.newline {
            "\n" => text.into(),
            newline => text.replace('\n', newline).into(),
        };
        self.push(Token::Data(text), start);
    }

    fn error(&self, message: impl Into<String>, start: usize) -> SyntaxError {
        SyntaxError::new(message, Span::new(start, self.at.max(start + 1)))
    }

    fn run(&mut self) -> Result<(), SyntaxError> {
        while self.at < self.text.len() {
            let Some((Opening { start, end }, kind)) = self.next_start() else {
                let (from, rest) = (self.at, self.rest());
                self.at = self.text.len();
                self.push_data(rest, from);
                break;
            };
            self.data(start, end, kind);
            self.at = end;
            let sign = self.rest().chars().next().filter(|sign| matches!(sign, '-' | '+'));
            match kind {
                Start::Comment => self.comment(start)?,
                Start::LineComment => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
                Start::Line => {
                    self.at += sign.map_or(0, char::len_utf8);
                    self.push(Token::BlockStart, start);
                    self.inside(start, Start::Line)?;
                }
                Start::Block if self.raw_starts(sign) => self.raw(start, sign)?,
                Start::Block => {
                    self.at += sign.map_or(0, char::len_utf8);
                    self.push(Token::BlockStart, start);
                    self.inside(start, Start::Block)?;
                }
                Start::Variable => {
                    // A plus is the sign of a number.
                    self.at += usize::from(sign == Some('-'));
                    self.push(Token::VariableStart, start);
                    self.inside(start, Start::Variable)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the next delimiter; the longest of several at the same offset.
    fn next_start(&mut self) -> Option<(Opening, Start)> {
        let at = self.at;
        for (kind, delimiter, next) in &mut self.starts {
            if next.is_some_and(|next| next.start < at) {
                *next = kind.find(delimiter, self.text, at);
                #[cfg(test)]
                {
                    self.searched += next.map_or(self.text.len(), |next| next.start) - at;
                }
            }
        }
        let candidates =
            self.starts.iter().filter_map(|(kind, delimiter, next)| Some((next.as_ref()?, delimiter, kind)));
        let first = candidates.min_by_key(|(next, delimiter, _)| (next.start, usize::MAX - delimiter.len()));
        first.map(|(next, _, kind)| (*next, *kind))
    }

    /// Adds the text before a delimiter, without the whitespace that belongs to the delimiter.
    fn data(&mut self, end: usize, opened: usize, kind: Start) {
        let from = self.at;
        let text = self.text.get(from..end).unwrap_or("");
        let after = self.text.get(opened..).unwrap_or("");
        let text = if after.starts_with('-') {
            text.trim_end()
        } else if self.settings.lstrip_blocks && kind != Start::Variable && !after.starts_with('+') {
            let line = text.rfind('\n').map_or(0, |at| at + 1);
            let starts_line = line > 0 || from == 0 || self.text.as_bytes().get(from - 1) == Some(&b'\n');
            let blank = text.get(line..).unwrap_or("").trim().is_empty();
            if starts_line && blank { text.get(..line).unwrap_or("") } else { text }
        } else {
            text
        };
        if !text.is_empty() {
            self.at = from + text.len();
            self.push_data(text, from);
        }
        self.at = end;
    }

    /// Skips the end of a block or comment, with the whitespace that belongs to it.
    fn close(&mut self, sign: Option<char>, end: &str) {
        self.at += sign.map_or(0, char::len_utf8) + end.len();
        if sign == Some('-') {
            self.at += self.rest().len() - self.rest().trim_start().len();
        } else if sign.is_none() && self.settings.trim_blocks && self.rest().starts_with('\n') {
            self.at += 1;
        }
    }

    fn comment(&mut self, start: usize) -> Result<(), SyntaxError> {
        let end = self.settings.comment.1.as_str();
        let Some(at) = self.rest().find(end) else {
            return Err(self.error("Missing end of comment tag", start));
        };
        let inside = self.rest().get(..at).unwrap_or("");
        let sign = inside.chars().next_back().filter(|sign| matches!(sign, '-' | '+'));
        self.at += at - sign.map_or(0, char::len_utf8);
        self.close(sign, end);
        Ok(())
    }

    /// The length of `raw` or `endraw` with the end of its block, and the sign before that end.
    fn raw_tag(&self, text: &str, word: &str) -> Option<(usize, Option<char>)> {
        let rest = text.trim_start().strip_prefix(word)?.trim_start();
        let sign = rest.chars().next().filter(|sign| matches!(sign, '-' | '+'));
        let rest = rest.get(sign.map_or(0, char::len_utf8)..)?;
        rest.starts_with(self.settings.block.1.as_str())
            .then(|| (text.len() - rest.len() - sign.map_or(0, char::len_utf8), sign))
    }

    fn raw_starts(&self, sign: Option<char>) -> bool {
        let text = self.rest().get(sign.map_or(0, char::len_utf8)..).unwrap_or("");
        // Its end has no plus, as that of other tags has.
        self.raw_tag(text, "raw").is_some_and(|(_, sign)| sign != Some('+'))
    }

    fn raw(&mut self, start: usize, sign: Option<char>) -> Result<(), SyntaxError> {
        self.at += sign.map_or(0, char::len_utf8);
        let (opening, closing) = (self.settings.block.0.as_str(), self.settings.block.1.as_str());
        if let Some((length, sign)) = self.raw_tag(self.rest(), "raw") {
            self.at += length;
            // The newline after the start is part of the raw text, unless a minus removes it.
            self.at += sign.map_or(0, char::len_utf8) + closing.len();
            if sign == Some('-') {
                self.at += self.rest().len() - self.rest().trim_start().len();
            }
        }
        let from = self.at;
        let mut search = from;
        loop {
            let Some(found) = self.text.get(search..).and_then(|text| text.find(opening)) else {
                return Err(self.error("Missing end of raw directive", start));
            };
            let tag = search + found;
            let after = self.text.get(tag + opening.len()..).unwrap_or("");
            let sign = after.chars().next().filter(|sign| matches!(sign, '-' | '+'));
            let skipped = sign.map_or(0, char::len_utf8);
            if let Some((length, end_sign)) = self.raw_tag(after.get(skipped..).unwrap_or(""), "endraw") {
                let mut text = self.text.get(from..tag).unwrap_or("");
                if sign == Some('-') {
                    text = text.trim_end();
                } else if self.settings.lstrip_blocks && sign.is_none() {
                    let line = text.rfind('\n').map_or(0, |at| at + 1);
                    let starts_line = line > 0 || self.text.as_bytes().get(from - 1) == Some(&b'\n');
                    if starts_line && text.get(line..).unwrap_or("").trim().is_empty() {
                        text = text.get(..line).unwrap_or("");
                    }
                }
                self.at = tag + opening.len() + skipped + length;
                if !text.is_empty() {
                    self.push_data(text, from);
                }
                self.close(end_sign, closing);
                return Ok(());
            }
            search = tag + opening.len();
        }
    }

    /// The tokens of a statement or an expression, to its end.
    fn inside(&mut self, opened: usize, kind: Start) -> Result<(), SyntaxError> {
        let end = kind.delimiters(self.settings).1;
        let mut brackets: Vec<(&'static str, usize)> = Vec::new();
        loop {
            let rest = self.rest();
            if kind == Start::Line && brackets.is_empty() {
                let blanks = rest.len() - rest.trim_start().len();
                let last = rest.get(..blanks).and_then(|blanks| blanks.rfind('\n')).map(|at| at + 1);
                if let Some(length) = (blanks == rest.len()).then_some(blanks).or(last) {
                    let start = self.at;
                    self.at += length;
                    self.push(Token::BlockEnd, start);
                    return Ok(());
                }
            }
            let Some(first) = rest.chars().next() else {
                let message = match kind {
                    Start::Block | Start::Line => "unexpected end of template, expected 'end of statement block'.",
                    _ => "unexpected end of template, expected 'end of print statement'.",
                };
                let help = format!("close it with `{end}`");
                return Err(SyntaxError::new(message, Span::new(opened, opened + 2)).help(help));
            };
            if brackets.is_empty() && kind != Start::Line {
                let sign = Some(first).filter(|sign| *sign == '-' || (*sign == '+' && kind == Start::Block));
                let sign = sign.filter(|_| rest.get(1..).is_some_and(|rest| rest.starts_with(end)));
                if sign.is_some() || rest.starts_with(end) {
                    let start = self.at;
                    match kind {
                        Start::Block => self.close(sign, end),
                        _ => {
                            self.at += usize::from(sign.is_some()) + end.len();
                            if sign.is_some() {
                                self.at += self.rest().len() - self.rest().trim_start().len();
                            }
                        }
                    }
                    self.push(if kind == Start::Block { Token::BlockEnd } else { Token::VariableEnd }, start);
                    return Ok(());
                }
            }
            let start = self.at;
            if first.is_whitespace() {
                self.at += rest.len() - rest.trim_start().len();
            } else if first.is_ascii_digit() {
                let token = self.number()?;
                self.push(token, start);
            } else if first == '_' || first.is_alphabetic() {
                let name = rest.split(|letter: char| !(letter == '_' || letter.is_alphanumeric())).next().unwrap_or("");
                self.at += name.len();
                let name = match self.names.get(name) {
                    Some(known) => known.clone(),
                    None => {
                        let known: Arc<str> = name.into();
                        self.names.insert(known.clone());
                        known
                    }
                };
                self.push(Token::Name(name), start);
            } else if matches!(first, '\'' | '"') {
                let token = self.string(first, kind == Start::Variable)?;
                self.push(token, start);
            } else if let Some(operator) = OPERATORS.iter().find(|operator| rest.starts_with(**operator)) {
                self.balance(&mut brackets, operator)?;
                self.at += operator.len();
                self.push(Token::Operator(operator), start);
            } else {
                self.at += first.len_utf8();
                return Err(self.error(format!("unexpected char {:?} at {start}", first), start));
            }
        }
    }

    /// Keeps track of brackets, inside of which `}}` is two of them.
    fn balance(&self, brackets: &mut Vec<(&'static str, usize)>, operator: &str) -> Result<(), SyntaxError> {
        let expected = match operator {
            "(" => ")",
            "[" => "]",
            "{" => "}",
            ")" | "]" | "}" => {
                let Some((expected, _)) = brackets.pop() else {
                    return Err(self.error(format!("unexpected '{operator}'"), self.at));
                };
                if expected != operator {
                    return Err(self.error(format!("unexpected '{operator}', expected '{expected}'"), self.at));
                }
                return Ok(());
            }
            _ => return Ok(()),
        };
        brackets.push((expected, self.at));
        Ok(())
    }

    /// Lexes a number; digits may have underscores between them.
    fn number(&mut self) -> Result<Token, SyntaxError> {
        let rest = self.rest();
        let start = self.at;
        // A number after a dot is an index, not the start of a fraction.
        let after_dot = self.text.get(..start).is_some_and(|text| text.ends_with('.'));
        for (prefix, radix) in [("0b", 2), ("0o", 8), ("0x", 16)] {
            if rest.get(..2).is_some_and(|head| head.eq_ignore_ascii_case(prefix)) {
                let length = digits(rest.get(2..).unwrap_or(""), radix, true);
                if length > 0 {
                    self.at += 2 + length;
                    let digits = rest.get(2..2 + length).unwrap_or("").replace('_', "");
                    let number = BigInt::parse_bytes(digits.as_bytes(), radix);
                    return number.map(Token::Integer).ok_or_else(|| self.error("invalid number", start));
                }
            }
        }
        let whole = digits(rest, 10, false);
        let mut length = whole;
        if !after_dot {
            let after = rest.get(length..).unwrap_or("");
            if let Some(fraction) = after.strip_prefix('.') {
                let found = digits(fraction, 10, false);
                length += if found > 0 { found + 1 } else { 0 };
            }
            let after = rest.get(length..).unwrap_or("");
            if let Some(exponent) = after.strip_prefix(['e', 'E']) {
                let sign = usize::from(exponent.starts_with(['+', '-']));
                let found = digits(exponent.get(sign..).unwrap_or(""), 10, false);
                length += if found > 0 { found + sign + 1 } else { 0 };
            }
        }
        if length > whole {
            self.at += length;
            let text = rest.get(..length).unwrap_or("").replace('_', "");
            return text.parse().map(Token::Float).map_err(|_| self.error("invalid number", start));
        }
        // A zero is followed by zeros only.
        let length = if rest.starts_with('0') {
            rest.char_indices().find(|(_, digit)| !matches!(digit, '0' | '_')).map_or(rest.len(), |(at, _)| at)
        } else {
            whole
        };
        let written = rest.get(..length).unwrap_or("").trim_end_matches('_');
        self.at += written.len();
        let digits = written.replace('_', "");
        if digits.len() > 4300 {
            return Err(self.error("Exceeds the limit (4300 digits) for integer string conversion", start));
        }
        digits.parse().map(Token::Integer).map_err(|_| self.error("invalid number", start))
    }

    /// Lexes a string literal.
    fn string(&mut self, quote: char, in_variable: bool) -> Result<Token, SyntaxError> {
        let start = self.at;
        let inner = self.rest().get(1..).unwrap_or("");
        let mut escaped = false;
        let mut end = None;
        for (at, letter) in inner.char_indices() {
            if escaped {
                escaped = false;
            } else if letter == '\\' {
                escaped = true;
            } else if letter == quote {
                end = Some(at);
                break;
            }
        }
        let Some(end) = end else {
            self.at += 1;
            return Err(self
                .error(format!("unexpected char {quote:?} at {start}"), start)
                .help("close the string with a quote"));
        };
        let text = inner.get(..end).unwrap_or("");
        self.at += end + 2;
        let changed;
        let text = match self.settings.newline {
            "\n" => text,
            newline => {
                changed = text.replace('\n', newline);
                &changed
            }
        };
        if !text.contains('\\') {
            return Ok(Token::String(text.into()));
        }
        if in_variable && self.settings.plain_backslashes {
            // Backslashes are doubled before the string is parsed, so that a backslash does not escape a quote.
            if text.contains(&format!("\\{quote}")) {
                return Err(self
                    .error(format!("unexpected char {quote:?} at {start}"), start)
                    .help("a backslash is literal here: use the other kind of quotes"));
            }
            return Ok(Token::String(text.into()));
        }
        let text = hieratic_python_values::decode(text).map_err(|message| self.error(message, start))?;
        Ok(Token::String(text.into()))
    }
}

/// The length of digits with single underscores between them; before the first as well if there is a prefix.
fn digits(text: &str, radix: u32, prefixed: bool) -> usize {
    let mut length = 0;
    let mut after_underscore = !prefixed;
    for (at, letter) in text.char_indices() {
        if letter.is_digit(radix) {
            length = at + 1;
            after_underscore = false;
        } else if letter == '_' && !after_underscore {
            after_underscore = true;
        } else {
            break;
        }
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_tag_is_searched_once() {
        for tag in
            ["{% if 1 %}x{% endif %}", "x{{ 1 }}", "{# c #}", "{% if 1 %}{{ 1 }}", "% set a = 1\n", "x ## c\n", "x\n\n"]
        {
            let lines = Settings { line_statement: "%".into(), line_comment: "##".into(), ..Settings::default() };
            let (source, settings) = (Source::new("t", tag.repeat(2_000)), lines);
            let mut lexer = Lexer::new(&source, &settings);
            lexer.run().expect("tokens");
            assert!(lexer.searched <= 10 * source.text().len(), "{tag}: {}", lexer.searched);
        }
    }
}
