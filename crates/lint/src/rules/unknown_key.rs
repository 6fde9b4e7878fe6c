//! # unknown-key
//!
//! An interpolation looks up a key that no data has. (warning)
//!
//! ## What is found
//!
//! The key of a `lookup`, `hiera` or `alias` is not defined in any data file of the environment or its modules. Nothing
//! is reported if a level answers for keys that cannot be listed.
//!
//! ## Why it matters
//!
//! `lookup` and `alias` return the empty string.
//!
//! ## How to fix it
//!
//! Use the key that the help line suggests.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! url: "https://%{lookup('hots')}/"
//! host: www
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! url: "https://%{lookup('host')}/"
//! host: www
//! ```
//!
//! A comment `# hieratic: ignore unknown-key` on the same line or the line before accepts the finding.

use hieratic::lookup::Key;

use crate::finding::Finding;
use crate::rules;
use crate::walks::interpolations::KeyView;
use crate::workspace::suggestions::Suggestions;

/// The number of keys from which on one note lists them.
const MANY: usize = 5;

/// The most keys that the note names.
const SHOWN: usize = 5;

/// An interpolation that looks up a key that no data has.
pub(crate) struct UnknownKey {
    /// The key.
    pub(crate) key: String,
    /// Whether a key with a similar name exists.
    pub(crate) has_near: bool,
    /// The finding, at its place.
    pub(crate) finding: Finding,
}

/// A key that no data has, as far as that can be known.
pub(crate) fn unknown(
    key: &str,
    written: &str,
    view: &KeyView<'_>,
    suggestions: &mut Suggestions,
) -> Option<UnknownKey> {
    // A malformed key is another finding.
    let parsed = Key::parse(key).ok()?;
    let root = parsed.root();
    if view.keys.contains(&**root) || view.hidden || view.workspace.is_of_missing_module(root) {
        return None;
    }
    let message = format!("'{written}' looks up '{key}', which is not defined in any data file");
    let finding = Finding::new(&rules::UNKNOWN_KEY, message);
    let near = suggestions.nearest(root, view.keys.iter().copied());
    let finding = finding.help(match &near {
        Some(near) => format!("did you mean '{near}'?"),
        None => "add the key to the data, or remove the interpolation".to_owned(),
    });
    Some(UnknownKey { key: key.to_owned(), has_near: near.is_some(), finding })
}

/// Groups the findings of one file so that they can be read.
///
/// A key is reported once for a file, with its lines. Many unknown keys in one file are rarely mistakes: they are the
/// keys of data that is not in the repository, such as secrets, and become one note.
pub(crate) fn grouped(all: Vec<UnknownKey>) -> Vec<Finding> {
    let mut by_key: Vec<(UnknownKey, Vec<u32>)> = Vec::new();
    for one in all {
        match by_key.iter_mut().find(|(first, _)| first.key == one.key) {
            Some((_, lines)) => lines.extend(one.finding.line()),
            None => by_key.push((one, Vec::new())),
        }
    }
    if by_key.iter().filter(|one| is_elsewhere(one)).count() < MANY {
        return by_key.into_iter().map(|(first, lines)| with_lines(first.finding, &lines)).collect();
    }
    let (elsewhere, misspelled): (Vec<_>, Vec<_>) = by_key.into_iter().partition(is_elsewhere);
    let mut findings: Vec<Finding> =
        misspelled.into_iter().map(|(first, lines)| with_lines(first.finding, &lines)).collect();
    findings.extend(note(&elsewhere));
    findings
}

/// Returns whether a key is probably in data that is not here, and not misspelled.
fn is_elsewhere((first, _): &(UnknownKey, Vec<u32>)) -> bool {
    !first.has_near
}

/// One note for many keys, at the first of them.
fn note(elsewhere: &[(UnknownKey, Vec<u32>)]) -> Option<Finding> {
    let (source, span) = elsewhere.first()?.0.finding.primary()?;
    let names: Vec<&str> = elsewhere.iter().map(|(one, _)| one.key.as_str()).collect();
    let shown = names[..names.len().min(SHOWN)].join(", ");
    let more = if names.len() > SHOWN { format!(" and {} more", names.len() - SHOWN) } else { String::new() };
    let message = format!("The file looks up {} keys that no data file defines: {shown}{more}", names.len());
    let help =
        "if another place has them, name its level: private-levels = [\"Secrets\"] in hieratic.toml, table check";
    Some(Finding::new(&rules::UNKNOWN_KEY, message).at(source, span, "").help(help).lowered_to_note())
}

/// A finding with the other lines that it is about.
fn with_lines(finding: Finding, lines: &[u32]) -> Finding {
    let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
    match lines.as_slice() {
        [] => finding,
        [one] => finding.note(format!("also in line {one}")),
        several => finding.note(format!("also in lines {}", several.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use hieratic_diagnostics::{Severity, Source, Span};

    use super::*;

    fn unknown(key: &str, line: usize, has_near: bool) -> UnknownKey {
        let source = Source::new("a.yaml", "a\n".repeat(20));
        let finding = Finding::new(&rules::UNKNOWN_KEY, format!("looks up '{key}'"));
        UnknownKey {
            key: key.into(),
            has_near,
            finding: finding.at(&source, Span::new(2 * (line - 1), 2 * line - 1), ""),
        }
    }

    #[test]
    fn a_key_is_reported_once_per_file() {
        let findings = grouped(vec![unknown("a", 1, false), unknown("b", 2, false), unknown("a", 3, false)]);
        assert_eq!(findings.len(), 2);
        assert_eq!(findings[0].diagnostic.notes, ["also in line 3"]);
    }

    #[test]
    fn many_keys_are_one_note() {
        let mut all: Vec<UnknownKey> = (1..=6).map(|number| unknown(&format!("k{number}"), number, false)).collect();
        all.push(unknown("near", 7, true));
        let findings = grouped(all);
        assert_eq!(findings.len(), 2);
        assert_eq!(findings[0].severity(), Severity::Warning);
        let message = "The file looks up 6 keys that no data file defines: k1, k2, k3, k4, k5 and 1 more";
        assert_eq!(findings[1].diagnostic.message, message);
        assert_eq!(findings[1].severity(), Severity::Note);
    }
}
