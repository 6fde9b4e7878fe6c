//! The tests of this crate in one program, because each program is linked with everything that it tests.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod api;
mod comments;
mod jobs;
mod laws;
mod limits;
mod messages;
mod node_pools;
mod plans;
mod public;
mod support;
mod texts;
