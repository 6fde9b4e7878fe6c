//! Runs that follow one another in this process.

use std::any::Any;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::measure::{Cost, measured};
use crate::mutation;
use crate::random::Random;
use crate::repository::Repository;
use crate::seeds::Seeds;
use crate::verbs::{ALL, Case, Verb};
use crate::{git, revisions};

/// The most memory of a run.
const MOST_BYTES: usize = 512 << 20;

/// How often the worker says how far it is.
const REPORT: Duration = Duration::from_secs(20);

/// Where the last panic was.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// What is attacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The files of a repository, by every verb.
    Files,
    /// What git keeps of it, by the verbs that read revisions.
    Git,
}

impl Kind {
    /// The verbs, in the order in which they run.
    pub(crate) fn verbs(self) -> &'static [Verb] {
        match self {
            Kind::Files => &ALL,
            Kind::Git => &revisions::ALL,
        }
    }
}

/// What one run of a verb had wrong with it.
pub(crate) enum Fault {
    Panic(String),
    Time,
    Memory,
}

/// The time that a repository of a size may take.
fn allowed(size: usize) -> Duration {
    Duration::from_secs(1).mul_f64((size as f64 / 100_000.0).max(1.0))
}

/// Keeps the place of a panic, and prints nothing.
pub(crate) fn listen() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(|place| format!("{}:{}", place.file(), place.line())).unwrap_or_default();
        if let Ok(mut last) = PANIC.lock() {
            *last = place;
        }
    }));
}

/// Runs one verb.
pub(crate) fn run(kind: Kind, verb: usize, case: &Case<'_>, seed: u64) -> (Cost, Option<Fault>) {
    let mut random = Random::new(seed ^ ((verb as u64 + 1) << 48));
    let work = || catch_unwind(AssertUnwindSafe(|| (kind.verbs()[verb].1)(case, &mut random)));
    let (outcome, cost) = measured(work);
    let fault = match outcome {
        Err(panic) => Some(Fault::Panic(told(&*panic))),
        Ok(()) if cost.time > allowed(case.repository.size()) => Some(Fault::Time),
        Ok(()) if cost.bytes > MOST_BYTES => Some(Fault::Memory),
        Ok(()) => None,
    };
    (cost, fault)
}

fn told(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    let place = PANIC.lock().map(|place| place.clone()).unwrap_or_default();
    let text: String = text.unwrap_or("").chars().take(200).collect();
    format!("{place} {}", text.replace(['\n', '\t'], " "))
}

/// The repository of a seed.
pub(crate) fn repository(kind: Kind, seeds: &Seeds, seed: u64) -> Repository {
    /// How many files are kept of a repository of git, of which each has several objects.
    const FILES: usize = 24;
    let mut random = Random::new(seed);
    if kind == Kind::Files {
        return mutation::repository(seeds, &mut random);
    }
    let mut repository = seeds.choose(&mut random);
    while repository.files.len() > FILES {
        repository.files.swap_remove(random.below(repository.files.len()));
    }
    git::add(&mut repository, &mut random);
    repository
}

/// An empty folder in memory, if the system has such.
pub(crate) fn scratch() -> PathBuf {
    let memory = Path::new("/dev/shm");
    let base = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
    base.join(format!("hieratic-fuzz-{}", std::process::id()))
}

/// Runs seeds from the first to before the last, and prints a line for each fault: `fault`, seed, verb, kind, cost. What is being
/// run stands in the file `state`, so that another process knows it should this one die.
pub(crate) fn work(kind: Kind, first: u64, last: u64, state: &File) {
    listen();
    let seeds = Seeds::load();
    let root = scratch();
    let (begun, mut reported) = (Instant::now(), Instant::now());
    let (mut slowest, mut largest) = ((Duration::ZERO, 0, ""), (0, 0, ""));
    let mut runs = 0_u64;
    for seed in first..last {
        let repository = repository(kind, &seeds, seed);
        let folder = root.join("repository");
        let _ = std::fs::remove_dir_all(&folder);
        if std::fs::create_dir_all(&folder).is_err() {
            return;
        }
        repository.write(&folder);
        let case = Case { repository: &repository, root: &folder };
        for (verb, (name, _)) in kind.verbs().iter().enumerate() {
            let at = [seed, verb as u64].map(u64::to_le_bytes).concat();
            let _ = state.write_all_at(&at, 0);
            let (cost, fault) = run(kind, verb, &case, seed);
            runs += 1;
            if cost.time > slowest.0 {
                slowest = (cost.time, seed, name);
            }
            if cost.bytes > largest.0 {
                largest = (cost.bytes, seed, name);
            }
            let Some(fault) = fault else { continue };
            let (kind, detail) = match fault {
                Fault::Panic(detail) => ("panic", detail),
                Fault::Time => ("time", String::new()),
                Fault::Memory => ("memory", String::new()),
            };
            let size = repository.size();
            println!(
                "fault\t{seed}\t{name}\t{kind}\t{:.1?} {} MiB of {size} bytes\t{detail}",
                cost.time,
                cost.bytes >> 20
            );
        }
        if reported.elapsed() > REPORT || seed + 1 == last {
            reported = Instant::now();
            let done = seed + 1 - first;
            let rate = done as f64 / begun.elapsed().as_secs_f64();
            println!(
                "done\t{done} repositories, {runs} runs, {rate:.1} repositories/s; slowest {:.2?} (seed {}, {}), largest {} MiB (seed {}, {})",
                slowest.0,
                slowest.1,
                slowest.2,
                largest.0 >> 20,
                largest.1,
                largest.2
            );
        }
    }
    let _ = std::fs::remove_dir_all(&root);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first of the seeds that campaigns run, so that each test of the workspace runs some.
    #[test]
    fn hostile_repositories_of_git_cost_little_and_panic_nowhere() {
        listen();
        let seeds = Seeds::load();
        let scratch = scratch();
        let root = scratch.join("repository");
        for seed in 0..150 {
            let repository = repository(Kind::Git, &seeds, seed);
            let _ = std::fs::remove_dir_all(&root);
            std::fs::create_dir_all(&root).unwrap();
            repository.write(&root);
            let case = Case { repository: &repository, root: &root };
            for (verb, (name, _)) in revisions::ALL.iter().enumerate() {
                match run(Kind::Git, verb, &case, seed) {
                    (_, Some(Fault::Panic(text))) => panic!("{name} with --git yes --seed {seed}: {text}"),
                    // Times are those of a build that is not optimized, beside other tests.
                    (cost, _) => assert!(cost.bytes < MOST_BYTES, "{name} with --git yes --seed {seed}: {cost:?}"),
                }
            }
        }
        std::fs::remove_dir_all(&scratch).unwrap();
    }
}
