//! [`LevelStack`]: the levels that have a key, the highest first, with what became of the parts of their values.

use std::path::Path;

use hieratic::explain::{Change, ContributingLevel, Emphasis, Why, WhyLayer};
use hieratic::lookup::{Object, Origin};
use hieratic::value::text::REDACTED;
use hieratic::{Redactor, Value};
use maud::{Markup, html};

use crate::pages::value::{is_long, level_class, yaml};
use crate::pages::{NodeLevels, plain_name};
use crate::truncation::truncate;

/// The maximum number of a level's changes that are shown expanded.
const MAX_EXPANDED_CHANGES: usize = 30;

/// The maximum number of a level's changes on a page.
const MAX_CHANGES: usize = 500;

/// The maximum length of a part of a value, in characters.
const MAX_PART_LENGTH: usize = 200;

/// The places of values on a page.
pub trait ValuePlaces {
    /// Renders a line of a file, or the file, as a link if the page has one.
    fn line(&self, file: &Path, line: Option<u32>) -> Markup;

    /// Returns the name of a file.
    fn file(&self, file: &Path) -> String;

    /// Returns the index of the level that a file belongs to.
    fn level_of(&self, file: &Path) -> Option<usize>;

    /// The redactor of secrets.
    fn redactor(&self) -> &Redactor;

    /// Returns whether the whole answer becomes Sensitive.
    fn hides(&self) -> bool {
        false
    }

    /// Returns whether nothing of a value is shown, not even its parts.
    fn is_hidden(&self, object: &Object) -> bool {
        !self.redactor().reveals() && (self.hides() || object.is_covered())
    }

    /// Returns a value with secrets redacted.
    fn shown(&self, object: &Object) -> Value {
        if self.is_hidden(object) { REDACTED.into() } else { self.redactor().answer(object) }
    }

    /// Renders an origin.
    fn origin(&self, origin: &Origin) -> Markup {
        match origin {
            Origin::File { file, line, .. } => self.line(file, Some(*line)),
            other => html! { (other.to_string()) },
        }
    }
}

/// Renders the levels that have the key.
pub struct LevelStack<'s> {
    /// The places of values.
    pub places: &'s dyn ValuePlaces,
    /// The levels of the node.
    pub levels: &'s NodeLevels,
}

