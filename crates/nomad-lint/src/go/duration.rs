//! Formatting of durations. Source of the rules: <https://pkg.go.dev/time#Duration.String>.

use std::fmt;

/// Nanoseconds in a microsecond.
pub(crate) const MICROSECOND: i64 = 1_000;
/// Nanoseconds in a millisecond.
pub(crate) const MILLISECOND: i64 = 1_000_000;
/// Nanoseconds in a second.
pub(crate) const SECOND: i64 = 1_000_000_000;
/// Nanoseconds in a minute.
pub(crate) const MINUTE: i64 = 60 * SECOND;
/// Nanoseconds in an hour.
pub(crate) const HOUR: i64 = 60 * MINUTE;

/// A length of time, shown in hours, minutes and seconds, or in a smaller unit below a second: `1h30m0s`, `1.5ms`.
#[derive(Clone, Copy)]
pub(crate) struct DurationDisplay(i64);

/// Formats a duration.
pub(crate) fn display(nanoseconds: i64) -> DurationDisplay {
    DurationDisplay(nanoseconds)
}

impl fmt::Display for DurationDisplay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < 0 {
            f.write_str("-")?;
        }
        let total = self.0.unsigned_abs();
        let (unit, name) = match total {
            0 => return f.write_str("0s"),
            _ if total < MICROSECOND.unsigned_abs() => (1, "ns"),
            _ if total < MILLISECOND.unsigned_abs() => (MICROSECOND.unsigned_abs(), "\u{b5}s"),
            _ if total < SECOND.unsigned_abs() => (MILLISECOND.unsigned_abs(), "ms"),
            _ => (SECOND.unsigned_abs(), "s"),
        };
        let (mut whole, fraction) = (total / unit, total % unit);
        let (hours, minutes) = (total / HOUR.unsigned_abs(), total / MINUTE.unsigned_abs() % 60);
        if hours > 0 {
            write!(f, "{hours}h")?;
        }
        if hours > 0 || minutes > 0 {
            write!(f, "{minutes}m")?;
            whole %= 60;
        }
        write!(f, "{whole}")?;
        if fraction > 0 {
            let digits = unit.ilog10() as usize;
            let padded = format!("{fraction:0digits$}");
            write!(f, ".{}", padded.trim_end_matches('0'))?;
        }
        f.write_str(name)
    }
}

/// Rounds a duration to whole seconds, halves away from zero.
pub(crate) fn round_to_seconds(nanoseconds: i64) -> i64 {
    let rest = nanoseconds % SECOND;
    let floor = nanoseconds - rest;
    if rest.abs() * 2 < SECOND { floor } else { floor.saturating_add(SECOND * rest.signum()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_printed_as_go_prints_it() {
        for (nanoseconds, printed) in [
            (0, "0s"),
            (1, "1ns"),
            (1_500, "1.5\u{b5}s"),
            (1_000_001, "1.000001ms"),
            (SECOND, "1s"),
            (-90 * SECOND - 1, "-1m30.000000001s"),
            (HOUR, "1h0m0s"),
            (36 * HOUR + 5 * SECOND, "36h0m5s"),
            (i64::MAX, "2562047h47m16.854775807s"),
            (i64::MIN, "-2562047h47m16.854775808s"),
        ] {
            assert_eq!(display(nanoseconds).to_string(), printed);
        }
    }

    #[test]
    fn is_rounded_as_go_rounds_it() {
        for (nanoseconds, rounded) in [
            (0, 0),
            (499_999_999, 0),
            (500_000_000, SECOND),
            (-500_000_000, -SECOND),
            (-499_999_999, 0),
            (i64::MAX, i64::MAX),
        ] {
            assert_eq!(round_to_seconds(nanoseconds), rounded);
        }
    }
}
