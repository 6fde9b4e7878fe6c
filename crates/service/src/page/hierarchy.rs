//! The levels of the hierarchies, for all nodes, for groups of nodes, and for single nodes.

use std::time::Duration;

use axum::extract::{Query, State};
use axum::response::IntoResponse;
use hieratic::budget::Budget;
use hieratic::diagnostics::counted_as;
use hieratic_report::pages::HtmlOptions;
use hieratic_report::truncate;
use maud::{Markup, html};
use serde::Deserialize;

use super::find::progress;
use super::{FileLinks, Head, Page, chosen, environment_choice, framed, link, node_address, scrolling, visible};
use crate::api::types::{GroupRow, GroupUseRow, HierarchyResponse, LevelRow};
use crate::changes::{self, ComparisonRequest, ComparisonState};
use crate::chosen_facts::ChosenFacts;
use crate::fleet::Index;
use crate::hierarchy_config::HierarchyConfig;
use crate::levels::{Group, LevelKey, LevelUse};
use crate::problem::Problem;
use crate::{Service, Shared, levels, limits, search};
use hieratic_report::pages::value::level_class;

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
    let page = limits::work(&service, move |service, budget| {
        let environments = service.nodes.environments.names();
        let environment = chosen(service, query.environment);
        let index = service.fleet.index(service, &environment, budget)?;
        let facts = ChosenFacts::new(service, &environment)?;
        let offered = levels::groupings(&index, &facts, budget)?;
        let by = if query.by.is_empty() { offered.first().cloned() } else { Some(query.by) };
        let found = search::hierarchy(&index, &environment, by.as_deref(), budget)?;
        let config = HierarchyConfig::read(service, &environment)?;
        // Without facts, nobody knows which levels are of no use.
        let is_proved = found.complete && !service.stored.is_derived();
        // The rows of the answer are the levels of the index, in their order.
        let states: Vec<LevelState> =
            index.levels.iter().map(|level| LevelState::new(level, config.as_ref())).collect();
        let idle = states.iter().filter(|state| state.is_idle()).count();
        let body = html! {
            (progress(&index, &link("/hierarchy", &[("environment", &environment), ("by", by.as_deref().unwrap_or_default())])))
            (super::derived_note(service))
            @if found.levels.is_empty() { p { "No node has a hierarchy." } }
            @else {
                @if is_proved && idle > 0 {
                    p { strong { (counted_as(idle, "level", "levels")) } " never win" @if idle == 1 { "s" } ": the page of a level shows what would change without it." }
                }
                (table(&found, &states, config.as_ref(), is_proved))
                form action="/hierarchy" {
                    (environment_choice("Environment", "environment", &environments, &environment))
                    label { "Groups by the fact" input name="by" value=(by.as_deref().unwrap_or_default()) list="facts"; }
                    datalist #facts { @for name in offered.iter().take(MAX_OFFERED_FACTS) { option value=(name) {} } }
                    button { "Show" }
                }
                (map(&found))
            }
        };
        let description =
            "The levels of the hierarchies, the keys that each sets, and those that never win.".to_string();
        let head = Head { at: "/hierarchy", environment: &environment, description, ..Head::new("Hierarchy") };
        Ok(framed(&head, &body))
    });
    Page(page.await)
}

/// The use of a level for the nodes that are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LevelState {
    /// A key of the level has the highest priority on some node.
    Wins,
    /// Nodes read the level, but a level above has each of its keys.
    NeverWins,
    /// No node has a file there.
    Unread,
    /// No node has a file there, because its data is outside of the repository and not on this machine.
    Elsewhere,
    /// It is not asked: its data is in another system, or it was left out.
    Skipped,
}

impl LevelState {
    /// Returns the state of a level on all nodes.
    pub(super) fn new(level: &LevelUse, config: Option<&HierarchyConfig>) -> LevelState {
        let is_elsewhere = || level.module.is_none() && config.is_some_and(|config| config.is_elsewhere(&level.level));
        match (level.nodes, level.highest()) {
            _ if level.skipped.is_some() => LevelState::Skipped,
            (0, _) if is_elsewhere() => LevelState::Elsewhere,
            (0, _) => LevelState::Unread,
            (_, 0) => LevelState::NeverWins,
            _ => LevelState::Wins,
        }
    }

    /// Returns whether the level does nothing for the nodes. Data that is kept elsewhere may do something.
    pub(super) fn is_idle(self) -> bool {
        matches!(self, LevelState::NeverWins | LevelState::Unread)
    }
}

