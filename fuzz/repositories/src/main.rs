//! Runs every verb on mutated repositories, a million and more, and says what panics, what takes too long and what takes too much
//! memory. A seed decides everything about a run, so that each can be repeated.
//!
//! ```text
//! cargo run --release -p hieratic-fuzz-repositories -- --repositories 100000
//! cargo run --release -p hieratic-fuzz-repositories -- --seed 4711 --keep /tmp/4711
//! cargo run --release -p hieratic-fuzz-repositories -- --git yes --repositories 200000
//! ```
//!
//! The runs are in a process of their own, which is begun again behind the run in which it died (the stack overflowed, or the memory
//! was not enough) or hung.

// It is no part of the program that a repository is given to, and reads nobody's files.
#![allow(clippy::disallowed_methods)]

#[cfg(unix)]
mod campaign;
#[cfg(unix)]
mod git;
#[cfg(unix)]
mod hostile;
#[cfg(unix)]
mod measure;
#[cfg(unix)]
mod mutation;
#[cfg(unix)]
mod random;
#[cfg(unix)]
mod repository;
#[cfg(unix)]
mod revisions;
#[cfg(unix)]
mod seeds;
#[cfg(unix)]
mod verbs;
#[cfg(unix)]
mod worker;

/// Starts the campaign. It needs positioned writes to a file that two processes share, links, and the clock of the processor.
#[cfg(unix)]
fn main() -> std::process::ExitCode {
    campaign::run()
}

/// Says what is missing, so that the workspace compiles everywhere.
#[cfg(not(unix))]
fn main() -> std::process::ExitCode {
    eprintln!("fuzzing whole repositories needs Linux or macOS");
    std::process::ExitCode::from(2)
}
