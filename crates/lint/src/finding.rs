//! [`Finding`]: a diagnostic of a rule.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use hieratic::Redactor;
use hieratic::value::collections::HashMap;
use hieratic_diagnostics::{Diagnostic, Severity, Source, Span};
use sha2::{Digest, Sha256};

use crate::paths::absolute;
use crate::rules::{self, Rule};
use hieratic::sandbox::SlashPath as _;

/// A diagnostic of a rule, with its fixes.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The violated rule.
    pub rule: &'static Rule,
    /// The diagnostic. Its code is the code of the rule, or a more specific one of the language of the file. It is
    /// shared by sessions, reports and the language server, because it is the largest part of a finding.
    pub diagnostic: Arc<Diagnostic>,
    /// The identity of the finding, independent of its line: a hash of the rule, the file, the message and the content
    /// of the line.
    pub fingerprint: String,
    /// The names of the environments that have the finding, if several are checked together. Empty for findings in a
    /// single file.
    pub environments: Vec<String>,
    /// The safe edits that fix the finding. They are applied together.
    fixes: Vec<Fix>,
    /// Whether [`restyle`](crate::restyle) fixes it, together with all others of the file.
    is_restyled: bool,
    /// Edits that may fix it, if the user decides so.
    suggestion: Option<Arc<Suggestion>>,
}

/// Edits that may fix a finding, but need a decision.
#[derive(Clone, Debug)]
pub struct Suggestion {
    /// The title of the action in an editor.
    pub title: String,
    /// The edits, which are applied together.
    pub fixes: Vec<Fix>,
}

/// An edit of a file that preserves its meaning, or restores the intended one.
#[derive(Clone, Debug)]
pub struct Fix {
    /// The file.
    pub source: Source,
    /// The part.
    pub span: Span,
    /// The replacement.
    pub text: String,
}

impl Fix {
    pub(crate) fn new(source: &Source, span: Span, text: impl Into<String>) -> Fix {
        Fix { source: source.clone(), span, text: text.into() }
    }
}

impl Finding {
    /// A finding of a rule about a part of a source.
    pub(crate) fn new(rule: &'static Rule, message: impl Into<String>) -> Finding {
        Finding::from_diagnostic(rule, Diagnostic::new(rule.severity, rule.code, message))
    }

    /// A finding that another crate has described.
    pub(crate) fn from_diagnostic(rule: &'static Rule, diagnostic: Diagnostic) -> Finding {
        let diagnostic = Arc::new(diagnostic);
        Finding {
            rule,
            diagnostic,
            fingerprint: String::new(),
            environments: Vec::new(),
            fixes: Vec::new(),
            is_restyled: false,
            suggestion: None,
        }
    }

    /// Changes the diagnostic.
    fn changed(self, change: impl FnOnce(Diagnostic) -> Diagnostic) -> Finding {
        Finding { diagnostic: Arc::new(change(Arc::unwrap_or_clone(self.diagnostic))), ..self }
    }

    /// Sets the severity.
    pub(crate) fn with_severity(mut self, severity: Severity) -> Finding {
        Arc::make_mut(&mut self.diagnostic).severity = severity;
        self
    }

    pub(crate) fn at(self, source: &Source, span: Span, text: impl Into<String>) -> Finding {
        self.changed(|diagnostic| diagnostic.label(source.clone(), span, text))
    }

    pub(crate) fn in_file(self, file: impl Into<String>) -> Finding {
        self.changed(|diagnostic| diagnostic.location(file, None, None))
    }

    pub(crate) fn related(self, source: &Source, span: Span, text: impl Into<String>) -> Finding {
        self.changed(|diagnostic| diagnostic.related(source.clone(), span, text))
    }

    pub(crate) fn note(self, note: impl Into<String>) -> Finding {
        self.changed(|diagnostic| diagnostic.note(note))
    }

    pub(crate) fn help(self, help: impl Into<String>) -> Finding {
        self.changed(|diagnostic| diagnostic.help(help))
    }

    /// Lowers the severity to a note, for something that is probably not a mistake.
    pub(crate) fn lowered_to_note(self) -> Finding {
        self.with_severity(Severity::Note)
    }

    /// Lowers the severity to a warning, where a rule of errors finds something that merely has no effect.
    pub(crate) fn softened(self) -> Finding {
        self.with_severity(Severity::Warning)
    }

    /// Redacts the secrets in its messages. A diagnostic without secrets stays shared.
    pub(crate) fn redact(&mut self, redactor: &Redactor) {
        let Diagnostic { message, notes, help, .. } = &*self.diagnostic;
        let is_covered = |text: &String| matches!(redactor.message(text), Cow::Owned(_));
        if !std::iter::once(message).chain(notes).chain(help).any(is_covered) {
            return;
        }
        let Diagnostic { message, notes, help, .. } = Arc::make_mut(&mut self.diagnostic);
        for text in std::iter::once(message).chain(notes).chain(help) {
            *text = redactor.message(text).into_owned();
        }
    }

    pub(crate) fn fix(mut self, fix: Fix) -> Finding {
        // Most findings have one.
        self.fixes.reserve_exact(1);
        self.fixes.push(fix);
        self
    }

