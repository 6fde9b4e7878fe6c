//! The page of the changes between two states of the repository of an environment.

use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::Json;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use hieratic::budget::Budget;
use hieratic::diagnostics::counted_as;
use hieratic_impact::{Presence, Side};
use hieratic_report::pages::HtmlOptions;
use hieratic_report::{Change, ChangeGroup, Place, Report, Summary};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};

use super::frame::with_status;
use super::{Head, Page, chosen, environment_choice, fault, framed, key_address, link, node_address};
use crate::changes::{self, BranchRow, ChangeCounts, ComparisonRequest, ComparisonState, Revisions};
use crate::problem::Problem;
use crate::{Service, Shared, history, limits, suggestions};

/// The maximum number of changes on the page.
const MAX_CHANGES: usize = 500;
/// The maximum number of node names in each group.
const MAX_NAMES: usize = 200;

/// The time to wait for a comparison before the page reports its progress.
const MAX_WAIT: Duration = Duration::from_secs(2);

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct ChangesQuery {
    environment: String,
    base: String,
    head: String,
    merge_base: String,
    node: String,
    key: String,
    /// The changes to show, by the sides that have the key; all if empty.
    only: String,
}

/// The changes.
pub(crate) async fn changes(State(service): State<Shared>, Query(query): Query<ChangesQuery>) -> Response {
    let outcome = limits::work(&service, move |service, budget| {
        let is_asked = [&query.base, &query.head].iter().any(|side| !side.is_empty());
        let root = repository_root(service, &chosen(service, query.environment.clone()), budget);
        let mut request = ComparisonRequest {
            environment: chosen(service, query.environment),
            base: query.base,
            head: query.head,
            from_merge_base: !query.merge_base.is_empty(),
            node: query.node,
            key: query.key,
            ..ComparisonRequest::default()
        };
        let default = (!is_asked).then(|| changes::default_sides(service, &request.environment, budget)).flatten();
        if let Some(default) = &default {
            (request.base, request.head) = (default.base.clone(), default.head.clone());
        }
        let here = Address(&request);
        let known = parse_presence(&query.only).and_then(|only| {
            let wait = MAX_WAIT.min(service.limits.time / 2);
            let known = changes::request_comparison(service, &request, wait, budget)
                .map_err(|problem| suggestions::of_node(service, &request.environment, &request.node, problem))?;
            Ok((known, only))
        });
        // Commits and branches help to choose: the page works without them, too.
        let revisions = changes::revisions(service, &request.environment, MAX_COMMITS, budget).unwrap_or_default();
        let body = html! {
            (form(service, &request, &revisions))
            div.split {
                div.main {
                    @if let Some(default) = &default { p.dim { (default.title) @if !default.words.is_empty() { ": " (default.words) } } }
                    @match &known {
                        Ok((ComparisonState::Done(report), only)) => {
                            // The files as they are have pages: they are the head, or equal to it.
                            @let is_current = request.head.is_empty() || default.is_some();
                            (shown(report, &request, *only, root.as_deref().filter(|_| is_current)))
                        },
                        Ok((ComparisonState::Running(since), _)) => {
                            p role="status" data-pending="" {
                                "Comparing… (" (since.as_secs()) " s) "
                                a href=(link("/changes", &here.pairs(Some(&query.only)))) { "Refresh" }
                            }
                            p.dim.small { "Faster with a node or key filter." }
                        },
                        Err(problem) => (fault(problem)),
                    }
                }
                @if !revisions.commits.is_empty() { div.aside { (picks(&revisions, &request)) } }
            }
        };
        let description = "What changes between two revisions, by the nodes that it affects.".to_string();
        let head = Head { at: "/changes", environment: &request.environment, description, ..Head::new("Changes") };
        Ok((framed(&head, &body), known.err()))
    });
    match outcome.await {
        Ok((page, problem)) => with_status(page, problem.as_ref()),
        Err(problem) => Page(Err(problem)).into_response(),
    }
}

/// The maximum number of commits to pick.
const MAX_COMMITS: usize = 20;

/// The maximum number of branches to pick.
const MAX_BRANCHES: usize = 20;

/// The maximum number of branches whose changes are counted.
const MAX_COUNTED_BRANCHES: usize = 8;

