//! Waiting for what happens soon. No clock is read: on a slow machine, there are as many tries as on a fast one.

use std::time::Duration;

/// How often it is tried at most.
const TRIES: u64 = 1_500;

/// The longest pause between two tries; the first ones are shorter.
const PAUSE: u64 = 50;

/// What comes of the first try that gives something; none if no try does.
pub fn tried<T>(mut attempt: impl FnMut() -> Option<T>) -> Option<T> {
    for number in 1..=TRIES {
        let found = attempt();
        if found.is_some() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(number.min(PAUSE)));
    }
    None
}

/// Waits until a try gives something. The test fails with `subject` if none does.
#[allow(dead_code, reason = "one program goes on when nothing happens")]
pub fn until<T>(subject: &str, attempt: impl FnMut() -> Option<T>) -> T {
    tried(attempt).unwrap_or_else(|| panic!("waited in vain: {subject}"))
}
