//! [`Work`]: the budget of a call, and its execution on threads of this process, until it ends or is cancelled by
//! Ctrl-C or its time limit.
//!
//! A thread pool does not survive a fork: the child has its memory, but not its threads, and would wait for them
//! forever. Each process therefore has its own pool. Everything that takes longer than a few microseconds runs on it,
//! while the calling thread waits and checks for signals of Python.

use std::panic::AssertUnwindSafe;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{cell::RefCell, io};

use hieratic::Limits;
use hieratic::budget::{Budget, Exhausted, YieldHook};
use hieratic_bindings_core::BindingError;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyMapping};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::PythonError;
use crate::forks::{Process, RunningWork};

/// The interval at which a waiting call asks Python for signals.
pub(crate) const TICK: Duration = Duration::from_millis(50);

/// The time that work has to notice its deadline, before its thread is abandoned.
const GRACE: Duration = Duration::from_millis(200);

/// The stack of a thread of the pool: expressions nest.
const STACK: usize = 16 << 20;

/// The argument `limits`: a mapping from the names of limits to numbers.
pub(crate) struct LimitsArgument(Vec<(String, u64)>);

impl<'a, 'py> FromPyObject<'a, 'py> for LimitsArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let Ok(mapping) = object.cast::<PyMapping>() else {
            return Err(PyTypeError::new_err("limits must be a mapping, such as {'steps': 1_000_000}"));
        };
        let mut limits = Vec::new();
        for pair in mapping.items()?.iter() {
            let (name, number): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
            let is_number = !number.is_instance_of::<PyBool>();
            let number = is_number.then(|| number.extract::<u64>().ok()).flatten();
            let number = number.ok_or_else(|| PyValueError::new_err("a limit is an integer that is not negative"))?;
            limits.push((name.extract::<String>()?, number));
        }
        Ok(LimitsArgument(limits))
    }
}

impl LimitsArgument {
    /// The limits as an argument again.
    pub(crate) fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, number) in &self.0 {
            dict.set_item(name, number)?;
        }
        Ok(dict)
    }
}

/// Checks the arguments `limits` and `timeout` of a call that another process answers.
#[pyfunction]
#[pyo3(signature = (limits=None, timeout=None))]
pub(crate) fn check_limits(limits: Option<LimitsArgument>, timeout: Option<f64>) -> PyResult<()> {
    Work::new(Limits::default(), limits, timeout).map(|_| ())
}

/// The costs of a call.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Work {
    pub(crate) limits: Limits,
}

impl Work {
    /// The limits of a call: the default ones, with those of its arguments.
    pub(crate) fn new(default: Limits, limits: Option<LimitsArgument>, timeout: Option<f64>) -> PyResult<Work> {
        let mut own = default;
        for (name, number) in limits.into_iter().flat_map(|limits| limits.0) {
            own.set(&format!("{name}={number}"))
                .map_err(|message| PyValueError::new_err(format!("limits: {message}")))?;
        }
        if let Some(seconds) = timeout {
            let time = Duration::try_from_secs_f64(seconds)
                .map_err(|_| PyValueError::new_err("timeout is a number of seconds, which is not negative"))?;
            own.time = Some(own.time.map_or(time, |other| other.min(time)));
        }
        Ok(Work { limits: own })
    }

    /// A budget for work on the thread of the caller: while it is charged, Python is asked for signals.
    pub(crate) fn budget(self) -> Budget {
        static HOOK: LazyLock<Arc<SignalHook>> = LazyLock::new(Arc::default);
        Budget::with_yield_hook(self.limits, HOOK.clone())
    }

