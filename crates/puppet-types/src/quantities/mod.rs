//! Lengths of time, points in time, versions and addresses, as the Puppet language has them.
//!
//! Plain types without anything of the language around them: [`Timespan`], [`Timestamp`], [`SemVer`], [`SemVerRange`] and
//! [`Uri`]. They parse and print as the reference's do, its messages included.
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
pub use timestamp::{Timestamp, zone_offset};
pub use uri::Uri;
pub use version::{Identifier, SemVer};
pub use version_range::SemVerRange;

/// Nanoseconds in a second.
pub const NANOSECONDS: i128 = 1_000_000_000;

/// The longest time that is worked with, in nanoseconds: beyond it only a mistake or an attack goes.
pub(crate) const LONGEST: i128 = i128::MAX / (1 << 40);

/// Converts a number of seconds to nanoseconds. Returns `None` for NaN and for numbers out of range.
pub fn seconds(number: f64) -> Option<i128> {
    let nanoseconds = number * 1e9;
    // Within the bound a float converts without loss of its whole part.
    (nanoseconds.is_finite() && nanoseconds.abs() < LONGEST as f64).then_some(nanoseconds as i128)
}
