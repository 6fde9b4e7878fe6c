//! The page of the changes between two states of the repository of an environment.

use std::time::Duration;

use axum::extract::{Query, State};
use axum::response::IntoResponse;
use hieratic_impact::Presence;
use hieratic_report::pages::HtmlOptions;
use hieratic_report::{Change, ChangeGroup, Report};
use maud::{Markup, html};
use serde::Deserialize;

use super::lists::chosen;
use super::{Head, Page, environment_choice, framed, link};
use crate::changes::{self, ComparisonRequest, ComparisonState};
use crate::problem::Problem;
use crate::{Service, Shared, limits};

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
pub(crate) async fn changes(State(service): State<Shared>, Query(query): Query<ChangesQuery>) -> impl IntoResponse {
    let made = limits::work(&service, move |service, budget| {
        let wanted = ComparisonRequest {
            environment: chosen(service, query.environment),
            base: query.base,
            head: query.head,
            from_merge_base: !query.merge_base.is_empty(),
            node: query.node,
            key: query.key,
        };
        let here = Address(&wanted);
        let only = parse_presence(&query.only)?;
        let known = changes::request_comparison(service, &wanted, MAX_WAIT.min(service.limits.time / 2), budget)?;
        let body = html! {
            (form(service, &wanted))
            @match &known {
                ComparisonState::Done(report) => (shown(report, &wanted, only)),
                ComparisonState::Running(since) => {
                    p role="status" data-pending="" {
                        "Comparing… (" (since.as_secs()) " s) "
                        a href=(link("/changes", &here.pairs(Some(&query.only)))) { "Refresh" }
                    }
                    p.dim.small { "Faster with a node or key filter." }
                },
            }
        };
        let head = Head { at: "/changes", environment: &wanted.environment, ..Head::new("Changes") };
        Ok(framed(&head, &body))
    });
    Page(made.await)
}

/// Renders the changes.
fn shown(report: &Report, wanted: &ComparisonRequest, only: Option<Presence>) -> Markup {
    html! {
        h2 { (report.headline().replace(" -> ", " → ")) }
        (counts(report, &Address(wanted), only))
        @if report.is_empty() && report.notes.is_empty() { p.dim { "Nothing to show." } }
        (hieratic_report::pages::changes(report, &HtmlOptions {
            key: &|group, change| key(wanted, report, group, change),
            node: &|name| (!report.summary.are_synthetic).then(|| link("/node", &[("environment", &wanted.environment), ("node", name)])),
            rule: &|rule| Some(link("/finding", &[("rule", rule)])),
            shows: &|change| only.is_none_or(|only| presence(change) == Some(only)),
            most: MAX_CHANGES,
            most_names: MAX_NAMES,
        }))
    }
}

/// The page of a key for the first of some nodes.
fn key(wanted: &ComparisonRequest, report: &Report, group: &ChangeGroup, change: &Change) -> Option<String> {
    let node = group.names().first().filter(|_| !report.summary.are_synthetic)?;
    let Change::Key(change) = change else { return None };
    let key = hieratic::lookup::quoted_key(&change.key);
    Some(link("/key", &[("environment", &wanted.environment), ("node", node), ("key", &key)]))
}

fn form(service: &Service, wanted: &ComparisonRequest) -> Markup {
    html! {
        form action="/changes" {
            (environment_choice("Environment", "environment", &service.nodes.environments.names(), &wanted.environment))
            label { "From revision" input name="base" value=(wanted.base) placeholder="HEAD"; }
            label { "To revision" input name="head" value=(wanted.head) placeholder="the working tree"; }
            label { "Node" input name="node" value=(wanted.node) placeholder="all"; }
            label { "Keys that contain" input name="key" value=(wanted.key) placeholder="all"; }
            label.check { input type="checkbox" name="merge_base" value="true" checked[wanted.from_merge_base]; "since the merge base" }
            button { "Compare" }
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
fn counts(report: &Report, here: &Address<'_>, only: Option<Presence>) -> Markup {
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
        let ComparisonRequest { environment, base, head, from_merge_base, node, key } = self.0;
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
