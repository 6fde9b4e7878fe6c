//! [`explanation_page`]: how answers came about.

use hieratic::explain::{Change, ContributingLevel, Emphasis, NO_SUCH_KEY, NOT_THERE, WhyReport};
use maud::{Markup, PreEscaped, html};

use crate::pages::{Imprint, alone};

/// Explains answers on a standalone page. `value` renders an answer as YAML.
pub fn explanation_page(
    stories: &[WhyReport],
    value: &dyn Fn(&WhyReport) -> Option<String>,
    imprint: &Imprint,
) -> String {
    let keys: Vec<String> = stories.iter().map(|story| clean(&story.key)).collect();
    let body = html! { @for story in stories { (article(story, value(story))) "\n" } };
    alone(&format!("Why {}", keys.join(", ")), &body, imprint)
}

fn article(story: &WhyReport, value: Option<String>) -> Markup {
    html! {
        article {
            h1 { code { (clean(&story.key)) } } "\n"
            div.card.answer {
                @match &story.answer {
                    Ok(short) => pre { (inline(value.as_deref().unwrap_or(short))) },
                    Err(reason) => p.fault { (clean(reason)) },
                }
            }
            "\n"
            @for rule in &story.rules { p.dim { (clean(rule)) } "\n" }
            @if !story.layers.is_empty() || !story.hidden.is_empty() {
                h2 { "Levels (highest priority first)" } "\n"
                ol.layers {
                    @for told in &story.layers { "\n" (layer(told)) }
                    @for place in &story.hidden {
                        "\n" li.unused { p { code { (clean(place)) } " is hidden: " (story.hidden_because) } }
                    }
                }
                "\n"
            }
            @for fault in &story.faulty { p.fault { (clean(fault)) } "\n" }
            @if story.others.is_empty() { p.dim { (clean(&story.rest)) } }
            @else {
                details.fold {
                    summary { (clean(&story.rest)) }
                    ul {
                        @for hieratic::lookup::SearchedLocation { name: place, is_there } in &story.others {
                            "\n" li.dim { code { (clean(place)) } " " @if *is_there { (NO_SUCH_KEY) } @else { (NOT_THERE) } }
                        }
                    }
                }
            }
        }
    }
}

fn layer(told: &ContributingLevel) -> Markup {
    let place = clean(&told.place);
    html! {
        li {
            div.head {
                h3 { (clean(&told.level)) }
                p.dim.small {
                    @match &told.link {
                        Some(address) => a href=(address) { (place) },
                        None => (place),
                    }
                }
            }
            @if !told.changes.is_empty() { ul.changes { @for one in &told.changes { (change(one)) } } }
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
