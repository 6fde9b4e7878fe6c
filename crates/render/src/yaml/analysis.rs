//! What a text allows: in which styles it can be written and read back the same. libyaml's rules.

/// In which styles a text can be written in a block collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Analysis {
    /// It has a line break.
    pub(super) multiline: bool,
    pub(super) plain: bool,
    pub(super) single_quoted: bool,
    pub(super) literal: bool,
}

impl Analysis {
    pub(super) fn of(text: &str) -> Analysis {
        if text.is_empty() {
            return Analysis { multiline: false, plain: true, single_quoted: true, literal: false };
        }
        let mut seen = Seen { indicators: text.starts_with("---") || text.starts_with("..."), ..Seen::default() };
        let mut characters = text.chars().peekable();
        let mut before = None;
        while let Some(c) = characters.next() {
            seen.character(before, c, characters.peek().copied());
            before = Some(c);
        }
        let at_an_end = |blank: fn(char) -> bool| text.starts_with(blank) || text.ends_with(blank);
        let spoilt = seen.space_break || seen.unprintable;
        Analysis {
            multiline: seen.line_break,
            plain: !(spoilt || seen.line_break || seen.indicators || at_an_end(is_space)),
            single_quoted: !(spoilt || seen.break_space),
            literal: !(spoilt || text.ends_with(' ')),
        }
    }
}

/// What stands in a text.
#[derive(Default)]
struct Seen {
    /// Characters that mean something to YAML where they stand.
    indicators: bool,
    line_break: bool,
    /// A space behind a line break.
    break_space: bool,
    /// A line break behind a space.
    space_break: bool,
    unprintable: bool,
}

impl Seen {
    fn character(&mut self, before: Option<char>, c: char, after: Option<char>) {
        self.indicators |= match (before, c) {
            (None, '#' | ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@' | '`') => {
                true
            }
            (None, '?' | '-') | (_, ':') => is_blank_or_end(after),
            (Some(before), '#') => is_blank_or_end(Some(before)),
            _ => false,
        };
        self.unprintable |= !is_printable(c);
        self.line_break |= is_break(c);
        self.break_space |= is_space(c) && before.is_some_and(is_break);
        self.space_break |= is_break(c) && before.is_some_and(is_space);
    }
}

pub(super) fn is_space(c: char) -> bool {
    c == ' '
}

/// What YAML 1.1 takes for the end of a line.
pub(super) fn is_break(c: char) -> bool {
    matches!(c, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// libyaml, as C does, takes the null character for the end of the text.
fn is_blank_or_end(c: Option<char>) -> bool {
    c.is_none_or(|c| matches!(c, ' ' | '\t' | '\0') || is_break(c))
}

/// What libyaml writes as it is. YAML would allow tabs and what lies beyond the basic plane; libyaml escapes them.
pub(super) fn is_printable(c: char) -> bool {
    matches!(c, '\n' | ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}') && c != '\u{feff}'
}
