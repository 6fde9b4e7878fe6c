//! The pages about all nodes: a search, and the values of one key.

use std::time::Duration;

use axum::Json;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use hieratic::budget::Budget;
use hieratic::diagnostics::counted_as;
use hieratic::value::ErasedSort as _;
use maud::{Markup, html};
use serde::{Deserialize, Serialize};

use super::{
    FileLinks, Head, Page, chosen, environment_choice, framed, key_address, link, node_address, value, visible,
};
use crate::api::types::{FindResponse, FoundNodes, SpreadValue};
use crate::chosen_facts::ChosenFacts;
use crate::fleet::Index;
use crate::problem::Problem;
use crate::words::{has_whole_word, words};
use crate::{Service, Shared, limits, lookups, search};

/// The maximum number of values of a key on the page.
const MAX_VALUES: usize = 200;

/// The maximum number of results of each kind on the page.
const MAX_RESULTS: usize = 50;

/// The maximum number of results as one types.
const MAX_SUGGESTED: usize = 10;

/// The maximum number of nodes of each value on the page.
const MAX_NODES: usize = 500;

/// The time that a page waits for the values on other nodes, which are not its subject.
const MAX_WAIT_BESIDE: Duration = Duration::from_millis(150);

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct FindQuery {
    environment: String,
    q: String,
    /// The kind of the results that are shown; all if empty.
    kind: String,
}

/// A result of a search, with its place and its page.
struct Hit {
    kind: Kind,
    /// The position among the results, the lowest first.
    rank: u32,
    title: String,
    /// The value, for kinds that have one.
    detail: String,
    /// Its positions; the first is that of the first node.
    places: Vec<String>,
    nodes: Option<FoundNodes>,
    address: String,
}

/// The kind of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    OnNode,
    Key,
    Node,
    Value,
    File,
    Fact,
}

impl Kind {
    const ALL: [Kind; 6] = [Kind::OnNode, Kind::Key, Kind::Value, Kind::Node, Kind::File, Kind::Fact];

    fn name(self) -> &'static str {
        match self {
            Kind::OnNode => "key on a node",
            Kind::Key => "key",
            Kind::Node => "node",
            Kind::Value => "value",
            Kind::File => "file",
            Kind::Fact => "fact",
        }
    }

    /// The name in addresses.
    fn word(self) -> &'static str {
        match self {
            Kind::OnNode => "on-node",
            other => other.name(),
        }
    }
}

/// Returns the results of all kinds, the best first.
fn hits(found: &FindResponse, root: &std::path::Path) -> Vec<Hit> {
    let words = words(&found.q);
    let environment = found.environment.as_str();
    let files = FileLinks::new(root).with_pages(environment, "");
    let key_page = |node: &str, key: &str| key_address(environment, node, key);
    let spread =
        |key: &str| link("/spread", &[("environment", environment), ("key", &hieratic::lookup::quoted_key(key))]);
    let node_page = |node: &str| node_address(environment, node);
    let mut hits = Vec::new();
    for one in &found.found_on_nodes {
        let node = one.nodes.first();
        // The last part of a key is its name.
        let last = one.key.rsplit("::").next().unwrap_or(&one.key).to_lowercase();
        hits.push(Hit {
            kind: Kind::OnNode,
            rank: if words.contains(&last) { 0 } else { 12 },
            title: one.key.clone(),
            detail: one.value.clone(),
            places: one.places.clone(),
            nodes: Some(one.nodes.clone()),
            address: key_page(node, &one.key),
        });
    }
    for one in &found.found_keys {
        let (key, q) = (one.key.to_lowercase(), found.q.trim().to_lowercase());
        let rank = match () {
            () if key == q => 1,
            () if key.ends_with(&format!("::{q}")) => 5,
            () => 15,
        };
        let counts =
            format!("{}, {}", counted_as(one.values, "value", "values"), counted_as(one.nodes, "node", "nodes"));
        hits.push(Hit {
            kind: Kind::Key,
            rank,
            title: one.key.clone(),
            detail: counts,
            places: Vec::new(),
            nodes: None,
            address: spread(&one.key),
        });
    }
    for name in &found.found_nodes {
        let name_lower = name.to_lowercase();
        let starts = words.iter().any(|word| name_lower.starts_with(word.as_str()));
        hits.push(Hit {
            kind: Kind::Node,
            rank: match () {
                () if name_lower == found.q.trim().to_lowercase() => 1,
                () if starts => 4,
                () => 14,
            },
            title: name.clone(),
            detail: String::new(),
            places: Vec::new(),
            nodes: None,
            address: node_page(name),
        });
    }
    for one in &found.found_values {
        let title = match &one.part {
            Some(part) => part_title(&one.key, part),
            None => one.key.clone(),
        };
        let node = one.nodes.first();
        hits.push(Hit {
            kind: Kind::Value,
            rank: if has_whole_words(&one.value, &words) { 10 } else { 20 },
            title,
            detail: one.value.clone(),
            places: one.places.clone(),
            nodes: Some(one.nodes.clone()),
            address: key_page(node, &one.key),
        });
    }
    for one in &found.found_files {
        let node = one.nodes.first();
        let address = FileLinks::new(root).with_pages(environment, node).address(&root.join(&one.file), None);
        let address = address.unwrap_or_else(|| files.address(root, None).unwrap_or_default());
        hits.push(Hit {
            kind: Kind::File,
            rank: 25,
            title: one.file.clone(),
            detail: String::new(),
            places: Vec::new(),
            nodes: Some(one.nodes.clone()),
            address,
        });
    }
    for one in &found.found_facts {
        let node = one.nodes.first();
        hits.push(Hit {
            kind: Kind::Fact,
            rank: if has_whole_words(&one.value, &words) { 24 } else { 30 },
            title: one.fact.clone(),
            detail: one.value.clone(),
            places: Vec::new(),
            nodes: Some(one.nodes.clone()),
            address: node_page(node),
        });
    }
    hits.sort_erased_by_key(|hit| hit.rank);
    hits
}

