//! [`Budget`]: the limits of the work for one answer, in every language.

use std::cell::Cell;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The limits of one answer. The command prints them with `--limits` and changes them with `--limit NAME=VALUE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The number of steps: expressions evaluated, elements visited, levels searched. A second has about ten million.
    pub steps: u64,
    /// The bytes of all strings and collections that an evaluation allocates, including those that are freed again.
    pub bytes: u64,
    /// The nesting depth of expressions, calls and references. Data has separate limits.
    pub depth: u32,
    /// The time that the work may take. Unlimited by default: the same input should give the same answer on every
    /// machine.
    pub time: Option<Duration>,
    /// The largest file that is read, in bytes.
    pub file: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::DEFAULT
    }
}

impl Limits {
    /// The default limits.
    pub const DEFAULT: Limits =
        Limits { steps: 20_000_000, bytes: 512 << 20, depth: 1_000, time: None, file: 100 << 20 };

    /// Returns the name, the value and the unit of each limit, for `--limits`.
    pub fn table(&self) -> [(&'static str, String, &'static str); 5] {
        let time = self.time.map_or("none".into(), |time| time.as_secs().to_string());
        [
            ("steps", self.steps.to_string(), "expressions evaluated, elements visited, levels searched"),
            ("bytes", self.bytes.to_string(), "bytes of strings and collections built by an evaluation"),
            ("depth", self.depth.to_string(), "nested expressions, calls and references"),
            ("time", time, "seconds per answer"),
            ("file", self.file.to_string(), "maximum size of a file, in bytes"),
        ]
    }

    /// Sets a limit from an argument `NAME=VALUE`.
    ///
    /// ```
    /// use hieratic_budget::Limits;
    /// let mut limits = Limits::default();
    /// limits.set("steps=5").unwrap();
    /// assert_eq!(limits.steps, 5);
    /// assert!(limits.set("stops=5").unwrap_err().contains("steps"));
    /// ```
    ///
    /// # Errors
    /// The argument is malformed. The message names the expected form.
    pub fn set(&mut self, assignment: &str) -> Result<(), String> {
        let expected = || {
            let names = self.table().map(|(name, _, _)| name).join(", ");
            format!("expected NAME=NUMBER with one of the limits {names}, got '{assignment}'")
        };
        let (name, value) = assignment.split_once('=').ok_or_else(expected)?;
        let number: u64 = value.replace('_', "").parse().map_err(|_| expected())?;
        match name {
            "steps" => self.steps = number,
            "bytes" => self.bytes = number,
            "depth" => self.depth = u32::try_from(number).map_err(|_| expected())?,
            "time" => self.time = Some(Duration::from_secs(number)),
            "file" => self.file = number,
            _ => return Err(expected()),
        }
        Ok(())
    }
}

/// The budget of one answer: its [`Limits`], and how much of them is used. Clones share one budget, also between
/// threads.
///
/// ```
/// use hieratic_budget::{Budget, Limits};
/// let budget = Budget::new(Limits { steps: 2, ..Limits::default() });
/// assert!(budget.step().is_ok() && budget.clone().step().is_ok());
/// assert_eq!(budget.step().unwrap_err().to_string(), "more than 2 steps are needed");
/// ```
#[derive(Clone, Debug)]
pub struct Budget(Arc<State>);

/// A scheduler hook. It is called periodically during long work and may block.
pub trait YieldHook: fmt::Debug + Send + Sync {
    /// Returns when the work may continue, or when [`Budget::ended`] reports that it must end.
    fn yield_now(&self, budget: &Budget);

    /// Called periodically while the work waits for something else, for instance a program.
    fn waits(&self, _: &Budget) {}
}

#[derive(Debug)]
struct State {
    limits: Limits,
    steps: AtomicU64,
    bytes: AtomicU64,
    deadline: Option<Instant>,
    cancelled: AtomicBool,
    hook: Option<Arc<dyn YieldHook>>,
    /// The budget that this one is a part of.
    parent: Option<Budget>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::new(Limits::default())
    }
}

impl Budget {
    /// Creates an unused budget.
    pub fn new(limits: Limits) -> Budget {
        Budget::with_hook(limits, None)
    }

