//! The frame of all pages: head, navigation, search, and help for errors.

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};

use super::{link, visible};
use crate::problem::Problem;

/// A page, or the problem that prevents it, which is rendered as a page.
pub(super) struct Page(pub(super) Result<Markup, Problem>);

impl IntoResponse for Page {
    fn into_response(self) -> Response {
        match self.0 {
            Ok(markup) => Html(markup.into_string()).into_response(),
            Err(problem) => {
                let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
                (status, Html(problem_page(&problem).into_string())).into_response()
            }
        }
    }
}

/// A page that says why there is no answer, with the way on.
fn problem_page(problem: &Problem) -> Markup {
    let title = match problem.status {
        404 => "Not found",
        400 | 422 => "No answer",
        503 | 504 => "No answer yet",
        _ => &problem.title,
    };
    let body = html! {
        (fault(problem))
        @if matches!(problem.status, 503 | 504) { p { a href="" { "Try again" } } }
        @if let Some((environment, node)) = problem.selection.as_deref() {
            form action="/node" {
                input type="hidden" name="environment" value=(environment);
                label { "Node" input name="node" value=(node) required; }
                button { "Show" }
            }
        }
        p { a href="/" { "All nodes" } }
    };
    framed(&Head::new(title), &body)
}

/// Returns whether a request comes from the address bar or a link of a browser, for which problems are pages.
pub(crate) fn accepts_html(request: &Request) -> bool {
    let accepts = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accepts.contains("text/html") && !request.uri().path().starts_with("/v1/")
}

/// Makes a page of a problem, wherever in the service it arose. Its status and its other headers stay.
pub(crate) fn with_page(mut response: Response) -> Response {
    let Some(problem) = response.extensions_mut().remove::<Problem>() else { return response };
    let (mut head, _) = response.into_parts();
    head.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    head.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(head, Body::from(problem_page(&problem).into_string()))
}

/// A page whose form is kept although the request has a problem, with the status of the problem.
pub(super) fn with_status(markup: Markup, problem: Option<&Problem>) -> Response {
    let status = problem.and_then(|problem| StatusCode::from_u16(problem.status).ok()).unwrap_or(StatusCode::OK);
    (status, Html(markup.into_string())).into_response()
}

/// Renders a problem: the error, the remedy and suggestions.
pub(super) fn fault(problem: &Problem) -> Markup {
    html! {
        div.notice-box role="alert" {
            p.fault { (super::prose::inline(&problem.detail)) }
            @if let Some(help) = problem.page_help() { p.dim { (super::prose::inline(help)) } }
            @if !problem.suggestions.is_empty() {
                p {
                    "Did you mean "
                    @for (index, (name, address)) in problem.suggestions.iter().enumerate() {
                        @if index > 0 { ", " }
                        a href=(address) { (visible(name)) }
                    }
                    "?"
                }
            }
        }
    }
}

/// The answer to an address that does not exist.
pub(crate) async fn nowhere() -> Problem {
    Problem::not_found("no page has this URL").help("GET /v1/openapi.json describes the API")
}

/// The parts of a page around its body.
#[derive(Clone, Debug, Default)]
pub(super) struct Head<'h> {
    pub(super) title: &'h str,
    /// A sentence about the page, for search results and previews of links.
    pub(super) description: String,
    /// The page's own address among those of the navigation.
    pub(super) at: &'static str,
    pub(super) environment: &'h str,
    /// The text of the search box.
    pub(super) query: &'h str,
    /// The pages above this one, with their addresses.
    pub(super) crumbs: Vec<(&'h str, String)>,
}

impl<'h> Head<'h> {
    pub(super) fn new(title: &'h str) -> Head<'h> {
        Head { title, ..Head::default() }
    }
}

/// The pages that every page leads to.
const NAVIGATION: [(&str, &str); 5] = [
    ("/", "Nodes"),
    ("/hierarchy", "Hierarchy"),
    ("/compare", "Compare"),
    ("/changes", "Changes"),
    ("/findings", "Findings"),
];

/// Renders a page with the common frame.
pub(super) fn framed(head: &Head<'_>, body: &Markup) -> Markup {
    let environment: &[(&str, &str)] = match head.environment {
        "" => &[],
        name => &[("environment", name)],
    };
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (head.title) @for (above, _) in head.crumbs.iter().rev() { " · " (above) } " · Hieratic" }
                meta name="description" content=(match head.description.as_str() { "" => head.title, words => words });
                link rel="icon" href="/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="/style.css";
                script src="/script.js" defer {}
            }
            body data-environment=[environment.first().map(|(_, name)| *name)] {
                a.skip href="#main" { "Skip to the content" }
                header.top {
                    div {
                        a.brand href=(link("/", environment)) { "Hieratic" }
                        nav aria-label="Pages" {
                            @for (address, name) in NAVIGATION {
                                a href=(link(address, if address == "/compare" { &[] } else { environment }))
                                    aria-current=[(address == head.at).then_some("page")] { (name) }
                            }
                        }
                        form.search action="/find" role="search" {
                            @for (name, value) in environment { input type="hidden" name=(name) value=(value); }
                            input type="search" name="q" value=(head.query) aria-label="Find keys, values, nodes, files and facts"
                                placeholder="Find keys, values, nodes, files, facts" autocomplete="off" data-suggest="";
                            button { "Find" }
                        }
                    }
                }
                main #main tabindex="-1" {
                    @if !head.crumbs.is_empty() {
                        nav.crumbs aria-label="Above this page" {
                            @for (index, (name, address)) in head.crumbs.iter().enumerate() {
                                @if index > 0 { span.dim aria-hidden="true" { " / " } }
                                a href=(address) { (visible(name)) }
                            }
                        }
                    }
                    h1 { (visible(head.title)) }
                    (body)
                }
                footer.foot {
                    p { "Hieratic " (env!("CARGO_PKG_VERSION")) " · " a href="/v1/openapi.json" { "API" } " · " a href="/finding" { "Rules" } }
                }
            }
        }
    }
}
