//! [`Found`]: a finding for the API and pages, and the filters for findings.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use hieratic::diagnostics::{Diagnostic, Label, Severity, Source, Span};
use hieratic::sandbox::plain;
use hieratic::value::ErasedSort as _;
use hieratic_lint::{Finding, Rule};
use hieratic_report::truncate;

use super::secrecy::{Disclosure, Secrecy};

/// The maximum number of findings that are stored for an environment.
const MAX_FINDINGS: usize = 10_000;

/// The maximum length of a source line that is shown, in characters.
const MAX_LINE_LENGTH: usize = 200;

/// The number of characters shown before the marked part of a line, if the line is truncated.
const CONTEXT_BEFORE: usize = 60;

/// The maximum number of related positions of a finding.
const MAX_RELATED: usize = 10;

/// A finding without secrets.
#[derive(Clone, Debug)]
pub(crate) struct DisplayedFinding {
    pub(crate) rule: &'static Rule,
    pub(crate) severity: Severity,
    pub(crate) message: String,
    pub(crate) notes: Vec<String>,
    pub(crate) help: Vec<String>,
    pub(crate) place: Option<FindingPosition>,
    /// The related positions, each with its label.
    pub(crate) related: Vec<(FindingPosition, String)>,
    pub(crate) fingerprint: String,
    /// Whether `check --fix` can correct it.
    pub(crate) is_fixable: bool,
}

/// A position in a file.
#[derive(Clone, Debug)]
pub(crate) struct FindingPosition {
    pub(crate) path: PathBuf,
    /// The file, relative to the environment.
    pub(crate) file: String,
    pub(crate) line: Option<u32>,
    pub(crate) column: Option<u32>,
    /// The line, if it may be shown.
    pub(crate) text: Option<SourceLine>,
}

/// A source line in three parts; the second one is marked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SourceLine {
    pub(crate) before: String,
    pub(crate) marked: String,
    pub(crate) after: String,
}

/// Selects findings.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    pub(crate) rule: String,
    pub(crate) severity: String,
    /// A part of the file's name.
    pub(crate) file: String,
    /// The files that the finding or one of its related positions must be in; `None` allows any file.
    pub(crate) within: Option<HashSet<PathBuf>>,
    /// The findings that a comparison calls new; `None` allows any.
    pub(crate) new: Option<Vec<NewFinding>>,
}

/// A finding that is new since a revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NewFinding {
    /// The id of the rule.
    pub(crate) rule: &'static str,
    /// The file, relative to the repository, which may be around the environment.
    pub(crate) file: String,
    pub(crate) line: u32,
}

impl NewFinding {
    fn is(&self, found: &DisplayedFinding) -> bool {
        found.rule.id() == self.rule
            && found
                .place
                .as_ref()
                .is_some_and(|at| at.line.unwrap_or(1) == self.line && Path::new(&self.file).ends_with(&at.file))
    }
}

/// The findings that were chosen, and how many there are of each kind.
pub(crate) struct FilteredFindings<'f> {
    pub(crate) findings: Vec<&'f DisplayedFinding>,
    /// Errors, warnings and notes.
    pub(crate) severities: [usize; 3],
    /// The rules, with how many findings each has, the most first.
    pub(crate) rules: Vec<(&'static Rule, usize)>,
}

