//! Translates a pattern to the dialect of the `regex` crate, whose time is bounded by the lengths of pattern and
//! string.
//!
//! The translation contains only constructs with provably equal meaning. Constructs that depend on the version of
//! Unicode, on case beyond ASCII, or on the newline at the very end of a string (before which Ruby's `^` does not
//! match) are only translated for strings in which they make no difference.

use std::ops::Range;

use regex::{Regex, RegexBuilder};

use crate::token::{Charset, Group, Manner, Token, TokenKind};

/// The largest size of a compiled pattern, in bytes.
const MAX_PATTERN_BYTES: usize = 1 << 20;

/// The most tokens of a pattern that is translated: the other engine takes long to compile.
const MAX_TOKENS: usize = 2_000;

/// A translated pattern.
pub(crate) struct BoundedPattern {
    regex: Regex,
    /// Whether it has the same meaning only for ASCII strings.
    ascii_only: bool,
    /// Whether it has the same meaning only for strings that do not end with a newline.
    no_final_newline: bool,
}

impl BoundedPattern {
    /// Returns whether the pattern has the meaning of Ruby for this string.
    pub(crate) fn is_equivalent_for(&self, text: &str) -> bool {
        (!self.no_final_newline || !text.ends_with('\n')) && (!self.ascii_only || text.is_ascii())
    }

    /// The first match that starts at or after a byte, with its groups if `captures` is set.
    pub(crate) fn search(&self, text: &str, start: usize, captures: bool) -> Option<Vec<Option<Range<usize>>>> {
        if !captures {
            return self.regex.find_at(text, start).map(|found| vec![Some(found.range())]);
        }
        let found = self.regex.captures_at(text, start)?;
        Some(found.iter().map(|group| group.map(|group| group.range())).collect())
    }
}

/// Translates a pattern, if all of it can be.
pub(crate) fn translate(tokens: &[Token<'_>]) -> Option<BoundedPattern> {
    if tokens.len() > MAX_TOKENS {
        return None;
    }
    let has_names = tokens.iter().any(|token| token.kind == TokenKind::Open(Group::Named));
    let mut translator = Translator {
        out: String::new(),
        has_names,
        branches: vec![Alternatives::default()],
        before: None,
        ascii_only: false,
        no_final_newline: false,
    };
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += match token.kind {
            TokenKind::ClassOpen { .. } => translator.class(&tokens[at..])?,
            _ => translator.token(token).map(|()| 1)?,
        };
        if token.kind != TokenKind::Skipped {
            // A class was read as one.
            let class = matches!(token.kind, TokenKind::ClassOpen { .. });
            translator.before = Some(if class { TokenKind::ClassClose } else { token.kind });
        }
    }
    let regex = RegexBuilder::new(&translator.out).multi_line(true).size_limit(MAX_PATTERN_BYTES).build().ok()?;
    let Translator { ascii_only, no_final_newline, .. } = translator;
    Some(BoundedPattern { regex, ascii_only, no_final_newline })
}

struct Translator {
    out: String,
    /// With named groups, plain ones do not capture.
    has_names: bool,
    /// The state of each open group, and of the pattern itself.
    branches: Vec<Alternatives>,
    before: Option<TokenKind>,
    ascii_only: bool,
    no_final_newline: bool,
}

/// The alternatives of a group so far, and those of them that can match the empty string.
#[derive(Clone, Copy)]
struct Alternatives {
    /// One of the alternatives before this one can.
    any_empty: bool,
    /// Whether all of this alternative can, including the last element.
    empty: bool,
    /// Whether all of this alternative before the last element can.
    empty_before_last: bool,
    /// Whether the last element can.
    last_empty: bool,
}

impl Default for Alternatives {
    fn default() -> Alternatives {
        Alternatives { any_empty: false, empty: true, empty_before_last: true, last_empty: true }
    }
}

impl Translator {
    fn token(&mut self, token: &Token<'_>) -> Option<()> {
        let options = token.modes.options;
        match token.kind {
            TokenKind::Skipped => {}
            TokenKind::Literal(c) => {
                self.fold(options.ignore_case, c)?;
                let literal = regex::escape(c.encode_utf8(&mut [0; 4]));
                self.atom(options.ignore_case, &literal);
            }
            TokenKind::Dot => self.atom(false, if options.multiline { "(?s:.)" } else { "(?-s:.)" }),
            TokenKind::Shorthand(letter) => {
                self.restrict(token.modes.charset);
                self.atom(false, &format!("[{}]", shorthand(letter)));
            }
            TokenKind::Anchor(letter) => {
                let anchor = match letter {
                    '$' => "$",
                    'A' => "\\A",
                    'z' => "\\z",
                    '^' | 'Z' => {
                        self.no_final_newline = true;
                        if letter == '^' { "^" } else { "\\z" }
                    }
                    'b' | 'B' => {
                        self.ascii_only = true;
                        token.text
                    }
                    _ => return None,
                };
                self.out.push_str(anchor);
                self.push(true);
            }
            TokenKind::Open(group) => {
                self.out.push_str(match group {
                    Group::Plain if self.has_names => "(?:",
                    Group::Plain | Group::Named => "(",
                    Group::Options => "(?:",
                    _ => return None,
                });
                self.branches.push(Alternatives::default());
            }
            TokenKind::Close => {
                self.out.push(')');
                let inner = self.branches.pop()?;
                self.push(inner.any_empty || inner.empty);
            }
            // Further on, the options would reach over the alternatives in another way.
            TokenKind::Switch => {
                if !matches!(self.before, None | Some(TokenKind::Open(_))) {
                    return None;
                }
            }
            TokenKind::Alternative => {
                self.out.push('|');
                let branch = self.branches.last_mut()?;
                *branch = Alternatives { any_empty: branch.any_empty || branch.empty, ..Alternatives::default() };
            }
            TokenKind::Repeat { least, most, manner } => self.repeat(least, most, manner)?,
            _ => return None,
        }
        Some(())
    }

