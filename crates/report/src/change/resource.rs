//! [`Resource`]: a resource of catalogs that was added, removed or changed.

use std::path::Path;

use hieratic::Redactor;
use hieratic::lookup::Origin;
use hieratic_impact::{Effect, Part, Presence, ResourceDelta};
use serde::Serialize;

use super::{
    Annotation, ChangeKind, Content, Entry, Place, Secrecy, ShownChange, annotation_of_parts, lines, redact_parts,
    serialize_parts,
};
use crate::sides::Sides;

pub(super) const KIND: ChangeKind =
    ChangeKind { list: "catalogs", heading: None, is_grouped: true, is_first: false, is_optional: true };

/// The effect of applying a changed resource, from the most to the least severe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The agent fails.
    Fails,
    /// A service restarts, or a command runs.
    Restart,
    /// A package is replaced.
    Replaced,
    /// The resource is no longer managed.
    Removed,
    /// Anything else changes.
    #[default]
    Changed,
    /// The resource is new.
    New,
}

impl Severity {
    fn new(delta: &ResourceDelta) -> Severity {
        let has = |selects: &dyn Fn(&Effect) -> bool| delta.effects.iter().any(selects);
        if has(&|effect| matches!(effect, Effect::SourceMissing)) {
            Severity::Fails
        } else if has(&|effect| matches!(effect, Effect::Refreshes(_))) {
            Severity::Restart
        } else if has(&|effect| matches!(effect, Effect::Package)) && delta.is_in.base {
            Severity::Replaced
        } else {
            match Presence::new(delta.is_in) {
                Presence::Base => Severity::Removed,
                Presence::Both => Severity::Changed,
                Presence::Head => Severity::New,
            }
        }
    }
}

/// A resource of catalogs that was added, removed or changed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Resource {
    /// The reference: `File[/etc/hosts]`.
    #[serde(rename = "resource")]
    pub reference: String,
    /// The sides that have it.
    #[serde(skip)]
    pub presence: Presence,
    /// The effect of applying it.
    pub severity: Severity,
    /// Remarks for the reader: new or removed, and the effect of applying it.
    pub remarks: Vec<String>,
    /// The parts that differ.
    #[serde(serialize_with = "serialize_parts")]
    pub parts: Vec<Part>,
    /// The position of its declaration, if the head has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

impl Resource {
    pub(crate) fn new(delta: &ResourceDelta, sides: &Sides, redactor: &Redactor) -> Resource {
        let presence = Presence::new(delta.is_in);
        let place = delta.place.as_ref().filter(|_| delta.is_in.head);
        let effects = delta.effects.iter().map(|effect| describe(effect, redactor));
        Resource {
            reference: redactor.name(&delta.reference).into_owned(),
            presence,
            severity: Severity::new(delta),
            remarks: presence.word().map(str::to_owned).into_iter().chain(effects).collect(),
            parts: delta.parts.iter().map(|part| relative_to_root(part, sides)).collect(),
            place: place.map(|(file, line)| Place { file: sides.shown(Path::new(file)), line: *line }),
        }
    }
}

/// A part with its origins as seen from the root.
fn relative_to_root(part: &Part, sides: &Sides) -> Part {
    let mut part = part.clone();
    for found in part.values.as_mut().into_iter().flatten() {
        let text = found.origin.as_ref().map(|origin| sides.without_root(&origin.to_string()));
        found.origin = text.map(|text| Origin::Named(text.into()));
    }
    part
}

/// The effect of applying the change, in words.
fn describe(effect: &Effect, redactor: &Redactor) -> String {
    match effect {
        Effect::Refreshes(service) if service.starts_with("Service[") => format!("restarts {}", redactor.text(service)),
        Effect::Refreshes(command) => format!("runs {}", redactor.text(command)),
        Effect::Package => "changes the package".to_owned(),
        Effect::Content => "changes the content".to_owned(),
        Effect::SourceMissing => "its source is missing".to_owned(),
    }
}

impl ShownChange for Resource {
    fn kind(&self) -> &'static ChangeKind {
        &KIND
    }

    fn entry(&self) -> Entry {
        Entry {
            label: Some(self.reference.clone()),
            remarks: self.remarks.clone(),
            presence: Some(self.presence),
            content: Content::Parts(lines(&self.parts)),
            ..Entry::default()
        }
    }

    fn annotation(&self, nodes: &str, _: &str) -> Annotation {
        annotation_of_parts(&self.reference, &self.parts, &self.remarks, self.place.as_ref(), nodes)
    }

    fn redact_secrets(&mut self, secrecy: &Secrecy<'_>) {
        if redact_parts(&self.reference, self.presence, &mut self.parts, secrecy) {
            self.remarks.clear();
        }
    }

    fn is_about_catalogs(&self) -> bool {
        true
    }
}
