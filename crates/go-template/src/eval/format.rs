//! `printf`. Source of the rules: <https://pkg.go.dev/fmt>.

use super::print::{display, float};
use super::value::Value;

/// The flags of a verb.
#[derive(Default)]
struct Flags {
    plus: bool,
    minus: bool,
    sharp: bool,
    space: bool,
    zero: bool,
    width: Option<usize>,
    precision: Option<usize>,
}

/// The widest text that a verb is padded to: Go has the same limit.
const MAX_WIDTH: usize = 1_000_000;

/// Formats values by a pattern. A verb that does not fit its value says so in the result, as in the reference.
pub(crate) fn format(pattern: &str, arguments: &[Value]) -> String {
    let mut out = String::new();
    let mut letters = pattern.chars().peekable();
    let mut next = 0;
    while let Some(letter) = letters.next() {
        if letter != '%' {
            out.push(letter);
            continue;
        }
        let mut flags = Flags::default();
        while let Some(flag) = letters.next_if(|letter| "+-# 0".contains(*letter)) {
            match flag {
                '+' => flags.plus = true,
                '-' => flags.minus = true,
                '#' => flags.sharp = true,
                ' ' => flags.space = true,
                _ => flags.zero = true,
            }
        }
        flags.width = number(&mut letters);
        if letters.next_if_eq(&'.').is_some() {
            flags.precision = Some(number(&mut letters).unwrap_or(0));
        }
        let Some(verb) = letters.next() else {
            out.push_str("%!(NOVERB)");
            break;
        };
        if verb == '%' {
            out.push('%');
            continue;
        }
        match arguments.get(next) {
            None => out.push_str(&format!("%!{verb}(MISSING)")),
            Some(value) => {
                // For `v`, the plus is about names of fields.
                flags.plus &= verb != 'v';
                out.push_str(&formatted(verb, &flags, value));
            }
        }
        next += 1;
    }
    let extra = arguments.get(next..).unwrap_or_default();
    if !extra.is_empty() {
        let extra: Vec<String> = extra.iter().map(typed).collect();
        out.push_str(&format!("%!(EXTRA {})", extra.join(", ")));
    }
    out
}

fn number(letters: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<usize> {
    let mut number = None;
    while let Some(digit) = letters.next_if(char::is_ascii_digit) {
        let digit = usize::try_from(digit.to_digit(10)?).ok()?;
        number = Some((number.unwrap_or(0) * 10 + digit).min(MAX_WIDTH));
    }
    number
}

/// A value with its type, as in messages about verbs.
fn typed(value: &Value) -> String {
    match value {
        Value::Nil => "<nil>".to_owned(),
        value => format!("{}={}", value.type_name(), display(value)),
    }
}

fn formatted(verb: char, flags: &Flags, value: &Value) -> String {
    let text = match (verb, value) {
        ('T', value) => value.type_name().to_owned(),
        (verb, Value::List(values)) => {
            let inner: Vec<String> = values.iter().map(|value| element(verb, flags, value)).collect();
            return format!("[{}]", inner.join(" "));
        }
        (verb, Value::Map(entries)) => {
            return map(verb, flags, entries.iter().map(|(key, value)| (Value::from(key.as_str()), value)));
        }
        (verb, Value::AnyMap(entries)) => {
            return map(verb, flags, entries.iter().map(|(key, value)| (key.to_value(), value)));
        }
        ('v', Value::String(text)) if flags.sharp => hieratic_hcl_types::quoted(text),
        ('v' | 's', Value::String(text)) => truncated(flags, text),
        ('v' | 'd', Value::Int(number)) => return integer(flags, *number, 10, false),
        ('v' | 'g', Value::Float(number)) if flags.precision.is_none() => signed(flags, float(*number), *number >= 0.0),
        ('v' | 't', Value::Bool(truth)) => truth.to_string(),
        ('v', value) => display(value),
        ('q', Value::String(text)) => hieratic_hcl_types::quoted(&truncated(flags, text)),
        ('x', Value::String(text)) => text.bytes().map(|byte| format!("{byte:02x}")).collect(),
        ('X', Value::String(text)) => text.bytes().map(|byte| format!("{byte:02X}")).collect(),
        ('x', Value::Int(number)) => return integer(flags, *number, 16, false),
        ('X', Value::Int(number)) => return integer(flags, *number, 16, true),
        ('o', Value::Int(number)) => return integer(flags, *number, 8, false),
        ('b', Value::Int(number)) => return integer(flags, *number, 2, false),
        ('c', Value::Int(number)) => letter(*number).to_string(),
        ('q', Value::Int(number)) => quoted_letter(letter(*number)),
        ('f' | 'F', Value::Float(number)) => {
            let precision = flags.precision.unwrap_or(6);
            signed(flags, format!("{number:.precision$}"), *number >= 0.0)
        }
        (verb, Value::Nil) => return format!("%!{verb}(<nil>)"),
        // The value is written with the flags of the verb that it does not fit.
        (verb, value) => return format!("%!{verb}({}={})", value.type_name(), formatted('v', flags, value)),
    };
    padded(flags, text, matches!(value, Value::Float(_)))
}

fn map<'v>(verb: char, flags: &Flags, entries: impl Iterator<Item = (Value, &'v Value)>) -> String {
    let inner: Vec<String> =
        entries.map(|(key, value)| format!("{}:{}", element(verb, flags, &key), element(verb, flags, value))).collect();
    format!("map[{}]", inner.join(" "))
}