impl Filter {
    /// Chooses among findings. Those of one kind are counted as if the filter named no other of that kind, so that the counts say what
    /// there is to choose from.
    pub(crate) fn apply<'f>(&self, all: &'f [DisplayedFinding]) -> FilteredFindings<'f> {
        let file = self.file.to_lowercase();
        let outer: Vec<&DisplayedFinding> = all.iter().filter(|found| self.is_in_files(found, &file)).collect();
        let is_rule = |found: &DisplayedFinding| self.rule.is_empty() || found.rule.id() == self.rule;
        let is_severity = |found: &DisplayedFinding| self.severity.is_empty() || found.severity.name() == self.severity;
        let mut severities = [0; 3];
        for found in outer.iter().filter(|found| is_rule(found)) {
            severities[found.severity as usize] += 1;
        }
        let mut rules: Vec<(&'static Rule, usize)> = Vec::new();
        for found in outer.iter().filter(|found| is_severity(found)) {
            match rules.iter_mut().find(|(rule, _)| rule.id() == found.rule.id()) {
                Some((_, count)) => *count += 1,
                None => rules.push((found.rule, 1)),
            }
        }
        rules.sort_erased_by_key(|(rule, count)| (std::cmp::Reverse(*count), rule.id()));
        let found = outer.into_iter().filter(|found| is_rule(found) && is_severity(found)).collect();
        FilteredFindings { findings: found, severities, rules }
    }

    fn is_in_files(&self, found: &DisplayedFinding, file: &str) -> bool {
        let places = || found.place.iter().chain(found.related.iter().map(|(place, _)| place));
        let is_named = file.is_empty() || found.place.as_ref().is_some_and(|at| at.file.to_lowercase().contains(file));
        let is_new = self.new.as_ref().is_none_or(|new| new.iter().any(|one| one.is(found)));
        is_new
            && is_named
            && self.within.as_ref().is_none_or(|within| places().any(|place| within.contains(&place.path)))
    }
}

/// Returns the findings that may be shown, sorted by severity and then by position, and the number of all findings,
/// stored or not.
pub(super) fn displayed_findings(
    findings: &[Finding],
    root: &Path,
    secrecy: &Secrecy<'_>,
) -> (Vec<DisplayedFinding>, usize) {
    let mut order: Vec<&Finding> = findings.iter().filter(|finding| may_exist_be_shown(finding, secrecy)).collect();
    order.sort_erased_by_key(|finding| finding.severity() as u8);
    let all = order.len();
    (order.into_iter().take(MAX_FINDINGS).map(|finding| display(finding, root, secrecy)).collect(), all)
}

/// Returns whether the existence of a finding may be shown. Rules of hygiene compare values, so for a secret they would
/// reveal an equal value.
fn may_exist_be_shown(finding: &Finding, secrecy: &Secrecy<'_>) -> bool {
    let is_open = |label: &Label| {
        let span = label.source.clamp(label.span);
        let whole = label.source.line(label.source.start(span).line);
        let text = label.source.slice(whole);
        secrecy.disclosure_at(&plain(Path::new(label.source.name())), span.range().start, text) == Disclosure::All
    };
    let labels = &finding.diagnostic.labels;
    !finding.rule.is_hygiene() || !labels.is_empty() && labels.iter().all(is_open)
}

fn display(finding: &Finding, root: &Path, secrecy: &Secrecy<'_>) -> DisplayedFinding {
    let diagnostic = &finding.diagnostic;
    let primary = diagnostic.labels.iter().find(|label| label.primary);
    let (place, shows) = match primary {
        Some(label) => position_in_source(&label.source, label.span, root, secrecy),
        None => (position_in_file(diagnostic, root), Disclosure::All),
    };
    let redact = |texts: &[String]| texts.iter().map(|text| secrecy.redact_message(text)).collect();
    let related = diagnostic.labels.iter().filter(|label| !label.primary).take(MAX_RELATED).map(|label| {
        let (place, own) = position_in_source(&label.source, label.span, root, secrecy);
        let text = if own == Disclosure::Rule || shows == Disclosure::Rule {
            String::new()
        } else {
            secrecy.redact_message(&label.text)
        };
        Some((place?, text))
    });
    let related: Vec<(FindingPosition, String)> = related.flatten().collect();
    let has_text = shows != Disclosure::Rule;
    DisplayedFinding {
        rule: finding.rule,
        severity: diagnostic.severity,
        message: if has_text { secrecy.redact_message(&diagnostic.message) } else { finding.rule.code.title().into() },
        notes: if has_text { redact(&diagnostic.notes) } else { Vec::new() },
        help: if has_text { redact(&diagnostic.help) } else { Vec::new() },
        place,
        related,
        fingerprint: finding.fingerprint.clone(),
        is_fixable: !finding.fixes().is_empty() || finding.is_restyled(),
    }
}

