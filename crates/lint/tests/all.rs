//! The tests of this crate in one program, because each program is linked with everything that it tests.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixtures;
mod laws;
mod lookups;
mod pages;
mod refused;
mod rules;
mod schema;
mod secrets;
mod support;
mod upkeep;