    /// Like [`new`](Self::new), with a hook that may block the work while other work is more urgent.
    pub fn with_yield_hook(limits: Limits, hook: Arc<dyn YieldHook>) -> Budget {
        Budget::with_hook(limits, Some(hook))
    }

    fn with_hook(limits: Limits, hook: Option<Arc<dyn YieldHook>>) -> Budget {
        Budget(Arc::new(State {
            limits,
            steps: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            deadline: limits.time.and_then(|time| Instant::now().checked_add(time)),
            cancelled: AtomicBool::new(false),
            hook,
            parent: None,
        }))
    }

    /// Creates a child budget for a part of the work. Its cost is charged to both budgets. Its depth and time are never
    /// more than what the parent has left. The parent's hook applies.
    ///
    /// ```
    /// use hieratic_budget::{Budget, Limits};
    /// let whole = Budget::new(Limits { steps: 10, ..Limits::default() });
    /// let part = whole.child(Limits { steps: 2, ..*whole.limits() });
    /// assert!(part.steps(2).is_ok());
    /// assert_eq!(part.step().unwrap_err().to_string(), "more than 2 steps are needed");
    /// assert_eq!(whole.used(), 2);
    /// ```
    pub fn child(&self, limits: Limits) -> Budget {
        let whole = self.limits();
        let time = match (limits.time, whole.time) {
            (Some(own), Some(whole)) => Some(own.min(whole)),
            (own, whole) => own.or(whole),
        };
        let limits = Limits { depth: limits.depth.min(whole.depth), time, ..limits };
        Budget(Arc::new(State {
            limits,
            steps: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            deadline: time.and_then(|time| Instant::now().checked_add(time)),
            cancelled: AtomicBool::new(false),
            hook: None,
            parent: Some(self.clone()),
        }))
    }

    /// Returns the limits.
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// Returns the number of steps used so far.
    pub fn used(&self) -> u64 {
        self.0.steps.load(Ordering::Relaxed)
    }

    /// Returns the number of bytes used so far.
    pub fn used_bytes(&self) -> u64 {
        self.0.bytes.load(Ordering::Relaxed)
    }

    /// Charges one step.
    ///
    /// # Errors
    /// A limit is reached, or the work was cancelled. All methods that charge the budget return this error.
    pub fn step(&self) -> Result<(), Exhausted> {
        self.steps(1)
    }