/// Returns whether every word that occurs in a string is there as a whole.
fn has_whole_words(text: &str, words: &[String]) -> bool {
    let text = text.to_lowercase();
    words.iter().filter(|word| text.contains(word.as_str())).all(|word| has_whole_word(&text, word))
}

/// Searches, and narrows values to the parts that match.
fn search_for(
    service: &Service,
    environment: &str,
    words: &str,
    most: usize,
    budget: &Budget,
) -> Result<(std::sync::Arc<Index>, FindResponse), Problem> {
    let index = service.fleet.index(service, environment, budget)?;
    let name = service.namer(environment)?;
    let mut found = search::find(&index, environment, words, most, &name, budget)?;
    search::locate_parts(service, &mut found, budget)?;
    Ok((index, found))
}

/// Keys, values, nodes, files and facts that hold some words.
pub(crate) async fn find(State(service): State<Shared>, Query(query): Query<FindQuery>) -> impl IntoResponse {
    let page = limits::work(&service, move |service, budget| {
        let environments = service.nodes.environments.names();
        let environment = chosen(service, query.environment.clone());
        let results = match query.q.trim() {
            "" => None,
            words => {
                let (index, found) = search_for(service, &environment, words, MAX_RESULTS, budget)?;
                let here = link("/find", &[("environment", &environment), ("q", words)]);
                let (opened, _) = service.nodes.environments.get(&environment)?;
                let root = &opened.environment.layers().environment.root;
                Some(results(&found, &query.kind, &progress(&index, &here), root))
            }
        };
        let body = html! {
            @if environments.len() > 1 {
                form action="/find" {
                    (environment_choice("Environment", "environment", &environments, &environment))
                    input type="hidden" name="q" value=(query.q);
                    button { "Show" }
                }
            }
            @match &results {
                Some(results) => (results),
                None => {
                    p { "One box for keys, values, nodes, files and facts of all nodes. All words must match." }
                    ul {
                        li { a href=(link("/find", &[("environment", &environment), ("q", "port 8080")])) { code { "port 8080" } } " finds the keys with " code { "port" } " that have the value " code { "8080" } "." }
                        li { code { "port web01" } " finds the key on that node." }
                        li { code { "10.0.0.1" } " finds the lines that it is used on." }
                    }
                },
            }
        };
        let description = "A search of the keys, values, nodes, files and facts.".to_string();
        let head = Head { at: "/find", environment: &environment, query: &query.q, description, ..Head::new("Find") };
        Ok(framed(&head, &body))
    });
    Page(page.await)
}

/// A result as one types.
#[derive(Serialize)]
struct Suggestion {
    kind: &'static str,
    title: String,
    detail: String,
    place: String,
    address: String,
}

