//! The pages about all nodes: a search, and the values of one key.

use axum::extract::{Query, State};
use axum::response::IntoResponse;
use hieratic::diagnostics::counted_as;
use maud::{Markup, html};
use serde::Deserialize;

use super::lists::chosen;
use super::{Head, Page, environment_choice, framed, link, scrolling, value};
use crate::api::types::{FindResponse, FoundNodes, SpreadValue};
use crate::fleet::Index;
use crate::words::words;
use crate::{Shared, limits, lookups, search};

/// The maximum number of values of a key on the page.
const MAX_VALUES: usize = 200;

/// The maximum number of results of each kind on the page.
const MAX_RESULTS: usize = 50;

/// The maximum number of nodes of each value on the page.
const MAX_NODES: usize = 500;

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct FindQuery {
    environment: String,
    q: String,
}

/// Keys, values, nodes, files and facts that hold some words.
pub(crate) async fn find(State(service): State<Shared>, Query(query): Query<FindQuery>) -> impl IntoResponse {
    let made = limits::work(&service, move |service, budget| {
        let environments = service.nodes.environments.names();
        let environment = chosen(service, query.environment);
        let found = match query.q.trim() {
            "" => None,
            words => {
                let index = service.fleet.index(service, &environment, budget)?;
                let name = service.namer(&environment)?;
                let found = search::find(&index, &environment, words, MAX_RESULTS, &name, budget)?;
                Some(results(&found, &progress(&index, &link("/find", &[("environment", &environment), ("q", words)]))))
            }
        };
        let body = html! {
            form action="/find" {
                (environment_choice("Environment", "environment", &environments, &environment))
                label { "Search" input type="search" name="q" placeholder="all words must match" value=(query.q); }
                button { "Find" }
            }
            @match &found {
                Some(found) => (found),
                None => p.dim { "Search the keys, values, files and facts of all nodes: " code { "port 8080" } " finds the keys with " code { "port" } " that have the value " code { "8080" } "." },
            }
        };
        let head = Head { at: "/find", environment: &environment, query: &query.q, ..Head::new("Find") };
        Ok(framed(&head, &body))
    });
    Page(made.await)
}

fn results(found: &FindResponse, progress: &Markup) -> Markup {
    let words = words(&found.q);
    let marked = |text: &str| mark_words(text, &words);
    let environment = found.environment.as_str();
    let node = |name: &str| link("/node", &[("environment", environment), ("node", name)]);
    let spread =
        |key: &str| link("/spread", &[("environment", environment), ("key", &hieratic::lookup::quoted_key(key))]);
    let sizes = [
        ("values", "Values", found.found_values.len()),
        ("keys", "Keys", found.found_keys.len()),
        ("nodes", "Nodes", found.found_nodes.len()),
        ("files", "Files", found.found_files.len()),
        ("facts", "Facts", found.found_facts.len()),
    ];
    let is_empty = sizes.iter().all(|(_, _, size)| *size == 0);
    html! {
        (progress)
        @if is_empty { p { "No results for “" (found.q) "”." } }
        @else {
            ul.tools { @for (at, name, size) in sizes { @if size > 0 { li { a href={ "#" (at) } { (name) " (" (size) ")" } } } } }
        }
        @if found.more { p.dim { "There is more: the first " (MAX_RESULTS) " of each kind are shown. Add a word." } }
        @if !found.found_values.is_empty() {
            h2 #values { "Values" }
            (scrolling("Values", &html! {
                table {
                    tr { th scope="col" { "Key" } th scope="col" { "Value" } th scope="col" { "Place" } th scope="col" { "Nodes" } }
                    @for one in &found.found_values {
                        tr {
                            td.wide { a href=(spread(&one.key)) { (marked(&one.key)) } }
                            td.value { code { (marked(&one.value)) } }
                            td.wide.small.dim { @for place in one.places.iter().take(2) { (place) br; } @if one.places.len() > 2 { "and others" } }
                            td.small { (some(&one.nodes, found.nodes, &|name| link("/key", &[("environment", environment), ("node", name), ("key", &hieratic::lookup::quoted_key(&one.key))]))) }
                        }
                    }
                }
            }))
        }
        @if !found.found_keys.is_empty() {
            h2 #keys { "Keys" }
            ul.names {
                @for one in &found.found_keys {
                    li {
                        a href=(spread(&one.key)) { (marked(&one.key)) } " "
                        span.dim.small { (counted_as(one.values, "value", "values")) ", " (counted_as(one.nodes, "node", "nodes")) }
                    }
                }
            }
        }
        @if !found.found_nodes.is_empty() {
            h2 #nodes { "Nodes" }
            ul.names { @for name in &found.found_nodes { li { a href=(node(name)) { (marked(name)) } } } }
        }
        @if !found.found_files.is_empty() {
            h2 #files { "Files" }
            (scrolling("Files", &html! {
                table {
                    tr { th scope="col" { "File" } th scope="col" { "Nodes that read it" } }
                    @for one in &found.found_files { tr { td.wide { (marked(&one.file)) } td { (some(&one.nodes, found.nodes, &node)) } } }
                }
            }))
        }
        @if !found.found_facts.is_empty() {
            h2 #facts { "Facts" }
            (scrolling("Facts", &html! {
                table {
                    tr { th scope="col" { "Fact" } th scope="col" { "Value" } th scope="col" { "Nodes" } }
                    @for one in &found.found_facts {
                        tr { td { code { (marked(&one.fact)) } } td.value { code { (marked(&one.value)) } } td.small { (some(&one.nodes, found.nodes, &node)) } }
                    }
                }
            }))
        }
    }
}

