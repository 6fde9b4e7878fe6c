//! The page of a key on a node: its value with the origin of every part, and the contribution of each level.

use hieratic::diagnostics::counted_as;
use std::path::Path;

use axum::extract::{Query, State};
use axum::response::IntoResponse;
use hieratic::Redactor;
use hieratic::explain::{Change, ContributingLevel, Emphasis, NO_SUCH_KEY, NOT_THERE, Places, WhyLayer, WhyReport};
use hieratic::lookup::Origin;
use hieratic::secrets::Secrets;
use hieratic_report::pages::change;
use maud::{Markup, html};
use serde::Deserialize;

use super::lists::chosen;
use super::{FileLinks, Head, Page, environment_choice, escaped, framed, link, value};
use crate::api::types::{Fault, LayerAnswer};
use crate::lookups::{AnswerExplanation, NodeContext};
use crate::nodes::NodeSelector;
use crate::{Shared, history, limits, lookups};

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct KeyQuery {
    environment: String,
    node: String,
    key: String,
}

/// The page of a key: the value of each level, and the answer.
pub(crate) async fn key(State(service): State<Shared>, Query(query): Query<KeyQuery>) -> impl IntoResponse {
    let made = limits::work(&service, move |service, budget| {
        let environments = service.nodes.environments.names();
        let environment = chosen(service, query.environment);
        let asked = NodeSelector::Stored(query.node.clone());
        let body = service.nodes.ask(&environment, &asked, budget, &|subject| {
            let links = FileLinks::new(subject.root, service.link.as_deref());
            lookups::reasons(subject, &query.key).map(|reasons| shown(subject, &reasons, &links))
        })??;
        let here = [("environment", environment.as_str()), ("node", query.node.as_str())];
        let (opened, _) = service.nodes.environments.get(&environment)?;
        let has_history = history::place(&opened.environment.layers().environment.root).is_some();
        let body = html! {
            details.fold {
                summary { "Another node or key" }
                form action="/key" {
                    (environment_choice("Environment", "environment", &environments, &environment))
                    label { "Node" input name="node" value=(query.node); }
                    label { "Key" input name="key" value=(query.key); }
                    button { "Show" }
                }
            }
            ul.tools {
                li { a href=(link("/spread", &[("environment", &environment), ("key", &query.key)])) { "On all nodes" } }
                li { a href=(link("/compare", &[("left_environment", &environment), ("left", &query.node), ("search", &query.key)])) { "Compare with another node" } }
                @if has_history { li { a href=(link("/history", &[here[0], here[1], ("key", &query.key)])) { "History" } } }
                li { a href=(api_address(&query.node, &query.key, &environment)) { "JSON" } }
            }
            (body)
        };
        let crumbs = vec![(environment.as_str(), link("/", &here[..1])), (query.node.as_str(), link("/node", &here))];
        Ok(framed(&Head { crumbs, environment: &environment, ..Head::new(&query.key) }, &body))
    });
    Page(made.await)
}

/// Returns the address of the API's answer about the key.
fn api_address(node: &str, key: &str, environment: &str) -> String {
    let path = format!("/v1/nodes/{}/layers/{}", escaped(node), escaped(key));
    link(&path, &[("environment", environment)])
}

