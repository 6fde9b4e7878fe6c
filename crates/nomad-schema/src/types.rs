//! Checks values against types.

use hieratic_hcl_types::go::{duration, integer};
use hieratic_hcl1::{File, Scalar, Token, TokenKind, Value};

use crate::kind::Decoder;
use crate::notation::Shape;

/// The value in a list of one, which Consul reads as the value itself.
pub(crate) fn only_value(value: &Value) -> &Value {
    let mut value = value;
    while let Value::List(list) = value
        && let [only] = list.values.as_slice()
    {
        value = only;
    }
    value
}

/// The literals that a decoder turns into a type.
pub(crate) fn fits(shape: Shape, decoder: Decoder, file: &File, token: &Token) -> bool {
    use TokenKind::{Bool, Float, Heredoc, Null, Number, String};
    let kind = token.kind;
    let is_integer_text = || matches!(file.name(token), Ok(text) if integer::parse(&text).is_some());
    match (shape, decoder) {
        (Shape::Any, _) => true,
        (Shape::Flag, _) => is_truth_when_weak(file, token),
        (Shape::Number, _) => kind == Number,
        (Shape::Count, _) => {
            let is_decimal = |text: &str| text.is_empty() || text.parse::<i64>().is_ok();
            kind == Number || matches!(kind, String | Heredoc) && file.name(token).is_ok_and(|text| is_decimal(&text))
        }
        (Shape::Megabytes, _) => {
            let has_size = || file.name(token).is_ok_and(|text| parse_size(&text).is_some());
            kind == Number || matches!(kind, String | Heredoc) && has_size()
        }
        (Shape::Seconds, _) => {
            let has_time = || file.name(token).is_ok_and(|text| is_time_in_vault(&text));
            matches!(kind, Number | Float) || matches!(kind, String | Heredoc) && has_time()
        }
        (
            Shape::String | Shape::Duration | Shape::Size | Shape::Strings | Shape::Map,
            Decoder::Nomad | Decoder::Weak,
        ) => true,
        (Shape::String | Shape::Duration | Shape::Size | Shape::Strings | Shape::Map, Decoder::Vault) => {
            matches!(kind, Number | String | Heredoc | Null)
        }
        (Shape::String | Shape::Duration | Shape::Size | Shape::Strings | Shape::Map, Decoder::Exact) => {
            matches!(kind, String | Heredoc | Null)
        }
        (Shape::Int, Decoder::Nomad | Decoder::Vault) => match kind {
            Number => true,
            String => is_integer_text(),
            _ => false,
        },
        (Shape::Int, Decoder::Weak) => {
            matches!(kind, Number | Float | Bool)
                || matches!(file.name(token), Ok(text) if text.is_empty())
                || is_integer_text()
        }
        (Shape::Int | Shape::Float, Decoder::Exact) | (Shape::Float, Decoder::Nomad | Decoder::Vault) => {
            matches!(kind, Number | Float)
        }
        (Shape::Float, Decoder::Weak) => {
            kind != String || file.name(token).is_ok_and(|text| text.is_empty() || text.parse::<f64>().is_ok())
        }
        (Shape::Bool, Decoder::Nomad) => is_truth_in_nomad(file, token),
        (Shape::Bool, Decoder::Weak) => is_truth_when_weak(file, token),
        (Shape::Bool, Decoder::Vault | Decoder::Exact) => kind == Bool,
        // A list has literals of another shape.
        (
            Shape::Ints | Shape::Object | Shape::Block(_) | Shape::Blocks(_) | Shape::Labelled(_) | Shape::Table(_),
            _,
        ) => false,
    }
}

/// Nomad's decoder reads `"true"` and `1`, too.
fn is_truth_in_nomad(file: &File, token: &Token) -> bool {
    let text = file.text(token).replace('"', "").to_ascii_lowercase();
    matches!(token.kind, TokenKind::Bool | TokenKind::String | TokenKind::Number)
        && matches!(text.as_str(), "1" | "0" | "true" | "false")
}

/// Returns whether a string is converted to a truth value: those of Go's `strconv.ParseBool`, and the empty one.
pub(crate) fn is_truth_text(text: &str) -> bool {
    matches!(text, "" | "1" | "t" | "T" | "TRUE" | "true" | "True" | "0" | "f" | "F" | "FALSE" | "false" | "False")
}

