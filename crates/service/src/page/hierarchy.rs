//! The levels of the hierarchies, for all nodes together and for groups of them.

use axum::extract::{Query, State};
use axum::response::IntoResponse;
use hieratic::diagnostics::counted_as;
use maud::{Markup, html};
use serde::Deserialize;

use super::find::progress;
use super::lists::chosen;
use super::{Head, Page, environment_choice, framed, link, scrolling};
use crate::api::types::{GroupRow, GroupUseRow, HierarchyResponse, LevelRow};
use crate::{Shared, levels, limits, search};

/// The maximum number of facts offered for grouping.
const MAX_OFFERED_FACTS: usize = 30;

/// The maximum length of a column's fact value, in characters.
const MAX_FACT_LENGTH: usize = 60;

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct HierarchyQuery {
    environment: String,
    by: String,
}

/// The page of the hierarchies: the contribution of each level.
pub(crate) async fn hierarchy(State(service): State<Shared>, Query(query): Query<HierarchyQuery>) -> impl IntoResponse {
    let made = limits::work(&service, move |service, budget| {
        let environments = service.nodes.environments.names();
        let environment = chosen(service, query.environment);
        let index = service.fleet.index(service, &environment, budget)?;
        let offered = levels::groupings(&index, budget)?;
        let by = if query.by.is_empty() { offered.first().cloned() } else { Some(query.by) };
        let found = search::hierarchy(&index, &environment, by.as_deref(), budget)?;
        let body = html! {
            form action="/hierarchy" {
                (environment_choice("Environment", "environment", &environments, &environment))
                label { "Groups by the fact" input name="by" value=(by.as_deref().unwrap_or_default()) list="facts"; }
                datalist #facts { @for name in offered.iter().take(MAX_OFFERED_FACTS) { option value=(name) {} } }
                button { "Show" }
            }
            (progress(&index, &link("/hierarchy", &[("environment", &environment), ("by", by.as_deref().unwrap_or_default())])))
            @if found.levels.is_empty() { p { "No node has a hierarchy." } }
            @else { (table(&found)) (map(&found)) }
        };
        Ok(framed(&Head { at: "/hierarchy", environment: &environment, ..Head::new("Hierarchy") }, &body))
    });
    Page(made.await)
}

fn name(level: &LevelRow) -> Markup {
    html! { @if let Some(module) = &level.module { "module " (module) ": " } (level.level) }
}

/// The levels on all nodes.
fn table(found: &HierarchyResponse) -> Markup {
    html! {
        (scrolling("Levels", &html! {
            table {
                tr {
                    th scope="col" { "Level (highest priority first)" }
                    th.number scope="col" { "Nodes with a file" }
                    th.number scope="col" { "Files" }
                    th.number scope="col" { "Keys" }
                    th.number scope="col" { "Wins on at least one node" }
                    th.number scope="col" { "Never wins" }
                }
                @for level in &found.levels {
                    tr {
                        td.wide {
                            (name(level))
                            @if level.nodes == 0 && found.complete { " " span.fault.small { "read by no node" } }
                        }
                        td.number { (level.nodes) }
                        td.number { (level.files) }
                        td.number { (level.keys) }
                        td.number { (level.highest) }
                        td.number { (level.keys - level.highest) }
                    }
                }
            }
        }))
        p.dim.small { "Keys that never win have an effect only if their values are merged." }
    }
}

/// The levels on groups of nodes.
fn map(found: &HierarchyResponse) -> Markup {
    let Some(by) = &found.by else { return html! {} };
    let most = found.levels.iter().flat_map(|level| &level.groups).map(|one| one.keys).max().unwrap_or(0);
    let search = |value: &str| link("/find", &[("environment", &found.environment), ("q", &format!("{by} {value}"))]);
    let title = |group: &GroupRow| match &group.value {
        Some(value) if value.is_empty() => html! { "empty" },
        Some(value) => html! { a href=(search(value)) { (shortened(value)) } },
        None => html! { "other nodes" },
    };
    html! {
        h2 #groups { "Groups by " (by) }
        @if found.groups.iter().all(|group| group.value.is_none()) { p { "No node has this fact." } }
        @else {
            (scrolling("Levels by groups of nodes", &html! {
                table.map {
                    tr {
                        th scope="col" { "Level" }
                        @for group in &found.groups {
                            th.number scope="col" { (title(group)) br; span.dim { (counted_as(group.nodes, "node", "nodes")) } }
                        }
                    }
                    @for level in &found.levels {
                        tr {
                            th.wide scope="row" { (name(level)) }
                            @for one in &level.groups { (cell(one, most)) }
                        }
                    }
                }
            }))
            p.dim.small {
                "The number of keys that the level sets for the nodes of the group, and how many of them never win. "
                "A dash means that no node of the group has a file there."
            }
        }
    }
}

/// A part of the map: the more keys, the stronger its color.
fn cell(one: &GroupUseRow, most: usize) -> Markup {
    if one.nodes == 0 {
        return html! { td.number.unread { "–" } };
    }
    // Few keys in one level are as many as most in another: the steps are powers of two.
    let step = match (one.keys, most.checked_div(one.keys.max(1)).unwrap_or(0)) {
        (0, _) => "k0",
        (_, 0..2) => "k4",
        (_, 2..8) => "k3",
        (_, 8..64) => "k2",
        _ => "k1",
    };
    let overridden = one.keys - one.highest;
    html! {
        td class={ "number " (step) } {
            (one.keys)
            @if overridden > 0 { br; span.small { (overridden) " overridden" } }
        }
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_FACT_LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}
