//! The memory that each node of a fleet adds, which is bounded by what is kept of it.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const FEW: usize = 300;
const MANY: usize = 3_000;

/// An environment with 150 keys, of which 50 differ between nodes, and the facts of a number of nodes.
fn environment(nodes: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("hiera.yaml", "version: 5\nhierarchy:\n  - {name: Common, path: common.yaml}\n");
    let mut data = String::new();
    for index in 0..100 {
        writeln!(data, "k::k{index}: 'value {index}'").unwrap();
    }
    for index in 0..50 {
        writeln!(data, "v::k{index}: 'at %{{facts.role}} on %{{trusted.certname}} {index}'").unwrap();
    }
    write("data/common.yaml", &data);
    let facts =
        |index| format!("{{\"certname\": \"n{index}.example.com\", \"facts\": {{\"role\": \"r{}\"}}}}\n", index % 3);
    write("facts.ndjson", &(0..nodes).map(facts).collect::<String>());
    folder
}

/// The peak of the resident memory of a process in KiB so far; `None` once it has ended.
fn peak(process: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", process.id())).ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok())
}

/// Runs a command, and returns the peak of its memory in KiB.
fn measured(folder: &Path, arguments: &[&str]) -> u64 {
    let mut process = Command::new(env!("CARGO_BIN_EXE_hieratic"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut most = 0;
    while process.try_wait().unwrap().is_none() {
        most = most.max(peak(&process).unwrap_or(0));
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(process.wait().unwrap().success(), "{arguments:?}");
    most
}

#[test]
fn each_node_adds_little_memory() {
    if !Path::new("/proc/self/status").exists() {
        println!("skipped: the system does not tell the memory of a process");
        return;
    }
    let (few, many) = (environment(FEW), environment(MANY));
    // In KiB for each node. A release takes 2 for the first, and 10 for the second.
    for (arguments, limit) in
        [(&["lookup", "--all", "--nodes", "facts.ndjson"][..], 6), (&["check", "--facts", "facts.ndjson"], 24)]
    {
        let of = |folder: &tempfile::TempDir| measured(folder.path(), arguments);
        let (less, more) = (of(&few), of(&many));
        let each = more.saturating_sub(less) / (MANY - FEW) as u64;
        assert!(more > 0 && each < limit, "{arguments:?}: {each} KiB for each node ({less} to {more} KiB)");
    }
}
