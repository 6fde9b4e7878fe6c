//! The interface of lookups, and the tests of WebAssembly in Node where it was built.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod javascript;
mod lookups;
