//! The tests of the crate.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod documented;
mod hostile;
mod recorded;
mod settings;
