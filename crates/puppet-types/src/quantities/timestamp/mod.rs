//! [`Timestamp`]: a point in time, to the nanosecond, in UTC.
//!
//! See [Timestamp](https://www.puppet.com/docs/puppet/8/function.html#new-timestamp).

mod civil;
mod read;
mod write;
mod zone;

use std::cell::Cell;
use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::quantities::{LONGEST, NANOSECONDS};
pub use zone::zone_offset;

/// A point in time, to the nanosecond, in UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i128);

/// The formats that are tried if a zone is given with the text.
const WITHOUT_ZONE: [&str; 5] = ["%FT%T.%N", "%FT%T", "%F %T.%N", "%F %T", "%F"];

/// The formats that are tried if none is given.
const DEFAULT_FORMATS: [&str; 10] =
    ["%FT%T.%N %Z", "%FT%T %Z", "%F %T.%N %Z", "%F %T %Z", "%F %Z", "%FT%T.%N", "%FT%T", "%F %T.%N", "%F %T", "%F"];

thread_local! {
    static CLOCK_READS: Cell<u64> = const { Cell::new(0) };
}

/// Returns how often this thread has read the clock. A result that was computed while the number grew depends on the time.
pub fn clock_reads() -> u64 {
    CLOCK_READS.get()
}

impl Timestamp {
    /// Creates a timestamp from the nanoseconds since 1970. Returns `None` if they are out of range.
    pub fn new(nanoseconds: i128) -> Option<Timestamp> {
        (nanoseconds.abs() < LONGEST).then_some(Timestamp(nanoseconds))
    }

    /// Returns the current time. All code reads the clock here, so that [`clock_reads`] counts it.
    pub fn now() -> Timestamp {
        CLOCK_READS.set(CLOCK_READS.get().wrapping_add(1));
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp(since.as_nanos() as i128)
    }

    /// Returns the nanoseconds since 1970.
    pub fn nanoseconds(self) -> i128 {
        self.0
    }

    /// Returns the seconds since 1970 as a float.
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// Returns the whole seconds since 1970, rounded down.
    pub fn to_seconds(self) -> i128 {
        self.0.div_euclid(NANOSECONDS)
    }

    /// Parses a string in one of the usual formats.
    ///
    /// # Errors
    /// The string has none of the formats.
    pub fn parse(text: &str) -> Result<Timestamp, String> {
        Timestamp::parse_with(text, None, None)
    }

    /// Parses a string in one of several formats, or in the usual ones. The zone applies unless the string names one.
    ///
    /// # Errors
    /// The string has none of the formats, the zone is unknown, or both the string and the argument name a zone.
    pub fn parse_with(text: &str, formats: Option<&[&str]>, zone: Option<&str>) -> Result<Timestamp, String> {
        let zone = zone.filter(|zone| !zone.is_empty());
        let formats = formats.unwrap_or(if zone.is_some() { &WITHOUT_ZONE } else { &DEFAULT_FORMATS });
        let found = formats.iter().find_map(|format| {
            read::read(text, format).filter(|fields| fields.complete && !(zone.is_some() && fields.zone.is_some()))
        });
        let fields =
            found.ok_or_else(|| format!("Unable to parse '{text}' using any of the formats {}", formats.join(", ")))?;
        fields.moment(text, zone)
    }

    /// Parses a string in a format.
    ///
    /// # Errors
    /// As [`Timestamp::parse_with`].
    pub fn parse_format(text: &str, format: &str, zone: Option<&str>) -> Result<Timestamp, String> {
        let zone = zone.filter(|zone| !zone.is_empty());
        let fields = read::read(text, format).filter(|fields| fields.complete);
        let fields = fields.ok_or_else(|| format!("Unable to parse '{text}' using format '{format}'"))?;
        if zone.is_some() && fields.zone.is_some() {
            return Err("Using a Timezone designator in format specification is mutually exclusive to providing an explicit timezone argument".into());
        }
        fields.moment(text, zone)
    }

    /// Writes the timestamp in a format, in UTC or in a zone.
    ///
    /// # Errors
    /// The zone is unknown.
    pub fn format(self, format: &str, zone: Option<&str>) -> Result<String, String> {
        let offset = zone.filter(|zone| !zone.is_empty()).map(zone_offset).transpose()?;
        Ok(write::write(self, format, offset))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&write::write(*self, DEFAULT_FORMATS[0], None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_and_written() {
        let moment = Timestamp::parse("2020-01-02T03:04:05.678 UTC").unwrap();
        assert_eq!(moment.to_string(), "2020-01-02T03:04:05.678000000 UTC");
        assert_eq!(
            Timestamp::parse("2020-01-02 03:04:05 PST").unwrap().to_string(),
            "2020-01-02T11:04:05.000000000 UTC"
        );
        assert_eq!(Timestamp::parse("1969-12-31").unwrap().nanoseconds(), -86_400 * NANOSECONDS);
        assert_eq!(
            moment.format("%A %-d %B %Y %I:%M %p %j %s", Some("+02:00")).unwrap(),
            "Thursday 2 January 2020 05:04 AM 002 1577934245"
        );
        assert!(
            Timestamp::parse("nonsense")
                .unwrap_err()
                .starts_with("Unable to parse 'nonsense' using any of the formats")
        );
        assert_eq!(moment.format("%Y", Some("Mars")).unwrap_err(), "Illegal timezone 'Mars'");
    }
}