/// Renders the progress of the index: the number of nodes that were read, and whether files have changed since.
pub(super) fn progress(index: &Index, address: &str) -> Markup {
    html! {
        @if index.is_complete() { p.dim { (counted_as(index.all, "node", "nodes")) " searched." } }
        @else {
            p.fault role="status" {
                @if index.is_full {
                    (index.nodes_read()) " of " (index.all) " nodes were read: the index is full."
                } @else if index.has_all_nodes() {
                    "Files have changed since these " (counted_as(index.all, "node", "nodes")) " were read. They are being reread. "
                } @else {
                    (index.nodes_read()) " of " (index.all) " nodes have been read so far. "
                }
                @if !index.is_full { a href=(address) { "Refresh" } }
            }
        }
        @if !index.faults.is_empty() {
            details.fold {
                summary { (counted_as(index.faults.len(), "node", "nodes")) " cannot be looked up" }
                ul { @for (node, reason) in index.faults.iter().take(MAX_RESULTS) { li { (node) ": " span.fault { (reason) } } } }
            }
        }
    }
}

/// Renders text with the words of the search marked.
fn mark_words(text: &str, words: &[String]) -> Markup {
    let mut rest = text;
    let mut parts: Vec<(&str, &str)> = Vec::new();
    while parts.len() < MAX_RESULTS
        && let Some((start, length)) = search::first(rest, words)
    {
        let (before, after) = rest.split_at(start);
        let (found, after) = after.split_at(length);
        parts.push((before, found));
        rest = after;
    }
    html! { @for (before, found) in parts { (before) mark { (found) } } (rest) }
}

