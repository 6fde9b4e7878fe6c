//! Helpers for tests: assert that work grows in proportion to its input, and report skipped tests.
//!
//! [`assert_proportional`] measures the processor time of the thread and compares only its growth. A slow or busy
//! machine cannot make a test fail, but quadratic growth does.

use std::io::Write;
use std::time::Duration;

use hieratic_budget::thread_time;

/// The ratio of the sizes of the large and the small input.
const FACTOR: usize = 8;

/// The limit of the ratio of the times. Linear growth takes 8 to 12 times as long, quadratic growth 64 times.
const MOST: u32 = 24;

/// The number of measurements of both sizes. The least time counts: other load makes a call slower, never faster.
const ATTEMPTS: usize = 5;

/// The shortest time that can be measured.
const SHORTEST: Duration = Duration::from_millis(2);

/// Reports on standard error why a test ends early, for instance because a program is not installed. The test harness
/// hides the output of `eprintln!` as long as a test passes, so this function bypasses it.
///
/// ```
/// hieratic_testing::skipped("git is not installed");
/// ```
pub fn skipped(reason: &str) {
    let thread = std::thread::current();
    let line = format!("skipped: {}: {reason}\n", thread.name().unwrap_or("a test"));
    // A test does not fail because standard error is closed.
    let _ = std::io::stderr().lock().write_all(line.as_bytes());
}

/// Asserts that the time of `work` is proportional to the size of its input.
///
/// # Panics
/// Panics if the time grows with the square of the size.
///
/// ```
/// use hieratic_testing::assert_proportional;
///
/// assert_proportional("counting", 1 << 20, |size| drop("a".repeat(size).chars().count()));
/// ```
///
/// ```should_panic
/// use hieratic_testing::assert_proportional;
///
/// assert_proportional("looking back at each element", 8_000, |size| {
///     let all: Vec<usize> = (0..size).collect();
///     let found = all.iter().filter(|one| all[..**one].contains(&std::hint::black_box(size))).count();
///     assert_eq!(found, 0);
/// });
/// ```
pub fn assert_proportional(subject: &str, size: usize, mut work: impl FnMut(usize)) {
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
    panic!("{subject}: a size of {} takes {small:?}, {FACTOR} times that size takes {large:?}", size / FACTOR);
}