fn position_in_file(diagnostic: &Diagnostic, root: &Path) -> Option<FindingPosition> {
    let location = diagnostic.locations.first()?;
    let path = plain(Path::new(&location.file));
    Some(FindingPosition {
        file: file_name(&path, root),
        path,
        line: location.line,
        column: location.column,
        text: None,
    })
}

/// Returns a position in a source, and the parts of it that may be shown.
fn position_in_source(
    source: &Source,
    span: Span,
    root: &Path,
    secrecy: &Secrecy<'_>,
) -> (Option<FindingPosition>, Disclosure) {
    let path = plain(Path::new(source.name()));
    let span = source.clamp(span);
    let at = source.start(span);
    let whole = source.line(at.line);
    let text = source.slice(whole);
    let shows = secrecy.disclosure_at(&path, span.range().start, text);
    let line = (shows == Disclosure::All).then(|| {
        let marked = [span.start, span.end].map(|at| (at.clamp(whole.start, whole.end) - whole.start) as usize);
        split_line(text, marked, &|text| secrecy.redact_line(text))
    });
    let text = line.filter(|line| *line != SourceLine::default());
    (
        Some(FindingPosition {
            file: file_name(&path, root),
            path,
            line: Some(at.line),
            column: Some(at.column),
            text,
        }),
        shows,
    )
}

/// Returns the name of a file, relative to the environment.
fn file_name(path: &Path, root: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}

/// Splits a line around its marked part. Nothing is marked if the line contains a secret.
fn split_line(text: &str, [start, end]: [usize; 2], redact: &dyn Fn(&str) -> String) -> SourceLine {
    let text = text.trim_end_matches(['\n', '\r']);
    let whole = redact(text);
    if whole != text {
        return SourceLine { before: truncate(&whole, MAX_LINE_LENGTH), ..SourceLine::default() };
    }
    let parts = (text.get(..start), text.get(start..end.max(start)), text.get(end.max(start)..));
    let (Some(before), Some(marked), Some(after)) = parts else {
        return SourceLine { before: truncate(text, MAX_LINE_LENGTH), ..SourceLine::default() };
    };
    let skipped = before.chars().count().saturating_sub(CONTEXT_BEFORE);
    let is_long = text.chars().nth(MAX_LINE_LENGTH).is_some();
    let before = if is_long && skipped > 0 {
        format!("…{}", before.chars().skip(skipped).collect::<String>())
    } else {
        before.trim_start().into()
    };
    let marked = truncate(marked, MAX_LINE_LENGTH);
    let left = MAX_LINE_LENGTH.saturating_sub(before.chars().count() + marked.chars().count());
    SourceLine { before, after: truncate(after, left), marked }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_shown_around_its_mark() {
        let plain = |text: &str| text.to_string();
        let of = |text: &str, marked: [usize; 2]| {
            let line = split_line(text, marked, &plain);
            [line.before, line.marked, line.after]
        };
        assert_eq!(of("  a: bcd\n", [5, 6]), ["a: ", "b", "cd"]);
        assert_eq!(of("é", [1, 2]), ["é", "", ""]);
        let [before, marked, after] = of(&format!("{}é{}", "x".repeat(500), "y".repeat(500)), [500, 502]);
        assert_eq!((before.chars().count(), marked.as_str()), (CONTEXT_BEFORE + 1, "é"));
        assert!(after.ends_with("y…") && after.chars().count() < MAX_LINE_LENGTH);
        let line = split_line("a secret", [2, 8], &|text| text.replace("secret", "*"));
        assert_eq!((line.before.as_str(), line.marked.as_str()), ("a *", ""));
    }
}