    /// Charges several steps. A loop over a collection charges its number of elements before it begins.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn steps(&self, count: u64) -> Result<(), Exhausted> {
        let state = &*self.0;
        let before = state.steps.fetch_add(count, Ordering::Relaxed);
        if before.saturating_add(count) > state.limits.steps {
            // A refused request stays refused: the counter does not wrap around.
            state.steps.fetch_sub(count, Ordering::Relaxed);
            return Err(Exhausted::Steps(state.limits.steps));
        }
        if let Some(parent) = &state.parent {
            parent.steps(count).inspect_err(|_| {
                state.steps.fetch_sub(count, Ordering::Relaxed);
            })?;
        }
        // The clock costs more than a step.
        if before / STEPS_PER_CLOCK_CHECK != (before + count) / STEPS_PER_CLOCK_CHECK || count >= STEPS_PER_CLOCK_CHECK
        {
            self.check()
        } else {
            Ok(())
        }
    }

    /// Charges bytes, before they are allocated.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn bytes(&self, count: usize) -> Result<(), Exhausted> {
        let state = &*self.0;
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        let before = state.bytes.load(Ordering::Relaxed);
        if before.saturating_add(count) > state.limits.bytes {
            return Err(Exhausted::Bytes(state.limits.bytes));
        }
        if let Some(parent) = &state.parent {
            parent.bytes(usize::try_from(count).unwrap_or(usize::MAX))?;
        }
        state.bytes.fetch_add(count, Ordering::Relaxed);
        Ok(())
    }

    /// Returns steps and bytes that were charged in advance and not used.
    pub fn give_back(&self, steps: u64, bytes: usize) {
        if let Some(parent) = &self.0.parent {
            parent.give_back(steps, bytes);
        }
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        // A cancelled budget has had more steps taken from it than were done, never fewer.
        let _ =
            self.0.steps.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| Some(used.saturating_sub(steps)));
        let _ =
            self.0.bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| Some(used.saturating_sub(bytes)));
    }

    /// Checks a nesting depth against the limit.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn depth(&self, depth: usize) -> Result<(), Exhausted> {
        let limit = self.0.limits.depth;
        if depth > limit as usize { Err(Exhausted::Depth(limit)) } else { Ok(()) }
    }

    /// Enters one level, until the guard is dropped.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn enter(&self, depth: &Depth) -> Result<DepthGuard, Exhausted> {
        self.depth(depth.levels() + 1)?;
        depth.0.set(depth.levels() + 1);
        Ok(DepthGuard(depth.0.clone()))
    }

    /// Checks that time is left and that the work is not cancelled. With a [`YieldHook`], the call may block until the
    /// time is over.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn check(&self) -> Result<(), Exhausted> {
        self.ended()?;
        match &self.0.hook {
            None => self.0.parent.as_ref().map_or(Ok(()), Budget::check),
            Some(hook) => {
                hook.yield_now(self);
                self.ended()
            }
        }
    }

    /// Reports that the work waits for something else. Call it periodically during the wait.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn waits(&self) -> Result<(), Exhausted> {
        if let Some(parent) = &self.0.parent {
            parent.waits()?;
        }
        if let Some(hook) = &self.0.hook {
            hook.waits(self);
        }
        self.ended()
    }

    /// Checks, without blocking, whether the work must end.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn ended(&self) -> Result<(), Exhausted> {
        let state = &*self.0;
        if state.cancelled.load(Ordering::Relaxed) {
            return Err(Exhausted::Cancelled);
        }
        if let Some(parent) = &state.parent {
            parent.ended()?;
        }
        match (state.deadline, state.limits.time) {
            (Some(deadline), Some(time)) if Instant::now() >= deadline => Err(Exhausted::Time(time)),
            _ => Ok(()),
        }
    }

    /// Cancels all work on this budget: its next check fails with [`Exhausted::Cancelled`].
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Relaxed);
        // The next step looks at the clock, and at the cancellation with it.
        let next = self.0.steps.load(Ordering::Relaxed) / STEPS_PER_CLOCK_CHECK * STEPS_PER_CLOCK_CHECK
            + STEPS_PER_CLOCK_CHECK
            - 1;
        self.0.steps.fetch_max(next, Ordering::Relaxed);
    }
}

/// The current nesting depth of one evaluation. It is not part of the [`Budget`], which several threads may share.
///
/// ```
/// use hieratic_budget::{Budget, Depth, Limits};
/// let budget = Budget::new(Limits { depth: 1, ..Limits::default() });
/// let depth = Depth::default();
/// let guard = budget.enter(&depth).unwrap();
/// assert_eq!(budget.enter(&depth).unwrap_err().to_string(), "nested deeper than 1 levels");
/// drop(guard);
/// assert!(budget.enter(&depth).is_ok());
/// ```
#[derive(Debug, Default)]
pub struct Depth(Rc<Cell<usize>>);

impl Depth {
    /// Returns the number of entered levels.
    pub fn levels(&self) -> usize {
        self.0.get()
    }
}

/// A guard for one level of a [`Depth`]. Dropping it leaves the level, also during a panic.
#[derive(Debug)]
#[must_use = "the level is left when the guard is dropped"]
pub struct DepthGuard(Rc<Cell<usize>>);

impl Drop for DepthGuard {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

/// The number of steps between two readings of the clock.
const STEPS_PER_CLOCK_CHECK: u64 = 1 << 10;

/// The reason why work ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// The work needs more steps than this limit.
    Steps(u64),
    /// The work needs more bytes than this limit.
    Bytes(u64),
    /// The work nests deeper than this limit.
    Depth(u32),
    /// The work takes longer than this limit.
    Time(Duration),
    /// The client no longer needs the answer.
    Cancelled,
}

