//! The page of a node: its keys with their values, its facts, and the files that it reads.

use std::path::Path;
use std::sync::Arc;

use axum::extract::{Query, State};
use axum::response::IntoResponse;
use hieratic::dependencies::AccessLog;
use hieratic::diagnostics::counted_as;
use hieratic::value::ErasedSort as _;
use maud::{Markup, html};
use serde::Deserialize;

use super::{
    FileLinks, Head, Page, chosen, environment_choice, facts, findings, framed, key_address, link, node_address, value,
    visible,
};
use crate::lookups::{KeyRow, KeyRows};
use crate::nodes::NodeSelector;
use crate::problem::Problem;
use crate::recent::{RecentChange, RecentChanges};
use crate::{Shared, limits, lookups, recent, suggestions};
use hieratic_report::pages::value::level_class;
use hieratic_report::pages::{NodeLevel, NodeLevels};

/// The maximum length of a value in the list, in characters.
const MAX_VALUE_LENGTH: usize = 100;

/// The number of modules from which their names are listed above the keys.
const MIN_LISTED_MODULES: usize = 4;

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct NodeQuery {
    environment: String,
    node: String,
    search: String,
    facts: String,
    /// The module whose keys are shown; all if empty.
    module: String,
}

/// The keys of a node, which are shown, with the levels that they come from.
struct ShownKeys {
    all: Arc<KeyRows>,
    /// The positions of those that are shown.
    shown: Vec<usize>,
    levels: NodeLevels,
    recent: RecentChanges,
}

/// The page of a node.
pub(crate) async fn node(State(service): State<Shared>, Query(query): Query<NodeQuery>) -> impl IntoResponse {
    let shared = service.clone();
    let page = limits::work(&service, move |service, budget| {
        let environments = service.nodes.environments.names();
        let chosen = chosen(service, query.environment.clone());
        let selector = NodeSelector::Stored(query.node.clone());
        let found = service.nodes.ask(&chosen, &selector, budget, &|subject| {
            let all = lookups::key_rows(subject)?;
            let levels = NodeLevels::new(subject.node, subject.budget);
            let links = FileLinks::new(subject.root).with_pages(&chosen, &query.node);
            Ok::<_, Problem>((ShownKeys { all, shown: Vec::new(), levels, recent: RecentChanges::default() }, links))
        });
        let (mut keys, links) = match found {
            Ok(found) => found?,
            Err(problem) => return Err(suggestions::of_node(service, &chosen, &query.node, problem)),
        };
        keys.recent = recent::changes(service, &chosen, keys.levels.files(), budget);
        let wanted = keys.all.rows.iter().enumerate().filter(|(_, row)| query.matches(row, &links, &keys.levels));
        keys.shown = wanted.map(|(at, _)| at).collect();
        let stored = service.stored.facts(&query.node, &AccessLog::default())?.facts;
        let shown_facts = lookups::fact_rows(&stored, &query.facts);
        let is_searched = !query.search.is_empty() || !query.facts.is_empty() || !query.module.is_empty();
        let findings = if is_searched {
            html! {}
        } else {
            findings::of_node(&shared, &chosen, &query.node, budget)?
        };
        let address = |key: &str| key_address(&chosen, &query.node, key);
        let body = html! {
            ul.tools {
                @for (name, text) in summary(&stored) { li { span.dim { (name) } " " strong { (text) } } }
                li { a href="#facts" { "Facts" } }
                li { a href="#files" { "Files" } }
                @if !is_searched { li { a href="#findings" { "Findings" } } }
                @if service.catalogs { li { a href=(link("/catalog", &[("environment", &chosen), ("node", &query.node)])) { "Catalog" } } }
                li { a href=(link("/compare", &[("left_environment", &chosen), ("left", &query.node)])) { "Compare" } }
                li { a href=(link("/changes", &[("environment", &chosen), ("node", &query.node)])) { "Changes" } }
            }
            div.split {
                section.main aria-labelledby="keys" {
                    h2 #keys { "Keys" }
                    form action="/node" {
                        input type="hidden" name="node" value=(query.node);
                        (environment_choice("Environment", "environment", &environments, &chosen))
                        label {
                            "Part of a key, a value or a file"
                            input type="search" name="search" value=(query.search) data-filter="#key-list";
                        }
                        button { "Filter" }
                        @if is_searched { a.button href=(node_address(&chosen, &query.node)) { "All keys" } }
                    }
                    (key_list(&keys, &links, &query, &chosen, &address))
                }
                div.aside {
                    section aria-labelledby="facts" {
                        h2 #facts { "Facts" }
                        form action="/node" {
                            input type="hidden" name="environment" value=(chosen);
                            input type="hidden" name="node" value=(query.node);
                            label {
                                "Part of a name or value"
                                input type="search" name="facts" value=(query.facts) data-filter="#fact-list";
                            }
                            button { "Filter" }
                        }
                        div #fact-list { (facts::table(&shown_facts)) }
                    }
                    section aria-labelledby="files" {
                        h2 #files { "Files, highest priority first" }
                        (files(&keys.levels, &links))
                    }
                }
            }
            (findings)
        };
        let crumbs = vec![(chosen.as_str(), link("/", &[("environment", &chosen)]))];
        let description = format!("The keys of the node {} with their values and places.", query.node);
        Ok(framed(&Head { environment: &chosen, crumbs, description, ..Head::new(&query.node) }, &body))
    });
    Page(page.await)
}

