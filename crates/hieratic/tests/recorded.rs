//! Replays what the reference implementations answered, and runs the examples of the documentation: one test for each case.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[cfg(feature = "hcl")]
mod hcl;
#[cfg(feature = "code")]
mod language;
#[cfg(feature = "code")]
mod stdlib;

fn main() {
    let mut trials = Vec::new();
    #[cfg(feature = "code")]
    trials.extend([language::trials(), stdlib::trials()].into_iter().flatten());
    #[cfg(feature = "hcl")]
    trials.extend(hcl::trials());
    libtest_mimic::run(&libtest_mimic::Arguments::from_args(), trials).exit();
}
