//! The campaign: a worker process runs the verbs, this one watches it and counts the faults.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::outside::Outside;
use crate::verbs::Case;
use crate::worker::{self, Kind};
use crate::{measure, seeds};

#[global_allocator]
static ALLOCATOR: measure::Counting = measure::Counting;

/// A run that takes longer than this hangs.
const HANG: Duration = Duration::from_secs(120);

/// The most faults of one kind that are reported.
const TOLD: usize = 5;

const USAGE: &str =
    "expected [--kind files|git|promises|jinja2] --repositories COUNT [--first SEED], or --seed SEED [--keep FOLDER]";

/// What the arguments ask for.
struct Asked {
    first: u64,
    repositories: u64,
    seed: Option<u64>,
    keep: Option<PathBuf>,
    /// The state file of a worker.
    worker: Option<PathBuf>,
    /// What is attacked.
    kind: Kind,
}

fn asked() -> Option<Asked> {
    let mut asked = Asked { first: 0, repositories: 10_000, seed: None, keep: None, worker: None, kind: Kind::Files };
    let mut arguments = std::env::args().skip(1);
    while let Some(flag) = arguments.next() {
        let value = arguments.next()?;
        match flag.as_str() {
            "--first" => asked.first = value.parse().ok()?,
            "--repositories" => asked.repositories = value.parse().ok()?,
            "--seed" => asked.seed = Some(value.parse().ok()?),
            "--keep" => asked.keep = Some(value.into()),
            "--worker" => asked.worker = Some(value.into()),
            "--kind" => asked.kind = Kind::of_name(&value)?,
            _ => return None,
        }
    }
    Some(asked)
}

pub fn run() -> ExitCode {
    let Some(asked) = asked() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let last = asked.first.saturating_add(asked.repositories);
    if let Some(state) = &asked.worker {
        return match File::options().write(true).open(state) {
            Ok(state) => {
                worker::work(asked.kind, asked.first, last, &state);
                ExitCode::SUCCESS
            }
            Err(error) => failed(&format!("the state file cannot be opened: {error}")),
        };
    }
    match asked.seed {
        Some(seed) => repeat(asked.kind, seed, asked.keep),
        None => supervise(asked.kind, asked.first, last),
    }
}

fn failed(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::FAILURE
}

/// Runs the verbs on the repository of one seed, and says what each cost.
fn repeat(kind: Kind, seed: u64, keep: Option<PathBuf>) -> ExitCode {
    let seeds = seeds::Seeds::load();
    let repository = worker::repository(kind, &seeds, seed);
    let scratch = worker::scratch();
    let root = keep.clone().unwrap_or_else(|| scratch.join("repository"));
    // Ways out of the repository lead to a folder beside it.
    let outside = match Outside::make(&root.parent().unwrap_or(&scratch).join("outside")) {
        Ok(outside) => outside,
        Err(error) => return failed(&format!("the folder outside cannot be watched: {error}")),
    };
    if let Err(error) = std::fs::create_dir_all(&root) {
        return failed(&format!("{} cannot be made: {error}", root.display()));
    }
    repository.write(&root);
    println!("{} files, {} bytes in {}", repository.files.len(), repository.size(), root.display());
    worker::listen();
    let case = Case { repository: &repository, root: &root };
    let mut status = ExitCode::SUCCESS;
    for (verb, (name, _)) in kind.verbs().iter().enumerate() {
        print!("{name:20}");
        let (cost, fault) = worker::run(kind, verb, &case, seed, &outside);
        print!("{:>10.1?} {:>6} KiB", cost.time, cost.bytes >> 10);
        if let Some(fault) = fault {
            status = ExitCode::FAILURE;
            let (kind, detail) = fault.told();
            print!("  {kind} {detail}");
        }
        println!();
    }
    if keep.is_none() {
        let _ = std::fs::remove_dir_all(&scratch);
    }
    status
}

