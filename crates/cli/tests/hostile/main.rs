//! Repositories of strangers: whatever they hold, no program runs, nothing outside of them is read or shown, nothing is connected
//! to, and every verb ends.
//!
//! Each repository stands beside a folder with a secret and is attacked through every verb that could read it. Where `strace` is
//! installed, every run is traced: see [`traced`]. Without it the tests still look at what was printed and what was left behind.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "tests stand for the person at the keyboard")]
#![cfg(unix)]

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
    for Verb { arguments, input } in verbs(repository) {
        let ran = run(repository, &arguments, input);
        let shown = format!("{}: hieratic {}", repository.name, arguments.join(" "));
        wrong.extend(ran.faults().into_iter().map(|fault| format!("{shown}\n    {fault}")));
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
    includes_that_lead_out templates_that_lead_out jobs_that_lead_out keys_that_lead_out files_that_are_not_regular
    named_files_that_are_links
}
