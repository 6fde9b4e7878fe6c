//! Runs every verb on mutated repositories, a million and more, and says what panics, what takes too long and what takes too much
//! memory. A seed decides everything about a run, so that each can be repeated.
//!
//! ```text
//! cargo run --release -p hieratic-fuzz-repositories -- --repositories 100000
//! cargo run --release -p hieratic-fuzz-repositories -- --seed 4711 --keep /tmp/4711
//! cargo run --release -p hieratic-fuzz-repositories -- --kind git --repositories 20000
//! ```
//!
//! The runs are in a process of their own, which is begun again behind the run in which it died (the stack overflowed, or the memory
//! was not enough) or hung.

// It is no part of the program that a repository is given to, and reads nobody's files.
#![allow(clippy::disallowed_methods)]

#[cfg(target_os = "linux")]
mod campaign;
#[cfg(target_os = "linux")]
mod git;
#[cfg(target_os = "linux")]
mod hostile;
#[cfg(target_os = "linux")]
mod measure;
#[cfg(target_os = "linux")]
mod mutation;
#[cfg(target_os = "linux")]
mod outside;
#[cfg(target_os = "linux")]
mod random;
#[cfg(target_os = "linux")]
mod repository;
#[cfg(target_os = "linux")]
mod revisions;
#[cfg(target_os = "linux")]
mod seeds;
#[cfg(target_os = "linux")]
mod served;
#[cfg(target_os = "linux")]
mod verbs;
#[cfg(target_os = "linux")]
mod worker;

/// Starts the campaign. It needs positioned writes to a file that two processes share, links, watches of folders, and the clock of the processor.
#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    campaign::run()
}

/// Says what is missing, so that the workspace compiles everywhere.
#[cfg(not(target_os = "linux"))]
fn main() -> std::process::ExitCode {
    eprintln!("fuzzing whole repositories needs Linux");
    std::process::ExitCode::from(2)
}
