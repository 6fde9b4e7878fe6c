//! [`Finding`]: a finding of `check` that the head has and the base does not have.

use hieratic::Redactor;
use hieratic::diagnostics::Severity;
use hieratic::diagnostics::render::visible_line;
use serde::Serialize;

use super::{Annotation, ChangeKind, Content, Entry, Heading, Place, Secrecy, ShownChange};
use crate::sides::Sides;

pub(super) const KIND: ChangeKind = ChangeKind {
    list: "findings",
    heading: Some(Heading {
        title: "New findings of `hieratic check`",
        short: "new findings of check",
        noun: "new finding",
        noun_of: "",
    }),
    is_grouped: false,
    is_first: false,
    is_optional: true,
};

/// A finding of `check` that is new in the head.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Finding {
    /// The id of the rule.
    #[serde(rename = "code")]
    pub rule: &'static str,
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// The message.
    pub message: String,
    /// The file and line of the finding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

impl Finding {
    /// A finding, with the title of its rule instead of a message that may not be shown.
    pub(crate) fn new(
        finding: &hieratic_lint::Finding,
        shows_message: bool,
        sides: &Sides,
        redactor: &Redactor,
    ) -> Finding {
        let diagnostic = redactor.diagnostic(&finding.diagnostic);
        let file = std::path::absolute(finding.file()).unwrap_or_else(|_| finding.file().into());
        let place = || Place { file: sides.shown(&file), line: finding.line().unwrap_or(1) };
        Finding {
            rule: finding.rule.id(),
            severity: match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "note",
            },
            message: if shows_message { diagnostic.message } else { finding.rule.code.title().into() },
            place: (!finding.file().is_empty()).then(place),
        }
    }
}

impl ShownChange for Finding {
    fn kind(&self) -> &'static ChangeKind {
        &KIND
    }

    fn entry(&self) -> Entry {
        let content = Content::Message { severity: self.severity, text: self.message.clone(), rule: self.rule };
        Entry { place: self.place.clone(), content, ..Entry::default() }
    }

    fn annotation(&self, _: &str, within: &str) -> Annotation {
        Annotation {
            level: if self.severity == "note" { "notice" } else { self.severity },
            place: self.place.clone(),
            title: format!("New finding: {}", self.rule),
            message: visible_line(&format!("{}{within}", self.message)),
        }
    }

    /// Messages are redacted when they are made.
    fn redact_secrets(&mut self, _: &Secrecy<'_>) {}
}