/// Returns whether another program fills a string in before it is read.
pub(crate) fn is_template(text: &str) -> bool {
    text.contains("{{") || text.contains("${")
}

fn is_truth_when_weak(file: &File, token: &Token) -> bool {
    match file.scalar(token) {
        Ok(Scalar::String(text)) => is_truth_text(&text),
        Ok(_) => true,
        // The literal itself is reported.
        Err(_) => true,
    }
}

/// The bytes of a size such as `10GiB`, as Nomad reads it.
pub(crate) fn parse_size(text: &str) -> Option<f64> {
    let end =
        text.find(|letter: char| !letter.is_ascii_digit() && letter != '.' && letter != ',').unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let number: f64 = digits.replace(',', "").parse().ok()?;
    let unit = unit.trim().to_ascii_lowercase();
    let (unit, base) = match unit.strip_suffix("ib").or_else(|| unit.strip_suffix('i')) {
        Some(prefix) => (prefix, 1024_f64),
        None => (unit.strip_suffix('b').unwrap_or(&unit), 1000_f64),
    };
    // A binary unit has a prefix.
    let is_binary = base > 1000.0;
    let power = match unit {
        "" if !is_binary => 0,
        "k" => 1,
        "m" => 2,
        "g" => 3,
        "t" => 4,
        "p" => 5,
        "e" => 6,
        _ => return None,
    };
    let bytes = number * base.powi(power);
    // The reference counts in 64 bits.
    (bytes < 18_446_744_073_709_551_616.0).then_some(bytes)
}

/// Reports whether Vault reads a string as a length of time: seconds, days, or in Go's notation.
fn is_time_in_vault(text: &str) -> bool {
    let is_integer = |digits: &str| digits.parse::<i64>().is_ok();
    match text.strip_suffix('d') {
        Some(days) => is_integer(days),
        None => text.is_empty() || is_integer(text) || is_duration(text),
    }
}

/// Reports whether a string is a duration in Go's notation.
pub(crate) fn is_duration(text: &str) -> bool {
    duration::parse(text).is_ok()
}

/// The noun for a shape, in messages.
pub(crate) fn noun(shape: Shape) -> &'static str {
    match shape {
        Shape::String => "a string",
        Shape::Duration => "a length of time such as \"30s\"",
        Shape::Size | Shape::Megabytes => "a size such as \"10GiB\"",
        Shape::Seconds => "a length of time such as \"30s\", or a number of seconds",
        Shape::Int | Shape::Number | Shape::Count => "an integer",
        Shape::Float => "a number",
        Shape::Bool | Shape::Flag => "true or false",
        Shape::Strings => "a list of strings",
        Shape::Ints => "a list of integers",
        Shape::Map => "a block with names and strings",
        Shape::Object => "an object",
        Shape::Any => "a value",
        Shape::Block(_) | Shape::Blocks(_) => "a block",
        Shape::Labelled(_) | Shape::Table(_) => "a block with a label",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time_have_units() {
        for good in ["30s", "1h30m", "-1.5s", "0", ".5ms", "1µs", "100ns", "1.s"] {
            assert!(is_duration(good), "{good}");
        }
        for bad in ["", "30", "1d", "s", "1 s", "1..5s", "-", "1h30"] {
            assert!(!is_duration(bad), "{bad}");
        }
    }

    #[test]
    fn sizes_have_units() {
        for (text, expected) in [
            ("10", Some(10.0)),
            ("10GiB", Some(10.0 * 1024.0 * 1024.0 * 1024.0)),
            ("1.5 kb", Some(1500.0)),
            ("1,000", Some(1000.0)),
            ("5Ti", Some(5.0 * 1024_f64.powi(4))),
            ("3e", Some(3e18)),
            ("7B", Some(7.0)),
            ("10ib", None),
            ("", None),
            ("-1", None),
            ("0x10", None),
            ("1.2.3", None),
            ("20EiB", None),
        ] {
            assert_eq!(parse_size(text), expected, "{text}");
        }
    }

    #[test]
    fn vault_reads_days() {
        for good in ["", "30", "-5", "5d", "1h", "768h"] {
            assert!(is_time_in_vault(good), "{good}");
        }
        for bad in ["1.5", "1.5d", "x", "1w", "d", "10H"] {
            assert!(!is_time_in_vault(bad), "{bad}");
        }
    }
}