    /// Does work on the pool of this process.
    ///
    /// # Errors
    /// The error of the work, Ctrl-C, or the end of the time. Work that is not done then ends as soon as it looks at its budget.
    pub(crate) fn run<T: Send + 'static, E: Into<PythonError> + Send + 'static>(
        self,
        py: Python<'_>,
        job: impl FnOnce(&Budget) -> Result<T, E> + Send + 'static,
    ) -> PyResult<T> {
        let pool = pool()?;
        let budget = Budget::new(self.limits);
        let (sender, receiver) = sync_channel(1);
        let own = budget.clone();
        let (process, running) = (Process::current(), RunningWork::new());
        pool.spawn(move || {
            let done = std::panic::catch_unwind(AssertUnwindSafe(|| job(&own).map_err(Into::into)));
            drop(running);
            // The caller may have gone.
            let _ = sender.send(done);
        });
        let receiver = Mutex::new(receiver);
        let begun = Instant::now();
        loop {
            let wait = self.limits.time.map_or(TICK, |time| {
                (time + GRACE).saturating_sub(begun.elapsed()).clamp(Duration::from_millis(1), TICK)
            });
            let message = py.detach(|| receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(wait));
            match message {
                Ok(Ok(Ok(done))) => return Ok(done),
                Ok(Ok(Err(error))) => return Err(error.into()),
                Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => return Err(panicked().into()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Err(signal) = py.check_signals() {
                leave(&budget);
                return Err(signal);
            }
            // The function that handles a signal has forked.
            if !process.is_current() {
                return Err(forked().into());
            }
            if let Some(time) = self.limits.time.filter(|time| begun.elapsed() >= *time + GRACE) {
                leave(&budget);
                return Err(PythonError::from(BindingError::exhausted(&Exhausted::Time(time))).into());
            }
        }
    }
}

/// The error of a call that a child process has inherited.
pub(crate) fn forked() -> PythonError {
    PythonError::plain("this process was forked during the call", "repeat the call")
}

fn panicked() -> PythonError {
    PythonError::plain("the library panicked", "report this as a bug, with the output on standard error")
}

/// Cancels work and leaves it alone: it may still use the threads of the pool, so the next call gets another one.
fn leave(budget: &Budget) {
    budget.cancel();
    forget(&mut POOL.lock().unwrap_or_else(PoisonError::into_inner));
}

/// The pool, with the process that its threads are in.
type OwnedPool = Option<(u32, Arc<ThreadPool>)>;

static POOL: Mutex<OwnedPool> = Mutex::new(None);

/// The pool of this process.
fn pool() -> PyResult<Arc<ThreadPool>> {
    let mut own = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if let Some((of, pool)) = &*own
        && *of == process
    {
        return Ok(pool.clone());
    }
    forget(&mut own);
    let pool = Arc::new(new_pool()?);
    *own = Some((process, pool.clone()));
    Ok(pool)
}

/// Drops a pool, unless its threads are those of another process: to drop it then would wait for them.
fn forget(own: &mut OwnedPool) {
    if let Some((of, pool)) = own.take()
        && of != std::process::id()
    {
        std::mem::forget(pool);
    }
}

/// Starts the threads of a pool.
pub(crate) fn new_pool() -> io::Result<ThreadPool> {
    ThreadPoolBuilder::new()
        .stack_size(STACK)
        .thread_name(|number| format!("hieratic-{number}"))
        .build()
        .map_err(io::Error::other)
}

/// Asks Python for signals while a budget is charged.
#[derive(Debug, Default)]
struct SignalHook;

thread_local! {
    /// The exception of a signal, until the call returns it; and when Python was asked last.
    static SIGNAL: RefCell<(Option<PyErr>, Option<Instant>)> = const { RefCell::new((None, None)) };
}

impl YieldHook for SignalHook {
    fn yield_now(&self, budget: &Budget) {
        let is_due = SIGNAL.with_borrow_mut(|(_, last)| {
            let is_due = last.is_none_or(|last| last.elapsed() >= TICK);
            if is_due {
                *last = Some(Instant::now());
            }
            is_due
        });
        if !is_due {
            return;
        }
        if let Err(signal) = Python::attach(|py| py.check_signals()) {
            keep_signal(signal);
            budget.cancel();
        }
    }
}

/// Keeps the exception of a signal, for the call of this thread that returns it.
pub(crate) fn keep_signal(signal: PyErr) {
    SIGNAL.with_borrow_mut(|(own, _)| *own = Some(signal));
}

/// The limits of work as the argument `limits` has them; its time is that of [`timeout_of`].
pub(crate) fn limits_of(py: Python<'_>, work: Work) -> PyResult<Bound<'_, PyDict>> {
    let Limits { steps, bytes, depth, time: _, file } = work.limits;
    let dict = PyDict::new(py);
    dict.set_item("steps", steps)?;
    dict.set_item("bytes", bytes)?;
    dict.set_item("depth", depth)?;
    dict.set_item("file", file)?;
    Ok(dict)
}

/// The time of work as the argument `timeout` has it.
pub(crate) fn timeout_of(work: Work) -> Option<f64> {
    work.limits.time.map(|time| time.as_secs_f64())
}

/// The exception of a signal that ended the work of this thread.
pub(crate) fn take_signal() -> Option<PyErr> {
    SIGNAL.with_borrow_mut(|(own, _)| own.take())
}
