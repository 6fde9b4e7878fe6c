//! Lists of nodes and keys, searched.

use axum::extract::{Query, State};
use axum::response::IntoResponse;
use maud::html;
use serde::Deserialize;

use super::{Page, environment_choice, framed, link};
use crate::nodes::Asked;
use crate::{Shared, limits, questions};

/// How many names a page lists.
const NAMES: usize = 500;

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct StartQuery {
    environment: String,
    search: String,
}

/// The start: environments, and nodes that are searched for.
pub(crate) async fn start(State(service): State<Shared>, Query(query): Query<StartQuery>) -> impl IntoResponse {
    let made = limits::work(&service, move |service, _| {
        let environments = service.nodes.environments.names();
        let chosen = chosen(service, query.environment);
        let (nodes, more) = questions::selected(service.stored.names()?, &query.search, None, NAMES);
        let body = html! {
            form action="/" {
                label { "Environment" (environment_choice("environment", &environments, &chosen)) }
                label { "Search nodes" input name="search" value=(query.search) autofocus; }
                button { "Search" }
            }
            form action="/node" {
                input type="hidden" name="environment" value=(chosen);
                label { "Node by name" input name="node" required; }
                label { "Search keys" input name="search"; }
                button { "Show keys" }
            }
            p.note { (service.stored.described()) }
            ul.names {
                @for node in &nodes {
                    li { a href=(link("/node", &[("environment", &chosen), ("node", node)])) { (node) } }
                }
            }
            @if more { p.note { "More results: search for part of the name." } }
        };
        Ok(framed("Nodes", &body))
    });
    Page(made.await)
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct NodeQuery {
    environment: String,
    node: String,
    search: String,
}

/// The keys of a node.
pub(crate) async fn node(State(service): State<Shared>, Query(query): Query<NodeQuery>) -> impl IntoResponse {
    let made = limits::work(&service, move |service, budget| {
        let environments = service.nodes.environments.names();
        let chosen = chosen(service, query.environment);
        let asked = Asked::Stored(query.node.clone());
        let found =
            service.nodes.ask(&chosen, &asked, budget, &|node| questions::keys(node, &query.search, None, NAMES))?;
        let (keys, more) = found?;
        let body = html! {
            form action="/node" {
                input type="hidden" name="node" value=(query.node);
                label { "Environment" (environment_choice("environment", &environments, &chosen)) }
                label { "Search keys" input name="search" value=(query.search) autofocus; }
                button { "Search" }
            }
            p { a href=(link("/compare", &[("left_environment", &chosen), ("left", &query.node)])) { "Compare with another" } }
            ul.names {
                @for key in &keys {
                    li {
                        a href=(link("/key", &[("environment", &chosen), ("node", &query.node), ("key", &questions::quoted(key))])) {
                            (key)
                        }
                    }
                }
            }
            @if keys.is_empty() { p.note { "No keys match." } }
            @if more { p.note { "More results: search for part of the name." } }
        };
        Ok(framed(&query.node, &body))
    });
    Page(made.await)
}

/// The environment that a page shows.
pub(super) fn chosen(service: &crate::Service, environment: String) -> String {
    if environment.is_empty() { service.nodes.environments.default_name() } else { environment }
}
