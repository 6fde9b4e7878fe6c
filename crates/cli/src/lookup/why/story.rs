//! The reasons of an answer in words, before anybody decides how they look.

use hieratic::{ChosenBy, Fate, Mask, Node, Object, OptionsRule, Origin, Part, Value, Why, WhyLayer, shown_object};
use hieratic_render::RenderAs;

use super::Links;
use crate::output;

/// The reasons of an answer in words.
#[derive(Clone, Debug)]
pub(super) struct Story {
    pub(super) key: String,
    /// The answer on one line; what keeps it from being one, if there is none.
    pub(super) answer: Result<String, String>,
    /// The answer as YAML, if there is one.
    pub(super) yaml: Option<String>,
    /// How values became one, which rule says so, what was made of the value: a line each.
    pub(super) rules: Vec<String>,
    pub(super) layers: Vec<Told>,
    /// Levels that have the key and add nothing.
    pub(super) hidden: Vec<String>,
    /// Why they add nothing.
    pub(super) hidden_because: &'static str,
    pub(super) faulty: Vec<String>,
    /// What else is in the hierarchy.
    pub(super) rest: String,
    /// The same place by place, with whether each is there; only where everything is shown.
    pub(super) others: Vec<(String, bool)>,
}

/// A level that contributed.
#[derive(Clone, Debug)]
pub(super) struct Told {
    /// The file and line, or what else names the source.
    pub(super) place: String,
    /// Where the line can be seen.
    pub(super) link: Option<String>,
    /// The level's name, with the layer if that is not the environment.
    pub(super) level: String,
    pub(super) changes: Vec<Change>,
}

/// What a level added or lost.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub(super) tone: Tone,
    /// The part: its path, or what it is.
    pub(super) part: String,
    /// Its value; none where the path says all.
    pub(super) value: Option<String>,
    /// What became of it; empty for what was added.
    pub(super) outcome: String,
}

/// What is said of a place that adds nothing.
pub(super) const NO_SUCH_KEY: &str = "has no such key";
pub(super) const NOT_THERE: &str = "does not exist";

/// Whether something was added, lost, or did its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tone {
    /// It is in the answer.
    Added,
    /// It is not.
    Lost,
    /// It removed something.
    Removes,
    /// It should have removed something, and did not.
    Failed,
}

impl Tone {
    /// The sign before a line.
    pub(super) fn sign(self) -> char {
        match self {
            Tone::Added => '+',
            Tone::Lost => '-',
            Tone::Removes => 'x',
            Tone::Failed => '!',
        }
    }

    /// What several such changes are called.
    pub(super) fn many(self) -> &'static str {
        match self {
            Tone::Added => "added",
            Tone::Lost => "not in the answer",
            Tone::Removes => "knockouts that removed something",
            Tone::Failed => "knockouts without effect",
        }
    }
}

impl Story {
    pub(super) fn of(why: &Why, mask: &Mask, suggestions: &[String], links: Option<&Links>) -> Story {
        let teller = Teller { why, mask, links };
        Story {
            key: why.key.clone(),
            answer: teller.answer(suggestions),
            yaml: teller.yaml(),
            rules: teller.rules(),
            layers: why.layers.iter().map(|layer| teller.layer(layer)).collect(),
            hidden: why.hidden.iter().map(place_of).collect(),
            hidden_because: match why.layers.is_empty() || !is_first(why) {
                true => "used only if no other level has the key",
                false => "the first value found is used",
            },
            faulty: why
                .faulty
                .iter()
                .map(|(place, error)| format!("{}: {}", relative(place), mask.message(&error.to_string())))
                .collect(),
            rest: rest(why),
            others: Vec::new(),
        }
    }
}

fn is_first(why: &Why) -> bool {
    matches!(why.merge.strategy, "default" | "first")
}

struct Teller<'w> {
    why: &'w Why,
    mask: &'w Mask,
    links: Option<&'w Links>,
}

