//! [`RequestScheduler`]: schedules short requests before long ones.
//!
//! The cost of a request is not known in advance. Each request starts with one of many permits. A request that proves
//! to be long, by its number of steps and not by the clock, releases its permit and joins the long requests. These take
//! turns on half of the processors, so that the other half is free for short requests. If there are too many long
//! requests, the next one is refused and must be repeated.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hieratic::budget::{Budget, YieldHook};
use tokio::sync::OwnedSemaphorePermit;

/// The number of clock checks, a thousand steps apart, after which a request is long.
const SHORT_CHECKS: u32 = 4;

/// The number of further clock checks after which a long request yields its turn.
const TURN_CHECKS: u32 = 16;

/// The interval at which a request that waits for its turn checks whether it was cancelled.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Schedules long requests.
#[derive(Debug)]
pub(crate) struct RequestScheduler {
    state: Mutex<SchedulerState>,
    changed: Condvar,
    /// The maximum number of long requests.
    most: usize,
    /// The maximum number of long requests that run at once.
    at_once: usize,
}

#[derive(Debug, Default)]
struct SchedulerState {
    members: usize,
    running: usize,
    /// The requests that wait for a turn, the next one first.
    waiting: VecDeque<u64>,
    next: u64,
}

impl RequestScheduler {
    pub(crate) fn new(most: usize) -> RequestScheduler {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        RequestScheduler { state: Mutex::default(), changed: Condvar::new(), most, at_once: (processors / 2).max(1) }
    }

    fn state(&self) -> MutexGuard<'_, SchedulerState> {
        // Counters are updated in single steps, so they are consistent even after a panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The permit or the turn that a running request holds.
#[derive(Debug)]
pub(crate) struct ScheduledRequest {
    scheduler: Arc<RequestScheduler>,
    slot: Mutex<Slot>,
    looks: AtomicU32,
    refused: AtomicBool,
}

#[derive(Debug)]
enum Slot {
    /// A permit of a short request.
    Place(#[allow(dead_code, reason = "it is held")] OwnedSemaphorePermit),
    /// A membership among the long ones, and perhaps a turn.
    Long {
        turn: bool,
    },
    Nothing,
}

impl ScheduledRequest {
    pub(crate) fn new(scheduler: Arc<RequestScheduler>, place: OwnedSemaphorePermit) -> Arc<ScheduledRequest> {
        let (looks, refused) = (AtomicU32::new(0), AtomicBool::new(false));
        Arc::new(ScheduledRequest { scheduler, slot: Mutex::new(Slot::Place(place)), looks, refused })
    }

    /// Returns whether the request was refused because there were too many long ones.
    pub(crate) fn is_refused(&self) -> bool {
        self.refused.load(Ordering::Relaxed)
    }

    /// Releases the permit or the turn, because the work has ended.
    pub(crate) fn finish(&self) {
        let slot = std::mem::replace(&mut *self.slot(), Slot::Nothing);
        if let Slot::Long { turn } = slot {
            let mut state = self.scheduler.state();
            state.members -= 1;
            state.running -= usize::from(turn);
            self.scheduler.changed.notify_all();
        }
    }

    fn slot(&self) -> MutexGuard<'_, Slot> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Joins the long ones, without a turn. False if there are too many.
    fn join(&self, slot: &mut Slot) -> bool {
        if matches!(slot, Slot::Place(_)) {
            let mut state = self.scheduler.state();
            if state.members >= self.scheduler.most {
                return false;
            }
            state.members += 1;
            *slot = Slot::Long { turn: false };
        }
        true
    }

    fn refuse(&self, budget: &Budget) {
        self.refused.store(true, Ordering::Relaxed);
        budget.cancel();
    }

