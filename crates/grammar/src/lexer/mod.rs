//! The lexer: text becomes words.
//!
//! What a sign means can depend on what stands before it: a slash divides after a value and begins a regular expression
//! elsewhere; a bracket behind a blank begins an array, one that touches a value looks into it; a brace behind `?` begins
//! the options of a selector. Strings with interpolations become several words, with those of the code in them between.
//! See the [lexical structure](https://github.com/puppetlabs/puppet-specifications/blob/master/language/lexical_structure.md).

mod epp;
mod heredoc;
mod number;
mod string;
pub(crate) mod token;

use hieratic_regexp::Regexp;
use hieratic_value::Str;

use crate::ast::Extent;
use crate::problem::Problem;
use token::{Kind, Token};

/// How deep interpolations may be nested.
const DEEPEST: usize = 200;

/// Everything that was read from a text.
#[derive(Debug, Default)]
pub(crate) struct Lexed {
    pub tokens: Vec<Token>,
    /// The regular expressions of the tokens.
    pub regexps: Vec<Regexp>,
    /// Warnings, and the fault at which reading stopped.
    pub problems: Vec<Problem>,
    /// The fault at which reading stopped.
    pub fault: Option<Problem>,
}

/// How a text is read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Settings {
    /// Whether it is a template.
    pub epp: bool,
    /// Whether `plan` and `apply` are kept words.
    pub tasks: bool,
}

/// Reads a text.
pub(crate) fn lex(text: &str, settings: Settings) -> Lexed {
    let mut lexed = Lexed { tokens: Vec::with_capacity(text.len() / 5), ..Lexed::default() };
    let result = {
        let mut lexer = Lexer::new(text, settings, Places::Same(0), &mut lexed, 0);
        if settings.epp { lexer.template() } else { lexer.manifest() }
    };
    let end = text.len() as u32;
    match result {
        Ok(()) => lexed.push(Kind::End, Extent { start: end, end }, None),
        Err(problem) => {
            lexed.push(Kind::Error, problem.span, None);
            lexed.fault = Some(*problem);
        }
    }
    lexed
}

impl Lexed {
    fn push(&mut self, kind: Kind, span: Extent, text: Option<Str>) {
        self.tokens.push(Token { kind, span, text, extra: 0 });
    }
}

type Step<T = ()> = Result<T, Box<Problem>>;

/// Where the bytes of a text lie in the source.
#[derive(Clone, Debug)]
enum Places {
    /// So many bytes further.
    Same(u32),
    /// Line by line: where a line starts in the text, and where in the source.
    Lines(Vec<(u32, u32)>),
}

impl Places {
    fn of(&self, at: usize) -> u32 {
        let at = at as u32;
        match self {
            Places::Same(offset) => at + offset,
            Places::Lines(lines) => {
                let line = lines.partition_point(|(start, _)| *start <= at).saturating_sub(1);
                lines.get(line).map_or(at, |(start, source)| source + (at - start))
            }
        }
    }
}

struct Lexer<'t, 'l> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    places: Places,
    out: &'l mut Lexed,
    settings: Settings,
    /// The kind of the last word.
    after: Option<Kind>,
    /// How many braces are open.
    braces: usize,
    /// Where the line starts, as far as line ends outside of words tell.
    line: usize,
    /// Where to go on at the end of the line: behind the heredocs that began on it.
    jump: Option<usize>,
    /// In a template: what the tag is.
    epp: Option<epp::Tag>,
    /// In strings: whether a dollar begins an interpolation.
    interpolates: bool,
    /// In strings: whether a backslash takes its meaning from a dollar.
    escapes_dollar: bool,
    depth: usize,
}

impl<'t, 'l> Lexer<'t, 'l> {
    fn new(text: &'t str, settings: Settings, places: Places, out: &'l mut Lexed, depth: usize) -> Self {
        Lexer {
            text,
            bytes: text.as_bytes(),
            at: 0,
            places,
            out,
            settings,
            after: None,
            braces: 0,
            line: 0,
            jump: None,
            epp: None,
            interpolates: true,
            escapes_dollar: true,
            depth,
        }
    }

    fn manifest(&mut self) -> Step {
        self.refuse_mark()?;
        while self.at < self.bytes.len() {
            self.word()?;
        }
        Ok(())
    }

