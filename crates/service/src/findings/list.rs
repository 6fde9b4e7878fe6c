//! [`Found`]: a finding as the service shows it, and the choice among findings.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use hieratic::diagnostics::{Diagnostic, Label, Severity, Source, Span};
use hieratic::powers::plain;
use hieratic_audit::rules::HYGIENE;
use hieratic_audit::{Finding, Rule};

use super::secrecy::{Secrecy, Shows};

/// The maximum number of findings that are stored for an environment.
const MOST: usize = 10_000;

/// The maximum length of a source line that is shown, in characters.
const LONGEST: usize = 200;

/// The number of characters shown before the marked part of a line, if the line is truncated.
const BEFORE: usize = 60;

/// The maximum number of related positions of a finding.
const MOST_RELATED: usize = 10;

/// A finding without secrets.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) rule: &'static Rule,
    pub(crate) severity: Severity,
    pub(crate) message: String,
    pub(crate) notes: Vec<String>,
    pub(crate) help: Vec<String>,
    pub(crate) place: Option<Place>,
    /// The related positions, each with its label.
    pub(crate) related: Vec<(Place, String)>,
    pub(crate) fingerprint: String,
}

/// A place in a file.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) path: PathBuf,
    /// The file, seen from the environment.
    pub(crate) file: String,
    pub(crate) line: Option<u32>,
    pub(crate) column: Option<u32>,
    /// The line, if it may be shown.
    pub(crate) text: Option<Line>,
}

/// A source line in three parts; the second one is marked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) before: String,
    pub(crate) marked: String,
    pub(crate) after: String,
}

/// Which findings are wanted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    pub(crate) rule: String,
    pub(crate) severity: String,
    /// A part of the file's name.
    pub(crate) file: String,
    /// The files that the finding or one of its related positions must be in; `None` allows any file.
    pub(crate) within: Option<HashSet<PathBuf>>,
}

/// The findings that were chosen, and how many there are of each kind.
pub(crate) struct Chosen<'f> {
    pub(crate) found: Vec<&'f Found>,
    /// Errors, warnings and notes.
    pub(crate) severities: [usize; 3],
    /// The rules, with how many findings each has, the most first.
    pub(crate) rules: Vec<(&'static Rule, usize)>,
}

impl Filter {
    /// Chooses among findings. Those of one kind are counted as if the filter named no other of that kind, so that the counts say what
    /// there is to choose from.
    pub(crate) fn choose<'f>(&self, all: &'f [Found]) -> Chosen<'f> {
        let file = self.file.to_lowercase();
        let around: Vec<&Found> = all.iter().filter(|found| self.is_around(found, &file)).collect();
        let is_rule = |found: &Found| self.rule.is_empty() || found.rule.id() == self.rule;
        let is_severity = |found: &Found| self.severity.is_empty() || found.severity.name() == self.severity;
        let mut severities = [0; 3];
        for found in around.iter().filter(|found| is_rule(found)) {
            severities[found.severity as usize] += 1;
        }
        let mut rules: Vec<(&'static Rule, usize)> = Vec::new();
        for found in around.iter().filter(|found| is_severity(found)) {
            match rules.iter_mut().find(|(rule, _)| rule.id() == found.rule.id()) {
                Some((_, count)) => *count += 1,
                None => rules.push((found.rule, 1)),
            }
        }
        rules.sort_by_key(|(rule, count)| (std::cmp::Reverse(*count), rule.id()));
        let found = around.into_iter().filter(|found| is_rule(found) && is_severity(found)).collect();
        Chosen { found, severities, rules }
    }

    fn is_around(&self, found: &Found, file: &str) -> bool {
        let places = || found.place.iter().chain(found.related.iter().map(|(place, _)| place));
        let is_named = file.is_empty() || found.place.as_ref().is_some_and(|at| at.file.to_lowercase().contains(file));
        is_named && self.within.as_ref().is_none_or(|within| places().any(|place| within.contains(&place.path)))
    }
}

/// Returns the findings that may be shown, sorted by severity and then by position, and the number of all findings,
/// stored or not.
pub(super) fn found(findings: &[Finding], root: &Path, secrecy: &Secrecy<'_>) -> (Vec<Found>, usize) {
    let mut order: Vec<&Finding> = findings.iter().filter(|finding| may_be_there(finding, secrecy)).collect();
    order.sort_by_key(|finding| finding.severity() as u8);
    let all = order.len();
    (order.into_iter().take(MOST).map(|finding| shown(finding, root, secrecy)).collect(), all)
}

