//! Single values as strings: the format letters of each type.

use hieratic_ruby_regexp::Regexp;
use hieratic_value::{BigInt, Rich, Value, text::float};

use super::binary;
use super::directive;
use super::format::Format;
use super::formats::FormatMap;
use super::number;
use crate::Error;
use crate::infer::{Shape, shape};
use crate::object::write_value;
use crate::pattern::Pattern;
use crate::quote::{double_quote, quote};
use crate::range::Int;
use crate::types::Type;

pub(super) fn convert(kind: &Type, value: &Value, map: &FormatMap, level: Option<usize>) -> Result<String, Error> {
    let format = map.format(kind);
    match shape(value) {
        Shape::Undef => undef(&format),
        Shape::Default => default(&format),
        Shape::Boolean(truth) => boolean(&format, truth),
        Shape::Integer(number) => integer(&format, &number),
        Shape::Float(number) => real(&format, number),
        Shape::Text(content) => {
            // Bytes that are not valid UTF-8 are written lossily.
            let lossy = match value.as_rich() {
                Some(Rich::Binary(bytes)) => Some(String::from_utf8_lossy(bytes).into_owned()),
                _ => None,
            };
            text(&format, lossy.as_deref().unwrap_or(&content))
        }
        Shape::Symbol => symbol(&format, &value.to_text()),
        Shape::Sensitive(_) => match format.letter {
            'p' => directive::text(&format, "#<Sensitive [value redacted]>"),
            's' => directive::text(&format, "Sensitive [value redacted]"),
            _ => Err(directive::unusable(&format, value)),
        },
        Shape::Kind(kind) => match format.letter {
            's' if format.is_alternative() => directive::text(&format, &format!("\"{kind}\"")),
            's' | 'p' => directive::text(&format, &value.to_text()),
            letter => Err(Error::illegal_letter("Type", letter, "sp")),
        },
        Shape::Object(_) => object_text(&format, value, level),
        Shape::Regexp(regexp) => regexp_text(&format, regexp),
        Shape::Bytes(bytes) => binary::convert(&format, bytes),
        Shape::Timestamp(moment) => time(&format, value, moment.to_seconds(), moment.to_f64()),
        Shape::Timespan(span) => time(&format, value, span.to_seconds(), span.to_f64()),
        Shape::Version(_) | Shape::VersionRange => inspected(&format, value),
        Shape::Uri(uri) => match format.letter {
            's' if format.is_alternative() => directive::text(&format, &quote(&uri.to_string())),
            's' => directive::text(&format, &uri.to_string()),
            'p' => Ok(format!("URI({})", quote(&uri.to_string()))),
            letter => Err(Error::illegal_letter("URI", letter, "sp")),
        },
        Shape::Opaque(_) if matches!(kind, Type::Callable(_) | Type::Iterator(_)) => inspected(&format, value),
        Shape::Opaque(_) | Shape::Foreign(_) => match format.letter {
            's' => Ok(value.to_text()),
            'p' => Ok(quote(&value.to_text())),
            'q' => Ok(value.inspect()),
            letter => Err(Error::illegal_letter("Runtime", letter, "spq")),
        },
        // Containers have separate rules; an empty one never reaches this function.
        Shape::Array | Shape::Hash => Ok(String::new()),
    }
}

/// Writes an object; `level` is the indentation if it is written over several lines.
fn object_text(format: &Format, value: &Value, level: Option<usize>) -> Result<String, Error> {
    match format.letter {
        'p' => {
            let indent = level.or(format.is_alternative().then_some(0));
            let mut text = String::new();
            // Writing to a string cannot fail.
            let _ = write_value(&mut text, value, indent);
            Ok(text)
        }
        's' => Ok(value.to_text()),
        'q' => Ok(value.inspect()),
        letter => Err(Error::illegal_letter("Object", letter, "spq")),
    }
}

/// Writes a time; numeric letters show its seconds.
fn time(format: &Format, value: &Value, seconds: i128, float: f64) -> Result<String, Error> {
    match format.letter {
        'd' | 'x' | 'X' | 'o' | 'b' | 'B' => number::integer(format, &Int::from(BigInt::from(seconds))),
        'u' => number::integer(&format.with_letter('d'), &Int::from(BigInt::from(seconds))),
        'c' => match u32::try_from(seconds).ok().and_then(char::from_u32) {
            Some(character) => directive::text(format, character.encode_utf8(&mut [0; 4])),
            None => Err(Error::new("invalid character")),
        },
        'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' => number::float(format, float),
        _ => inspected(format, value),
    }
}

/// `%s` and `%p` of a value that has no specific letters.
fn inspected(format: &Format, value: &Value) -> Result<String, Error> {
    match format.letter {
        's' => directive::text(format, &value.to_text()),
        'p' => directive::text(format, &value.inspect()),
        _ => Err(directive::unusable(format, value)),
    }
}

fn regexp_text(format: &Format, regexp: &Regexp) -> Result<String, Error> {
    let source = Pattern::from(regexp);
    let is_plain = format.flags.is_empty() && format.width.is_none() && format.precision.is_none();
    match format.letter {
        'p' if is_plain => Ok(source.to_string()),
        'p' => directive::text(format, &source.to_string()),
        's' if is_plain => Ok(source.source().to_owned()),
        's' if format.is_alternative() => directive::text(format, &quote(source.source())),
        's' => directive::text(format, source.source()),
        letter => Err(Error::illegal_letter("Regexp", letter, "sp")),
    }
}

