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

use hieratic::{Environment, Limits, Permissions, Redactor, Settings, repository_of};
use hieratic_fleet::nodes_of;
use hieratic_git::Repository;
use hieratic_impact::{Options, Subject, compare, parameters};
use hieratic_report::{ComparisonResults, Head, Nodes, Sides, View};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(folder), Some(facts)) = (arguments.next(), arguments.next()) else {
        return Err("expected the folder of an environment and a folder of facts".into());
    };
    let folder = Path::new(&folder).canonicalize()?;
    let root = repository_of(&folder).ok_or("the environment is in no repository of git")?;
    let repository = Repository::open(&root).map_err(|fault| fault.message)?;
    let settings =
        Settings { once: true, positions: true, environment_dir: Some(folder.clone()), ..Settings::default() };
    let sides = Sides::from_revisions(settings, &repository, "HEAD", Head::WorkingTree, false)
        .map_err(|fault| fault.message)?;
    let limits = Limits::default();
    let head = Environment::open(&sides.settings(false, limits))?;
    let base = Environment::open_beside(&sides.settings(true, limits), &head)?;
    let nodes = nodes_of(&[facts.into()], &[], head.puppet_version(), &Permissions::default())?;
    let subject =
        |facts: hieratic::Facts| Subject { name: facts.node().unwrap_or_default().to_owned(), base: facts, head: None };
    let nodes = Nodes { subjects: nodes.into_iter().map(subject).collect(), are_synthetic: false };
    let changed = sides.changed();
    let options = Options {
        changed: &changed,
        wanted: &|_| true,
        extra: &[],
        limits,
        most_details: 20_000,
        most_variants: 10,
        conceal: false,
        parent_budget: None,
    };
    let mask = Redactor::default();
    let report = compare([&base, &head], &nodes.subjects, &options, &mask);
    let declared = parameters([&base, &head], changed.iter());
    let found = ComparisonResults { report: &report, declared: &declared, findings: &[], catalogs: None };
    let view = View::new(&sides, &nodes, &found, [&base, &head], &mask);
    println!("{}", view.to_value().inspect());
    println!("{}", view.headline());
    Ok(())
}
