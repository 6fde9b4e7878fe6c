//! [`Job`]: a changed Nomad job, as `nomad job plan` shows it.

use hieratic::Redactor;
use hieratic::diagnostics::render::visible_line;
use hieratic_impact::{Diff, Part, Presence};
use serde::Serialize;

use super::{
    Annotation, ChangeKind, Content, Entry, Heading, Place, Secrecy, ShownChange, lines, redact_parts, serialize_diff,
    serialize_parts,
};
use crate::jobs::JobDelta;
use crate::sides::Sides;

pub(super) const KIND: ChangeKind = ChangeKind {
    list: "jobs",
    heading: Some(Heading { title: "Nomad jobs", short: "Nomad jobs", noun: "Nomad job", noun_of: "" }),
    is_grouped: false,
    is_first: false,
    is_optional: true,
};

/// The beginning of the state of a job that is not valid.
const NOT_VALID: &str = "not valid";

/// A changed Nomad job, for one entry of the settings.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Job {
    /// The identifier of the job in the head, or in the base if the job was removed.
    pub job: String,
    /// The entry of the settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// The nodes with whose data the job changes in this way. `None` if it looks up no data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<String>,
    /// The job file.
    pub place: Place,
    /// The job file before the change, if it was another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_from: Option<String>,
    /// The sides that have the job.
    #[serde(skip)]
    pub presence: Presence,
    /// The job on each side in words: its identifier, or the error of an invalid job.
    #[serde(flatten, serialize_with = "serialize_diff")]
    pub states: Diff<Option<String>>,
    /// The changed fields.
    #[serde(rename = "changes", serialize_with = "serialize_parts")]
    pub parts: Vec<Part>,
}

impl Job {
    pub(crate) fn new(delta: &JobDelta, sides: &Sides, redactor: &Redactor) -> Job {
        let words = |(id, error): (&Option<String>, &Option<String>)| match (id, error) {
            (Some(id), _) => Some(format!("job \"{}\"", redactor.text(id))),
            (None, Some(error)) => Some(format!("{NOT_VALID}: {}", redactor.text(error))),
            (None, None) => None,
        };
        let mut parts = delta.fields.clone();
        for value in parts.iter_mut().flat_map(|part| part.values.as_mut()).flatten() {
            if let Some(text) = value.value.as_str() {
                let masked = redactor.text(text);
                value.is_redacted = masked != text;
                value.value = masked.as_ref().into();
            }
        }
        let jobs = delta.jobs.as_ref();
        Job {
            job: jobs.map(Option::as_ref).latest().map(|id| redactor.text(id).into_owned()).unwrap_or_default(),
            entry: Some(delta.entry.clone()).filter(|entry| !entry.is_empty()),
            nodes: None,
            place: Place { file: sides.shown(&delta.file), line: delta.line },
            moved_from: delta.moved_from.as_ref().map(|file| sides.shown(file)),
            presence: Presence::new(jobs.zip(delta.errors.as_ref()).map(|(id, error)| id.is_some() || error.is_some())),
            states: jobs.zip(delta.errors.as_ref()).map(words),
            parts,
        }
    }

    /// Its name, and the entry that runs it.
    pub(crate) fn title(&self) -> String {
        let entry = self.entry.as_ref().map(|entry| format!(" ({entry})")).unwrap_or_default();
        let nodes = self.nodes.as_ref().map(|nodes| format!(" for {nodes}")).unwrap_or_default();
        format!("job \"{}\"{entry}{nodes}", self.job)
    }

    fn remarks(&self) -> Vec<String> {
        self.moved_from.iter().map(|file| format!("moved from {file}")).collect()
    }

    /// Returns whether the head has the job, but it is not valid.
    pub(crate) fn is_invalid(&self) -> bool {
        self.states.head.as_ref().is_some_and(|state| state.starts_with(NOT_VALID))
    }
}

impl ShownChange for Job {
    fn kind(&self) -> &'static ChangeKind {
        &KIND
    }

    fn entry(&self) -> Entry {
        let content = match self.presence {
            Presence::Both if self.states.is_same() => Content::Parts(lines(&self.parts)),
            Presence::Both | Presence::Base | Presence::Head => Content::Texts(self.states.clone()),
        };
        Entry {
            label: Some(self.title()),
            remarks: self.remarks(),
            place: Some(self.place.clone()),
            presence: Some(self.presence),
            content,
            ..Entry::default()
        }
    }

    fn annotation(&self, _: &str, within: &str) -> Annotation {
        let message = match self.presence {
            Presence::Both if self.states.is_same() => {
                let lines = lines(&self.parts);
                let rows = crate::rows::rows(&lines).into_iter().map(|row| format!("{} {}", row.sign.text(), row.text));
                rows.collect::<Vec<_>>().join("\n")
            }
            presence => {
                let state = |side: &Option<String>| visible_line(side.as_deref().unwrap_or("no job"));
                let Diff { base, head } = self.states.as_ref().map(state);
                presence.word().map_or(format!("- {base}\n+ {head}"), str::to_owned)
            }
        };
        Annotation {
            level: if self.is_invalid() { "error" } else { "notice" },
            place: Some(self.place.clone()),
            title: format!("The {} changes{within}", visible_line(&self.title())),
            message,
        }
    }

    fn redact_secrets(&mut self, secrecy: &Secrecy<'_>) {
        redact_parts("", self.presence, &mut self.parts, secrecy);
    }
}
