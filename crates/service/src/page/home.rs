//! The first page: a summary of the repository that links to the other pages, and a table of its nodes.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use axum::extract::{Query, State};
use axum::response::IntoResponse;
use hieratic::budget::Budget;
use hieratic::dependencies::AccessLog;
use hieratic::diagnostics::counted_as;
use hieratic::value::ErasedSort as _;
use maud::{Markup, html};
use serde::Deserialize;

use super::hierarchy::LevelState;
use super::{Head, Page, chosen, environment_choice, findings, framed, link, node_address, scrolling};
use crate::changes::{self, ComparisonRequest, ComparisonState};
use crate::chosen_facts::ChosenFacts;
use crate::fleet::{Index, NodeId};
use crate::hierarchy_config::HierarchyConfig;
use crate::levels::LevelUse;
use crate::{Service, Shared, history, limits, lookups};

/// The maximum number of nodes on the page.
const MAX_NODES: usize = 200;

/// The maximum number of columns of facts.
const MAX_COLUMNS: usize = 6;

/// The maximum number of nodes whose facts are read for the page when the index does not have them.
const MAX_READ: usize = 300;

/// The time that the page waits for the index, from which the numbers come.
const MAX_WAIT: Duration = Duration::from_millis(250);

/// The maximum number of values of a fact in a tile.
const MAX_SHARES: usize = 5;

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct StartQuery {
    environment: String,
    search: String,
    /// The column by which the nodes are sorted: a fact, or the name if empty.
    sort: String,
    /// Whether the last comes first.
    down: String,
    /// The facts that are shown, separated by commas.
    facts: String,
    /// The number of nodes that are left out before the first.
    from: String,
}

/// The start: what there is, and nodes that are searched for.
pub(crate) async fn start(State(service): State<Shared>, Query(query): Query<StartQuery>) -> impl IntoResponse {
    let shared = service.clone();
    let page = limits::work(&service, move |service, budget| {
        let environments = service.nodes.environments.names();
        let environment = chosen(service, query.environment.clone());
        let (names, repeated) = (service.names()?, service.stored.repeated()?);
        // An environment that cannot be opened still has nodes, and its problem is shown.
        let index = service.fleet.index_within(service, &environment, MAX_WAIT, budget);
        let (index, problem) = match index {
            Ok(index) => (index, None),
            Err(problem) => (None, Some(problem)),
        };
        let facts = ChosenFacts::new(service, &environment).unwrap_or_default();
        let columns = columns(&query.facts, index.as_deref(), &facts, service, &names);
        let table = NodeTable::new(service, &names, index.as_deref(), &columns);
        let is_plain = query.search.is_empty() && query.sort.is_empty() && query.from.is_empty();
        let body = html! {
            @if let Some(problem) = &problem { (super::fault(problem)) }
            (sentence(service, &environment, &names, &repeated, index.as_deref(), budget))
            @if is_plain && problem.is_none() { (tiles(&shared, &environment, index.as_deref(), &facts, budget)) }
            h2 #nodes { "Nodes" }
            form action="/" data-live="#node-list" {
                (environment_choice("Environment", "environment", &environments, &environment))
                label { "Part of a name or a fact" input type="search" name="search" value=(query.search); }
                label { "Facts" input name="facts" value=(columns.join(", ")) list="all-facts"; }
                @if let Some(index) = index.as_deref() {
                    datalist #all-facts { @for name in fact_names(index, &facts) { option value=(name) {} } }
                }
                button { "Show" }
            }
            div #node-list { (table.shown(&query, &environment)) }
            @if names.is_empty() { (ways_to_nodes()) }
            details.fold open[names.is_empty()] {
                summary { "Open a node by name" }
                form action="/node" {
                    input type="hidden" name="environment" value=(environment);
                    label { "Node" input name="node" required; }
                    button { "Show" }
                }
            }
        };
        let description = format!("The nodes of the environment {environment}.");
        Ok(framed(&Head { at: "/", environment: &environment, description, ..Head::new(&environment) }, &body))
    });
    Page(page.await)
}

