//! Translates a pattern to the dialect of ECMAScript, which JSON Schema uses.
//!
//! The translation contains only constructs with provably equal meaning. Groups capture nothing, because JSON Schema
//! does not use captures. Case-insensitive letters become classes.

use crate::token::{Charset, Group, Manner, Token, TokenKind};

/// Translates a pattern, if all of it can be.
pub(crate) fn translate(tokens: &[Token<'_>]) -> Option<String> {
    let mut translator = Translator { out: String::new(), groups: Vec::new(), before: None };
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += match token.kind {
            TokenKind::ClassOpen { .. } => translator.class(&tokens[at..])?,
            _ => translator.token(token).map(|()| 1)?,
        };
    }
    translator.groups.is_empty().then_some(translator.out)
}

struct Translator {
    out: String,
    /// The groups that are open.
    groups: Vec<Group>,
    /// The last element. `None` at the beginning of the pattern.
    before: Option<PrecedingElement>,
}

/// The kind of the element before another one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PrecedingElement {
    /// The beginning of a group.
    Open,
    /// Something that can be repeated.
    Atom,
    /// Something that cannot.
    Other,
}

impl Translator {
    fn token(&mut self, token: &Token<'_>) -> Option<()> {
        let options = token.modes.options;
        let before = match token.kind {
            TokenKind::Skipped => return Some(()),
            TokenKind::Literal(c) if options.ignore_case => {
                let mut set = String::new();
                push_both_cases(&mut set, c)?;
                if c.is_ascii_alphabetic() {
                    self.out.push_str(&format!("[{set}]"))
                } else {
                    push_escaped(&mut self.out, c, SYNTAX)
                }
                PrecedingElement::Atom
            }
            TokenKind::Literal(c) => {
                push_escaped(&mut self.out, c, SYNTAX);
                PrecedingElement::Atom
            }
            TokenKind::Dot => {
                self.out.push_str(if options.multiline { r"[\s\S]" } else { r"[^\n]" });
                PrecedingElement::Atom
            }
            TokenKind::Shorthand(letter) if token.modes.charset != Charset::Unicode => {
                let not = if letter.is_ascii_uppercase() { "^" } else { "" };
                self.out.push_str(&format!("[{not}{}]", shorthand(letter.to_ascii_lowercase())));
                PrecedingElement::Atom
            }
            TokenKind::Anchor(letter) => {
                self.out.push_str(match letter {
                    'A' => "^",
                    'z' => "$",
                    'Z' => r"(?=\n?$)",
                    // Lines begin after a line break, except the one at the very end.
                    '^' => r"(?:^|(?<=\n)(?=[\s\S]))",
                    '$' => r"(?=\n|$)",
                    _ => return None,
                });
                PrecedingElement::Other
            }
            TokenKind::Open(group) => {
                self.out.push_str(match group {
                    Group::Plain | Group::Named | Group::Options => "(?:",
                    Group::LookAhead | Group::LookBehind => token.text,
                    _ => return None,
                });
                self.groups.push(group);
                PrecedingElement::Open
            }
            TokenKind::Close => {
                self.out.push(')');
                if self.groups.pop()?.is_zero_width() { PrecedingElement::Other } else { PrecedingElement::Atom }
            }
            // Further on, the options would reach over the alternatives in another way.
            TokenKind::Switch if matches!(self.before, None | Some(PrecedingElement::Open)) => return Some(()),
            TokenKind::Alternative => {
                self.out.push('|');
                PrecedingElement::Other
            }
            TokenKind::Repeat { least, most, manner } if self.before == Some(PrecedingElement::Atom) => {
                self.out.push_str(&match (least, most) {
                    (0, None) => "*".to_owned(),
                    (1, None) => "+".to_owned(),
                    (0, Some(1)) => "?".to_owned(),
                    (least, None) => format!("{{{least},}}"),
                    (least, Some(most)) if least == most => format!("{{{least}}}"),
                    (least, Some(most)) => format!("{{{least},{most}}}"),
                });
                match manner {
                    Manner::Greedy => {}
                    Manner::Lazy => self.out.push('?'),
                    Manner::Possessive => return None,
                }
                PrecedingElement::Other
            }
            _ => return None,
        };
        self.before = Some(before);
        Some(())
    }