fn shown(subject: &NodeContext<'_>, reasons: &AnswerExplanation, links: &FileLinks) -> Markup {
    let name = |file: &Path| links.file(file);
    let places = Places { name: &name, links: links.links() };
    // The service computes reasons only if no value is marked as secret. A search for secrets as substrings would also
    // redact values that come from facts, and so confirm a guess. Options have no marks, so they are searched.
    let unsearched = Redactor::new(Secrets::default(), false);
    let story = reasons.why.as_ref().map(|why| {
        let rules = WhyReport::new(why, subject.mask, &[], places).rules;
        (why, WhyReport { rules, ..WhyReport::new(why, &unsearched, &[], places) })
    });
    let silent: Vec<&LayerAnswer> =
        reasons.layers.iter().filter(|layer| !layer.found && layer.error.is_none()).collect();
    html! {
        section.card.answer aria-label="Result" {
            @match &reasons.answer {
                Ok(value) => (value::yaml(value, links)),
                Err(fault) => (render_error(fault, links)),
            }
        }
        @if let Some((why, story)) = &story {
            @for rule in &story.rules { p { span.dim { "Rule: " } (rule) } }
            h2 { "Levels (highest priority first)" }
            @if story.layers.is_empty() && story.hidden.is_empty() { p.dim { "No level has the key." } }
            @else {
                ol.layers {
                    @for (layer, told) in why.layers.iter().zip(&story.layers) { (render_contribution(layer, told, links)) }
                    @for layer in &why.hidden { (render_overridden(layer, story.hidden_because, links)) }
                }
            }
        } @else {
            h2 { "Levels (highest priority first)" }
            p.dim { "A secret or an error is involved: only the values of the levels are shown, not how they became one." }
            ol.layers {
                @for layer in reasons.layers.iter().filter(|layer| layer.found || layer.error.is_some()) {
                    (render_layer(layer, links))
                }
            }
        }
        @if !silent.is_empty() { (render_silent(&silent, links)) }
    }
}

/// Renders a level that contributes to the answer: the parts that it added and lost, and its own value.
fn render_contribution(layer: &WhyLayer, told: &ContributingLevel, links: &FileLinks) -> Markup {
    html! {
        li {
            (heading(&told.level, layer.place.as_ref(), layer.location.as_deref(), links))
            @if let [only] = told.changes.as_slice() && only.tone == Emphasis::Added && only.value.is_none() {
                @if only.part.len() <= MAX_INLINE_LENGTH { ul.changes { (change(only)) } }
                @else {
                    ul.changes { li { code.added { (only.tone.sign()) " the whole value" } @if !only.outcome.is_empty() { " " span.dim { (only.outcome) } } } }
                    details.fold {
                        summary { "The value in this level" }
                        (value::yaml(&layer.value, links))
                    }
                }
            } @else {
                @match told.changes.len() {
                    0 => {},
                    1..=MAX_EXPANDED_CHANGES => (changes(&told.changes)),
                    count => {
                        details.fold {
                            summary { (summed(&told.changes)) " (" (count) " parts)" }
                            (changes(&told.changes))
                        }
                    },
                }
                details.fold {
                    summary { "The value in this level" }
                    (value::yaml(&layer.value, links))
                }
            }
        }
    }
}

/// The maximum length of a value shown on one line, in bytes.
const MAX_INLINE_LENGTH: usize = 100;

/// The maximum number of a level's changes that are shown expanded.
const MAX_EXPANDED_CHANGES: usize = 12;

/// The maximum number of a level's changes on the page.
const MAX_CHANGES: usize = 500;

fn changes(changes: &[Change]) -> Markup {
    html! {
        ul.changes { @for one in changes.iter().take(MAX_CHANGES) { (change(one)) } }
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

/// A level that has the key and adds nothing.
fn render_overridden(layer: &WhyLayer, because: &str, links: &FileLinks) -> Markup {
    html! {
        li.unused {
            (heading(&layer.level, layer.place.as_ref(), layer.location.as_deref(), links))
            details.fold {
                summary { "Not used: " (because) }
                (value::yaml(&layer.value, links))
            }
        }
    }
}

/// A level whose value is shown without what became of it.
fn render_layer(layer: &LayerAnswer, links: &FileLinks) -> Markup {
    html! {
        li {
            div.head {
                h3 { (layer.level) @if layer.default_hierarchy { " (default hierarchy)" } }
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

fn heading(level: &str, place: Option<&Origin>, location: Option<&str>, links: &FileLinks) -> Markup {
    html! {
        div.head {
            h3 { (level) }
            p.dim.small {
                @match (place, location) {
                    (Some(origin @ Origin::File { .. }), _) => (links.origin(origin)),
                    (_, Some(location)) => (links.line(location.as_ref(), None)),
                    (Some(origin), None) => (links.origin(origin)),
                    (None, None) => {},
                }
            }
        }
    }
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
                        (layer.level) ": " code {
                            @match &layer.location {
                                Some(location) => (links.line(location.as_ref(), None)),
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
