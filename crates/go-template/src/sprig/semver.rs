//! Semantic versions and their constraints, as the library of sprig compares them:
//! <https://github.com/Masterminds/semver#checking-version-constraints>.

use std::cmp::Ordering;

use super::{exactly, text_of};
use crate::eval::{Fault, Value};

pub(super) fn call(name: &str, arguments: &[Value]) -> Option<Result<Value, Fault>> {
    Some(match name {
        "semverCompare" => exactly::<2>(arguments).and_then(|[constraint, version]| {
            let alternatives = constraints(text_of(constraint)?)?;
            let version = Version::read(text_of(version)?).ok_or_else(|| Fault::error("Invalid Semantic Version"))?;
            let fits = |all: &Vec<Constraint>| all.iter().all(|one| one.allows(&version));
            Ok(Value::Bool(alternatives.iter().any(fits)))
        }),
        _ => return None,
    })
}

/// A version. What follows `+` does not count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Version {
    numbers: [u64; 3],
    pre_release: String,
}

impl Version {
    fn read(text: &str) -> Option<Version> {
        let (written, suffix) = split_suffix(text.strip_prefix('v').unwrap_or(text))?;
        let mut numbers = [0; 3];
        let parts: Vec<&str> = written.split('.').collect();
        if parts.len() > numbers.len() || parts.iter().any(|part| !part.bytes().all(|byte| byte.is_ascii_digit())) {
            return None;
        }
        for (number, part) in numbers.iter_mut().zip(parts) {
            *number = part.parse().ok()?;
        }
        Some(Version { numbers, pre_release: suffix })
    }

    fn compare(&self, other: &Version) -> Ordering {
        self.numbers.cmp(&other.numbers).then_with(|| match (&*self.pre_release, &*other.pre_release) {
            ("", "") => Ordering::Equal,
            ("", _) => Ordering::Greater,
            (_, "") => Ordering::Less,
            (one, other) => compare_parts(one, other),
        })
    }
}

/// The numbers of a version, and the name of its pre-release. `None` if it is not a valid one.
fn split_suffix(text: &str) -> Option<(&str, String)> {
    let is_identifier =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let (text, build) = match text.split_once('+') {
        Some((text, build)) => (text, Some(build)),
        None => (text, None),
    };
    let (numbers, pre_release) = match text.split_once('-') {
        Some((numbers, pre_release)) => (numbers, Some(pre_release)),
        None => (text, None),
    };
    let has_zero =
        |part: &str| part.len() > 1 && part.starts_with('0') && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_valid = [build, pre_release].into_iter().flatten().all(|part| part.split('.').all(is_identifier))
        && !pre_release.is_some_and(|part| part.split('.').any(has_zero));
    is_valid.then(|| (numbers, pre_release.unwrap_or_default().to_owned()))
}

