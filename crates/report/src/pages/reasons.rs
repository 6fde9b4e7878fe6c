//! [`explanation_page`]: the reasons for answers.

use hieratic::explain::{Change, ContributingLevel, Emphasis, NO_SUCH_KEY, NOT_THERE, WhyReport};
use maud::{Markup, PreEscaped, html};

use crate::pages::{Imprint, alone};

/// Renders the reasons for answers as a standalone page. `value` renders an answer as YAML.
pub fn explanation_page(
    reports: &[WhyReport],
    value: &dyn Fn(&WhyReport) -> Option<String>,
    imprint: &Imprint,
) -> String {
    let keys: Vec<String> = reports.iter().map(|report| clean(&report.key)).collect();
    let body = html! { @for report in reports { (article(report, value(report))) "\n" } };
    alone(&format!("Why {}", keys.join(", ")), &body, imprint)
}

fn article(report: &WhyReport, value: Option<String>) -> Markup {
    html! {
        article {
            h1 { code { (clean(&report.key)) } } "\n"
            div.card.answer {
                @match &report.answer {
                    Ok(short) => pre { (inline(value.as_deref().unwrap_or(short))) },
                    Err(reason) => p.fault { (clean(reason)) },
                }
            }
            "\n"
            @for rule in &report.rules { p.dim { (clean(rule)) } "\n" }
            @if !report.layers.is_empty() || !report.hidden.is_empty() {
                h2 { "Levels (highest priority first)" } "\n"
                ol.layers {
                    @for contributing in &report.layers { "\n" (layer(contributing)) }
                    @for place in &report.hidden {
                        "\n" li.unused { p { code { (clean(place)) } " is hidden: " (report.hidden_because) } }
                    }
                }
                "\n"
            }
            @for fault in &report.faulty { p.fault { (clean(fault)) } "\n" }
            @if report.others.is_empty() { p.dim { (clean(&report.rest)) } }
            @else {
                details.fold {
                    summary { (clean(&report.rest)) }
                    ul {
                        @for hieratic::lookup::SearchedLocation { name: place, is_there } in &report.others {
                            "\n" li.dim { code { (clean(place)) } " " @if *is_there { (NO_SUCH_KEY) } @else { (NOT_THERE) } }
                        }
                    }
                }
            }
        }
    }
}

fn layer(contributing: &ContributingLevel) -> Markup {
    let place = clean(&contributing.place);
    html! {
        li {
            div.head {
                h3 { (clean(&contributing.level)) }
                p.dim.small {
                    @match &contributing.link {
                        Some(address) => a href=(address) { (place) },
                        None => (place),
                    }
                }
            }
            @if !contributing.changes.is_empty() { ul.changes { @for one in &contributing.changes { (change(one)) } } }
        }
    }
}

/// Renders the effect of a level on a part of the value.
pub fn change(change: &Change) -> Markup {
    let class = match change.tone {
        Emphasis::Added => "added",
        Emphasis::Lost => "lost",
        Emphasis::Removes => "removes",
        Emphasis::Failed => "failed",
    };
    html! {
        li {
            code class=(class) {
                (change.tone.sign()) " " (clean(&change.part)) @if let Some(value) = &change.value { " = " (clean(value)) }
            }
            @if !change.outcome.is_empty() { " " span.dim { (clean(&change.outcome)) } }
        }
    }
}

/// Replaces the control characters that HTML forbids.
fn clean(text: &str) -> String {
    let shown = |c: char| if c.is_control() && !matches!(c, '\n' | '\t') { '\u{fffd}' } else { c };
    text.chars().map(shown).collect()
}

/// Escapes line breaks, so that no line of the string begins a line of the page: such a line could look like a
/// diagnostic and would be escaped as one.
fn inline(text: &str) -> Markup {
    PreEscaped(html! { (clean(text)) }.into_string().replace('\n', "&#10;"))
}