impl LevelStack<'_> {
    /// Renders a rule in words; the place that it names is a link.
    pub fn rule(&self, words: &str, why: &Why) -> Markup {
        let place = why.rule.as_ref().and_then(|rule| rule.place.as_ref());
        let Some(Origin::File { file, line, .. }) = place else { return html! { (words) } };
        let text = format!("{}:{line}", self.places.file(file));
        match words.split_once(&text) {
            Some((before, after)) => html! { (before) (self.places.line(file, Some(*line))) (after) },
            None => html! { (words) },
        }
    }

    /// Renders all levels that have the key, with the reason why some are not used.
    pub fn all(&self, why: &Why, contributing: &[ContributingLevel], hidden_because: &str) -> Markup {
        html! {
            ol.layers {
                @for (layer, level) in why.layers.iter().zip(contributing) { (self.contribution(layer, level)) "\n" }
                @for layer in &why.hidden { (self.unused(layer, hidden_because)) "\n" }
            }
        }
    }

    /// The index of the level that a value comes from.
    fn index(&self, layer: &WhyLayer) -> Option<usize> {
        match (&layer.place, &layer.location) {
            (Some(Origin::File { file, .. }), _) => self.places.level_of(file),
            (_, Some(location)) => self.places.level_of(location.as_ref()),
            (_, None) => None,
        }
    }

    fn item(&self, layer: &WhyLayer, class: &str, word: &str, body: &Markup) -> Markup {
        let index = self.index(layer);
        let color = index.map(level_class).unwrap_or_default();
        let module = index.and_then(|index| self.levels.levels.get(index)?.module.as_ref());
        html! {
            li class={ (class) " " (color) } {
                div.head {
                    h3 {
                        @if let Some(index) = index { span class={ "lv " (color) } { span.ln { (index + 1) } } " " }
                        (plain_name(&layer.level))
                        @if let Some(module) = module { " " span.dim { "of module " (module) } }
                        @else if index.is_none() && layer.layer != "environment" {
                            " " span.dim { "of " (layer.layer) }
                        }
                        " " span.badge { (word) }
                    }
                    p.small { (self.place(layer.place.as_ref(), layer.location.as_deref())) }
                }
                (body)
            }
        }
    }

    /// Renders a level that contributes to the answer: the parts that it added and lost, and its own value.
    fn contribution(&self, layer: &WhyLayer, level: &ContributingLevel) -> Markup {
        let has_lost = level.changes.iter().any(|change| change.tone != Emphasis::Added);
        let has_added = level.changes.iter().any(|change| change.tone == Emphasis::Added);
        let word = match (has_added, has_lost) {
            (true, false) => "used",
            (true, true) => "used in part",
            (false, true) => "adds nothing",
            (false, false) => "used",
        };
        let is_whole =
            matches!(level.changes.as_slice(), [only] if only.tone == Emphasis::Added && only.value.is_none());
        let own = html! { (yaml(&layer.value, self.places, file_of(layer))) };
        let body = html! {
            @if level.changes.is_empty() || is_whole {
                @if is_long(&layer.value, self.places) {
                    details.fold { summary { "The value in this level" } (own) }
                } @else { (own) }
                @for one in level.changes.iter().filter(|change| !change.outcome.is_empty()) {
                    p.dim.small { (one.outcome) }
                }
            } @else {
                @if level.changes.len() <= MAX_EXPANDED_CHANGES { (changes(&level.changes)) }
                @else {
                    details.fold {
                        summary { (summed(&level.changes)) " (" (level.changes.len()) " parts)" }
                        (changes(&level.changes))
                    }
                }
                details.fold { summary { "The value in this level" } (own) }
            }
        };
        self.item(layer, if has_added || !has_lost { "used" } else { "unused" }, word, &body)
    }

    /// A level that has the key and adds nothing: its value is struck through.
    fn unused(&self, layer: &WhyLayer, because: &str) -> Markup {
        let body = html! {
            div.struck { (yaml(&layer.value, self.places, file_of(layer))) }
            p.dim.small { "Not used: " (because) }
        };
        self.item(layer, "unused", "not used", &body)
    }

    fn place(&self, place: Option<&Origin>, location: Option<&str>) -> Markup {
        html! {
            @match (place, location) {
                (Some(origin @ Origin::File { .. }), _) => (self.places.origin(origin)),
                (_, Some(location)) => (self.places.line(location.as_ref(), None)),
                (Some(origin), None) => (self.places.origin(origin)),
                (None, None) => {},
            }
        }
    }
}

/// The file of a level's value.
fn file_of(layer: &WhyLayer) -> Option<&Path> {
    match &layer.place {
        Some(Origin::File { file, .. }) => Some(file),
        _ => None,
    }
}

/// Renders what became of the parts of a level's value; those that are not in the answer are struck through.
fn changes(changes: &[Change]) -> Markup {
    html! {
        ul.changes {
            @for change in changes.iter().take(MAX_CHANGES) {
                @let class = match change.tone {
                    Emphasis::Added => "added",
                    Emphasis::Lost => "lost",
                    Emphasis::Removes => "removes",
                    Emphasis::Failed => "failed",
                };
                li {
                    code class=(class) {
                        (change.tone.sign()) " " (truncate(&change.part, MAX_PART_LENGTH))
                        @if let Some(value) = &change.value { ": " (truncate(value, MAX_PART_LENGTH)) }
                    }
                    @if !change.outcome.is_empty() { " " span.dim.small { (change.outcome) } }
                }
            }
        }
        @if changes.len() > MAX_CHANGES { p.dim { (changes.len() - MAX_CHANGES) " more parts are not shown." } }
    }
}

/// Summarizes the number of parts that a level added and lost.
fn summed(changes: &[Change]) -> String {
    let tones = [Emphasis::Added, Emphasis::Lost, Emphasis::Removes, Emphasis::Failed];
    let counts = tones.into_iter().filter_map(|tone| {
        let count = changes.iter().filter(|change| change.tone == tone).count();
        (count > 0).then(|| format!("{count} {}", tone.many()))
    });
    counts.collect::<Vec<_>>().join(", ")
}
