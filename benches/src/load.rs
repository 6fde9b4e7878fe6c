//! Load on a service that runs already: requests per second, the slowest, and whether every answer is whole.
//!
//! Every connection is a thread that sends one request after the other and waits for each answer.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use hieratic::{Value, json};

use crate::repository;

/// What a run of load found.
struct Outcome {
    /// How long each request took, in microseconds.
    times: Vec<u32>,
    /// Answers that are neither one version nor the other.
    torn: u64,
    /// Answers that are none.
    failed: u64,
    /// How often each version was seen.
    versions: [u64; 2],
}

/// A connection that stays open.
pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
    address: String,
}

impl Connection {
    pub(crate) fn open(address: &str) -> Result<Connection, String> {
        let stream = TcpStream::connect(address).map_err(|error| format!("{address}: {error}"))?;
        stream.set_nodelay(true).map_err(|error| error.to_string())?;
        // Longer than any service takes for an answer, be it a refusal.
        stream.set_read_timeout(Some(Duration::from_secs(60))).map_err(|error| error.to_string())?;
        Ok(Connection { stream: BufReader::new(stream), address: address.into() })
    }

    /// The status and the body of the answer to a request.
    pub(crate) fn ask(&mut self, body: &str) -> Result<(u16, Vec<u8>), String> {
        let request = format!(
            "POST /v1/lookup HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        let told = |error: std::io::Error| error.to_string();
        self.stream.get_mut().write_all(request.as_bytes()).map_err(told)?;
        let mut line = String::new();
        self.stream.read_line(&mut line).map_err(told)?;
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or("no status")?;
        let mut length = 0;
        loop {
            line.clear();
            self.stream.read_line(&mut line).map_err(told)?;
            if line.trim().is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().map_err(|_| "no length")?;
            }
        }
        let mut answer = vec![0; length];
        self.stream.read_exact(&mut answer).map_err(told)?;
        Ok((status, answer))
    }
}

/// A cheap series of numbers that look like chance.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).unwrap_or(0)
    }
}

/// Asks for random keys of random nodes, as many as are wanted, and prints what came of it.
pub(crate) fn run(address: &str, connections: usize, requests: u64) -> Result<(), String> {
    load(address, connections, requests, &|chance| {
        let (node, key) = (chance.below(repository::NODES), chance.below(repository::KEYS));
        format!(r#"{{"node":"{}","keys":["{}"]}}"#, repository::node(node), repository::name(key))
    })
}

fn load(
    address: &str,
    connections: usize,
    requests: u64,
    question: &(dyn Fn(&mut Chance) -> String + Sync),
) -> Result<(), String> {
    let left = AtomicU64::new(requests);
    let start = Instant::now();
    let outcomes = in_threads(connections, &|number| {
        let mut connection = Connection::open(address)?;
        let mut chance = Chance(0x9E37_79B9_7F4A_7C15 ^ (number as u64 + 1));
        let mut outcome = Outcome { times: Vec::new(), torn: 0, failed: 0, versions: [0; 2] };
        while left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok() {
            let body = question(&mut chance);
            let asked = Instant::now();
            let (status, answer) = connection.ask(&body)?;
            outcome.times.push(u32::try_from(asked.elapsed().as_micros()).unwrap_or(u32::MAX));
            // Every key of the repository has a value.
            let found = answer.windows(12).any(|part| part == b"\"found\":true");
            outcome.failed += u64::from(status != 200 || !found);
        }
        Ok(outcome)
    })?;
    told(&outcomes, start.elapsed())
}

fn in_threads(count: usize, work: &(dyn Fn(usize) -> Result<Outcome, String> + Sync)) -> Result<Vec<Outcome>, String> {
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..count.max(1)).map(|number| scope.spawn(move || work(number))).collect();
        workers.into_iter().map(|worker| worker.join().unwrap_or_else(|_| Err("a thread failed".into()))).collect()
    })
}

/// Prints requests, seconds, requests per second, the median, 99th percentile and slowest in milliseconds, and what was
/// wrong; anything wrong is an error.
fn told(outcomes: &[Outcome], elapsed: Duration) -> Result<(), String> {
    let mut times: Vec<u32> = outcomes.iter().flat_map(|outcome| outcome.times.iter().copied()).collect();
    times.sort_unstable();
    let at = |share: f64| {
        let index = ((times.len() as f64 - 1.0) * share).max(0.0) as usize;
        f64::from(times.get(index).copied().unwrap_or(0)) / 1000.0
    };
    let seconds = elapsed.as_secs_f64();
    let sum = |of: fn(&Outcome) -> u64| outcomes.iter().map(of).sum::<u64>();
    let (torn, failed) = (sum(|outcome| outcome.torn), sum(|outcome| outcome.failed));
    println!(
        "requests {} seconds {seconds:.2} per_second {:.0} median_ms {:.3} p99_ms {:.3} p99.9_ms {:.3} slowest_ms {:.3} torn {torn} failed {failed} versions {} {}",
        times.len(),
        times.len() as f64 / seconds,
        at(0.5),
        at(0.99),
        at(0.999),
        at(1.0),
        sum(|outcome| outcome.versions[0]),
        sum(|outcome| outcome.versions[1]),
    );
    if torn + failed > 0 { Err(format!("{torn} answers are torn, {failed} are none")) } else { Ok(()) }
}

/// The levels that are rewritten together: a key that is merged over all of them shows every one.
const LEVELS: [&str; 4] = ["common.yaml", "os/Debian.yaml", "sites/site0.yaml", "roles/role0.yaml"];

