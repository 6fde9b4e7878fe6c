//! Hygiene and promises: what keeps data healthy.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod hygiene;
mod oracle;
mod promises;
mod recorded;
#[path = "../support/mod.rs"]
mod support;
