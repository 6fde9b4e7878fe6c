//! A canary in every place that can hold a secret: however it is asked for, nothing of it is printed unless `--reveal` is
//! given, and then it is.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod agreement;
mod answers;
mod command;
mod encodings;
mod followed;
#[path = "../support/git.rs"]
mod git;
mod keys;
mod literals;
mod repository;
mod rows;
mod ruby;
#[path = "../serve/service.rs"]
#[allow(dead_code, reason = "other tests need the rest")]
mod service;
#[path = "../support/until.rs"]
mod until;
mod words;

/// The word that every secret holds.
const WORD: &str = "canarybird";

/// The word in other clothes: backwards, in hexadecimal digits, and in base 64 behind none, one and two other bytes.
const CLOTHES: [&str; 5] = ["dribyranac", "63616e61727962697264", "Y2FuYXJ5YmlyZ", "NhbmFyeWJpcm", "jYW5hcnliaXJk"];

/// Whether a part of a secret is in a text, in whatever clothes.
fn holds_secret(text: &str) -> bool {
    text.to_lowercase().contains(WORD) || CLOTHES.iter().any(|form| text.contains(form))
}
