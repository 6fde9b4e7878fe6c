//! Holds `compare` and `affected` against looking everything up, for the last commits of a repository of git.
//!
//! ```text
//! cargo run --release -p hieratic-impact --example commits -- REPOSITORY [COMMITS [NODES]]
//! ```
//!
//! The nodes are those that the paths of data files describe. Prints what was compared, and every difference; fails if
//! there is one.

#![allow(clippy::disallowed_methods, reason = "a person names the repository")]

use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::budget::Budget;
use hieratic::sandbox::{Mounted, Patched, Tree};
use hieratic::{Environment, Facts, Limits, Redactor, Settings};
use hieratic_git::{Changed, Repository};
use hieratic_impact::{Answer, Diff, Options, RepositoryPart, Subject, affected, compare_answers};
use hieratic_lint::nodes_of_any_data;

/// A node and a key.
type Place = (String, String);

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let root = arguments.next().ok_or("expected a repository")?;
    let most: usize = arguments.next().map_or(Ok(200), |text| text.parse())?;
    let nodes: usize = arguments.next().map_or(Ok(20), |text| text.parse())?;
    let root = Path::new(&root).canonicalize()?;
    let repository = Repository::open(&root)?;
    let head = repository.commit("HEAD")?;
    let (mut commits, mut changed, mut changes, mut requested, mut wrong) = (0, 0, 0, 0_usize, 0);
    for step in repository.history(head).take(most) {
        let step = step?;
        let Some(parent) = step.parent else { break };
        commits += 1;
        let trees: [Arc<dyn Tree>; 2] = [Arc::new(repository.tree(parent)?), Arc::new(repository.tree(step.commit)?)];
        let compared = both(&root, trees, &repository.changed(parent, step.commit)?, nodes);
        let Some(compared) = compared else { continue };
        changed += usize::from(!compared.slow.is_empty());
        changes += compared.slow.len();
        requested += compared.asked;
        let missed: Vec<&Place> = compared.slow.difference(&compared.quick).collect();
        let invented: Vec<&Place> = compared.quick.difference(&compared.slow).collect();
        let unreached: Vec<&Place> = compared.slow.difference(&compared.reached).collect();
        if !(missed.is_empty() && invented.is_empty() && unreached.is_empty()) {
            wrong += 1;
            println!("{}: missed {missed:?}, invented {invented:?}, not affected {unreached:?}", step.commit.short());
        }
    }
    println!("{commits} commits, {changed} that change {changes} answers of {requested} compared; {wrong} differ");
    if wrong > 0 { Err("they differ".into()) } else { Ok(()) }
}

/// What the two ways say of a commit.
struct Compared {
    slow: BTreeSet<Place>,
    quick: BTreeSet<Place>,
    reached: BTreeSet<Place>,
    /// How many answers the slow way compared.
    asked: usize,
}

/// Compares both sides of a commit. `None` if one of them cannot be opened.
fn both(root: &Path, [base, head]: [Arc<dyn Tree>; 2], changed: &Changed, most: usize) -> Option<Compared> {
    let settings = |tree: Arc<dyn Tree>| {
        let mut settings = Settings { once: true, positions: true, ..Settings::default() };
        settings.environment_dir = Some(root.into());
        settings.hiera_config = Some("/nowhere/hiera.yaml".into());
        settings.tree = Some(Mounted::shared(root, tree));
        settings
    };
    let nodes = nodes_of_any_data(&[&settings(base.clone()), &settings(head.clone())]);
    let step = (nodes.len() / most).max(1);
    let named = |facts: Facts| (format!("{} {:?}", facts.node().unwrap_or_default(), facts.facts()), facts);
    // The names of nodes tell them apart here.
    let nodes: Vec<(String, Facts)> = nodes.into_iter().step_by(step).take(most).map(named).collect();
    let patched = Patched::new(head.clone(), base.clone(), changed.paths.iter().cloned());
    let head = Environment::open(&settings(head)).ok()?;
    let base = Environment::open_beside(&settings(Arc::new(patched)), &head).ok()?;
    let limits = Limits::default();
    let (mut slow, mut requested, mut broken) = (BTreeSet::new(), 0, BTreeSet::new());
    for (name, facts) in &nodes {
        let (Ok(one), Ok(other)) = (base.node(facts), head.node(facts)) else { continue };
        let footprints = [&one, &other].map(|node| node.dependencies(&hieratic::budget::Budget::new(limits)));
        let [Ok(before), Ok(now)] = footprints else {
            broken.insert(name.clone());
            continue;
        };
        let places = || before.places.iter().chain(&now.places);
        if places().any(|place| place.fault.is_some()) {
            broken.insert(name.clone());
            continue;
        }
        let keys: BTreeSet<String> = places()
            .filter_map(|place| place.data.as_ref())
            .flat_map(|data| data.keys())
            .map(ToString::to_string)
            .collect();
        for key in keys.iter().filter(|key| *key != hieratic::Node::OPTIONS_KEY) {
            requested += 1;
            if Answer::look_up(&one, key, Budget::new(limits)) != Answer::look_up(&other, key, Budget::new(limits)) {
                slow.insert((name.clone(), key.clone()));
            }
        }
    }
    let subject = |(name, facts): &(String, Facts)| Subject { name: name.clone(), ..Subject::new(facts.clone()) };
    let subjects: Vec<Subject> = nodes.iter().map(subject).collect();
    let paths: BTreeSet<PathBuf> = changed.paths.iter().map(|path| root.join(path)).collect();
    let options = Options {
        changed: &paths,
        selects_key: &|_| true,
        limits,
        most_details: 0,
        most_variants: usize::MAX,
        conceal: false,
        parent_budget: None,
        progress: &(),
    };
    let report = compare_answers(Diff { base: &base, head: &head }, &subjects, &options, &Redactor::default());
    let name = |index: &usize| subjects.get(*index).map(|subject| subject.name.clone()).unwrap_or_default();
    let quick = report.groups.iter().flat_map(|group| {
        let keys = group.changes.iter().map(|change| change.key.to_string());
        keys.flat_map(|key| group.nodes.iter().map(move |index| (name(index), key.clone()))).collect::<Vec<_>>()
    });
    // A node on which every lookup fails is reported once, not key by key.
    broken.extend(report.broken.iter().flat_map(|broken| &broken.nodes).map(name));
    let slow: BTreeSet<Place> = slow.into_iter().filter(|(node, _)| !broken.contains(node)).collect();
    let quick = quick.filter(|(node, _)| !broken.contains(node)).collect();
    let parts: Vec<RepositoryPart> = paths.into_iter().map(|path| RepositoryPart::File(path, None)).collect();
    let all: Vec<Facts> = nodes.iter().map(|(_, facts)| facts.clone()).collect();
    let mut reached = BTreeSet::new();
    for environment in [&base, &head] {
        for group in affected(environment, &all, &parts, limits, &()).groups {
            for index in &group.nodes {
                let is_any = |key: &str| {
                    let of = |module: &hieratic::value::Str| key.starts_with(&format!("{module}::"));
                    group.keys.any || group.keys.any_of.iter().any(of)
                };
                reached.extend(group.keys.reached.iter().map(|key| (name(index), key.to_string())));
                reached.extend(slow.iter().filter(|(node, key)| *node == name(index) && is_any(key)).cloned());
            }
        }
    }
    Some(Compared { slow, quick, reached, asked: requested })
}
