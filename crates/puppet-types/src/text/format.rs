//! [`Format`]: a parsed format such as `%#-10.3x`.

use hieratic_value::text::{padded_before, padded_behind};

use crate::Error;

/// One format.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Format {
    /// The letter that selects the conversion.
    pub letter: char,
    /// The flags in their original order.
    pub flags: String,
    pub width: Option<usize>,
    pub precision: Option<usize>,
}

/// The maximum width of a value. Only a mistake or an attack requests more.
const MAX_WIDTH: usize = 1_000_000;

impl Format {
    pub fn parse(text: &str) -> Result<Format, Error> {
        let parts = split(text).ok_or_else(|| {
            let message =
                format!("The format '{text}' is not a valid format on the form '%<flags><width>.<prec><format>'");
            Error::new(message)
        })?;
        let (flags, width, precision, letter) = parts;
        let mut seen = Vec::new();
        for flag in flags.chars() {
            if seen.contains(&flag) {
                return Err(Error::new(format!("The same flag can only be used once, got '{text}'")));
            }
            seen.push(flag);
        }
        if seen.iter().filter(|flag| "[{(<|".contains(**flag)).count() > 1 {
            let message =
                format!("Only one of the delimiters [ {{ ( < | can be given in the format flags, got '{text}'");
            return Err(Error::new(message));
        }
        let number = |digits: &str, subject: &str| match digits.parse::<usize>() {
            Ok(number) if number <= MAX_WIDTH => Ok(number),
            _ => Err(Error::new(format!("{subject} too big"))),
        };
        Ok(Format {
            letter,
            flags: flags.into(),
            width: width.map(|digits| number(digits, "width")).transpose()?,
            precision: precision.map(|digits| number(digits, "precision")).transpose()?,
        })
    }

    pub fn has(&self, flag: char) -> bool {
        self.flags.contains(flag)
    }

    /// Returns whether the alternative form is requested.
    pub fn is_alternative(&self) -> bool {
        self.has('#')
    }

    /// Returns this format with another letter.
    pub fn with_letter(&self, letter: char) -> Format {
        Format { letter, ..self.clone() }
    }

    /// Returns the delimiters of an array or a hash, if the format sets them.
    pub fn delimiters(&self) -> Option<(&'static str, &'static str)> {
        [("[", "]"), ("{", "}"), ("(", ")"), ("<", ">"), ("|", "|")]
            .into_iter()
            .find(|(open, _)| self.flags.contains(open))
            .or(self.has(' ').then_some(("", "")))
    }

    /// Applies width and precision to a string; other flags have no effect on it.
    pub fn pad(&self, text: &str) -> String {
        if !self.has('-') && self.width.is_none() && self.precision.is_none() {
            return text.to_owned();
        }
        let cut: String = match self.precision {
            Some(precision) => text.chars().take(precision).collect(),
            None => text.to_owned(),
        };
        let width = self.width.unwrap_or(0);
        if self.has('-') { padded_behind(cut, width) } else { padded_before(&cut, width) }
    }
}

/// Splits a format into flags, width, precision and letter.
fn split(text: &str) -> Option<(&str, Option<&str>, Option<&str>, char)> {
    let rest = text.strip_prefix('%')?;
    let is_flag = |c: char| {
        matches!(c, '[' | '+' | '#' | '0' | '{' | '<' | '(' | '|' | '-')
            || matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}')
    };
    let (flags, rest) = rest.split_at(rest.find(|c| !is_flag(c))?);
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (width, rest) = rest.split_at(digits(rest));
    let (precision, rest) = match rest.strip_prefix('.') {
        Some(rest) => {
            let (precision, rest) = rest.split_at(digits(rest));
            (Some(precision).filter(|digits| !digits.is_empty()).map(Some)?, rest)
        }
        None => (None, rest),
    };
    let mut letters = rest.chars();
    let letter = letters.next().filter(char::is_ascii_alphabetic)?;
    letters.next().is_none().then_some((flags, Some(width).filter(|digits| !digits.is_empty()), precision, letter))
}
