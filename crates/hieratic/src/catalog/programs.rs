//! [`ProgramOutputs`]: the output of programs that code runs, shared by all catalogs of a comparison.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hieratic_puppet_eval::ProgramRun;
use hieratic_value::collections::HashMap;

/// The maximum size of cached commands and outputs, in bytes.
const MAX_SIZE: usize = 16 << 20;

/// The output of a program, or the reason why it has none.
type Output = Result<String, String>;

/// The output of programs that code runs. Compilers that share it run each program once and give every catalog the same
/// output, so that catalogs differ only if their code or data does, not because a program reads the clock. If a catalog
/// runs a program several times with the same arguments, each run has its own output.
#[derive(Debug, Default)]
pub struct ProgramOutputs(Mutex<OutputCache>);

#[derive(Debug, Default)]
struct OutputCache {
    outputs: HashMap<Run, Arc<OnceLock<Output>>>,
    size: usize,
}

/// A command, and how often the same catalog has run it before.
type Run = (Box<[String]>, usize);

impl ProgramOutputs {
    /// The output of a run. Threads that need the same run at the same time wait for it.
    fn output_of(&self, run: Run, start: ProgramRun<'_>) -> Output {
        let command: usize = run.0.iter().map(String::len).sum();
        let cell = {
            // A thread that panicked has left the table as good as it was.
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            match known.outputs.get(&run) {
                Some(cell) => cell.clone(),
                None if known.size > MAX_SIZE => return start(),
                None => known.outputs.entry(run).or_default().clone(),
            }
        };
        let run = || {
            let output = start();
            let printed = output.as_ref().map_or_else(String::len, String::len);
            self.0.lock().unwrap_or_else(PoisonError::into_inner).size += command + printed;
            output
        };
        cell.get_or_init(run).clone()
    }
}

/// The programs that the code of one catalog runs.
#[derive(Debug)]
pub(crate) struct Programs {
    outputs: Arc<ProgramOutputs>,
    runs: RefCell<HashMap<Box<[String]>, usize>>,
}

impl Programs {
    pub fn new(outputs: Arc<ProgramOutputs>) -> Programs {
        Programs { outputs, runs: RefCell::default() }
    }

    /// Returns the output of the next run of a program, cached from another catalog or started by `start`.
    pub fn output(&self, command: &[String], start: ProgramRun<'_>) -> Output {
        let before = {
            let mut runs = self.runs.borrow_mut();
            let count = runs.entry(command.into()).or_default();
            *count += 1;
            *count - 1
        };
        self.outputs.output_of((command.into(), before), start)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn each_catalog_sees_the_same_runs() {
        let outputs = Arc::new(ProgramOutputs::default());
        let runs = AtomicUsize::new(0);
        let catalog = || {
            let programs = Programs::new(outputs.clone());
            let ask = |program: &str| {
                let start = || Ok(format!("{program} {}", runs.fetch_add(1, Ordering::Relaxed)));
                programs.output(&[program.to_owned()], Box::new(start))
            };
            [ask("a"), ask("b"), ask("a")]
        };
        let first = catalog();
        assert_eq!(first, ["a 0", "b 1", "a 2"].map(|text| Ok(text.to_owned())));
        std::thread::scope(|scope| {
            let others: Vec<_> = (0..4).map(|_| scope.spawn(catalog)).collect();
            others.into_iter().for_each(|other| assert!(other.join().is_ok_and(|seen| seen == first)));
        });
        assert_eq!(runs.into_inner(), 3);
    }

    #[test]
    fn failures_are_cached_unless_they_are_too_large() {
        let outputs = Arc::new(ProgramOutputs::default());
        let ask = |program: &str, output: Output| {
            Programs::new(outputs.clone()).output(&[program.to_owned()], Box::new(move || output))
        };
        assert_eq!(ask("a", Err("no".into())), Err("no".into()));
        assert_eq!(ask("a", Ok("yes".into())), Err("no".into()));
        assert!(ask("long", Ok("x".repeat(MAX_SIZE))).is_ok());
        assert_eq!((ask("b", Ok("1".into())), ask("b", Ok("2".into()))), (Ok("1".into()), Ok("2".into())));
        assert_eq!(ask("a", Ok("yes".into())), Err("no".into()));
    }
}
