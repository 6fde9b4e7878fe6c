//! An export that is stopped anywhere and continued writes the bytes of one that was not.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use hieratic::{Environment, Permissions, Settings};
use hieratic_fleet::{
    Format, Ledger, Options, Progress, SaveInterval, Shard, Sources, Summary, export, export_continued, join,
};

const NODES: usize = 700;

/// A repository with some classes, a failing lookup, and facts of which some lines are broken.
fn fleet(root: &Path) {
    let write = |name: &str, text: String| {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let levels = "  - {name: Role, path: 'roles/%{facts.role}.yaml'}\n  - {name: Common, path: common.yaml}\n";
    write("hiera.yaml", format!("version: 5\nhierarchy:\n{levels}"));
    write(
        "data/common.yaml",
        "a: 1\nb: \"%{facts.zone}, \\\"x\\\"\"\nc: [1, {d: 2.5}]\ne: \"%{nosuch('x')}\"\n".to_owned(),
    );
    write("data/roles/r0.yaml", "a: zero\nf: true\n".to_owned());
    write("data/roles/r1.yaml", (0..9).map(|key| format!("g{key}: {key}\n")).collect());
    let node = |at: usize| match at % 41 {
        7 => "{\"role\":\n".to_owned(),
        _ => format!("{{\"clientcert\": \"n{at}\", \"role\": \"r{}\", \"zone\": \"z{}\"}}\n", at * 7 % 3, at * 5 % 4),
    };
    write("fleet.ndjson", (0..NODES).map(node).collect());
}

/// What is on the disk, and when the disk fails.
#[derive(Default)]
struct Disk {
    bytes: Vec<u8>,
    kept: Option<(usize, String)>,
    /// How many bytes can be written yet, and how often progress can be kept.
    left: usize,
    times: usize,
}

impl Write for &mut Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = bytes.len().min(self.left);
        self.left -= length;
        self.bytes.extend_from_slice(&bytes[..length]);
        if length == 0 && !bytes.is_empty() { Err(io::ErrorKind::StorageFull.into()) } else { Ok(length) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Ledger for &mut Disk {
    fn keep(&mut self, progress: &Progress) -> io::Result<()> {
        if self.times == 0 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        self.times -= 1;
        self.kept = Some((self.bytes.len(), progress.to_json().to_string()));
        Ok(())
    }
}

fn open(root: &Path) -> Environment {
    let settings =
        Settings { environment_dir: Some(root.to_owned()), positions: true, once: true, ..Settings::default() };
    Environment::open(&settings).unwrap()
}

fn options(every: SaveInterval) -> Options<'static> {
    Options { group: 100, keep_every: every, shard: "1/1".parse::<Shard>().unwrap(), ..Options::default() }
}

fn sources(root: &Path) -> Sources {
    Sources::of(vec![root.join("fleet.ndjson")], Permissions::default())
}

/// One run, which fails if the disk does.
fn run(
    environment: &Environment,
    root: &Path,
    every: SaveInterval,
    format: Format,
    disk: &mut Disk,
) -> io::Result<Summary> {
    let from = match &disk.kept {
        Some((length, progress)) => {
            disk.bytes.truncate(*length);
            Progress::of_json(&serde_json::from_str(progress).unwrap()).unwrap()
        }
        None => {
            disk.bytes.clear();
            Progress::default()
        }
    };
    export_continued(environment, sources(root), &options(every), format, from, disk)
}

#[test]
fn stopped_anywhere_and_continued_the_bytes_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fleet(root);
    let environment = open(root);
    let mut state: u64 = 7;
    let mut random = |most: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % most
    };
    for format in [Format::Ndjson, Format::Csv, Format::Parquet] {
        let mut whole = Vec::new();
        let expected =
            export(&environment, sources(root), &options(SaveInterval::default()), format, &mut whole).unwrap();
        assert!(expected.rows > 4000 && expected.failed > 600 && expected.unanswered > 10, "{expected:?}");
        let (mut stops, mut continued) = (0, 0);
        for round in 0..5 {
            let every = SaveInterval { nodes: 1 + random(200), bytes: 1 + random(40_000) as u64 };
            let mut disk = Disk::default();
            let summary = loop {
                // Each run comes a little further than what was kept, or not even there.
                disk.left = 20_000 + random(whole.len());
                disk.times = random(12);
                continued += usize::from(disk.kept.is_some());
                match run(&environment, root, every, format, &mut disk) {
                    Ok(summary) => break summary,
                    Err(_) => stops += 1,
                }
                assert!(stops < 10_000, "it never ends");
            };
            let mut found = std::mem::take(&mut disk.bytes);
            if format == Format::Parquet {
                let mut joined = Vec::new();
                join(&found[..], &mut joined, &options(every), &summary).unwrap();
                found = joined;
            }
            assert!(found == whole, "{format:?}, round {round}: {} bytes, expected {}", found.len(), whole.len());
            // Nodes may be asked again after a stop; everything else is what one run counts.
            assert!(summary.classes >= expected.classes && summary.lookups >= expected.lookups);
            assert_eq!(Summary { classes: expected.classes, lookups: expected.lookups, ..summary }, expected);
        }
        assert!(stops > 5 && continued > 5, "{format:?}: {stops} stops, {continued} continued runs");
    }
}

/// What is done is not asked again.
#[test]
fn a_continued_run_asks_only_for_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fleet(root);
    let every = SaveInterval { nodes: 50, bytes: u64::MAX };
    let mut disk = Disk { left: usize::MAX, times: 8, ..Disk::default() };
    assert!(run(&open(root), root, every, Format::Ndjson, &mut disk).is_err());
    let kept = Progress::of_json(&serde_json::from_str(&disk.kept.as_ref().unwrap().1).unwrap()).unwrap();
    assert_eq!(kept.summary.nodes, 400);
    disk.times = usize::MAX;
    let key_count = std::sync::Mutex::new(Vec::new());
    let chosen = |facts: &hieratic::Facts| {
        key_count.lock().unwrap().push(facts.node().unwrap().to_owned());
        Ok(true)
    };
    let options = Options { chosen: &chosen, ..options(every) };
    let first = kept.sources as usize;
    disk.bytes.truncate(disk.kept.as_ref().unwrap().0);
    let summary = export_continued(&open(root), sources(root), &options, Format::Ndjson, kept, &mut disk).unwrap();
    let mut key_count = key_count.into_inner().unwrap();
    key_count.sort();
    let mut expected: Vec<String> = (first..NODES).filter(|at| at % 41 != 7).map(|at| format!("n{at}")).collect();
    expected.sort();
    assert_eq!(key_count, expected);
    assert_eq!(summary.nodes, (0..NODES).filter(|at| at % 41 != 7).count());
}

#[test]
fn damaged_groups_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fleet(root);
    let mut disk = Disk { left: usize::MAX, times: usize::MAX, ..Disk::default() };
    run(&open(root), root, SaveInterval::default(), Format::Parquet, &mut disk).unwrap();
    let bytes = disk.bytes;
    for length in [3, 8, 20, bytes.len() - 1] {
        assert!(join(&bytes[..length], io::sink(), &Options::default(), &Summary::default()).is_err(), "{length}");
    }
    let huge = [&u64::MAX.to_le_bytes()[..], &bytes[8..]].concat();
    let joined = join(&huge[..], io::sink(), &Options::default(), &Summary::default());
    assert_eq!(joined.unwrap_err().kind(), io::ErrorKind::InvalidData);
    assert!(join(&[][..], io::sink(), &Options::default(), &Summary::default()).is_ok());
}
