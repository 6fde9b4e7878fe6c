//! Findings as diagnostics of the protocol, at their current positions.

use std::path::Path;
use std::sync::Arc;

use hieratic_diagnostics::{Label, Severity, Source, Span};
use hieratic_lint::{Finding, rules};
use lsp_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location,
    NumberOrString, Position, Range, Url,
};

use crate::document::{Document, Language};
use crate::paths::uri_of;
use crate::positions::{Encoding, Lines};

/// The documentation of findings.
const FINDING_DOCS: &str = "https://github.com/hieratic/hieratic/blob/main/docs/findings";

/// The name under which editors show findings.
pub(crate) const SOURCE: &str = "hieratic";

/// Converts a finding to a diagnostic of the protocol.
///
/// `text` is the content of the finding's file, and `lines` its line table.
pub(crate) fn to_diagnostic(finding: &Finding, text: &str, lines: &Lines, encoding: Encoding) -> Diagnostic {
    let diagnostic = &finding.diagnostic;
    let range = match primary(finding) {
        Some((_, span)) => lines.range(text, span),
        None => {
            let line = finding.line().unwrap_or(1).saturating_sub(1);
            let place = Position { line, character: 0 };
            Range { start: place, end: place }
        }
    };
    let mut message = diagnostic.message.clone();
    for note in &diagnostic.notes {
        message.push_str(&format!("\nnote: {note}"));
    }
    for help in &diagnostic.help {
        message.push_str(&format!("\nhelp: {help}"));
    }
    let related: Vec<_> =
        diagnostic.labels.iter().filter(|label| !label.primary).filter_map(|label| related(label, encoding)).collect();
    let page = page_of(finding.rule.id());
    let is_variable = finding.rule.id() == rules::UNUSED_VARIABLE.id();
    let unused = is_variable || finding.rule.id() == rules::UNUSED_KEY.id();
    // By the code of its rule, a finding is selected and ignored, here as in `hieratic check`. Errors of manifests have
    // the codes of the language.
    let is_manifest = finding.rule.id() == rules::MANIFEST.id();
    let code = if is_manifest { diagnostic.code.id() } else { finding.rule.id() };
    Diagnostic {
        range,
        severity: Some(match diagnostic.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Note if is_variable => DiagnosticSeverity::HINT,
            Severity::Note => DiagnosticSeverity::INFORMATION,
        }),
        code: Some(NumberOrString::String(code.to_owned())),
        code_description: page.map(|href| CodeDescription { href }),
        source: Some(SOURCE.to_owned()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        tags: unused.then(|| vec![DiagnosticTag::UNNECESSARY]),
        data: None,
    }
}

/// The page of a rule.
pub(crate) fn page_of(rule: &str) -> Option<Url> {
    Url::parse(&format!("{FINDING_DOCS}/{rule}.md")).ok()
}

/// The part of the source that a finding is about.
pub(crate) fn primary(finding: &Finding) -> Option<(&Source, Span)> {
    let label = finding.diagnostic.labels.iter().find(|label| label.primary)?;
    Some((&label.source, label.source.clamp(label.span)))
}

fn related(label: &Label, encoding: Encoding) -> Option<DiagnosticRelatedInformation> {
    let path = std::path::absolute(label.source.name()).ok()?;
    let span = label.source.clamp(label.span);
    let text = label.source.text();
    let range = Lines::new(text, encoding).range(text, span);
    let message = if label.text.is_empty() { "related".to_owned() } else { label.text.clone() };
    Some(DiagnosticRelatedInformation { location: Location { uri: uri_of(&path)?, range }, message })
}

/// Returns whether a finding depends on its own file alone.
pub(crate) fn is_of_text(finding: &Finding) -> bool {
    let path = Path::new(finding.file());
    if finding.rule.id() == rules::LEGACY_FACT.id() && Language::from_path(path, "").is_code() {
        return true;
    }
    [
        &rules::UNREADABLE,
        &rules::MANIFEST,
        &rules::UNUSED_VARIABLE,
        &rules::DATA_SYNTAX,
        &rules::DATA_NO_HASH,
        &rules::DUPLICATE_KEY,
        &rules::HCL_SYNTAX,
        &rules::JOB,
        &rules::JOB_REMARK,
        &rules::JOB_DEPRECATED,
        &rules::JOB_SHUTDOWN_DELAY,
        &rules::TEMPLATE_SYNTAX,
        &rules::DIRECTIVE,
    ]
    .iter()
    .any(|rule| rule.id() == finding.rule.id())
        || finding.rule.is_selected_by("job-lint")
}

/// Moves a finding from an earlier version of a document to the current one; `None` if the edit changed its span.
pub(crate) fn move_finding(finding: &Finding, document: &Document, path: &Path) -> Option<Finding> {
    let Some((before, _)) = primary(finding) else { return Some(finding.clone()) };
    let shift = Shift::between(before.text(), &document.text);
    let mut finding = finding.clone();
    let now = Source::new(before.name().to_owned(), document.text.clone());
    for label in &mut Arc::make_mut(&mut finding.diagnostic).labels {
        if !label.primary && std::path::absolute(label.source.name()).ok().as_deref() != Some(path) {
            continue;
        }
        let span = label.source.clamp(label.span);
        match shift.span(span) {
            Some(span) => {
                label.span = span;
                label.source = now.clone();
            }
            None if label.primary => return None,
            None => {}
        }
    }
    Some(finding)
}

/// The span of an edit: from the first to the last difference of two versions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shift {
    same_before: usize,
    old_end: usize,
    new_end: usize,
}

impl Shift {
    /// Returns the difference of two versions as one replaced span.
    pub(crate) fn between(old: &str, new: &str) -> Shift {
        let (a, b) = (old.as_bytes(), new.as_bytes());
        let same_before = a.iter().zip(b).take_while(|(a, b)| a == b).count();
        let rest = a.len().min(b.len()) - same_before;
        let same_behind = a.iter().rev().zip(b.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
        Shift { same_before, old_end: a.len() - same_behind, new_end: b.len() - same_behind }
    }

    /// Moves a span of the old version to the new one; `None` if it was edited.
    pub(crate) fn span(self, span: Span) -> Option<Span> {
        if span.behind() <= self.same_before {
            return Some(span);
        }
        let moved = |at: usize| at - self.old_end + self.new_end;
        (span.first() >= self.old_end).then(|| Span::new(moved(span.first()), moved(span.behind())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_outside_an_edit_move() {
        let span = |start, end| Span { start, end };
        let shift = Shift::between("a: 1\nb: 2\nc: 3\n", "a: 1\nbb: 22\nc: 3\n");
        assert_eq!(shift.span(span(0, 1)), Some(span(0, 1)));
        assert_eq!(shift.span(span(10, 11)), Some(span(12, 13)));
        assert_eq!(shift.span(span(5, 9)), None);
        let same = Shift::between("aaa", "aaa");
        assert_eq!(same.span(span(1, 2)), Some(span(1, 2)));
        assert_eq!(Shift::between("aa", "aaa").span(span(0, 2)), Some(span(0, 2)));
    }
}