    /// A mark of the byte order is no part of the language.
    fn refuse_mark(&self) -> Step {
        if self.text.starts_with('\u{feff}') {
            let message =
                "Illegal UTF-8 Byte Order mark at beginning of input: [EF BB BF] - remove these from the puppet source";
            let problem = Problem::error("illegal-bom", message, Extent { start: 0, end: 3 });
            return Err(Box::new(Problem { at: None, ..problem }));
        }
        Ok(())
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn extent(&self, start: usize, end: usize) -> Extent {
        Extent { start: self.places.of(start), end: self.places.of(end) }
    }

    fn push(&mut self, kind: Kind, start: usize, text: Option<Str>) {
        let span = self.extent(start, self.at);
        self.after = Some(kind);
        self.out.push(kind, span, text);
    }

    /// A sign of so many bytes.
    fn sign(&mut self, kind: Kind, length: usize) -> Step {
        let start = self.at;
        self.at += length;
        self.push(kind, start, None);
        Ok(())
    }

    /// A fault at a byte of the text.
    fn fault(&self, issue: &'static str, message: impl Into<String>, at: usize) -> Box<Problem> {
        let place = self.places.of(at.min(self.bytes.len()));
        Box::new(Problem::error(issue, message, Extent { start: place, end: place + 1 }))
    }

    /// What follows, as messages show it.
    fn followed_by(&self, at: usize) -> String {
        let rest = self.text.get(at..).unwrap_or_default();
        if rest.is_empty() {
            return "<eof>".into();
        }
        let start: String = rest.chars().take(5).collect();
        format!("{start}...").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
    }

    /// Reads one word, or goes over what is none.
    fn word(&mut self) -> Step {
        match self.byte(0) {
            b' ' | b'\t' | b'\r' => {
                self.at += 1;
                Ok(())
            }
            b'\n' => {
                self.at = self.jump.take().unwrap_or(self.at + 1);
                self.line = self.at;
                Ok(())
            }
            b'#' => {
                let rest = &self.bytes[self.at..];
                self.at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
                Ok(())
            }
            b'a'..=b'z' | b'_' => self.bare_word(),
            b'A'..=b'Z' => self.class_reference(),
            b'0'..=b'9' => self.number(),
            b'$' => self.variable(),
            b'\'' => self.single_quoted(),
            b'"' => self.double_quoted(),
            _ => self.other(),
        }
    }

    fn other(&mut self) -> Step {
        let (one, two) = (self.byte(1), self.byte(2));
        match self.byte(0) {
            b'.' => self.sign(Kind::Dot, 1),
            b',' => self.sign(Kind::Comma, 1),
            b'[' => {
                let before = self.at.checked_sub(1).map(|at| self.bytes[at]);
                let starts = before.is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
                self.sign(if starts { Kind::ListStart } else { Kind::LBrack }, 1)
            }
            b']' => self.sign(Kind::RBrack, 1),
            b'(' => {
                let indented = self.bytes[self.line.min(self.at)..self.at].iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'));
                self.sign(if indented { Kind::WsLParen } else { Kind::LParen }, 1)
            }
            b')' => self.sign(Kind::RParen, 1),
            b';' => self.sign(Kind::Semic, 1),
            b'?' => self.sign(Kind::QMark, 1),
            b'*' => self.sign(Kind::Times, 1),
            b'%' if one == b'>' && self.epp.is_some() => self.end_tag(false),
            b'%' => self.sign(Kind::Modulo, 1),
            b'{' => {
                self.braces += 1;
                self.sign(if self.after == Some(Kind::QMark) { Kind::SelBrace } else { Kind::LBrace }, 1)
            }
            b'}' => {
                self.braces = self.braces.saturating_sub(1);
                self.sign(Kind::RBrace, 1)
            }
            b'@' if one == b'@' => self.sign(Kind::AtAt, 2),
            b'@' if one == b'(' => self.heredoc(),
            b'@' => self.sign(Kind::At, 1),
            b'|' if one == b'>' && two == b'>' => self.sign(Kind::RrCollect, 3),
            b'|' if one == b'>' => self.sign(Kind::RCollect, 2),
            b'|' => self.sign(Kind::Pipe, 1),
            b'=' => match one {
                b'=' => self.sign(Kind::IsEqual, 2),
                b'>' => self.sign(Kind::FArrow, 2),
                b'~' => self.sign(Kind::Match, 2),
                _ => self.sign(Kind::Equals, 1),
            },
            b'+' => match one {
                b'=' => self.sign(Kind::Appends, 2),
                b'>' => self.sign(Kind::PArrow, 2),
                _ => self.sign(Kind::Plus, 1),
            },
            b'-' if one == b'%' && two == b'>' && self.epp.is_some() => self.end_tag(true),
            b'-' => match one {
                b'>' => self.sign(Kind::InEdge, 2),
                b'=' => self.sign(Kind::Deletes, 2),
                _ => self.sign(Kind::Minus, 1),
            },
            b'!' => match one {
                b'=' => self.sign(Kind::NotEqual, 2),
                b'~' => self.sign(Kind::NoMatch, 2),
                _ => self.sign(Kind::Not, 1),
            },
            b'~' if one == b'>' => self.sign(Kind::InEdgeSub, 2),
            b'~' => self.sign(Kind::Tilde, 1),
            b'/' => self.slash(),
            b'<' => match (one, two) {
                (b'<', b'|') => self.sign(Kind::LlCollect, 3),
                (b'<', _) => self.sign(Kind::LShift, 2),
                (b'=', _) => self.sign(Kind::LessEqual, 2),
                (b'|', _) => self.sign(Kind::LCollect, 2),
                (b'-', _) => self.sign(Kind::OutEdge, 2),
                (b'~', _) => self.sign(Kind::OutEdgeSub, 2),
                _ => self.sign(Kind::LessThan, 1),
            },
            b'>' => match one {
                b'>' => self.sign(Kind::RShift, 2),
                b'=' => self.sign(Kind::GreaterEqual, 2),
                _ => self.sign(Kind::GreaterThan, 1),
            },
            b':' if one == b':' => self.absolute_name(two),
            b':' => self.sign(Kind::Colon, 1),
            _ => self.no_word(),
        }
    }

    /// Blanks beyond ASCII are blanks; everything else is no part of the language.
    fn no_word(&mut self) -> Step {
        let Some(c) = self.text.get(self.at..).and_then(|rest| rest.chars().next()) else {
            self.at += 1;
            return Ok(());
        };
        let start = self.at;
        self.at += c.len_utf8();
        // Ruby's `[[:blank:]]` has the blanks of Unicode, without those that end lines.
        if c.is_whitespace() && !matches!(c, '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}') {
            return Ok(());
        }
        self.push(Kind::Other, start, Some("".into()));
        Ok(())
    }

    fn slash(&mut self) -> Step {
        if self.byte(1) == b'*' {
            let rest = &self.text[self.at + 2..];
            return match rest.find("*/") {
                Some(length) => {
                    self.at += length + 4;
                    Ok(())
                }
                None => Err(self.fault("unclosed-mlcomment", "Unclosed multiline comment", self.at)),
            };
        }
        if !self.takes_regexp() {
            return self.sign(Kind::Div, 1);
        }
        // The first slash that is not escaped ends the expression.
        let start = self.at;
        let mut end = start + 1;
        loop {
            let Some(length) = self.bytes[end..].iter().position(|byte| *byte == b'/') else {
                return self.sign(Kind::Div, 1);
            };
            end += length + 1;
            let backslashes = self.bytes[start + 1..end - 1].iter().rev().take_while(|byte| **byte == b'\\').count();
            if backslashes % 2 == 0 {
                break;
            }
        }
        let source = self.text[start + 1..end - 1].replace("\\/", "/");
        let regexp = Regexp::new(&source).map_err(|error| {
            let problem = self.fault("invalid-regexp", error.to_string(), start);
            Box::new(Problem { span: self.extent(start, end), at: None, ..*problem })
        })?;
        self.at = end;
        self.push(Kind::Regexp, start, None);
        let extra = self.out.regexps.len() as u32;
        self.out.regexps.push(regexp);
        if let Some(token) = self.out.tokens.last_mut() {
            token.extra = extra;
        }
        Ok(())
    }

    /// Whether a slash can begin a regular expression here.
    fn takes_regexp(&self) -> bool {
        !matches!(
            self.after,
            Some(
                Kind::RParen
                    | Kind::RBrack
                    | Kind::RrCollect
                    | Kind::RCollect
                    | Kind::Name
                    | Kind::ClassRef
                    | Kind::Number
                    | Kind::String
                    | Kind::True
                    | Kind::False
                    | Kind::DqPre
                    | Kind::DqMid
                    | Kind::DqPost
                    | Kind::Heredoc
                    | Kind::Regexp
                    | Kind::Variable
                    | Kind::Word
            )
        )
    }

    fn variable(&mut self) -> Step {
        let start = self.at;
        let length = variable_length(&self.bytes[start + 1..]);
        self.at += 1 + length;
        let name = self.text[start + 1..self.at].into();
        self.push(Kind::Variable, start, Some(name));
        Ok(())
    }

    /// A name with `::` in front.
    fn absolute_name(&mut self, next: u8) -> Step {
        if next.is_ascii_uppercase() {
            let length = class_reference_length(&self.bytes[self.at..]);
            let end = self.at + length;
            if length > 0 && !self.bytes[end..].starts_with(b"::") {
                let start = self.at;
                self.at = end;
                self.push(Kind::ClassRef, start, Some(self.text[start..end].into()));
                return Ok(());
            }
            let at = if length > 0 { end } else { self.at } + 3;
            return Err(self.fault(
                "illegal-fully-qualified-class-reference",
                "Illegal fully qualified class reference",
                at,
            ));
        }
        let length = bare_word_length(&self.bytes[self.at..]);
        if length == 0 {
            return Err(self.fault("illegal-fully-qualified-name", "Illegal fully qualified name", self.at + 2));
        }
        self.named(length)
    }

    fn bare_word(&mut self) -> Step {
        // The first letter is one of a bare word, so there is always one.
        self.named(bare_word_length(&self.bytes[self.at..]).max(1))
    }

    fn named(&mut self, length: usize) -> Step {
        let start = self.at;
        let text = &self.text[start..start + length];
        self.at += length;
        if let Some(keyword) = keyword(text, self.settings.tasks) {
            self.push(keyword, start, None);
            return Ok(());
        }
        let kind = if is_name(text) { Kind::Name } else { Kind::Word };
        self.push(kind, start, Some(text.into()));
        Ok(())
    }

    fn class_reference(&mut self) -> Step {
        let start = self.at;
        let end = start + class_reference_length(&self.bytes[start..]);
        if self.bytes[end..].starts_with(b"::") {
            return Err(self.fault("illegal-class-reference", "Illegal class reference", end + 1));
        }
        self.at = end;
        self.push(Kind::ClassRef, start, Some(self.text[start..end].into()));
        Ok(())
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn word_length(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| !is_word(*byte)).unwrap_or(bytes.len())
}

/// The length of a variable's name: words with `::` between and perhaps in front.
fn variable_length(bytes: &[u8]) -> usize {
    let mut end = if bytes.starts_with(b"::") { 2 } else { 0 };
    let first = word_length(&bytes[end..]);
    if first == 0 {
        return 0;
    }
    end += first;
    while bytes[end..].starts_with(b"::") {
        let next = word_length(&bytes[end + 2..]);
        if next == 0 {
            break;
        }
        end += 2 + next;
    }
    end
}

fn class_reference_length(bytes: &[u8]) -> usize {
    let mut end = 0;
    loop {
        let start = if bytes[end..].starts_with(b"::") { end + 2 } else { end };
        if !bytes.get(start).is_some_and(u8::is_ascii_uppercase) {
            return end;
        }
        end = start + word_length(&bytes[start..]);
    }
}

/// The length of words of lower-case start with `::` between; inside, hyphens are letters too.
fn bare_word_length(bytes: &[u8]) -> usize {
    let mut end = 0;
    loop {
        let start = if bytes[end..].starts_with(b"::") { end + 2 } else { end };
        if !bytes.get(start).is_some_and(|byte| byte.is_ascii_lowercase() || *byte == b'_') {
            return end;
        }
        let run = &bytes[start..];
        let mut length = run.iter().position(|byte| !is_word(*byte) && *byte != b'-').unwrap_or(run.len());
        while run[length - 1] == b'-' {
            length -= 1;
        }
        end = start + length;
    }
}

/// Whether a bare word is a name: without hyphens, and no part begins with an underscore.
fn is_name(text: &str) -> bool {
    let text = text.strip_prefix("::").unwrap_or(text);
    !text.contains('-') && text.split("::").all(|part| part.as_bytes().first().is_some_and(u8::is_ascii_lowercase))
}

fn keyword(text: &str, tasks: bool) -> Option<Kind> {
    Some(match text {
        "case" => Kind::Case,
        "class" => Kind::Class,
        "default" => Kind::Default,
        "define" => Kind::Define,
        "if" => Kind::If,
        "elsif" => Kind::Elsif,
        "else" => Kind::Else,
        "inherits" => Kind::Inherits,
        "node" => Kind::Node,
        "and" => Kind::And,
        "or" => Kind::Or,
        "undef" => Kind::Undef,
        "false" => Kind::False,
        "true" => Kind::True,
        "in" => Kind::In,
        "unless" => Kind::Unless,
        "function" => Kind::Function,
        "type" => Kind::Type,
        "attr" => Kind::Attr,
        "private" => Kind::Private,
        "plan" if tasks => Kind::Plan,
        "apply" if tasks => Kind::Apply,
        _ => return None,
    })
}
