//! The documentation as text: its words, its links, and the pages and pictures that are made from the program.
//!
//! `HIERATIC_UPDATE=1 cargo test -p hieratic-cli --test prose` writes those pages and pictures again.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../support/mod.rs"]
mod support;

mod comments;
mod errors;
mod findings;
mod help;
mod links;
mod names;
mod pages;
mod pictures;
mod program;
mod readmes;
mod reference;
mod site;
mod specification;
#[path = "../support/statements.rs"]
#[allow(dead_code, reason = "questions are for the tests that ask them")]
mod statements;
mod versions;
mod words;
