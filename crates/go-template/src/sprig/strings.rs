//! Strings.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hieratic_hcl_types::go::{letters, path};

use super::convert::{string, strings};
use super::text::{self, indent, initials, untitle};
use super::{exactly, integer_of, text_of, words};
use crate::eval::{Fault, Value};

pub(super) fn call(name: &str, arguments: &[Value]) -> Option<Result<Value, Fault>> {
    let one =
        |change: &dyn Fn(&str) -> String| exactly::<1>(arguments).and_then(|[text]| Ok(change(text_of(text)?).into()));
    let two = |change: &dyn Fn(&str, &str) -> Value| {
        exactly::<2>(arguments).and_then(|[part, text]| Ok(change(text_of(part)?, text_of(text)?)))
    };
    Some(match name {
        "upper" => one(&letters::to_upper),
        "lower" => one(&letters::to_lower),
        "title" => one(&letters::title),
        "untitle" => one(&untitle),
        "initials" => one(&initials),
        // The classes of other letters are those of the reference's tables.
        "camelcase" | "kebabcase" | "snakecase" if !arguments.iter().filter_map(Value::as_str).all(str::is_ascii) => {
            Err(Fault::NotHere(format!("{name} of letters besides ASCII")))
        }
        "camelcase" => one(&words::pascal),
        "kebabcase" => one(&|text| words::separated(text, '-')),
        "snakecase" => one(&|text| words::separated(text, '_')),
        "nospace" => one(&|text| {
            if text::bytes_as_letters(text).any(char::is_whitespace) {
                text::bytes_as_letters(text).filter(|letter| !letter.is_whitespace()).collect()
            } else {
                text.to_owned()
            }
        }),
        "trim" => one(&|text| text.trim().to_owned()),
        "trimAll" | "trimall" => two(&|cut, text| text.trim_matches(|letter| cut.contains(letter)).into()),
        "trimPrefix" => two(&|part, text| text.strip_prefix(part).unwrap_or(text).into()),
        "trimSuffix" => two(&|part, text| text.strip_suffix(part).unwrap_or(text).into()),
        "hasPrefix" => two(&|part, text| Value::Bool(text.starts_with(part))),
        "hasSuffix" => two(&|part, text| Value::Bool(text.ends_with(part))),
        "contains" => two(&|part, text| Value::Bool(text.contains(part))),
        "quote" => Ok(quoted(arguments, hieratic_hcl_types::quoted).into()),
        "squote" => Ok(quoted(arguments, |text| format!("'{text}'")).into()),
        "cat" => Ok(cat(arguments).into()),
        "repeat" => repeat(arguments),
        "replace" => exactly::<3>(arguments)
            .and_then(|[from, to, text]| Ok(text_of(text)?.replace(text_of(from)?, text_of(to)?).into())),
        "trunc" => {
            exactly::<2>(arguments).and_then(|[length, text]| Ok(truncate(integer_of(length)?, text_of(text)?).into()))
        }
        "substr" => substring(arguments),
        "indent" => exactly::<2>(arguments).and_then(|[width, text]| indented(width, text, "")),
        "nindent" => exactly::<2>(arguments).and_then(|[width, text]| indented(width, text, "\n")),
        "plural" => plural(arguments),
        "join" => {
            exactly::<2>(arguments).and_then(|[separator, value]| Ok(strings(value).join(text_of(separator)?).into()))
        }
        "splitList" => {
            two(&|separator, text| Value::list(split(separator, text).into_iter().map(Value::from).collect()))
        }
        "split" => two(&|separator, text| numbered(split(separator, text))),
        "splitn" => splitn(arguments),
        "sortAlpha" => exactly::<1>(arguments).map(|[value]| sorted(value)),
        "b64enc" => one(&|text| STANDARD.encode(text)),
        "base" => one(&|path| path::base(path).to_owned()),
        "dir" => one(&path::directory),
        "ext" => one(&|path| path::extension(path).to_owned()),
        "isAbs" => exactly::<1>(arguments).and_then(|[path]| Ok(Value::Bool(text_of(path)?.starts_with('/')))),
        _ => return None,
    })
}