fn name(level: &LevelRow) -> Markup {
    html! { @if let Some(module) = &level.module { "module " (module) ": " } (level.level) }
}

/// The page of a level, on all nodes or on a group of them.
#[derive(Clone, Copy)]
struct LevelAddress<'p> {
    environment: &'p str,
    module: Option<&'p str>,
    level: &'p str,
    /// A fact, and the value that the nodes of the group have; `None` for the nodes of no other group.
    group: Option<(&'p str, Option<&'p str>)>,
}

impl<'p> LevelAddress<'p> {
    fn new(environment: &'p str, level: &'p LevelRow) -> LevelAddress<'p> {
        LevelAddress { environment, module: level.module.as_deref(), level: &level.level, group: None }
    }

    /// Returns the address of one of the lists of the page.
    fn link(self, show: &str) -> String {
        let by = self.group.map(|(by, _)| by);
        let pairs = [("environment", Some(self.environment)), ("module", self.module), ("level", Some(self.level))];
        let pairs = pairs.into_iter().chain([("by", by), ("show", Some(show))]);
        let mut pairs: Vec<(&str, &str)> =
            pairs.filter_map(|(name, value)| Some((name, value?))).filter(|(_, value)| !value.is_empty()).collect();
        // An empty value is one, too.
        pairs.extend(self.group.and_then(|(_, value)| Some(("group", value?))));
        link("/level", &pairs)
    }
}

/// The levels on all nodes.
///
/// `is_proved` says that the nodes and their facts are known, so that a level that does nothing for them is of no use.
fn table(
    found: &HierarchyResponse,
    states: &[LevelState],
    config: Option<&HierarchyConfig>,
    is_proved: bool,
) -> Markup {
    let to = |level: &LevelRow, show: &str| LevelAddress::new(&found.environment, level).link(show);
    html! {
        (scrolling("Levels", &html! {
            table.level-table {
                thead {
                    tr {
                        th scope="col" { "Level, highest priority first" }
                        th.number scope="col" { "Nodes with a file" }
                        th.number scope="col" { "Files" }
                        th.number scope="col" { "Keys" }
                        th.number scope="col" { "Win on a node" }
                        th.number scope="col" { "Never win" }
                    }
                }
                tbody {
                    @for (number, (level, state)) in found.levels.iter().zip(states).enumerate() {
                        tr {
                            td.wide {
                                span class={ "lv " (level_class(number)) } { span.ln { (number + 1) } }
                                " " a href=(to(level, "")) { (name(level)) }
                                @match state {
                                    LevelState::Elsewhere => { " " span.badge { "not in this repository" } },
                                    LevelState::Skipped => { " " span.badge { "not asked" } },
                                    LevelState::Unread if is_proved => { " " span.badge.lost { "read by no node" } },
                                    LevelState::NeverWins if is_proved => { " " span.badge.lost { "never wins" } },
                                    _ => {},
                                }
                                @match (&level.module, config) {
                                    (None, Some(config)) => (paths(&config.locations(&level.level))),
                                    (Some(module), _) => div.small.dim { "in the " code { "hiera.yaml" } " of the module " (module) },
                                    (None, None) => {},
                                }
                            }
                            td.number data-title="nodes with a file" { a href=(to(level, "nodes")) { (level.nodes) } }
                            td.number data-title="files" { a href=(to(level, "files")) { (level.files) } }
                            td.number data-title="keys" { a href=(to(level, "keys")) { (level.keys) } }
                            td.number data-title="win on a node" { a href=(to(level, "wins")) { (level.highest) } }
                            td.number data-title="never win" { a href=(to(level, "never")) { (level.keys - level.highest) } }
                        }
                    }
                }
            }
        }))
        p.dim.small { "A key that never wins is always in a higher level, too. It still counts where the values of its levels are merged." }
    }
}

/// The maximum number of paths of a level that are shown expanded.
const MAX_EXPANDED_PATHS: usize = 4;

/// The paths of a level, as its configuration has them.
fn paths(paths: &[String]) -> Markup {
    let all = html! { @for path in paths { div { code.small.dim { (path) } } } };
    html! {
        @if paths.len() > MAX_EXPANDED_PATHS { details.fold { summary { (paths.len()) " paths" } (all) } }
        @else { (all) }
    }
}

