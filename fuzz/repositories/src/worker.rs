//! Runs that follow one another in this process.

use std::any::Any;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::measure::{Cost, measured};
use crate::mutation;
use crate::outside::Outside;
use crate::random::Random;
use crate::repository::Repository;
use crate::seeds::Seeds;
use crate::verbs::{self, ALL, Case, Verb};
use crate::{git, revisions};

/// The most memory of a run.
const MOST_BYTES: usize = 512 << 20;

/// How often the worker says how far it is.
const REPORT: Duration = Duration::from_secs(20);

/// Where the last panic was.
static PANIC: Mutex<String> = Mutex::new(String::new());
/// How many panics there were, on any thread.
static PANICS: AtomicUsize = AtomicUsize::new(0);

/// What is attacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The files of a repository, by every verb.
    Files,
    /// What git keeps of it, by the verbs that read revisions.
    Git,
    /// Promises, and the data that they are about.
    Promises,
    /// Templates of Jinja2.
    Jinja2,
}

impl Kind {
    /// The kinds by their names.
    const NAMES: [(&'static str, Kind); 4] =
        [("files", Kind::Files), ("git", Kind::Git), ("promises", Kind::Promises), ("jinja2", Kind::Jinja2)];

    /// The kind of a name.
    pub(crate) fn of_name(name: &str) -> Option<Kind> {
        Kind::NAMES.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
    }

    /// The name of the kind.
    pub(crate) fn name(self) -> &'static str {
        Kind::NAMES.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }

    /// The verbs, in the order in which they run.
    pub(crate) fn verbs(self) -> &'static [Verb] {
        match self {
            Kind::Files => &ALL,
            Kind::Git => &revisions::ALL,
            Kind::Promises => &verbs::PROMISES,
            Kind::Jinja2 => &verbs::TEMPLATES,
        }
    }
}

/// What one run of a verb had wrong with it.
pub(crate) enum Fault {
    Panic(String),
    Time,
    Memory,
    /// What was opened outside of the repository.
    Outside(Vec<String>),
}

impl Fault {
    /// Its kind, and what is known of it, in reports.
    pub(crate) fn told(&self) -> (&'static str, String) {
        match self {
            Fault::Panic(detail) => ("panic", detail.clone()),
            Fault::Time => ("time", String::new()),
            Fault::Memory => ("memory", String::new()),
            Fault::Outside(names) => ("outside", names.join(" ")),
        }
    }
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
        PANICS.fetch_add(1, Ordering::SeqCst);
    }));
}

/// Runs one verb.
pub(crate) fn run(kind: Kind, verb: usize, case: &Case<'_>, seed: u64, outside: &Outside) -> (Cost, Option<Fault>) {
    let panics = PANICS.load(Ordering::SeqCst);
    let mut random = Random::new(seed ^ ((verb as u64 + 1) << 48));
    let work = || catch_unwind(AssertUnwindSafe(|| (kind.verbs()[verb].1)(case, &mut random)));
    let (outcome, cost) = measured(work);
    let opened = outside.opened();
    let fault = match outcome {
        Err(panic) => Some(Fault::Panic(told(&*panic))),
        // On another thread, whose result says no more of it.
        Ok(()) if PANICS.load(Ordering::SeqCst) > panics => Some(Fault::Panic(told(&""))),
        Ok(()) if kind == Kind::Git && !opened.is_empty() => Some(Fault::Outside(opened)),
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
    match kind {
        Kind::Files => return mutation::repository(seeds, &mut random),
        Kind::Promises => {
            let repository = seeds.promises(&mut random);
            return mutation::with_other_texts(repository, seeds, &mut random);
        }
        Kind::Jinja2 => {
            let repository = seeds.template(&mut random);
            return mutation::with_other_texts(repository, seeds, &mut random);
        }
        Kind::Git => {}
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
    let outside = match Outside::make(&root.join("outside")) {
        Ok(outside) => outside,
        Err(error) => {
            println!("the folder outside cannot be watched: {error}");
            return;
        }
    };
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
            let (cost, fault) = run(kind, verb, &case, seed, &outside);
            runs += 1;
            if cost.time > slowest.0 {
                slowest = (cost.time, seed, name);
            }
            if cost.bytes > largest.0 {
                largest = (cost.bytes, seed, name);
            }
            let Some(fault) = fault else { continue };
            let (kind, detail) = fault.told();
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
    use hieratic_report::Head;

    use super::*;

    /// Held by the test whose memory is measured.
    static ALONE: Mutex<()> = Mutex::new(());

    /// The first of the seeds that campaigns run, so that each test of the workspace runs some.
    #[test]
    fn hostile_repositories_of_git_cost_little_and_panic_nowhere() {
        first_seeds(Kind::Git, 150);
    }

    #[test]
    fn promises_cost_little_and_panic_nowhere() {
        first_seeds(Kind::Promises, 150);
    }

    #[test]
    fn templates_of_jinja2_cost_little_and_panic_nowhere() {
        first_seeds(Kind::Jinja2, 400);
    }

    fn first_seeds(kind: Kind, count: u64) {
        let _alone = ALONE.lock();
        listen();
        let seeds = Seeds::load();
        let scratch = scratch();
        let root = scratch.join("repository");
        let outside = Outside::make(&scratch.join("outside")).unwrap();
        for seed in 0..count {
            let repository = repository(kind, &seeds, seed);
            let _ = std::fs::remove_dir_all(&root);
            std::fs::create_dir_all(&root).unwrap();
            repository.write(&root);
            let case = Case { repository: &repository, root: &root };
            for (verb, (name, _)) in kind.verbs().iter().enumerate() {
                match run(kind, verb, &case, seed, &outside) {
                    // Times are those of a build that is not optimized, beside other tests.
                    (_, None | Some(Fault::Time)) => {}
                    (cost, Some(fault)) => {
                        panic!("{name} with --kind {} --seed {seed}: {:?}, {cost:?}", kind.name(), fault.told());
                    }
                }
            }
        }
        std::fs::remove_dir_all(&scratch).unwrap();
    }

    /// Folders that are all the same one have many paths and few bytes. Paths are held by all that a comparison is made of.
    #[test]
    fn bombs_of_folders_take_little_memory_with_the_limits_of_the_command() {
        const MOST: usize = 160 << 20;
        let _alone = ALONE.lock();
        let scratch = scratch().with_extension("bombs");
        for (width, depth, name) in [(10, 8, "n"), (10, 3, "n"), (6, 7, "a name of some length "), (2, 200, "n")] {
            let repository = git::bomb(width, depth, name);
            let root = scratch.join(format!("{width}-{depth}"));
            std::fs::create_dir_all(&root).unwrap();
            repository.write(&root);
            for head in [Head::Revision("main"), Head::WorkingTree] {
                let (ended, cost) = measured(|| revisions::compared_whole(&root, head));
                assert!(cost.bytes < MOST, "{width}^{depth} {head:?}: {ended:?} {cost:?}");
            }
        }
        std::fs::remove_dir_all(&scratch).unwrap();
    }
}
