//! The page of a key on a node: its value with the origin of every part, and the contribution of each level.

use std::path::Path;

use axum::extract::{Query, State};
use axum::response::IntoResponse;
use hieratic::diagnostics::counted_as;
use hieratic::explain::{NO_SUCH_KEY, NOT_THERE, Places, WhyReport};
use hieratic::secrets::Secrets;
use hieratic::{Node, Redactor};
use hieratic_report::pages::{LevelStack, NodeLevels, ValuePlaces, plain_name, value};
use maud::{Markup, html};
use serde::Deserialize;

use super::{FileLinks, Head, Page, chosen, environment_choice, escaped, find, findings, framed, key_address, link};
use crate::api::types::{Fault, LayerAnswer};
use crate::lookups::{AnswerExplanation, NodeContext};
use crate::nodes::NodeSelector;
use crate::{Shared, history, limits, lookups, suggestions};

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct KeyQuery {
    environment: String,
    node: String,
    key: String,
}

/// The page of a key: the value of each level, and the answer.
pub(crate) async fn key(State(service): State<Shared>, Query(query): Query<KeyQuery>) -> impl IntoResponse {
    let shared = service.clone();
    let page = limits::work(&service, move |service, budget| {
        let environments = service.nodes.environments.names();
        let environment = chosen(service, query.environment);
        let selector = NodeSelector::Stored(query.node.clone());
        let found = service.nodes.ask(&environment, &selector, budget, &|subject| {
            let links = FileLinks::new(subject.root).with_pages(&environment, &query.node);
            let levels = NodeLevels::new(subject.node, subject.budget);
            lookups::reasons(subject, &query.key).map(|reasons| {
                let similar = match &reasons.answer {
                    Err(fault) if fault.help.is_some() => similar_keys(subject, &query.key, &environment, &query.node),
                    _ => html! {},
                };
                let shown = shown(subject, &reasons, &levels, &links, &similar);
                (shown, lines_of(&reasons))
            })
        });
        let (shown, lines) = match found {
            Ok(found) => found?,
            Err(problem) => return Err(suggestions::of_node(service, &environment, &query.node, problem)),
        };
        let here = [("environment", environment.as_str()), ("node", query.node.as_str())];
        let (opened, _) = service.nodes.environments.get(&environment)?;
        let has_history = history::place(&opened.environment.layers().environment.root).is_some();
        let history = link("/history", &[here[0], here[1], ("key", &query.key)]);
        let body = html! {
            p.of { "on " a href=(link("/node", &here)) { (query.node) } }
            (shown.answer)
            div.split {
                div.main { (shown.levels) }
                div.aside {
                    section aria-labelledby="spread" {
                        h2 #spread { "On all nodes" }
                        (find::distribution(service, &environment, &query.key, budget)?)
                    }
                    @if has_history {
                        section aria-labelledby="history" data-load=(history) data-pick="#commits" {
                            h2 #history { "History" }
                            p { a href=(history) { "The commits that changed it" } }
                        }
                    }
                    section aria-labelledby="findings" {
                        h2 #findings { "Findings" }
                        (findings::of_lines(&shared, &environment, &lines, budget)?)
                    }
                    ul.tools {
                        li { a href=(link("/compare", &[("left_environment", &environment), ("left", &query.node), ("search", &query.key)])) { "Compare with another node" } }
                        // The address of an empty key there leads nowhere.
                        @if !query.key.is_empty() { li { a href=(api_address(&query.node, &query.key, &environment)) { "JSON" } } }
                    }
                    details.fold {
                        summary { "Another node or key" }
                        form action="/key" {
                            (environment_choice("Environment", "environment", &environments, &environment))
                            label { "Node" input name="node" value=(query.node); }
                            label { "Key" input name="key" value=(query.key); }
                            button { "Show" }
                        }
                    }
                }
            }
        };
        let crumbs = vec![(environment.as_str(), link("/", &here[..1])), (query.node.as_str(), link("/node", &here))];
        let description = format!("The value of {} on {}, and the levels that it comes from.", query.key, query.node);
        Ok(framed(&Head { crumbs, environment: &environment, description, ..Head::new(&query.key) }, &body))
    });
    Page(page.await)
}

/// Returns the address of the API's answer about the key.
fn api_address(node: &str, key: &str, environment: &str) -> String {
    let path = format!("/v1/nodes/{}/layers/{}", escaped(node), escaped(key));
    link(&path, &[("environment", environment)])
}

/// The first and the last line of the values of the levels, in their files.
fn lines_of(reasons: &AnswerExplanation) -> Vec<(std::path::PathBuf, u32)> {
    let of = |layer: &LayerAnswer| Some((layer.file.as_ref()?.into(), layer.line?));
    reasons.layers.iter().filter_map(of).collect()
}

/// The keys of a node that are spelled like one that is not there, as links. None if the keys cannot be listed: the message says why.
fn similar_keys(subject: &NodeContext<'_>, key: &str, environment: &str, node: &str) -> Markup {
    let Ok((keys, _)) = lookups::keys(subject, "", None, MAX_COMPARED_KEYS) else { return html! {} };
    let near = hieratic::diagnostics::nearest_many(key, keys.iter().map(String::as_str));
    html! {
        @if !near.is_empty() {
            p {
                "Similar keys: "
                @for (index, near) in near.iter().enumerate() {
                    @if index > 0 { ", " }
                    a href=(key_address(environment, node, near)) { (near) }
                }
            }
        }
    }
}

/// The maximum number of keys whose spelling is compared.
const MAX_COMPARED_KEYS: usize = 20_000;