/// Says how the service gets to know nodes.
fn ways_to_nodes() -> Markup {
    html! {
        section.card {
            p { "No node is known. These pages show what nodes get from the data, which depends on their facts:" }
            ul {
                li { "Start the service with " code { "--facts FOLDER" } ", a folder with a file for each node, such as " code { "web01.example.com.json" } ". On a node, " code { "puppet facts show" } " prints it." }
                li { "Or start it with " code { "--puppetdb URL" } "." }
                li { "Or set " code { "facts" } " in " code { "hieratic.toml" } "." }
            }
            p.dim { "A node that only has a name can be opened by it." }
        }
    }
}

/// A sentence about the repository.
fn sentence(
    service: &Service,
    environment: &str,
    names: &[String],
    repeated: &[String],
    index: Option<&Index>,
    budget: &Budget,
) -> Markup {
    let git = git_state(service, environment, budget);
    html! {
        p.lead {
            strong { (counted_as(names.len(), "node", "nodes")) }
            @if service.stored.is_derived() && !names.is_empty() { " known by their data files" }
            @if let Some(index) = index.filter(|index| index.is_complete() && !names.is_empty()) {
                ", " strong { (counted_as(index.keys().count(), "key", "keys")) }
                " in " (counted_as(index.files().len(), "file", "files"))
                " and " a href=(link("/hierarchy", &[("environment", environment)])) { (counted_as(index.levels.len(), "level", "levels")) }
            }
            @if !service.stored.is_derived() || names.is_empty() { ", " (service.stored.describe()) } "."
            @if let Some((branch, summary)) = &git {
                @if let Some(branch) = branch { " Branch " code { (branch) } ", last" } @else { " Last" }
                " commit: " (summary) "."
            }
        }
        @if !names.is_empty() { (super::derived_note(service)) }
        @if let [first, rest @ ..] = service.misnamed().unwrap_or_default().as_slice() {
            p.small {
                "Left out, because its name is not one of a node: " (first.display())
                @if !rest.is_empty() { ", and " (counted_as(rest.len(), "file", "files")) " more" } "."
            }
        }
        @if let [first, rest @ ..] = repeated {
            p.small { (first) @if !rest.is_empty() { ", and " (counted_as(rest.len(), "place", "places")) " more" } "." }
        }
        @if let Some(index) = index.filter(|index| index.is_complete()) { (super::skipped_note(super::skipped_levels(index))) }
        @if let Some(index) = index.filter(|index| !index.is_complete()) {
            (super::find::progress(index, &link("/", &[("environment", environment)])))
        }
    }
}

/// The branch, and the last commit in words; `None` without git.
fn git_state(service: &Service, environment: &str, budget: &Budget) -> Option<(Option<String>, String)> {
    let (opened, _) = service.nodes.environments.get(environment).ok()?;
    let repository = history::repository(service, environment, &opened, budget).ok()?;
    let author = repository.author(repository.commit("HEAD").ok()?).ok()?;
    let words = format!("{} ({}, {})", author.summary, author.name, author.day());
    Some((repository.head_branch().ok().flatten(), words))
}

/// The tiles that lead on.
fn tiles(service: &Shared, environment: &str, index: Option<&Index>, facts: &ChosenFacts, budget: &Budget) -> Markup {
    let of_facts = index.map(|index| fact_tiles(index, environment, facts)).unwrap_or_default();
    html! {
        ul.tiles {
            @for tile in &of_facts { li { (tile) } }
            li { h2 { a href=(link("/findings", &[("environment", environment)])) { "Findings" } } (findings::tile(service, environment, budget)) }
            @if let Some(tile) = change_tile(service, environment, budget) { li { (tile) } }
            // Without facts, nobody knows what a level sets for whom.
            @if let Some(index) = index.filter(|_| !service.stored.is_derived()) {
                @let (idle, elsewhere) = useless_levels(service, environment, index);
                @let never: usize = index.levels.iter().map(|level| level.keys() - level.highest()).sum();
                li {
                    h2 { a href=(link("/hierarchy", &[("environment", environment)])) { "Hierarchy" } }
                    @if index.is_complete() {
                        @if idle == 0 && elsewhere > 0 { p { strong { (elsewhere) } " of " (counted_as(index.levels.len(), "level", "levels")) " not in this repository" } }
                        @else if idle == 0 && index.levels.len() == 1 { p { "The only level wins on a node" } }
                        @else if idle == 0 { p { "Each of " (counted_as(index.levels.len(), "level", "levels")) " wins on a node" } }
                        @else { p { strong { (idle) } " of " (counted_as(index.levels.len(), "level", "levels")) " never win" @if idle == 1 { "s" } } }
                        @if never > 0 { p.dim { (counted_as(never, "key", "keys")) " always in a higher level, too" } }
                    } @else { p.dim { "Nodes are being read." } }
                    p.small { a href=(link("/findings", &[("environment", environment), ("hygiene", "true")])) { "Unneeded data" } }
                }
            }
        }
    }
}

