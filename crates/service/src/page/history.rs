//! How the answer to a key changed over the commits of its repository, as a line of time.

use axum::extract::{Query, State};
use axum::response::IntoResponse;
use maud::{Markup, html};
use serde::Deserialize;

use super::compare::{inside, whole};
use super::lists::chosen;
use super::{Head, Page, framed, link};
use crate::history::{self, Entry};
use crate::{Shared, limits};

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
    let made = limits::work(&service, move |service, budget| {
        let environment = chosen(service, query.environment);
        let found = history::of(service, &environment, &query.node, &query.key, &query.from, budget)?;
        let here = [("environment", environment.as_str()), ("node", query.node.as_str()), ("key", query.key.as_str())];
        let body = html! {
            p.dim { "The commits that changed the answer for " (query.node) ", newest first. Changes that are not committed are not here." }
            @if found.is_secret { p { "The value is secret: its past is not shown." } }
            @else if found.entries.is_empty() && found.next.is_none() { p { "No commit changed it." } }
            ol.timeline { @for entry in &found.entries { li.card { (commit(entry)) } } }
            @if let Some(next) = &found.next {
                @let more: Vec<(&str, &str)> = here.iter().copied().chain([("from", next.as_str())]).collect();
                p { a href=(link("/history", &more)) { "Older commits" } }
            }
            @if found.is_cut_off { p.dim { "Older commits are not in the repository: its history is shallow." } }
        };
        let crumbs = vec![
            (environment.as_str(), link("/", &here[..1])),
            (query.node.as_str(), link("/node", &here[..2])),
            (query.key.as_str(), link("/key", &here)),
        ];
        Ok(framed(&Head { crumbs, environment: &environment, ..Head::new("History") }, &body))
    });
    Page(made.await)
}

fn commit(entry: &Entry) -> Markup {
    let short: String = entry.commit.chars().take(10).collect();
    html! {
        p {
            time datetime=(entry.author.day()) { (entry.author.day()) } " "
            strong { (entry.author.summary) } " "
            span.dim.small { (entry.author.name) " " code { (short) } }
            @if let Some(place) = &entry.place { " " span.dim.small { (place) } }
        }
        @match (&entry.before, &entry.after) {
            (Some(Ok(before)), Some(Ok(after))) => (inside(before, after)),
            (before, after) => div.sides { (whole(before.as_ref(), 0)) (whole(after.as_ref(), 1)) },
        }
    }
}
