//! Replays what the reference implementations answered through the command: one test for each recorded case.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod conformance;
mod puppet;
mod specification;
#[path = "support/statements.rs"]
#[allow(dead_code, reason = "titles and links are for the page")]
mod statements;
mod unfurl;

fn main() {
    let trials = [conformance::trials(), puppet::trials(), specification::trials(), unfurl::trials()];
    let trials = trials.into_iter().flatten().collect();
    libtest_mimic::run(&libtest_mimic::Arguments::from_args(), trials).exit();
}
