//! The page of a key on a node: its value with the origin of every part, and the contribution of each level.

use std::path::Path;

use axum::extract::{Query, State};
use axum::response::IntoResponse;
use hieratic::Redactor;
use hieratic::diagnostics::counted_as;
use hieratic::explain::{
    Change, ContributingLevel, Emphasis, NO_SUCH_KEY, NOT_THERE, Places, Why, WhyLayer, WhyReport,
};
use hieratic::lookup::Origin;
use hieratic::secrets::Secrets;
use maud::{Markup, html};
use serde::Deserialize;

use super::value::level_class;
use super::{
    FileLinks, Head, Page, chosen, environment_choice, escaped, find, findings, framed, key_address, link, value,
};
use crate::api::types::{Fault, LayerAnswer};
use crate::lookups::{AnswerExplanation, NodeContext};
use crate::node_levels::{NodeLevels, plain_name};
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
            let levels = NodeLevels::new(subject);
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
                        section aria-labelledby="history" data-load=(history) data-pick=".timeline" {
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
                        li { a href=(api_address(&query.node, &query.key, &environment)) { "JSON" } }
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
    let level_of = |file: &Path| levels.of_file(file);
    let stack = Stack { links, levels, level_of: &level_of };
    let answer = html! {
        section.answer aria-label="Result" {
            @match &reasons.answer {
                Ok(value) => (value::yaml(value, links, &level_of)),
                Err(fault) => (render_error(fault, links)),
            }
        }
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
                ol.layers {
                    @for (layer, reported) in reason.layers.iter().zip(&report.layers) { (stack.contribution(layer, reported)) }
                    @for layer in &reason.hidden { (stack.unused(layer, report.hidden_because)) }
                }
            }
        } @else {
            p.dim { "A secret or an error is involved: only the values of the levels are shown, not how they became one." }
            ol.layers {
                @for layer in reasons.layers.iter().filter(|layer| layer.found || layer.error.is_some()) {
                    (stack.layer(layer))
                }
            }
        }
        @if !silent.is_empty() { (render_silent(&silent, links)) }
    };
    KeyDisplay { answer, levels }
}

/// The maximum number of a level's changes that are shown expanded.
const MAX_EXPANDED_CHANGES: usize = 30;

/// The maximum number of a level's changes on the page.
const MAX_CHANGES: usize = 500;

/// Renders the levels that have the key.
struct Stack<'s> {
    links: &'s FileLinks,
    levels: &'s NodeLevels,
    level_of: &'s dyn Fn(&Path) -> Option<usize>,
}