/// An element of a list or a map. One that is nil fits every verb.
fn element(verb: char, flags: &Flags, value: &Value) -> String {
    match value {
        Value::Nil => "<nil>".to_owned(),
        value => formatted(verb, flags, value),
    }
}

fn letter(number: i64) -> char {
    u32::try_from(number).ok().and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// A letter in single quotes, with the escapes of a string.
fn quoted_letter(letter: char) -> String {
    match letter {
        '\'' => r"'\''".to_owned(),
        '"' => "'\"'".to_owned(),
        letter => format!("'{}'", hieratic_hcl_types::quoted(letter.encode_utf8(&mut [0; 4])).trim_matches('"')),
    }
}

fn truncated(flags: &Flags, text: &str) -> String {
    match flags.precision {
        Some(precision) => text.chars().take(precision).collect(),
        None => text.to_owned(),
    }
}

fn signed(flags: &Flags, text: String, is_positive: bool) -> String {
    if is_positive && flags.plus && !text.starts_with('+') {
        format!("+{text}")
    } else if is_positive && flags.space {
        format!(" {text}")
    } else {
        text
    }
}

fn integer(flags: &Flags, number: i64, base: u32, is_upper: bool) -> String {
    let magnitude = number.unsigned_abs();
    let mut digits = match (base, is_upper) {
        (2, _) => format!("{magnitude:b}"),
        (8, _) => format!("{magnitude:o}"),
        (16, false) => format!("{magnitude:x}"),
        (16, true) => format!("{magnitude:X}"),
        _ => magnitude.to_string(),
    };
    let is_negative = number < 0;
    let has_sign = is_negative || flags.plus || flags.space;
    let digit_count = match (flags.precision, flags.width) {
        (Some(precision), _) => precision,
        (None, Some(width)) if flags.zero && !flags.minus => width.saturating_sub(usize::from(has_sign)),
        _ => 0,
    };
    if digits.len() < digit_count {
        digits.insert_str(0, &"0".repeat(digit_count - digits.len()));
    }
    if flags.sharp {
        let prefix = match (base, is_upper) {
            (2, _) => "0b",
            (8, _) => "0",
            (16, false) => "0x",
            (16, true) => "0X",
            _ => "",
        };
        digits.insert_str(0, prefix);
    }
    let text = if is_negative { format!("-{digits}") } else { signed(flags, digits, true) };
    let flags = Flags { zero: false, ..Flags { width: flags.width, minus: flags.minus, ..Flags::default() } };
    padded(&flags, text, false)
}

fn padded(flags: &Flags, text: String, is_number: bool) -> String {
    let missing = flags.width.unwrap_or(0).saturating_sub(text.chars().count());
    if missing == 0 {
        return text;
    }
    if flags.minus {
        return text + &" ".repeat(missing);
    }
    if !flags.zero {
        return " ".repeat(missing) + &text;
    }
    match text.strip_prefix(['-', '+']).filter(|_| is_number) {
        Some(digits) => format!("{}{}{digits}", &text[..1], "0".repeat(missing)),
        None => "0".repeat(missing) + &text,
    }
}
