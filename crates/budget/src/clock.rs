//! [`thread_time`]: the processor time of this thread, a clock that does not advance while other threads run.

use std::time::Duration;

/// Returns the processor time of this thread since an unspecified moment. Other work on the machine does not change it.
#[cfg(unix)]
pub fn thread_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
    let nanoseconds = u64::try_from(now.tv_nsec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_nanos(nanoseconds)
}

/// Returns the processor time of this thread. The resolution of Windows is some milliseconds.
#[cfg(windows)]
#[allow(unsafe_code, reason = "the function of Windows is in C")]
pub fn thread_time() -> Duration {
    use windows_sys::Win32::Foundation::FILETIME;
    use windows_sys::Win32::System::Threading::{GetCurrentThread, GetThreadTimes};
    /// The unit of these times.
    const UNIT: Duration = Duration::from_nanos(100);
    let mut times = [FILETIME::default(); 4];
    let [created, ended, in_system, in_program] = &mut times;
    // SAFETY: the handle of the thread itself needs no release, and all four results have room.
    let known = unsafe { GetThreadTimes(GetCurrentThread(), created, ended, in_system, in_program) } != 0;
    debug_assert!(known, "a thread may ask for its own times");
    let units = |time: &FILETIME| u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime);
    let units = units(in_system).saturating_add(units(in_program));
    Duration::from_secs(units / 10_000_000) + UNIT * u32::try_from(units % 10_000_000).unwrap_or(0)
}

/// Returns the elapsed time, on systems without a clock for threads.
#[cfg(not(any(unix, windows)))]
pub fn thread_time() -> Duration {
    static BEGUN: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    BEGUN.elapsed()
}
