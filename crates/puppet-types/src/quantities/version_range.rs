//! [`SemVerRange`]: a set of versions.
//!
//! The notations are those of [node's ranges](https://github.com/npm/node-semver#ranges): comparators separated by
//! spaces, `~`, `^`, hyphens, `x`, and `||` between alternatives. A pre-release is in a range only if the range
//! contains a pre-release of the same release.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use crate::quantities::version::{Identifier, SemVer, identifiers};

/// A set of versions.
#[derive(Clone, Debug)]
pub struct SemVerRange {
    ranges: Vec<VersionInterval>,
    text: String,
}

/// One alternative.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum VersionInterval {
    All,
    Exactly(SemVer),
    Between { from: Option<(SemVer, bool)>, to: Option<(SemVer, bool)> },
}

impl VersionInterval {
    fn at_least(version: SemVer) -> VersionInterval {
        VersionInterval::Between { from: Some((version, true)), to: None }
    }

    fn above(version: SemVer) -> VersionInterval {
        VersionInterval::Between { from: Some((version, false)), to: None }
    }

    fn at_most(version: SemVer) -> VersionInterval {
        VersionInterval::Between { from: None, to: Some((version, true)) }
    }

    fn below(version: SemVer) -> VersionInterval {
        VersionInterval::Between { from: None, to: Some((version, false)) }
    }

    fn begin(&self) -> (SemVer, bool) {
        match self {
            VersionInterval::Exactly(version) => (version.clone(), true),
            VersionInterval::Between { from: Some(from), .. } => from.clone(),
            _ => (SemVer::least(), true),
        }
    }

    fn end(&self) -> (SemVer, bool) {
        match self {
            VersionInterval::Exactly(version) => (version.clone(), true),
            VersionInterval::Between { to: Some(to), .. } => to.clone(),
            _ => (SemVer::endless(), true),
        }
    }

    fn includes(&self, version: &SemVer) -> bool {
        if let VersionInterval::Exactly(own) = self {
            return own == version;
        }
        let ((from, from_too), (to, to_too)) = (self.begin(), self.end());
        let low = match from.compare(version) {
            Ordering::Less => true,
            Ordering::Equal => from_too,
            Ordering::Greater => false,
        };
        low && match version.compare(&to) {
            Ordering::Less => true,
            Ordering::Equal => to_too,
            Ordering::Greater => false,
        }
    }

    /// Returns whether the range names a pre-release of the same release.
    fn names_prerelease(&self, version: &SemVer) -> bool {
        let same = |own: &SemVer| {
            !own.is_stable() && (own.major, own.minor, own.patch) == (version.major, version.minor, version.patch)
        };
        match self {
            VersionInterval::All => true,
            VersionInterval::Exactly(own) => same(own),
            VersionInterval::Between { from, to } => {
                from.as_ref().is_some_and(|(own, _)| same(own)) || to.as_ref().is_some_and(|(own, _)| same(own))
            }
        }
    }

    /// The intersection of both.
    fn intersection(&self, other: &VersionInterval) -> Option<VersionInterval> {
        if *self == VersionInterval::All {
            return Some(other.clone());
        }
        if *other == VersionInterval::All {
            return Some(self.clone());
        }
        let (own_begin, their_begin) = (self.begin(), other.begin());
        let (own_end, their_end) = (self.end(), other.end());
        for (begin, end) in [(&own_begin, &their_end), (&their_begin, &own_end)] {
            match begin.0.compare(&end.0) {
                Ordering::Greater => return None,
                Ordering::Equal => return (begin.1 && end.1).then(|| VersionInterval::Exactly(begin.0.clone())),
                Ordering::Less => {}
            }
        }
        let from = match own_begin.0.compare(&their_begin.0) {
            Ordering::Less => their_begin,
            Ordering::Greater => own_begin,
            Ordering::Equal => (own_begin.0, own_begin.1 && their_begin.1),
        };
        let to = match own_end.0.compare(&their_end.0) {
            Ordering::Less => own_end,
            Ordering::Greater => their_end,
            Ordering::Equal => (own_end.0, own_end.1 && their_end.1),
        };
        let from = Some(from).filter(|from| from.0 != SemVer::least() || !from.1);
        let to = Some(to).filter(|to| !to.0.endless);
        Some(VersionInterval::Between { from, to })
    }

