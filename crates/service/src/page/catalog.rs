//! The page of the catalog of a node: its classes, and its resources with their parameters and positions.

use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use hieratic::catalog::{CatalogParameter, CatalogResource};
use hieratic::diagnostics::counted_as;
use maud::{Markup, html};
use serde::Deserialize;

use super::frame::with_status;
use super::{FileLinks, Head, Page, chosen, environment_choice, fault, framed, link, node_address, scrolling, value};
use crate::catalogs::{self, NodeCatalog};
use crate::{Shared, json, limits, suggestions};

/// The maximum number of resources on the page.
const MAX_RESOURCES: usize = 3_000;
/// The number of parameters of a resource that are shown expanded.
const MAX_PARAMETERS: usize = 6;
/// The maximum length of the value of a parameter.
const MAX_VALUE_LENGTH: usize = 100;
/// The maximum number of messages of the code.
const MAX_MESSAGES: usize = 100;

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct CatalogQuery {
    environment: String,
    node: String,
    /// A part of a resource, a parameter, a class or a file.
    search: String,
    /// The class whose resources are shown; all if empty.
    class: String,
}

/// The page of a catalog.
pub(crate) async fn catalog(State(service): State<Shared>, Query(query): Query<CatalogQuery>) -> Response {
    let outcome = limits::work(&service, move |service, budget| {
        let environments = service.nodes.environments.names();
        let chosen = chosen(service, query.environment.clone());
        let compiled = catalogs::compile(service, &chosen, &query.node, budget)
            .map_err(|problem| suggestions::of_node(service, &chosen, &query.node, problem));
        let crumbs = vec![
            (chosen.as_str(), link("/", &[("environment", &chosen)])),
            (query.node.as_str(), node_address(&chosen, &query.node)),
        ];
        let description = format!("The classes and resources of the node {}.", query.node);
        let head = Head { environment: &chosen, crumbs, description, ..Head::new("Catalog") };
        let compiled = match compiled {
            Ok(compiled) => compiled,
            Err(problem) if !problem.suggestions.is_empty() || problem.status == 404 => return Err(problem),
            Err(problem) => return Ok((framed(&head, &fault(&problem)), Some(problem))),
        };
        let links = FileLinks::new(&compiled.root).with_pages(&chosen, "");
        let page = CatalogPage { compiled: &compiled, links: &links, query: &query, environment: &chosen };
        let (indexes, classes) = (page.matching_rows(), compiled.classes());
        let here = [("environment", chosen.as_str()), ("node", &query.node)];
        let body = html! {
            p.lead {
                strong { (counted_as(compiled.catalog.resources.iter().filter(is_listed).count(), "resource", "resources")) } " in "
                strong { (counted_as(classes.len(), "class", "classes")) }
                ", compiled from the files as they are."
            }
            (page.messages())
            div.split {
                section.main aria-labelledby="resources" {
                    h2 #resources {
                        "Resources"
                        @if !query.class.is_empty() { " of the class " code { (query.class) } }
                    }
                    form action="/catalog" {
                        input type="hidden" name="node" value=(query.node);
                        @if !query.class.is_empty() { input type="hidden" name="class" value=(query.class); }
                        (environment_choice("Environment", "environment", &environments, &chosen))
                        label {
                            "Part of a resource, a value or a file"
                            input type="search" name="search" value=(query.search) data-filter="#resource-list";
                        }
                        button { "Filter" }
                        @if !query.search.is_empty() || !query.class.is_empty() {
                            a.button href=(link("/catalog", &here)) { "All resources" }
                        }
                    }
                    (page.resources(&indexes))
                }
                div.aside {
                    section aria-labelledby="classes" {
                        h2 #classes { "Classes" }
                        (page.classes(&classes))
                    }
                }
            }
        };
        Ok((framed(&head, &body), None))
    });
    match outcome.await {
        Ok((page, problem)) => with_status(page, problem.as_ref()),
        Err(problem) => Page(Err(problem)).into_response(),
    }
}

/// Returns whether a resource is in the list. Classes have their own list, and stages and nodes do nothing by themselves.
fn is_listed(resource: &&CatalogResource) -> bool {
    !matches!(resource.kind.as_str(), "Class" | "Stage" | "Node")
}