/// The commits and branches to pick. The script fills in the counts that are not known yet.
fn picks(revisions: &Revisions, request: &ComparisonRequest) -> Markup {
    let environment = request.environment.as_str();
    let between = |path: &str, base: &str, head: &str, merge_base: &str| {
        let pairs = [("environment", environment), ("base", base), ("head", head), ("merge_base", merge_base)];
        let pairs: Vec<(&str, &str)> = pairs.into_iter().filter(|(_, value)| !value.is_empty()).collect();
        link(path, &pairs)
    };
    let current = revisions.current.as_deref();
    let others: Vec<&BranchRow> =
        revisions.branches.iter().filter(|row| Some(row.branch.name.as_str()) != current).collect();
    html! {
        section aria-labelledby="commits" {
            h2 #commits { "Commits" }
            ol.commits {
                li { a href=(between("/changes", "HEAD", "", "")) { "Uncommitted changes" } }
                @for row in &revisions.commits {
                    @let head = row.commit.short();
                    li {
                        @match row.parent {
                            Some(parent) => {
                                @let base = parent.short();
                                a href=(between("/changes", &base, &head, "")) { (row.author.summary) }
                                div.small.dim {
                                    (row.author.name) ", " time datetime=(row.author.day()) { (row.author.day()) } " "
                                    @match &row.counts {
                                        Some(counts) => strong { (counted(counts)) },
                                        None => span data-count=(between("/changes/counts", &base, &head, "")) {},
                                    }
                                }
                            },
                            None => {
                                (row.author.summary)
                                div.small.dim { (row.author.name) ", " time datetime=(row.author.day()) { (row.author.day()) } " first commit" }
                            },
                        }
                    }
                }
            }
        }
        @if !others.is_empty() {
            section aria-labelledby="branches" {
                h2 #branches { "Branches" }
                p.dim.small { "What each would change here, since both parted" @if let Some(current) = current { ", compared with " code { (current) } } }
                ul.commits {
                    @for (index, BranchRow { branch, author }) in others.iter().take(MAX_BRANCHES).enumerate() {
                        li {
                            a href=(between("/changes", "HEAD", &branch.name, "true")) { (branch.name) }
                            @if branch.is_remote { " " span.dim.small { "remote" } }
                            @if let Some(author) = author {
                                div.small { (author.summary) }
                                div.small.dim {
                                    (author.name) ", " time datetime=(author.day()) { (author.day()) } " "
                                    @if index < MAX_COUNTED_BRANCHES { span data-count=(between("/changes/counts", "HEAD", &branch.name, "true")) {} }
                                }
                            }
                        }
                    }
                }
                @if others.len() > MAX_BRANCHES { p.dim.small { (others.len() - MAX_BRANCHES) " more: name one in the form." } }
            }
        }
    }
}

/// The counts of a comparison in words.
fn counted(counts: &ChangeCounts) -> String {
    match (counts.keys, counts.nodes) {
        (0, 0) if counts.is_complete => "no key".into(),
        (0, 0) => "no key, not all compared".into(),
        (keys, nodes) => format!("{}, {}", counted_as(keys, "key", "keys"), counted_as(nodes, "node", "nodes")),
    }
}

/// The counts of a comparison, for the list of commits.
#[derive(Serialize)]
struct Counts {
    /// In words; none while they are computed.
    words: Option<String>,
    /// Whether a key changes.
    is_change: bool,
}

/// The number of keys and nodes that differ between two revisions.
pub(crate) async fn counts(State(service): State<Shared>, Query(query): Query<ChangesQuery>) -> Response {
    let page = limits::work(&service, move |service, budget| {
        let request = ComparisonRequest {
            environment: chosen(service, query.environment),
            base: query.base,
            head: query.head,
            from_merge_base: !query.merge_base.is_empty(),
            counts_only: true,
            ..ComparisonRequest::default()
        };
        Ok(match changes::request_comparison(service, &request, service.limits.time / 2, budget)? {
            ComparisonState::Done(report) => {
                let counts = ChangeCounts::new(&report);
                Counts { words: Some(counted(&counts)), is_change: counts.keys > 0 }
            }
            ComparisonState::Running(_) => Counts { words: None, is_change: false },
        })
    });
    match page.await {
        Ok(counts) => Json(counts).into_response(),
        Err(problem) => problem.into_response(),
    }
}

/// Renders the numbers of a report, before its changes.
fn summary(report: &Report) -> Markup {
    let Summary { nodes, changed_nodes, changed_keys, failures, .. } = report.summary;
    html! {
        dl.summary {
            div { dt { "Keys" } dd { (changed_keys) } }
            div { dt { "Nodes" } dd { (changed_nodes) " " span.dim.small { "of " (nodes) @if report.summary.are_synthetic { ", made up from the files" } } } }
            @if failures > 0 { div { dt { "New errors" } dd.fault { (failures) } } }
        }
    }
}

/// Returns the root of the git repository of an environment; `None` without git, whose changes have no pages of lines.
fn repository_root(service: &Service, environment: &str, budget: &Budget) -> Option<PathBuf> {
    let (opened, _) = service.nodes.environments.get(environment).ok()?;
    let repository = history::repository(service, environment, &opened, budget).ok()?;
    Some(repository.root().to_path_buf())
}

