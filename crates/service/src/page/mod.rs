//! The pages for the browser. The service renders them. They work without scripts, and load nothing from other servers.

mod catalog;
mod changes;
mod compare;
mod facts;
mod file;
mod find;
mod findings;
mod frame;
mod hierarchy;
mod history;
mod home;
mod key;
mod node;
mod places;
mod prose;

use std::borrow::Cow;

use axum::http::header;
use axum::response::IntoResponse;
use hieratic::diagnostics::counted_as;
use hieratic_report::pages::value;
use maud::{Markup, html};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, PercentEncode, utf8_percent_encode};

use frame::{Head, Page, fault, framed};
pub(crate) use frame::{accepts_html, nowhere, with_page};
pub(crate) use places::FileLinks;

pub(crate) use catalog::catalog;
pub(crate) use changes::{changes, counts};
pub(crate) use compare::compare;
pub(crate) use file::file;
pub(crate) use find::{find, spread, suggest};
pub(crate) use findings::{finding, findings};
pub(crate) use hierarchy::{hierarchy, level};
pub(crate) use history::history;
pub(crate) use home::start;
pub(crate) use key::key;
pub(crate) use node::node;

/// The style of all pages.
pub(crate) async fn style() -> impl IntoResponse {
    let style = concat_styles();
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], style)
}

/// The parts that pages to send around have, too, and those of the service alone.
fn concat_styles() -> String {
    format!("{}{}", hieratic_report::pages::STYLE, include_str!("style.css"))
}

/// The script of all pages, which makes them quicker and adds nothing that they need.
pub(crate) async fn script() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], include_str!("script.js"))
}

/// The icon of all pages.
pub(crate) async fn icon() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "image/svg+xml")], include_str!("icon.svg"))
}

/// The environment that a page shows.
fn chosen(service: &crate::Service, environment: String) -> String {
    if environment.is_empty() { service.nodes.environments.default_name() } else { environment }
}

/// An address with a query, escaped.
pub(crate) fn link(path: &str, pairs: &[(&str, &str)]) -> String {
    let mut address = path.to_string();
    for (index, (name, value)) in pairs.iter().enumerate() {
        address.push(if index == 0 { '?' } else { '&' });
        address.push_str(name);
        address.push('=');
        address.extend(escaped(value));
    }
    address
}

/// The address of the page of a node.
pub(crate) fn node_address(environment: &str, node: &str) -> String {
    link("/node", &[("environment", environment), ("node", node)])
}

/// The address of the page of a key on a node. The key is as data has it.
pub(crate) fn key_address(environment: &str, node: &str, key: &str) -> String {
    let key = hieratic::lookup::quoted_key(key);
    link("/key", &[("environment", environment), ("node", node), ("key", &key)])
}

/// The characters that a value in an address need not escape.
const VALUE: &AsciiSet = &NON_ALPHANUMERIC.remove(b'.').remove(b'-').remove(b'_').remove(b'~').remove(b':');

/// Percent-encodes a string for an address.
fn escaped(text: &str) -> PercentEncode<'_> {
    utf8_percent_encode(text, VALUE)
}

/// Says that no facts are known, so that numbers about nodes are of little worth.
fn derived_note(service: &crate::Service) -> Markup {
    html! {
        @if service.stored.is_derived() {
            p.dim.small {
                "No facts are known but those in the names of data files, so levels that need others are not read. Start the service with " code { "--facts" }
                ", or set " code { "facts" } " in " code { "hieratic.toml" } "."
            }
        }
    }
}

/// Names the levels that were not asked, each with its reason: all values below could be others.
fn skipped_note<'l>(levels: impl Iterator<Item = (&'l str, &'l str)>) -> Markup {
    let levels: Vec<(&str, &str)> = levels.collect();
    html! {
        @for (level, reason) in levels.iter().take(MAX_SKIPPED) {
            p.skipped.small { strong { "Not asked: " } "the level " (level) ", because " (reason) ". A server may give other values." }
        }
        @if levels.len() > MAX_SKIPPED { p.skipped.small { (levels.len() - MAX_SKIPPED) " more levels were not asked." } }
    }
}

/// The levels of an index that were not asked.
fn skipped_levels(index: &crate::fleet::Index) -> impl Iterator<Item = (&str, &str)> {
    index.levels.iter().filter_map(|level| Some((level.level.as_str(), level.skipped.as_deref()?)))
}

/// The maximum number of levels that were not asked and are named.
const MAX_SKIPPED: usize = 5;

/// Returns a name as it is shown: a blank one in quotes, so that a link or heading with it can be seen.
pub(crate) fn visible(name: &str) -> Cow<'_, str> {
    if name.trim().is_empty() { format!("{name:?}").into() } else { name.into() }
}

/// Renders a string up to some characters, and the number of the others.
fn shortened(text: &str, most: usize) -> Markup {
    let end = text.char_indices().nth(most).map_or(text.len(), |(end, _)| end);
    let rest = text[end..].chars().count();
    html! {
        (text[..end])
        @if rest > 0 { span.dim { "… " (counted_as(rest, "more character", "more characters")) } }
    }
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
    fn blank_names_are_quoted() {
        assert_eq!(["", " ", "a b"].map(visible), ["\"\"", "\" \"", "a b"]);
    }

    #[test]
    fn addresses_are_escaped() {
        assert_eq!(link("/key", &[("key", "a::b&c=\"d\""), ("n", "é")]), "/key?key=a::b%26c%3D%22d%22&n=%C3%A9");
    }
}
