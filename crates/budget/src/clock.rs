//! [`thread_time`]: the processor time of this thread, a clock that does not advance while other threads run.

use std::time::Duration;

/// The time that this thread has had of the processor, since some moment in the past: what else the machine does decides nothing.
#[cfg(unix)]
pub fn thread_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
    let nanoseconds = u64::try_from(now.tv_nsec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_nanos(nanoseconds)
}

/// Elsewhere, it is the time that passes.
#[cfg(not(unix))]
pub fn thread_time() -> Duration {
    static BEGUN: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    BEGUN.elapsed()
}
