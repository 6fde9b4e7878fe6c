//! Lists of nodes and keys, searched.

use axum::extract::{Query, State};
use axum::response::IntoResponse;
use hieratic::{Footing, Looks, Node};
use maud::{Markup, html};
use serde::Deserialize;

use super::{Head, Named, Page, counted, environment_choice, findings, framed, link, scrolling};
use crate::nodes::Asked;
use crate::questions::Subject;
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
        let names = service.stored.names()?;
        let all = names.len();
        let (nodes, more) = questions::selected(names, &query.search, None, NAMES);
        let body = html! {
            form action="/" {
                label { "Environment" (environment_choice("environment", &environments, &chosen)) }
                label { "Part of the name" input type="search" name="search" value=(query.search); }
                button { "Search nodes" }
            }
            p.dim { (counted(all, "node", "nodes")) ", " (service.stored.described()) }
            @if nodes.is_empty() && all > 0 { p { "No node has such a name." } }
            ul.names {
                @for node in &nodes {
                    li { a href=(link("/node", &[("environment", &chosen), ("node", node)])) { (node) } }
                }
            }
            @if more { p.dim { "There are more nodes: search for part of the name." } }
            details.fold {
                summary { "A node by its full name" }
                form action="/node" {
                    input type="hidden" name="environment" value=(chosen);
                    label { "Node" input name="node" required; }
                    button { "Show" }
                }
            }
        };
        Ok(framed(&Head { at: "/", environment: &chosen, ..Head::new("Nodes") }, &body))
    });
    Page(made.await)
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct NodeQuery {
    environment: String,
    node: String,
    search: String,
    facts: String,
}

/// A node: its keys by module, its facts, and the places that its hierarchies lead to.
pub(crate) async fn node(State(service): State<Shared>, Query(query): Query<NodeQuery>) -> impl IntoResponse {
    let shared = service.clone();
    let made = limits::work(&service, move |service, budget| {
        let environments = service.nodes.environments.names();
        let chosen = chosen(service, query.environment);
        let asked = Asked::Stored(query.node.clone());
        let (found, hierarchy) = service.nodes.ask(&chosen, &asked, budget, &|subject| {
            let named = Named::new(subject.root, service.link.as_deref());
            let keys = questions::keys(subject, &query.search, None, NAMES);
            let is_searched = !query.search.is_empty() || !query.facts.is_empty();
            (
                keys,
                if is_searched {
                    html! {}
                } else {
                    hierarchy(subject, &named)
                },
            )
        })?;
        let (keys, more) = found?;
        let facts = service.stored.facts(&query.node, &Looks::default())?.facts;
        let facts = questions::fact_rows(&facts, &query.facts);
        let is_searched = !query.search.is_empty() || !query.facts.is_empty();
        let findings = match is_searched {
            true => html! {},
            false => findings::of_node(&shared, &chosen, &query.node, budget)?,
        };
        let body = html! {
            form action="/node" {
                input type="hidden" name="node" value=(query.node);
                label { "Environment" (environment_choice("environment", &environments, &chosen)) }
                label { "Part of a key" input type="search" name="search" value=(query.search); }
                button { "Search keys" }
            }
            ul.tools {
                li { a href="#keys" { "Keys" } }
                li { a href="#facts" { "Facts" } }
                @if !is_searched {
                    li { a href="#hierarchy" { "Hierarchy" } }
                    li { a href="#findings" { "Findings" } }
                }
                li { a href=(link("/compare", &[("left_environment", &chosen), ("left", &query.node)])) { "Compare with another node" } }
            }
            h2 #keys { "Keys" }
            @if keys.is_empty() { p { "No key matches." } }
            @for (module, keys) in by_module(&keys) {
                section.group {
                    h3 { @if module.is_empty() { "Without a module" } @else { (module) } " (" (keys.len()) ")" }
                    ul.names {
                        @for key in keys {
                            li {
                                a href=(link("/key", &[("environment", &chosen), ("node", &query.node), ("key", &questions::quoted(key))])) { (key) }
                            }
                        }
                    }
                }
            }
            @if more { p.dim { "There are more keys: search for part of the name." } }
            h2 #facts { "Facts" }
            form action="/node" {
                input type="hidden" name="environment" value=(chosen);
                input type="hidden" name="node" value=(query.node);
                label { "Part of a name or value" input type="search" name="facts" value=(query.facts); }
                button { "Search facts" }
            }
            (fact_table(&facts))
            (hierarchy)
            (findings)
        };
        let crumbs = vec![(chosen.as_str(), link("/", &[("environment", &chosen)]))];
        Ok(framed(&Head { environment: &chosen, crumbs, ..Head::new(&query.node) }, &body))
    });
    Page(made.await)
}

