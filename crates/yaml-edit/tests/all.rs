//! The tests of this crate in one program, because each program is linked with everything that it tests.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod edit;
mod resolve12;
#[path = "../../yaml/tests/texts.rs"]
mod texts;
mod tree;
mod write;