/// The levels on groups of nodes.
fn map(found: &HierarchyResponse) -> Markup {
    let Some(by) = &found.by else { return html! {} };
    let most = found.levels.iter().flat_map(|level| &level.groups).map(|one| one.keys).max().unwrap_or(0);
    let search = |value: &str| link("/", &[("environment", &found.environment), ("search", value)]);
    let title = |group: &GroupRow| match &group.value {
        Some(value) if value.is_empty() => html! { "empty" },
        Some(value) => html! { a href=(search(value)) { (truncate(value, MAX_FACT_LENGTH)) } },
        None => html! { "other nodes" },
    };
    html! {
        h2 #groups { "Groups by " (by) }
        @if found.groups.iter().all(|group| group.value.is_none()) { p { "No node has this fact." } }
        @else {
            (scrolling("Levels by groups of nodes", &html! {
                table.map {
                    thead {
                        tr {
                            th scope="col" { "Level" }
                            @for group in &found.groups {
                                th.number scope="col" { (title(group)) br; span.dim { (counted_as(group.nodes, "node", "nodes")) } }
                            }
                        }
                    }
                    tbody {
                        @for (number, level) in found.levels.iter().enumerate() {
                            tr {
                                th.wide scope="row" { span class={ "lv " (level_class(number)) } { span.ln { (number + 1) } } " " (name(level)) }
                                @for (one, group) in level.groups.iter().zip(&found.groups) {
                                    (cell(one, most, &LevelAddress { group: Some((by, group.value.as_deref())), ..LevelAddress::new(&found.environment, level) }.link("keys")))
                                }
                            }
                        }
                    }
                }
            }))
            p.legend.small.dim {
                "Keys that the level sets for the group: "
                span.k1 { "few" } " " span.k2 { "some" } " " span.k3 { "many" } " " span.k4 { "most" }
                ". " span { "The small number never wins there." } " A dash: no node of the group has a file there."
            }
        }
    }
}

/// A part of the map: the more keys, the stronger its color.
fn cell(one: &GroupUseRow, most: usize, to: &str) -> Markup {
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
    let never = one.keys - one.highest;
    html! {
        td class={ "number " (step) } {
            a href=(to) { (one.keys) }
            @if never > 0 { br; span.small { (never) " never win" @if never == 1 { "s" } } }
        }
    }
}

/// The time that the page of a level waits for the comparison without it.
const MAX_WAIT: Duration = Duration::from_secs(2);

/// The maximum number of keys, nodes or files of a level on its page.
const MAX_ROWS: usize = 2000;

/// The maximum number of changes on the page of a level.
const MAX_CHANGES: usize = 100;

/// The maximum number of node names in each group of changes.
const MAX_NAMES: usize = 100;

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct LevelQuery {
    environment: String,
    module: String,
    level: String,
    /// The list that is shown: `keys`, `wins`, `never`, `nodes` or `files`; the keys if empty.
    show: String,
    /// A part of the keys that are shown.
    search: String,
    /// A fact by which nodes are put into groups; all nodes are shown if it is empty.
    by: String,
    /// The value of the fact in the group that is shown; `None` for the nodes of no other group.
    group: Option<String>,
}

impl LevelQuery {
    fn address<'q>(&'q self, environment: &'q str) -> LevelAddress<'q> {
        LevelAddress {
            environment,
            module: Some(&self.module),
            level: &self.level,
            group: (!self.by.is_empty()).then_some((&self.by, self.group.as_deref())),
        }
    }

    /// Returns the group of nodes that is shown; `None` for all nodes.
    fn nodes(&self, index: &Index) -> Result<Option<Group>, Problem> {
        if self.by.is_empty() {
            return Ok(None);
        }
        let groups = levels::groups(index, &self.by)?;
        let found = groups.into_iter().find(|group| group.value == self.group);
        let missing = || match &self.group {
            Some(value) => Problem::not_found(format!("no group of nodes has {} = {value}", self.by)),
            None => Problem::not_found(format!("all nodes are in groups by the fact {}", self.by)),
        };
        found.map(Some).ok_or_else(missing)
    }
}