fn quoted(arguments: &[Value], quote: impl Fn(&str) -> String) -> String {
    let words: Vec<String> =
        arguments.iter().filter(|value| **value != Value::Nil).map(|value| quote(&string(value))).collect();
    words.join(" ")
}

fn cat(arguments: &[Value]) -> String {
    let words: Vec<String> = arguments.iter().filter(|value| **value != Value::Nil).map(string).collect();
    words.join(" ")
}

/// The largest string that `repeat` makes.
const MAX_REPEATED: usize = 16 << 20;

fn repeat(arguments: &[Value]) -> Result<Value, Fault> {
    let [count, text] = exactly::<2>(arguments)?;
    let (count, text) = (integer_of(count)?, text_of(text)?);
    let times = usize::try_from(count).map_err(|_| Fault::error("strings: negative Repeat count"))?;
    match text.len().checked_mul(times) {
        Some(length) if length <= MAX_REPEATED => Ok(text.repeat(times).into()),
        _ => Err(Fault::NotHere("repeat of more than 16 MiB".to_owned())),
    }
}

fn truncate(length: i64, text: &str) -> String {
    let size = usize::try_from(length.unsigned_abs()).unwrap_or(usize::MAX);
    if text.len() <= size {
        return text.to_owned();
    }
    // Bytes are counted; a character that is cut is left out.
    let part = if length < 0 { text.as_bytes().get(text.len() - size..) } else { text.as_bytes().get(..size) };
    String::from_utf8_lossy(part.unwrap_or_default()).into_owned()
}

fn substring(arguments: &[Value]) -> Result<Value, Fault> {
    let [start, end, text] = exactly::<3>(arguments)?;
    let (start, end, text) = (integer_of(start)?, integer_of(end)?, text_of(text)?);
    let length = text.len();
    let position = |at: i64| usize::try_from(at).ok();
    let (from, to) = match (position(start), position(end)) {
        (None, Some(end)) => (0, end),
        (None, None) => return Err(Fault::error("slice bounds out of range")),
        (Some(start), None) => (start, length),
        (Some(start), Some(end)) => (start, end.min(length)),
    };
    match (text.get(from..to), from > to || to > length) {
        (Some(part), _) => Ok(part.into()),
        (None, true) => Err(Fault::error("slice bounds out of range")),
        (None, false) => Err(Fault::NotHere("substr within a character".to_owned())),
    }
}

fn indented(width: &Value, text: &Value, before: &str) -> Result<Value, Fault> {
    let width = integer_of(width)?;
    if width < 0 {
        return Err(Fault::error("strings: negative Repeat count"));
    }
    Ok(format!("{before}{}", indent(text_of(text)?, width)).into())
}

fn plural(arguments: &[Value]) -> Result<Value, Fault> {
    let [one, many, count] = exactly::<3>(arguments)?;
    let (one, many) = (text_of(one)?, text_of(many)?);
    Ok(if integer_of(count)? == 1 { one.into() } else { many.into() })
}

/// The parts of a string: its characters, if nothing separates them.
fn split<'t>(separator: &str, text: &'t str) -> Vec<&'t str> {
    if separator.is_empty() {
        return text.split("").filter(|part| !part.is_empty()).collect();
    }
    text.split(separator).collect()
}

fn numbered(parts: Vec<&str>) -> Value {
    Value::map(parts.into_iter().enumerate().map(|(index, part)| (format!("_{index}"), part.into())))
}

fn splitn(arguments: &[Value]) -> Result<Value, Fault> {
    let [separator, count, text] = exactly::<3>(arguments)?;
    let (separator, count, text) = (text_of(separator)?, integer_of(count)?, text_of(text)?);
    if separator.is_empty() {
        return Err(Fault::NotHere("splitn with an empty separator".to_owned()));
    }
    Ok(match usize::try_from(count) {
        Ok(count) => numbered(text.splitn(count, separator).collect()),
        // A negative number means no limit.
        Err(_) => numbered(split(separator, text)),
    })
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::List(_) => {
            let mut all = strings(value);
            all.sort_unstable();
            Value::list(all.into_iter().map(Value::from).collect())
        }
        other => Value::list(vec![string(other).into()]),
    }
}
