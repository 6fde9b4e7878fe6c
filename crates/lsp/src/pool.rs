//! [`Pool`]: threads that answer requests, so that reading messages never blocks, and a panic only ends one answer.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::{Builder, JoinHandle};

use crossbeam_channel::{Sender, unbounded};

type Task = Box<dyn FnOnce() + Send>;

/// The stack size of a thread, in bytes; parsers grow it if they need more.
const STACK_BYTES: usize = 8 << 20;

/// A thread pool. Without threads, it runs each task at once.
pub(crate) struct Pool {
    tasks: Option<Sender<Task>>,
    threads: Vec<JoinHandle<()>>,
}

impl Pool {
    /// Starts a number of threads.
    pub(crate) fn new(threads: usize) -> std::io::Result<Pool> {
        let (tasks, queue) = unbounded::<Task>();
        let mut pool = Pool { tasks: Some(tasks), threads: Vec::with_capacity(threads) };
        for number in 0..threads {
            let queue = queue.clone();
            let thread = Builder::new().name(format!("answers-{number}")).stack_size(STACK_BYTES);
            pool.threads.push(thread.spawn(move || queue.iter().for_each(run))?);
        }
        Ok(pool)
    }

    /// Returns a pool without threads.
    pub(crate) fn without_threads() -> Pool {
        Pool { tasks: None, threads: Vec::new() }
    }

    /// Runs a task on one of them.
    pub(crate) fn run(&self, task: impl FnOnce() + Send + 'static) {
        match &self.tasks {
            // They end only when the pool does.
            Some(tasks) => drop(tasks.send(Box::new(task))),
            None => run(Box::new(task)),
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

fn run(task: Task) {
    // The task reports its own panics.
    let _ = catch_unwind(AssertUnwindSafe(task));
}

/// Returns the message of a panic.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("an internal error")
}
