//! Tables that are damaged, by chance or on purpose: each is an error of the file, and nothing else.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use hieratic::{Environment, Permissions, Settings};
use hieratic_fleet::{Format, NodeError, Options, Sources, export};

/// How many tables are read that differ in some bytes from one that is sound.
const TABLES: u64 = 3_000;

/// How long one may take. They have some kilobytes.
const LONGEST: Duration = Duration::from_secs(5);

/// How much memory all may take, in kilobytes.
const MOST: u64 = 512 << 10;

/// A table with a row for each of some nodes.
fn table(root: &Path) -> Vec<u8> {
    let write = |name: &str, text: &str| {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("hiera.yaml", "version: 5\nhierarchy: [{name: Common, path: common.yaml}]\n");
    write("data/common.yaml", "facts: {role: web, ports: [80, 443]}\n");
    (0..40).for_each(|node| write(&format!("facts/n{node}.yaml"), "role: web\n"));
    let settings = Settings { environment_dir: Some(root.to_owned()), once: true, ..Settings::default() };
    let environment = Environment::open(&settings).unwrap();
    let mut out = Vec::new();
    let sources = Sources::of(vec![root.join("facts")], Permissions::default());
    export(&environment, sources, &Options::default(), Format::Parquet, &mut out).unwrap();
    out
}

fn read(path: &Path) -> Vec<Option<NodeError>> {
    Sources::of(vec![path.to_owned()], Permissions::default()).take(1_000).map(Result::err).collect()
}

/// The most memory that the process has had, in kilobytes, where the system tells it.
fn most_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok())
}

/// Says to a process of this program that it is the one that reads the tables: what it prints is looked at.
const READER: &str = "HIERATIC_READS_DAMAGED_TABLES";

#[test]
fn a_damaged_table_is_an_error_of_the_file() {
    if std::env::var_os(READER).is_some() {
        return read_damaged_tables();
    }
    let name = "damaged::a_damaged_table_is_an_error_of_the_file";
    let mut reader = Command::new(std::env::current_exe().unwrap());
    let output = reader.args(["--exact", name, "--nocapture"]).env(READER, "1").output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && message.contains("1 passed"), "{message}");
    assert!(!message.contains("panicked") && !message.contains("backtrace"), "{message}");
}

fn read_damaged_tables() {
    let folder = tempfile::tempdir().unwrap();
    let sound = table(folder.path());
    let path = folder.path().join("nodes.parquet");
    fs::write(&path, &sound).unwrap();
    assert_eq!(read(&path).len(), 40);
    let mut state = 1_u64;
    let mut next = |most: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % most
    };
    let mut damaged = 0;
    for _ in 0..TABLES {
        let mut bytes = sound.clone();
        for _ in 0..=next(4) {
            let at = next(bytes.len());
            match next(5) {
                0 => bytes[at] = 0xff,
                1 => bytes[at] ^= 1 << next(8),
                // A number of the compact protocol that goes on.
                2 => bytes[at] |= 0x80,
                3 => drop(bytes.drain(at..(at + next(8)).min(bytes.len()))),
                _ => bytes[at] = u8::try_from(next(256)).unwrap(),
            }
        }
        fs::write(&path, &bytes).unwrap();
        let begun = Instant::now();
        let nodes = read(&path);
        assert!(begun.elapsed() < LONGEST, "{:?}", begun.elapsed());
        assert!(nodes.len() < 1_000, "a table of 40 rows has no end");
        let faults: Vec<&NodeError> = nodes.iter().flatten().collect();
        assert!(faults.iter().all(|fault| fault.place.ends_with("nodes.parquet") && !fault.message.is_empty()));
        damaged += usize::from(!faults.is_empty());
    }
    assert!(damaged > 100, "{damaged} tables could not be read");
    assert!(most_memory().is_none_or(|most| most < MOST), "{:?} kB", most_memory());
}
