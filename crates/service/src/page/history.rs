//! The page of a key's history: how its answer changed over the commits of its repository.

use std::path::Path;

use axum::extract::{Query, State};
use axum::response::IntoResponse;
use hieratic_report::{HistoryEntry, lines_of};
use maud::{Markup, html};
use serde::Deserialize;

use super::{Head, Page, chosen, framed, link};
use crate::{Shared, history, limits};

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct HistoryQuery {
    environment: String,
    node: String,
    key: String,
    from: String,
}

/// The commits that changed the answer to a key for a node.
pub(crate) async fn history(State(service): State<Shared>, Query(query): Query<HistoryQuery>) -> impl IntoResponse {
    let page = limits::work(&service, move |service, budget| {
        let environment = chosen(service, query.environment);
        let history_of_key = history::key_history(service, &environment, &query.node, &query.key, &query.from, budget)?;
        let found = &history_of_key.history;
        let next = found.next.map(|commit| commit.to_string());
        let here = [("environment", environment.as_str()), ("node", query.node.as_str()), ("key", query.key.as_str())];
        let body = html! {
            p.dim { "The commits that changed the answer for " (query.node) ", newest first. Uncommitted changes are not shown." }
            div #commits {
                @if history_of_key.is_secret { p { "The value is secret: its past is not shown." } }
                @else if found.entries.is_empty() && found.next.is_none() { p { "No commit changed this value." } }
                @else if found.entries.is_empty() && let Some(day) = &history_of_key.next_day { p { "No commit from the latest to that of " (day) " changed this value." } }
                ol.timeline { @for entry in &found.entries { li.card { (commit(entry, &history_of_key.root, &environment)) } } }
                @if let Some(next) = &next {
                    @let more: Vec<(&str, &str)> = here.iter().copied().chain([("from", next.as_str())]).collect();
                    p { a href=(link("/history", &more)) { "Older commits" @if let Some(day) = &history_of_key.next_day { " (" (day) " and before)" } } }
                }
                @if found.is_cut_off { p.dim { "Older commits are not in the repository: its history is shallow." } }
            }
        };
        let crumbs = vec![
            (environment.as_str(), link("/", &here[..1])),
            (query.node.as_str(), link("/node", &here[..2])),
            (query.key.as_str(), link("/key", &here)),
        ];
        Ok(framed(&Head { crumbs, environment: &environment, ..Head::new("History") }, &body))
    });
    Page(page.await)
}

fn commit(entry: &HistoryEntry, root: &Path, environment: &str) -> Markup {
    let head = entry.commit.short();
    let address = entry
        .is_answered
        .base
        .then(|| link("/changes", &[("environment", environment), ("base", &format!("{head}~1")), ("head", &head)]));
    html! {
        p.commit {
            @match &address {
                Some(address) => a href=(address) { (entry.author.summary) },
                None => strong { (entry.author.summary) },
            }
            " "
            span.dim.small { (entry.author.name) ", " time datetime=(entry.author.day()) { (entry.author.day()) } " " code { (head) } }
        }
        (hieratic_report::pages::lines(&lines_of(&entry.parts, &|origin| history::origin(root, origin)), &|_, _| None))
    }
}