    /// The union of both, if they are adjacent or overlap.
    fn merge(&self, other: &VersionInterval) -> Option<VersionInterval> {
        if *self == VersionInterval::All || *other == VersionInterval::All {
            return Some(VersionInterval::All);
        }
        let (own_begin, their_begin) = (self.begin(), other.begin());
        let (own_end, their_end) = (self.end(), other.end());
        let next = |version: &SemVer| SemVer::new(version.major, version.minor, version.patch.saturating_add(1));
        let touches = |end: &(SemVer, bool), begin: &(SemVer, bool)| {
            !end.0.endless && begin.1 && (!end.1 && end.0 == begin.0 || end.1 && next(&end.0) == begin.0)
        };
        let overlaps = self.includes(&their_begin.0) || other.includes(&own_begin.0);
        if !overlaps && !touches(&own_end, &their_begin) && !touches(&their_end, &own_begin) {
            return None;
        }
        let from = match own_begin.0.compare(&their_begin.0) {
            Ordering::Less => own_begin,
            Ordering::Greater => their_begin,
            Ordering::Equal => (own_begin.0, own_begin.1 || their_begin.1),
        };
        let to = match own_end.0.compare(&their_end.0) {
            Ordering::Less => their_end,
            Ordering::Greater => own_end,
            Ordering::Equal => (own_end.0, own_end.1 || their_end.1),
        };
        let from = Some(from).filter(|from| from.0 != SemVer::least());
        let to = Some(to).filter(|to| !to.0.endless);
        Some(VersionInterval::Between { from, to })
    }
}

impl fmt::Display for VersionInterval {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VersionInterval::All => out.write_str("*"),
            VersionInterval::Exactly(version) => write!(out, "{version}"),
            VersionInterval::Between { from, to } => {
                let low = from.as_ref().map(|(version, too)| format!("{}{version}", if *too { ">=" } else { ">" }));
                let high = to.as_ref().map(|(version, too)| {
                    let shown = if *version == SemVer::least() { "0.0.0".into() } else { version.to_string() };
                    format!("{}{shown}", if *too { "<=" } else { "<" })
                });
                let parts: Vec<String> = low.into_iter().chain(high).collect();
                out.write_str(&if parts.is_empty() { "*".to_owned() } else { parts.join(" ") })
            }
        }
    }
}

impl SemVerRange {
    /// Parses a range.
    ///
    /// # Errors
    /// The string is not a range.
    pub fn parse(text: &str) -> Result<SemVerRange, String> {
        let refused = || format!("Unparsable version range: \"{text}\"");
        let tight = tighten(text);
        let alternatives: Vec<&str> = tight.split("||").map(str::trim).collect();
        // Ruby drops empty alternatives at the end.
        let count = alternatives.iter().rposition(|one| !one.is_empty()).map_or(0, |last| last + 1);
        if count == 0 {
            return Ok(SemVerRange { ranges: vec![VersionInterval::All], text: "*".into() });
        }
        let mut ranges = Vec::new();
        for alternative in &alternatives[..count] {
            if let Some((low, high)) = hyphen(alternative) {
                let low = VersionInterval::at_least(full(low).ok_or_else(refused)??);
                let high = VersionInterval::at_most(full(high).ok_or_else(refused)??);
                ranges.extend(low.intersection(&high));
                continue;
            }
            let mut all: Option<VersionInterval> = None;
            let mut nothing = false;
            for simple in alternative.split_whitespace() {
                let one = comparator(simple).ok_or_else(refused)??;
                all = match all {
                    None => Some(one),
                    Some(other) => {
                        let both = other.intersection(&one);
                        nothing |= both.is_none();
                        both.or(Some(other))
                    }
                };
            }
            if !nothing {
                ranges.extend(all);
            }
        }
        Ok(SemVerRange::new(ranges, Some(text.into())))
    }

    /// Creates the range from `min` to `max`, which may be excluded.
    pub fn between(min: &SemVer, max: &SemVer, exclude_max: bool) -> SemVerRange {
        let low = VersionInterval::at_least(min.clone());
        let high =
            if exclude_max { VersionInterval::below(max.clone()) } else { VersionInterval::at_most(max.clone()) };
        let text = if exclude_max { format!(">={min} <{max}") } else { format!("{min} - {max}") };
        SemVerRange::new(low.intersection(&high).into_iter().collect(), Some(text))
    }

    fn new(mut ranges: Vec<VersionInterval>, text: Option<String>) -> SemVerRange {
        let mut unique: Vec<VersionInterval> = Vec::new();
        for range in ranges.drain(..) {
            if !unique.contains(&range) {
                unique.push(range);
            }
        }
        let mut at = 0;
        while at < unique.len() {
            let found =
                (at + 1..unique.len()).find_map(|other| unique[at].merge(&unique[other]).map(|merged| (other, merged)));
            match found {
                Some((other, merged)) => {
                    unique.remove(other);
                    unique[at] = merged;
                    at = 0;
                }
                None => at += 1,
            }
        }
        if unique.is_empty() {
            unique.push(VersionInterval::below(SemVer::least()));
        }
        let text = text.unwrap_or_else(|| canonical(&unique));
        SemVerRange { ranges: unique, text }
    }

