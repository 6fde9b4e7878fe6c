//! [`Field`]: one directive of a format for scanning, or a literal string.

use hieratic_value::{BigInt, Rich, Value};

use crate::ruby;

/// The expected next part.
#[derive(Debug)]
pub(super) struct Field<'a> {
    kind: FieldKind<'a>,
    /// Whether the value is left out of the result.
    skip: bool,
    /// The maximum number of characters, if given.
    width: Option<usize>,
    /// Whether the directive follows blanks.
    blank: bool,
}

#[derive(Debug)]
enum FieldKind<'a> {
    /// A literal string.
    Text(&'a str),
    /// A percent sign.
    Percent,
    /// A number in one of these forms.
    Decimal,
    Integer,
    Octal,
    Hexadecimal,
    Float,
    /// Characters up to the next blank.
    Word,
    /// Any characters.
    Characters,
    /// Characters that are listed, or all others.
    Set {
        negated: bool,
        listed: &'a str,
    },
    /// Characters of a class, as in `[:alpha:]`.
    Class(&'a str),
}

fn is_space(c: char) -> bool {
    matches!(c, '\t'..='\r' | ' ')
}

impl<'a> Field<'a> {
    /// Parses the first field of a format, and returns the rest.
    pub(super) fn read(format: &'a str) -> Option<(Field<'a>, &'a str)> {
        let mut format = format;
        loop {
            let trimmed = format.trim_start_matches(is_space);
            let c = trimmed.chars().next()?;
            if c != '%' {
                let end = trimmed.find(|c: char| c == '%' || is_space(c)).unwrap_or(trimmed.len());
                let (text, rest) = trimmed.split_at(end);
                return Some((Field { kind: FieldKind::Text(text), skip: true, width: None, blank: false }, rest));
            }
            match directive(&trimmed[1..], trimmed.len() < format.len()) {
                Some(found) => return Some(found),
                // A percent sign without a directive is skipped.
                None => format = &trimmed[1..],
            }
        }
    }

    /// Reads the field at the start of the string, if it matches, and returns the rest of the string.
    pub(super) fn scan<'t>(&self, text: &'t str) -> Option<(Option<Value>, &'t str)> {
        // Blanks before a field are skipped, unless it accepts every character.
        let keeps_blanks = match self.kind {
            FieldKind::Characters => !self.blank,
            FieldKind::Set { .. } | FieldKind::Class(_) => true,
            _ => false,
        };
        let text = if keeps_blanks { text } else { text.trim_start_matches(is_space) };
        let length = self.length(text)?;
        let (found, rest) = text.split_at(length);
        let value = if self.skip { None } else { self.value(found) };
        Some((value, rest))
    }

    /// Returns the number of leading bytes that belong to the field.
    fn length(&self, text: &str) -> Option<usize> {
        let limited = match self.width.and_then(|width| text.char_indices().nth(width)) {
            Some((end, _)) => &text[..end],
            None => text,
        };
        let whole = |found: usize| (found > 0).then_some(found);
        let run = |is_part: &dyn Fn(char) -> bool| whole(limited.find(|c| !is_part(c)).unwrap_or(limited.len()));
        let signed = |digits: &dyn Fn(&str) -> Option<usize>| {
            let sign = usize::from(limited.starts_with(['+', '-']));
            digits(&limited[sign..]).map(|length| sign + length)
        };
        let count = |text: &str, radix: u32| whole(text.find(|c: char| !c.is_digit(radix)).unwrap_or(text.len()));
        let prefixed = |text: &str| {
            let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))?;
            count(digits, 16).map(|length| length + 2)
        };
        match self.kind {
            FieldKind::Text(expected) => text.starts_with(expected).then_some(expected.len()),
            FieldKind::Percent => text.starts_with('%').then_some(1),
            FieldKind::Decimal => signed(&|text| count(text, 10)),
            FieldKind::Octal => signed(&|text| count(text, 8)),
            FieldKind::Hexadecimal => signed(&|text| prefixed(text).or_else(|| count(text, 16))),
            FieldKind::Integer => signed(&|text| match prefixed(text) {
                Some(length) => Some(length),
                None if text.starts_with('0') => count(text, 8).filter(|length| *length > 1),
                None => count(text, 10),
            }),
            FieldKind::Float => signed(&float),
            FieldKind::Word => run(&|c| !is_space(c)),
            FieldKind::Characters => {
                let count = self.width.unwrap_or(1);
                let end = limited.char_indices().nth(count).map_or(limited.len(), |(end, _)| end);
                let end = limited[..end].find('\n').unwrap_or(end);
                whole(end)
            }
            FieldKind::Set { negated, listed } => run(&|c| is_listed(listed, c) != negated),
            FieldKind::Class(name) => run(&|c| is_of_class(name, c)),
        }
    }

    fn value(&self, found: &str) -> Option<Value> {
        match self.kind {
            FieldKind::Text(_) | FieldKind::Percent => None,
            FieldKind::Decimal => Some(ruby::to_i(found)),
            FieldKind::Octal => Some(radix(found, 8)),
            FieldKind::Hexadecimal => Some(radix(found, 16)),
            FieldKind::Integer => Some(ruby::integer_of(found).unwrap_or(Value::Integer(0))),
            FieldKind::Float => Some(Value::Float(ruby::float_of(found).unwrap_or_else(|| ruby::to_f(found)))),
            _ => Some(Value::from(found)),
        }
    }
}

