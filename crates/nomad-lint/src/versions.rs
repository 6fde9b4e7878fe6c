//! Version constraints: `>= 1.2, < 2.0`.
//!
//! Source of the rules: <https://github.com/hashicorp/go-version>, and for `semver` the differences in
//! <https://developer.hashicorp.com/nomad/docs/job-specification/constraint#semver>.

use crate::go::number;

/// The syntax of versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VersionSyntax {
    /// Versions with any number of parts, and pre-releases with or without a dash. `~>` is an operator.
    Loose,
    /// As semantic versions are.
    Semantic,
}

/// Checks comma-separated conditions.
///
/// # Errors
///
/// The message about the first invalid condition.
pub(crate) fn check(conditions: &str, form: VersionSyntax) -> Result<(), String> {
    conditions.split(',').try_for_each(|condition| check_one(condition, form))
}

fn check_one(condition: &str, form: VersionSyntax) -> Result<(), String> {
    // The reference uses two libraries, whose messages differ in the first letter.
    let malformed = || match form {
        VersionSyntax::Loose => format!("malformed constraint: {condition}"),
        VersionSyntax::Semantic => format!("Malformed constraint: {condition}"),
    };
    let is_blank = |letter| matches!(letter, '\t' | '\n' | '\x0c' | '\r' | ' ');
    let text = condition.trim_matches(is_blank);
    let operators: &[&str] = match form {
        VersionSyntax::Loose => &["<=", ">=", "!=", "~>", "<", ">", "="],
        VersionSyntax::Semantic => &["<=", ">=", "!=", "<", ">", "="],
    };
    let version = operators.iter().find_map(|operator| text.strip_prefix(operator)).unwrap_or(text);
    let version = version.trim_start_matches(is_blank);
    let version = version.strip_prefix('v').unwrap_or(version);
    let end = version.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(version.len());
    let (numbers, rest) = version.split_at(end);
    let (before, build) = match rest.split_once('+') {
        Some((before, build)) => (before, Some(build)),
        None => (rest, None),
    };
    let is_before = before.is_empty() || is_release_before(before, form);
    if numbers.split('.').any(str::is_empty) || !is_before || build.is_some_and(|build| !are_names(build)) {
        return Err(malformed());
    }
    for digits in numbers.split('.') {
        if let Err(error) = number::unsigned(digits, 10, i64::MAX.unsigned_abs()) {
            return Err(format!("error parsing version: {}", error.message("ParseInt", digits)));
        }
    }
    Ok(())
}

/// Checks the pre-release after the numbers of a version.
fn is_release_before(text: &str, form: VersionSyntax) -> bool {
    let names = match form {
        VersionSyntax::Loose => text,
        VersionSyntax::Semantic => match text.strip_prefix('-') {
            Some(names) => names,
            None => return false,
        },
    };
    // In the loose form, the dash is optional and counts as part of the first name.
    are_names(names)
}

/// Names with dots between them.
fn are_names(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'~');
    text.split('.').all(|name| !name.is_empty() && name.bytes().all(is_letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_accepted() {
        for text in [">= 1.2, < 2", "1", "v1.2.3.4-beta.1+build.5", "~>1.5beta", "= 1.2-", " != 1.0.0~rc1 ", "1-5"] {
            assert_eq!(check(text, VersionSyntax::Loose), Ok(()), "{text}");
        }
        for text in [">= 1.2", "v1.2.3-beta.1+build.5", "1-5", "1.0--x"] {
            assert_eq!(check(text, VersionSyntax::Semantic), Ok(()), "{text}");
        }
    }

    #[test]
    fn errors_name_the_field() {
        for text in ["", "x", ">> 1", "1.", "1..2", "1.2.beta", "1+", "1-a..b", "1 2", "> 1,", "== 1"] {
            let part = if text == "> 1," { "" } else { text };
            assert_eq!(check(text, VersionSyntax::Loose).unwrap_err(), format!("malformed constraint: {part}"));
        }
        for text in ["1.5beta", "1-", "~> 1.0", "1.0~rc"] {
            assert_eq!(check(text, VersionSyntax::Semantic).unwrap_err(), format!("Malformed constraint: {text}"));
        }
        let message = "error parsing version: strconv.ParseInt: parsing \"9223372036854775808\": value out of range";
        assert_eq!(check("1.9223372036854775808", VersionSyntax::Loose).unwrap_err(), message);
    }
}