    /// Returns whether a version is in the range.
    pub fn includes(&self, version: &SemVer) -> bool {
        self.ranges
            .iter()
            .any(|range| range.includes(version) && (version.is_stable() || range.names_prerelease(version)))
    }

    /// Returns the intersection of two ranges.
    pub fn intersection(&self, other: &SemVerRange) -> SemVerRange {
        let pairs = self.ranges.iter().flat_map(|one| other.ranges.iter().filter_map(|two| one.intersection(two)));
        SemVerRange::new(pairs.collect(), None)
    }

    /// Returns the union of two ranges, if both are single intervals that are adjacent or overlap.
    pub fn merge(&self, other: &SemVerRange) -> Option<SemVerRange> {
        let ([own], [their]) = (&self.ranges[..], &other.ranges[..]) else { return None };
        own.merge(their).map(|merged| SemVerRange::new(vec![merged], None))
    }

    /// Returns whether every version of this range is in the other one. The check only compares the bounds of the
    /// intervals.
    pub fn is_covered_by(&self, other: &SemVerRange) -> bool {
        let ([own], [their]) = (&self.ranges[..], &other.ranges[..]) else { return self == other };
        let (own_end, their_end) = (own.end(), their.end());
        their.begin().0.compare(&own.begin().0) != Ordering::Greater
            && match their_end.0.compare(&own_end.0) {
                Ordering::Greater => true,
                Ordering::Equal => their_end.1 || !own_end.1,
                Ordering::Less => false,
            }
    }

    /// Returns the canonical notation of the range.
    pub fn canonical(&self) -> String {
        canonical(&self.ranges)
    }
}

fn canonical(ranges: &[VersionInterval]) -> String {
    ranges.iter().map(VersionInterval::to_string).collect::<Vec<String>>().join(" || ")
}

impl fmt::Display for SemVerRange {
    /// As it was written.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

impl PartialEq for SemVerRange {
    fn eq(&self, other: &SemVerRange) -> bool {
        self.ranges == other.ranges
    }
}

impl Eq for SemVerRange {}

impl Hash for SemVerRange {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.ranges.hash(state);
    }
}

/// Takes away blanks, and a `v` in front of numbers, after comparators.
fn tighten(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        out.push(c);
        if matches!(c, '>' | '<' | '=' | '~' | '^') {
            let trimmed = rest.trim_start();
            rest = trimmed.strip_prefix('v').unwrap_or(trimmed);
        }
    }
    out
}

fn hyphen(text: &str) -> Option<(&str, &str)> {
    let mut words = text.split_whitespace();
    match (words.next(), words.next(), words.next(), words.next()) {
        (Some(low), Some("-"), Some(high), None) => Some((low, high)),
        _ => None,
    }
}

/// A version of which parts may be missing.
struct PartialVersion {
    major: Option<u64>,
    minor: Option<u64>,
    patch: Option<u64>,
    prerelease: Option<Vec<Identifier>>,
    build: Option<Vec<String>>,
}

impl PartialVersion {
    fn version(&self) -> SemVer {
        SemVer {
            prerelease: self.prerelease.clone(),
            build: self.build.clone(),
            ..SemVer::new(self.major.unwrap_or(0), self.minor.unwrap_or(0), self.patch.unwrap_or(0))
        }
    }
}

/// The parts of `1.x`, `1.2.3-rc.1+b5` and so on. Returns `None` if it is not a version, and an error if an identifier
/// is malformed.
fn partial(text: &str) -> Option<Result<PartialVersion, String>> {
    let (rest, build) = match text.split_once('+') {
        Some((rest, build)) => (rest, Some(build)),
        None => (text, None),
    };
    let (numbers, prerelease) = match rest.split_once('-') {
        Some((numbers, prerelease)) => (numbers, Some(prerelease)),
        None => (rest, None),
    };
    let number = |part: &str| -> Option<Option<u64>> {
        if matches!(part, "x" | "X" | "*") {
            return Some(None);
        }
        let plain = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if plain && (part == "0" || !part.starts_with('0')) { part.parse().ok().map(Some) } else { None }
    };
    let parts: Option<Vec<Option<u64>>> = numbers.split('.').map(number).collect();
    let parts = parts.filter(|parts| parts.len() <= 3)?;
    let well_formed = |text: &str| {
        text.split('.')
            .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'))
    };
    if (prerelease.is_some() || build.is_some()) && parts.len() < 3 {
        return None;
    }
    if !prerelease.is_none_or(well_formed) || !build.is_none_or(well_formed) {
        return None;
    }
    let at = |index: usize| parts.get(index).copied().flatten();
    let prerelease = match prerelease.map(identifiers).transpose() {
        Ok(prerelease) => prerelease,
        Err(message) => return Some(Err(message)),
    };
    let build = build.map(|build| build.split('.').map(String::from).collect());
    Some(Ok(PartialVersion { major: at(0), minor: at(1), patch: at(2), prerelease, build }))
}

