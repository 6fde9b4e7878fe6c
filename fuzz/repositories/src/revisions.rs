//! The verbs that read revisions, on a repository of git that nobody trusts.

use std::collections::BTreeSet;
use std::path::PathBuf;

use hieratic::{Environment, Facts, Limits, Mask, Node, Query, Settings};
use hieratic_changes::{Options, Subject, compare, leaves};
use hieratic_comparison::{Found, Head, Moment, Nodes, Sides, View, Walk, history as walked};
use hieratic_powers::{Budget, Mounted};
use hieratic_revisions::{Commit, Error, Repository};

use crate::random::Random;
use crate::verbs::{Case, Verb, limits, told};

/// The verbs in the order in which they run.
pub(crate) const ALL: [Verb; 6] = [
    ("revisions", revisions),
    ("diff", diff),
    ("diff HEAD", worktree),
    ("history", history),
    ("lookup --revision", lookup),
    ("check --revision", check),
];

/// What revisions are called: some name nothing.
const NAMES: [&str; 12] = [
    "HEAD~1",
    "main~1",
    "other",
    "HEAD^2",
    "0123",
    ":/Change",
    "main@{0}",
    "main@{u}",
    "HEAD^{/Change 1}",
    "@{-1}",
    "v1.0",
    "HEAD~999",
];

fn open(case: &Case<'_>) -> Option<Repository> {
    Repository::open_within(case.root, false, &Budget::new(limits())).map_err(said).ok()
}

fn said(error: Error) {
    drop(format!("{error} {}", error.help));
}

fn settings(case: &Case<'_>, tree: Option<Mounted>) -> Settings {
    Settings {
        environment_dir: Some(case.repository.environment(case.root)),
        confdir: Some(case.root.join("no-confdir")),
        codedir: Some(case.root.join("no-codedir")),
        limits: limits(),
        once: true,
        tree,
        ..Settings::default()
    }
}

/// The files of a commit.
fn tree(case: &Case<'_>, revision: &str) -> Option<Mounted> {
    let repository = open(case)?;
    let commit = repository.commit(revision).map_err(said).ok()?;
    Some(Mounted::new(case.root, repository.tree(commit).map_err(said).ok()?))
}

fn revisions(case: &Case<'_>, random: &mut Random) {
    let Some(repository) = open(case) else { return };
    let head = repository.commit("HEAD").map_err(said).ok();
    for _ in 0..3 {
        let name = random.one(&NAMES).copied().unwrap_or("main");
        if let (Ok(one), Some(head)) = (repository.commit(name).map_err(said), head) {
            let _ = repository.merge_base(one, head).map_err(said);
        }
    }
}

fn diff(case: &Case<'_>, random: &mut Random) {
    compared(case, random, Head::Revision("HEAD"));
}

fn worktree(case: &Case<'_>, random: &mut Random) {
    compared(case, random, Head::WorkingTree);
}

fn compared(case: &Case<'_>, random: &mut Random, head: Head<'_>) {
    let Some(repository) = open(case) else { return };
    let base = if random.once_in(3) { "other" } else { "HEAD~1" };
    let Ok(sides) = Sides::of(settings(case, None), &repository, base, head, random.once_in(3)).map_err(said) else {
        return;
    };
    let Ok(now) = Environment::open(&sides.settings(false, limits())).map_err(told) else { return };
    let Ok(before) = Environment::open_beside(&sides.settings(true, limits()), &now).map_err(told) else { return };
    let changed: BTreeSet<PathBuf> = sides.changed();
    let subjects = vec![Subject { name: "web01".into(), base: case.facts(), head: None }];
    let nodes = Nodes { subjects, are_made_up: false };
    let mask = Mask::new(now.secrets(), false);
    let options = Options {
        changed: &changed,
        wanted: &|_| true,
        extra: &[],
        limits: limits(),
        most_details: 100,
        most_variants: 10,
        conceal: true,
        within: None,
    };
    let report = compare([&before, &now], &nodes.subjects, &options, &mask);
    let whole = sides.whole().map_err(told);
    let found = Found { report: &report, declared: &[], findings: &[], catalogs: None };
    if whole.is_ok() {
        drop(View::of(&sides, &nodes, &found, [&before, &now], &mask).to_value());
    }
}

fn history(case: &Case<'_>, _: &mut Random) {
    let Some(repository) = open(case) else { return };
    let Ok(first) = repository.commit("HEAD").map_err(said) else { return };
    let facts = case.facts();
    let walk = Walk {
        repository: &repository,
        at: &|commit| moment(case, &repository, commit, &facts),
        goes_on: &|entries| Ok(entries.len() < 20),
        failed: &said,
    };
    drop(walked(first, &walk));
}

fn moment(case: &Case<'_>, repository: &Repository, commit: Commit, facts: &Facts) -> Result<Moment, ()> {
    let own = repository.within(&Budget::new(Limits { steps: limits().steps / 10, ..limits() }));
    let tree = Mounted::new(case.root, own.tree(commit).map_err(said)?);
    let environment = Environment::open(&settings(case, Some(tree.clone()))).map_err(told)?;
    let node = environment.node(facts).map_err(told)?;
    let answer = match node.lookup_traced(&Query { budget: Budget::new(limits()), ..Query::new("port") }) {
        Ok(answer) => Some(Ok(leaves(&answer.value, &Mask::new(environment.secrets(), false)))),
        Err(error) if error.code() == Node::NOT_FOUND => None,
        Err(error) => Some(Err(error.to_string())),
    };
    match tree.fault() {
        Some(_) => Err(()),
        None => Ok(Moment { answer, interest: None }),
    }
}

fn lookup(case: &Case<'_>, random: &mut Random) {
    let revision = if random.once_in(3) { "other" } else { "HEAD" };
    let Some(tree) = tree(case, revision) else { return };
    let Ok(environment) = Environment::open(&settings(case, Some(tree))).map_err(told) else { return };
    let Ok(node) = environment.node(&case.facts()).map_err(told) else { return };
    let query = Query { budget: Budget::new(limits()), ..Query::new("port") };
    drop(node.lookup_masked(&query).map_err(told));
    drop(environment.everything(&node, &query, true, &|_| true).map_err(told));
}

fn check(case: &Case<'_>, random: &mut Random) {
    let revision = if random.once_in(3) { "other" } else { "HEAD" };
    let Some(tree) = tree(case, revision) else { return };
    let mut options = hieratic_audit::Options::of([case.root]);
    options.settings = settings(case, Some(tree));
    options.settings.environment_dir = None;
    drop(hieratic_audit::audit(&options, &()).findings);
}