struct CatalogPage<'c> {
    compiled: &'c NodeCatalog,
    links: &'c FileLinks,
    query: &'c CatalogQuery,
    environment: &'c str,
}

impl CatalogPage<'_> {
    /// The resources that are shown.
    fn matching_rows(&self) -> Vec<usize> {
        let search = self.query.search.to_lowercase();
        let has = |text: &str| text.to_lowercase().contains(&search);
        let matches = |index: &usize| {
            let resource = &self.compiled.catalog.resources[*index];
            let class = self.compiled.class_of(*index).unwrap_or_default();
            let is_of_class = self.query.class.is_empty() || class.eq_ignore_ascii_case(&self.query.class);
            let place = || self.compiled.place_of(*index).is_some_and(|(file, _)| has(&self.links.file(file)));
            let parameter = || {
                let shown = |value| value::flow(&json::of_value(value, false), usize::MAX);
                resource.parameters.iter().any(|known| has(&known.name) || has(&shown(&known.value)))
            };
            is_listed(&resource)
                && is_of_class
                && (search.is_empty() || has(&resource.reference()) || has(&class) || place() || parameter())
        };
        (0..self.compiled.catalog.resources.len()).filter(matches).collect()
    }

    fn resources(&self, indexes: &[usize]) -> Markup {
        let of_class = |class: &str| self.address_of(class);
        html! {
            @if indexes.is_empty() && self.query.search.is_empty() && self.query.class.is_empty() { p { "The classes of this node have no resources." } }
            @else if indexes.is_empty() { p { "No resource matches." } }
            @else {
                (scrolling("Resources, parameters and places", &html! {
                    table.keys #resource-list {
                        thead { tr { th scope="col" { "Resource" } th scope="col" { "Parameters" } th scope="col" { "Class and place" } } }
                        tbody {
                            @for index in indexes.iter().take(MAX_RESOURCES) {
                                @let resource = &self.compiled.catalog.resources[*index];
                                tr data-row="" {
                                    td.key {
                                        code { span.dim { (resource.kind) "[" } (resource.title) span.dim { "]" } }
                                        @if resource.exported { " " span.badge { "exported" } }
                                    }
                                    td.val { (parameters(resource)) }
                                    td.at {
                                        @if let Some(class) = self.compiled.class_of(*index) { a href=(of_class(&class)) { (class) } }
                                        @if let Some((file, line)) = self.compiled.place_of(*index) {
                                            br; span.small { (self.links.line(file, line)) }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }))
                p.dim data-none="#resource-list" hidden { "No resource matches." }
            }
            @if indexes.len() > MAX_RESOURCES { p.dim { "The first " (MAX_RESOURCES) " of " (indexes.len()) " resources are shown." } }
        }
    }

    fn classes(&self, classes: &[String]) -> Markup {
        html! { ul.names { @for class in classes { li { a href=(self.address_of(class)) { (class) } } } } }
    }

    /// The address of the resources of a class.
    fn address_of(&self, class: &str) -> String {
        link("/catalog", &[("environment", self.environment), ("node", &self.query.node), ("class", class)])
    }

    fn messages(&self) -> Markup {
        let messages = &self.compiled.messages;
        html! {
            @if !messages.is_empty() {
                details.fold {
                    summary { (counted_as(messages.len(), "message", "messages")) " of the code" }
                    ul { @for message in messages.iter().take(MAX_MESSAGES) { li { (message) } } }
                    @if messages.len() > MAX_MESSAGES { p.dim { (messages.len() - MAX_MESSAGES) " more" } }
                }
            }
        }
    }
}

/// The parameters of a resource, each on a line; those after the first few are folded.
fn parameters(resource: &CatalogResource) -> Markup {
    let lines = |some: &[CatalogParameter]| {
        html! {
            @for parameter in some {
                div { code { span.dim { (parameter.name) ": " } (value::flow(&json::of_value(&parameter.value, false), MAX_VALUE_LENGTH)) } }
            }
        }
    };
    let (first, rest) = resource.parameters.split_at(resource.parameters.len().min(MAX_PARAMETERS));
    html! {
        (lines(first))
        @if !rest.is_empty() { details.fold { summary { (rest.len()) " more" } (lines(rest)) } }
    }
}