fn full(text: &str) -> Option<Result<SemVer, String>> {
    Some(partial(text)?.map(|partial| partial.version()))
}

fn comparator(text: &str) -> Option<Result<VersionInterval, String>> {
    let operator = ["~>", "~=", ">=", "<=", "<", ">", "=", "~", "^"].into_iter().find(|one| text.starts_with(one));
    let operator = operator.unwrap_or("");
    let partial = match partial(&text[operator.len()..])? {
        Ok(partial) => partial,
        Err(message) => return Some(Err(message)),
    };
    Some(Ok(match operator {
        "~" | "~>" | "~=" => patches(&partial, true),
        "^" if partial.major == Some(0) => patches(&partial, true),
        "^" => minors(&partial),
        ">" => greater(&partial),
        ">=" => VersionInterval::at_least(partial.version()),
        "<" => VersionInterval::below(partial.version()),
        "<=" => at_most(&partial),
        _ => patches(&partial, false),
    }))
}

fn stretch(from: SemVer, to: SemVer) -> VersionInterval {
    VersionInterval::Between { from: Some((from, true)), to: Some((to, false)) }
}

fn patches(partial: &PartialVersion, loose: bool) -> VersionInterval {
    let Some(major) = partial.major else { return VersionInterval::All };
    let Some(minor) = partial.minor else {
        return stretch(SemVer::new(major, 0, 0), SemVer::new(major.saturating_add(1), 0, 0));
    };
    let next = SemVer::new(major, minor.saturating_add(1), 0);
    if partial.patch.is_none() {
        return stretch(SemVer::new(major, minor, 0), next);
    }
    if loose { stretch(partial.version(), next) } else { VersionInterval::Exactly(partial.version()) }
}

fn minors(partial: &PartialVersion) -> VersionInterval {
    let Some(major) = partial.major else { return VersionInterval::All };
    let from = match (partial.minor, partial.patch) {
        (None, _) => SemVer::new(major, 0, 0),
        (Some(minor), None) => SemVer::new(major, minor, 0),
        _ => partial.version(),
    };
    stretch(from, SemVer::new(major.saturating_add(1), 0, 0))
}

fn greater(partial: &PartialVersion) -> VersionInterval {
    let Some(major) = partial.major else { return VersionInterval::below(SemVer::least()) };
    let Some(minor) = partial.minor else {
        return VersionInterval::at_least(SemVer::new(major.saturating_add(1), 0, 0));
    };
    if partial.patch.is_none() {
        return VersionInterval::at_least(SemVer::new(major, minor.saturating_add(1), 0));
    }
    VersionInterval::above(partial.version())
}

fn at_most(partial: &PartialVersion) -> VersionInterval {
    let Some(major) = partial.major else { return VersionInterval::All };
    let Some(minor) = partial.minor else { return VersionInterval::below(SemVer::new(major.saturating_add(1), 0, 0)) };
    if partial.patch.is_none() {
        return VersionInterval::below(SemVer::new(major, minor.saturating_add(1), 0));
    }
    VersionInterval::at_most(partial.version())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn includes(range: &str, version: &str) -> bool {
        SemVerRange::parse(range).unwrap().includes(&SemVer::parse(version).unwrap())
    }

    #[test]
    fn notations() {
        assert!(includes(">=1.0.0 <2.0.0", "1.5.0") && !includes(">=1.0.0 <2.0.0", "2.0.0"));
        assert!(includes("~1.2.3", "1.2.9") && !includes("~1.2.3", "1.3.0"));
        assert!(includes("^1.2.3", "1.9.0") && !includes("^0.2.3", "0.3.0"));
        assert!(includes("1.x", "1.7.2") && includes("1.2.3 - 1.4", "1.4.0") && includes("1.x || >=3.0.0", "3.1.0"));
        assert!(!includes(">=1.0.0", "2.0.0-rc1") && includes(">=2.0.0-alpha", "2.0.0-rc1"));
        assert_eq!(SemVerRange::parse("nope").unwrap_err(), "Unparsable version range: \"nope\"");
        assert_eq!(SemVerRange::parse("1.x").unwrap().canonical(), ">=1.0.0 <2.0.0");
    }

    proptest! {
        #[test]
        fn an_intersection_contains_the_common_versions(a in 0u64..4, b in 0u64..4, c in 0u64..4, d in 0u64..4, v in 0u64..4) {
            let one = SemVerRange::parse(&format!(">={a}.0.0 <={b}.9.0")).unwrap();
            let two = SemVerRange::parse(&format!(">={c}.0.0 <{d}.0.0")).unwrap();
            let version = SemVer::new(v, 1, 0);
            let both = one.includes(&version) && two.includes(&version);
            prop_assert_eq!(one.intersection(&two).includes(&version), both);
        }
    }
}
