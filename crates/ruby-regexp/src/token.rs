//! Splits a pattern into tokens.
//!
//! Both engines have their own dialect, so a pattern is parsed once here. Nothing is validated: unknown syntax stays
//! unchanged, and the engine reports its errors. Each token has the options that apply at its position.

use crate::Options;

/// The character set of `\w`, `\d`, `\s`, `\b` and the POSIX brackets: the letters `d`, `a` and `u` of Ruby's options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Charset {
    /// Words, digits and spaces are ASCII; boundaries and POSIX brackets are Unicode's.
    #[default]
    Default,
    /// All are ASCII.
    Ascii,
    /// All are Unicode's.
    Unicode,
}

/// The options in force at some place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Modes {
    pub(crate) options: Options,
    pub(crate) charset: Charset,
}

/// A token, the text that it is written as, and the options in force.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'p> {
    pub(crate) kind: TokenKind,
    pub(crate) text: &'p str,
    pub(crate) modes: Modes,
    /// Whether it is inside a class.
    pub(crate) class: bool,
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// Whitespace or a comment, which is ignored.
    Skipped,
    /// A literal character, perhaps escaped.
    Literal(char),
    /// `.`
    Dot,
    /// `\w`, `\d`, `\s`, `\h` or their opposites.
    Shorthand(char),
    /// `\p{...}` or `\P{...}`
    Property,
    /// `^`, `$` or the letter of `\A`, `\z`, `\Z`, `\b`, `\B`, `\G`, `\K`.
    Anchor(char),
    /// `\1` or `\k<name>`
    BackReference,
    /// The beginning of a group.
    Open(Group),
    /// `)`
    Close,
    /// Options for the rest of the group: `(?i)`.
    Switch,
    /// `|`
    Alternative,
    /// A quantifier of the element before it.
    Repeat { least: u32, most: Option<u32>, manner: Manner },
    /// `[` or `[^`
    ClassOpen { negated: bool },
    /// `]`
    ClassClose,
    /// `&&`
    ClassAnd,
    /// `[:name:]`
    Posix { negated: bool },
    /// A hyphen in a class that is neither escaped nor the first in it.
    Hyphen,
    /// Anything else.
    Other,
}

/// The manner of a repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    Greedy,
    Lazy,
    Possessive,
}

/// The kinds of groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    /// `(`
    Plain,
    /// `(?<name>` or `(?'name'`
    Named,
    /// `(?:`, or with options: `(?i:`.
    Options,
    /// `(?=` or `(?!`
    LookAhead,
    /// `(?<=` or `(?<!`
    LookBehind,
    /// `(?>`
    Atomic,
    /// `(?~`
    Absent,
    /// `(?(1)`
    Conditional,
}

impl Group {
    /// Returns whether it is zero-width: it checks the characters around without matching them.
    pub(crate) fn is_zero_width(self) -> bool {
        matches!(self, Group::LookAhead | Group::LookBehind)
    }
}

/// Cuts a pattern, whose escapes are resolved, into tokens that cover all of it.
pub(crate) fn tokens(pattern: &str, options: Options) -> Result<Vec<Token<'_>>, String> {
    let modes = Modes { options, charset: Charset::Default };
    let mut reader = Tokenizer { rest: pattern, modes, outer: Vec::new(), class_depth: 0, class_start: false };
    let mut tokens = Vec::new();
    while !reader.rest.is_empty() {
        let before = reader.rest;
        let class = reader.class_depth > 0;
        let kind = reader.kind()?;
        let text = &before[..before.len() - reader.rest.len()];
        tokens.push(Token { kind, text, modes: reader.modes, class });
        if kind == TokenKind::Close
            && let Some(modes) = reader.outer.pop()
        {
            reader.modes = modes;
        }
    }
    Ok(tokens)
}

struct Tokenizer<'p> {
    rest: &'p str,
    modes: Modes,
    /// The options outside of each open group.
    outer: Vec<Modes>,
    class_depth: u32,
    /// Whether the class has no element yet.
    class_start: bool,
}

impl<'p> Tokenizer<'p> {
    /// Reads one token; takes at least one character.
    fn kind(&mut self) -> Result<TokenKind, String> {
        if self.class_depth > 0 {
            return self.in_class();
        }
        let rest = self.rest;
        let extended = self.modes.options.extended;
        let Some(c) = self.take() else { return Ok(TokenKind::Other) };
        Ok(match c {
            '\\' => self.escape(),
            '.' => TokenKind::Dot,
            '^' | '$' => TokenKind::Anchor(c),
            '|' => TokenKind::Alternative,
            ')' => TokenKind::Close,
            '(' => return self.group(),
            '[' => self.open_class(),
            '*' => self.repeat(0, None, true),
            '+' => self.repeat(1, None, true),
            '?' => self.repeat(0, Some(1), true),
            '{' => match interval(rest) {
                None => TokenKind::Literal(c),
                // A number that is too large is the engine's to refuse.
                Some((least @ ..=MAX_REPEATS, Some(most), _)) if most < least => {
                    return Err("upper is smaller than lower in repeat range".into());
                }
                Some((least, most, length)) => {
                    self.rest = &rest[length..];
                    self.repeat(least, most, false)
                }
            },
            '#' if extended => {
                self.rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
                TokenKind::Skipped
            }
            ' ' | '\t'..='\r' if extended => TokenKind::Skipped,
            c => TokenKind::Literal(c),
        })
    }

