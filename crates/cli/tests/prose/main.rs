//! The documentation as text: its words, its links, and the reference pages made from the program.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod links;
mod pages;
mod words;
