//! [`Key`]: a changed answer of a key.

use std::path::Path;
use std::sync::Arc;

use hieratic::Redactor;
use hieratic::lookup::Origin;
use hieratic_impact::{Answer, Cause, KeyDelta, LevelAt, Part, Presence, Side};
use serde::{Serialize, Serializer};

use super::{
    Annotation, ChangeKind, Content, Entry, Place, Secrecy, ShownChange, annotation_of_parts, lines, redact_parts,
    serialize_parts,
};
use crate::sides::Sides;
use hieratic::sandbox::SlashPath as _;

pub(super) const KIND: ChangeKind =
    ChangeKind { list: "groups", heading: None, is_grouped: true, is_first: false, is_optional: false };

/// A changed answer of a key.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Key {
    /// The key.
    pub key: String,
    /// The sides on which it has an answer.
    #[serde(skip)]
    pub presence: Presence,
    /// The parts that differ. Empty if there were too many changes to compute the parts of each.
    #[serde(serialize_with = "serialize_parts")]
    pub parts: Vec<Part>,
    /// The causes.
    #[serde(serialize_with = "serialize_causes")]
    pub causes: Vec<Cause>,
    /// The node of these answers, if they are different on each node.
    #[serde(rename = "remarks", skip_serializing_if = "Option::is_none", serialize_with = "serialize_varies")]
    pub as_on: Option<String>,
    /// The first line of a file that causes the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

impl Key {
    /// A key whose answer is another one. `first` is the name of the first of its nodes.
    pub(crate) fn new(delta: &KeyDelta, first: Option<&str>, sides: &Sides, redactor: &Redactor) -> Key {
        let causes: Vec<Cause> = delta.causes.iter().map(|cause| relative_to_root(cause, sides)).collect();
        let place = causes.iter().find_map(|cause| match cause {
            Cause::Line { file, line, side: Side::Head } => Some((file, *line)),
            Cause::Rule { place: Some((file, line)), .. } => Some((file, *line)),
            Cause::Hierarchy { file, added, other, .. } => {
                Some((file, added.iter().chain(other).find_map(|level| level.line)?))
            }
            _ => None,
        });
        Key {
            key: redactor.name(&delta.key).into_owned(),
            presence: Presence::new(delta.answers.as_ref().map(|answer| !matches!(answer, Answer::Missing))),
            parts: delta.parts.iter().map(|part| part_from_root(part, sides)).collect(),
            place: place.map(|(file, line)| Place { file: file.to_slashes(), line }),
            causes,
            as_on: first.filter(|_| delta.varies).map(|first| redactor.name(first).into_owned()),
        }
    }

    /// The lines that cause the change, as they are now where they are still there; otherwise those before the change.
    pub(crate) fn places(&self) -> (Side, Vec<Place>) {
        let line = |selects: Side| {
            let line = |cause: &Cause| match cause {
                Cause::Line { file, line, side } if *side == selects => {
                    Some(Place { file: file.display().to_string(), line: *line })
                }
                _ => None,
            };
            self.causes.iter().filter_map(line).collect::<Vec<Place>>()
        };
        let lines = [Side::Head, Side::Base].map(|side| (side, line(side)));
        let found = lines.into_iter().find(|(_, found)| !found.is_empty());
        found.unwrap_or_else(|| (Side::Head, self.place.iter().cloned().collect()))
    }

    fn remarks(&self) -> Vec<String> {
        self.as_on.iter().map(|node| describe_variants(node)).collect()
    }
}

impl ShownChange for Key {
    fn kind(&self) -> &'static ChangeKind {
        &KIND
    }

    fn entry(&self) -> Entry {
        Entry {
            label: Some(self.key.clone()),
            remarks: self.remarks(),
            presence: Some(self.presence),
            content: Content::Parts(lines(&self.parts)),
            causes: self.causes.iter().map(describe).collect(),
            ..Entry::default()
        }
    }

    fn annotation(&self, nodes: &str, _: &str) -> Annotation {
        annotation_of_parts(&self.key, &self.parts, &self.remarks(), self.place.as_ref(), nodes)
    }

    fn redact_secrets(&mut self, secrecy: &Secrecy<'_>) {
        if redact_parts(&self.key, self.presence, &mut self.parts, secrecy) {
            self.as_on = None;
        }
    }
}

/// A file as seen from the root.
fn file_from_root(file: &Arc<Path>, sides: &Sides) -> Arc<Path> {
    sides.relative_to_root(file).into()
}

/// A part with its origins as seen from the root.
fn part_from_root(part: &Part, sides: &Sides) -> Part {
    let mut part = part.clone();
    for found in part.values.as_mut().into_iter().flatten() {
        if let Some(Origin::File { file, column, .. }) = &mut found.origin {
            *file = file_from_root(file, sides);
            // No format shows it: changes that differ in nothing else are one.
            *column = 0;
        }
    }
    part
}

/// A cause with its files as seen from the root.
fn relative_to_root(cause: &Cause, sides: &Sides) -> Cause {
    let mut cause = cause.clone();
    match &mut cause {
        Cause::Line { file, .. }
        | Cause::Hierarchy { file, .. }
        | Cause::File { file }
        | Cause::Rule { place: Some((file, _)), .. } => *file = file_from_root(file, sides),
        Cause::Rule { place: None, .. } | Cause::Facts => {}
    }
    cause
}

/// A cause in words.
fn describe(cause: &Cause) -> String {
    match cause {
        Cause::Line { file, line, side: Side::Head } => format!("{}:{line}", file.display()),
        Cause::Line { file, line, side: Side::Base } => format!("{}:{line} before the change", file.display()),
        Cause::Rule { base, head, place } => {
            let place = place.as_ref().map_or(String::new(), |(file, line)| format!(" ({}:{line})", file.display()));
            format!("a different merge rule: {base} before, {head} now{place}")
        }
        Cause::Hierarchy { file, removed, added, other, reordered } => {
            let order = reordered.then(|| "a different order".to_owned());
            let subject: Vec<String> = [
                name_levels(removed, file, "without", " before the change"),
                name_levels(added, file, "with", ""),
                name_levels(other, file, "a different", ""),
                order,
            ]
            .into_iter()
            .flatten()
            .collect();
            let subject = if subject.is_empty() { String::new() } else { format!(": {}", subject.join(", ")) };
            format!("the levels of {}{subject}", file.display())
        }
        Cause::File { file } => file.to_slashes(),
        Cause::Facts => "other facts".to_owned(),
    }
}

/// Levels with their lines; `None` without levels.
fn name_levels(levels: &[LevelAt], file: &Path, subject: &str, when: &str) -> Option<String> {
    let level = |LevelAt { name, line }: &LevelAt| match line {
        Some(line) => format!("'{name}' ({}:{line}{when})", file.display()),
        None => format!("'{name}'"),
    };
    let levels: Vec<String> = levels.iter().map(level).collect();
    (!levels.is_empty()).then(|| format!("{subject} {}", levels.join(", ")))
}

fn serialize_causes<S: Serializer>(causes: &[Cause], out: S) -> Result<S::Ok, S::Error> {
    out.collect_seq(causes.iter().map(describe))
}

fn serialize_varies<S: Serializer>(as_on: &Option<String>, out: S) -> Result<S::Ok, S::Error> {
    out.collect_seq(as_on.iter().map(|node| describe_variants(node)))
}

/// Describes answers that differ by node, of which only those of one node are shown.
fn describe_variants(node: &str) -> String {
    format!("different on each node, as on {node}")
}