/// The page of a level: its keys, nodes and files, and what would change without it.
pub(crate) async fn level(State(service): State<Shared>, Query(query): Query<LevelQuery>) -> impl IntoResponse {
    let page = limits::work(&service, move |service, budget| {
        let environment = chosen(service, query.environment.clone());
        let index = service.fleet.index(service, &environment, budget)?;
        let is_it = |level: &&LevelUse| {
            level.module.as_deref().unwrap_or_default() == query.module && level.level == query.level
        };
        let Some(level) = index.levels.iter().find(is_it) else {
            let problem = Problem::not_found(format!("no node has a level '{}'", query.level));
            return Err(problem.help("the page of the hierarchy lists all levels"));
        };
        let config = HierarchyConfig::read(service, &environment)?;
        let locations =
            config.as_ref().filter(|_| query.module.is_empty()).map(|config| config.locations(&query.level));
        let state = LevelState::new(level, config.as_ref());
        let without = match (&config, query.module.is_empty()) {
            // Without its data here, a comparison would say that the level can go.
            _ if state == LevelState::Elsewhere => Some(html! {
                section.card {
                    h2 #without { "Without this level" }
                    p { "The data of this level is outside of the repository and is not on this machine, so nobody here knows what would change." }
                }
            }),
            _ if state == LevelState::Skipped => Some(html! {
                section.card {
                    h2 #without { "Without this level" }
                    p { "The level is not asked, so nobody here knows what would change." }
                }
            }),
            (Some(config), true) if config.without(&query.level).is_some() => {
                Some(without_level(service, &environment, &query, budget)?)
            }
            _ => None,
        };
        let here = link("/level", &[("environment", &environment), ("module", &query.module), ("level", &query.level)]);
        let group = query.nodes(&index)?;
        let body = html! {
            (paths(&locations.unwrap_or_default()))
            (progress(&index, &here))
            @if let Some(without) = &without { (without) }
            @if let Some(group) = &group { (group_heading(group, &query, &environment)) }
            (lists(&index, level, group.as_ref(), &query, &environment, service, budget)?)
        };
        let crumbs = vec![
            (environment.as_str(), link("/", &[("environment", &environment)])),
            ("Hierarchy", link("/hierarchy", &[("environment", &environment)])),
        ];
        let title = match query.module.as_str() {
            "" => format!("Level {}", query.level),
            module => format!("Level {} of module {module}", query.level),
        };
        let description = format!("The keys of the level {}, and what would change without it.", query.level);
        Ok(framed(
            &Head { at: "/hierarchy", environment: &environment, crumbs, description, ..Head::new(&title) },
            &body,
        ))
    });
    Page(page.await)
}

