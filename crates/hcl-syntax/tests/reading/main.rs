//! Tests of reading HCL: against recorded answers, by laws, and at the limits.

// A panic is how a test fails.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod conformance;
mod depth;
mod dump;
mod laws;
mod nesting;
mod recorded;
