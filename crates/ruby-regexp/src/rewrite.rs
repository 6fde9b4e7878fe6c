//! Translates a pattern of Ruby to the dialect of Oniguruma.
//!
//! Ruby's engine, Onigmo, is a fork of Oniguruma, so most of a pattern stays unchanged. The differences:
//!
//! - Ruby's `\w`, `\d` and `\s` are ASCII while `\b` and the POSIX brackets are Unicode's; `(?a)` and `(?u)` change that.
//!   Oniguruma has a single switch for all, so ASCII classes are written out.
//! - Ruby allows repeated anchors (`^*`), which Oniguruma rejects outside of groups.
//! - Ruby's properties respect the `i` option; Oniguruma's do so only in a class.
//! - Ruby rejects more in look-behinds and conditionals.
//! - `(?~|`, `\y` and `\o` have additional meanings in Oniguruma.

use crate::token::{Charset, Group, Manner, Modes, Token, TokenKind};

/// The pattern for Oniguruma.
pub(crate) struct OnigurumaPattern {
    pub(crate) pattern: String,
    /// A semantic error of the pattern, which is reported only if its syntax is correct.
    pub(crate) fault: Option<&'static str>,
    /// Whether the match depends on the start of the search.
    pub(crate) depends_on_start: bool,
}

const BAD_CONDITIONAL: &str = "invalid conditional pattern";
const BAD_LOOK_BEHIND: &str = "invalid pattern in look-behind";

