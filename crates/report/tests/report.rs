//! The tests of the crate, linked once.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod absent;
#[path = "../src/block_text.rs"]
mod block_text;
mod changes;
mod histories;
mod line_diff;
mod pages;
mod sides;
