//! Functions that shorten and wrap strings. Lengths are in bytes; a string that would be cut within a character is not
//! evaluated.

use super::{exactly, integer_of, text_of};
use crate::eval::{Fault, Value};

pub(super) fn call(name: &str, arguments: &[Value]) -> Option<Result<Value, Fault>> {
    let result = match name {
        "abbrev" => exactly::<2>(arguments).and_then(|[width, text]| abbreviate(0, integer_of(width)?, text_of(text)?)),
        "abbrevboth" => exactly::<3>(arguments).and_then(|[left, right, text]| {
            let (left, right, text) = (integer_of(left)?, integer_of(right)?, text_of(text)?);
            if left > 0 && right < 7 { Ok(text.to_owned()) } else { abbreviate(left, right, text) }
        }),
        "wrap" => exactly::<2>(arguments).and_then(|[width, text]| wrap(text_of(text)?, integer_of(width)?, "", false)),
        "wrapWith" => exactly::<3>(arguments)
            .and_then(|[width, separator, text]| wrap(text_of(text)?, integer_of(width)?, text_of(separator)?, true)),
        _ => return None,
    };
    Some(result.map(Value::from))
}

/// A part of a string.
fn part(text: &str, from: usize, to: usize) -> Result<&str, Fault> {
    text.get(from..to).ok_or_else(|| Fault::NotHere("a string that is cut within a character".to_owned()))
}

/// The mark for what is left out.
const MARK: &str = "...";

/// Shortens a string to a width, from an offset on.
fn abbreviate(offset: i64, width: i64, text: &str) -> Result<String, Fault> {
    let Ok(width) = usize::try_from(width) else { return Ok(text.to_owned()) };
    if width < 4 || text.len() <= width {
        return Ok(text.to_owned());
    }
    let kept = width - MARK.len();
    let most = i64::try_from(text.len() - kept).unwrap_or(i64::MAX);
    let offset = offset.min(most);
    if offset <= 4 {
        return Ok(format!("{}{MARK}", part(text, 0, kept)?));
    }
    // The reference returns an error with an empty string, which sprig passes over.
    if width < 7 {
        return Ok(String::new());
    }
    let offset = usize::try_from(offset).unwrap_or(0);
    if offset + kept < text.len() {
        return Ok(format!("{MARK}{}", shortened(part(text, offset, text.len())?, kept)?));
    }
    Ok(format!("{MARK}{}", part(text, text.len() - kept, text.len())?))
}

fn shortened(text: &str, width: usize) -> Result<String, Fault> {
    if width < 4 {
        return Ok(String::new());
    }
    abbreviate(0, i64::try_from(width).unwrap_or(i64::MAX), text)
}

/// Divides a string at blanks into lines of a width. Long words stay whole unless `cuts` is set.
fn wrap(text: &str, width: i64, separator: &str, cuts: bool) -> Result<String, Fault> {
    let separator = if separator.is_empty() { "\n" } else { separator };
    let width = usize::try_from(width).unwrap_or(1).max(1);
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while text.len() - at > width {
        if bytes.get(at) == Some(&b' ') {
            at += 1;
            continue;
        }
        let end = at + width;
        let is_blank = |index: &usize| bytes.get(*index) == Some(&b' ');
        if let Some(blank) = (at..=end).rev().find(is_blank) {
            out.push_str(part(text, at, blank)?);
            out.push_str(separator);
            at = blank + 1;
        } else if cuts {
            out.push_str(part(text, at, end)?);
            out.push_str(separator);
            at = end;
        } else if let Some(blank) = (end..text.len()).find(is_blank) {
            out.push_str(part(text, at, blank)?);
            out.push_str(separator);
            at = blank + 1;
        } else {
            out.push_str(part(text, at, text.len())?);
            at = text.len();
        }
    }
    out.push_str(part(text, at, text.len())?);
    Ok(out)
}
