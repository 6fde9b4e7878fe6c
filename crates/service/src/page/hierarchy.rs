//! The levels of the hierarchies, for all nodes together.

use axum::extract::{Query, State};
use axum::response::IntoResponse;
use maud::html;
use serde::Deserialize;

use super::find::progress;
use super::lists::chosen;
use super::{Head, Page, environment_choice, framed, scrolling};
use crate::{Shared, limits, search};

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct HierarchyQuery {
    environment: String,
}

/// What each level is good for.
pub(crate) async fn hierarchy(State(service): State<Shared>, Query(query): Query<HierarchyQuery>) -> impl IntoResponse {
    let made = limits::work(&service, move |service, budget| {
        let environments = service.nodes.environments.names();
        let environment = chosen(service, query.environment);
        let index = service.fleet.index(service, &environment, budget)?;
        let found = search::hierarchy(&index, &environment);
        let body = html! {
            @if environments.len() > 1 {
                form action="/hierarchy" {
                    label { "Environment" (environment_choice("environment", &environments, &environment)) }
                    button { "Show" }
                }
            }
            (progress(found.read, found.nodes, found.complete))
            @if found.levels.is_empty() { p { "No node has a hierarchy." } }
            @else {
                (scrolling("Levels", &html! {
                    table {
                        tr {
                            th scope="col" { "Level, the highest first" }
                            th.number scope="col" { "Nodes with a file" }
                            th.number scope="col" { "Files" }
                            th.number scope="col" { "Keys" }
                            th.number scope="col" { "Highest on some node" }
                            th.number scope="col" { "Always set above, too" }
                        }
                        @for level in &found.levels {
                            tr {
                                td.wide {
                                    @if let Some(module) = &level.module { "module " (module) ": " }
                                    (level.level)
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
                p.dim.small { "A key that is always set above, too, counts only where values are merged." }
            }
        };
        Ok(framed(&Head { at: "/hierarchy", environment: &environment, ..Head::new("Hierarchy") }, &body))
    });
    Page(made.await)
}
