//! The facts of a node as a narrow table.

use hieratic::diagnostics::counted_as;
use maud::{Markup, html};

use super::shortened;

/// The maximum length of a value, in characters.
const MAX_LENGTH: usize = 500;

/// The maximum number of facts that are shown expanded.
const MAX_EXPANDED: usize = 25;

/// The maximum number of facts on the page.
const MAX_FACTS: usize = 1000;

/// Renders facts: names with their values.
pub(super) fn table(facts: &[(String, String)]) -> Markup {
    if facts.is_empty() {
        return html! { p.dim { "No fact matches." } };
    }
    let rows = |facts: &[(String, String)]| {
        html! {
            dl.facts {
                @for (name, value) in facts { div data-row="" { dt { code { (name) } } dd { code { (shortened(value, MAX_LENGTH)) } } } }
            }
        }
    };
    let (first, rest) = facts[..facts.len().min(MAX_FACTS)].split_at(facts.len().min(MAX_EXPANDED));
    html! {
        (rows(first))
        @if !rest.is_empty() {
            details.fold { summary { (counted_as(rest.len(), "more fact", "more facts")) } (rows(rest)) }
        }
        @if facts.len() > MAX_FACTS { p.dim { "There are more facts: search for part of the name." } }
    }
}