impl NodeQuery {
    /// Returns whether a key is shown: by its name, its value, or the names of its files and levels.
    fn matches(&self, row: &KeyRow, links: &FileLinks, levels: &NodeLevels) -> bool {
        if !self.module.is_empty() && module_of(&row.key) != self.module {
            return false;
        }
        let search = self.search.to_lowercase();
        let has = |text: &str| text.to_lowercase().contains(&search);
        let is_in_place = |(path, _): &(std::path::PathBuf, u32)| {
            let level = levels.of_file(path).and_then(|level| levels.levels.get(level));
            has(&links.file(path)) || level.is_some_and(|level| has(&level.name))
        };
        search.is_empty()
            || has(&row.key)
            || row.answer.as_ref().is_ok_and(|value| has(&value::flow(value, usize::MAX)))
            || row.places.iter().any(is_in_place)
    }
}

/// The facts that say most about a node, if it has them.
fn summary(facts: &hieratic::Facts) -> Vec<(String, String)> {
    const TELLING: [&str; 5] = ["role", "profile", "site", "datacenter", "os.name"];
    let rows = lookups::fact_rows(facts, "");
    let of = |name: &&str| rows.iter().find(|(known, value)| known == name && value.len() <= 40).cloned();
    TELLING.iter().filter_map(of).collect()
}

/// The module of a key: its first part.
fn module_of(key: &str) -> &str {
    key.split_once("::").map_or("", |(module, _)| module)
}

fn key_list(
    keys: &ShownKeys,
    links: &FileLinks,
    query: &NodeQuery,
    environment: &str,
    address: &dyn Fn(&str) -> String,
) -> Markup {
    // The keys without a module are between the others.
    let mut rows: Vec<&KeyRow> = keys.shown.iter().filter_map(|at| keys.all.rows.get(*at)).collect();
    rows.sort_erased_by_key(|row| module_of(&row.key));
    let modules: Vec<&[&KeyRow]> = rows.chunk_by(|one, other| module_of(&one.key) == module_of(&other.key)).collect();
    let of_module =
        |name: &str| link("/node", &[("environment", environment), ("node", &query.node), ("module", name)]);
    html! {
        (super::skipped_note(keys.levels.skipped()))
        @if rows.is_empty() { p { "No key matches." } }
        @else {
            @if modules.len() >= MIN_LISTED_MODULES {
                details.fold {
                    summary { (counted_as(modules.len(), "module", "modules")) }
                    ul.names {
                        @for module in &modules {
                            @let name = module_of(&module[0].key);
                            @if !name.is_empty() { li { a href=(of_module(name)) { (name) } " " span.dim.small { (module.len()) } } }
                        }
                    }
                }
            }
            div.scroll role="region" aria-label="Keys, values and places" tabindex="0" {
                table.keys #key-list {
                    thead { tr { th scope="col" { "Key" } th scope="col" { "Value" } th scope="col" { "Level and place" } } }
                    @for module in &modules {
                        @let name = module_of(&module[0].key);
                        tbody {
                            tr.module-row { th colspan="3" scope="rowgroup" {
                                @if name.is_empty() { "Keys without a module" } @else { (name) }
                                " " span.dim { (module.len()) }
                            } }
                            @for row in *module { (key_row(row, keys, links, address)) }
                        }
                    }
                }
            }
            p.dim data-none="#key-list" hidden { "No key matches." }
        }
        @if keys.all.more { p.dim { "The first " (lookups::MAX_KEY_ROWS) " keys are shown: the API returns all." } }
    }
}

