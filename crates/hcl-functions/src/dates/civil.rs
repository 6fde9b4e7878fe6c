//! Dates and times of day.

/// Seconds of a day.
const DAY: i64 = 86_400;

const NANOSECONDS: i64 = 1_000_000_000;

/// A point in time as clocks at some offset show it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Civil {
    pub year: i64,
    pub month: i64,
    pub day: i64,
    pub hour: i64,
    pub minute: i64,
    pub second: i64,
    pub nanosecond: i64,
    /// In seconds east of Greenwich.
    pub offset: i64,
}

impl Civil {
    /// Days since the first of January 1970.
    fn days(&self) -> i64 {
        // Years begin in March here, so that a leap day is the last day of its year. An era is 400 years.
        let year = if self.month <= 2 { self.year - 1 } else { self.year };
        let day_of_year = (153 * ((self.month + 9) % 12) + 2) / 5 + self.day - 1;
        let year_of_era = year.rem_euclid(400);
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        year.div_euclid(400) * 146_097 + day_of_era - 719_468
    }

    /// Returns the day of the week, where 0 is Sunday.
    pub fn weekday(&self) -> i64 {
        (self.days() + 4).rem_euclid(7)
    }

    /// Adds nanoseconds.
    pub fn plus(&self, nanoseconds: i64) -> Self {
        let of_second = self.nanosecond + nanoseconds.rem_euclid(NANOSECONDS);
        let seconds = self.days() * DAY
            + self.hour * 3600
            + self.minute * 60
            + self.second
            + nanoseconds.div_euclid(NANOSECONDS)
            + of_second / NANOSECONDS;
        let (days, second) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
        let days = days + 719_468;
        let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year_of_era = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        let day_of_year = day - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted = (5 * day_of_year + 2) / 153;
        let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
        Self {
            year: era * 400 + year_of_era + i64::from(month <= 2),
            month,
            day: day_of_year - (153 * shifted + 2) / 5 + 1,
            hour: second / 3600,
            minute: second / 60 % 60,
            second: second % 60,
            nanosecond: of_second % NANOSECONDS,
            offset: self.offset,
        }
    }

    /// Formats the time as in RFC 3339, without fractions of seconds.
    pub fn rfc3339(&self) -> String {
        let Civil { year, month, day, hour, minute, second, .. } = self;
        let sign = if *year < 0 { "-" } else { "" };
        let year = year.abs();
        let zone = self.zone(true);
        format!("{sign}{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{zone}")
    }

    /// Returns the offset as `Z` or `+01:00`.
    pub fn zone(&self, colon: bool) -> String {
        if self.offset == 0 { "Z".into() } else { self.numeric_zone(colon) }
    }

    /// Returns the offset as `+01:00` or `+0100`.
    pub fn numeric_zone(&self, colon: bool) -> String {
        let sign = if self.offset < 0 { '-' } else { '+' };
        let minutes = self.offset.abs() / 60;
        format!("{sign}{:02}{}{:02}", minutes / 60, if colon { ":" } else { "" }, minutes % 60)
    }
}

/// The number of days of a month.
pub(crate) fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_round_trip() {
        let start = Civil { year: -3, month: 3, day: 1, ..Civil::default() };
        let mut time = start.clone();
        for _ in 0..4000 {
            let next = time.plus(30 * DAY * NANOSECONDS);
            assert_eq!(next.days(), time.days() + 30);
            assert!((1..=12).contains(&next.month) && next.day <= days_in_month(next.year, next.month));
            time = next;
        }
        let start = Civil { year: 2024, month: 2, day: 28, hour: 23, ..Civil::default() };
        assert_eq!(start.plus(3600 * NANOSECONDS).rfc3339(), "2024-02-29T00:00:00Z");
        assert_eq!(start.weekday(), 3);
    }
}