impl Teller<'_> {
    fn value(&self, object: &Object) -> String {
        shown_object(object, self.why.hides, self.mask).inspect()
    }

    fn answer(&self, suggestions: &[String]) -> Result<String, String> {
        match &self.why.answer {
            Ok(answer) => Ok(self.value(&answer.value)),
            Err(error) if error.code() == Node::NOT_FOUND => Err(match suggestions {
                [] => "not found".into(),
                near => format!("not found; did you mean {}?", near.join(", ")),
            }),
            Err(error) => Err(self.mask.message(&error.to_string()).into_owned()),
        }
    }

    fn yaml(&self) -> Option<String> {
        let value = shown_object(&self.why.answer.as_ref().ok()?.value, self.why.hides, self.mask);
        let text = String::from_utf8(output::rendered(&value, RenderAs::Yaml).ok()?).ok()?;
        let text = text.strip_prefix("---").unwrap_or(&text);
        Some(text.trim_start_matches([' ', '\n']).trim_end().to_owned())
    }

    fn rules(&self) -> Vec<String> {
        let why = self.why;
        let missing = why.answer.as_ref().is_err_and(|error| error.code() == Node::NOT_FOUND);
        if why.rest.places == 0 && missing {
            return vec!["no hierarchy has a source: does the environment have a hiera.yaml?".into()];
        }
        if missing && why.rule.is_none() && why.merge.chosen_by == ChosenBy::Nobody {
            return Vec::new();
        }
        let mut lines = Vec::new();
        if let Ok(answer) = &why.answer
            && answer.key.is_none()
        {
            lines.push("the default from the command line: no level has the key".into());
        }
        let options: String = why
            .merge
            .options
            .iter()
            .filter(|(key, _)| key.as_str() != Some("strategy"))
            .map(|(key, value)| format!(", {} {}", key.to_text(), self.mask.value(value).inspect()))
            .collect();
        let how = match why.merge.strategy {
            "default" | "first" => "first value found".to_string(),
            name => format!("merged {name}{options}"),
        };
        lines.push(match (why.merge.chosen_by, &why.rule) {
            (ChosenBy::Caller, _) => format!("{how} (--merge)"),
            (ChosenBy::Options, Some(rule)) => format!("{how} ({})", rule_text(rule)),
            (ChosenBy::Nobody, Some(rule)) if why.convert_to.is_none() => {
                format!("{how} ({} sets no merge strategy)", rule_text(rule))
            }
            _ => format!("{how} (default: no lookup_options apply)"),
        });
        if let Some(to) = &why.convert_to {
            let rule = why.rule.as_ref().map_or(String::new(), |rule| match why.merge.chosen_by {
                ChosenBy::Options => " (the same entry)".into(),
                _ => format!(" ({})", rule_text(rule)),
            });
            lines.push(format!("converted to {}{rule}", conversion(&self.mask.value(to))));
        }
        lines
    }

    fn layer(&self, layer: &WhyLayer) -> Told {
        let level = match layer.layer.as_str() {
            "environment" => layer.level.clone(),
            other => format!("{other}: {}", layer.level),
        };
        let changes = layer.parts.iter().map(|part| self.change(layer, part)).collect();
        let link = match &layer.place {
            Some(Origin::File { file, line, .. }) => self.links.and_then(|links| links.of(file, *line)),
            _ => None,
        };
        Told { place: place_of(layer), link, level, changes }
    }

    fn change(&self, layer: &WhyLayer, part: &Part) -> Change {
        let by = |origin: &Option<Origin>| origin.as_ref().map_or("another level".to_string(), output::origin_text);
        let (tone, outcome) = match &part.fate {
            Fate::Kept => (Tone::Added, borrowed(layer, part)),
            Fate::Overridden(origin) => (Tone::Lost, format!("overridden by {}", by(origin))),
            Fate::Repeated(origin) => (Tone::Lost, format!("same as in {}", by(origin))),
            Fate::Removed(origin) => (Tone::Lost, format!("knocked out by {}", by(origin))),
            Fate::Knockout(removed) if removed.is_empty() => (Tone::Failed, "a knockout without effect".into()),
            Fate::Knockout(removed) => {
                let from: Vec<String> = removed.iter().map(by).collect();
                (Tone::Removes, format!("a knockout: removed elements of {}", from.join(" and ")))
            }
            Fate::LostKnockout(origin) => {
                (Tone::Failed, format!("a lost knockout: {} restores the element", by(origin)))
            }
            Fate::Gone => (Tone::Lost, "not in the answer".into()),
        };
        let value = self.value(&part.value);
        let path: Vec<Value> = part.path.iter().map(|segment| self.mask.value(segment)).collect();
        match path.as_slice() {
            [] => Change { tone, part: value, value: None, outcome },
            // An element is its value; where it stands in its array says little.
            [around @ .., Value::Integer(_)] => {
                let around = output::path_text(around);
                let part = if around.is_empty() { value } else { format!("{around}: {value}") };
                Change { tone, part, value: None, outcome }
            }
            path => Change { tone, part: output::path_text(path), value: Some(value), outcome },
        }
    }
}

fn conversion(to: &Value) -> String {
    match to {
        Value::String(name) => name.to_string(),
        other => other.inspect(),
    }
}

fn rule_text(rule: &OptionsRule) -> String {
    let kind = if rule.is_pattern { "pattern" } else { "key" };
    let place = rule.place.as_ref().map_or(String::new(), |place| format!(", {}", output::origin_text(place)));
    let others = match rule.overridden.len() {
        0 => String::new(),
        1 => format!(", over that of {}", output::origin_text(&rule.overridden[0])),
        more => format!(", over {more} others"),
    };
    format!("lookup_options, {kind} '{}'{place}{others}", rule.text)
}

/// Where a part really comes from that stands in another file than its level: an alias brings it in.
fn borrowed(layer: &WhyLayer, part: &Part) -> String {
    match (&layer.place, part.value.origin()) {
        (Some(Origin::File { file: own, .. }), Some(origin @ Origin::File { file, .. })) if own != file => {
            format!("from {}", output::origin_text(origin))
        }
        _ => String::new(),
    }
}

/// What names the source of a level's value.
fn place_of(layer: &WhyLayer) -> String {
    match (&layer.place, &layer.location) {
        (Some(origin @ Origin::File { .. }), _) => output::origin_text(origin),
        (_, Some(location)) => relative(location),
        (Some(origin), None) => output::origin_text(origin),
        (None, None) => layer.level.clone(),
    }
}

fn relative(place: &str) -> String {
    output::relative_file(place.as_ref())
}

/// What else is in the hierarchy, in one line.
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
