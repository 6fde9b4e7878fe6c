//! Classes and escapes of patterns.

use regex_syntax::hir::ClassUnicode;

use super::class;
use super::parse::{Parser, error};

impl<'p> Parser<'p> {
    pub(super) fn extend(&self, class: &mut ClassUnicode, mut group: ClassUnicode, negated: bool) {
        if self.flags.fold_case {
            group.case_fold_simple();
        }
        if negated {
            group.negate();
        }
        class.union(&group);
    }

    /// `\pN`, `\p{Greek}`, `\P{^Greek}`.
    pub(super) fn unicode_class(&mut self, class: &mut ClassUnicode) -> Result<bool, String> {
        let start = self.rest;
        let mut negated = match start.as_bytes().get(1) {
            Some(b'p') => false,
            Some(b'P') => true,
            _ => return Ok(false),
        };
        self.skip(2);
        let mut name = match self.rest.strip_prefix('{') {
            None => {
                let bytes = self.rest.chars().next().map_or(0, char::len_utf8);
                let name = self.rest.get(..bytes).unwrap_or_default();
                self.skip(bytes);
                name
            }
            Some(inner) => {
                let Some((name, after)) = inner.split_once('}') else {
                    return Err(error("invalid character class range", start));
                };
                self.rest = after;
                name
            }
        };
        if let Some(positive) = name.strip_prefix('^') {
            negated = !negated;
            name = positive;
        }
        let Some(group) = class::unicode(name) else {
            return Err(error("invalid character class range", self.consumed_since(start)));
        };
        self.extend(class, group, negated);
        Ok(true)
    }

    pub(super) fn perl_class(&mut self, class: &mut ClassUnicode) -> bool {
        let mut letters = self.rest.chars();
        let (Some('\\'), Some(letter)) = (letters.next(), letters.next()) else { return false };
        let Some((group, negated)) = class::perl(letter) else { return false };
        self.skip(2);
        self.extend(class, group, negated);
        true
    }

    /// Parses an escaped character, from after its backslash; `None` for a surrogate.
    pub(super) fn escape(&mut self) -> Result<Option<char>, String> {
        let start = self.rest;
        self.skip(1);
        let Some(letter) = self.take() else {
            return Err(error("trailing backslash at end of expression", ""));
        };
        let code = match letter {
            'a' => Some(7),
            'f' => Some(12),
            'n' => Some(10),
            'r' => Some(13),
            't' => Some(9),
            'v' => Some(11),
            'x' => self.hexadecimal(),
            '0'..='7' if letter == '0' || self.rest.starts_with(|next| matches!(next, '0'..='7')) => {
                let mut code = letter as u32 - '0' as u32;
                for _ in 0..2 {
                    let Some(digit) = self.rest.chars().next().and_then(|next| next.to_digit(8)) else { break };
                    self.skip(1);
                    code = code * 8 + digit;
                }
                Some(code)
            }
            letter if letter.is_ascii() && !letter.is_ascii_alphanumeric() => Some(letter as u32),
            _ => None,
        };
        match code {
            Some(code) => Ok(char::from_u32(code)),
            None => Err(error("invalid escape sequence", self.consumed_since(start))),
        }
    }

    fn take(&mut self) -> Option<char> {
        let letter = self.rest.chars().next()?;
        self.skip(letter.len_utf8());
        Some(letter)
    }

    /// Parses `7f` or `{10FFFF}` after `\x`.
    fn hexadecimal(&mut self) -> Option<u32> {
        let first = self.take()?;
        if first != '{' {
            let second = self.take();
            return Some(first.to_digit(16)? * 16 + second?.to_digit(16)?);
        }
        let (mut code, mut digits) = (0u32, 0);
        loop {
            match self.take()? {
                '}' => return (digits > 0).then_some(code),
                letter => code = code * 16 + letter.to_digit(16)?,
            }
            if code > char::MAX as u32 {
                return None;
            }
            digits += 1;
        }
    }

    /// `[a-z]`, from the bracket on.
    pub(super) fn bracket_class(&mut self) -> Result<ClassUnicode, String> {
        let whole = self.rest;
        self.skip(1);
        let negated = self.rest.starts_with('^');
        if negated {
            self.skip(1);
        }
        let mut class = ClassUnicode::empty();
        let mut first = true;
        while first || !self.rest.starts_with(']') {
            first = false;
            if self.rest.starts_with("[:")
                && let Some(end) = self.rest.get(2..).and_then(|inner| inner.find(":]"))
            {
                let name = self.rest.get(..end + 4).unwrap_or_default();
                let Some((group, negated)) = class::posix(name) else {
                    return Err(error("invalid character class range", name));
                };
                self.skip(name.len());
                self.extend(&mut class, group, negated);
                continue;
            }
            if self.rest.starts_with('\\') && (self.unicode_class(&mut class)? || self.perl_class(&mut class)) {
                continue;
            }
            let start = self.rest;
            let low = self.class_letter(whole)?;
            let mut high = low;
            if self.rest.len() >= 2 && self.rest.starts_with('-') && !self.rest.starts_with("-]") {
                self.skip(1);
                high = self.class_letter(whole)?;
                if high < low {
                    return Err(error("invalid character class range", self.consumed_since(start)));
                }
            }
            // Bounds that are surrogates move to the nearest character within the range.
            let low = char::from_u32(low).unwrap_or('\u{E000}');
            let high = char::from_u32(high).unwrap_or('\u{D7FF}');
            if low <= high {
                self.extend(&mut class, class::range(low, high), false);
            }
        }
        self.skip(1);
        if negated {
            class.negate();
        }
        Ok(class)
    }

    fn class_letter(&mut self, whole: &str) -> Result<u32, String> {
        if self.rest.starts_with('\\') {
            // All surrogates are treated in the same way.
            return Ok(self.escape()?.map_or(0xD800, u32::from));
        }
        self.take().map(u32::from).ok_or_else(|| error("missing closing ]", whole))
    }
}
