//! The verbs that read revisions, on a repository of git that nobody trusts.

use hieratic::catalog::Classification;
use hieratic::{Compiler, Environment, Facts, Limits, Node, Permissions, Query, Redactor, Settings};
use hieratic_budget::Budget;
use hieratic_git::{Error, Repository, Revision};
use hieratic_impact::{
    Arrays, CatalogOptions, Diff, Ignore, RepositoryPart, Subject, affected, compare_catalogs, differences, leaves,
};
use hieratic_report::{
    AnswerAtCommit, CommitLook, Head, HistorySearch, Nodes, Options, Sides, compare, history as walked,
};
use hieratic_sandbox::Mounted;

use crate::random::Random;
use crate::served;
use crate::verbs::{Case, Verb, limits, told};

/// The verbs in the order in which they run.
pub(crate) const ALL: [Verb; 11] = [
    ("revisions", revisions),
    ("diff", diff),
    ("diff HEAD", worktree),
    ("diff --catalogs", catalogs),
    ("history", history),
    ("lookup --revision", lookup),
    ("compare --revision", two_nodes),
    ("check --revision", check),
    ("affected", reached),
    ("/v1/changes", served::changes),
    ("/v1/history", served::history),
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

pub(crate) fn settings(case: &Case<'_>, tree: Option<Mounted>) -> Settings {
    Settings {
        environment_dir: Some(case.repository.environment(case.root)),
        confdir: Some(case.root.join("no-confdir")),
        codedir: Some(case.root.join("no-codedir")),
        limits: limits(),
        once: true,
        // As all that reads revisions: see `Access::Shared` of the command.
        permissions: Permissions { confined: true, ..Permissions::default() },
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

/// Two states.
fn sides(case: &Case<'_>, random: &mut Random, head: Head<'_>) -> Option<Sides> {
    let repository = open(case)?;
    let base = if random.once_in(3) { "other" } else { "HEAD~1" };
    Sides::from_revisions(settings(case, None), &repository, base, head, random.once_in(3)).map_err(said).ok()
}

fn catalogs(case: &Case<'_>, random: &mut Random) {
    let Some(sides) = sides(case, random, Head::Revision("HEAD")) else { return };
    let Ok(open) = sides.open(limits()).map_err(|fault| told(fault.error)) else { return };
    let compilers = open.environments.as_ref().map(|side| Compiler::limited(side, limits()));
    let all = Classification::default();
    let classified = |_: &str| &all;
    let redactor = Redactor::new(open.environments.head.secrets(), false);
    let subjects = nodes(case.facts()).subjects;
    let options =
        CatalogOptions { classified: &classified, ignore: &Ignore::default(), redactor: &redactor, progress: &() };
    drop(compare_catalogs(compilers.as_ref(), Some(sides.trees()), &subjects, &options));
}

/// The only node.
fn nodes(facts: Facts) -> Nodes {
    let subject = Subject { name: "web01".into(), ..Subject::new(facts) };
    Nodes { subjects: vec![subject], are_synthetic: false }
}

/// The options of a comparison without catalogs.
fn options(limits: Limits) -> Options<'static> {
    Options {
        selects_key: &|_| true,
        limits,
        most_details: 100,
        most_variants: 10,
        conceal: true,
        parent_budget: None,
        findings: None,
        jobs: None,
        progress: &(),
        catalogs: None,
    }
}

fn compared(case: &Case<'_>, random: &mut Random, head: Head<'_>) {
    let Some(sides) = sides(case, random, head) else { return };
    let Ok(open) = sides.open(limits()).map_err(|fault| told(fault.error)) else { return };
    let redactor = Redactor::new(open.environments.head.secrets(), false);
    if let Ok(report) = compare(&open, &nodes(case.facts()), &options(limits()), &redactor).map_err(told) {
        drop(report.to_value());
    }
}

/// Compares two branches with the limits of the command; what ended it.
#[cfg(test)]
pub(crate) fn compared_whole(root: &std::path::Path, head: Head<'_>) -> Result<usize, String> {
    let limits = Limits::default();
    let repository = Repository::open_within(root, false, &Budget::new(limits)).map_err(|error| error.to_string())?;
    let own = Settings {
        limits,
        permissions: Permissions { confined: true, ..Permissions::default() },
        ..Settings::new(root)
    };
    let sides = Sides::from_revisions(own, &repository, "other", head, false).map_err(|error| error.to_string())?;
    let open = sides.open(limits).map_err(|fault| fault.error.to_string())?;
    let redactor = Redactor::new(open.environments.head.secrets(), false);
    let options = options(limits);
    let report = open.compare_answers(&nodes(Facts::named("web01")), &options, &redactor);
    let environments = open.environments.as_ref();
    drop(sides.new_findings(environments, &Nodes { subjects: Vec::new(), are_synthetic: true }, limits));
    Ok(report.groups.len())
}

fn history(case: &Case<'_>, _: &mut Random) {
    let Some(repository) = open(case) else { return };
    let Ok(first) = repository.commit("HEAD").map_err(said) else { return };
    let facts = case.facts();
    let walk = HistorySearch {
        repository: &repository,
        at: &|commit, reads| {
            let own = repository.within(&Budget::new(Limits { steps: limits().steps / 10, ..limits() }));
            let answer = moment(case, own.tree(commit).map_err(said)?.recording(reads), &facts)?;
            Ok(CommitLook { answer, arrays: Arrays::Sequences, requested: None })
        },
        continues: &|_, entries| Ok(entries.len() < 20),
        found: &|_| (),
        failed: &said,
    };
    drop(walked(first, &walk));
}

fn moment(case: &Case<'_>, revision: Revision, facts: &Facts) -> Result<AnswerAtCommit, ()> {
    let tree = Mounted::new(case.root, revision);
    let environment = Environment::open(&settings(case, Some(tree.clone()))).map_err(told)?;
    let node = environment.node(facts).map_err(told)?;
    let answer = match node.lookup_traced(&Query { budget: Budget::new(limits()), ..Query::new("port") }) {
        Ok(answer) => Some(Ok(leaves(&answer.value, &Redactor::new(environment.secrets(), false)))),
        Err(error) if error.code() == Node::NOT_FOUND => None,
        Err(error) => Some(Err(error.to_string())),
    };
    match tree.fault() {
        Some(_) => Err(()),
        None => Ok(answer),
    }
}

fn lookup(case: &Case<'_>, random: &mut Random) {
    let revision = if random.once_in(3) { "other" } else { "HEAD" };
    let Some(tree) = tree(case, revision) else { return };
    let Ok(environment) = Environment::open(&settings(case, Some(tree))).map_err(told) else { return };
    let Ok(node) = environment.node(&case.facts()).map_err(told) else { return };
    let query = Query { budget: Budget::new(limits()), ..Query::new("port") };
    drop(node.lookup_redacted(&query).map_err(told));
    drop(environment.everything(&node, &query, true, &|_| true).map_err(told));
}

fn two_nodes(case: &Case<'_>, random: &mut Random) {
    /// How many keys are compared.
    const FEW: usize = 20;
    let revision = if random.once_in(3) { "other" } else { "HEAD" };
    let Some(tree) = tree(case, revision) else { return };
    let Ok(environment) = Environment::open(&settings(case, Some(tree))).map_err(told) else { return };
    let redactor = Redactor::new(environment.secrets(), false);
    let nodes = [case.facts(), Facts::named("other")].map(|facts| environment.node(&facts).map_err(told));
    let [Ok(left), Ok(right)] = nodes else { return };
    let Ok(keys) = environment.keys(&left).map_err(told) else { return };
    for key in keys.iter().take(FEW) {
        let query = || Query { budget: Budget::new(limits()), ..Query::new(key) };
        let answers = Diff { base: &left, head: &right }.map(|node| match node.lookup_traced(&query()) {
            Ok(answer) => Some(Ok(answer.value)),
            Err(error) if error.code() == Node::NOT_FOUND => None,
            Err(error) => Some(Err(error.to_string())),
        });
        drop(differences(answers.as_ref().map(Option::as_ref), || Arrays::Sequences, &redactor));
        drop(differences(answers.as_ref().map(Option::as_ref), || Arrays::Sets, &redactor));
    }
}

fn reached(case: &Case<'_>, random: &mut Random) {
    let Ok(environment) = Environment::open(&settings(case, None)).map_err(told) else { return };
    let of_git = random.once_in(4).then_some(".git");
    let others = (0..2).filter_map(|_| random.one(&case.repository.files)).map(|file| file.path.as_str());
    let files: Vec<RepositoryPart> =
        others.chain(of_git).map(|path| RepositoryPart::File(case.root.join(path), None)).collect();
    drop(affected(&environment, &[case.facts()], &files, limits(), &()));
}

fn check(case: &Case<'_>, random: &mut Random) {
    let revision = if random.once_in(3) { "other" } else { "HEAD" };
    let Some(tree) = tree(case, revision) else { return };
    let mut options = hieratic_lint::Options::for_paths([case.root]);
    options.settings = settings(case, Some(tree));
    options.settings.environment_dir = None;
    drop(hieratic_lint::audit(&options, &()).findings);
}
