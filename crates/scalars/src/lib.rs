//! Moved: the plain types are in crates/quantities (Timespan, Timestamp, SemVer, SemVerRange, Uri); `hieratic_scalars` is that crate.
