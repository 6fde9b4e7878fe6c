//! The styles in which a string can be written so that it is parsed unchanged: libyaml's `yaml_emitter_analyze_scalar`.

use super::Characters;

/// The styles that a string allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// Whether it has a line break.
    pub multiline: bool,
    /// Whether no character must be escaped.
    pub printable: bool,
    /// Whether it can be a plain scalar in a flow collection.
    pub flow_plain: bool,
    /// Whether it can be a plain scalar in a block collection.
    pub block_plain: bool,
    /// Whether it can be in single quotes.
    pub single_quoted: bool,
    /// Whether it can be a literal or folded block.
    pub block: bool,
}

impl Analysis {
    /// Determines the styles that a string allows.
    pub fn from_text(text: &str, characters: Characters) -> Analysis {
        let mut seen = Properties::default();
        if text.starts_with("---") || text.starts_with("...") {
            seen.block_indicator();
        }
        let mut at = 0;
        while let Some(byte) = text.as_bytes().get(at) {
            if byte.is_ascii_alphanumeric() {
                at += 1;
                continue;
            }
            let (before, rest) = text.split_at(at);
            let mut after = rest.chars();
            let Some(c) = after.next() else { break };
            seen.character(before, c, after.as_str(), characters);
            at += c.len_utf8();
        }
        let Properties { flow_indicators, block_indicators, line_break, break_space, space_break, unprintable } = seen;
        let spoilt = space_break || unprintable;
        let bare = !(spoilt || line_break || text.starts_with(' ') || text.ends_with(' '));
        Analysis {
            multiline: line_break,
            printable: !unprintable,
            flow_plain: bare && !flow_indicators && !text.is_empty(),
            block_plain: bare && !block_indicators,
            single_quoted: !(spoilt || break_space),
            block: !(spoilt || text.is_empty() || text.ends_with(' ')),
        }
    }
}

/// The properties of a string that decide its style.
#[derive(Default)]
struct Properties {
    /// Characters that mean something to YAML in brackets.
    flow_indicators: bool,
    /// Characters that mean something to YAML wherever they are.
    block_indicators: bool,
    line_break: bool,
    /// A space after a line break.
    break_space: bool,
    /// A line break after a space.
    space_break: bool,
    unprintable: bool,
}

impl Properties {
    /// A character that is neither a letter nor a digit of ASCII.
    fn character(&mut self, before: &str, c: char, after: &str, characters: Characters) {
        match c {
            ' ' => self.break_space |= before.ends_with(is_break),
            ':' => self.flow_or_both(is_blank_or_end(after.chars().next())),
            '#' if is_blank_or_end(before.chars().next_back()) => self.block_indicator(),
            '?' if before.is_empty() => self.flow_or_both(is_blank_or_end(after.chars().next())),
            '-' if before.is_empty() && is_blank_or_end(after.chars().next()) => self.block_indicator(),
            ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@' | '`'
                if before.is_empty() =>
            {
                self.block_indicator();
            }
            ',' | '?' | '[' | ']' | '{' | '}' => self.flow_indicators = true,
            _ => {
                self.unprintable |= !characters.contain(c);
                if is_break(c) {
                    self.line_break = true;
                    self.space_break |= before.ends_with(' ');
                }
            }
        }
    }

    fn block_indicator(&mut self) {
        self.flow_or_both(true);
    }

    fn flow_or_both(&mut self, both: bool) {
        self.flow_indicators = true;
        self.block_indicators |= both;
    }
}

/// Returns whether a character is a line break in YAML 1.1.
pub fn is_break(c: char) -> bool {
    matches!(c, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// libyaml, as C does, takes the null character for the end of the string.
fn is_blank_or_end(c: Option<char>) -> bool {
    c.is_none_or(|c| matches!(c, ' ' | '\t' | '\0') || is_break(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The styles that are allowed: `p` plain in a block, `f` plain in brackets, `s` single quotes, `b` a block.
    fn styles(text: &str, characters: Characters) -> String {
        let Analysis { flow_plain, block_plain, single_quoted, block, .. } = Analysis::from_text(text, characters);
        [(block_plain, 'p'), (flow_plain, 'f'), (single_quoted, 's'), (block, 'b')]
            .into_iter()
            .filter_map(|(allowed, letter)| allowed.then_some(letter))
            .collect()
    }

    #[test]
    fn strings_allow_styles() {
        for (text, expected) in [
            ("", "ps"),
            ("a", "pfsb"),
            ("a b", "pfsb"),
            (" a", "sb"),
            ("a ", "s"),
            ("a\nb", "sb"),
            ("a\n b", "b"),
            ("a \nb", ""),
            ("a\tb", ""),
            ("a\rb", ""),
            ("a\u{85}b", ""),
            ("a\u{2028}b", "sb"),
            ("a:b", "psb"),
            ("a: b", "sb"),
            ("a:", "sb"),
            (":a", "psb"),
            ("?a", "psb"),
            ("? a", "sb"),
            ("a?", "psb"),
            ("-a", "pfsb"),
            ("- a", "sb"),
            ("-", "sb"),
            ("--- a", "sb"),
            ("...", "sb"),
            ("a#b", "pfsb"),
            ("a #b", "sb"),
            ("#a", "sb"),
            ("a,b", "psb"),
            (",a", "sb"),
            ("a'", "pfsb"),
            ("'a", "sb"),
        ] {
            assert_eq!(styles(text, Characters::BasicPlane), expected, "{text:?}");
        }
    }

    #[test]
    fn characters_may_be_escaped() {
        for (text, [ascii, basic, all]) in [
            ("\u{e9}", ["", "pfsb", "pfsb"]),
            ("\u{1f600}", ["", "", "pfsb"]),
            ("\u{feff}", ["", "", ""]),
            ("\u{fffe}", ["", "", ""]),
            ("\u{7f}", ["", "", ""]),
        ] {
            assert_eq!(styles(text, Characters::Ascii), ascii, "{text:?}");
            assert_eq!(styles(text, Characters::BasicPlane), basic, "{text:?}");
            assert_eq!(styles(text, Characters::All), all, "{text:?}");
        }
    }
}
