//! `check --target-version`: what another version of Puppet makes wrong.

use std::path::Path;
use std::process::Command;

use super::folder::folder_of;

fn check(folder: &Path, arguments: &[&str]) -> (String, Option<i32>) {
    let run = Command::new(env!("CARGO_BIN_EXE_hieratic"))
        .arg("check")
        .args(arguments)
        .current_dir(folder)
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .output()
        .unwrap();
    (String::from_utf8(run.stdout).unwrap() + &String::from_utf8(run.stderr).unwrap(), run.status.code())
}

#[test]
fn findings_of_the_target_version_are_reported_beside_others() {
    let folder = folder_of(&[
        (
            "hiera.yaml",
            "version: 5\nhierarchy:\n  - {name: All, paths: ['os/%{facts.osfamily}.yaml', 'common.yaml']}\n",
        ),
        ("data/common.yaml", "host: a\nhost: b\nforeseen: '%{facts.fqdn}' # hieratic: ignore legacy-fact\n"),
        ("facts/web01.yaml", "os: {family: Debian}\nosfamily: Debian\nfqdn: web01\n"),
    ]);
    let facts = ["--facts", "facts"];
    let with = |more: &[&str]| check(folder.path(), &[&facts[..], more].concat());
    let (now, _) = with(&["--puppet-version", "7"]);
    assert!(now.contains("'host'") && !now.contains("osfamily"), "{now}");
    let (upgraded, status) = with(&["--puppet-version", "7", "--target-version", "8"]);
    assert_eq!(status, Some(1), "{upgraded}");
    for part in ["'host'", "osfamily"] {
        assert!(upgraded.contains(part), "{part}: {upgraded}");
    }
    // The comment is of use to the target.
    assert!(now.contains("unused-ignore") && !upgraded.contains("unused-ignore"), "{now}\n{upgraded}");
    let (notes, _) = with(&["--puppet-version", "7", "--target-version", "8", "--message-format", "json"]);
    let entry: Vec<&str> = notes.lines().filter(|line| line.contains("holds in version 8")).collect();
    assert!(!entry.is_empty() && entry.iter().all(|line| !line.contains("'host'")), "{notes}");
    // A version is no upgrade of itself.
    let (same, _) = with(&["--puppet-version", "7", "--target-version", "7"]);
    assert_eq!(same, now);
}
