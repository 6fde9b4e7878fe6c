//! [`WhyReport`]: the reasons for an answer in words, without a layout. The command and the service render the same
//! report.

use std::path::Path;

use hieratic_hiera::{ChosenBy, Node, Object, OptionsRule, Origin, Part, PartStatus, Why, WhyLayer};
use hieratic_value::Value;
use hieratic_value::text::REDACTED;
use hieratic_yaml_edit::write::{Style, scalar};

use crate::keys::SearchedLocation;
use crate::links::Links;
use crate::reasons::{redacted_object, redacted_parts};
use crate::redaction::Redactor;

/// The display names of files, and the links to their lines.
#[derive(Clone, Copy)]
pub struct Places<'p> {
    /// Returns the display name of a file.
    pub name: &'p dyn Fn(&Path) -> String,
    /// The links to lines, if there are any.
    pub links: Option<&'p Links>,
}

impl Places<'_> {
    /// Describes an origin: a line of a file, a default, a function.
    pub fn origin(&self, origin: &Origin) -> String {
        match origin {
            Origin::File { file, line, .. } => format!("{}:{line}", (self.name)(file)),
            other => other.to_string(),
        }
    }
}

/// The reasons of an answer in words.
#[derive(Clone, Debug)]
pub struct WhyReport {
    /// The key.
    pub key: String,
    /// The answer on one line, or the error.
    pub answer: Result<String, String>,
    /// The answer, if there is one, with secrets redacted.
    pub value: Option<Value>,
    /// The merge strategy, its entry in `lookup_options` and the conversion, one line each.
    pub rules: Vec<String>,
    /// The levels that contributed to the answer, the highest first.
    pub layers: Vec<ContributingLevel>,
    /// The levels that define the key and contribute nothing.
    pub hidden: Vec<String>,
    /// The reason why they contribute nothing.
    pub hidden_because: &'static str,
    /// The levels that could not be read, with the error.
    pub faulty: Vec<String>,
    /// The counts of other locations in the hierarchy.
    pub rest: String,
    /// The other locations one by one; only for the full report.
    pub others: Vec<SearchedLocation>,
}

/// A level that contributed.
#[derive(Clone, Debug)]
pub struct ContributingLevel {
    /// The file and line, or the name of another source.
    pub place: String,
    /// The link to the line.
    pub link: Option<String>,
    /// The name of the level, and of its layer unless it is the environment's.
    pub level: String,
    /// The parts that it added or lost.
    pub changes: Vec<Change>,
}

/// A part that a level added or lost.
#[derive(Clone, Debug)]
pub struct Change {
    /// The kind of change.
    pub tone: Emphasis,
    /// The part: its path, or its value.
    pub part: String,
    /// Its value, unless `part` already shows it.
    pub value: Option<String>,
    /// The reason why it is not in the answer; empty if it was added.
    pub outcome: String,
}

/// The label of a location without the key.
pub const NO_SUCH_KEY: &str = "has no such key";
/// The label of a missing location.
pub const NOT_THERE: &str = "does not exist";

/// The kind of a change: a part was added, was lost, or had an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Emphasis {
    /// It is in the answer.
    Added,
    /// It is not.
    Lost,
    /// It removed something.
    Removes,
    /// It should have removed something, and did not.
    Failed,
}

impl Emphasis {
    /// Returns the sign before a line.
    pub fn sign(self) -> char {
        match self {
            Emphasis::Added => '+',
            Emphasis::Lost => '-',
            Emphasis::Removes => 'x',
            Emphasis::Failed => '!',
        }
    }

    /// Returns the heading for several changes of this kind.
    pub fn many(self) -> &'static str {
        match self {
            Emphasis::Added => "added",
            Emphasis::Lost => "not in the answer",
            Emphasis::Removes => "knockouts that removed something",
            Emphasis::Failed => "knockouts without effect",
        }
    }
}

impl WhyReport {
    /// Builds the report; `suggestions` are keys that resemble a missing one.
    pub fn new(why: &Why, redactor: &Redactor, suggestions: &[String], places: Places<'_>) -> WhyReport {
        let teller = ReportBuilder { why, redactor, places };
        WhyReport {
            key: why.key.clone(),
            answer: teller.answer(suggestions),
            value: why.answer.as_ref().ok().map(|answer| redacted_object(&answer.value, why.hides, redactor)),
            rules: teller.rules(),
            layers: why.layers.iter().map(|layer| teller.layer(layer)).collect(),
            hidden: why.hidden.iter().map(|layer| teller.place_of(layer)).collect(),
            hidden_because: if why.layers.is_empty() || !is_first(why) {
                "used only if no other level has the key"
            } else {
                "the first value found is used"
            },
            faulty: why
                .faulty
                .iter()
                .map(|(place, error)| {
                    format!("{}: {}", (places.name)(place.as_ref()), redactor.message(&error.to_string()))
                })
                .collect(),
            rest: rest(why),
            others: Vec::new(),
        }
    }
}

