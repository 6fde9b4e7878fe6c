//! Lists of nodes and keys, searched.

use axum::extract::{Query, State};
use axum::response::IntoResponse;
use hieratic::Node;
use hieratic::dependencies::{AccessLog, DataDependency};
use hieratic::diagnostics::counted_as;
use maud::{Markup, html};
use serde::Deserialize;

use super::{FileLinks, Head, Page, environment_choice, findings, framed, link, scrolling};
use crate::lookups::NodeContext;
use crate::nodes::NodeSelector;
use crate::{Shared, limits, lookups};

/// The maximum number of nodes on the page.
const MAX_NODES: usize = 500;

/// The maximum number of keys on the page.
const MAX_KEYS: usize = 2000;

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
        let names = service.names()?;
        let all = names.len();
        let (nodes, more) = lookups::select_names(names, &query.search, None, MAX_NODES);
        let body = html! {
            form action="/" {
                (environment_choice("Environment", "environment", &environments, &chosen))
                label { "Part of the name" input type="search" name="search" value=(query.search); }
                button { "Search nodes" }
            }
            p.dim { (counted_as(all, "node", "nodes")) ", " (service.stored.describe()) }
            @if nodes.is_empty() && all > 0 { p { "No node has this name." } }
            ul.names {
                @for node in &nodes {
                    li { a href=(link("/node", &[("environment", &chosen), ("node", node)])) { (node) } }
                }
            }
            @if more { p.dim { "There are more nodes: search for part of the name." } }
            details.fold {
                summary { "Open a node by name" }
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

/// The page of a node: its keys by module, its facts, and the locations of its hierarchies.
pub(crate) async fn node(State(service): State<Shared>, Query(query): Query<NodeQuery>) -> impl IntoResponse {
    let shared = service.clone();
    let made = limits::work(&service, move |service, budget| {
        let environments = service.nodes.environments.names();
        let chosen = chosen(service, query.environment);
        let asked = NodeSelector::Stored(query.node.clone());
        let (found, hierarchy) = service.nodes.ask(&chosen, &asked, budget, &|subject| {
            let links = FileLinks::new(subject.root, service.link.as_deref());
            let keys = lookups::keys(subject, &query.search, None, MAX_KEYS);
            let is_searched = !query.search.is_empty() || !query.facts.is_empty();
            (
                keys,
                if is_searched {
                    html! {}
                } else {
                    hierarchy(subject, &links)
                },
            )
        })?;
        let (keys, more) = found?;
        let facts = service.stored.facts(&query.node, &AccessLog::default())?.facts;
        let facts = lookups::fact_rows(&facts, &query.facts);
        let is_searched = !query.search.is_empty() || !query.facts.is_empty();
        let findings = if is_searched {
            html! {}
        } else {
            findings::of_node(&shared, &chosen, &query.node, budget)?
        };
        let body = html! {
            form action="/node" {
                input type="hidden" name="node" value=(query.node);
                (environment_choice("Environment", "environment", &environments, &chosen))
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
            @let key = |key: &str| link("/key", &[("environment", &chosen), ("node", &query.node), ("key", &hieratic::lookup::quoted_key(key))]);
            @for (module, classes) in by_module(&keys) {
                @let count: usize = classes.iter().map(|(_, keys)| keys.len()).sum();
                @let groups = html! {
                    @for (class, keys) in &classes {
                        div.group {
                            h4 { (class) }
                            ul.inline { @for (name, whole) in keys { li { a href=(key(whole)) aria-label=(whole) { (name) } } } }
                        }
                    }
                };
                @if count <= FEW_KEYS && !module.is_empty() { div.module { (groups) } }
                @else {
                    details.module open[is_searched || count <= MAX_EXPANDED_KEYS] {
                        summary { h3 { @if module.is_empty() { "Keys without a namespace" } @else { (module) } } " " span.dim.small { (count) } }
                        (groups)
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

/// The number of keys up to which a module has no heading.
const FEW_KEYS: usize = 8;

/// The maximum number of keys of a module that are shown expanded.
const MAX_EXPANDED_KEYS: usize = 100;

/// The keys of a class: the last part of each, and all of it.
type ClassKeys<'k> = (&'k str, Vec<(&'k str, &'k str)>);

/// Keys by their modules, which their first part names, and their classes. They are sorted.
fn by_module(keys: &[String]) -> Vec<(&str, Vec<ClassKeys<'_>>)> {
    let mut modules: Vec<(&str, Vec<ClassKeys<'_>>)> = Vec::new();
    for key in keys {
        let module = key.split_once("::").map_or("", |(module, _)| module);
        let (class, name) = key.rsplit_once("::").unwrap_or(("", key));
        if modules.last().is_none_or(|(last, _)| *last != module) {
            modules.push((module, Vec::new()));
        }
        let Some((_, classes)) = modules.last_mut() else { continue };
        match classes.last_mut() {
            Some((last, of)) if *last == class => of.push((name, key)),
            _ => classes.push((class, vec![(name, key)])),
        }
    }
    // Keys without a module are between modules.
    let (without, mut with): (Vec<_>, Vec<_>) = modules.into_iter().partition(|(module, _)| module.is_empty());
    let without: Vec<(&str, &str)> =
        without.into_iter().flat_map(|(_, classes)| classes).flat_map(|(_, of)| of).collect();
    if !without.is_empty() {
        with.insert(0, ("", vec![("", without)]));
    }
    with
}

/// The maximum number of facts that are shown expanded.
const MAX_EXPANDED_FACTS: usize = 25;

/// The maximum number of facts on the page.
const MAX_FACTS: usize = 1000;

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
    let (first, rest) = facts[..facts.len().min(MAX_FACTS)].split_at(facts.len().min(MAX_EXPANDED_FACTS));
    html! {
        (rows(first))
        @if !rest.is_empty() {
            details.fold { summary { (counted_as(rest.len(), "more fact", "more facts")) } (rows(rest)) }
        }
        @if facts.len() > MAX_FACTS { p.dim { "There are more facts: search for part of the name." } }
    }
}

/// The maximum number of files of a level that are shown expanded.
const MAX_EXPANDED_FILES: usize = 6;

/// Renders the locations of the hierarchies, and the files there.
fn hierarchy(subject: &NodeContext<'_>, links: &FileLinks) -> Markup {
    // The list of keys reports the error of a hierarchy that cannot be read.
    let Ok(footprint) = subject.node.dependencies(subject.budget) else { return html! {} };
    let label = |level: &str| {
        level.strip_prefix("Hierarchy entry \"").and_then(|rest| rest.strip_suffix('"')).unwrap_or(level).to_string()
    };
    let rows: Vec<&DataDependency> =
        footprint.places.iter().filter(|place| place.path.is_some() || place.fault.is_some()).collect();
    let absent: Vec<&DataDependency> =
        footprint.places.iter().filter(|place| place.path.is_none() && place.fault.is_none()).collect();
    let keys = |place: &DataDependency| {
        place.data.as_ref().map(|data| data.keys().filter(|key| &***key != Node::OPTIONS_KEY).count())
    };
    let file = |place: &DataDependency, is_counted: bool| {
        html! {
            @if let Some(path) = &place.path { (links.line(path, None)) }
            @if place.fault.is_some() { " " span.fault { "cannot be read" } }
            @if let Some(count) = keys(place).filter(|_| is_counted) { " " span.dim { "(" (count) ")" } }
        }
    };
    html! {
        h2 #hierarchy { "Hierarchy" }
        (scrolling("Hierarchy", &html! {
            table {
                tr { th scope="col" { "Level" } th scope="col" { "File" } th.number scope="col" { "Keys" } }
                @for level in rows.chunk_by(|one, other| one.module == other.module && one.level == other.level) {
                    @let first = level.first().copied();
                    tr {
                        td { @if let Some(place) = first { @if let Some(module) = &place.module { "module " (module) ": " } (label(&place.level)) } }
                        td {
                            @if level.len() > MAX_EXPANDED_FILES {
                                details.fold { summary { (level.len()) " files" } @for place in level { div { (file(place, true)) } } }
                            } @else {
                                @for place in level { div { (file(place, level.len() > 1)) } }
                            }
                        }
                        @let counts: Vec<usize> = level.iter().filter_map(|place| keys(place)).collect();
                        td.number { @if counts.is_empty() { "–" } @else { (counts.iter().sum::<usize>()) } }
                    }
                }
            }
        }))
        @if !absent.is_empty() {
            details.fold {
                summary { (counted_as(absent.len(), "place without a file", "places without a file")) }
                ul {
                    @for place in &absent {
                        li.dim {
                            @if let Some(module) = &place.module { "module " (module) ": " } (label(&place.level))
                            @if let Some(location) = &place.location { ": " code { (links.line(location.as_ref().as_ref(), None)) } }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_shown_by_module_and_class() {
        let keys = ["a", "b::c", "b::c::d", "b::c::e", "b::f", "g", "h::i"].map(String::from);
        let modules = by_module(&keys);
        let of_b: Vec<ClassKeys<'_>> = vec![
            ("b", vec![("c", "b::c")]),
            ("b::c", vec![("d", "b::c::d"), ("e", "b::c::e")]),
            ("b", vec![("f", "b::f")]),
        ];
        let expected =
            vec![("", vec![("", vec![("a", "a"), ("g", "g")])]), ("b", of_b), ("h", vec![("h", vec![("i", "h::i")])])];
        assert_eq!(modules, expected);
    }
}