impl Stack<'_> {
    /// Renders a rule in words; the place that it names is a link.
    fn rule(&self, words: &str, why: &Why) -> Markup {
        let place = why.rule.as_ref().and_then(|rule| rule.place.as_ref());
        let Some(Origin::File { file, line, .. }) = place else { return html! { (words) } };
        let text = format!("{}:{line}", self.links.file(file));
        match words.split_once(&text) {
            Some((before, after)) => html! { (before) (self.links.line(file, Some(*line))) (after) },
            None => html! { (words) },
        }
    }

    /// The index of the level that a value comes from.
    fn index(&self, layer: &WhyLayer) -> Option<usize> {
        match (&layer.place, &layer.location) {
            (Some(Origin::File { file, .. }), _) => (self.level_of)(file),
            (_, Some(location)) => (self.level_of)(location.as_ref()),
            (_, None) => None,
        }
    }

    fn item(&self, layer: &WhyLayer, class: &str, word: &str, body: &Markup) -> Markup {
        let index = self.index(layer);
        let color = index.map(level_class).unwrap_or_default();
        html! {
            li class={ (class) " " (color) } {
                div.head {
                    h3 {
                        @if let Some(index) = index { span class={ "lv " (color) } { span.ln { (index + 1) } } " " }
                        (plain_name(&layer.level))
                        @if let Some(module) = index.and_then(|index| self.levels.levels.get(index)?.module.as_ref()) { " " span.dim { "of module " (module) } }
                        " " span.badge { (word) }
                    }
                    p.small { (self.place(layer.place.as_ref(), layer.location.as_deref())) }
                }
                (body)
            }
        }
    }

    /// Renders a level that contributes to the answer: the parts that it added and lost, and its own value.
    fn contribution(&self, layer: &WhyLayer, level: &ContributingLevel) -> Markup {
        let has_lost = level.changes.iter().any(|change| change.tone != Emphasis::Added);
        let has_added = level.changes.iter().any(|change| change.tone == Emphasis::Added);
        let word = match (has_added, has_lost) {
            (true, false) => "used",
            (true, true) => "used in part",
            (false, true) => "adds nothing",
            (false, false) => "used",
        };
        let is_whole =
            matches!(level.changes.as_slice(), [only] if only.tone == Emphasis::Added && only.value.is_none());
        let own = html! { (value::yaml_within(&layer.value, self.links, self.level_of, file_of(layer))) };
        let is_long = value::is_long(&layer.value);
        let body = html! {
            @if level.changes.is_empty() || is_whole {
                @if is_long { details.fold { summary { "The value in this level" } (own) } } @else { (own) }
                @for one in level.changes.iter().filter(|change| !change.outcome.is_empty()) { p.dim.small { (one.outcome) } }
            } @else {
                @if level.changes.len() <= MAX_EXPANDED_CHANGES { (changes(layer, &level.changes)) }
                @else {
                    details.fold {
                        summary { (summed(&level.changes)) " (" (level.changes.len()) " parts)" }
                        (changes(layer, &level.changes))
                    }
                }
                details.fold { summary { "The value in this level" } (own) }
            }
        };
        self.item(layer, if has_added || !has_lost { "used" } else { "unused" }, word, &body)
    }

    /// A level that has the key and adds nothing: its value is struck through.
    fn unused(&self, layer: &WhyLayer, because: &str) -> Markup {
        let body = html! {
            div.struck { (value::yaml_within(&layer.value, self.links, self.level_of, file_of(layer))) }
            p.dim.small { "Not used: " (because) }
        };
        self.item(layer, "unused", "not used", &body)
    }

    /// A level whose value is shown without what became of it.
    fn layer(&self, layer: &LayerAnswer) -> Markup {
        html! {
            li {
                div.head {
                    h3 { (plain_name(&layer.level)) @if layer.default_hierarchy { " (default hierarchy)" } }
                    p.dim.small {
                        (layer.layer)
                        @if let Some(file) = layer.file.as_ref().or(layer.location.as_ref()) {
                            " · " (self.links.line(file.as_ref(), layer.line))
                        }
                    }
                }
                @if let Some(value) = &layer.value { pre { (value::plain(value)) } }
                @if let Some(fault) = &layer.error { (render_error(fault, self.links)) }
            }
        }
    }

    fn place(&self, place: Option<&Origin>, location: Option<&str>) -> Markup {
        html! {
            @match (place, location) {
                (Some(origin @ Origin::File { .. }), _) => (self.links.origin(origin)),
                (_, Some(location)) => (self.links.line(location.as_ref(), None)),
                (Some(origin), None) => (self.links.origin(origin)),
                (None, None) => {},
            }
        }
    }
}

/// The file of a level's value.
fn file_of(layer: &WhyLayer) -> Option<&Path> {
    match &layer.place {
        Some(Origin::File { file, .. }) => Some(file),
        _ => None,
    }
}

/// The maximum length of a part of a value, in characters.
const MAX_PART_LENGTH: usize = 200;

/// Renders what became of the parts of a level's value; those that are not in the answer are struck through.
fn changes(layer: &WhyLayer, changes: &[Change]) -> Markup {
    // Both list the same parts in the same order.
    let parts = layer.parts.iter().zip(changes);
    html! {
        ul.changes {
            @for (part, change) in parts.take(MAX_CHANGES) {
                @let class = match change.tone {
                    Emphasis::Added => "added",
                    Emphasis::Lost => "lost",
                    Emphasis::Removes => "removes",
                    Emphasis::Failed => "failed",
                };
                li {
                    code class=(class) { (change.tone.sign()) " " (value::part_text(&part.path, &part.value, MAX_PART_LENGTH)) }
                    @if !change.outcome.is_empty() { " " span.dim.small { (change.outcome) } }
                }
            }
        }
        @if changes.len() > MAX_CHANGES { p.dim { (changes.len() - MAX_CHANGES) " more parts are not shown." } }
    }
}

/// Summarizes the number of parts that a level added and lost.
fn summed(changes: &[Change]) -> String {
    let tones = [Emphasis::Added, Emphasis::Lost, Emphasis::Removes, Emphasis::Failed];
    let counts = tones.into_iter().filter_map(|tone| {
        let count = changes.iter().filter(|change| change.tone == tone).count();
        (count > 0).then(|| format!("{count} {}", tone.many()))
    });
    counts.collect::<Vec<_>>().join(", ")
}

/// The levels that say nothing of the key, in one line.
fn render_silent(silent: &[&LayerAnswer], links: &FileLinks) -> Markup {
    let missing = silent.iter().filter(|layer| !layer.exists).count();
    html! {
        details.fold {
            summary {
                (counted_as(silent.len(), "place has", "places have")) " no such key"
                @if missing > 0 { ", " (missing) " of them no file" }
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
                        @if layer.exists { " " (NO_SUCH_KEY) } @else { " " (NOT_THERE) }
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