    pub(crate) fn suggest(mut self, suggestion: Suggestion) -> Finding {
        self.suggestion = Some(Arc::new(suggestion));
        self
    }

    /// Returns the edits that may fix the finding, but need a decision of the user.
    pub fn suggestion(&self) -> Option<&Suggestion> {
        self.suggestion.as_deref()
    }

    /// Returns the safe edits that fix the finding. There are none if it needs a decision.
    pub fn fixes(&self) -> &[Fix] {
        &self.fixes
    }

    /// Marks a finding that [`restyle`](crate::restyle) fixes.
    pub(crate) fn restyled(self, is_restyled: bool) -> Finding {
        Finding { is_restyled, ..self }
    }

    /// Returns whether [`restyle`](crate::restyle) fixes the finding, together with all others of the file.
    pub fn is_restyled(&self) -> bool {
        self.is_restyled
    }

    /// Returns the severity.
    pub fn severity(&self) -> Severity {
        self.diagnostic.severity
    }

    /// Returns whether it is an error.
    pub(crate) fn is_error(&self) -> bool {
        self.severity() == Severity::Error
    }

    /// Returns the file of the finding. It is empty if the finding has no file.
    pub fn file(&self) -> &str {
        match (self.primary(), self.diagnostic.locations.first()) {
            (Some((source, _)), _) => source.name(),
            (None, Some(location)) => &location.file,
            (None, None) => "",
        }
    }

    /// Returns the line of the finding, counted from 1.
    pub fn line(&self) -> Option<u32> {
        match self.primary() {
            Some((source, span)) => Some(source.start(span).line),
            None => self.diagnostic.locations.first().and_then(|location| location.line),
        }
    }

    /// The text that it is about.
    pub(crate) fn primary(&self) -> Option<(&Source, Span)> {
        let label = self.diagnostic.labels.iter().find(|label| label.primary)?;
        Some((&label.source, label.span))
    }

    /// The sort key of findings: the file, then the position. Findings that the references make of a file keep their
    /// order.
    pub(crate) fn order(&self) -> (String, u32, u32) {
        let file = self.file().to_owned();
        if [&rules::MANIFEST, &rules::DIRECTIVE].iter().any(|rule| rule.id() == self.rule.id()) {
            return (file, 0, 0);
        }
        let start = self.primary().map_or(0, |(_, span)| span.start);
        (file, self.line().unwrap_or(0), start)
    }
}

/// Returns the path of a finding's file relative to `root`, or to the current folder without a root.
pub fn file_from(root: Option<&Path>, file: &str) -> String {
    let below = root.and_then(|root| absolute(Path::new(file)).strip_prefix(root).ok().map(Path::to_path_buf));
    match below {
        Some(below) if !file.is_empty() => below.to_slashes(),
        _ => file.to_owned(),
    }
}

/// Sets the fingerprints of findings. Findings that are otherwise equal are numbered.
///
/// A fingerprint does not depend on the current folder: files are relative to `root`, and messages count without
/// folders.
pub(crate) fn mark(findings: &mut [Finding], root: Option<&Path>) {
    let mut seen: HashMap<String, u32> = HashMap::default();
    for finding in findings {
        let line = finding.primary().map_or("", |(source, span)| line_around(source, span));
        let mut hash = Sha256::new();
        let message = without_folders(&without_numbers(&finding.diagnostic.message));
        for part in [finding.rule.id(), &file_from(root, finding.file()), &message, line] {
            hash.update(part.as_bytes());
            hash.update([0]);
        }
        let mut text: String = hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let count = seen.entry(text.clone()).or_default();
        *count += 1;
        if *count > 1 {
            text.push_str(&format!("-{count}"));
        }
        finding.fingerprint = text;
    }
}

/// The line that a span begins in, as far as it is near: a file may be one line, and a finding must not cost as much as
/// the file is long.
fn line_around(source: &Source, span: Span) -> &str {
    /// The longest line that counts as a whole, in bytes.
    const WHOLE: usize = 4 << 10;
    let text = source.text();
    let start = source.clamp(span).range().start;
    let boundary = |mut at: usize| {
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let (first, last) = (boundary(start.saturating_sub(WHOLE)), boundary((start + WHOLE).min(text.len())));
    let before = text[first..start].rfind('\n').map_or(first, |at| first + at + 1);
    let after = text[start..last].find('\n').map_or(last, |at| start + at);
    text[before..after].trim()
}

/// A message with the paths in it cut down to the names of files.
fn without_folders(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(at) = rest.find('/') {
        let ends = |c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '(' | ',');
        let start = rest[..at].rfind(ends).map_or(0, |before| before + 1);
        // A quote, a space and a comma have one byte each; other whitespace may have more.
        let start = (start..=at).find(|at| rest.is_char_boundary(*at)).unwrap_or(at);
        out.push_str(&rest[..start]);
        rest = &rest[at + 1..];
    }
    out + rest
}

/// A message without its numbers: some are lines, which move.
pub(crate) fn without_numbers(message: &str) -> String {
    message.chars().filter(|c| !c.is_ascii_digit()).collect()
}