/// Some nodes, each with its page.
fn some(nodes: &FoundNodes, all: usize, address: &dyn Fn(&str) -> String) -> Markup {
    html! {
        @if nodes.count == all && all > nodes.examples.len() { "all " (all) " nodes" }
        @else {
            @for (index, name) in nodes.examples.iter().enumerate() {
                @if index > 0 { ", " }
                a href=(address(name)) { (name) }
            }
            @if nodes.count > nodes.examples.len() { span.dim { " and " (nodes.count - nodes.examples.len()) " more" } }
        }
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct SpreadQuery {
    environment: String,
    key: String,
}

/// The values of one key on all nodes.
pub(crate) async fn spread(State(service): State<Shared>, Query(query): Query<SpreadQuery>) -> impl IntoResponse {
    let made = limits::work(&service, move |service, budget| {
        let environment = chosen(service, query.environment);
        let index = service.fleet.index(service, &environment, budget)?;
        let name = service.namer(&environment)?;
        let key = lookups::unquoted(&query.key);
        let found = search::spread(&index, &environment, &key, &name, budget)?;
        let address = |node: &str| {
            link("/key", &[("environment", &environment), ("node", node), ("key", &hieratic::lookup::quoted_key(&key))])
        };
        let body = html! {
            (progress(&index, &link("/spread", &[("environment", &environment), ("key", &query.key)])))
            @if found.values.is_empty() { p { "No node has a value of this key." } }
            @else { p { (counted_as(found.values.len(), "value", "different values")) "." } }
            @for one in found.values.iter().take(MAX_VALUES) { (value(one, found.nodes, &address)) }
            @if found.values.len() > MAX_VALUES {
                p.dim { (found.values.len() - MAX_VALUES) " more values are not shown: search for a part of a value, or ask the API for all." }
            }
            @if !found.without.is_empty() && !found.values.is_empty() {
                section.card {
                    h2 { "No value on " (counted_as(found.without.len(), "node", "nodes")) }
                    @if let Some(facts) = &found.without_distinguished_by { p { "All nodes with " code { (facts) } ", and only they" } }
                    (nodes(&found.without, &address))
                }
            }
        };
        let crumbs = vec![("On all nodes", link("/find", &[("environment", &environment), ("q", &key)]))];
        Ok(framed(&Head { environment: &environment, crumbs, ..Head::new(&key) }, &body))
    });
    Page(made.await)
}

fn value(one: &SpreadValue, all: usize, address: &dyn Fn(&str) -> String) -> Markup {
    // The facts of a single node add nothing if they only repeat its name.
    let says_more = |facts: &&String| match one.nodes.as_slice() {
        [only] => facts.rsplit(' ').next().is_none_or(|value| !only.starts_with(value)),
        _ => true,
    };
    html! {
        section.card {
            h2 {
                @if let [only] = one.nodes.as_slice() { a href=(address(only)) { (only) } }
                @else {
                    (counted_as(one.nodes.len(), "node", "nodes"))
                    @if all > one.nodes.len() { span.dim.small { " of " (all) } }
                }
            }
            @if let Some(facts) = one.distinguished_by.as_ref().filter(says_more) { p.small { "All nodes with " code { (facts) } ", and only they" } }
            @if let Some(value) = &one.value {
                @let text = value::plain(value);
                pre data-copy=[text.contains('\n').then_some("")] { (text) }
            }
            @if let Some(message) = &one.error { p.fault { (message) } }
            @if !one.places.is_empty() { p.dim.small { @for place in &one.places { (place) " " } } }
            @if one.nodes.len() > 1 { (nodes(&one.nodes, address)) }
        }
    }
}

fn nodes(names: &[String], address: &dyn Fn(&str) -> String) -> Markup {
    let list = html! {
        ul.names { @for name in names.iter().take(MAX_NODES) { li { a href=(address(name)) { (name) } } } }
        @if names.len() > MAX_NODES { p.dim { (names.len() - MAX_NODES) " more nodes are not listed: the API returns all." } }
    };
    html! {
        @if names.len() <= 6 { (list) } @else { details.fold { summary { "The nodes" } (list) } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_marked_and_nothing_becomes_markup() {
        let shown = |text: &str| mark_words(text, &words("Port 8080")).into_string();
        assert_eq!(shown("http_PORT"), "http_<mark>PORT</mark>");
        assert_eq!(shown("<8080>é8080"), "&lt;<mark>8080</mark>&gt;é<mark>8080</mark>");
        assert_eq!(shown("none"), "none");
    }
}
