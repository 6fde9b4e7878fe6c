//! A key's layers side by side.

use axum::extract::{Query, State};
use axum::response::IntoResponse;
use maud::{Markup, html};
use serde::Deserialize;

use super::lists::chosen;
use super::{Page, environment_choice, framed, link, shown};
use crate::api::types::{Answer, Fault, LayerAnswer};
use crate::nodes::Asked;
use crate::questions::Manner;
use crate::{Shared, limits, questions};

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct KeyQuery {
    environment: String,
    node: String,
    key: String,
}

/// What each level says of a key, and what comes out.
pub(crate) async fn key(State(service): State<Shared>, Query(query): Query<KeyQuery>) -> impl IntoResponse {
    let made = limits::work(&service, move |service, budget| {
        let environments = service.nodes.environments.names();
        let environment = chosen(service, query.environment);
        let asked = Asked::Stored(query.node.clone());
        let (answer, layers) = service.nodes.ask(&environment, &asked, budget, &|node| {
            let manner = Manner { origins: true, ..Manner::default() };
            (questions::lookup(node, &query.key, &manner), questions::layers(node, &query.key, false))
        })?;
        let layers = layers?;
        let silent = layers.iter().filter(|layer| !layer.found && layer.error.is_none()).count();
        let body = html! {
            form action="/key" {
                label { "Environment" (environment_choice("environment", &environments, &environment)) }
                label { "Node" input name="node" value=(query.node); }
                label { "Key" input name="key" value=(query.key) size="40"; }
                button { "Show" }
            }
            p {
                a href=(link("/node", &[("environment", &environment), ("node", &query.node)])) { "All keys of " (query.node) }
            }
            div.layers {
                (result(&answer))
                @for layer in layers.iter().filter(|layer| layer.found || layer.error.is_some()) { (column(layer)) }
            }
            (origins(&answer))
            h2 { "Silent levels (" (silent) ")" }
            ul {
                @for layer in layers.iter().filter(|layer| !layer.found && layer.error.is_none()) {
                    li.note {
                        (layer.layer) ": " (layer.level) " — " code { (layer.location.as_deref().unwrap_or("without a file")) }
                        @if layer.exists { " has no such key" } @else { " does not exist" }
                    }
                }
            }
        };
        Ok(framed(&query.key, &body))
    });
    Page(made.await)
}

fn result(answer: &Answer) -> Markup {
    html! {
        section.layer.result {
            h3 { "Result" }
            @match (&answer.value, &answer.error) {
                (Some(value), _) => pre { (shown(value)) },
                (None, Some(fault)) => (told(fault)),
                (None, None) => p.note { "nothing" },
            }
        }
    }
}

fn column(layer: &LayerAnswer) -> Markup {
    html! {
        section.layer {
            h3 { (layer.level) @if layer.default_hierarchy { " (default hierarchy)" } }
            p.place {
                (layer.layer)
                @if let Some(file) = layer.file.as_ref().or(layer.location.as_ref()) {
                    br; (file) @if let Some(line) = layer.line { ":" (line) }
                }
            }
            @if let Some(value) = &layer.value { pre { (shown(value)) } }
            @if let Some(fault) = &layer.error { (told(fault)) }
        }
    }
}

fn told(fault: &Fault) -> Markup {
    html! {
        p.fault { (fault.message) }
        @if let Some(file) = &fault.file { p.place { (file) @if let Some(line) = fault.line { ":" (line) } } }
        @if let Some(help) = &fault.help { p.note { (help) } }
    }
}

/// Where every part of the result comes from.
fn origins(answer: &Answer) -> Markup {
    let Some(rows) = answer.origins.as_ref().filter(|rows| rows.len() > 1) else { return html! {} };
    html! {
        h2 { "Origins" }
        table {
            tr { th { "Part" } th { "Place" } }
            @for row in rows {
                tr {
                    td { code { (row.path.iter().map(part).collect::<Vec<_>>().join(".")) } }
                    td {
                        @match (&row.file, row.line) {
                            (Some(file), Some(line)) => { (file) ":" (line) },
                            _ => (row.from.as_deref().unwrap_or("unknown")),
                        }
                    }
                }
            }
        }
    }
}

fn part(part: &serde_json::Value) -> String {
    part.as_str().map_or_else(|| part.to_string(), String::from)
}