/// The first results of a search, for the box on every page.
pub(crate) async fn suggest(State(service): State<Shared>, Query(query): Query<FindQuery>) -> Response {
    let page = limits::work(&service, move |service, budget| {
        let environment = chosen(service, query.environment.clone());
        let words = query.q.trim();
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let (_, found) = search_for(service, &environment, words, MAX_SUGGESTED, budget)?;
        let (opened, _) = service.nodes.environments.get(&environment)?;
        let root = &opened.environment.layers().environment.root;
        let suggestion = |hit: Hit| Suggestion {
            kind: hit.kind.name(),
            title: hit.title,
            detail: readable(&hit.detail),
            place: match (hit.places.as_slice(), hit.nodes.as_ref().and_then(|nodes| nodes.examples.first())) {
                ([], Some(node)) => node.clone(),
                ([], None) => String::new(),
                ([first], _) => first.clone(),
                ([first, rest @ ..], _) => {
                    format!("{first} and {}", counted_as(rest.len(), "more place", "more places"))
                }
            },
            address: hit.address,
        };
        Ok(hits(&found, root).into_iter().take(MAX_SUGGESTED).map(suggestion).collect::<Vec<_>>())
    });
    match page.await {
        Ok(found) => Json(found).into_response(),
        Err(problem) => problem.into_response(),
    }
}

/// Returns a value in JSON as YAML on one line; a truncated value is not JSON and is unchanged.
fn readable(text: &str) -> String {
    serde_json::from_str(text).map_or_else(|_| text.to_string(), |json| value::flow(&json, 300))
}

fn results(found: &FindResponse, kind: &str, progress: &Markup, root: &std::path::Path) -> Markup {
    let words = words(&found.q);
    let marked = |text: &str| mark_words(text, &words);
    let environment = found.environment.as_str();
    let files = FileLinks::new(root);
    let hits = hits(found, root);
    let with_kind = |word: &str| {
        let pairs = [("environment", environment), ("q", found.q.as_str()), ("kind", word)];
        let pairs: Vec<(&str, &str)> = pairs.into_iter().filter(|(_, value)| !value.is_empty()).collect();
        link("/find", &pairs)
    };
    // The first place is read by the first node; which node reads another one is not known.
    let address_of = |hit: &Hit, index: usize, place: &str| {
        let (file, line) = place.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)))?;
        let node = hit.nodes.as_ref().filter(|_| index == 0).map_or("", FoundNodes::first);
        FileLinks::new(root).with_pages(environment, node).address(&root.join(file), Some(line))
    };
    let node_page = |name: &str| node_address(environment, name);
    let shown: Vec<&Hit> = hits.iter().filter(|hit| kind.is_empty() || hit.kind.word() == kind).collect();
    html! {
        (progress)
        @if hits.is_empty() {
            p { "No results for “" (found.q) "”" @if !found.complete { " so far" } "." }
            p.dim { "All words must match, in any case of letters. Fewer words, or parts of them, find more." }
        } @else {
            ul.tools {
                li { a href=(with_kind("")) aria-current=[kind.is_empty().then_some("true")] { "All" } }
                @for one in Kind::ALL {
                    @let count = hits.iter().filter(|hit| hit.kind == one).count();
                    @if count > 0 {
                        li { a href=(with_kind(one.word())) aria-current=[(one.word() == kind).then_some("true")] { (one.name()) " (" (count) ")" } }
                    }
                }
            }
            (super::scrolling("Results", &html! {
                table.hits {
                    thead { tr { th scope="col" { "Kind" } th scope="col" { "Found" } th scope="col" { "Value" } th scope="col" { "Place" } th scope="col" { "Nodes" } } }
                    tbody {
                        @for hit in &shown {
                            tr {
                                td.kind.small.dim { (hit.kind.name()) }
                                td.key { a href=(hit.address) { code { (marked(&visible(&hit.title))) } } }
                                td.val { @if hit.kind == Kind::Key { span.dim.small { (hit.detail) } } @else { code { (marked(&readable(&hit.detail))) } } }
                                td.at.small {
                                    @for (index, place) in hit.places.iter().enumerate() {
                                        @if index > 0 { br; }
                                        @match address_of(hit, index, place) {
                                            Some(address) => a href=(address) { (files.file(place.as_ref())) },
                                            None => (place),
                                        }
                                    }
                                }
                                td.at.small { @if let Some(nodes) = &hit.nodes { (some(nodes, found, &node_page)) } }
                            }
                        }
                    }
                }
            }))
        }
        @if found.more { p.dim { "There is more: the first " (MAX_RESULTS) " of each kind are shown. Add a word." } }
    }
}

