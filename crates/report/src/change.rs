//! [`Change`]: a difference between base and head, of any kind.
//!
//! Each kind of change has a file in this folder: its fields, its conversion from the delta of the analysis, and its
//! [`Entry`], which all formats show. Formats do not know the kinds. A new kind needs a file, a variant of [`Change`],
//! and its detection in [`compare`](crate::compare).

mod failure;
mod finding;
mod job;
mod key;
mod parameter;
mod resource;

use hieratic::Value;
use hieratic_impact::{Diff, Part, PartValue, Presence, Side};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::place::Place;
use crate::rows::{Line, lines_of};

pub use failure::{Failing, Failure};
pub use finding::Finding;
pub use job::Job;
pub use key::Key;
pub use parameter::Parameter;
pub use resource::{Resource, Severity};

/// A difference between base and head. Secrets are redacted, and paths are relative to the root.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(untagged)]
pub enum Change {
    /// A changed answer of a key.
    Key(Key),
    /// Nodes whose lookups or catalogs fail on a side.
    Failure(Failure),
    /// A resource that was added, removed or changed.
    Resource(Resource),
    /// A changed declaration of a class parameter.
    Parameter(Parameter),
    /// A finding of `check` that is new in the head.
    Finding(Finding),
    /// A Nomad job that was added, removed or changed.
    Job(Job),
}

impl Change {
    /// All kinds, in the order of their lists in JSON.
    pub const KINDS: [&'static ChangeKind; 6] =
        [&key::KIND, &failure::KIND, &resource::KIND, &parameter::KIND, &finding::KIND, &job::KIND];

    fn shown(&self) -> &dyn ShownChange {
        match self {
            Change::Key(change) => change,
            Change::Failure(change) => change,
            Change::Resource(change) => change,
            Change::Parameter(change) => change,
            Change::Finding(change) => change,
            Change::Job(change) => change,
        }
    }

    fn shown_mut(&mut self) -> &mut dyn ShownChange {
        match self {
            Change::Key(change) => change,
            Change::Failure(change) => change,
            Change::Resource(change) => change,
            Change::Parameter(change) => change,
            Change::Finding(change) => change,
            Change::Job(change) => change,
        }
    }

    /// Returns the kind of the change.
    pub fn kind(&self) -> &'static ChangeKind {
        self.shown().kind()
    }

    /// Returns the entry that all formats show.
    pub fn entry(&self) -> Entry {
        self.shown().entry()
    }

    /// The change as an annotation of a line. `nodes` is the title of its group, `within` names its environments.
    pub(crate) fn annotation(&self, nodes: &str, within: &str) -> Annotation {
        self.shown().annotation(nodes, within)
    }

    /// Returns whether it is about catalogs, not about lookups.
    pub(crate) fn is_about_catalogs(&self) -> bool {
        self.shown().is_about_catalogs()
    }

    /// Redacts what only readers of the files may see.
    pub(crate) fn redact_secrets(&mut self, secrecy: &Secrecy<'_>) {
        self.shown_mut().redact_secrets(secrecy);
    }
}

/// The properties of a kind of change.
#[derive(Debug, PartialEq, Eq)]
pub struct ChangeKind {
    /// The name of the list of these changes in JSON.
    pub list: &'static str,
    /// The heading of a list of these changes. `None` if the title of each group is its nodes.
    pub heading: Option<Heading>,
    /// Whether changes of the same nodes form one group. Otherwise each change is a group.
    pub is_grouped: bool,
    /// Whether these changes are shown before all others.
    pub is_first: bool,
    /// Whether a comparison detects these changes only on request.
    pub is_optional: bool,
}

/// The heading of a list of changes.
#[derive(Debug, PartialEq, Eq)]
pub struct Heading {
    /// The heading, with code in backticks.
    pub title: &'static str,
    /// The heading in a terminal.
    pub short: &'static str,
    /// The noun for one change in a sentence: `declaration`.
    pub noun: &'static str,
    /// The text after the noun: ` of class parameters`.
    pub noun_of: &'static str,
}

/// The form of a change that all formats show.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// The name of the changed thing, unless it is the title of the group.
    pub label: Option<String>,
    /// The position that is shown next to the name.
    pub place: Option<Place>,
    /// Remarks on the change.
    pub remarks: Vec<String>,
    /// The sides that have it. `None` if this is not shown.
    pub presence: Option<Presence>,
    /// The difference.
    pub content: Content,
    /// The causes, in words.
    pub causes: Vec<String>,
}

/// The difference, in one of the forms that formats can show.
#[derive(Clone, Debug)]
pub enum Content {
    /// Parts of a value: the line of the base before that of the head.
    Parts(Vec<Line>),
    /// A sentence about each side, if it has one.
    Texts(Diff<Option<String>>),
    /// A message that only the head has.
    Message {
        /// `error`, `warning` or `note`.
        severity: &'static str,
        /// The message.
        text: String,
        /// The rule of the message.
        rule: &'static str,
    },
}