    /// Translates a class of characters and ranges; returns how many tokens it has.
    fn class(&mut self, tokens: &[Token<'_>]) -> Option<usize> {
        let ignore_case = tokens.first()?.modes.options.ignore_case;
        let TokenKind::ClassOpen { negated } = tokens.first()?.kind else { return None };
        let mut set = String::new();
        // The element before a hyphen: a single character begins a range, other elements make an oddity.
        let mut range_start: Option<char> = None;
        let mut at = 1;
        loop {
            let token = tokens.get(at)?;
            let mut next_start = None;
            match token.kind {
                TokenKind::ClassClose => break,
                TokenKind::Literal(c) => {
                    // The beginning of a range is in the range.
                    let next = [at + 1, at + 2].map(|at| tokens.get(at).map(|token| &token.kind));
                    let begins_range = matches!(next, [Some(TokenKind::Hyphen), Some(TokenKind::Literal(_))]);
                    match ignore_case {
                        true => push_both_cases(&mut set, c)?,
                        false if begins_range => {}
                        false => push_escaped(&mut set, c, SYNTAX_OF_CLASS),
                    }
                    next_start = Some(c);
                }
                TokenKind::Hyphen => match (range_start, tokens.get(at + 1)?.kind) {
                    (_, TokenKind::ClassClose) => push_escaped(&mut set, '-', SYNTAX_OF_CLASS),
                    (Some(first), TokenKind::Literal(last)) if first <= last => {
                        push_range(&mut set, first, last);
                        if ignore_case {
                            let is_in = |low: char, high: char| low <= first && last <= high;
                            match () {
                                () if is_in('a', 'z') => {
                                    push_range(&mut set, first.to_ascii_uppercase(), last.to_ascii_uppercase());
                                }
                                () if is_in('A', 'Z') => {
                                    push_range(&mut set, first.to_ascii_lowercase(), last.to_ascii_lowercase());
                                }
                                () if last < 'A' => {}
                                () => return None,
                            }
                        }
                        at += 1;
                    }
                    _ => return None,
                },
                TokenKind::Shorthand(letter)
                    if letter.is_ascii_lowercase() && token.modes.charset != Charset::Unicode =>
                {
                    set.push_str(shorthand(letter));
                }
                _ => return None,
            }
            range_start = next_start;
            at += 1;
        }
        self.out.push_str(if negated { "[^" } else { "[" });
        self.out.push_str(&set);
        self.out.push(']');
        self.before = Some(PrecedingElement::Atom);
        Some(at + 1)
    }
}

/// The characters that mean something outside of classes.
const SYNTAX: &str = r"^$\.*+?()[]{}|";
/// The characters that mean something in a class.
const SYNTAX_OF_CLASS: &str = r"\[]^-";

fn push_escaped(out: &mut String, c: char, syntax: &str) {
    match c {
        '\n' => out.push_str(r"\n"),
        '\t' => out.push_str(r"\t"),
        '\r' => out.push_str(r"\r"),
        '\x0b' => out.push_str(r"\v"),
        '\x0c' => out.push_str(r"\f"),
        c if c.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(c))),
        c => {
            if syntax.contains(c) {
                out.push('\\');
            }
            out.push(c);
        }
    }
}

fn push_range(set: &mut String, first: char, last: char) {
    push_escaped(set, first, SYNTAX_OF_CLASS);
    set.push('-');
    push_escaped(set, last, SYNTAX_OF_CLASS);
}

/// Adds a character in both cases to a set. Returns `None` if its cases depend on more than ASCII.
fn push_both_cases(set: &mut String, c: char) -> Option<()> {
    if !c.is_ascii() {
        return None;
    }
    push_escaped(set, c, SYNTAX_OF_CLASS);
    if c.is_ascii_alphabetic() {
        let other = if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
        set.push(other);
        // Two letters beyond ASCII are equal to ASCII letters except for their case.
        match c.to_ascii_lowercase() {
            'k' => set.push('\u{212a}'),
            's' => set.push('\u{17f}'),
            _ => {}
        }
    }
    Some(())
}

/// The content of a class that equals a shorthand.
fn shorthand(letter: char) -> &'static str {
    match letter {
        'w' => "0-9A-Za-z_",
        'd' => "0-9",
        's' => r" \t\n\v\f\r",
        // The reader knows the letters above and this one.
        _ => "0-9A-Fa-f",
    }
}