/// Renders the progress of the index: the number of nodes that were read, and whether files have changed since.
pub(super) fn progress(index: &Index, address: &str) -> Markup {
    html! {
        @if index.is_complete() && index.all == 0 {
            p.dim { "No node is known: start the service with " code { "--facts" } " or " code { "--puppetdb" } "." }
        } @else if index.is_complete() { p.dim { (counted_as(index.all, "node", "nodes")) " searched." } }
        @else {
            div.progress role="status" data-pending=[(!index.is_full).then_some("")] {
                @if index.is_full {
                    (index.nodes_read()) " of " (index.all) " nodes were read: the index is full."
                } @else if index.has_all_nodes() {
                    "Files have changed since these " (counted_as(index.all, "node", "nodes")) " were read. They are being reread. "
                } @else {
                    progress value=(index.nodes_read()) max=(index.all) aria-label="Nodes read" {}
                    " " (index.nodes_read()) " of " (index.all) " nodes have been read so far"
                    @if let Some(left) = index.time_left() { ", about " (seconds(left)) " left" }
                    ". "
                }
                @if !index.is_full { a href=(address) { "Refresh" } }
            }
        }
        (super::skipped_note(super::skipped_levels(index)))
        @if !index.faults.is_empty() {
            details.fold {
                summary { (counted_as(index.faults.len(), "node", "nodes")) " cannot be looked up" }
                ul { @for (node, reason) in index.faults.iter().take(MAX_RESULTS) { li { (node) ": " span.fault { (reason) } } } }
            }
        }
    }
}

fn seconds(time: Duration) -> String {
    match time.as_secs() {
        0 => "a second".into(),
        one @ 1..=99 => counted_as(usize::try_from(one).unwrap_or_default(), "second", "seconds"),
        more => counted_as(usize::try_from(more / 60).unwrap_or_default(), "minute", "minutes"),
    }
}

