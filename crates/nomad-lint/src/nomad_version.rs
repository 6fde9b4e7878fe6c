//! Versions of Nomad.

use std::fmt;
use std::str::FromStr;

/// A released version of Nomad. Rules about the features of a version need it.
///
/// ```
/// use hieratic_nomad_lint::NomadVersion;
///
/// let version: NomadVersion = "v1.8".parse()?;
/// assert_eq!(version, NomadVersion::new(1, 8, 0));
/// assert!(version < NomadVersion::NEWEST);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NomadVersion {
    major: u16,
    minor: u16,
    patch: u16,
}

impl NomadVersion {
    /// The newest supported version.
    pub const NEWEST: NomadVersion = NomadVersion::new(2, 0, 6);

    /// Creates a version from its numbers.
    pub const fn new(major: u16, minor: u16, patch: u16) -> Self {
        Self { major, minor, patch }
    }
}

impl Default for NomadVersion {
    fn default() -> Self {
        Self::NEWEST
    }
}

impl fmt::Display for NomadVersion {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl FromStr for NomadVersion {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || format!("{text:?} is not a version of Nomad; write 2.0.6 or 1.8");
        // Editions and pre-releases know what their release knows: 1.8.0+ent, 2.0.0-beta.1.
        let plain = text.strip_prefix('v').unwrap_or(text);
        let plain = plain.split(['+', '-']).next().unwrap_or(plain);
        let parts: Vec<u16> = plain.split('.').map(str::parse).collect::<Result<_, _>>().map_err(|_| expected())?;
        match parts.as_slice() {
            [major, minor] => Ok(Self::new(*major, *minor, 0)),
            [major, minor, patch] => Ok(Self::new(*major, *minor, *patch)),
            _ => Err(expected()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        for (text, expected) in [
            ("2.0.6", NomadVersion::new(2, 0, 6)),
            ("v1.8", NomadVersion::new(1, 8, 0)),
            ("1.7.3+ent", NomadVersion::new(1, 7, 3)),
            ("2.0.0-beta.1", NomadVersion::new(2, 0, 0)),
        ] {
            assert_eq!(text.parse(), Ok(expected), "{text}");
        }
        for text in ["", "1", "x", "1.2.3.4", "1..2", "-1.2", "1.99999"] {
            assert!(text.parse::<NomadVersion>().is_err(), "{text}");
        }
        assert!(NomadVersion::new(1, 10, 0) > NomadVersion::new(1, 9, 7));
    }
}