/// Returns whether the existence of a finding may be shown. Rules of hygiene compare values, so for a secret they would
/// reveal an equal value.
fn may_be_there(finding: &Finding, secrecy: &Secrecy<'_>) -> bool {
    let is_open = |label: &Label| {
        let span = label.source.clamp(label.span);
        let whole = label.source.line(label.source.start(span).line);
        let text = label.source.slice(whole);
        secrecy.of(&plain(Path::new(label.source.name())), span.range().start, text) == Shows::All
    };
    let labels = &finding.diagnostic.labels;
    !HYGIENE.iter().any(|rule| rule.id() == finding.rule.id()) || !labels.is_empty() && labels.iter().all(is_open)
}

fn shown(finding: &Finding, root: &Path, secrecy: &Secrecy<'_>) -> Found {
    let told = &finding.diagnostic;
    let primary = told.labels.iter().find(|label| label.primary);
    let (place, shows) = match primary {
        Some(label) => of_source(&label.source, label.span, root, secrecy),
        None => (of_file(told, root), Shows::All),
    };
    let covered = |texts: &[String]| texts.iter().map(|text| secrecy.message(text)).collect();
    let related = told.labels.iter().filter(|label| !label.primary).take(MOST_RELATED).map(|label| {
        let (place, own) = of_source(&label.source, label.span, root, secrecy);
        let text =
            if own == Shows::Rule || shows == Shows::Rule { String::new() } else { secrecy.message(&label.text) };
        Some((place?, text))
    });
    let related: Vec<(Place, String)> = related.flatten().collect();
    let is_told = shows != Shows::Rule;
    Found {
        rule: finding.rule,
        severity: told.severity,
        message: if is_told { secrecy.message(&told.message) } else { finding.rule.code.title().into() },
        notes: if is_told { covered(&told.notes) } else { Vec::new() },
        help: if is_told { covered(&told.help) } else { Vec::new() },
        place,
        related,
        fingerprint: finding.fingerprint.clone(),
    }
}

fn of_file(told: &Diagnostic, root: &Path) -> Option<Place> {
    let location = told.locations.first()?;
    let path = plain(Path::new(&location.file));
    Some(Place { file: named(&path, root), path, line: location.line, column: location.column, text: None })
}

/// A place in a source, and what may be shown of it.
fn of_source(source: &Source, span: Span, root: &Path, secrecy: &Secrecy<'_>) -> (Option<Place>, Shows) {
    let path = plain(Path::new(source.name()));
    let span = source.clamp(span);
    let at = source.start(span);
    let whole = source.line(at.line);
    let text = source.slice(whole);
    let shows = secrecy.of(&path, span.range().start, text);
    let line = (shows == Shows::All).then(|| {
        let marked = [span.start, span.end].map(|at| (at.clamp(whole.start, whole.end) - whole.start) as usize);
        line(text, marked, &|text| secrecy.line(text))
    });
    let text = line.filter(|line| *line != Line::default());
    (Some(Place { file: named(&path, root), path, line: Some(at.line), column: Some(at.column), text }), shows)
}

/// A file, seen from the environment.
fn named(path: &Path, root: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}

/// Splits a line around its marked part. Nothing is marked if the line contains a secret.
fn line(text: &str, [start, end]: [usize; 2], covered: &dyn Fn(&str) -> String) -> Line {
    let text = text.trim_end_matches(['\n', '\r']);
    let whole = covered(text);
    if whole != text {
        return Line { before: shortened(&whole, LONGEST), ..Line::default() };
    }
    let parts = (text.get(..start), text.get(start..end.max(start)), text.get(end.max(start)..));
    let (Some(before), Some(marked), Some(after)) = parts else {
        return Line { before: shortened(text, LONGEST), ..Line::default() };
    };
    let skipped = before.chars().count().saturating_sub(BEFORE);
    let is_long = text.chars().nth(LONGEST).is_some();
    let before = match is_long && skipped > 0 {
        true => format!("…{}", before.chars().skip(skipped).collect::<String>()),
        false => before.trim_start().into(),
    };
    let marked = shortened(marked, LONGEST);
    let left = LONGEST.saturating_sub(before.chars().count() + marked.chars().count());
    Line { before, after: shortened(after, left), marked }
}

fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_shown_around_its_mark() {
        let plain = |text: &str| text.to_string();
        let of = |text: &str, marked: [usize; 2]| {
            let line = line(text, marked, &plain);
            [line.before, line.marked, line.after]
        };
        assert_eq!(of("  a: bcd\n", [5, 6]), ["a: ", "b", "cd"]);
        assert_eq!(of("é", [1, 2]), ["é", "", ""]);
        let [before, marked, after] = of(&format!("{}é{}", "x".repeat(500), "y".repeat(500)), [500, 502]);
        assert_eq!((before.chars().count(), marked.as_str()), (BEFORE + 1, "é"));
        assert!(after.ends_with("y…") && after.chars().count() < LONGEST);
        let line = line("a secret", [2, 8], &|text| text.replace("secret", "*"));
        assert_eq!((line.before.as_str(), line.marked.as_str()), ("a *", ""));
    }
}
