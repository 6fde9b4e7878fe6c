//! A good client of a service beside attackers: how long its answers take, quiet and attacked.
//!
//! The attackers hold what a service has little of: connections that say nothing or half of something, bodies that never end,
//! questions that take for ever, patterns that search everything, bodies that are too large, comparisons of revisions that have a billion
//! files, frames of HTTP/2 that cost a server more than a client. They are patient, and come again as soon as they are thrown out; those
//! that ask wait a tenth of a second after each answer, because how many plain requests a machine can take is another question
//! (`benches/compare-service` answers it). Pages of strangers ask under a name of theirs that leads here, and must learn nothing.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::load::{Chance, Connection};
use crate::repository;

/// The name of the environment whose data the attackers ask for.
const ENVIRONMENT: &str = "attacked";

/// How many lookups a chain would lead to: two to this power.
const CHAIN: usize = 40;

/// The pause between two requests of one client.
const PAUSE: Duration = Duration::from_millis(5);

/// The pause of an attacker that was answered.
const AGAIN: Duration = Duration::from_millis(100);

/// Writes an environment beside the generated one that has what attackers like: keys that lead to each other without end,
/// a level that searches for what a fact says, and a back end that sleeps.
pub(crate) fn prepare(folder: &Path) -> Result<(), String> {
    let root = folder.join("environments").join(ENVIRONMENT);
    let told = |error: std::io::Error| format!("{}: {error}", root.display());
    std::fs::create_dir_all(root.join("data/a/b/c/d")).map_err(told)?;
    let hiera = "version: 5\nhierarchy:\n  - {name: Found, glob: '%{facts.pattern}'}\n  - {name: Common, path: common.yaml}\n  - \
                 {name: Slow, lookup_key: slow}\n";
    let backends = "version: 1\nbackends:\n  slow: {command: [./slow.sh], timeout: 30}\n";
    let mut data = String::from("lookup_options: {}\n");
    for link in 0..CHAIN {
        data.push_str(&format!("chain{link}: \"%{{lookup('chain{0}')}}%{{lookup('chain{0}')}}\"\n", link + 1));
    }
    data.push_str(&format!("chain{CHAIN}: ''\n"));
    // The options of keys are asked for first, whatever the key, and are not there.
    let script = "#!/bin/sh\nwhile read -r line; do\n  id=$(printf '%s' \"$line\" | sed 's/.*\"id\": *\\([0-9]*\\).*/\\1/')\n  case $line in\n    \
                  *sleep*) sleep 20 ;;\n    *) printf '{\"id\": %s, \"not_found\": true}\\n' \"$id\" ;;\n  esac\ndone\n";
    for (name, text) in [
        ("hiera.yaml", hiera),
        ("hieratic.yaml", backends),
        ("data/common.yaml", &data),
        ("data/a/b/c/d/e.yaml", "e: 1\n"),
        ("slow.sh", script),
    ] {
        std::fs::write(root.join(name), text).map_err(told)?;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(root.join("slow.sh"), std::fs::Permissions::from_mode(0o755)).map_err(told)?;
    }
    Ok(())
}

/// What the attackers have met.
#[derive(Default)]
struct Met {
    opened: AtomicU64,
    closed: AtomicU64,
    answered: AtomicU64,
    refused: AtomicU64,
}

impl Met {
    fn told(&self, name: &str) -> String {
        let of = |count: &AtomicU64| count.load(Ordering::Relaxed);
        format!(
            "{name}: opened {} closed {} answered {} refused {}",
            of(&self.opened),
            of(&self.closed),
            of(&self.answered),
            of(&self.refused)
        )
    }
}