impl Exhausted {
    /// Returns the help of the diagnostic: which limit to raise.
    pub fn help(&self) -> Option<String> {
        let (name, limit) = match self {
            Exhausted::Steps(limit) => ("steps", *limit),
            Exhausted::Bytes(limit) => ("bytes", *limit),
            Exhausted::Depth(limit) => ("depth", u64::from(*limit)),
            Exhausted::Time(limit) => ("time", limit.as_secs()),
            Exhausted::Cancelled => return None,
        };
        Some(format!("if this much work is intended, raise the limit: --limit {name}={}", limit.saturating_mul(10)))
    }
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exhausted::Steps(limit) => write!(f, "more than {limit} steps are needed"),
            Exhausted::Bytes(limit) => write!(f, "more than {limit} bytes are needed"),
            Exhausted::Depth(limit) => write!(f, "nested deeper than {limit} levels"),
            Exhausted::Time(limit) => write!(f, "more than {} seconds are needed", limit.as_secs_f64()),
            Exhausted::Cancelled => f.write_str("the request was cancelled"),
        }
    }
}

impl std::error::Error for Exhausted {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cancelled_budget_ends_at_the_next_step() {
        let budget = Budget::default();
        budget.step().unwrap();
        budget.cancel();
        assert_eq!(budget.step(), Err(Exhausted::Cancelled));
    }

    #[test]
    fn a_yield_hook_blocks_and_can_cancel() {
        #[derive(Debug, Default)]
        struct CancellingHook(AtomicU64);
        impl YieldHook for CancellingHook {
            fn yield_now(&self, budget: &Budget) {
                if self.0.fetch_add(1, Ordering::Relaxed) == 2 {
                    budget.cancel();
                }
            }
        }
        let budget = Budget::with_yield_hook(Limits::default(), Arc::new(CancellingHook::default()));
        let steps = (1..).find(|_| budget.step().is_err());
        assert_eq!(steps, Some(3 * STEPS_PER_CLOCK_CHECK));
    }

    #[test]
    fn time_ends_a_loop() {
        let budget = Budget::new(Limits { time: Some(Duration::ZERO), ..Limits::default() });
        let ended = (0..2 * STEPS_PER_CLOCK_CHECK).find_map(|_| budget.step().err());
        assert_eq!(ended, Some(Exhausted::Time(Duration::ZERO)));
    }

    #[test]
    fn a_child_takes_from_its_parent_and_ends_with_it() {
        let parent = Budget::new(Limits { steps: 10, bytes: 100, depth: 5, ..Limits::default() });
        let child = parent.child(Limits { steps: 20, bytes: 50, depth: 9, ..Limits::default() });
        assert_eq!((child.steps(8), child.bytes(40)), (Ok(()), Ok(())));
        assert_eq!((parent.used(), parent.used_bytes()), (8, 40));
        // If the parent refuses, the child gives the amount back.
        assert_eq!((child.steps(3), child.used()), (Err(Exhausted::Steps(10)), 8));
        assert_eq!((child.bytes(20), parent.used_bytes()), (Err(Exhausted::Bytes(50)), 40));
        assert_eq!(child.depth(6), Err(Exhausted::Depth(5)));
        child.give_back(8, 40);
        assert_eq!((parent.used(), parent.used_bytes()), (0, 0));
        parent.cancel();
        assert_eq!(child.ended(), Err(Exhausted::Cancelled));
        assert!(parent.child(Limits::default()).steps(2 * STEPS_PER_CLOCK_CHECK).is_err());
    }

    #[test]
    fn a_caught_panic_leaves_no_deeper_level() {
        let (budget, depth) = (Budget::default(), Depth::default());
        let outer = budget.enter(&depth).unwrap();
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _first = budget.enter(&depth).unwrap();
            let _second = budget.enter(&depth).unwrap();
            panic!("at level {}", depth.levels());
        }));
        assert_eq!(caught.unwrap_err().downcast_ref::<String>().unwrap(), "at level 3");
        assert_eq!(depth.levels(), 1);
        drop(outer);
        assert_eq!(depth.levels(), 0);
    }

    #[test]
    fn bytes_and_steps_do_not_wrap() {
        let budget = Budget::default();
        assert!(budget.bytes(usize::MAX).is_err() && budget.steps(u64::MAX).is_err());
        assert!(budget.bytes(1).is_ok() && budget.step().is_ok());
    }
}
