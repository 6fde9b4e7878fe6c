//! The page in the browser: made by the service, without scripts, with nothing from elsewhere.

mod compare;
mod key;
mod lists;

use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};

use crate::problem::Problem;

pub(crate) use compare::compare;
pub(crate) use key::key;
pub(crate) use lists::{node, start};

/// The style of all pages.
pub(crate) async fn style() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], include_str!("style.css"))
}

/// A page, or what is in the way of it, as a page.
struct Page(Result<Markup, Problem>);

impl IntoResponse for Page {
    fn into_response(self) -> Response {
        match self.0 {
            Ok(markup) => Html(markup.into_string()).into_response(),
            Err(problem) => {
                let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
                let body = html! {
                    p.fault { (problem.detail) }
                    @if let Some(help) = &problem.help { p.note { (help) } }
                };
                (status, Html(framed(&problem.title, &body).into_string())).into_response()
            }
        }
    }
}

/// A page with what is around every page.
fn framed(title: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " · Hieratic" }
                link rel="stylesheet" href="/style.css";
            }
            body {
                header {
                    a href="/" { "Hieratic" }
                    a href="/compare" { "Compare" }
                    a href="/v1/openapi.json" { "API" }
                }
                main { h1 { (title) } (body) }
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
        for byte in value.bytes() {
            if byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'~' | b':') {
                address.push(char::from(byte));
            } else {
                address.push_str(&format!("%{byte:02X}"));
            }
        }
    }
    address
}

/// A value as people read it.
fn shown(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => serde_json::Value::from(text.as_str()).to_string(),
        other => serde_json::to_string_pretty(other).unwrap_or_default(),
    }
}

/// A choice among environments.
fn environment_choice(field: &str, names: &[String], chosen: &str) -> Markup {
    html! {
        select name=(field) {
            @for name in names { option value=(name) selected[name == chosen] { (name) } }
            @if !names.iter().any(|name| name == chosen) { option value=(chosen) selected { (chosen) } }
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