/// The key that tells the versions. Each level adds its own to it, at the end of its file.
const VERSION: &str = "app::list_version";

/// Writes the versions.
struct Rewriter {
    files: Vec<(PathBuf, [String; 2])>,
    /// Whether files are written over where they are, in two pieces, instead of renamed into their places.
    in_place: bool,
}

impl Rewriter {
    fn new(folder: &Path, in_place: bool) -> Result<Rewriter, String> {
        let data = folder.join("environments/production/data");
        let files = LEVELS.iter().map(|level| {
            let path = data.join(level);
            let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            // What an earlier run has left.
            let text = text.split(VERSION).next().unwrap_or_default().to_string();
            let version =
                |letter: char| format!("{text}{VERSION}:\n  - '{letter} {level}'\n  - '{letter} end of {level}'\n");
            Ok((path, [version('a'), version('b')]))
        });
        Ok(Rewriter { files: files.collect::<Result<_, String>>()?, in_place })
    }

    fn write(&self, version: usize) -> Result<(), String> {
        for (path, texts) in &self.files {
            let text = &texts[version];
            let written = if self.in_place {
                // The worst that an editor can do: the file is empty, then half, then whole.
                std::fs::File::create(path).and_then(|mut file| {
                    let (first, second) = text.as_bytes().split_at(text.len() / 2);
                    file.write_all(first)?;
                    std::thread::sleep(Duration::from_micros(500));
                    file.write_all(second)
                })
            } else {
                let beside = path.with_extension("new");
                std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, path))
            };
            written.map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(())
    }
}

/// Asks while four files of the hierarchy are rewritten, and looks at every answer: it has to be of one version.
pub(crate) fn rewriting(
    address: &str,
    folder: &Path,
    connections: usize,
    seconds: u64,
    per_second: u64,
    in_place: bool,
) -> Result<(), String> {
    let rewriter = Rewriter::new(folder, in_place)?;
    rewriter.write(0)?;
    std::thread::sleep(Duration::from_millis(200));
    let ended = AtomicBool::new(false);
    let start = Instant::now();
    let (outcomes, rewrites) = std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let (mut rewrites, mut longest) = (0usize, Duration::ZERO);
            let pause = Duration::from_nanos(1_000_000_000 / per_second.max(1));
            while !ended.load(Ordering::Relaxed) {
                let next = Instant::now() + pause;
                rewrites += 1;
                let begun = Instant::now();
                rewriter.write(rewrites % 2)?;
                longest = longest.max(begun.elapsed());
                std::thread::sleep(next.saturating_duration_since(Instant::now()));
            }
            Ok::<_, String>((rewrites, longest))
        });
        let outcomes = in_threads(connections, &|number| watch(address, number, start + Duration::from_secs(seconds)));
        ended.store(true, Ordering::Relaxed);
        (outcomes, writer.join().unwrap_or_else(|_| Err("the writer failed".into())))
    });
    let (rewrites, longest) = rewrites?;
    let longest = longest.as_secs_f64() * 1000.0;
    println!("rewrites {rewrites} of {} files slowest_rewrite_ms {longest:.1}", LEVELS.len());
    told(&outcomes?, start.elapsed())
}

fn watch(address: &str, number: usize, end: Instant) -> Result<Outcome, String> {
    let mut connection = Connection::open(address)?;
    let mut chance = Chance(0xD1B5_4A32_D192_ED03 ^ (number as u64 + 1));
    let mut outcome = Outcome { times: Vec::new(), torn: 0, failed: 0, versions: [0; 2] };
    // The nodes that see all four files: role 0, site 0 and the first family.
    let nodes: Vec<usize> = (0..repository::NODES).filter(|node| node % 60 == 0).collect();
    while Instant::now() < end {
        let node = nodes.get(chance.below(nodes.len())).copied().unwrap_or(0);
        let key = repository::name(chance.below(repository::KEYS));
        let body = format!(r#"{{"node":"{}","keys":["{VERSION}","{key}"]}}"#, repository::node(node));
        let asked = Instant::now();
        let (status, answer) = connection.ask(&body)?;
        outcome.times.push(u32::try_from(asked.elapsed().as_micros()).unwrap_or(u32::MAX));
        match (status, version(&answer)) {
            (200, Some(version)) => outcome.versions[version] += 1,
            (200, None) => {
                outcome.torn += 1;
                eprintln!("torn: {}", String::from_utf8_lossy(&answer));
            }
            _ => {
                outcome.failed += 1;
                eprintln!("failed: {}", String::from_utf8_lossy(&answer));
            }
        }
    }
    Ok(outcome)
}

/// The version that an answer is, if all four levels are in it and of the same one, and the other key is there.
fn version(answer: &[u8]) -> Option<usize> {
    let answer = json::parse(answer).ok()?;
    let answers = answer.as_hash()?.get("answers")?.as_array()?;
    let [versions, other] = answers else { return None };
    if other.as_hash()?.get("found") != Some(&Value::Boolean(true)) {
        return None;
    }
    let list = versions.as_hash()?.get("value")?.as_array()?;
    let letters: Vec<&str> = list.iter().filter_map(|text| text.as_str()?.get(..1)).collect();
    let all = |letter: &str| letters.len() == 2 * LEVELS.len() && letters.iter().all(|one| *one == letter);
    match (all("a"), all("b")) {
        (true, _) => Some(0),
        (_, true) => Some(1),
        _ => None,
    }
}
