//! [`Pipeline`]: a bounded pipeline, which consumes results in order while the next ones are produced.
//!
//! Consuming a part may take more or less time than producing one. Up to [`MAX_WAITING`] parts are buffered, so that
//! neither side waits for the other at each part.

use std::collections::VecDeque;
use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use rayon::Scope;

/// The maximum number of waiting parts. They are in memory.
const MAX_WAITING: usize = 3;

/// Parts that wait to be taken, in their order.
pub(crate) struct Pipeline<'t, P> {
    consume: Mutex<&'t mut (dyn FnMut(P) -> io::Result<()> + Send)>,
    state: Mutex<State<P>>,
    changed: Condvar,
}

struct State<P> {
    waiting: VecDeque<P>,
    /// Whether a task is consuming parts.
    is_consuming: bool,
    outcome: io::Result<()>,
}

impl<'t, P: Send> Pipeline<'t, P> {
    pub(crate) fn new(take: &'t mut (dyn FnMut(P) -> io::Result<()> + Send)) -> Pipeline<'t, P> {
        let state = State { waiting: VecDeque::new(), is_consuming: false, outcome: Ok(()) };
        Pipeline { consume: Mutex::new(take), state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Adds a part; waits if there are too many. Returns false after an error, when no more parts are needed.
    pub(crate) fn add<'l>(&'l self, part: P, scope: &Scope<'l>) -> bool {
        let mut state = locked(&self.state);
        while state.waiting.len() >= MAX_WAITING && state.is_consuming {
            // A thread of the pool works while it waits, because no other thread may be free to consume a part.
            if rayon::current_thread_index().is_some() {
                drop(state);
                rayon::yield_now();
                state = locked(&self.state);
            } else {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
        if state.outcome.is_err() {
            return false;
        }
        state.waiting.push_back(part);
        if !std::mem::replace(&mut state.is_consuming, true) {
            scope.spawn(|_| self.consume_all());
        }
        true
    }

    /// Returns the result of consuming all parts.
    pub(crate) fn outcome(self) -> io::Result<()> {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).outcome
    }

    fn consume_all(&self) {
        let mut taking =
            CompletionGuard { line: self, outcome: Err(io::Error::other("a part was not taken to its end")) };
        let mut take = locked(&self.consume);
        taking.outcome = loop {
            let mut state = locked(&self.state);
            let Some(part) = state.waiting.pop_front() else {
                // The producer of the next part starts another task.
                state.is_consuming = false;
                break Ok(());
            };
            drop(state);
            self.changed.notify_all();
            if let Err(error) = take(part) {
                break Err(error);
            }
        };
    }
}

/// A drop guard: records the result even after a panic, so that producers do not block. The scope then resumes the
/// panic.
struct CompletionGuard<'l, 't, P> {
    line: &'l Pipeline<'t, P>,
    outcome: io::Result<()>,
}

impl<P> Drop for CompletionGuard<'_, '_, P> {
    fn drop(&mut self) {
        let outcome = std::mem::replace(&mut self.outcome, Ok(()));
        if outcome.is_err() {
            let mut state = locked(&self.line.state);
            (state.outcome, state.is_consuming) = (outcome, false);
            state.waiting.clear();
        }
        self.line.changed.notify_all();
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    /// Adds this number of parts inside a pool of one thread, or outside. Returns the number of added parts, and the
    /// result.
    fn run(
        parts: usize,
        take: &mut (dyn FnMut(usize) -> io::Result<()> + Send),
        inside: bool,
    ) -> (usize, io::Result<()>) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let line = Pipeline::new(take);
        let mut parts = 0..parts;
        let added = if inside {
            pool.install(|| {
                rayon::in_place_scope(|scope| parts.by_ref().take_while(|part| line.add(*part, scope)).count())
            })
        } else {
            pool.in_place_scope(|scope| parts.by_ref().take_while(|part| line.add(*part, scope)).count())
        };
        (added, line.outcome())
    }

    #[test]
    fn parts_are_taken_in_their_order_by_one_thread() {
        for inside in [false, true] {
            let mut parts = Vec::new();
            let mut take = |part| {
                parts.push(part);
                Ok(())
            };
            let (added, outcome) = run(1000, &mut take, inside);
            outcome.unwrap();
            assert_eq!((added, parts), (1000, (0..1000).collect::<Vec<_>>()), "{inside}");
        }
    }

    #[test]
    fn an_error_ends_the_work() {
        for inside in [false, true] {
            let mut count = 0;
            let mut take = |part| {
                count += 1;
                if part == 7 { Err(io::Error::other("full")) } else { Ok(()) }
            };
            let (added, outcome) = run(1000, &mut take, inside);
            assert_eq!(outcome.unwrap_err().to_string(), "full");
            assert!(count == 8 && added <= 8 + MAX_WAITING + 1, "{added} were added, {count} taken");
        }
    }

    #[test]
    fn a_panic_ends_the_work() {
        let panicked = std::panic::catch_unwind(|| run(1000, &mut |_| panic!("broken"), false));
        assert!(panicked.is_err());
    }
}
