//! The server as editors use it, over an in-memory connection.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod client;
mod completion;
mod edits;
mod features;
mod languages;
mod latency;
mod lenses;
mod navigation;
mod project;
mod protocol;
mod rename;
mod repository;
mod shown;
mod status;
