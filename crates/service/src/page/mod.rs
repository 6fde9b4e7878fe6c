//! The page in the browser: made by the service, complete without scripts, with nothing from elsewhere.

mod changes;
mod compare;
mod find;
mod findings;
mod hierarchy;
mod history;
mod key;
mod lists;
mod places;
mod prose;
mod value;

use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, PercentEncode, utf8_percent_encode};

use crate::problem::Problem;
pub(crate) use places::FileLinks;

pub(crate) use changes::changes;
pub(crate) use compare::compare;
pub(crate) use find::{find, spread};
pub(crate) use findings::{finding, findings};
pub(crate) use hierarchy::hierarchy;
pub(crate) use history::history;
pub(crate) use key::key;
pub(crate) use lists::{node, start};

/// The style of all pages.
pub(crate) async fn style() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], hieratic_report::pages::STYLE)
}

/// The script of all pages, which makes them quicker and adds nothing that they need.
pub(crate) async fn script() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], include_str!("script.js"))
}

/// A page, or the problem that prevents it, which is rendered as a page.
struct Page(Result<Markup, Problem>);

impl IntoResponse for Page {
    fn into_response(self) -> Response {
        match self.0 {
            Ok(markup) => Html(markup.into_string()).into_response(),
            Err(problem) => {
                let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
                let body = html! {
                    p.fault role="alert" { (problem.detail) }
                    @if let Some(help) = &problem.help { p.dim { (help) } }
                    p { a href="/" { "All nodes" } }
                };
                (status, Html(framed(&Head::new(&problem.title), &body).into_string())).into_response()
            }
        }
    }
}

/// The parts of a page around its body.
#[derive(Clone, Debug, Default)]
struct Head<'h> {
    title: &'h str,
    /// The page's own address among those of the navigation.
    at: &'static str,
    environment: &'h str,
    /// The text of the search box.
    query: &'h str,
    /// The pages above this one, with their addresses.
    crumbs: Vec<(&'h str, String)>,
}

impl<'h> Head<'h> {
    fn new(title: &'h str) -> Head<'h> {
        Head { title, ..Head::default() }
    }
}

/// The pages that every page leads to.
const NAVIGATION: [(&str, &str); 6] = [
    ("/", "Hieratic"),
    ("/find", "Find"),
    ("/hierarchy", "Hierarchy"),
    ("/compare", "Compare"),
    ("/changes", "Changes"),
    ("/findings", "Findings"),
];

/// Renders a page with the common frame.
fn framed(head: &Head<'_>, body: &Markup) -> Markup {
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
                link rel="stylesheet" href="/style.css";
                script src="/script.js" defer {}
            }
            body data-environment=[environment.first().map(|(_, name)| *name)] {
                a.skip href="#main" { "Skip to the content" }
                header.top {
                    div {
                        nav aria-label="Pages" {
                            @for (address, name) in NAVIGATION {
                                a href=(link(address, if address == "/compare" { &[] } else { environment }))
                                    aria-current=[(address == head.at).then_some("page")] { (name) }
                            }
                            a href="/v1/openapi.json" { "API" }
                        }
                        form action="/find" role="search" {
                            @for (name, value) in environment { input type="hidden" name=(name) value=(value); }
                            input type="search" name="q" value=(head.query) aria-label="Keys, values, nodes, files and facts"
                                placeholder="Keys, values, nodes, files, facts";
                            button { "Find" }
                        }
                    }
                }
                main #main tabindex="-1" {
                    @if !head.crumbs.is_empty() {
                        nav.crumbs aria-label="Above this page" {
                            @for (name, address) in &head.crumbs { a href=(address) { (name) } " › " }
                        }
                    }
                    h1 { (head.title) }
                    (body)
                }
            }
        }
    }
}

/// An address with a query, escaped.
fn link(path: &str, pairs: &[(&str, &str)]) -> String {
    let mut address = path.to_string();
    for (index, (name, value)) in pairs.iter().enumerate() {
        address.push(if index == 0 { '?' } else { '&' });
        address.push_str(name);
        address.push('=');
        address.extend(escaped(value));
    }
    address
}

/// The characters that a value in an address need not escape.
const VALUE: &AsciiSet = &NON_ALPHANUMERIC.remove(b'.').remove(b'-').remove(b'_').remove(b'~').remove(b':');

/// Percent-encodes a string for an address.
fn escaped(text: &str) -> PercentEncode<'_> {
    utf8_percent_encode(text, VALUE)
}

/// A table that scrolls within itself.
fn scrolling(name: &str, table: &Markup) -> Markup {
    html! { div.scroll role="region" aria-label=(name) tabindex="0" { (table) } }
}

/// A choice among environments, where there is one.
fn environment_choice(label: &str, field: &str, names: &[String], chosen: &str) -> Markup {
    if let [only] = names
        && only == chosen
    {
        return html! { input type="hidden" name=(field) value=(chosen); };
    }
    html! {
        label {
            (label)
            select name=(field) {
                @for name in names { option value=(name) selected[name == chosen] { (name) } }
                @if !names.iter().any(|name| name == chosen) { option value=(chosen) selected { (chosen) } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_escaped() {
        assert_eq!(link("/key", &[("key", "a::b&c=\"d\""), ("n", "é")]), "/key?key=a::b%26c%3D%22d%22&n=%C3%A9");
    }
}
