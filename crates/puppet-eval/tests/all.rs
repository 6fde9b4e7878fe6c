//! The tests of this crate in one program, because each program is linked with everything that it tests.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod catalogs;
mod collectors;
mod examples;
mod hostile;
mod hostile_ruby;
mod validation;