/// Runs workers until all seeds are done, and counts the faults by their sorts.
fn supervise(kind: Kind, first: u64, last: u64) -> ExitCode {
    let begun = Instant::now();
    let state_path = worker::scratch().with_extension("state");
    let state = match File::options().read(true).write(true).create(true).truncate(true).open(&state_path) {
        Ok(state) => state,
        Err(error) => return failed(&format!("{} cannot be written: {error}", state_path.display())),
    };
    let mut faults: BTreeMap<String, (usize, u64)> = BTreeMap::new();
    let mut next = first;
    while next < last {
        let _ = state.write_all_at(&[next, 0].map(u64::to_le_bytes).concat(), 0);
        let (mut child, lines) = match worker(kind, next, last, &state_path) {
            Ok(started) => started,
            Err(error) => return failed(&format!("the worker cannot be started: {error}")),
        };
        let mut seen = (next, 0);
        let mut since = Instant::now();
        let hung = loop {
            match lines.recv_timeout(Duration::from_secs(5)) {
                Ok(line) => heard(&line, &mut faults),
                Err(RecvTimeoutError::Disconnected) => break false,
                Err(RecvTimeoutError::Timeout) => {}
            }
            let now = current(&state);
            if now != seen {
                (seen, since) = (now, Instant::now());
            } else if since.elapsed() > HANG {
                break true;
            }
        };
        if hung {
            let _ = child.kill();
        }
        let status = child.wait();
        let (seed, verb) = current(&state);
        let name = kind.verbs().get(usize::try_from(verb).unwrap_or(0)).map_or("", |(name, _)| name);
        if hung {
            heard(&format!("fault\t{seed}\t{name}\thang\tmore than {} s\t", HANG.as_secs()), &mut faults);
        } else if !status.as_ref().is_ok_and(std::process::ExitStatus::success) {
            let status = status.map_or_else(|error| error.to_string(), |status| status.to_string());
            heard(&format!("fault\t{seed}\t{name}\tdied\t{status}\t"), &mut faults);
        } else {
            break;
        }
        next = seed + 1;
    }
    let _ = std::fs::remove_file(&state_path);
    println!("{} repositories in {:.0} s", last - first, begun.elapsed().as_secs_f64());
    for (sort, (count, seed)) in &faults {
        println!("{count:8}  {sort}, first with --seed {seed}");
    }
    if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The seed and the verb that a worker is at.
fn current(state: &File) -> (u64, u64) {
    let mut bytes = [[0; 8]; 2];
    let _ = state.read_exact_at(bytes.as_flattened_mut(), 0);
    (u64::from_le_bytes(bytes[0]), u64::from_le_bytes(bytes[1]))
}

fn worker(kind: Kind, first: u64, last: u64, state: &std::path::Path) -> std::io::Result<(Child, Receiver<String>)> {
    let mut child = Command::new(std::env::current_exe()?)
        .args(["--worker".as_ref(), state.as_os_str()])
        .args(["--kind", kind.name()])
        .args(["--first", &first.to_string(), "--repositories", &(last - first).to_string()])
        .env("RAYON_NUM_THREADS", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()?;
    let (send, lines) = channel();
    if let Some(out) = child.stdout.take() {
        std::thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    break;
                }
            }
        });
    }
    Ok((child, lines))
}

/// Tells a line of a worker, unless as many of its sort have been told.
fn heard(line: &str, faults: &mut BTreeMap<String, (usize, u64)>) {
    let fields: Vec<&str> = line.split('\t').collect();
    let ["fault", seed, verb, kind, cost, detail] = fields[..] else {
        println!("{}", line.replace('\t', " "));
        return;
    };
    let place = detail.split(' ').next().unwrap_or("");
    let sort = format!("{kind} in {verb} {place}");
    let known = faults.entry(sort).or_insert((0, seed.parse().unwrap_or(0)));
    known.0 += 1;
    if known.0 <= TOLD {
        println!("{kind} in {verb} with --seed {seed}: {cost} {detail}");
    }
}