    /// Waits for a turn, or for the end of the work.
    fn wait_for_turn(&self, budget: &Budget) -> bool {
        let scheduler = &*self.scheduler;
        let mut state = scheduler.state();
        let id = state.next;
        state.next += 1;
        state.waiting.push_back(id);
        loop {
            let ended = budget.ended().is_err();
            let is_next = state.running < scheduler.at_once && state.waiting.front() == Some(&id);
            if ended || is_next {
                state.waiting.retain(|other| *other != id);
                state.running += usize::from(!ended);
                scheduler.changed.notify_all();
                return !ended;
            }
            state = scheduler.changed.wait_timeout(state, POLL_INTERVAL).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn end_turn(&self) {
        self.scheduler.state().running -= 1;
        self.scheduler.changed.notify_all();
    }
}

impl YieldHook for ScheduledRequest {
    fn yield_now(&self, budget: &Budget) {
        let looks = self.looks.fetch_add(1, Ordering::Relaxed) + 1;
        if looks < SHORT_CHECKS {
            return;
        }
        let mut slot = self.slot();
        if !self.join(&mut slot) {
            return self.refuse(budget);
        }
        let Slot::Long { turn } = &mut *slot else { return };
        if *turn && looks.is_multiple_of(TURN_CHECKS) && !self.scheduler.state().waiting.is_empty() {
            self.end_turn();
            *turn = false;
        }
        if !*turn {
            *turn = self.wait_for_turn(budget);
        }
    }

    fn waits(&self, budget: &Budget) {
        let mut slot = self.slot();
        if !self.join(&mut slot) {
            return self.refuse(budget);
        }
        if let Slot::Long { turn } = &mut *slot
            && std::mem::take(turn)
        {
            self.end_turn();
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use hieratic::budget::Limits;
    use tokio::sync::Semaphore;

    fn scheduled_request(
        scheduler: &Arc<RequestScheduler>,
        places: &Arc<Semaphore>,
    ) -> (Arc<ScheduledRequest>, Budget) {
        let scheduled = ScheduledRequest::new(scheduler.clone(), places.clone().try_acquire_owned().unwrap());
        (scheduled.clone(), Budget::with_yield_hook(Limits::default(), scheduled))
    }

    #[test]
    fn a_long_request_releases_its_permit() {
        let (scheduler, places) =
            (Arc::new(RequestScheduler { at_once: 1, ..RequestScheduler::new(1) }), Arc::new(Semaphore::new(1)));
        let (long, budget) = scheduled_request(&scheduler, &places);
        assert_eq!(places.available_permits(), 0);
        budget.steps(1000).unwrap();
        assert_eq!(places.available_permits(), 0);
        (0..u64::from(SHORT_CHECKS)).for_each(|_| budget.steps(1 << 10).unwrap());
        assert_eq!((places.available_permits(), scheduler.state().running), (1, 1));
        // Another one would be one too many, and ends.
        let (other, refused) = scheduled_request(&scheduler, &places);
        assert!((0..=SHORT_CHECKS).any(|_| refused.steps(1 << 10).is_err()) && other.is_refused());
        other.finish();
        // While it waits for something else, it has no turn, and afterwards it gets one.
        budget.waits().unwrap();
        assert_eq!(scheduler.state().running, 0);
        budget.check().unwrap();
        assert_eq!(scheduler.state().running, 1);
        long.finish();
        let state = scheduler.state();
        assert_eq!((state.members, state.running, state.waiting.len()), (0, 0, 0));
    }

    #[test]
    fn cancelled_requests_stop_waiting_for_a_turn() {
        let (scheduler, places) =
            (Arc::new(RequestScheduler { at_once: 1, ..RequestScheduler::new(3) }), Arc::new(Semaphore::new(3)));
        let (first, budget) = scheduled_request(&scheduler, &places);
        (0..=SHORT_CHECKS).for_each(|_| budget.check().unwrap());
        let (second, waiting) = scheduled_request(&scheduler, &places);
        let other = waiting.clone();
        let thread = std::thread::spawn(move || (0..=SHORT_CHECKS).all(|_| other.check().is_ok()));
        while scheduler.state().waiting.is_empty() {
            std::thread::yield_now();
        }
        waiting.cancel();
        assert!(!thread.join().unwrap());
        second.finish();
        first.finish();
        let state = scheduler.state();
        assert_eq!((state.members, state.running, state.waiting.len()), (0, 0, 0));
    }
}
