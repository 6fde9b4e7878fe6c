//! What `strace` saw: programs that were executed, connections, and files that were opened outside of the repository.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use hieratic_testing::skipped;

use super::repositories::Repository;

/// Whether runs can be traced here. Without `strace`, or where tracing is forbidden, the tests say so and look at the rest.
pub fn is_possible() -> bool {
    let possible =
        Command::new("strace").args(["-qq", "-e", "trace=none", "true"]).status().is_ok_and(|status| status.success());
    if !possible {
        skipped("what is executed, opened and connected to, because strace cannot be used here");
    }
    possible
}

/// The command with a trace of it written to a file.
pub fn command(log: &Path) -> Command {
    let mut command = Command::new("strace");
    command.args([
        "-f",
        "-qq",
        "-y",
        "-s",
        "4096",
        "-e",
        "trace=execve,execveat,connect,open,openat,openat2,creat",
        "-o",
    ]);
    command.arg(log).arg(env!("CARGO_BIN_EXE_hieratic"));
    command
}

/// What a process needs of its system: libraries, the number of processors, what the terminal is, the time zone.
const OF_THE_SYSTEM: [&str; 13] = [
    "/lib/",
    "/lib64/",
    "/usr/lib/",
    "/usr/share/terminfo",
    "/lib/terminfo",
    "/etc/terminfo",
    "/etc/ld.so.",
    "/etc/localtime",
    "/usr/share/zoneinfo/",
    "/dev/null",
    "/dev/tty",
    "/sys/devices/system/cpu",
    "/sys/fs/cgroup",
];

/// The machine's own configuration and modules, where Puppet is installed: the person who keeps the machine wrote them.
const OF_THE_MACHINE: [&str; 4] = ["/etc/puppetlabs/", "/etc/puppet/", "/opt/puppetlabs/", "/usr/share/puppet/"];

/// What of `/proc` the standard library asks: its own limits and memory.
const OF_THE_PROCESS: [&str; 6] =
    ["/kernel/hostname", "/vm/overcommit_memory", "/maps", "/cgroup", "/mountinfo", "/status"];

/// Everything in a trace that must not be there.
pub fn faults(log: &Path, repository: &Repository, is_own: bool) -> Vec<String> {
    let text = fs::read_to_string(log).unwrap();
    let mut executed = 0;
    let mut faults = Vec::new();
    for call in &calls(&text) {
        if call.starts_with("exec") {
            executed += 1;
            if executed > 1 {
                faults.push(format!("executed: {call}"));
            }
        } else if call.starts_with("connect") {
            faults.push(format!("connected: {call}"));
        } else if let Some(path) = opened(call)
            && !(is_sought(call) && repository.root.starts_with(path))
            && !may_be_opened(path, repository)
            && !is_key(call, repository, is_own)
            && !is_modulepath(path, repository, is_own)
        {
            faults.push(format!("opened: {call}"));
        }
    }
    faults.dedup();
    faults
}

/// The calls in a trace, each whole: one that another thread's came between is in two lines.
fn calls(trace: &str) -> Vec<String> {
    let mut begun: BTreeMap<&str, &str> = BTreeMap::new();
    let mut calls = Vec::new();
    for line in trace.lines() {
        let (process, call) = line.split_once(' ').map_or(("", line), |(process, call)| (process, call.trim_start()));
        if let Some(first) = call.strip_suffix("<unfinished ...>") {
            begun.insert(process, first.trim_end());
        } else if let Some((_, rest)) = call.strip_prefix("<... ").and_then(|call| call.split_once(" resumed>")) {
            calls.push(begun.remove(process).unwrap_or_default().to_owned() + rest);
        } else {
            calls.push(call.to_owned());
        }
    }
    // A call that did not return may have begun something.
    calls.extend(begun.into_values().map(str::to_owned));
    calls
}

#[test]
fn calls_in_two_lines_are_one() {
    let trace = "7  openat(AT_FDCWD, \"/tmp\", O_PATH <unfinished ...>\n8  execve(\"/bin/sh\", [], 0x1 /* 3 vars */) = 0\n\
                 7  <... openat resumed>) = 4</tmp>\n9  connect(3, {}, 16 <unfinished ...>\n";
    assert_eq!(
        calls(trace),
        [
            "execve(\"/bin/sh\", [], 0x1 /* 3 vars */) = 0",
            "openat(AT_FDCWD, \"/tmp\", O_PATH) = 4</tmp>",
            "connect(3, {}, 16"
        ]
    );
}

/// The path without links that an opening ended at, if it succeeded: `= 3</path>`.
fn opened(call: &str) -> Option<&str> {
    let (_, result) = call.rsplit_once(" = ")?;
    let (_, path) = result.split_once('<')?;
    Some(path.split_once(">").map_or(path, |(path, _)| path))
}

/// Whether a folder was listed that environment.conf names in its `modulepath`: a person's own lookups look for modules there, as the
/// reference does, but read no file that is not a module's.
fn is_modulepath(path: &str, repository: &Repository, is_own: bool) -> bool {
    is_own && repository.name == "modules_everywhere" && Path::new(path).is_dir()
}

/// Whether a key was opened that hiera.yaml names by its path: a person's own lookups read it where it lies, what is judged or compared does not.
fn is_key(call: &str, repository: &Repository, is_own: bool) -> bool {
    let key = repository.outside.join("secret.yaml").display().to_string();
    is_own && repository.name == "keys_that_lead_out" && call.contains(&format!("\"{key}\""))
}

/// Whether something was opened for what it is, not for what is in it: so folders above are when a repository is looked for.
fn is_sought(call: &str) -> bool {
    call.contains("O_PATH")
}

fn may_be_opened(path: &str, repository: &Repository) -> bool {
    let is_below = |folder: &Path| Path::new(path).starts_with(folder);
    // The home folder, in which settings are looked for, and the outputs of the test itself lie beside the secret.
    let is_own = is_below(&repository.root) || is_below(&repository.outside.join("home"));
    let of_process = path.starts_with("/proc/") && OF_THE_PROCESS.iter().any(|end| path.ends_with(end));
    let of_others = OF_THE_SYSTEM.iter().chain(&OF_THE_MACHINE).any(|system| path.starts_with(system));
    is_own || of_process || of_others
}