    fn take(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    /// Takes what comes up to and with the end, or all if the end does not come.
    fn take_through(&mut self, end: char) {
        let length = self.rest.find(end).map_or(self.rest.len(), |at| at + end.len_utf8());
        self.rest = &self.rest[length..];
    }

    /// Reads how a repetition proceeds. Only that of one character may be possessive.
    fn repeat(&mut self, least: u32, most: Option<u32>, single: bool) -> TokenKind {
        let manner = match self.rest.bytes().next() {
            // An exact number cannot be lazy: the question mark is a separate quantifier.
            Some(b'?') if single || most != Some(least) => Manner::Lazy,
            Some(b'+') if single => Manner::Possessive,
            _ => return TokenKind::Repeat { least, most, manner: Manner::Greedy },
        };
        self.rest = &self.rest[1..];
        TokenKind::Repeat { least, most, manner }
    }

    /// Reads what follows a backslash.
    fn escape(&mut self) -> TokenKind {
        let Some(c) = self.take() else { return TokenKind::Other };
        match c {
            'w' | 'W' | 'd' | 'D' | 's' | 'S' | 'h' | 'H' => TokenKind::Shorthand(c),
            'A' | 'z' | 'Z' | 'b' | 'B' | 'G' | 'K' if self.class_depth == 0 => TokenKind::Anchor(c),
            'p' | 'P' if self.rest.starts_with('{') => {
                self.take_through('}');
                TokenKind::Property
            }
            'k' | 'g' if self.class_depth == 0 && self.rest.starts_with(['<', '\'']) => {
                let end = if self.rest.starts_with('<') { '>' } else { '\'' };
                self.take();
                self.take_through(end);
                if c == 'k' { TokenKind::BackReference } else { TokenKind::Other }
            }
            '1'..='9' if self.class_depth == 0 => {
                self.rest = self.rest.trim_start_matches(|c: char| c.is_ascii_digit());
                TokenKind::BackReference
            }
            'R' | 'X' | 'k' | 'g' | 'p' | 'P' | '0'..='9' => TokenKind::Other,
            'x' => {
                let digits = self.rest.get(..2).unwrap_or("");
                match u8::from_str_radix(digits, 16) {
                    Ok(code) => {
                        self.rest = &self.rest[2..];
                        TokenKind::Literal(code.into())
                    }
                    Err(_) => TokenKind::Other,
                }
            }
            c => TokenKind::Literal(match c {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'f' => '\x0c',
                'v' => '\x0b',
                'a' => '\x07',
                'e' => '\x1b',
                'b' => '\x08',
                c => c,
            }),
        }
    }

    fn open_class(&mut self) -> TokenKind {
        let negated = self.rest.starts_with('^');
        if negated {
            self.take();
        }
        self.class_depth += 1;
        self.class_start = true;
        TokenKind::ClassOpen { negated }
    }

    fn in_class(&mut self) -> Result<TokenKind, String> {
        let rest = self.rest;
        let first = std::mem::replace(&mut self.class_start, false);
        let Some(c) = self.take() else { return Ok(TokenKind::Other) };
        Ok(match c {
            '\\' => self.escape(),
            ']' if first && !self.rest.contains(']') => return Err("empty char-class".into()),
            // A bracket at the start is literal.
            ']' if !first => {
                self.class_depth -= 1;
                TokenKind::ClassClose
            }
            '[' => match posix(rest) {
                Some((negated, length)) => {
                    self.rest = &rest[length..];
                    TokenKind::Posix { negated }
                }
                None if is_like_posix(rest) => return Err("invalid POSIX bracket type".into()),
                None => self.open_class(),
            },
            '&' if self.rest.starts_with('&') => {
                self.take();
                TokenKind::ClassAnd
            }
            '-' if !first => TokenKind::Hyphen,
            c => TokenKind::Literal(c),
        })
    }

    /// Reads what follows the parenthesis of a group.
    fn group(&mut self) -> Result<TokenKind, String> {
        let Some(kind) = self.rest.strip_prefix('?') else { return Ok(self.open(Group::Plain, 0)) };
        let named = |rest: &str, end: char| rest.find(end).map_or(rest.len(), |at| at + 1);
        Ok(match kind.as_bytes() {
            [b'#', ..] => {
                self.rest = &kind[comment(kind)..];
                TokenKind::Skipped
            }
            [b':', ..] => self.open(Group::Options, 2),
            [b'=' | b'!', ..] => self.open(Group::LookAhead, 2),
            [b'<', b'=' | b'!', ..] => self.open(Group::LookBehind, 3),
            [b'>', ..] => self.open(Group::Atomic, 2),
            [b'~', ..] => self.open(Group::Absent, 2),
            [b'<', name @ ..] => {
                // The message about a name that continues past the group's end contains all that follows.
                if matches!(name.iter().find(|byte| matches!(byte, b'>' | b')')), Some(b')')) {
                    return Err(format!("invalid group name <{}>", &kind[1..]));
                }
                self.open(Group::Named, 1 + named(kind, '>'))
            }
            [b'\'', ..] => self.open(Group::Named, 2 + named(&kind[1..], '\'')),
            [b'(', ..] => {
                let length = condition(&kind[1..])?;
                self.open(Group::Conditional, 2 + length)
            }
            [b')', ..] => return Err("undefined group option".into()),
            _ => match self.switched(kind)? {
                Some((modes, length)) => {
                    let opens = kind.as_bytes().get(length) == Some(&b':');
                    let kind = if opens { self.open(Group::Options, length + 2) } else { TokenKind::Switch };
                    if !opens {
                        self.rest = &self.rest[length + 2..];
                    }
                    self.modes = modes;
                    kind
                }
                None => TokenKind::Other,
            },
        })
    }

    /// Opens a group whose opening token has this many bytes.
    fn open(&mut self, group: Group, length: usize) -> TokenKind {
        self.rest = &self.rest[length..];
        self.outer.push(self.modes);
        TokenKind::Open(group)
    }

    /// The options that letters such as `i-mx` set, and the number of letters. Returns `None` if the engine has to
    /// report an error in them.
    fn switched(&self, letters: &str) -> Result<Option<(Modes, usize)>, String> {
        let mut modes = self.modes;
        let mut on = true;
        for (at, letter) in letters.char_indices() {
            match letter {
                ':' | ')' => return Ok(Some((modes, at))),
                '-' => on = false,
                'i' => modes.options.ignore_case = on,
                'm' => modes.options.multiline = on,
                'x' => modes.options.extended = on,
                'a' if on => modes.charset = Charset::Ascii,
                'd' if on => modes.charset = Charset::Default,
                'u' if on => modes.charset = Charset::Unicode,
                _ => return Err("undefined group option".into()),
            }
        }
        Err("end pattern in group".into())
    }
}

/// The length of a comment that begins with `#`: up to a parenthesis that is not escaped.
fn comment(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b')' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of the condition of a conditional, with its parenthesis: a number, or a name in brackets or quotes.
fn condition(text: &str) -> Result<usize, String> {
    if text.starts_with(['<', '\'']) {
        return Ok(text.find(')').map_or(text.len(), |at| at + 1));
    }
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return Err("invalid conditional pattern".into());
    }
    let name = text.split(')').next().unwrap_or(text);
    if name.len() == text.len() || !name.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("invalid group name <{name}>"));
    }
    Ok(name.len() + 1)
}

