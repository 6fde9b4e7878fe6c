//! [`Pool`]: threads that answer requests, so that reading messages never waits, and a panic ends an answer and nothing else.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

type Task = Box<dyn FnOnce() + Send>;

/// How much stack a thread has; parsers take more when they need it.
const STACK: usize = 8 << 20;

/// Threads that run what they are given.
pub(crate) struct Pool {
    tasks: Option<Sender<Task>>,
    threads: Vec<JoinHandle<()>>,
}

impl Pool {
    /// So many threads.
    pub(crate) fn new(threads: usize) -> std::io::Result<Pool> {
        let (tasks, waiting) = channel::<Task>();
        let waiting = Arc::new(Mutex::new(waiting));
        let start = |number: usize| {
            let waiting = waiting.clone();
            Builder::new().name(format!("answers-{number}")).stack_size(STACK).spawn(move || run(&waiting))
        };
        let threads = (0..threads).map(start).collect::<Result<_, _>>()?;
        Ok(Pool { tasks: Some(tasks), threads })
    }

    /// Runs a task on one of them.
    pub(crate) fn run(&self, task: impl FnOnce() + Send + 'static) {
        if let Some(tasks) = &self.tasks {
            // They end only when the pool does.
            let _ = tasks.send(Box::new(task));
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.tasks = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn run(waiting: &Mutex<Receiver<Task>>) {
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(task) = next else { return };
        // Whoever gave the task answers for its panics.
        let _ = catch_unwind(AssertUnwindSafe(task));
    }
}

/// What a panic says.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("an internal error")
}
