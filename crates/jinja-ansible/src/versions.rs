//! Versions as the test `version` compares them:
//! <https://docs.ansible.com/ansible/latest/collections/ansible/builtin/version_test.html>.

use std::cmp::Ordering;

use hieratic_jinja::extend::{Result, error};

/// Compares two versions in a scheme: `loose`, `strict`, `semver` or `semantic`.
pub fn compare(left: &str, right: &str, scheme: &str) -> Result<Ordering> {
    match scheme {
        "loose" => compare_loose(left, right),
        "strict" => Ok(strict(left)?.cmp(&strict(right)?)),
        "semver" | "semantic" => Ok(compare_semantic(&semantic(left)?, &semantic(right)?)),
        "pep440" => {
            Err(error("versions of the scheme pep440 are not supported: use loose, strict, semver or semantic"))
        }
        _ => Err(error(format!(
            "Invalid version type ({scheme}). Must be one of 'loose', 'strict', 'semver', 'semantic', 'pep440'"
        ))),
    }
}

/// A part of a loose version.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Number(u128),
    Word(String),
}

/// The numbers and words of a version.
fn loose(version: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = version;
    while let Some(first) = rest.chars().next() {
        let same = |letter: char| match first {
            '0'..='9' => letter.is_ascii_digit(),
            'a'..='z' => letter.is_ascii_lowercase(),
            _ => !letter.is_ascii_digit() && !letter.is_ascii_lowercase() && letter != '.',
        };
        if first == '.' {
            rest = rest.get(1..).unwrap_or("");
            continue;
        }
        let (part, after) = rest.split_at(rest.find(|letter| !same(letter)).unwrap_or(rest.len()));
        rest = after;
        parts.push(part.parse().map_or_else(|_| Part::Word(part.into()), Part::Number));
    }
    parts
}

fn compare_loose(left: &str, right: &str) -> Result<Ordering> {
    let (left_parts, right_parts) = (loose(left), loose(right));
    for pair in left_parts.iter().zip(&right_parts) {
        let order = match pair {
            (Part::Number(one), Part::Number(other)) => one.cmp(other),
            (Part::Word(one), Part::Word(other)) => one.cmp(other),
            _ => {
                return Err(error(format!(
                    "Version comparison failed: '<' not supported between instances of 'str' and 'int' in {left} and {right}"
                )));
            }
        };
        if order.is_ne() {
            return Ok(order);
        }
    }
    Ok(left_parts.len().cmp(&right_parts.len()))
}

/// Orders versions of which [`compare`] says that they cannot be compared: numbers are before words.
pub fn order(left: &str, right: &str) -> Ordering {
    loose(left).cmp(&loose(right))
}

/// The three numbers of a version and its prerelease: a letter and a number. A release has the letter `z`, which sorts last.
type Strict = (Vec<u64>, (char, u64));

fn strict(version: &str) -> Result<Strict> {
    let bad = || error(format!("Version comparison failed: invalid version number '{version}'"));
    let (numbers, pre) = match version.find(['a', 'b']) {
        Some(at) => {
            let (numbers, pre) = version.split_at(at);
            let number = pre.get(1..).and_then(|digits| digits.parse().ok()).ok_or_else(bad)?;
            (numbers, (pre.chars().next().unwrap_or('z'), number))
        }
        None => (version, ('z', 0)),
    };
    let numbers = numbers.split('.').map(|number| number.parse().ok());
    let mut numbers = numbers.collect::<Option<Vec<u64>>>().ok_or_else(bad)?;
    if !(2..=3).contains(&numbers.len()) {
        return Err(bad());
    }
    numbers.resize(3, 0);
    Ok((numbers, pre))
}

/// The three numbers of a version, and the parts of its prerelease.
type Semantic = (Vec<u64>, Vec<String>);

fn semantic(version: &str) -> Result<Semantic> {
    let bad = || error(format!("Version comparison failed: invalid semantic version '{version}'"));
    let version_core = version.split_once('+').map_or(version, |(version, _)| version);
    let (numbers, pre) =
        version_core.split_once('-').map_or((version_core, None), |(numbers, pre)| (numbers, Some(pre)));
    let number = |text: &str| if text.starts_with('0') && text.len() > 1 { None } else { text.parse().ok() };
    let numbers = numbers.split('.').map(number).collect::<Option<Vec<u64>>>().filter(|numbers| numbers.len() == 3);
    let pre = pre.map_or(Vec::new(), |pre| pre.split('.').map(str::to_string).collect());
    Ok((numbers.ok_or_else(bad)?, pre))
}

fn compare_semantic(left: &Semantic, right: &Semantic) -> Ordering {
    let numbers = left.0.cmp(&right.0);
    numbers.then_with(|| match (left.1.is_empty(), right.1.is_empty()) {
        (true, true) => Ordering::Equal,
        (true, false) => Ordering::Greater,
        (false, true) => Ordering::Less,
        (false, false) => {
            let parts =
                left.1.iter().zip(&right.1).map(|(one, other)| match (one.parse::<u64>(), other.parse::<u64>()) {
                    (Ok(one), Ok(other)) => one.cmp(&other),
                    (Ok(_), Err(_)) => Ordering::Less,
                    (Err(_), Ok(_)) => Ordering::Greater,
                    (Err(_), Err(_)) => one.cmp(other),
                });
            parts.into_iter().find(|order| order.is_ne()).unwrap_or_else(|| left.1.len().cmp(&right.1.len()))
        }
    })
}
