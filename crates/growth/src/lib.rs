//! For tests: how the work of a call grows with the size of its input, and what a test could not try.
//!
//! [`assert_proportional`] judges growth. Work is the time that the thread has had of the processor, and only its growth is judged: neither
//! a slow machine nor a busy one can make a test fail, but what grows with the square of its input does.

use std::io::Write;
use std::time::Duration;

use hieratic_powers::thread_time;

/// How many times as large as the small input the large one is.
const FACTOR: usize = 8;

/// How many times as long as the small input the large one may take. What grows in proportion, or a little more, takes 8 to 12 times as
/// long; what grows with the square takes 64 times as long.
const MOST: u32 = 24;

/// How often both are tried. The least time counts: what else the machine does makes a call slower, never faster.
const ATTEMPTS: usize = 5;

/// What is shorter is no measurement.
const SHORTEST: Duration = Duration::from_millis(2);

/// Says on standard error why a test ends early: something is not installed, say. The harness of tests hides what `eprintln!` prints as
/// long as a test passes, so this writes past it.
///
/// ```
/// hieratic_growth::skipped("git is not installed");
/// ```
pub fn skipped(why: &str) {
    let thread = std::thread::current();
    let line = format!("skipped: {}: {why}\n", thread.name().unwrap_or("a test"));
    // A test does not fail because nobody reads what it says.
    let _ = std::io::stderr().lock().write_all(line.as_bytes());
}

/// Asserts that work on an input of a size takes time in proportion to the size.
///
/// # Panics
/// If it grows with the square of the size.
///
/// ```
/// use hieratic_growth::assert_proportional;
///
/// assert_proportional("counting", 1 << 20, |size| drop("a".repeat(size).chars().count()));
/// ```
///
/// ```should_panic
/// use hieratic_growth::assert_proportional;
///
/// assert_proportional("looking back at each element", 8_000, |size| {
///     let all: Vec<usize> = (0..size).collect();
///     let found = all.iter().filter(|one| all[..**one].contains(&std::hint::black_box(size))).count();
///     assert_eq!(found, 0);
/// });
/// ```
pub fn assert_proportional(what: &str, size: usize, mut work: impl FnMut(usize)) {
    let mut timed = |size| {
        let begun = thread_time();
        work(size);
        thread_time().saturating_sub(begun)
    };
    let (mut small, mut large) = (Duration::MAX, Duration::MAX);
    for _ in 0..ATTEMPTS {
        small = small.min(timed(size / FACTOR));
        large = large.min(timed(size));
        if large <= small.max(SHORTEST) * MOST {
            return;
        }
    }
    panic!("{what}: a size of {} takes {small:?}, {FACTOR} times that size takes {large:?}", size / FACTOR);
}
