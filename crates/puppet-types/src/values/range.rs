//! [`Range`]: a range of versions with the reference's string form.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::quantities::{SemVer, SemVerRange};

/// A range of versions. Two are equal if they include the same versions, regardless of their string form.
#[derive(Clone, Debug)]
pub struct Range {
    range: SemVerRange,
    /// The string form, if it differs from the canonical one.
    text: Option<String>,
    /// The bounds, if it is one contiguous range with given bounds.
    ends: Option<Box<RangeBounds>>,
}

/// The bounds of a contiguous range.
#[derive(Clone, Debug)]
struct RangeBounds {
    from: SemVer,
    to: SemVer,
    /// Whether the upper bound is excluded.
    exclude_end: bool,
}

impl Range {
    /// Returns the range itself.
    pub fn range(&self) -> &SemVerRange {
        &self.range
    }

    /// Creates the range between two versions. The end may be excluded.
    pub fn between(from: &SemVer, to: &SemVer, exclude_end: bool) -> Range {
        // The reference writes the bounds in reverse order.
        let text = if exclude_end { format!(">={to} <{from}") } else { format!("{to} - {from}") };
        let ends = RangeBounds { from: from.clone(), to: to.clone(), exclude_end };
        Range { range: SemVerRange::between(from, to, exclude_end), text: Some(text), ends: Some(Box::new(ends)) }
    }

    /// Returns the canonical string form of the range.
    pub fn canonical(&self) -> String {
        match &self.ends {
            Some(ends) if ends.from == SemVer::least() && ends.to == SemVer::endless() => {
                format!("{}{}", if ends.exclude_end { "<" } else { "<=" }, ends.to)
            }
            _ => self.range.canonical(),
        }
    }

    /// Merges both if they overlap or are adjacent.
    pub(crate) fn merge(&self, other: &Range) -> Option<Range> {
        let (a, b) = (self.ends()?, other.ends()?);
        if self.range.includes(&b.from) || other.range.includes(&a.from) {
            let order = a.to.compare(&b.to);
            let to = if order.is_lt() { &b.to } else { &a.to };
            let exclude_end = if a.exclude_end {
                order.is_gt() || order.is_eq() && b.exclude_end
            } else {
                b.exclude_end && order.is_lt()
            };
            let from = if a.from.compare(&b.from).is_gt() { &b.from } else { &a.from };
            return Some(Range::between(from, to, exclude_end));
        }
        if a.exclude_end && a.to == b.from {
            return Some(Range::between(&a.from, &b.to, b.exclude_end));
        }
        if b.exclude_end && b.to == a.from {
            return Some(Range::between(&b.from, &a.to, a.exclude_end));
        }
        None
    }

    /// Returns the bounds, if the range is contiguous.
    fn ends(&self) -> Option<RangeBounds> {
        if let Some(ends) = &self.ends {
            return Some((**ends).clone());
        }
        let mut ends = RangeBounds { from: SemVer::least(), to: SemVer::endless(), exclude_end: false };
        for part in self.range.canonical().split(' ') {
            let number = part.trim_start_matches(['<', '>', '=']);
            let comparator = &part[..part.len() - number.len()];
            if number == "*" {
                continue;
            }
            let version = SemVer::parse(number).ok()?;
            match comparator {
                ">" | ">=" => ends.from = version,
                "<" | "<=" => {
                    ends.to = version;
                    ends.exclude_end = comparator == "<";
                }
                _ => (ends.from, ends.to) = (version.clone(), version),
            }
        }
        Some(ends)
    }
}

impl From<SemVerRange> for Range {
    fn from(range: SemVerRange) -> Range {
        Range { range, text: None, ends: None }
    }
}

impl fmt::Display for Range {
    /// Writes the original form.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.text {
            Some(text) => out.write_str(text),
            None => self.range.fmt(out),
        }
    }
}

impl PartialEq for Range {
    fn eq(&self, other: &Range) -> bool {
        self.range == other.range
    }
}

impl Eq for Range {}

impl Hash for Range {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.range.hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(one: &str, other: &str) -> Option<String> {
        let range = |text: &str| Range::from(SemVerRange::parse(text).unwrap());
        range(one).merge(&range(other)).map(|merged| merged.canonical())
    }

    #[test]
    fn adjacent_edits_become_one() {
        assert_eq!(merged("1.x", "2.x").as_deref(), Some(">=1.0.0 <3.0.0"));
        assert_eq!(merged("1.x", "3.x"), None);
        assert_eq!(merged("1.2.3", "1.2.4"), None);
        assert_eq!(merged(">=1.0.0", "<3.0.0").as_deref(), Some("<=Infinity.0.0"));
    }
}
