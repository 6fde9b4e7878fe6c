//! [`Pool`]: threads that answer requests, so that reading messages never waits, and a panic ends an answer and nothing else.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

type Task = Box<dyn FnOnce() + Send>;

/// The stack size of a thread, in bytes; parsers grow it if they need more.
const STACK_BYTES: usize = 8 << 20;

/// A thread pool.
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
            Builder::new().name(format!("answers-{number}")).stack_size(STACK_BYTES).spawn(move || run(&waiting))
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
        // The task reports its own panics.
        let _ = catch_unwind(AssertUnwindSafe(task));
    }
}

/// Returns the message of a panic.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("an internal error")
}
