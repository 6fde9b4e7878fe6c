//! [`Failure`]: nodes whose lookups or catalogs fail on a side.

use hieratic::Redactor;
use hieratic::diagnostics::render::visible_line;
use hieratic_impact::{Diff, FailingNodes};
use serde::Serialize;

use super::{Annotation, ChangeKind, Content, Entry, Secrecy, ShownChange, serialize_diff};
use crate::sides::Sides;

pub(super) const KIND: ChangeKind =
    ChangeKind { list: "broken", heading: None, is_grouped: false, is_first: true, is_optional: false };

/// Nodes whose lookups or catalogs fail on a side.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Failure {
    /// The operation that fails.
    #[serde(rename = "what")]
    pub failing: Failing,
    /// The error on each side. `None` for a side without an error.
    #[serde(flatten, serialize_with = "serialize_diff")]
    pub reasons: Diff<Option<String>>,
}

/// The operation that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Failing {
    /// Lookups.
    Lookup,
    /// The compilation of a catalog.
    Catalog,
}

impl Failure {
    /// Nodes whose hierarchies or data cannot be used.
    pub(crate) fn of_lookups(failing: &FailingNodes, redactor: &Redactor) -> Failure {
        let redacted = |reason: &Option<String>| Some(redactor.message(reason.as_ref()?).into_owned());
        Failure { failing: Failing::Lookup, reasons: failing.reasons.as_ref().map(redacted) }
    }

    /// Nodes whose catalogs do not compile. The messages are redacted already.
    pub(crate) fn of_catalogs(failing: &FailingNodes, sides: &Sides) -> Failure {
        let shown = |reason: &Option<String>| Some(sides.without_root(reason.as_ref()?));
        Failure { failing: Failing::Catalog, reasons: failing.reasons.as_ref().map(shown) }
    }

    /// The reasons; for a side without one, that it works.
    fn texts(&self) -> Diff<String> {
        let fine = match self.failing {
            Failing::Catalog => "the catalog compiles",
            Failing::Lookup => "can be looked up",
        };
        self.reasons.as_ref().map(|reason| reason.clone().unwrap_or_else(|| fine.to_owned()))
    }
}

impl ShownChange for Failure {
    fn kind(&self) -> &'static ChangeKind {
        &KIND
    }

    fn entry(&self) -> Entry {
        Entry { content: Content::Texts(self.texts().map(Some)), ..Entry::default() }
    }

    fn annotation(&self, nodes: &str, _: &str) -> Annotation {
        let level = if self.reasons.head.is_some() { "error" } else { "notice" };
        Annotation { level, place: None, title: nodes.to_owned(), message: visible_line(&self.texts().head) }
    }

    /// Messages are redacted when they are made.
    fn redact_secrets(&mut self, _: &Secrecy<'_>) {}

    fn is_about_catalogs(&self) -> bool {
        self.failing == Failing::Catalog
    }
}