fn key_row(row: &KeyRow, keys: &ShownKeys, links: &FileLinks, address: &dyn Fn(&str) -> String) -> Markup {
    // The highest level first, whichever part of the value comes first.
    let mut places: Vec<_> = row.places.iter().map(|place| (keys.levels.of_file(&place.0), place)).collect();
    places.sort_erased_by_key(|(level, _)| level.unwrap_or(usize::MAX));
    let (class, name) = match row.key.rsplit_once("::") {
        Some((class, name)) => (Some(class), name),
        None => (None, row.key.as_str()),
    };
    let lately: Option<&RecentChange> =
        row.places.iter().find_map(|(path, _)| keys.recent.of_key(path, keys.levels.data_of(path)?, &row.key));
    html! {
        tr data-row="" {
            td.key {
                a href=(address(&row.key)) { code { @if let Some(class) = class { span.dim { (class) "::" wbr; } (name) } @else { (visible(name)) } } }
                @if let Some(change) = lately { " " span.badge.recent title=(change.words) {
                    @match &change.day { Some(day) => { "changed " (day) }, None => "not committed" }
                } }
            }
            td.val {
                @match &row.answer {
                    Ok(value) => code { (value::flow(value, MAX_VALUE_LENGTH)) },
                    Err(message) => span.fault title=(message) { (super::prose::without_long_words(message)) },
                }
            }
            td.at {
                @for (index, (level, (path, line))) in places.iter().take(2).enumerate() {
                    @if index > 0 { br; }
                    (level_tag(*level, &keys.levels))
                    " " span.small { (links.line(path, Some(*line))) }
                }
                @if row.places.len() > 2 { " " span.dim.small { "and " (counted_as(row.places.len() - 2, "more file", "more files")) } }
            }
        }
    }
}

/// Renders the number and the name of a level, in its color.
pub(super) fn level_tag(level: Option<usize>, levels: &NodeLevels) -> Markup {
    let Some((number, level)) = level.and_then(|index| Some((index, levels.levels.get(index)?))) else {
        return html! {};
    };
    html! { span class={ "lv " (level_class(number)) } { span.ln { (number + 1) } " " (level_name(level)) } }
}

fn level_name(level: &NodeLevel) -> Markup {
    html! { @if let Some(module) = &level.module { (module) ": " } (level.name) }
}

/// The maximum number of places of a level that are shown expanded. Of more, those without a file are folded.
const MAX_EXPANDED_PLACES: usize = 6;

/// The maximum number of files of a level that are shown expanded.
const MAX_EXPANDED_FILES: usize = 12;

/// Renders the files of the levels in their order, with those that do not exist.
fn files(levels: &NodeLevels, links: &FileLinks) -> Markup {
    let file = |level: &NodeLevel, location: &hieratic_report::pages::LevelLocation| {
        html! {
            @match (&location.path, &location.location) {
                (Some(path), _) => {
                    (links.line(path, None))
                    @if location.is_faulty { " " span.fault { "cannot be read" } }
                    @else { " " span.dim { (counted_as(location.keys(), "key", "keys")) } }
                },
                (None, Some(place)) => span.dim { (links.file(Path::new(place))) " does not exist" },
                (None, None) if level.skipped.is_some() => span.dim { "not asked" },
                (None, None) => span.dim { "no file on this node" },
            }
        }
    };
    html! {
        ol.levels {
            @for (number, level) in levels.levels.iter().enumerate() {
                li.absent[!level.has_file()] {
                    (level_tag(Some(number), levels))
                    @let (there, absent): (Vec<_>, Vec<_>) = level.locations.iter().partition(|one| one.path.is_some());
                    @if level.locations.len() <= MAX_EXPANDED_PLACES {
                        @for one in &level.locations { div { (file(level, one)) } }
                    } @else {
                        @if there.len() <= MAX_EXPANDED_FILES { @for one in &there { div { (file(level, one)) } } }
                        @else { details.fold { summary { (counted_as(there.len(), "file", "files")) } @for one in &there { div { (file(level, one)) } } } }
                        @if !absent.is_empty() {
                            details.fold { summary { (counted_as(absent.len(), "place has", "places have")) " no file" } @for one in &absent { div { (file(level, one)) } } }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_the_first_part_of_a_key() {
        assert_eq!(["a", "b::c", "b::c::d", "::e"].map(module_of), ["", "b", "b", ""]);
    }
}