/// Counts the levels that do nothing for the nodes, and those whose data is kept elsewhere.
fn useless_levels(service: &Service, environment: &str, index: &Index) -> (usize, usize) {
    // A configuration that cannot be read has no levels in the index, and the page shows its error.
    let config = HierarchyConfig::read(service, environment).ok().flatten();
    let state = |level: &LevelUse| LevelState::new(level, config.as_ref());
    let states: Vec<LevelState> = index.levels.iter().map(state).collect();
    let elsewhere = states.iter().filter(|state| **state == LevelState::Elsewhere).count();
    (states.iter().filter(|state| state.is_idle()).count(), elsewhere)
}

/// A tile for each of two facts: how many nodes have each value.
fn fact_tiles(index: &Index, environment: &str, facts: &ChosenFacts) -> Vec<Markup> {
    let mut shares: BTreeMap<&str, Vec<(&str, usize)>> = BTreeMap::new();
    for (name, value, nodes) in facts.select(index) {
        if name_all(value, nodes, index) {
            continue;
        }
        shares.entry(name).or_default().push((value, nodes.len()));
    }
    let of_hierarchy = facts.of_hierarchy.iter().map(String::as_str).filter(|name| facts.is_chosen(name));
    let candidates = ["role", "roles", "profile"].into_iter().chain(of_hierarchy);
    let role = candidates.into_iter().find(|name| shares.contains_key(name));
    let system = ["os.name", "operatingsystem", "os.family", "osfamily", "kernel"]
        .into_iter()
        .find(|name| shares.contains_key(name));
    let mut tiles = Vec::new();
    for name in role.into_iter().chain(system.filter(|name| Some(*name) != role)) {
        let Some(mut values) = shares.remove(name) else { continue };
        values.sort_erased_by_key(|(value, count)| (std::cmp::Reverse(*count), *value));
        tiles.push(html! {
            h2 { (name) }
            @for (value, count) in values.iter().take(MAX_SHARES) {
                p.share { a href=(link("/", &[("environment", environment), ("search", value)])) { (value) } " " strong { (count) } }
            }
            @if values.len() > MAX_SHARES { p.dim.small { (values.len() - MAX_SHARES) " more values" } }
            @if !index.is_complete() { p.dim.small { "so far" } }
        });
    }
    tiles
}

/// A tile with the changes of the last commit; `None` without git.
fn change_tile(service: &Service, environment: &str, budget: &Budget) -> Option<Markup> {
    let default = changes::default_sides(service, environment, budget)?;
    let request = ComparisonRequest {
        environment: environment.into(),
        base: default.base,
        head: default.head,
        ..ComparisonRequest::default()
    };
    let state = changes::request_comparison(service, &request, Duration::ZERO, budget);
    Some(html! {
        h2 { a href=(link("/changes", &[("environment", environment)])) { (default.title) } }
        @match state {
            Ok(ComparisonState::Done(report)) => {
                p {
                    strong { (report.summary.changed_keys) } " " @if report.summary.changed_keys == 1 { "key" } @else { "keys" }
                    " on " strong { (report.summary.changed_nodes) } " " @if report.summary.changed_nodes == 1 { "node" } @else { "nodes" }
                }
                @if report.summary.changed_keys == 0 && !report.notes.is_empty() { p.dim.small { "Not everything was compared." } }
            },
            Ok(ComparisonState::Running(_)) => p.dim data-pending="" { "being compared" },
            Err(_) => p.dim { "cannot be compared: the page of changes says why" },
        }
        @if !default.words.is_empty() { p.dim.small { (default.words) } }
    })
}

