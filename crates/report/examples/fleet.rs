//! What `hieratic diff --facts FOLDER --no-findings` does, for measuring without building the whole command.
//!
//! ```text
//! cargo run --release -p hieratic-report --example fleet -- ENVIRONMENT FACTS
//! ```
//!
//! Compares the working tree around the folder of an environment with `HEAD`, for the nodes of a folder of facts.

#![allow(clippy::disallowed_methods, reason = "a person names the folders")]

use std::error::Error;
use std::path::Path;

use hieratic::layers::repository_of;
use hieratic::{Limits, Permissions, Redactor, Settings};
use hieratic_fleet::nodes_of;
use hieratic_git::Repository;
use hieratic_impact::Subject;
use hieratic_report::{Head, Nodes, Options, Sides, compare};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(folder), Some(facts)) = (arguments.next(), arguments.next()) else {
        return Err("expected the folder of an environment and a folder of facts".into());
    };
    let folder = Path::new(&folder).canonicalize()?;
    let root = repository_of(&folder).ok_or("the environment is in no repository of git")?;
    let repository = Repository::open(&root).map_err(|error| error.message)?;
    let settings =
        Settings { once: true, positions: true, environment_dir: Some(folder.clone()), ..Settings::default() };
    let sides = Sides::from_revisions(settings, &repository, "HEAD", Head::WorkingTree, false)
        .map_err(|error| error.message)?;
    let limits = Limits::default();
    let open = sides.open(limits).map_err(|error| error.error)?;
    let nodes =
        nodes_of(&[facts.into()], &[], open.environments.head.puppet_version(), &Permissions::default())?.unique()?;
    let nodes = Nodes { subjects: nodes.into_iter().map(Subject::new).collect(), are_synthetic: false };
    let options = Options {
        selects_key: &|_| true,
        limits,
        most_details: 20_000,
        most_variants: 10,
        conceal: false,
        parent_budget: None,
        progress: &(),
        findings: None,
        jobs: None,
        catalogs: None,
    };
    let report = compare(&open, &nodes, &options, &Redactor::default())?;
    println!("{}", report.to_value()?.inspect());
    println!("{}", report.headline());
    Ok(())
}
