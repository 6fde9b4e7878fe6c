//! Replays what the reference implementations answered through the command: one test for each recorded case.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod conformance;
mod puppet;
mod unfurl;

fn main() {
    let trials = [conformance::trials(), puppet::trials(), unfurl::trials()].into_iter().flatten().collect();
    libtest_mimic::run(&libtest_mimic::Arguments::from_args(), trials).exit();
}
