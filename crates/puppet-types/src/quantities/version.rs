//! [`SemVer`]: a version by [semantic versioning](https://semver.org/spec/v2.0.0.html).

use std::cmp::Ordering;
use std::fmt;

/// A semantic version.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SemVer {
    /// The first number.
    pub major: u64,
    /// The second number.
    pub minor: u64,
    /// The third number.
    pub patch: u64,
    /// The pre-release identifiers, after the hyphen. `None` for a release.
    pub prerelease: Option<Vec<Identifier>>,
    /// The build identifiers, after the plus sign. They do not affect the order of versions.
    pub build: Option<Vec<String>>,
    /// Whether this is the version beyond all others.
    pub(crate) endless: bool,
}

/// A pre-release identifier.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Identifier {
    /// A number. Numbers sort before strings.
    Number(u64),
    /// A string.
    Text(String),
}

impl fmt::Display for Identifier {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Identifier::Number(number) => write!(out, "{number}"),
            Identifier::Text(text) => out.write_str(text),
        }
    }
}

impl SemVer {
    /// Creates a release.
    pub const fn new(major: u64, minor: u64, patch: u64) -> SemVer {
        SemVer { major, minor, patch, prerelease: None, build: None, endless: false }
    }

    /// Returns the version that sorts before all others.
    pub fn least() -> SemVer {
        SemVer { prerelease: Some(Vec::new()), ..SemVer::new(0, 0, 0) }
    }

    /// Returns the version that sorts after all others.
    pub fn endless() -> SemVer {
        SemVer { endless: true, ..SemVer::new(u64::MAX, 0, 0) }
    }

    /// Parses a version.
    ///
    /// # Errors
    /// The string is not a version.
    pub fn parse(text: &str) -> Result<SemVer, String> {
        let refused = || format!("Unable to parse '{text}' as a semantic version identifier");
        let body = text.strip_suffix('\n').unwrap_or(text);
        let (rest, build) = match body.split_once('+') {
            Some((rest, build)) => (rest, Some(build)),
            None => (body, None),
        };
        let (numbers, prerelease) = match rest.split_once('-') {
            Some((numbers, prerelease)) => (numbers, Some(prerelease)),
            None => (rest, None),
        };
        let mut parts = numbers.split('.').map(number);
        let mut next = || parts.next().flatten().ok_or_else(refused);
        let (major, minor, patch) = (next()?, next()?, next()?);
        if parts.next().is_some() {
            return Err(refused());
        }
        let well_formed = |text: &str| text.split('.').all(is_identifier);
        if !prerelease.is_none_or(well_formed) || !build.is_none_or(well_formed) {
            return Err(refused());
        }
        Ok(SemVer {
            prerelease: prerelease.map(identifiers).transpose()?,
            build: build.map(|build| build.split('.').map(String::from).collect()),
            ..SemVer::new(major, minor, patch)
        })
    }

    /// Creates a version from its parts. Each string becomes one identifier, as in the reference.
    pub fn from_parts(major: u64, minor: u64, patch: u64, prerelease: Option<&str>, build: Option<&str>) -> SemVer {
        SemVer {
            prerelease: prerelease.map(|text| vec![Identifier::Text(text.into())]),
            build: build.map(|text| vec![text.into()]),
            ..SemVer::new(major, minor, patch)
        }
    }

    /// Returns whether the version is a release.
    pub fn is_stable(&self) -> bool {
        self.prerelease.as_ref().is_none_or(Vec::is_empty)
    }

    /// Compares two versions. Build identifiers are ignored.
    pub fn compare(&self, other: &SemVer) -> Ordering {
        self.endless
            .cmp(&other.endless)
            .then(self.major.cmp(&other.major))
            .then(self.minor.cmp(&other.minor))
            .then(self.patch.cmp(&other.patch))
            .then_with(|| compare_prerelease(self.prerelease.as_deref(), other.prerelease.as_deref()))
    }

    /// Returns the pre-release identifiers as a string.
    pub fn prerelease_text(&self) -> Option<String> {
        let parts = self.prerelease.as_ref().filter(|parts| !parts.is_empty())?;
        Some(parts.iter().map(Identifier::to_string).collect::<Vec<String>>().join("."))
    }
}

fn compare_prerelease(one: Option<&[Identifier]>, two: Option<&[Identifier]>) -> Ordering {
    match (one, two) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Greater,
        (Some(_), None) => Ordering::Less,
        (Some(one), Some(two)) => {
            for (a, b) in one.iter().zip(two) {
                let ordering = match (a, b) {
                    (Identifier::Number(a), Identifier::Number(b)) => a.cmp(b),
                    (Identifier::Number(_), Identifier::Text(_)) => Ordering::Less,
                    (Identifier::Text(_), Identifier::Number(_)) => Ordering::Greater,
                    (Identifier::Text(a), Identifier::Text(b)) => a.cmp(b),
                };
                if ordering != Ordering::Equal {
                    return ordering;
                }
            }
            one.len().cmp(&two.len())
        }
    }
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// A number without needless zeros.
fn number(text: &str) -> Option<u64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    if plain { text.parse().ok() } else { None }
}

pub(crate) fn identifiers(text: &str) -> Result<Vec<Identifier>, String> {
    text.split('.')
        .map(|part| {
            if !part.bytes().all(|byte| byte.is_ascii_digit()) {
                return Ok(Identifier::Text(part.into()));
            }
            if part.len() > 1 && part.starts_with('0') {
                return Err("Numeric pre-release identifiers MUST NOT contain leading zeroes".into());
            }
            part.parse().map(Identifier::Number).map_err(|_| format!("the number {part} is too large"))
        })
        .collect()
}

impl fmt::Display for SemVer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.endless {
            return out.write_str("Infinity.0.0");
        }
        write!(out, "{}.{}.{}", self.major, self.minor, self.patch)?;
        if let Some(parts) = &self.prerelease {
            let parts: Vec<String> = parts.iter().map(Identifier::to_string).collect();
            write!(out, "-{}", parts.join("."))?;
        }
        match &self.build {
            Some(parts) => write!(out, "+{}", parts.join(".")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_have_their_order() {
        let order = [
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-alpha.beta",
            "1.0.0-beta.2",
            "1.0.0-beta.11",
            "1.0.0-rc.1",
            "1.0.0",
            "1.10.0",
        ];
        for pair in order.windows(2) {
            let (one, two) = (SemVer::parse(pair[0]).unwrap(), SemVer::parse(pair[1]).unwrap());
            assert_eq!(one.compare(&two), Ordering::Less, "{pair:?}");
            assert_eq!(one.to_string(), pair[0]);
        }
        assert_eq!(SemVer::parse("1.0").unwrap_err(), "Unable to parse '1.0' as a semantic version identifier");
        assert!(SemVer::parse("01.0.0").is_err());
        assert!(SemVer::parse("1.0.0-01").unwrap_err().contains("leading zeroes"));
    }
}