fn is_first(why: &Why) -> bool {
    matches!(why.merge.strategy, "default" | "first")
}

struct ReportBuilder<'w> {
    why: &'w Why,
    redactor: &'w Redactor,
    places: Places<'w>,
}

impl ReportBuilder<'_> {
    fn value(&self, object: &Object) -> String {
        yaml_text(&redacted_object(object, self.why.hides, self.redactor))
    }

    fn answer(&self, suggestions: &[String]) -> Result<String, String> {
        match &self.why.answer {
            Ok(answer) => Ok(self.value(&answer.value)),
            Err(error) if error.code() == Node::NOT_FOUND => Err(match suggestions {
                [] => "not found".into(),
                near => format!("not found; did you mean {}?", near.join(", ")),
            }),
            Err(error) => Err(self.redactor.message(&error.to_string()).into_owned()),
        }
    }

    fn rules(&self) -> Vec<String> {
        let reason = self.why;
        let missing = reason.answer.as_ref().is_err_and(|error| error.code() == Node::NOT_FOUND);
        if reason.rest.places == 0 && missing {
            return vec!["no hierarchy has a source: does the environment have a hiera.yaml?".into()];
        }
        if missing && reason.rule.is_none() && reason.merge.chosen_by == ChosenBy::Nobody {
            return Vec::new();
        }
        let mut lines = Vec::new();
        if let Ok(answer) = &reason.answer
            && answer.key.is_none()
        {
            lines.push("the default from the command line: no level has the key".into());
        }
        let options: String = reason
            .merge
            .options
            .iter()
            .filter(|(key, _)| key.as_str() != Some("strategy"))
            .map(|(key, value)| format!(", {} {}", key.to_text(), yaml_text(&self.redactor.value(value))))
            .collect();
        let how = match reason.merge.strategy {
            "default" | "first" => "first value found".to_string(),
            name => format!("merged {name}{options}"),
        };
        lines.push(match (reason.merge.chosen_by, &reason.rule) {
            (ChosenBy::Caller, _) => format!("{how} (--merge)"),
            (ChosenBy::Options, Some(rule)) => format!("{how} ({})", self.rule_text(rule)),
            (ChosenBy::Nobody, Some(rule)) if reason.convert_to.is_none() => {
                format!("{how} ({} sets no merge strategy)", self.rule_text(rule))
            }
            _ => format!("{how} (default: no lookup_options apply)"),
        });
        if let Some(to) = &reason.convert_to {
            let rule = reason.rule.as_ref().map_or(String::new(), |rule| match reason.merge.chosen_by {
                ChosenBy::Options => " (the same entry)".into(),
                _ => format!(" ({})", self.rule_text(rule)),
            });
            lines.push(format!("converted to {}{rule}", conversion(&self.redactor.value(to))));
        }
        lines
    }

    fn layer(&self, layer: &WhyLayer) -> ContributingLevel {
        let level = match layer.layer.as_str() {
            "environment" => layer.level.clone(),
            other => format!("{other}: {}", layer.level),
        };
        let changes = redacted_parts(layer, self.redactor).iter().map(|part| self.change(layer, part)).collect();
        let link = match &layer.place {
            Some(Origin::File { file, line, .. }) => self.places.links.and_then(|links| links.of(file, *line)),
            _ => None,
        };
        ContributingLevel { place: self.place_of(layer), link, level, changes }
    }

    fn change(&self, layer: &WhyLayer, part: &Part) -> Change {
        let by = |origin: &Option<Origin>| {
            origin.as_ref().map_or("another level".to_string(), |origin| self.places.origin(origin))
        };
        let (tone, outcome) = match &part.status {
            PartStatus::Kept => (Emphasis::Added, self.borrowed(layer, part)),
            PartStatus::Overridden(origin) => (Emphasis::Lost, format!("overridden by {}", by(origin))),
            PartStatus::Repeated(origin) => (Emphasis::Lost, format!("same as in {}", by(origin))),
            PartStatus::Removed(origin) => (Emphasis::Lost, format!("knocked out by {}", by(origin))),
            PartStatus::Knockout(removed) if removed.is_empty() => {
                (Emphasis::Failed, "a knockout without effect".into())
            }
            PartStatus::Knockout(removed) => {
                let from: Vec<String> = removed.iter().map(by).collect();
                (Emphasis::Removes, format!("a knockout: removed elements of {}", from.join(" and ")))
            }
            PartStatus::LostKnockout(origin) => {
                (Emphasis::Failed, format!("a lost knockout: {} restores the element", by(origin)))
            }
            PartStatus::Gone => (Emphasis::Lost, "not in the answer".into()),
        };
        let value = self.value(&part.value);
        let path: Vec<Value> = part.path.iter().map(|segment| self.redactor.marked(segment)).collect();
        match path.as_slice() {
            [] => Change { tone, part: value, value: None, outcome },
            // An element is identified by its value; its index says little.
            [outer @ .., Value::Integer(_)] => {
                let outer = path_text(outer);
                let part = if outer.is_empty() { value } else { format!("{outer}: {value}") };
                Change { tone, part, value: None, outcome }
            }
            path => Change { tone, part: path_text(path), value: Some(value), outcome },
        }
    }

    fn rule_text(&self, rule: &OptionsRule) -> String {
        let kind = if rule.is_pattern { "pattern" } else { "key" };
        let place = rule.place.as_ref().map_or(String::new(), |place| format!(", {}", self.places.origin(place)));
        let others = match rule.overridden.len() {
            0 => String::new(),
            1 => format!(", over that of {}", self.places.origin(&rule.overridden[0])),
            more => format!(", over {more} others"),
        };
        format!("lookup_options, {kind} '{}'{place}{others}", rule.text)
    }

    /// Returns the origin of a part from another file than its level: an alias inserted it.
    fn borrowed(&self, layer: &WhyLayer, part: &Part) -> String {
        match (&layer.place, part.value.origin()) {
            (Some(Origin::File { file: own, .. }), Some(origin @ Origin::File { file, .. })) if own != file => {
                format!("from {}", self.places.origin(origin))
            }
            _ => String::new(),
        }
    }

    /// Returns the display name of the source of a level's value.
    fn place_of(&self, layer: &WhyLayer) -> String {
        match (&layer.place, &layer.location) {
            (Some(origin @ Origin::File { .. }), _) => self.places.origin(origin),
            (_, Some(location)) => (self.places.name)(location.as_ref()),
            (Some(origin), None) => self.places.origin(origin),
            (None, None) => layer.level.clone(),
        }
    }
}