fn compare_parts(one: &str, other: &str) -> Ordering {
    let (mut left, mut right) = (one.split('.'), other.split('.'));
    loop {
        let (one, other) = match (left.next(), right.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(one), Some(other)) => (one, other),
        };
        // Numbers come before names.
        let order = match (one.parse::<u64>(), other.parse::<u64>()) {
            (Ok(one), Ok(other)) => one.cmp(&other),
            (Ok(_), Err(_)) => Ordering::Less,
            (Err(_), Ok(_)) => Ordering::Greater,
            (Err(_), Err(_)) => one.cmp(other),
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// One condition of a constraint.
struct Constraint {
    operator: &'static str,
    version: Version,
    /// How many of the numbers are written.
    written: usize,
}

const OPERATORS: [&str; 11] = ["!=", ">=", "=>", "<=", "=<", "~>", "=", ">", "<", "~", "^"];

/// The conditions of each alternative.
fn constraints(text: &str) -> Result<Vec<Vec<Constraint>>, Fault> {
    text.split("||").map(|part| conditions(part).ok_or_else(|| improper(part))).collect()
}

fn improper(text: &str) -> Fault {
    Fault::error(format!("improper constraint: {text}"))
}

fn conditions(text: &str) -> Option<Vec<Constraint>> {
    let mut rest = text.trim_ascii_start();
    let mut all: Vec<Constraint> = Vec::new();
    loop {
        let operator = OPERATORS.into_iter().find(|operator| rest.starts_with(operator)).unwrap_or_default();
        let (version, behind) = version_of_constraint(rest.strip_prefix(operator)?.trim_ascii_start())?;
        let mut constraint = Constraint { operator, ..version };
        rest = behind;
        let trimmed = rest.trim_ascii_start();
        // A range.
        if let Some(end) = trimmed.strip_prefix('-')
            && trimmed.len() < rest.len()
            && end.starts_with(|letter: char| letter.is_ascii_whitespace())
        {
            if !operator.is_empty() {
                return None;
            }
            constraint.operator = ">=";
            let (last, behind) = version_of_constraint(end.trim_ascii_start())?;
            all.push(constraint);
            constraint = Constraint { operator: "<=", ..last };
            rest = behind;
        }
        all.push(constraint);
        let trimmed = rest.trim_ascii_start();
        if trimmed.is_empty() {
            return Some(all);
        }
        rest = match trimmed.strip_prefix(',') {
            Some(behind) => behind.trim_ascii_start(),
            None if trimmed.len() < rest.len() => trimmed,
            None => return None,
        };
    }
}

/// The version at the beginning of a string, which may have wildcards, and the rest.
fn version_of_constraint(text: &str) -> Option<(Constraint, &str)> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "*.-+".contains(letter);
    let end = text.find(|letter| !is_part(letter)).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let (numbers, pre_release) = split_suffix(word.strip_prefix('v').unwrap_or(word))?;
    let parts: Vec<&str> = numbers.split('.').collect();
    let is_any = |part: &str| matches!(part, "x" | "X" | "*");
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let written = parts.iter().position(|part| is_any(part)).unwrap_or(parts.len());
    let mut version = Version { numbers: [0; 3], pre_release };
    if parts.len() > version.numbers.len() || parts.iter().any(|part| !is_any(part) && !is_number(part)) {
        return None;
    }
    for (number, part) in version.numbers.iter_mut().zip(parts.iter().take(written)) {
        *number = part.parse().ok()?;
    }
    Some((Constraint { operator: "", version, written }, rest))
}

impl Constraint {
    fn allows(&self, version: &Version) -> bool {
        let order = version.compare(&self.version);
        let [major, minor, _] = self.version.numbers;
        let (is_whole, same) =
            (self.written == 3, |count: usize| version.numbers.get(..count) == self.version.numbers.get(..count));
        // A constraint without a pre-release allows none.
        let is_hidden = !version.pre_release.is_empty() && self.version.pre_release.is_empty();
        if is_hidden && (self.operator != "!=" || !is_whole) {
            return false;
        }
        match self.operator {
            "!=" if is_whole => order != Ordering::Equal,
            "!=" => match self.written {
                0 => order != Ordering::Equal,
                1 => !same(1),
                _ => !same(2) || version.pre_release != self.version.pre_release,
            },
            ">" => match self.written {
                3 => order == Ordering::Greater,
                2 => version.numbers.get(..2) > self.version.numbers.get(..2),
                1 => version.numbers[0] > major,
                _ => version.numbers[0] > 0 || order == Ordering::Greater,
            },
            "<" => order == Ordering::Less,
            ">=" | "=>" => order != Ordering::Less,
            "<=" | "=<" if is_whole => order != Ordering::Greater,
            "<=" | "=<" => match self.written {
                1 => version.numbers[0] <= major,
                _ => version.numbers.get(..2) <= self.version.numbers.get(..2),
            },
            "" | "=" if is_whole => order == Ordering::Equal,
            "^" if order == Ordering::Less => false,
            "^" if major > 0 || self.written == 1 => same(1),
            "^" if minor > 0 || self.written == 2 => same(2),
            "^" => same(3),
            // A tilde, or an equal sign before a version with wildcards.
            _ if order == Ordering::Less => false,
            _ if self.version.numbers == [0; 3] && !matches!(self.written, 1 | 2) => true,
            _ => same(if self.written == 1 { 1 } else { 2 }),
        }
    }
}
