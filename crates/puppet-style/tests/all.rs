//! The tests of the crate.
