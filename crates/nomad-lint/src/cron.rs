//! Cron expressions: `*/15 * * * *`.
//!
//! Source of the rules: <https://github.com/hashicorp/cronexpr#implementation>. Expressions are only validated, the
//! next time is not computed.

use crate::go::text::small;

/// A field of an expression.
struct Field {
    name: &'static str,
    max: u32,
    is_value: fn(&str) -> bool,
    /// Checks for special values, such as `L` for the last day.
    is_special: Option<fn(&str) -> bool>,
}

const SECOND: Field = Field { name: "second", max: 59, is_value: is_sixtieth, is_special: None };
const MINUTE: Field = Field { name: "minute", ..SECOND };
const HOUR: Field = Field { name: "hour", max: 23, is_value: is_hour, is_special: None };
const DAY: Field = Field { name: "day-of-month", max: 31, is_value: is_day, is_special: Some(is_special_day) };
const MONTH: Field = Field { name: "month", max: 12, is_value: is_month, is_special: None };
const WEEKDAY: Field =
    Field { name: "day-of-week", max: 6, is_value: is_weekday, is_special: Some(is_special_weekday) };
const YEAR: Field = Field { name: "year", max: 2099, is_value: is_year, is_special: None };

/// Aliases of expressions.
const ALIASES: [(&str, &str); 6] = [
    ("@yearly", "0 0 0 1 1 * *"),
    ("@annually", "0 0 0 1 1 * *"),
    ("@monthly", "0 0 0 1 * * *"),
    ("@weekly", "0 0 0 * * 0 *"),
    ("@daily", "0 0 0 * * * *"),
    ("@hourly", "0 0 * * * * *"),
];

/// Checks an expression.
///
/// # Errors
///
/// The message about the first invalid field.
pub(crate) fn check(expression: &str) -> Result<(), String> {
    let expanded = ALIASES.iter().fold(expression.to_owned(), |text, (name, meaning)| text.replace(name, meaning));
    let parts: Vec<&str> =
        expanded.split(['\t', '\n', '\x0c', '\r', ' ']).filter(|part| !part.is_empty()).take(7).collect();
    let fields: &[Field] = match parts.len() {
        0..5 => return Err("missing field(s)".to_owned()),
        5 | 6 => &[MINUTE, HOUR, DAY, MONTH, WEEKDAY, YEAR],
        _ => &[SECOND, MINUTE, HOUR, DAY, MONTH, WEEKDAY, YEAR],
    };
    fields.iter().zip(parts).try_for_each(|(field, part)| field.check(part))
}

impl Field {
    fn check(&self, text: &str) -> Result<(), String> {
        let entries = || text.split(',').filter(|entry| !entry.is_empty());
        if entries().next().is_none() {
            return Err(format!("{} field: missing directive", self.name));
        }
        // The intervals of all entries are checked first. If the field has no special values, nothing after a star is
        // checked.
        let (mut unknown, mut ends) = (None, false);
        for entry in entries() {
            let small = small(entry);
            let (range, interval) = match small.split_once('/') {
                Some((range, interval)) => (range, Some(interval)),
                None => (&*small, None),
            };
            let is_range = match interval {
                None => matches!(range, "*" | "?") || self.is_range(range),
                Some(digits) => {
                    let is_range = (range == "*" || self.is_range(range)) && is_number(digits);
                    if is_range && !self.is_interval(digits) {
                        return Err(format!("invalid interval {small}"));
                    }
                    is_range
                }
            };
            ends |= matches!(&*small, "*" | "?") && self.is_special.is_none();
            if !is_range && !ends && !self.is_special.is_some_and(|is_special| is_special(&small)) {
                unknown = unknown.or(Some(entry));
            }
        }
        match unknown {
            Some(entry) => Err(format!("syntax error in {} field: '{entry}'", self.name)),
            None => Ok(()),
        }
    }

    /// One value, or two with a dash between them.
    fn is_range(&self, text: &str) -> bool {
        match text.split_once('-') {
            Some((first, last)) => (self.is_value)(first) && (self.is_value)(last),
            None => (self.is_value)(text),
        }
    }

    /// Returns whether the digits are a valid interval of the field: a number that is in the range of any field, with
    /// at most one leading zero.
    fn is_interval(&self, digits: &str) -> bool {
        let known = is_sixtieth(digits) || matches!(digits.parse(), Ok(1970..=2099)) && digits.len() == 4;
        known && digits.parse().is_ok_and(|number| (1..=self.max).contains(&number))
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether the string is one or two digits with a value in that range.
fn is_between(text: &str, min: u32, max: u32) -> bool {
    text.len() <= 2 && is_number(text) && text.parse().is_ok_and(|number| (min..=max).contains(&number))
}

fn is_sixtieth(text: &str) -> bool {
    is_between(text, 0, 59)
}

fn is_hour(text: &str) -> bool {
    is_between(text, 0, 23)
}

fn is_day(text: &str) -> bool {
    is_between(text, 1, 31)
}

fn is_special_day(text: &str) -> bool {
    matches!(text, "l" | "lw") || text.strip_suffix('w').is_some_and(is_day)
}

fn is_month(text: &str) -> bool {
    const NAMES: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    is_between(text, 1, 12) || NAMES.iter().any(|name| text == *name || text == &name[..3])
}

fn is_weekday(text: &str) -> bool {
    const NAMES: [&str; 7] = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
    is_between(text, 0, 7) || NAMES.iter().any(|name| text == *name || text == &name[..3])
}

fn is_special_weekday(text: &str) -> bool {
    let nth =
        text.split_once('#').is_some_and(|(day, nth)| is_weekday(day) && matches!(nth, "1" | "2" | "3" | "4" | "5"));
    nth || text.strip_suffix('l').is_some_and(is_weekday)
}

fn is_year(text: &str) -> bool {
    text.len() == 4 && is_number(text) && matches!(text.parse(), Ok(1970..=2099))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_accepted() {
        for text in [
            "* * * * *",
            "*/15 0-5,7 1,L,LW,15W JAN-mar,December sun,5L,6#3,0-7",
            "0 0 0 1 1 ? 2099",
            "0 1-10/2 * * * * 1970-2000/2000 and more",
            "@daily",
            "@hourly",
            "00 00 01 01 00",
            "*,w * * ?,w *",
        ] {
            assert_eq!(check(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn errors_name_the_field() {
        for (text, message) in [
            ("", "missing field(s)"),
            ("* * * *", "missing field(s)"),
            ("60 * * * *", "syntax error in minute field: '60'"),
            ("* 24 * * *", "syntax error in hour field: '24'"),
            ("* * 0 * *", "syntax error in day-of-month field: '0'"),
            ("* * * Foo *", "syntax error in month field: 'Foo'"),
            ("* * * * 8", "syntax error in day-of-week field: '8'"),
            ("* * * * * 1969", "syntax error in year field: '1969'"),
            ("60 * * * * * *", "syntax error in second field: '60'"),
            (", * * * *", "minute field: missing directive"),
            ("61,*/0 * * * *", "invalid interval */0"),
            ("*/60 * * * *", "invalid interval */60"),
            ("*/007 * * * *", "invalid interval */007"),
            ("* * * * */7", "invalid interval */7"),
            ("?/2 * * * *", "syntax error in minute field: '?/2'"),
            ("w,* * * * *", "syntax error in minute field: 'w'"),
            ("* * *,x * *", "syntax error in day-of-month field: 'x'"),
            ("@reboot", "missing field(s)"),
        ] {
            assert_eq!(check(text).unwrap_err(), message, "{text}");
        }
    }
}
