//! Repositories of strangers: whatever they hold, no program runs, nothing outside of them is read or shown, nothing is connected
//! to, and every verb ends.
//!
//! Each repository stands beside a folder with a secret and is attacked through every verb that could read it. Where `strace` is
//! installed, every run is traced: see [`traced`]. Without it the tests still look at what was printed and what was left behind.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "tests stand for the person at the keyboard")]
#![cfg(unix)]

#[path = "../support/git.rs"]
#[allow(dead_code, reason = "these repositories are made bit by bit")]
mod git;
mod repositories;
mod run;
mod service;
mod traced;
#[path = "../support/until.rs"]
mod until;

use repositories::{Repository, repositories};
use run::{Verb, run, verbs};

/// Runs every verb over a repository and looks at what came of it.
fn attack(repository: &Repository) {
    let mut wrong = Vec::new();
    for verb in verbs(repository) {
        let Verb { arguments, .. } = &verb;
        let ran = run(repository, &verb);
        let shown = format!("{}: hieratic {}", repository.name, arguments.join(" "));
        wrong.extend(ran.faults().into_iter().map(|error| format!("{shown}\n    {error}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

macro_rules! attacked {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            let folder = tempfile::tempdir().unwrap();
            let make = repositories().iter().find(|(name, _)| *name == stringify!($name)).unwrap().1;
            attack(&Repository::new(stringify!($name), folder.path(), make));
        })*

        #[test]
        fn every_repository_is_attacked() {
            let attacked = [$(stringify!($name)),*];
            assert!(repositories().iter().map(|(name, _)| *name).eq(attacked));
        }
    };
}

attacked! {
    executables_of_a_level executables_in_flow_form executables_of_a_module functions_that_generate variables_of_the_environment
    links_to_files links_to_folders links_in_place_of_configuration levels_that_lead_out modules_everywhere environments_that_are_links
    includes_that_lead_out templates_that_lead_out jobs_that_lead_out packs_that_lead_out packs_of_links keys_that_lead_out
    files_that_are_not_regular named_files_that_are_links
}

/// What no verb of the list has to be run for: it reads no repository, or another test attacks it.
const ELSEWHERE: [(&str, &str); 9] = [
    ("query", "a build without SQL refuses it"),
    ("explain", "it prints a page that the command contains"),
    ("restore", "with a document"),
    ("lsp", "crates/lsp/tests"),
    ("serve", "requests_show_nothing_from_outside"),
    ("trust", "it reads the person's own settings"),
    ("completions", "it prints a script that the command contains"),
    ("version", "it reads no repository; tests/releases.rs attacks it"),
    ("man", "it prints a page that the command contains"),
];

/// The names in the first column of a table, which are between backquotes.
fn names_of_rows(table: &str) -> Vec<String> {
    let rows = table.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | "));
    rows.filter_map(|(first, _)| Some(first.split('`').nth(1)?.to_owned())).collect()
}

#[test]
fn every_verb_and_every_route_is_declared_and_attacked() {
    let printed = |arguments: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_hieratic")).args(arguments).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let table = printed(&["--permissions"]);
    let (verbs_declared, routes_declared) = table.split_once("\n\n").unwrap();
    let help = printed(&["--help"]);
    let (_, commands) = help.split_once("\nCommands:\n").unwrap();
    let commands: Vec<&str> = commands
        .lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty())
        .collect();
    assert!(commands.len() > 25, "{commands:?}");
    let folder = tempfile::tempdir().unwrap();
    let repository = Repository::new("levels_that_lead_out", folder.path(), |_| {});
    let sound = Repository { name: "sound", ..repository };
    let attacked = verbs(&sound);
    for command in &commands {
        let named = format!("`{command}`");
        assert!(verbs_declared.contains(&named), "{command} is not in `hieratic --permissions`");
        let is_attacked = attacked.iter().any(|verb| verb.arguments[0] == *command);
        let is_elsewhere = ELSEWHERE.iter().any(|(name, _)| name == command);
        assert!(is_attacked || is_elsewhere, "no hostile repository is read by {command}");
    }
    let routes = names_of_rows(routes_declared);
    assert!(routes.len() > 25, "{routes:?}");
    for route in &routes {
        assert!(service::asks(route), "no hostile repository is served at {route}");
    }
}