/// The parts of the page that one lookup gives.
struct KeyDisplay {
    answer: Markup,
    levels: Markup,
}

fn shown(
    subject: &NodeContext<'_>,
    reasons: &AnswerExplanation,
    levels: &NodeLevels,
    links: &FileLinks,
    similar: &Markup,
) -> KeyDisplay {
    let name = |file: &Path| links.file(file);
    let places = Places { name: &name, links: None };
    // The service computes reasons only if no value is marked as secret. A search for secrets as substrings would also
    // redact values that come from facts, and so confirm a guess. Options have no marks, so they are searched.
    let unsearched = Redactor::new(Secrets::default(), false);
    let report = reasons.why.as_ref().map(|reason| {
        let rules = WhyReport::new(reason, subject.redactor, &[], places).rules;
        (reason, WhyReport { rules, ..WhyReport::new(reason, &unsearched, &[], places) })
    });
    let silent: Vec<&LayerAnswer> =
        reasons.layers.iter().filter(|layer| !layer.found && layer.error.is_none()).collect();
    let key_places = KeyPlaces { links, levels, redactor: &unsearched };
    let stack = LevelStack { places: &key_places, levels };
    let answer = html! {
        section.answer aria-label="Result" {
            @match &reasons.answer {
                Ok(value) => (value::yaml(value, &key_places, None)),
                Err(fault) if fault.code == Node::NOT_FOUND.id() => p.fault { "The node has no value for this key." },
                Err(fault) => (render_error(fault, links)),
            }
        }
        (super::skipped_note(levels.skipped()))
        @if reasons.answer.is_err() { (similar) }
        @if let Some((why, report)) = &report {
            @for rule in &report.rules { p.rule { span.dim { "Rule: " } (stack.rule(rule, why)) } }
        }
    };
    let levels = html! {
        h2 { "Levels, highest priority first" }
        @if let Some((reason, report)) = &report {
            @if report.layers.is_empty() && report.hidden.is_empty() { p.dim { "No level has the key." } }
            @else {
                (stack.all(reason, &report.layers, report.hidden_because))
            }
        } @else {
            p.dim { "A secret or an error is involved: only the values of the levels are shown, not how they became one." }
            ol.layers {
                @for layer in reasons.layers.iter().filter(|layer| layer.found || layer.error.is_some()) {
                    (render_layer(layer, links))
                }
            }
        }
        @if !silent.is_empty() { (render_silent(&silent, levels, links)) }
    };
    KeyDisplay { answer, levels }
}

/// The places of a key's values on its page.
struct KeyPlaces<'p> {
    links: &'p FileLinks,
    levels: &'p NodeLevels,
    redactor: &'p Redactor,
}

impl ValuePlaces for KeyPlaces<'_> {
    fn line(&self, file: &Path, line: Option<u32>) -> Markup {
        self.links.line(file, line)
    }

    fn file(&self, file: &Path) -> String {
        self.links.file(file)
    }

    fn level_of(&self, file: &Path) -> Option<usize> {
        self.levels.of_file(file)
    }

    fn redactor(&self) -> &Redactor {
        self.redactor
    }
}

/// A level whose value is shown without what became of it.
fn render_layer(layer: &LayerAnswer, links: &FileLinks) -> Markup {
    html! {
        li {
            div.head {
                h3 { (plain_name(&layer.level)) @if layer.default_hierarchy { " (default hierarchy)" } }
                p.dim.small {
                    (layer.layer)
                    @if let Some(file) = layer.file.as_ref().or(layer.location.as_ref()) {
                        " · " (links.line(file.as_ref(), layer.line))
                    }
                }
            }
            @if let Some(value) = &layer.value { pre { (value::plain(value)) } }
            @if let Some(fault) = &layer.error { (render_error(fault, links)) }
        }
    }
}

/// The levels that say nothing of the key, in one line.
fn render_silent(silent: &[&LayerAnswer], levels: &NodeLevels, links: &FileLinks) -> Markup {
    let is_skipped = |layer: &LayerAnswer| {
        layer.location.is_none() && levels.skipped().any(|(level, _)| level == plain_name(&layer.level))
    };
    let skipped = silent.iter().filter(|layer| is_skipped(layer)).count();
    let missing = silent.iter().filter(|layer| !layer.exists && !is_skipped(layer)).count();
    let without = silent.len() - skipped;
    html! {
        details.fold {
            summary {
                @if without > 0 { (counted_as(without, "place has", "places have")) " no such key" }
                @if missing > 0 { ", " (missing) " of them no file" }
                @if without > 0 && skipped > 0 { "; " }
                @if skipped > 0 { (counted_as(skipped, "level was", "levels were")) " not asked" }
            }
            ul {
                @for layer in silent {
                    li.dim {
                        (plain_name(&layer.level)) ": " code {
                            @match &layer.location {
                                Some(location) if layer.exists => (links.line(location.as_ref(), None)),
                                Some(location) => (links.file(location.as_ref())),
                                None => "without a file",
                            }
                        }
                        @if is_skipped(layer) { " was not asked" } @else if layer.exists { " " (NO_SUCH_KEY) } @else { " " (NOT_THERE) }
                    }
                }
            }
        }
    }
}

fn render_error(fault: &Fault, links: &FileLinks) -> Markup {
    html! {
        p.fault { (fault.message) }
        @if let Some(file) = &fault.file { p.dim { (links.line(file.as_ref(), fault.line)) } }
        @if let Some(help) = &fault.help { p.dim { (help) } }
    }
}