    /// Notes one more thing, and whether it can match nothing.
    fn push(&mut self, empty: bool) {
        if let Some(branch) = self.branches.last_mut() {
            branch.empty_before_last = branch.empty;
            branch.empty = branch.empty && empty;
            branch.last_empty = empty;
        }
    }

    fn atom(&mut self, ignore_case: bool, text: &str) {
        if ignore_case {
            self.out.push_str(&format!("(?i:{text})"));
        } else {
            self.out.push_str(text);
        }
        self.push(false);
    }

    fn repeat(&mut self, least: u32, most: Option<u32>, manner: Manner) -> Option<()> {
        // Only one thing that takes a character: engines differ in repeating nothing, and in repetitions of repetitions.
        let repeatable = matches!(
            self.before,
            Some(
                TokenKind::Literal(_)
                    | TokenKind::Dot
                    | TokenKind::Shorthand(_)
                    | TokenKind::Close
                    | TokenKind::ClassClose
            )
        );
        let branch = self.branches.last_mut()?;
        if !repeatable || branch.last_empty || manner == Manner::Possessive {
            return None;
        }
        if least == 0 {
            branch.empty = branch.empty_before_last;
            branch.last_empty = true;
        }
        match most {
            Some(most) => self.out.push_str(&format!("{{{least},{most}}}")),
            None => self.out.push_str(&format!("{{{least},}}")),
        }
        if manner == Manner::Lazy {
            self.out.push('?');
        }
        Some(())
    }

    /// Without regard to case, only ASCII letters have equal meaning, and only in ASCII strings.
    fn fold(&mut self, ignore_case: bool, c: char) -> Option<()> {
        if ignore_case {
            self.ascii_only = true;
        }
        (!ignore_case || c.is_ascii()).then_some(())
    }

    /// A shorthand of Unicode has the same meaning in ASCII strings.
    fn restrict(&mut self, charset: Charset) {
        self.ascii_only |= charset == Charset::Unicode;
    }

    /// Translates a class of characters and ranges; returns how many tokens it has.
    fn class(&mut self, tokens: &[Token<'_>]) -> Option<usize> {
        let ignore_case = tokens.first()?.modes.options.ignore_case;
        let mut set = String::new();
        let mut depth = 0;
        // The element before a hyphen: a single character begins a range, other elements make an oddity.
        let mut range_start = None;
        let mut at = 0;
        loop {
            let token = tokens.get(at)?;
            let mut next_start = None;
            match token.kind {
                TokenKind::ClassOpen { negated } => {
                    // Case-insensitive, nested and negated sets have special rules.
                    if depth > 0 && ignore_case {
                        return None;
                    }
                    set.push_str(if negated { "[^" } else { "[" });
                    depth += 1;
                }
                TokenKind::ClassClose => {
                    set.push(']');
                    depth -= 1;
                }
                TokenKind::Literal(c) => {
                    self.fold(ignore_case, c)?;
                    push_literal(&mut set, c);
                    next_start = Some(c);
                }
                TokenKind::Hyphen => match (range_start, tokens.get(at + 1)?.kind) {
                    (_, TokenKind::ClassClose) => set.push_str("\\-"),
                    (Some(first), TokenKind::Literal(last)) if first <= last => {
                        self.fold(ignore_case, last)?;
                        set.push('-');
                        push_literal(&mut set, last);
                        at += 1;
                    }
                    _ => return None,
                },
                TokenKind::Shorthand(letter) => {
                    if ignore_case {
                        return None;
                    }
                    self.restrict(token.modes.charset);
                    set.push_str(shorthand(letter));
                }
                TokenKind::Posix { .. } if !ignore_case => {
                    self.ascii_only = true;
                    set.push_str(token.text);
                }
                _ => return None,
            }
            range_start = next_start;
            at += 1;
            if depth == 0 {
                break;
            }
        }
        self.atom(ignore_case, &set);
        Some(at)
    }
}

fn push_literal(set: &mut String, c: char) {
    if c.is_ascii_punctuation() {
        set.push('\\');
    }
    set.push(c);
}

/// The content of a class that equals a shorthand.
fn shorthand(letter: char) -> &'static str {
    match letter {
        'w' => "0-9A-Za-z_",
        'W' => "[^0-9A-Za-z_]",
        'd' => "0-9",
        'D' => "[^0-9]",
        's' => "\\x09-\\x0D\\x20",
        'S' => "[^\\x09-\\x0D\\x20]",
        'h' => "0-9A-Fa-f",
        // The reader knows the letters above and this one.
        _ => "[^0-9A-Fa-f]",
    }
}