/// The names of facts that can be shown.
fn fact_names<'i>(index: &'i Index, facts: &ChosenFacts) -> Vec<&'i str> {
    let mut names: Vec<&str> = facts.select(index).into_iter().map(|(name, ..)| name).collect();
    names.dedup();
    names.truncate(50);
    names
}

/// The facts that are shown: the requested ones, or those of the hierarchy and the usual ones that some node has.
fn columns(
    requested: &str,
    index: Option<&Index>,
    facts: &ChosenFacts,
    service: &Service,
    names: &[String],
) -> Vec<String> {
    let requested: Vec<String> =
        requested.split(',').map(str::trim).filter(|name| !name.is_empty()).map(String::from).collect();
    if !requested.is_empty() {
        return requested.into_iter().take(MAX_COLUMNS).collect();
    }
    let usual = ["role", "site", "datacenter", "os.name", "operatingsystem", "os.release.major", "environment"];
    let of_hierarchy = facts.of_hierarchy.iter().map(String::as_str).filter(|name| facts.is_chosen(name));
    let candidates: Vec<&str> = ["role"].into_iter().chain(of_hierarchy).chain(usual).collect();
    // A fact that is empty on all nodes tells none from another, and one that names the node only repeats its name.
    let there: HashSet<String> = match index {
        Some(index) => {
            let tells = |value: &str, nodes: &[NodeId]| !value.is_empty() && !name_all(value, nodes, index);
            let mut names: HashSet<String> = HashSet::new();
            for (name, value, nodes) in index.facts() {
                // The values of a name are neighbors.
                if candidates.contains(&name) && !names.contains(name) && tells(value, nodes) {
                    names.insert(name.to_owned());
                }
            }
            names
        }
        // The facts of the first node stand for those of the others until all are read.
        None => {
            let node = names.first().map_or("", String::as_str);
            let first = names.first().and_then(|name| service.stored.facts(name, &AccessLog::default()).ok());
            first
                .map(|found| lookups::fact_rows(&found.facts, ""))
                .unwrap_or_default()
                .into_iter()
                .filter(|(_, value)| !value.is_empty() && !names_node(value, node))
                .map(|(name, _)| name)
                .collect()
        }
    };
    let mut columns: Vec<String> = Vec::new();
    for name in candidates.into_iter().filter(|name| there.contains(*name)) {
        if columns.len() < MAX_COLUMNS - 2 && columns.iter().all(|known| known != name) {
            columns.push(name.to_string());
        }
    }
    columns
}

/// Returns whether the value of a fact is the name of the node, or its first label.
fn names_node(value: &str, node: &str) -> bool {
    node == value || node.strip_prefix(value).is_some_and(|rest| rest.starts_with('.'))
}

/// Returns whether the value of a fact names all of the nodes that have it.
fn name_all(value: &str, nodes: &[NodeId], index: &Index) -> bool {
    nodes.iter().all(|node| names_node(value, &index.nodes[*node]))
}

/// The nodes with the values of some facts.
struct NodeTable<'n> {
    columns: &'n [String],
    rows: Vec<NodeRow<'n>>,
    /// Whether the facts of all nodes are known.
    has_facts: bool,
}

struct NodeRow<'n> {
    name: &'n str,
    /// A value for each column.
    values: Vec<Cow<'n, str>>,
}

