//! [`versioncmp`](https://www.puppet.com/docs/puppet/8/function.html#versioncmp)

use std::cmp::Ordering;

use hieratic_value::Value;

use crate::ruby;
use crate::{Dispatch, Doc, Function};

pub(super) static FUNCTIONS: &[Function] = &[Function::new(
    "versioncmp",
    Doc::new("How two versions compare: -1, 0 or 1.").example("versioncmp('2.10', '2.9') # 1"),
    &[Dispatch::new(&["String a", "String b", "Boolean ignore_trailing_zeroes?"], |call| {
        let ignore = matches!(call.arguments.get(2), Some(Value::Boolean(true)));
        Ok(Value::Integer(versioncmp(&call.text(0), &call.text(1), ignore) as i64))
    })],
)];

/// Compares two versions part by part: a dash precedes a dot, a dot precedes everything else, and numbers are compared
/// as numbers unless one of them begins with a zero.
///
/// ```
/// use std::cmp::Ordering;
/// assert_eq!(hieratic_puppet_functions::versioncmp("1.9", "1.10", false), Ordering::Less);
/// assert_eq!(hieratic_puppet_functions::versioncmp("1.0.0", "1", true), Ordering::Equal);
/// ```
pub fn versioncmp(a: &str, b: &str, ignore_trailing_zeroes: bool) -> Ordering {
    if ignore_trailing_zeroes {
        return versioncmp(&without_zeroes(a), &without_zeroes(b), false);
    }
    let (mut rest_a, mut rest_b) = (a, b);
    while let (Some((one, after_a)), Some((two, after_b))) = (part(rest_a), part(rest_b)) {
        (rest_a, rest_b) = (after_a, after_b);
        if one == two {
            continue;
        }
        for separator in ["-", "."] {
            if one == separator {
                return Ordering::Less;
            }
            if two == separator {
                return Ordering::Greater;
            }
        }
        if is_number(one) && is_number(two) {
            if one.starts_with('0') || two.starts_with('0') {
                return one.cmp(two);
            }
            return ruby::to_i(one).compare(&ruby::to_i(two)).unwrap_or(Ordering::Equal);
        }
        return one.to_uppercase().cmp(&two.to_uppercase());
    }
    a.cmp(b)
}

fn is_number(part: &str) -> bool {
    part.starts_with(|c: char| c.is_ascii_digit())
}

/// Splits off the first part: a dash, a dot, digits, or anything else up to one of those.
fn part(text: &str) -> Option<(&str, &str)> {
    let first = text.chars().next()?;
    let end = match first {
        '-' | '.' => Some(1),
        '0'..='9' => text.find(|c: char| !c.is_ascii_digit()),
        _ => text.find(|c: char| c.is_ascii_digit() || matches!(c, '-' | '.')),
    };
    Some(text.split_at(end.unwrap_or(text.len())))
}

/// Removes trailing dots and zeros before the first dash of a version.
fn without_zeroes(version: &str) -> String {
    let (first, rest) = version.split_once('-').map_or((version, None), |(first, rest)| (first, Some(rest)));
    let first = first.trim_end_matches(['.', '0']);
    match rest.map(|rest| rest.trim_end_matches('-')) {
        None | Some("") => first.to_owned(),
        Some(rest) => format!("{first}-{rest}"),
    }
}