/// The largest number in an interval.
const MAX_REPEATS: u32 = 100_000;

/// Parses `{n}`, `{n,}`, `{,m}` or `{n,m}`: the least and most, and the length. Anything else is not an interval.
fn interval(text: &str) -> Option<(u32, Option<u32>, usize)> {
    let inside = text.strip_prefix('{')?.split_once('}')?.0;
    let number = |digits: &str| {
        let valid = digits.bytes().all(|byte| byte.is_ascii_digit());
        valid.then(|| digits.parse().unwrap_or(u32::MAX))
    };
    let (least, most) = match inside.split_once(',') {
        None => (number(inside).filter(|_| !inside.is_empty())?, Some(number(inside)?)),
        Some(("", "")) => return None,
        Some((least, "")) => (number(least)?, None),
        Some(("", most)) => (0, Some(number(most)?)),
        Some((least, most)) => (number(least)?, Some(number(most)?)),
    };
    Some((least, most, inside.len() + 2))
}

/// The names of POSIX brackets.
const POSIX: [&str; 14] = [
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "word",
    "xdigit",
];

/// Reads `[:name:]` or `[:^name:]`: whether it is negated, and the length.
fn posix(text: &str) -> Option<(bool, usize)> {
    let inside = text.strip_prefix("[:")?.split_once(":]")?.0;
    let name = inside.strip_prefix('^').unwrap_or(inside);
    POSIX.contains(&name).then_some((name.len() != inside.len(), inside.len() + 4))
}

/// Returns whether a string begins and ends like a POSIX bracket within twenty characters, without being one.
fn is_like_posix(text: &str) -> bool {
    let Some(inside) = text.strip_prefix("[:") else { return false };
    let inside = inside.strip_prefix('^').unwrap_or(inside);
    let end = inside.char_indices().take(21).find(|(_, c)| matches!(c, ':' | ']'));
    end.is_some_and(|(at, _)| inside[at..].starts_with(":]"))
}