/// The page of a line of the files as they are, below the root of the repository.
fn line_page(request: &ComparisonRequest, root: &Path, place: &Place) -> String {
    let file = root.join(&place.file);
    let pairs = [("environment", request.environment.as_str()), ("path", &*file.to_string_lossy())];
    format!("{}#L{}", link("/file", &pairs), place.line)
}

/// Renders the changes. Lines of the head have pages below `root`.
fn shown(report: &Report, request: &ComparisonRequest, only: Option<Presence>, root: Option<&Path>) -> Markup {
    html! {
        h2 { (report.first_line().replace(" -> ", " → ")) }
        @if !report.is_empty() { (summary(report)) }
        (kinds(report, &Address(request), only))
        (hieratic_report::pages::changes(report, &HtmlOptions {
            key: &|group, change| key(request, report, group, change),
            node: &|name| (!report.summary.are_synthetic).then(|| node_address(&request.environment, name)),
            rule: &|rule| Some(link("/finding", &[("rule", rule)])),
            line: &|side, place| (side == Side::Head).then(|| Some(line_page(request, root?, place))).flatten(),
            shows: &|change| only.is_none_or(|only| presence(change) == Some(only)),
            has_overview: only.is_none(),
            most: MAX_CHANGES,
            most_names: MAX_NAMES,
        }))
    }
}

/// The page of a key for the first of some nodes.
fn key(request: &ComparisonRequest, report: &Report, group: &ChangeGroup, change: &Change) -> Option<String> {
    let node = group.names().first().filter(|_| !report.summary.are_synthetic)?;
    let Change::Key(change) = change else { return None };
    Some(key_address(&request.environment, node, &change.key))
}

fn form(service: &Service, request: &ComparisonRequest, revisions: &Revisions) -> Markup {
    html! {
        form action="/changes" {
            (environment_choice("Environment", "environment", &service.nodes.environments.names(), &request.environment))
            label { "From revision" input name="base" value=(request.base) placeholder="HEAD" list="revisions"; }
            label { "To revision" input name="head" value=(request.head) placeholder="the working tree" list="revisions"; }
            label { "Node" input name="node" value=(request.node) placeholder="all"; }
            label { "Keys that contain" input name="key" value=(request.key) placeholder="all"; }
            label.check { input type="checkbox" name="merge_base" value="true" checked[request.from_merge_base]; "since the merge base" }
            button { "Compare" }
        }
        datalist #revisions {
            @for row in revisions.branches.iter().take(50) { option value=(row.branch.name) {} }
            @for row in &revisions.commits { option value=(row.commit.short()) { (row.author.summary) } }
        }
    }
}

const PRESENCES: [(Presence, &str, &str); 3] = [
    (Presence::Both, "changed", "Different values"),
    (Presence::Head, "new", "New keys"),
    (Presence::Base, "removed", "Removed keys"),
];

/// The sides that have a key.
fn presence(change: &Change) -> Option<Presence> {
    match change {
        Change::Key(key) => Some(key.presence),
        _ => None,
    }
}

fn parse_presence(only: &str) -> Result<Option<Presence>, Problem> {
    match PRESENCES.iter().find(|(_, name, _)| *name == only) {
        Some((presence, ..)) => Ok(Some(*presence)),
        None if only.is_empty() => Ok(None),
        None => Err(Problem::bad_request(format!("unknown kind '{only}'")).help("use changed, new or removed")),
    }
}

/// Renders the number of changes of each kind, each as a link to these changes.
fn kinds(report: &Report, here: &Address<'_>, only: Option<Presence>) -> Markup {
    let all = || report.changes().filter_map(presence);
    let total = all().count();
    html! {
        ul.tools {
            @if total > 0 {
                li { a href=(link("/changes", &here.pairs(None))) aria-current=[only.is_none().then_some("true")] { "All (" (total) ")" } }
                @for (kind, name, title) in PRESENCES {
                    li {
                        a href=(link("/changes", &here.pairs(Some(name)))) aria-current=[(only == Some(kind)).then_some("true")] {
                            (title) " (" (all().filter(|presence| *presence == kind).count()) ")"
                        }
                    }
                }
            }
            li { a href=(link("/v1/changes", &here.pairs(None))) { "JSON" } }
        }
    }
}

/// Builds links to a comparison.
struct Address<'a>(&'a ComparisonRequest);

impl<'a> Address<'a> {
    fn pairs(&self, only: Option<&'a str>) -> Vec<(&'a str, &'a str)> {
        let ComparisonRequest { environment, base, head, from_merge_base, node, key, .. } = self.0;
        let pairs = [
            ("environment", environment.as_str()),
            ("base", base),
            ("head", head),
            ("merge_base", if *from_merge_base { "true" } else { "" }),
            ("node", node),
            ("key", key),
            ("only", only.unwrap_or_default()),
        ];
        pairs.into_iter().filter(|(_, value)| !value.is_empty()).collect()
    }
}