/// Writes the tokens in the dialect of Oniguruma.
pub(crate) fn rewrite(tokens: &[Token<'_>]) -> Result<OnigurumaPattern, String> {
    let mut writer = PatternWriter { tokens, out: String::new(), groups: Vec::new(), fault: None };
    for at in 0..tokens.len() {
        writer.write(at)?;
    }
    let depends_on_start = depends_on_start(tokens);
    Ok(OnigurumaPattern { pattern: writer.out, fault: writer.fault, depends_on_start })
}

/// Returns whether the match depends on the start of the search: for `\G`, and for `.*` that matches newlines. Both
/// engines try a pattern that begins with the latter only at the start of the search, even if an anchor before it
/// (`$.*`) would hold only further on.
fn depends_on_start(tokens: &[Token<'_>]) -> bool {
    if tokens.iter().any(|token| token.kind == TokenKind::Anchor('G')) {
        return true;
    }
    let mut outer = Vec::new();
    let mut anchored = false;
    for (at, token) in tokens.iter().enumerate() {
        let looks_around = outer.last() == Some(&true);
        match token.kind {
            TokenKind::Open(group) => {
                anchored |= group.is_zero_width();
                outer.push(looks_around || group.is_zero_width());
            }
            TokenKind::Close => {
                outer.pop();
            }
            _ if looks_around => {}
            TokenKind::Anchor(letter) => anchored |= !matches!(letter, '^' | 'A'),
            TokenKind::Skipped | TokenKind::Switch => {}
            TokenKind::Dot if token.modes.options.multiline => {
                let next = tokens.get(at + 1).map(|token| token.kind);
                return anchored && matches!(next, Some(TokenKind::Repeat { least: 0, most: None, .. }));
            }
            _ => return false,
        }
    }
    false
}

struct PatternWriter<'t, 'p> {
    tokens: &'t [Token<'p>],
    out: String,
    groups: Vec<OpenGroup>,
    fault: Option<&'static str>,
}

struct OpenGroup {
    kind: Group,
    /// Its index among the tokens, and its offset in the output.
    token: usize,
    start: usize,
    alternatives: usize,
    /// Whether its content must have one length.
    behind: bool,
    /// Whether it was put into a group that cannot match.
    impossible: bool,
}

impl PatternWriter<'_, '_> {
    fn write(&mut self, at: usize) -> Result<(), String> {
        let Token { kind, text, modes, class } = self.tokens[at];
        let after = self.groups.last().is_some_and(|group| group.behind);
        if after && has_variable_length(kind) {
            self.fault = Some(BAD_LOOK_BEHIND);
        }
        let folded_behind = after && modes.options.ignore_case;
        match kind {
            TokenKind::Open(group) => self.open(at, group)?,
            TokenKind::Close => self.close(at),
            TokenKind::Alternative => {
                if let Some(group) = self.groups.last_mut() {
                    group.alternatives += 1;
                    if group.kind == Group::Conditional && group.alternatives > 2 {
                        return Err(BAD_CONDITIONAL.into());
                    }
                }
                self.out.push('|');
            }
            TokenKind::Switch => self.out.push_str(&format!("(?{})", letters(modes))),
            TokenKind::Anchor(letter) => {
                let start = self.out.len();
                match (letter, modes.charset) {
                    ('b', Charset::Ascii) => {
                        self.out.push_str("(?:(?<=[0-9A-Za-z_])(?![0-9A-Za-z_])|(?<![0-9A-Za-z_])(?=[0-9A-Za-z_]))")
                    }
                    ('B', Charset::Ascii) => {
                        self.out.push_str("(?:(?<=[0-9A-Za-z_])(?=[0-9A-Za-z_])|(?<![0-9A-Za-z_])(?![0-9A-Za-z_]))")
                    }
                    _ => self.out.push_str(text),
                }
                self.guard(at, at, start);
            }
            TokenKind::Shorthand(letter) => self.shorthand(at, letter, modes)?,
            TokenKind::Property => self.property(text, modes.options.ignore_case && !class && !after)?,
            TokenKind::Posix { negated } if modes.charset == Charset::Ascii => {
                let name = text.trim_matches(['[', ']', ':', '^']);
                self.out.push_str(if negated { "[^" } else { "[" });
                self.out.push_str(ascii(name));
                self.out.push(']');
            }
            // Without regard to case, Oniguruma takes some classes to match two letters (ss for ß), and refuses them in a
            // look-behind. So the other case is written out.
            TokenKind::ClassOpen { .. } if folded_behind && !class => self.out.push_str(&format!("(?-i:{text}")),
            TokenKind::ClassClose if folded_behind && self.tokens.get(at + 1).is_none_or(|next| !next.class) => {
                self.out.push_str("])");
            }
            TokenKind::Literal(_) if folded_behind && class => {
                self.out.push_str(text);
                self.other_case(at);
            }
            // In Oniguruma these ask for the bounds of a grapheme and for an octal number.
            TokenKind::Literal(letter @ ('y' | 'Y' | 'o')) => self.out.push(letter),
            _ => self.out.push_str(text),
        }
        Ok(())
    }

    fn property(&mut self, text: &str, bracketed: bool) -> Result<(), String> {
        let named = &text[3..];
        let end = named.find(['(', ')', '{', '|', '}']);
        let inside = match end {
            Some(end) if named[end..].starts_with('}') => &named[..end],
            // The part of the name read so far. At the end of the pattern, all except its last character.
            Some(end) => return Err(unknown_property(&named[..end])),
            None => return Err(unknown_property(named.char_indices().next_back().map_or("", |(at, _)| &named[..at]))),
        };
        let name = inside.strip_prefix('^').unwrap_or(inside);
        let significant = |c: &char| !matches!(c, ' ' | '-' | '_');
        let name = match name.chars().filter(significant).collect::<String>().to_ascii_lowercase().as_str() {
            // The two engines have different names for this.
            "posixpunct" => return Err(unknown_property(inside)),
            "xposixpunct" => "PosixPunct",
            _ => name,
        };
        let negated = text.starts_with("\\P") != inside.starts_with('^');
        let written = match (bracketed, negated) {
            (true, true) => format!("[^\\p{{{name}}}]"),
            (true, false) => format!("[\\p{{{name}}}]"),
            (false, true) => format!("\\P{{{name}}}"),
            (false, false) => format!("\\p{{{name}}}"),
        };
        self.out.push_str(&written);
        Ok(())
    }

    fn open(&mut self, at: usize, kind: Group) -> Result<(), String> {
        let outer_behind = self.groups.last().is_some_and(|group| group.behind);
        let after = match kind {
            Group::LookBehind => true,
            // A look-ahead may have any length, even inside a look-behind.
            Group::LookAhead => false,
            _ => outer_behind,
        };
        let start = self.out.len();
        let Token { text, modes, .. } = self.tokens[at];
        let next = self.tokens.get(at + 1).map(|token| token.kind);
        let mut impossible = false;
        match (kind, next) {
            // Without anything, or with an alternative that is nothing, everything is ruled out.
            (Group::Absent, Some(TokenKind::Close | TokenKind::Alternative)) => {
                self.out.push_str("(?:(?!)(?:");
                impossible = true;
            }
            (Group::Conditional, None) => return Err("end pattern with unmatched parenthesis".into()),
            (Group::Options, _) if text != "(?:" => self.out.push_str(&format!("(?{}:", letters(modes))),
            _ => self.out.push_str(text),
        }
        self.groups.push(OpenGroup { kind, token: at, start, alternatives: 1, behind: after, impossible });
        Ok(())
    }

    fn close(&mut self, at: usize) {
        self.out.push(')');
        let Some(group) = self.groups.pop() else { return };
        if group.impossible {
            self.out.push(')');
        }
        if group.kind.is_zero_width() {
            self.guard(group.token, at, group.start);
        }
    }

    /// Puts an anchor, written from `start` on, into a group, if Oniguruma would refuse to repeat it: alone, or as one of
    /// several alternatives.
    fn guard(&mut self, first: usize, last: usize, start: usize) {
        let before = self.tokens[..first].iter().rev().map(|token| token.kind).find(|kind| *kind != TokenKind::Skipped);
        let after = self.tokens[last + 1..].iter().map(|token| token.kind).find(|kind| *kind != TokenKind::Skipped);
        let begins = matches!(before, Some(TokenKind::Open(_) | TokenKind::Alternative));
        let ends = matches!(after, Some(TokenKind::Close | TokenKind::Alternative));
        if matches!(after, Some(TokenKind::Repeat { .. })) || (begins && ends) {
            self.out.insert_str(start, "(?>");
            self.out.push(')');
        }
    }

    /// Writes out what `\w`, `\d` and `\s` stand for, unless they are Unicode's.
    fn shorthand(&mut self, at: usize, letter: char, modes: Modes) -> Result<(), String> {
        let text = self.tokens[at].text;
        let characters = match letter.to_ascii_lowercase() {
            'w' => "0-9A-Za-z_",
            'd' => "0-9",
            's' => "\\x09-\\x0D\\x20",
            _ => "",
        };
        if characters.is_empty() || modes.charset == Charset::Unicode {
            self.out.push_str(text);
            return Ok(());
        }
        let negation = if letter.is_ascii_uppercase() { "^" } else { "" };
        let set = format!("[{negation}{characters}]");
        if self.tokens[at].class {
            self.check_range(at)?;
            self.out.push_str(&set);
        } else if modes.options.ignore_case {
            // Letters that are not ASCII may be the other case of ASCII ones, but no part of the set.
            self.out.push_str(&format!("(?-i:{set})"));
        } else {
            self.out.push_str(&set);
        }
        Ok(())
    }

    /// Adds the other case of a character in a class, or of the range that it ends.
    fn other_case(&mut self, at: usize) {
        let literal = |at: usize| match self.tokens.get(at).map(|token| token.kind) {
            Some(TokenKind::Literal(c)) => Some(c),
            _ => None,
        };
        let is_hyphen = |at: usize| self.tokens.get(at).is_some_and(|token| token.kind == TokenKind::Hyphen);
        let Some(last) = literal(at) else { return };
        if is_hyphen(at + 1) && literal(at + 2).is_some() {
            return;
        }
        let first = if at >= 2 && is_hyphen(at - 1) { literal(at - 2) } else { None };
        let first = first.unwrap_or(last);
        // The part of the range that is letters of one case, for both cases.
        for (low, high, distance) in [('a', 'z', -32), ('A', 'Z', 32)] {
            let (from, to) = (first.max(low), last.min(high));
            let swap = |c: char| u8::try_from(i32::from(c as u8) + distance).map_or(c, char::from);
            if from <= to {
                self.out.push_str(&format!("[{}-{}]", swap(from), swap(to)));
            }
        }
        if first == last && !last.is_ascii() {
            self.out.extend(last.to_lowercase().chain(last.to_uppercase()));
        }
    }

    /// Refuses a shorthand as the end of a range, which Oniguruma would no longer recognize.
    fn check_range(&self, at: usize) -> Result<(), String> {
        let kind = |at: usize| self.tokens.get(at).map(|token| token.kind);
        let before = |distance: usize| at.checked_sub(distance).and_then(kind);
        if matches!((before(2), before(1)), (Some(TokenKind::Literal(_)), Some(TokenKind::Hyphen)))
            && before(3) != Some(TokenKind::Hyphen)
        {
            return Err("char-class value at end of range".into());
        }
        if kind(at + 1) == Some(TokenKind::Hyphen) && kind(at + 2) != Some(TokenKind::ClassClose) {
            return Err("unmatched range specifier in char-class".into());
        }
        Ok(())
    }
}

fn unknown_property(name: &str) -> String {
    format!("invalid character property name {{{name}}}")
}

/// The letters of the options that Oniguruma knows, on and off.
fn letters(modes: Modes) -> String {
    let options = modes.options;
    let all = [('m', options.multiline), ('i', options.ignore_case), ('x', options.extended)];
    let pick = |expected| all.iter().filter(move |(_, on)| *on == expected).map(|(letter, _)| *letter);
    let (on, off): (String, String) = (pick(true).collect(), pick(false).collect());
    if off.is_empty() { on } else { format!("{on}-{off}") }
}

/// Returns whether the matches of a token may have several lengths, or Ruby takes them to have.
fn has_variable_length(kind: TokenKind) -> bool {
    match kind {
        TokenKind::Repeat { least, most, manner } => most != Some(least) || manner == Manner::Possessive,
        TokenKind::Open(group) => matches!(group, Group::Atomic | Group::Absent | Group::Conditional),
        TokenKind::BackReference => true,
        _ => false,
    }
}

/// The ASCII members of a POSIX bracket, for the inside of a class.
fn ascii(name: &str) -> &'static str {
    match name {
        "alnum" => "0-9A-Za-z",
        "alpha" => "A-Za-z",
        "ascii" => "\\x00-\\x7F",
        "blank" => "\\x09\\x20",
        "cntrl" => "\\x00-\\x1F\\x7F",
        "digit" => "0-9",
        "graph" => "\\x21-\\x7E",
        "lower" => "a-z",
        "print" => "\\x20-\\x7E",
        "punct" => "\\x21-\\x2F\\x3A-\\x40\\x5B-\\x60\\x7B-\\x7E",
        "space" => "\\x09-\\x0D\\x20",
        "upper" => "A-Z",
        "xdigit" => "0-9A-Fa-f",
        // The reader knows the names above and this one.
        _ => "0-9A-Za-z_",
    }
}
