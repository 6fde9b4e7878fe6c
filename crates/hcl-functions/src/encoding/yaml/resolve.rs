//! Resolves plain scalars and tags to values.

use hieratic_hcl_types::go::yaml::{Keyword, keyword};
use hieratic_hcl_types::{Number, Value, quoted};

use super::timestamp::rewritten;
use crate::encoding::from_base64;

/// The prefix of the tags of YAML itself.
const YAML: &str = "tag:yaml.org,2002:";

/// The value of a scalar with a tag, which is empty if there is none. `in_quotes` is set for single and double quotes,
/// not for blocks.
pub(super) fn scalar(tag: &str, text: &str, in_quotes: bool) -> Result<Value, String> {
    let kind = match tag {
        "" => "",
        tag => tag
            .strip_prefix(YAML)
            .filter(|kind| matches!(*kind, "str" | "bool" | "int" | "float" | "null" | "timestamp" | "binary"))
            .ok_or_else(|| format!("unsupported tag {}", quoted(tag)))?,
    };
    let unreadable = || format!("cannot parse {} as {tag}", quoted(text));
    let mut kind = kind;
    // Only scalars with certain first letters can be anything but strings.
    let hint = text.bytes().next();
    let speaks = hint.is_none_or(|first| b"+-0123456789yYnNtTfFoO~.".contains(&first));
    if speaks && !matches!(kind, "str" | "binary") {
        if in_quotes {
            return Ok(Value::string(text));
        }
        if let Some(value) = word(text) {
            return Ok(value);
        }
        if kind.is_empty() && keyword(text) == Some(Keyword::NotANumber) {
            return Err("floating point NaN is not supported".into());
        }
        match hint {
            Some(b'.') => {
                if let Some(number) = Number::parse(text) {
                    return Ok(number.into());
                }
            }
            Some(b'+' | b'-' | b'0'..=b'9') => {
                if matches!(kind, "" | "timestamp")
                    && let Some(time) = rewritten(text)
                {
                    return Ok(Value::string(time));
                }
                if is_whole(text) {
                    kind = "int";
                } else if is_float(text) {
                    kind = "float";
                }
            }
            _ => {}
        }
    }
    match kind {
        "binary" if from_base64(text).is_none() => Err(format!("{}: not valid base64", unreadable())),
        "str" | "binary" | "" => Ok(Value::string(text)),
        "bool" => match word(text) {
            Some(value @ Value::Bool(_)) => Ok(value),
            _ => Err(unreadable()),
        },
        "float" | "int" => number(&text.replace('_', "")).map(Value::Number).ok_or_else(|| {
            // An implicit tag is reported with its full name.
            let tag = format!("{YAML}{kind}");
            format!("cannot parse {} as {tag}", quoted(text))
        }),
        "timestamp" => rewritten(text).map(Value::string).ok_or_else(unreadable),
        _ => Ok(Value::NULL),
    }
}

/// Keywords.
fn word(text: &str) -> Option<Value> {
    Some(match keyword(text)? {
        Keyword::Bool(true) => Value::TRUE,
        Keyword::Bool(false) => Value::FALSE,
        Keyword::Null => Value::NULL,
        Keyword::Infinity => Number::INFINITY.into(),
        Keyword::NegativeInfinity => Number::NEGATIVE_INFINITY.into(),
        // HCL has no such number: it is reported, or a string.
        Keyword::NotANumber => return None,
    })
}

fn all(digits: &str, is_digit: fn(&u8) -> bool) -> bool {
    !digits.is_empty() && digits.bytes().all(|byte| is_digit(&byte))
}

fn unsigned(text: &str) -> &str {
    text.strip_prefix(['+', '-']).unwrap_or(text)
}

fn is_whole(text: &str) -> bool {
    all(unsigned(text), u8::is_ascii_digit)
        || text.strip_prefix("0o").is_some_and(|digits| all(digits, |digit| (b'0'..=b'7').contains(digit)))
        || text.strip_prefix("0x").is_some_and(|digits| all(digits, u8::is_ascii_hexdigit))
}

fn is_float(text: &str) -> bool {
    let text = unsigned(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let digits = |part: &str| all(part, u8::is_ascii_digit);
    let mantissa = match mantissa.split_once('.') {
        None => digits(mantissa),
        Some(("", fraction)) => digits(fraction),
        Some((whole, fraction)) => digits(whole) && (fraction.is_empty() || digits(fraction)),
    };
    mantissa && exponent.is_none_or(|exponent| digits(unsigned(exponent)))
}

/// A decimal number, or a whole one with the prefix of its base.
fn number(text: &str) -> Option<Number> {
    if let Some(number) = Number::parse(text) {
        return Some(number);
    }
    let digits = unsigned(text);
    let negative = text.starts_with('-');
    let (base, digits) = match digits.get(..2).unwrap_or_default() {
        "0x" | "0X" => (16, digits.get(2..)?),
        "0b" | "0B" => (2, digits.get(2..)?),
        "0o" | "0O" => (8, digits.get(2..)?),
        _ if digits.starts_with('0') => (8, digits.get(1..)?),
        _ => return None,
    };
    if !digits.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    // A word of the machine with its sign, or without one.
    let magnitude = u64::from_str_radix(digits, base).ok()?;
    let within = match (negative, text.starts_with('+')) {
        (true, _) => magnitude <= 1 << 63,
        (false, true) => magnitude < 1 << 63,
        (false, false) => true,
    };
    let number = Number::from_digits(&magnitude.to_string(), 10)?;
    within.then(|| if negative && magnitude > 0 { number.negate() } else { number })
}
