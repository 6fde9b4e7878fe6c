//! How the work of a verb grows with the size of a repository, in one dimension after the other.
//!
//! Each case is a repository of which one thing grows (its keys, its nodes, the levels of its hierarchy), and the verbs
//! that are asked. A row has the exponent: 1 is growth in proportion, 2 with the square. Nothing fails because of time.

mod cases;
mod repository;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cases::{ALL, Case};
use repository::Repository;

/// The sizes of a case are these multiples of its first one.
const MULTIPLES: [usize; 3] = [1, 2, 4];
/// No larger size is tried after so many seconds.
const LONG: f64 = 20.0;
/// The cost of a run: processor seconds, and the peak of resident memory in KiB.
#[derive(Clone, Copy)]
struct Cost {
    seconds: f64,
    kibibytes: f64,
}

/// Measures programs, of which each has a label, and prints a row for each verb in each dimension whose name contains the
/// filter.
pub(crate) fn run(scratch: &Path, programs: &[&str], filter: &str) -> Result<(), String> {
    let programs: Vec<(&str, PathBuf)> = programs.iter().map(|program| labelled(program)).collect();
    let labels: Vec<&str> = programs.iter().map(|(label, _)| *label).collect();
    println!("| verb | grows | size | {} |", heading(&labels));
    println!("|---|---|---|{}", "---|---|---|---|".repeat(labels.len()));
    for case in ALL.iter().filter(|case| case.grows.contains(filter)) {
        measure(case, scratch, &programs)?;
    }
    Ok(())
}

/// A program, and its label: `before=/path/hieratic`.
fn labelled(program: &str) -> (&str, PathBuf) {
    match program.split_once('=') {
        Some((label, path)) => (label, path.into()),
        None => ("", program.into()),
    }
}

fn heading(labels: &[&str]) -> String {
    let columns = |label: &&str| {
        ["exponent", "seconds", "MiB", "KiB for each more"].map(|column| format!("{column} {label}").trim().to_owned())
    };
    labels.iter().flat_map(columns).collect::<Vec<_>>().join(" | ")
}

fn measure(case: &Case, scratch: &Path, programs: &[(&str, PathBuf)]) -> Result<(), String> {
    // By verb and program: the sizes with their costs.
    let mut costs: Vec<Vec<Vec<(usize, Cost)>>> = vec![vec![Vec::new(); programs.len()]; case.verbs.len()];
    for size in MULTIPLES.map(|multiple| case.size * multiple) {
        let folder = scratch.join("repository");
        // There is none before the first case.
        drop(fs::remove_dir_all(&folder));
        let repository = Repository::new(&folder);
        (case.write)(&repository, size).map_err(|error| format!("{}: {error}", case.grows))?;
        for (verb, of_verb) in case.verbs.iter().zip(&mut costs) {
            for ((_, program), known) in programs.iter().zip(of_verb) {
                if known.last().is_some_and(|(_, cost)| cost.seconds > LONG) {
                    continue;
                }
                known.push((size, cost(program, &verb.replace("{size}", &size.to_string()), &folder)?));
            }
        }
    }
    for (verb, of_verb) in case.verbs.iter().zip(&costs) {
        let largest = of_verb.iter().flatten().map(|(size, _)| *size).max().unwrap_or(0);
        let cells: Vec<String> = of_verb.iter().map(|costs| cells(costs)).collect();
        println!("| `{}` | {} | {largest} | {} |", name(verb), case.grows, cells.join(" | "));
    }
    Ok(())
}

/// The verb with its flags, without the nodes and files that all cases have.
fn name(verb: &str) -> String {
    let words = verb.split(' ').filter(|word| !matches!(*word, "facts.ndjson" | "n000000.example.com"));
    words.collect::<Vec<_>>().join(" ")
}

fn cells(costs: &[(usize, Cost)]) -> String {
    let Some((_, last)) = costs.last() else { return "| | |".to_owned() };
    let exponent = exponent(costs).map_or("-".to_owned(), |exponent| format!("{exponent:.1}"));
    let each = memory_of_each(costs).map_or("-".to_owned(), |each| format!("{each:.1}"));
    format!("{exponent} | {:.2} | {:.0} | {each}", last.seconds, last.kibibytes / 1024.0)
}

/// The memory in KiB by which a run grows for each unit of size, from the first size to the last. What is bounded grows
/// by nothing.
fn memory_of_each(costs: &[(usize, Cost)]) -> Option<f64> {
    let ((small, less), (large, more)) = (costs.first()?, costs.last()?);
    let units = large.checked_sub(*small).filter(|units| *units > 0)?;
    Some(((more.kibibytes - less.kibibytes) / units as f64).max(0.0))
}

/// The slope of the logarithm of the time over that of the size, from the first to the last. A run that takes no longer
/// than a program needs to start says nothing.
fn exponent(costs: &[(usize, Cost)]) -> Option<f64> {
    const SHORTEST: f64 = 0.05;
    let ((small, less), (large, more)) = (costs.first()?, costs.last()?);
    if more.seconds < SHORTEST || small == large {
        return None;
    }
    let slope = (more.seconds / less.seconds.max(0.01)).ln() / (*large as f64 / *small as f64).ln();
    Some(slope.max(0.0))
}

/// Runs a program in a folder. Time has a resolution of 10 ms.
fn cost(program: &Path, verb: &str, folder: &Path) -> Result<Cost, String> {
    let report = folder.with_extension("time");
    let mut best: Option<Cost> = None;
    for _ in 0..2 {
        let status = Command::new("/usr/bin/time")
            .args(["-o", &report.display().to_string(), "-f", "%U %S %M"])
            .arg(program)
            .args(verb.split(' '))
            .current_dir(folder)
            .env_remove("HIERATIC_CONFIG")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        status.map_err(|error| format!("GNU time is needed: {error}"))?;
        let text = fs::read_to_string(&report).map_err(|error| error.to_string())?;
        let numbers: Vec<f64> =
            text.lines().last().unwrap_or_default().split(' ').filter_map(|word| word.parse().ok()).collect();
        let [user, system, kibibytes] = numbers[..] else { return Err(format!("unexpected output of time: {text}")) };
        let cost = Cost { seconds: user + system, kibibytes };
        // Other load makes a run slower, never faster.
        if best.is_none_or(|best| cost.seconds < best.seconds) {
            best = Some(cost);
        }
        if cost.seconds > 2.0 {
            break;
        }
    }
    best.ok_or_else(|| "nothing was run".to_owned())
}
