//! [`Lanes`]: schedules short requests before long ones.
//!
//! The cost of a request is not known in advance. Each request starts with one of many permits. One that turns out to
//! be long, by the steps that it has taken and not by the clock, releases its permit and joins the long requests. These
//! take turns on half of the processors, so that any number of them leaves the other half to short requests. When there
//! are too many long requests, the next one is refused and has to retry.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hieratic::powers::{Budget, Pace};
use tokio::sync::OwnedSemaphorePermit;

/// After how many looks at the clock, a thousand steps apart, a question is long.
const SHORT: u32 = 4;

/// After how many more a long one lets another have its turn.
const TURN: u32 = 16;

/// The interval at which a request that waits for its turn checks whether it was cancelled.
const LOOK: Duration = Duration::from_millis(20);

/// The long questions.
#[derive(Debug)]
pub(crate) struct Lanes {
    state: Mutex<State>,
    changed: Condvar,
    /// The maximum number of long requests.
    most: usize,
    /// The maximum number of long requests that run at once.
    at_once: usize,
}

#[derive(Debug, Default)]
struct State {
    members: usize,
    running: usize,
    /// Those who wait for a turn, the next one first.
    waiting: VecDeque<u64>,
    next: u64,
}

impl Lanes {
    pub(crate) fn new(most: usize) -> Lanes {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Lanes { state: Mutex::default(), changed: Condvar::new(), most, at_once: (processors / 2).max(1) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Counters are updated in single steps, so they are consistent even after a panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The permit or the turn that a running request holds.
#[derive(Debug)]
pub(crate) struct Paced {
    lanes: Arc<Lanes>,
    held: Mutex<Held>,
    looks: AtomicU32,
    refused: AtomicBool,
}

#[derive(Debug)]
enum Held {
    /// A place among the short ones.
    Place(#[allow(dead_code, reason = "it is held")] OwnedSemaphorePermit),
    /// A membership among the long ones, and perhaps a turn.
    Long {
        turn: bool,
    },
    Nothing,
}

impl Paced {
    pub(crate) fn new(lanes: Arc<Lanes>, place: OwnedSemaphorePermit) -> Arc<Paced> {
        let (looks, refused) = (AtomicU32::new(0), AtomicBool::new(false));
        Arc::new(Paced { lanes, held: Mutex::new(Held::Place(place)), looks, refused })
    }

    /// Returns whether the request was refused because there were too many long ones.
    pub(crate) fn is_refused(&self) -> bool {
        self.refused.load(Ordering::Relaxed)
    }

    /// Releases the permit or the turn, because the work has ended.
    pub(crate) fn finish(&self) {
        let held = std::mem::replace(&mut *self.held(), Held::Nothing);
        if let Held::Long { turn } = held {
            let mut state = self.lanes.state();
            state.members -= 1;
            state.running -= usize::from(turn);
            self.lanes.changed.notify_all();
        }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Joins the long ones, without a turn. False if there are too many.
    fn join(&self, held: &mut Held) -> bool {
        if matches!(held, Held::Place(_)) {
            let mut state = self.lanes.state();
            if state.members >= self.lanes.most {
                return false;
            }
            state.members += 1;
            *held = Held::Long { turn: false };
        }
        true
    }

    fn refuse(&self, budget: &Budget) {
        self.refused.store(true, Ordering::Relaxed);
        budget.cancel();
    }

    /// Waits for a turn, or for the end of the work.
    fn wait_for_turn(&self, budget: &Budget) -> bool {
        let lanes = &*self.lanes;
        let mut state = lanes.state();
        let number = state.next;
        state.next += 1;
        state.waiting.push_back(number);
        loop {
            let ended = budget.ended().is_err();
            let is_next = state.running < lanes.at_once && state.waiting.front() == Some(&number);
            if ended || is_next {
                state.waiting.retain(|other| *other != number);
                state.running += usize::from(!ended);
                lanes.changed.notify_all();
                return !ended;
            }
            state = lanes.changed.wait_timeout(state, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn end_turn(&self) {
        self.lanes.state().running -= 1;
        self.lanes.changed.notify_all();
    }
}

impl Pace for Paced {
    fn pace(&self, budget: &Budget) {
        let looks = self.looks.fetch_add(1, Ordering::Relaxed) + 1;
        if looks < SHORT {
            return;
        }
        let mut held = self.held();
        if !self.join(&mut held) {
            return self.refuse(budget);
        }
        let Held::Long { turn } = &mut *held else { return };
        if *turn && looks.is_multiple_of(TURN) && !self.lanes.state().waiting.is_empty() {
            self.end_turn();
            *turn = false;
        }
        if !*turn {
            *turn = self.wait_for_turn(budget);
        }
    }

    fn waits(&self, budget: &Budget) {
        let mut held = self.held();
        if !self.join(&mut held) {
            return self.refuse(budget);
        }
        if let Held::Long { turn } = &mut *held
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
    use hieratic::powers::Limits;
    use tokio::sync::Semaphore;

    fn question(lanes: &Arc<Lanes>, places: &Arc<Semaphore>) -> (Arc<Paced>, Budget) {
        let paced = Paced::new(lanes.clone(), places.clone().try_acquire_owned().unwrap());
        (paced.clone(), Budget::paced(Limits::default(), paced))
    }

    #[test]
    fn a_long_question_gives_its_place_to_the_next() {
        let (lanes, places) = (Arc::new(Lanes { at_once: 1, ..Lanes::new(1) }), Arc::new(Semaphore::new(1)));
        let (long, budget) = question(&lanes, &places);
        assert_eq!(places.available_permits(), 0);
        budget.steps(1000).unwrap();
        assert_eq!(places.available_permits(), 0);
        (0..u64::from(SHORT)).for_each(|_| budget.steps(1 << 10).unwrap());
        assert_eq!((places.available_permits(), lanes.state().running), (1, 1));
        // Another one would be one too many, and ends.
        let (other, refused) = question(&lanes, &places);
        assert!((0..=SHORT).any(|_| refused.steps(1 << 10).is_err()) && other.is_refused());
        other.finish();
        // While it waits for something else, it has no turn, and afterwards it gets one.
        budget.waits().unwrap();
        assert_eq!(lanes.state().running, 0);
        budget.check().unwrap();
        assert_eq!(lanes.state().running, 1);
        long.finish();
        let state = lanes.state();
        assert_eq!((state.members, state.running, state.waiting.len()), (0, 0, 0));
    }

    #[test]
    fn turns_are_taken_and_the_cancelled_wait_no_more() {
        let (lanes, places) = (Arc::new(Lanes { at_once: 1, ..Lanes::new(3) }), Arc::new(Semaphore::new(3)));
        let (first, budget) = question(&lanes, &places);
        (0..=SHORT).for_each(|_| budget.check().unwrap());
        let (second, waiting) = question(&lanes, &places);
        let other = waiting.clone();
        let thread = std::thread::spawn(move || (0..=SHORT).all(|_| other.check().is_ok()));
        while lanes.state().waiting.is_empty() {
            std::thread::yield_now();
        }
        waiting.cancel();
        assert!(!thread.join().unwrap());
        second.finish();
        first.finish();
        let state = lanes.state();
        assert_eq!((state.members, state.running, state.waiting.len()), (0, 0, 0));
    }
}
