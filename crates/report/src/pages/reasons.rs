//! [`explanation_page`]: the reasons for answers.

use std::path::Path;

use hieratic::Redactor;
use hieratic::explain::{NO_SUCH_KEY, NOT_THERE, Places, Why, WhyReport};
use hieratic::lookup::SearchedLocation;
use maud::{Markup, PreEscaped, html};

use crate::pages::value::yaml;
use crate::pages::{Imprint, LevelStack, NodeLevels, ValuePlaces, alone};

/// The reasons for some answers of a node.
pub struct Explanations<'e> {
    /// The name of the node.
    pub node: &'e str,
    /// Each reason, with its words.
    pub reasons: &'e [(&'e Why, WhyReport)],
    /// The levels of the node.
    pub levels: &'e NodeLevels,
    /// The names of files, and the addresses of their lines.
    pub places: Places<'e>,
    /// The redactor of secrets.
    pub redactor: &'e Redactor,
}

/// Explains answers on a standalone page, with the look of the page of a key.
pub fn explanation_page(explanations: &Explanations<'_>, imprint: &Imprint) -> String {
    let keys: Vec<String> = explanations.reasons.iter().map(|(_, report)| clean(&report.key)).collect();
    let title = match explanations.node {
        "" => keys.join(", "),
        node => format!("{} on {}", keys.join(", "), clean(node)),
    };
    let body = html! { @for (why, report) in explanations.reasons { (article(why, report, explanations)) "\n" } };
    alone(&title, &body, imprint)
}

/// The places of values on a page that is sent to others: they lead to the forge, if one is known.
struct ForgePlaces<'p> {
    explanations: &'p Explanations<'p>,
    hides: bool,
}

impl ValuePlaces for ForgePlaces<'_> {
    fn line(&self, file: &Path, line: Option<u32>) -> Markup {
        let name = clean(&self.file(file));
        let text = match line {
            Some(line) => format!("{name}:{line}"),
            None => name,
        };
        let links = self.explanations.places.links;
        match links.zip(line).and_then(|(links, line)| links.of(file, line)) {
            Some(address) => html! { a.place href=(address) rel="noreferrer" { (text) } },
            None => html! { (text) },
        }
    }

    fn file(&self, file: &Path) -> String {
        (self.explanations.places.name)(file)
    }

    fn level_of(&self, file: &Path) -> Option<usize> {
        self.explanations.levels.of_file(file)
    }

    fn redactor(&self) -> &Redactor {
        self.explanations.redactor
    }

    fn hides(&self) -> bool {
        self.hides
    }
}

fn article(why: &Why, report: &WhyReport, explanations: &Explanations<'_>) -> Markup {
    let places = ForgePlaces { explanations, hides: why.hides };
    let stack = LevelStack { places: &places, levels: explanations.levels };
    html! {
        article {
            h1 { (clean(&report.key)) } "\n"
            @if !explanations.node.is_empty() { p.of { "on " strong { (clean(explanations.node)) } } "\n" }
            section.answer aria-label="Result" {
                @match (&why.answer, &report.answer) {
                    (Ok(answer), _) => (inline(&yaml(&answer.value, &places, None))),
                    (Err(_), Err(reason)) => p.fault { (clean(reason)) },
                    (Err(_), Ok(_)) => {},
                }
            }
            "\n"
            @for rule in &report.rules { p.rule { span.dim { "Rule: " } (stack.rule(&clean(rule), why)) } "\n" }
            h2 { "Levels, highest priority first" } "\n"
            @if report.layers.is_empty() && report.hidden.is_empty() { p.dim { "No level has the key." } "\n" }
            @else { (inline(&stack.all(why, &report.layers, report.hidden_because))) "\n" }
            @for fault in &report.faulty { p.fault { (clean(fault)) } "\n" }
            @if report.others.is_empty() { p.dim.small { (clean(&report.rest)) } }
            @else {
                details.fold {
                    summary { (clean(&report.rest)) }
                    ul {
                        @for SearchedLocation { name: place, is_there } in &report.others {
                            "\n"
                            li.dim {
                                code { (clean(place)) } " "
                                @if *is_there { (NO_SUCH_KEY) } @else { (NOT_THERE) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Replaces the control characters that HTML forbids.
fn clean(text: &str) -> String {
    let shown = |c: char| if c.is_control() && !matches!(c, '\n' | '\t') { '\u{fffd}' } else { c };
    text.chars().map(shown).collect()
}

/// Replaces the control characters of markup that HTML forbids, and escapes its line breaks: a line of a value that
/// begins a line of the page could look like a diagnostic, and would be escaped as one.
fn inline(markup: &Markup) -> Markup {
    PreEscaped(clean(&markup.0).replace('\n', "&#10;"))
}