/// Keys by the module that they belong to: their first part. They are sorted.
fn by_module(keys: &[String]) -> Vec<(&str, Vec<&str>)> {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for key in keys {
        let module = key.split_once("::").map_or("", |(module, _)| module);
        match groups.iter_mut().find(|(name, _)| *name == module) {
            Some((_, of)) => of.push(key),
            None => groups.push((module, vec![key])),
        }
    }
    groups
}

/// How many facts are shown open.
const OPEN_FACTS: usize = 25;

/// How many facts a page shows.
const MOST_FACTS: usize = 1000;

fn fact_table(facts: &[(String, String)]) -> Markup {
    if facts.is_empty() {
        return html! { p { "No fact matches." } };
    }
    let rows = |facts: &[(String, String)]| {
        scrolling(
            "Facts",
            &html! {
                table {
                    tr { th scope="col" { "Fact" } th scope="col" { "Value" } }
                    @for (name, value) in facts { tr { td { code { (name) } } td { code { (value) } } } }
                }
            },
        )
    };
    let (first, rest) = facts[..facts.len().min(MOST_FACTS)].split_at(facts.len().min(OPEN_FACTS));
    html! {
        (rows(first))
        @if !rest.is_empty() {
            details.fold { summary { (counted(rest.len(), "more fact", "more facts")) } (rows(rest)) }
        }
        @if facts.len() > MOST_FACTS { p.dim { "There are more facts: search for part of the name." } }
    }
}

/// The places that the hierarchies lead to, with what is there.
fn hierarchy(subject: &Subject<'_>, named: &Named) -> Markup {
    // A hierarchy that cannot be read is what the list of keys is about.
    let Ok(footprint) = subject.node.footprint(subject.budget) else { return html! {} };
    let label = |level: &str| {
        level.strip_prefix("Hierarchy entry \"").and_then(|rest| rest.strip_suffix('"')).unwrap_or(level).to_string()
    };
    let rows: Vec<&Footing> =
        footprint.places.iter().filter(|place| place.path.is_some() || place.fault.is_some()).collect();
    let absent: Vec<&Footing> =
        footprint.places.iter().filter(|place| place.path.is_none() && place.fault.is_none()).collect();
    html! {
        h2 #hierarchy { "Hierarchy" }
        (scrolling("Hierarchy", &html! {
            table {
                tr { th scope="col" { "Level" } th scope="col" { "File" } th.number scope="col" { "Keys" } }
                @for place in &rows {
                    tr {
                        td { @if let Some(module) = &place.module { "module " (module) ": " } (label(&place.level)) }
                        td {
                            @if let Some(path) = &place.path { (named.line(path, None)) }
                            @if place.fault.is_some() { " " span.fault { "cannot be read" } }
                        }
                        td.number { @if let Some(data) = &place.data { (data.keys().filter(|key| &***key != Node::OPTIONS_KEY).count()) } }
                    }
                }
            }
        }))
        @if !absent.is_empty() {
            details.fold {
                summary { (counted(absent.len(), "place without a file", "places without a file")) }
                ul {
                    @for place in &absent {
                        li.dim {
                            @if let Some(module) = &place.module { "module " (module) ": " } (label(&place.level))
                            @if let Some(location) = &place.location { ": " code { (named.line(location.as_ref().as_ref(), None)) } }
                        }
                    }
                }
            }
        }
    }
}

/// The environment that a page shows.
pub(super) fn chosen(service: &crate::Service, environment: String) -> String {
    if environment.is_empty() { service.nodes.environments.default_name() } else { environment }
}