fn undef(format: &Format) -> Result<String, Error> {
    let alternative = format.is_alternative();
    let written = match format.letter {
        'n' if alternative => "null",
        'n' => "nil",
        'u' if alternative => "undefined",
        'u' => "undef",
        'd' | 'x' | 'X' | 'o' | 'b' | 'B' | 'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' => "NaN",
        'v' => "n/a",
        'V' => "N/A",
        's' if alternative => "\"\"",
        's' => "",
        'p' if alternative => "\"undef\"",
        'p' => "undef",
        letter => return Err(Error::illegal_letter("Undef", letter, "nudxXobBeEfgGaAvVsp")),
    };
    Ok(format.pad(written))
}

fn default(format: &Format) -> Result<String, Error> {
    let alternative = format.is_alternative();
    let written = match format.letter {
        'd' | 's' | 'p' if alternative => "\"default\"",
        'd' | 's' | 'p' => "default",
        'D' if alternative => "\"Default\"",
        'D' => "Default",
        letter => return Err(Error::illegal_letter("Default", letter, "dDsp")),
    };
    Ok(format.pad(written))
}

fn boolean(format: &Format, truth: bool) -> Result<String, Error> {
    let words = match format.letter {
        't' => ["false", "true"],
        'T' => ["False", "True"],
        'y' => ["no", "yes"],
        'Y' => ["No", "Yes"],
        's' | 'p' => return Ok(format.pad(if truth { "true" } else { "false" })),
        'd' | 'x' | 'X' | 'o' | 'b' | 'B' => return integer(format, &Int::from(i64::from(truth))),
        'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' => return real(format, f64::from(u8::from(truth))),
        letter => return Err(Error::illegal_letter("Boolean", letter, "tTyYdxXobBeEfgGaAsp")),
    };
    let word = words[usize::from(truth)];
    Ok(format.pad(if format.is_alternative() { &word[..1] } else { word }))
}

fn integer(format: &Format, number: &Int) -> Result<String, Error> {
    match format.letter {
        'd' | 'x' | 'X' | 'o' | 'b' | 'B' => number::integer(format, number),
        'p' => directive::text(format, &number.to_string()),
        'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' => number::float(format, number.to_f64()),
        'c' => {
            let Value::Integer(code) = Value::from(number.clone()) else {
                return Err(Error::new("bignum too big to convert into `long'"));
            };
            let character = u32::try_from(code)
                .ok()
                .and_then(char::from_u32)
                .ok_or_else(|| Error::new("pack(U): value out of range"))?;
            let alternative = format.is_alternative();
            let written = if alternative { format!("\"{character}\"") } else { character.to_string() };
            directive::text(&format.with_letter('s'), &written)
        }
        's' => {
            let digits = number.to_string();
            let written = if format.is_alternative() { format!("\"{digits}\"") } else { digits };
            directive::text(format, &written)
        }
        letter => Err(Error::illegal_letter("Integer", letter, "dxXobBeEfgGaAspc")),
    }
}

fn real(format: &Format, number: f64) -> Result<String, Error> {
    match format.letter {
        'd' | 'x' | 'X' | 'o' | 'b' | 'B' => number::integer(format, &number::truncate(number)?),
        'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' => number::float(format, number),
        'p' => directive::text(format, &float(number)),
        's' => {
            let digits = float(number);
            let written = if format.is_alternative() { format!("\"{digits}\"") } else { digits };
            directive::text(format, &written)
        }
        letter => Err(Error::illegal_letter("Float", letter, "dxXobBeEfgGaAsp")),
    }
}

fn text(format: &Format, content: &str) -> Result<String, Error> {
    let changed = match format.letter {
        's' => return directive::text(format, content),
        'p' => {
            let quoted = if format.is_alternative() { double_quote(content) } else { quote(content) };
            return Ok(format.pad(&quoted));
        }
        'c' => capitalize(content),
        'C' => {
            // Ruby drops empty segments at the end.
            content.trim_end_matches("::").split("::").map(capitalize).collect::<Vec<_>>().join("::")
        }
        'u' => content.to_uppercase(),
        'd' => lowercase(content),
        't' => content.trim_matches(|c: char| c.is_ascii_whitespace() || matches!(c, '\0' | '\u{b}')).to_owned(),
        letter => return Err(Error::illegal_letter("String", letter, "cCudspt")),
    };
    if format.is_alternative() {
        return Ok(format.pad(&quote(&changed)));
    }
    directive::text(&format.with_letter('s'), &changed)
}

fn symbol(format: &Format, name: &str) -> Result<String, Error> {
    match format.letter {
        's' => Ok(name.to_owned()),
        'p' => Ok(quote(name)),
        'q' => Ok(Value::from(Rich::Symbol(name.into())).inspect()),
        letter => Err(Error::illegal_letter("Runtime", letter, "spq")),
    }
}

fn lowercase(text: &str) -> String {
    // One character at a time, because Ruby ignores the context of a character.
    text.chars().flat_map(char::to_lowercase).collect()
}

fn capitalize(text: &str) -> String {
    let mut characters = text.chars();
    let Some(first) = characters.next() else { return String::new() };
    let first: String = match first {
        'Ǆ' | 'ǅ' | 'ǆ' => "ǅ".into(),
        'Ǉ' | 'ǈ' | 'ǉ' => "ǈ".into(),
        'Ǌ' | 'ǋ' | 'ǌ' => "ǋ".into(),
        'Ǳ' | 'ǲ' | 'ǳ' => "ǲ".into(),
        first => {
            let mut upper = first.to_uppercase();
            upper.next().into_iter().chain(upper.flat_map(char::to_lowercase)).collect()
        }
    };
    first + &lowercase(characters.as_str())
}