/// Attacks a service until the time is over, and prints what it met.
pub(crate) fn attack(address: &str, seconds: u64) -> Result<(), String> {
    let end = Instant::now() + Duration::from_secs(seconds);
    let met: [Met; 11] = Default::default();
    let learned = AtomicU64::new(0);
    let head = format!("POST /v1/lookup HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n");
    let body = format!("{head}Content-Length: 100000\r\n\r\n{{");
    let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00";
    std::thread::scope(|scope| {
        let [silent, half, http2, bodies, chains, sleepers, globs, large, revisions, frames, strangers] = &met;
        scope.spawn(|| hold(address, end, 1024, b"", b"", silent));
        scope.spawn(|| hold(address, end, 64, head.as_bytes(), b"", half));
        scope.spawn(|| hold(address, end, 64, preface, b"", http2));
        scope.spawn(|| hold(address, end, 256, body.as_bytes(), b" ", bodies));
        for number in 0..64 {
            scope.spawn(move || ask(address, end, number, chains, &|chance| {
                let salt = chance.below(1 << 30);
                format!(r#"{{"environment":"{ENVIRONMENT}","facts":{{"pattern":"none","salt":{salt}}},"keys":["chain0","chain1","chain2"]}}"#)
            }));
        }
        for number in 0..16 {
            scope.spawn(move || ask(address, end, number, sleepers, &|chance| {
                let salt = chance.below(1 << 30);
                format!(r#"{{"environment":"{ENVIRONMENT}","facts":{{"pattern":"none","salt":{salt}}},"keys":["sleep"]}}"#)
            }));
            scope.spawn(move || ask(address, end, number, globs, &|chance| {
                let pattern = match chance.below(3) {
                    0 => "{a,b,c,d,e,f,g,h,i,j}".repeat(12),
                    1 => "**/*/".repeat(20),
                    _ => format!("{}x", "{a,{..,b}}/{..,x}/".repeat(9)),
                };
                let salt = chance.below(1 << 30);
                format!(r#"{{"environment":"{ENVIRONMENT}","facts":{{"pattern":"{pattern}","salt":{salt}}},"keys":["e"]}}"#)
            }));
        }
        for number in 0..8 {
            let head = &head;
            scope.spawn(move || flood(address, end, head, number % 2 == 0, large));
        }
        for number in 0..6 {
            scope.spawn(move || {
                let paths = [
                    format!("/v1/changes?environment={ENVIRONMENT}&base=HEAD~1&head=HEAD"),
                    format!("/v1/changes?environment={ENVIRONMENT}&base=HEAD~1"),
                    format!("/v1/history?environment={ENVIRONMENT}&node=n&key=e"),
                ];
                get(address, end, address, &paths[number % paths.len()], revisions);
            });
        }
        for number in 0..10 {
            scope.spawn(move || frames_without_end(address, end, number, frames));
        }
        for number in 0..4 {
            let learned = &learned;
            scope.spawn(move || {
                let host =
                    ["rebound.example", "127.0.0.1.example:80", "localhost.example", "[::1].example"][number % 4];
                let node = repository::node(number);
                let path = format!("/v1/nodes/{node}/keys");
                learned.fetch_add(get(address, end, host, &path, strangers), Ordering::Relaxed);
            });
        }
    });
    let names = [
        "silent",
        "half a head",
        "HTTP/2 without streams",
        "slow bodies",
        "chains",
        "sleepers",
        "patterns",
        "large bodies",
        "revisions",
        "frames",
        "strangers",
    ];
    for (name, met) in names.iter().zip(&met) {
        println!("{}", met.told(name));
    }
    match learned.load(Ordering::Relaxed) {
        0 => Ok(()),
        count => Err(format!("{count} requests under the name of a stranger were answered")),
    }
}

/// Asks for a path under a name, again and again, each time on a new connection; how often that was answered as wished.
fn get(address: &str, end: Instant, host: &str, path: &str, met: &Met) -> u64 {
    let mut answered = 0;
    while Instant::now() < end {
        if let Ok(mut stream) = TcpStream::connect(address) {
            met.opened.fetch_add(1, Ordering::Relaxed);
            let mut start = [0; 12];
            let asked = stream
                .set_read_timeout(Some(Duration::from_secs(60)))
                .and_then(|()| write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"))
                .and_then(|()| stream.read_exact(&mut start))
                .and_then(|()| std::io::copy(&mut stream, &mut std::io::sink()));
            let count = match (asked, &start) {
                (Ok(_), b"HTTP/1.1 200") => {
                    answered += 1;
                    &met.answered
                }
                (Ok(_), _) => &met.refused,
                (Err(_), _) => &met.closed,
            };
            count.fetch_add(1, Ordering::Relaxed);
        }
        std::thread::sleep(AGAIN);
    }
    answered
}

/// A frame of HTTP/2. See RFC 9113, section 4.1.
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap_or(0).to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// Sends frames of HTTP/2 that a server has to answer or to keep, as long as it takes them: settings, pings, requests that are cancelled
/// at once, a head that never ends, windows, requests whose answers nobody takes.
fn frames_without_end(address: &str, end: Instant, number: usize, met: &Met) {
    const DATA: u8 = 0;
    const HEADERS: u8 = 1;
    const PRIORITY: u8 = 2;
    const RESET: u8 = 3;
    const SETTINGS: u8 = 4;
    const PING: u8 = 6;
    const WINDOW: u8 = 8;
    const CONTINUATION: u8 = 9;
    /// How many frames are sent between two pauses.
    const AT_ONCE: u32 = 10;
    // GET /healthz for localhost, compressed by the static table.
    let head = b"\x82\x86\x04\x08/healthz\x01\x09localhost";
    while Instant::now() < end {
        let Ok(mut stream) = TcpStream::connect(address) else { continue };
        met.opened.fetch_add(1, Ordering::Relaxed);
        let no_window = frame(SETTINGS, 0, 0, &[0, 4, 0, 0, 0, 0]);
        let mut sent = stream
            .set_write_timeout(Some(Duration::from_secs(20)))
            .and_then(|()| stream.set_read_timeout(Some(Duration::from_millis(1))))
            .and_then(|()| stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))
            .and_then(|()| stream.write_all(&no_window));
        let mut id = 1;
        while sent.is_ok() && Instant::now() < end {
            let mut batch = Vec::new();
            for _ in 0..AT_ONCE {
                batch.extend(match number % 5 {
                    0 => frame(SETTINGS, 0, 0, &[0, 3, 0, 0, 0, 100]),
                    1 => frame(PING, 0, 0, b"12345678"),
                    2 => [frame(HEADERS, 5, id, head), frame(RESET, 0, id, &[0, 0, 0, 8])].concat(),
                    3 if id == 1 => frame(HEADERS, 1, id, head),
                    3 => frame(CONTINUATION, 0, 1, &[0x82; 64]),
                    _ => [
                        frame(HEADERS, 5, id, head),
                        frame(WINDOW, 0, 0, &[0, 0, 0, 1]),
                        frame(PRIORITY, 0, id, &[0, 0, 0, 0, 1]),
                        frame(DATA, 0, id, b""),
                    ]
                    .concat(),
                });
                id += 2;
            }
            sent = stream.write_all(&batch);
            let mut answers = [0; 16 << 10];
            match stream.read(&mut answers) {
                Ok(0) => break,
                Ok(_) => _ = met.answered.fetch_add(1, Ordering::Relaxed),
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Err(_) => break,
            }
            std::thread::sleep(PAUSE);
        }
        met.closed.fetch_add(1, Ordering::Relaxed);
        std::thread::sleep(AGAIN);
    }
}

/// Holds connections open that say something once, and perhaps a little more each second, but never enough.
fn hold(address: &str, end: Instant, count: usize, first: &[u8], more: &[u8], met: &Met) {
    let mut held: Vec<Option<TcpStream>> = (0..count).map(|_| None).collect();
    while Instant::now() < end {
        for slot in &mut held {
            if let Some(stream) = slot {
                let mut byte = [0; 64];
                let gone = match stream.read(&mut byte) {
                    Ok(0) => true,
                    Ok(_) => false,
                    Err(error) => error.kind() != ErrorKind::WouldBlock,
                };
                if gone || !more.is_empty() && stream.write_all(more).is_err() {
                    met.closed.fetch_add(1, Ordering::Relaxed);
                    *slot = None;
                }
            }
            if slot.is_none()
                && let Ok(mut stream) = TcpStream::connect(address)
                && stream.write_all(first).is_ok()
                && stream.set_nonblocking(true).is_ok()
            {
                met.opened.fetch_add(1, Ordering::Relaxed);
                *slot = Some(stream);
            }
        }
        std::thread::sleep(Duration::from_secs(1));
    }
}

/// Asks what takes long, again and again.
fn ask(address: &str, end: Instant, number: u64, met: &Met, question: &dyn Fn(&mut Chance) -> String) {
    let mut chance = Chance(0x5851_F42D_4C95_7F2D ^ (number + 1));
    while Instant::now() < end {
        if let Ok(mut connection) = Connection::open(address) {
            met.opened.fetch_add(1, Ordering::Relaxed);
            while Instant::now() < end {
                match connection.ask(&question(&mut chance)) {
                    Ok((200, _)) => met.answered.fetch_add(1, Ordering::Relaxed),
                    Ok(_) => met.refused.fetch_add(1, Ordering::Relaxed),
                    Err(_) => break,
                };
                std::thread::sleep(AGAIN);
            }
            met.closed.fetch_add(1, Ordering::Relaxed);
        }
        std::thread::sleep(AGAIN);
    }
}

/// Sends bodies that are too large: announced, or in pieces without an end.
fn flood(address: &str, end: Instant, head: &str, announced: bool, met: &Met) {
    let piece = [b'x'; 16 << 10];
    while Instant::now() < end {
        let Ok(mut stream) = TcpStream::connect(address) else { continue };
        met.opened.fetch_add(1, Ordering::Relaxed);
        let framing = if announced { "Content-Length: 1000000000" } else { "Transfer-Encoding: chunked" };
        let mut sent = stream.write_all(format!("{head}{framing}\r\n\r\n").as_bytes());
        while sent.is_ok() && Instant::now() < end {
            sent = if announced {
                stream.write_all(&piece)
            } else {
                write!(stream, "{:x}\r\n", piece.len())
                    .and_then(|()| stream.write_all(&piece))
                    .and_then(|()| stream.write_all(b"\r\n"))
            };
        }
        met.closed.fetch_add(1, Ordering::Relaxed);
        std::thread::sleep(AGAIN);
    }
}

/// What the good client has met.
#[derive(Default)]
struct Good {
    times: Vec<u32>,
    errors: u64,
    opened: u64,
}

/// Asks as a good client does, on two connections that stay open, and for the sign of life on a new one each second; prints
/// how long it took.
pub(crate) fn client(address: &str, seconds: u64) -> Result<(), String> {
    let end = Instant::now() + Duration::from_secs(seconds);
    let (lookups, alive) = (Mutex::new(Good::default()), Mutex::new(Good::default()));
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let askers: Vec<_> = (0..2u64)
            .map(|number| {
                scope.spawn({
                    let lookups = &lookups;
                    move || good(address, end, number, lookups)
                })
            })
            .collect();
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                let asked = Instant::now();
                let outcome = sign_of_life(address);
                let mut alive = alive.lock().unwrap_or_else(PoisonError::into_inner);
                alive.opened += 1;
                alive.times.push(u32::try_from(asked.elapsed().as_micros()).unwrap_or(u32::MAX));
                alive.errors += u64::from(outcome.is_err());
                drop(alive);
                std::thread::sleep(Duration::from_secs(1));
            }
        });
        askers.into_iter().for_each(|asker| {
            let _ = asker.join();
        });
        done.store(true, Ordering::Relaxed);
    });
    told("lookups", &mut lookups.lock().unwrap_or_else(PoisonError::into_inner));
    told("healthz", &mut alive.lock().unwrap_or_else(PoisonError::into_inner));
    Ok(())
}