/// Parses the part of a directive after the percent sign.
fn directive(text: &str, blank: bool) -> Option<(Field<'_>, &str)> {
    let simple = |kind, skip, width| Field { kind, skip, width, blank };
    if let Some(rest) = text.strip_prefix('%') {
        return Some((simple(FieldKind::Percent, true, None), rest));
    }
    let (skip, text) = match text.strip_prefix('*') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    // A width that overflows means no limit.
    let width = (end > 0).then(|| text[..end].parse().unwrap_or(usize::MAX)).filter(|width| *width > 0);
    let text = &text[end..];
    if let Some(class) = text.strip_prefix("[[:")
        && let Some((name, rest)) = class.split_once(":]]")
    {
        return Some((simple(FieldKind::Class(name), skip, width), rest));
    }
    if let Some(set) = text.strip_prefix('[') {
        let (listed, rest) = set.split_once(']').filter(|(listed, _)| !listed.is_empty())?;
        let (negated, listed) = match listed.strip_prefix('^') {
            Some(listed) => (true, listed),
            None => (false, listed),
        };
        return Some((simple(FieldKind::Set { negated, listed }, skip, width), rest));
    }
    let letter = text.chars().next()?;
    let kind = match letter.to_ascii_lowercase() {
        'd' | 'u' => FieldKind::Decimal,
        'i' => FieldKind::Integer,
        'o' => FieldKind::Octal,
        'x' => FieldKind::Hexadecimal,
        'f' | 'e' | 'g' | 'a' => FieldKind::Float,
        's' => FieldKind::Word,
        'c' => FieldKind::Characters,
        _ => return None,
    };
    Some((simple(kind, skip, width), &text[1..]))
}

/// Returns the length of a number with optional fraction and exponent.
fn float(text: &str) -> Option<usize> {
    let count = |text: &str, radix: u32| text.find(|c: char| !c.is_digit(radix)).unwrap_or(text.len());
    if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        let whole = count(hex, 16);
        let fraction = hex[whole..].strip_prefix('.').map_or(0, |fraction| 1 + count(fraction, 16));
        if let Some(exponent) = hex[whole + fraction..].strip_prefix(['p', 'P']) {
            let sign = usize::from(exponent.starts_with(['+', '-']));
            let digits = count(&exponent[sign..], 10);
            if whole + fraction > 0 && digits > 0 {
                return Some(2 + whole + fraction + 1 + sign + digits);
            }
        }
    }
    let whole = count(text, 10);
    let fraction = text[whole..].strip_prefix('.').map_or(0, |fraction| 1 + count(fraction, 10));
    let mut end = whole + fraction;
    if end == 0 || whole == 0 && fraction == 1 {
        return None;
    }
    if let Some(exponent) = text[end..].strip_prefix(['e', 'E']) {
        let sign = usize::from(exponent.starts_with(['+', '-']));
        let digits = count(&exponent[sign..], 10);
        end += if digits > 0 { 1 + sign + digits } else { 0 };
    }
    Some(end)
}

/// Parses a number in a radix, with or without a hexadecimal prefix.
fn radix(found: &str, radix: u32) -> Value {
    let (sign, digits) = match found.as_bytes().first() {
        Some(b'+' | b'-') => found.split_at(1),
        _ => ("", found),
    };
    let digits = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")).unwrap_or(digits);
    let number = BigInt::parse_bytes(digits.as_bytes(), radix).unwrap_or_default();
    Value::from(Rich::BigInteger(if sign == "-" { -number } else { number }))
}

/// Returns whether a character is listed between brackets, itself or in a range.
fn is_listed(listed: &str, c: char) -> bool {
    let characters: Vec<char> = listed.chars().collect();
    let mut at = 0;
    while let Some(first) = characters.get(at) {
        match (characters.get(at + 1), characters.get(at + 2)) {
            (Some('-'), Some(last)) => {
                if (*first..=*last).contains(&c) {
                    return true;
                }
                at += 3;
            }
            _ => {
                if *first == c {
                    return true;
                }
                at += 1;
            }
        }
    }
    false
}

fn is_of_class(name: &str, c: char) -> bool {
    match name {
        "alpha" => c.is_alphabetic(),
        "digit" => c.is_ascii_digit(),
        "alnum" => c.is_alphanumeric(),
        "upper" => c.is_uppercase(),
        "lower" => c.is_lowercase(),
        "space" => is_space(c),
        "blank" => matches!(c, ' ' | '\t'),
        "punct" => c.is_ascii_punctuation(),
        "cntrl" => c.is_control(),
        "xdigit" => c.is_ascii_hexdigit(),
        "print" => !c.is_control(),
        "graph" => !c.is_control() && !c.is_whitespace(),
        _ => false,
    }
}
