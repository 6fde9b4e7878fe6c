//! Timespans, timestamps, versions and URIs of the Puppet language.
//!
//! Plain types that do not depend on the rest of the language: [`Timespan`], [`Timestamp`], [`SemVer`], [`SemVerRange`]
//! and [`Uri`]. Parsing, printing and messages equal the reference's.
//!
//! ```
//! use hieratic_puppet_types::quantities::{SemVer, SemVerRange, Timespan};
//!
//! assert_eq!(Timespan::parse("1-02:03:04.5").unwrap().to_string(), "1-02:03:04.5");
//! let range = SemVerRange::parse(">=1.0.0 <2.0.0").unwrap();
//! assert!(range.includes(&SemVer::parse("1.10.0").unwrap()));
//! ```

mod timespan;
mod timestamp;
mod uri;
mod version;
mod version_range;

pub use timespan::Timespan;
pub use timestamp::{Timestamp, clock_reads, zone_offset};
pub use uri::Uri;
pub use version::{Identifier, SemVer};
pub use version_range::SemVerRange;

/// The number of nanoseconds in a second.
pub const NANOSECONDS: i128 = 1_000_000_000;

/// The longest time that is worked with, in nanoseconds: beyond it only a mistake or an attack goes.
pub(crate) const LONGEST: i128 = i128::MAX / (1 << 40);

/// Converts a number of seconds to nanoseconds. Returns `None` for NaN and for numbers out of range.
pub fn seconds(number: f64) -> Option<i128> {
    let nanoseconds = number * 1e9;
    // Within the bound a float converts without loss of its whole part.
    (nanoseconds.is_finite() && nanoseconds.abs() < LONGEST as f64).then_some(nanoseconds as i128)
}