fn good(address: &str, end: Instant, number: u64, met: &Mutex<Good>) {
    let mut chance = Chance(0x9E37_79B9_7F4A_7C15 ^ (number + 1));
    let mut connection = None;
    while Instant::now() < end {
        let (node, key) = (chance.below(repository::NODES), chance.below(repository::KEYS));
        let body = format!(r#"{{"node":"{}","keys":["{}"]}}"#, repository::node(node), repository::name(key));
        let asked = Instant::now();
        let opened = connection.is_none();
        if opened {
            connection = Connection::open(address).ok();
        }
        let answer = connection.as_mut().map(|connection| connection.ask(&body));
        let whole =
            matches!(&answer, Some(Ok((200, answer))) if answer.windows(12).any(|part| part == b"\"found\":true"));
        if !whole {
            connection = None;
        }
        let mut met = met.lock().unwrap_or_else(PoisonError::into_inner);
        met.times.push(u32::try_from(asked.elapsed().as_micros()).unwrap_or(u32::MAX));
        met.errors += u64::from(!whole);
        met.opened += u64::from(opened);
        drop(met);
        std::thread::sleep(PAUSE);
    }
}

fn sign_of_life(address: &str) -> Result<(), String> {
    let told = |error: std::io::Error| error.to_string();
    let mut stream = TcpStream::connect(address).map_err(told)?;
    stream.set_read_timeout(Some(Duration::from_secs(20))).map_err(told)?;
    write!(stream, "GET /healthz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").map_err(told)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).map_err(told)?;
    if answer.starts_with("HTTP/1.1 200") { Ok(()) } else { Err(answer) }
}

/// Prints how many, the median, the 99th percentile and the slowest in milliseconds, connections and errors.
fn told(name: &str, met: &mut Good) {
    met.times.sort_unstable();
    let at = |share: f64| {
        let index = ((met.times.len() as f64 - 1.0) * share).max(0.0) as usize;
        f64::from(met.times.get(index).copied().unwrap_or(0)) / 1000.0
    };
    println!(
        "{name} {} p50_ms {:.3} p99_ms {:.3} slowest_ms {:.3} connections {} errors {}",
        met.times.len(),
        at(0.5),
        at(0.99),
        at(1.0),
        met.opened,
        met.errors
    );
}