impl<'n> NodeTable<'n> {
    fn new(service: &Service, names: &'n [String], index: Option<&'n Index>, columns: &'n [String]) -> NodeTable<'n> {
        let mut rows: Vec<NodeRow<'n>> =
            names.iter().map(|name| NodeRow { name, values: vec![Cow::Borrowed(""); columns.len()] }).collect();
        let is_remote = service.stored.cache_time().is_some();
        let complete = index.filter(|index| index.has_all_nodes());
        let has_facts = match complete {
            Some(index) => {
                let position: HashMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
                for (name, value, nodes) in index.facts() {
                    let Some(column) = columns.iter().position(|column| column == name) else { continue };
                    for node in nodes {
                        if let Some(row) = position.get(index.nodes[*node].as_str()).and_then(|at| rows.get_mut(*at)) {
                            row.values[column] = value.into();
                        }
                    }
                }
                true
            }
            None if !is_remote && names.len() <= MAX_READ && !columns.is_empty() => {
                for row in &mut rows {
                    // The page of the node shows why its facts cannot be read.
                    let Ok(found) = service.stored.facts(row.name, &AccessLog::default()) else { continue };
                    for (name, value) in lookups::fact_rows(&found.facts, "") {
                        if let Some(column) = columns.iter().position(|column| *column == name) {
                            row.values[column] = value.into();
                        }
                    }
                }
                true
            }
            None => false,
        };
        NodeTable { columns, rows, has_facts }
    }

    /// Renders the nodes that match, sorted.
    fn shown(&self, query: &StartQuery, environment: &str) -> Markup {
        let words: Vec<String> = query.search.split_whitespace().map(str::to_lowercase).collect();
        let matches = |row: &&NodeRow<'_>| {
            let has = |text: &str, word: &String| text.to_lowercase().contains(word.as_str());
            words.iter().all(|word| has(row.name, word) || row.values.iter().any(|value| has(value, word)))
        };
        let mut rows: Vec<&NodeRow<'_>> = self.rows.iter().filter(matches).collect();
        if let Some(column) = self.columns.iter().position(|column| *column == query.sort) {
            rows.sort_erased_by(|one, other| {
                one.values[column].cmp(&other.values[column]).then_with(|| one.name.cmp(other.name))
            });
        }
        let is_down = !query.down.is_empty();
        if is_down {
            rows.reverse();
        }
        let from = query.from.parse::<usize>().unwrap_or(0).min(rows.len());
        let address = |sort: &str, down: bool, from: usize| {
            let from = if from == 0 { String::new() } else { from.to_string() };
            let pairs = [
                ("environment", environment),
                ("search", &query.search),
                ("facts", &query.facts),
                ("sort", sort),
                ("down", if down { "true" } else { "" }),
                ("from", &from),
            ];
            let pairs: Vec<(&str, &str)> = pairs.into_iter().filter(|(_, value)| !value.is_empty()).collect();
            link("/", &pairs)
        };
        let heading = |title: &str, sort: &str| {
            let is_sorted = query.sort == sort;
            html! {
                th scope="col" aria-sort=[is_sorted.then_some(if is_down { "descending" } else { "ascending" })] {
                    a href=(address(sort, is_sorted && !is_down, 0)) {
                        (title) @if is_sorted { span aria-hidden="true" { @if is_down { " ▾" } @else { " ▴" } } }
                    }
                }
            }
        };
        html! {
            @if self.rows.is_empty() {}
            @else if rows.is_empty() { p { "No node matches “" (query.search) "”." } }
            @else {
                @if !words.is_empty() { p.dim { (rows.len()) " of " (counted_as(self.rows.len(), "node", "nodes")) } }
                @if self.columns.is_empty() {
                    ul.names {
                        @for row in rows.iter().skip(from).take(MAX_NODES) {
                            li { a href=(node_address(environment, row.name)) { (row.name) } }
                        }
                    }
                } @else { (scrolling("Nodes", &html! {
                    table.nodes {
                        thead { tr { (heading("Node", "")) @for column in self.columns { (heading(column, column)) } } }
                        tbody {
                            @for row in rows.iter().skip(from).take(MAX_NODES) {
                                tr {
                                    td { a href=(node_address(environment, row.name)) { (row.name) } }
                                    @for (column, value) in self.columns.iter().zip(&row.values) { td data-title=(column) { (value) } }
                                }
                            }
                        }
                    }
                })) }
                @if rows.len() > MAX_NODES {
                    ul.tools {
                        @if from > 0 { li { a href=(address(&query.sort, is_down, from.saturating_sub(MAX_NODES))) { "Previous" } } }
                        li.dim { (from + 1) " to " ((from + MAX_NODES).min(rows.len())) " of " (rows.len()) }
                        @if from + MAX_NODES < rows.len() { li { a href=(address(&query.sort, is_down, from + MAX_NODES)) { "Next" } } }
                    }
                }
                @if !self.has_facts && !self.columns.is_empty() { p.dim.small { "Facts are shown when all nodes have been read." } }
            }
        }
    }
}