impl Default for Content {
    fn default() -> Content {
        Content::Parts(Vec::new())
    }
}

impl Entry {
    /// Returns the causes that are not already shown as the origin of a line.
    pub fn new_causes(&self) -> Vec<String> {
        let Content::Parts(lines) = &self.content else { return self.causes.clone() };
        let is_new = |cause: &&String| {
            let place = cause.strip_suffix(" before the change").unwrap_or(cause);
            lines.iter().all(|line| line.origin.as_deref() != Some(place))
        };
        self.causes.iter().filter(is_new).cloned().collect()
    }

    /// The causes that several entries share, if they are the same for all.
    pub(crate) fn common_causes(entries: &[Entry]) -> Vec<String> {
        match entries {
            [first, _, ..] if entries.iter().all(|entry| entry.causes == first.causes) => first.new_causes(),
            _ => Vec::new(),
        }
    }

    /// Returns whether all parts are redacted, so that the content of the change is unknown to the reader.
    pub fn is_redacted(&self) -> bool {
        match &self.content {
            Content::Parts(lines) => !lines.is_empty() && lines.iter().all(|line| line.is_redacted),
            Content::Texts(_) | Content::Message { .. } => false,
        }
    }
}

/// An annotation of a workflow.
pub(crate) struct Annotation {
    /// `error`, `warning` or `notice`.
    pub(crate) level: &'static str,
    pub(crate) place: Option<Place>,
    pub(crate) title: String,
    pub(crate) message: String,
}

/// Redacts the parts that a reader without access to the files may not see.
pub(crate) struct Secrecy<'s> {
    /// Whether a key is secret.
    pub(crate) is_secret_key: &'s dyn Fn(&str) -> bool,
    /// Whether a value has a secret.
    pub(crate) has_secret: &'s dyn Fn(&Value) -> bool,
}

/// The interface through which formats see a kind of change.
trait ShownChange {
    fn kind(&self) -> &'static ChangeKind;
    fn entry(&self) -> Entry;
    fn annotation(&self, nodes: &str, within: &str) -> Annotation;
    fn redact_secrets(&mut self, secrecy: &Secrecy<'_>);
    fn is_about_catalogs(&self) -> bool {
        false
    }
}

/// The lines of parts.
fn lines(parts: &[Part]) -> Vec<Line> {
    lines_of(parts, &|origin| origin.to_string())
}

/// The annotation of a change of parts: an error if the head has one.
fn annotation_of_parts(
    name: &str,
    parts: &[Part],
    remarks: &[String],
    place: Option<&Place>,
    nodes: &str,
) -> Annotation {
    let lines = lines(parts);
    let is_error = lines.iter().any(|line| line.side == Side::Head && line.is_error);
    let rows = crate::rows::rows(&lines).into_iter().map(|row| format!("{} {}", row.sign.text(), row.text));
    let remarks = remarks.iter().map(|remark| hieratic::diagnostics::render::visible_line(remark));
    let message: Vec<String> = remarks.chain(rows).collect();
    Annotation {
        level: if is_error { "error" } else { "notice" },
        place: place.cloned(),
        title: format!("{name} changes on {nodes}"),
        message: message.join("\n"),
    }
}

/// Leaves of parts only that they differ, if something in them is secret.
fn redact_parts(key: &str, presence: Presence, parts: &mut Vec<Part>, secrecy: &Secrecy<'_>) -> bool {
    let is_secret = |part: &Part| {
        let values = part.values.as_ref().into_iter().flatten();
        let path = || Value::from(part.path.clone());
        values
            .into_iter()
            .any(|found| found.is_redacted || (secrecy.has_secret)(&Value::from(vec![path(), found.value.clone()])))
    };
    if parts.is_empty() || !parts.iter().any(is_secret) && !(secrecy.is_secret_key)(key) {
        return false;
    }
    let redacted = || {
        let value = hieratic::value::text::REDACTED.into();
        PartValue { value, origin: None, is_error: false, is_redacted: true }
    };
    let mut values = Diff::default();
    for side in presence.sides() {
        *values.as_mut().side(*side) = Some(redacted());
    }
    *parts = vec![Part::new(Vec::new(), values)];
    true
}

/// Writes parts as the lines of both sides.
fn serialize_parts<S: Serializer>(parts: &[Part], out: S) -> Result<S::Ok, S::Error> {
    out.collect_seq(lines(parts))
}

/// Writes both sides as `base` and `head`.
fn serialize_diff<S: Serializer, T: Serialize>(diff: &Diff<T>, out: S) -> Result<S::Ok, S::Error> {
    let mut map = out.serialize_map(Some(2))?;
    for (side, value) in diff.as_ref().sides() {
        map.serialize_entry(side.name(), value)?;
    }
    map.end()
}