fn conversion(to: &Value) -> String {
    match to {
        Value::String(name) => name.to_string(),
        other => yaml_text(other),
    }
}

/// Returns a value as YAML on one line. The redaction mark is not quoted, because it is not the value.
///
/// ```
/// use hieratic::Value;
/// use hieratic::explain::yaml_text;
///
/// assert_eq!(yaml_text(&Value::Undef), "null");
/// assert_eq!(yaml_text(&Value::from(vec![Value::from("yes"), Value::from(80)])), "['yes', 80]");
/// assert_eq!(yaml_text(&Value::from("Sensitive [value redacted]")), "Sensitive [value redacted]");
/// ```
pub fn yaml_text(value: &Value) -> String {
    match value.as_str() {
        Some(REDACTED) => REDACTED.to_owned(),
        _ => scalar(value, &Style::block(0)),
    }
}

/// Formats the counts of other locations in one line.
fn rest(why: &Why) -> String {
    let of = |count: usize, one: &str, many: &str| match count {
        0 => None,
        1 => Some(one.replace("{}", "1")),
        more => Some(many.replace("{}", &more.to_string())),
    };
    let parts: Vec<String> = [
        of(why.rest.missing, "{} path does not exist", "{} paths do not exist"),
        of(why.rest.silent, "{} has no such key", "{} have no such key"),
        of(why.faulty.len(), "{} could not be read", "{} could not be read"),
    ]
    .into_iter()
    .flatten()
    .collect();
    match (parts.is_empty(), why.rest.places) {
        (true, places) => {
            format!("nothing else in the hierarchy (of {places} {})", if places == 1 { "place" } else { "places" })
        }
        (false, places) => {
            format!("{} (of {places} {})", parts.join(", "), if places == 1 { "place" } else { "places" })
        }
    }
}

/// Returns the path to a part of a value in the notation of a lookup: `a.0.'b.c'`.
pub fn path_text(path: &[Value]) -> String {
    path.iter().map(segment_text).collect::<Vec<_>>().join(".")
}

/// Returns one segment of a path, quoted where necessary.
pub fn segment_text(segment: &Value) -> String {
    let text = segment.to_text();
    let plain = !text.is_empty() && !text.contains(['.', '\'', '"', ' ']);
    if plain { text } else { format!("'{text}'") }
}
