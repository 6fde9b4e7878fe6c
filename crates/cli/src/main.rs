//! The `hieratic` command.

use std::process::ExitCode;

/// crates/cli/Cargo.toml has the reason.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    #[cfg(target_env = "musl")]
    keep_freed_memory();
    on_a_known_stack(hieratic_cli::main)
}

/// Lets the allocator give freed memory back to the system after a second. By default, it does so after 10 ms, and gets it back for the
/// next catalog, which takes a sixth of the time.
#[cfg(target_env = "musl")]
#[allow(unsafe_code, reason = "the allocator has its options in C; this one is a number")]
fn keep_freed_memory() {
    use std::ffi::{c_int, c_long};

    /// `mi_option_purge_delay` of mimalloc.h, in milliseconds.
    const PURGE_DELAY: c_int = 15;
    unsafe extern "C" {
        fn mi_option_set(option: c_int, value: c_long);
    }
    // SAFETY: this is the declaration of mimalloc.h; the function accepts any number, and checks that the option
    // exists.
    unsafe { mi_option_set(PURGE_DELAY, 1_000) }
}

/// Runs the command on a stack of known size. With other C libraries, the stack of the main thread has one.
///
/// musl reports how much of the main thread's stack is in use, not how far it may grow. Recursive code that checks the
/// remaining stack (`stacker`) would allocate a new stack for each call, 16,000 for a large catalog.
#[cfg(target_env = "musl")]
fn on_a_known_stack(run: fn() -> ExitCode) -> ExitCode {
    stacker::grow(8 << 20, run)
}

#[cfg(not(target_env = "musl"))]
fn on_a_known_stack(run: fn() -> ExitCode) -> ExitCode {
    run()
}
