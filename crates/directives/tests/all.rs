//! The tests of this crate in one program, because each program is linked with everything that it tests.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/cases.rs"]
mod cases;
mod conformance;
mod functions;
mod hostile;
mod large;
mod local;
mod merge;
mod projects;
mod recorded;
mod restore;
mod spelling;