/// The title of a part of a value after its key.
fn part_title(key: &str, part: &str) -> String {
    // An index follows the key without a separator.
    let separator = if part.starts_with('[') { "" } else { " › " };
    format!("{key}{separator}{part}")
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

/// Some nodes, each with its page. "All" is only said if all were read.
fn some(nodes: &FoundNodes, found: &FindResponse, address: &dyn Fn(&str) -> String) -> Markup {
    // A row of many nodes names one of them: their names would be most of the page.
    let shown = if nodes.count > MAX_NODES_BESIDE { 1 } else { nodes.examples.len() };
    html! {
        @if found.complete && nodes.count == found.nodes && found.nodes > nodes.examples.len() { "all " (found.nodes) " nodes" }
        @else {
            @for (index, name) in nodes.examples.iter().take(shown).enumerate() {
                @if index > 0 { ", " }
                a href=(address(name)) { (name) }
            }
            @if nodes.count > shown { span.dim { " and " (nodes.count - shown) " more" } }
        }
    }
}

/// The maximum number of values of a key that are shown.
const MAX_VALUES_BESIDE: usize = 5;

/// Renders the distribution of the values of a key on all nodes, as far as they were read in time.
pub(super) fn distribution(
    service: &Service,
    environment: &str,
    key: &str,
    budget: &Budget,
) -> Result<Markup, Problem> {
    let all = link("/spread", &[("environment", environment), ("key", key)]);
    let index = match service.fleet.index_within(service, environment, MAX_WAIT_BESIDE, budget) {
        Ok(index) => index,
        // The key of one node is shown although another node prevents that all are read.
        Err(problem) => return Ok(html! { p.fault { (problem.detail) } }),
    };
    let Some(index) = index else {
        return Ok(html! { p.dim { "The nodes are being read. " } p { a href=(all) { "Values on all nodes" } } });
    };
    let key = lookups::unquoted(key);
    let name = service.namer(environment)?;
    let facts = ChosenFacts::new(service, environment)?;
    let found = search::spread(&index, environment, &key, &name, &facts, budget)?;
    let counts: Vec<usize> = found.values.iter().map(|one| one.nodes.len()).collect();
    let page = |node: &str| key_address(environment, node, &key);
    Ok(html! {
        @if found.values.is_empty() { p.dim { "No node that was read has a value." } }
        @else {
            (bar(&counts, found.without.len()))
            ol.shares {
                @for (number, one) in found.values.iter().take(MAX_VALUES_BESIDE).enumerate() {
                    li {
                        span class={ "dot c" (number.min(7)) } {}
                        code { (readable_value(one)) }
                        " " span.dim.small { "on " (counted_as(one.nodes.len(), "node", "nodes")) }
                        div.small {
                            @if let Some(facts) = &one.distinguished_by { "all with " code { (facts) } ", and only they: " }
                            @for (index, node) in one.nodes.iter().take(MAX_NODES_BESIDE).enumerate() {
                                @if index > 0 { ", " }
                                a href=(page(node)) { (node) }
                            }
                            @if one.nodes.len() > MAX_NODES_BESIDE { " and " (one.nodes.len() - MAX_NODES_BESIDE) " more" }
                        }
                    }
                }
            }
            p {
                a href=(all) {
                    @if found.values.len() > MAX_VALUES_BESIDE { "All " (found.values.len()) " values and their nodes" }
                    @else { "All nodes" }
                }
            }
        }
        @if !found.complete { p.dim.small data-pending="" { (found.read) " of " (found.nodes) " nodes have been read so far." } }
        @else if !found.without.is_empty() { p.dim.small { (counted_as(found.without.len(), "node has", "nodes have")) " no value." } }
    })
}

/// The maximum number of nodes that are shown for each value of a key.
const MAX_NODES_BESIDE: usize = 3;

fn readable_value(one: &SpreadValue) -> String {
    match (&one.value, &one.error) {
        (Some(value), _) => value::flow(value, 60),
        (None, Some(error)) => format!("error: {error}"),
        (None, None) => String::new(),
    }
}

/// The maximum number of parts of a bar: the others are one.
const MAX_BAR_PARTS: usize = 7;

/// Renders shares of a whole as a bar, with what is in none of them at its end. Its numbers are in the list next to it.
fn bar(counts: &[usize], without: usize) -> Markup {
    let total: usize = (counts.iter().sum::<usize>() + without).max(1);
    let mut shares: Vec<usize> = counts.iter().take(MAX_BAR_PARTS).copied().collect();
    let rest: usize = counts.iter().skip(MAX_BAR_PARTS).sum();
    if rest > 0 {
        shares.push(rest);
    }
    let mut before = 0;
    html! {
        svg.bar viewBox="0 0 1000 20" preserveAspectRatio="none" aria-hidden="true" {
            @for (number, share) in shares.iter().enumerate() {
                @let (start, width) = (before * 1000 / total, share * 1000 / total);
                rect class={ "c" (number) } x=(start) y="0" width=(width.max(2)) height="20" {}
                ({ before += share; html! {} })
            }
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
    let page = limits::work(&service, move |service, budget| {
        let environment = chosen(service, query.environment);
        let index = service.fleet.index(service, &environment, budget)?;
        let name = service.namer(&environment)?;
        let key = lookups::unquoted(&query.key);
        let facts = ChosenFacts::new(service, &environment)?;
        let found = search::spread(&index, &environment, &key, &name, &facts, budget)?;
        let (opened, _) = service.nodes.environments.get(&environment)?;
        let root = opened.environment.layers().environment.root.clone();
        let address = |node: &str| key_address(&environment, node, &key);
        let counts: Vec<usize> = found.values.iter().map(|one| one.nodes.len()).collect();
        let so_far = if found.complete { "" } else { " so far" };
        let shown = ShownValues {
            address: &address,
            environment: &environment,
            root: &root,
            all: found.nodes,
            complete: found.complete,
            different: found.values.len(),
        };
        let body = html! {
            (progress(&index, &link("/spread", &[("environment", &environment), ("key", &query.key)])))
            @if found.values.is_empty() {
                p { @if found.complete { "No node has a value of this key." } @else { "No node that was read so far has a value of this key." } }
            } @else {
                p { strong { (counted_as(found.values.len(), "value", "different values")) } (so_far) }
                (bar(&counts, found.without.len()))
            }
            @for (number, one) in found.values.iter().take(MAX_VALUES).enumerate() { (shown.value(number, one)) }
            @if found.values.len() > MAX_VALUES {
                p.dim { (found.values.len() - MAX_VALUES) " more values are not shown: search for a part of a value, or ask the API for all." }
            }
            @if !found.without.is_empty() && !found.values.is_empty() && found.complete {
                section.card {
                    h2 { "No value on " (counted_as(found.without.len(), "node", "nodes")) }
                    @if let Some(facts) = &found.without_distinguished_by { p.small { "All nodes with " code { (facts) } ", and only they" } }
                    (nodes(&found.without, &address))
                }
            }
        };
        let crumbs = vec![
            (environment.as_str(), link("/", &[("environment", &environment)])),
            ("Find", link("/find", &[("environment", &environment), ("q", &key)])),
        ];
        let description = format!("The values of {key} on all nodes.");
        Ok(framed(&Head { environment: &environment, crumbs, description, ..Head::new(&key) }, &body))
    });
    Page(page.await)
}

/// The options that all values of a key are shown with.
struct ShownValues<'s> {
    address: &'s dyn Fn(&str) -> String,
    environment: &'s str,
    root: &'s std::path::Path,
    all: usize,
    complete: bool,
    /// The number of different values.
    different: usize,
}

/// The maximum number of lines of one of several values that are shown expanded.
const MAX_EXPANDED_LINES: usize = 15;

/// The maximum length of a folded value in its summary, in characters.
const MAX_SUMMARY_LENGTH: usize = 80;

impl ShownValues<'_> {
    fn value(&self, number: usize, one: &SpreadValue) -> Markup {
        // The facts of a single node add nothing if they only repeat its name.
        let says_more = |facts: &&String| match one.nodes.as_slice() {
            [only] => facts.rsplit(' ').next().is_none_or(|value| !only.starts_with(value)),
            _ => true,
        };
        let files =
            FileLinks::new(self.root).with_pages(self.environment, one.nodes.first().map_or("", String::as_str));
        html! {
            section.card.spread-value {
                @if let Some(value) = &one.value {
                    @let text = value::plain(value);
                    @let dot = html! { span class={ "dot c" (number.min(7)) } {} };
                    @let lines = text.lines().count();
                    @if self.different > 1 && lines > MAX_EXPANDED_LINES {
                        details.fold {
                            summary { (dot) code { (value::flow(value, MAX_SUMMARY_LENGTH)) } " " span.dim.small { (lines) " lines" } }
                            pre data-copy="" { (text) }
                        }
                    } @else {
                        pre.large[lines < 2 && text.len() < 60] data-copy=[(lines > 1).then_some("")] { (dot) (text) }
                    }
                }
                @if let Some(message) = &one.error { p.fault { (message) } }
                p {
                    @if let [only] = one.nodes.as_slice() { "on " a href=((self.address)(only)) { (only) } }
                    @else {
                        "on " strong { (counted_as(one.nodes.len(), "node", "nodes")) }
                        @if self.complete && self.all > one.nodes.len() { span.dim { " of " (self.all) } }
                    }
                    @if let Some(facts) = one.distinguished_by.as_ref().filter(says_more) { ": all nodes with " code { (facts) } ", and only they" }
                }
                @if !one.places.is_empty() {
                    p.small {
                        @for (index, place) in one.places.iter().enumerate() {
                            @if index > 0 { ", " }
                            @match place.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?))) {
                                Some((file, line)) => (files.line(&self.root.join(file), Some(line))),
                                None => (place),
                            }
                        }
                    }
                }
                @if one.nodes.len() > 1 { (nodes(&one.nodes, self.address)) }
            }
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

    #[test]
    fn indexes_follow_the_key() {
        assert_eq!(part_title("dns::servers", "[1]"), "dns::servers[1]");
        assert_eq!(part_title("web", "ports.0"), "web › ports.0");
    }

    #[test]
    fn the_parts_of_a_bar_are_in_proportion() {
        let shown = bar(&[3, 1], 0).into_string();
        assert!(shown.contains("width=\"750\"") && shown.contains("x=\"750\""), "{shown}");
        let shown = bar(&[1, 1], 2).into_string();
        assert!(
            shown.contains("width=\"250\"") && shown.contains("x=\"250\"") && !shown.contains("x=\"500\""),
            "{shown}"
        );
        assert!(!bar(&[], 0).into_string().contains("rect"));
    }
}
