//! [`Parameter`]: a changed declaration of a class parameter.

use hieratic::Redactor;
use hieratic::value::text::REDACTED;
use hieratic_impact::{Declaration, Diff, ParameterDelta};
use serde::Serialize;

use super::{Annotation, ChangeKind, Content, Entry, Heading, Place, Secrecy, ShownChange, serialize_diff};
use crate::rows::LONGEST;
use crate::sides::Sides;
use crate::truncation::truncate;

pub(super) const KIND: ChangeKind = ChangeKind {
    list: "parameters",
    heading: Some(Heading {
        title: "Class parameters",
        short: "class parameters",
        noun: "declaration",
        noun_of: " of class parameters",
    }),
    is_grouped: false,
    is_first: false,
    is_optional: false,
};

/// A changed declaration of a class parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Parameter {
    /// The key of the parameter: `class::parameter`.
    pub key: String,
    /// The declarations, in words.
    #[serde(flatten, serialize_with = "serialize_diff")]
    pub declarations: Diff<Option<String>>,
    /// The position of its declaration, in the head if it is there.
    pub place: Place,
}

impl Parameter {
    pub(crate) fn new(delta: &ParameterDelta, sides: &Sides, redactor: &Redactor) -> Option<Parameter> {
        let declarations = delta.declarations.as_ref().map(Option::as_ref);
        let latest = declarations.latest()?;
        Some(Parameter {
            key: delta.key.clone(),
            place: Place { file: sides.shown(&latest.file), line: latest.line },
            declarations: declarations.map(|declaration| Some(describe(declaration?, redactor))),
        })
    }
}

/// A declaration in words: the type, and the default.
fn describe(declaration: &Declaration, redactor: &Redactor) -> String {
    let kind = declaration.kind.as_deref().unwrap_or("Any");
    // A default that code writes for a secret is as secret as its value.
    let is_secret =
        |default: &str| !redactor.reveals() && (kind.contains("Sensitive") || default.contains("Sensitive"));
    let text = match declaration.default.as_deref() {
        Some(default) if is_secret(default) => format!("{kind}, default {REDACTED}"),
        Some(default) => format!("{kind}, default {default}"),
        None => format!("{kind}, required"),
    };
    truncate(&redactor.text(&text.split_whitespace().collect::<Vec<_>>().join(" ")), LONGEST)
}

impl ShownChange for Parameter {
    fn kind(&self) -> &'static ChangeKind {
        &KIND
    }

    fn entry(&self) -> Entry {
        let (label, place) = (Some(self.key.clone()), Some(self.place.clone()));
        let content = Content::Texts(self.declarations.clone());
        Entry { label, place, content, ..Entry::default() }
    }

    fn annotation(&self, _: &str, within: &str) -> Annotation {
        let text = |side: &Option<String>| side.clone().unwrap_or_else(|| "not declared".to_owned());
        let Diff { base, head } = self.declarations.as_ref().map(text);
        Annotation {
            level: "notice",
            place: Some(self.place.clone()),
            title: format!("The parameter {} changes{within}", self.key),
            message: format!("- {base}\n+ {head}"),
        }
    }

    /// Defaults of secrets are redacted when they are made.
    fn redact_secrets(&mut self, _: &Secrecy<'_>) {}
}