/// The changes that leaving a level out makes: all nodes are compared with and without it.
fn without_level(service: &Service, environment: &str, query: &LevelQuery, budget: &Budget) -> Result<Markup, Problem> {
    let request = ComparisonRequest {
        environment: environment.into(),
        without_level: query.level.clone(),
        ..ComparisonRequest::default()
    };
    let known = changes::request_comparison(service, &request, MAX_WAIT.min(service.limits.time / 3), budget);
    let heading = html! { h2 #without { "Without this level" } };
    let state = match known {
        Ok(state) => state,
        // The lists of the level do not depend on the comparison.
        Err(problem) => return Ok(html! { section.card { (heading) p.fault { (problem.detail) } } }),
    };
    Ok(match state {
        ComparisonState::Running(since) => html! {
            section.card { (heading) p role="status" data-pending="" { "All nodes are being compared with and without it (" (since.as_secs()) " s)." } }
        },
        ComparisonState::Done(report) => {
            let summary = report.summary;
            let nothing = report.changes().next().is_none();
            html! {
                section.card {
                    (heading)
                    @if nothing && report.notes.is_empty() {
                        p.verdict { strong { "Nothing would change" } " on " (counted_as(summary.nodes, "node", "nodes")) ": the level can go." }
                        p.dim.small { "Nodes that are not known here, and lookups in code with other options, were not compared." }
                    } @else if nothing {
                        p.verdict { "No change was found, but not everything could be compared." }
                    } @else {
                        p.verdict {
                            strong { (counted_as(summary.changed_keys, "key", "keys")) " would change" }
                            " on " (summary.changed_nodes) " of " (counted_as(summary.nodes, "node.", "nodes."))
                        }
                    }
                    @for note in &report.notes { p.dim.small { (note) } }
                }
                @if !nothing {
                    details.fold {
                        summary { "The changes" }
                        (hieratic_report::pages::changes(&report, &HtmlOptions {
                            node: &|name| (!summary.are_synthetic).then(|| node_address(environment, name)),
                            most: MAX_CHANGES,
                            most_names: MAX_NAMES,
                            ..HtmlOptions::ALL
                        }))
                    }
                }
            }
        }
    })
}

/// The group of nodes to which the lists of a level are limited.
fn group_heading(group: &Group, query: &LevelQuery, environment: &str) -> Markup {
    let all = LevelAddress { group: None, ..query.address(environment) };
    html! {
        p {
            "On " (counted_as(group.nodes.len(), "node", "nodes"))
            @match &group.value {
                Some(value) => { " with " code { (query.by) " = " (truncate(value, MAX_FACT_LENGTH)) } },
                None => { " of no other group by " code { (query.by) } },
            }
            ". " a href=(all.link("keys")) { "Show all nodes" }
        }
    }
}

/// The lists of a level on all nodes, or on a group of them. One is shown.
fn lists(
    index: &Index,
    level: &LevelUse,
    group: Option<&Group>,
    query: &LevelQuery,
    environment: &str,
    service: &Service,
    budget: &Budget,
) -> Result<Markup, Problem> {
    let (opened, _) = service.nodes.environments.get(environment)?;
    let root = opened.environment.layers().environment.root.clone();
    let of_group = group.map(|group| levels::group_members(index, group));
    let members = of_group.as_ref().unwrap_or(index.classes());
    let keys = level.key_uses(members, budget)?;
    let readers = level.readers(members);
    let highest = keys.iter().filter(|key| key.is_highest).count();
    let never = keys.len() - highest;
    let tabs = [
        ("keys", "Keys", keys.len()),
        ("wins", "Win on a node", highest),
        ("never", "Never win", never),
        ("nodes", "Nodes with a file", readers.len()),
    ];
    // Which of the nodes read a file is not known.
    let files = group.is_none().then_some(("files", "Files", level.files));
    let tabs = tabs.into_iter().chain(files);
    let shown = if query.show.is_empty() { "keys" } else { query.show.as_str() };
    let of_keys: Vec<&LevelKey> = keys
        .iter()
        .filter(|key| match shown {
            "wins" => key.is_highest,
            "never" => !key.is_highest,
            _ => true,
        })
        .filter(|key| key.name.to_lowercase().contains(&query.search.to_lowercase()))
        .collect();
    let links = |node: &str| FileLinks::new(&root).with_pages(environment, node);
    Ok(html! {
        ul.tools {
            @for (word, text, count) in tabs {
                li { a href=(query.address(environment).link(word)) aria-current=[(word == shown).then_some("true")] { (text) " (" (count) ")" } }
            }
        }
        @match shown {
            "nodes" => {
                ul.names { @for node in readers.iter().take(MAX_ROWS) { @let name = index.nodes[*node].as_str(); li { a href=(node_address(environment, name)) { (name) } } } }
                @if readers.len() > MAX_ROWS { p.dim { (readers.len() - MAX_ROWS) " more nodes are not listed." } }
            },
            "files" => {
                ul.names { @for path in level.paths.iter().take(MAX_ROWS) { li { (links("").line(path, None)) } } }
                @if level.paths.len() > MAX_ROWS { p.dim { (level.paths.len() - MAX_ROWS) " more files are not listed." } }
            },
            _ => {
                form action="/level" {
                    @for (name, value) in [("environment", environment), ("module", &query.module), ("level", &query.level), ("show", shown), ("by", &query.by)] { input type="hidden" name=(name) value=(value); }
                    @if let Some(value) = &query.group { input type="hidden" name="group" value=(value); }
                    label { "Part of a key" input type="search" name="search" value=(query.search) data-filter="#level-keys"; }
                    button { "Filter" }
                }
                @if of_keys.is_empty() { p { "There is no such key." } }
                @else {
                        (scrolling("Keys", &html! {
                        table.keys.counts #level-keys {
                            thead { tr { th scope="col" { "Key" } th.number scope="col" { "Nodes" } th.number scope="col" { "Of them, with a higher level" } } }
                            tbody {
                                @for key in of_keys.iter().take(MAX_ROWS) {
                                    tr data-row="" {
                                        td.key { a href=(link("/spread", &[("environment", environment), ("key", &hieratic::lookup::quoted_key(&key.name))])) { code { (visible(&key.name)) } } @if !key.is_highest && index.is_complete() { " " span.badge.lost { "never wins" } } }
                                        td.number data-title="nodes" { (key.nodes) }
                                        td.number data-title="of them, with a higher level" { (key.below) }
                                    }
                                }
                            }
                        }
                    }))
                    @if of_keys.len() > MAX_ROWS { p.dim { (of_keys.len() - MAX_ROWS) " more keys are not listed." } }
                }
            },
        }
    })
}
