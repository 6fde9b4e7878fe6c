//! Renders messages as SARIF 2.1.0, for the viewers of code scanners.
//!
//! See <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value, json as object};

use super::control_chars::sanitize_json;
use crate::{Code, Diagnostic, Label, Location};

/// The program that found the problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tool<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its version.
    pub version: &'a str,
}

/// Returns a complete log without fingerprints, and without a newline at the end. `rules` describes the codes; a code
/// that it lacks is written without a description.
///
/// ```
/// use hieratic_diagnostics::{Code, Diagnostic, Severity, render};
///
/// const CODE: Code = Code::new("all-well", "Nothing is wrong");
/// let tool = render::Tool { name: "hieratic", version: "0.1.0" };
/// let log = render::sarif(&[Diagnostic::new(Severity::Note, CODE, "nothing is wrong")], &[], &tool);
/// assert!(log.contains(r#""version":"2.1.0""#) && log.contains(r#""ruleId":"all-well""#));
/// ```
pub fn sarif(diagnostics: &[Diagnostic], rules: &[SarifRule<'_>], tool: &Tool<'_>) -> String {
    let results: Vec<SarifResult<'_>> =
        diagnostics.iter().map(|diagnostic| SarifResult { diagnostic, fingerprint: None }).collect();
    sarif_log(&results, &[], rules, tool)
}

/// The description of a code.
#[derive(Clone, Debug)]
pub struct SarifRule<'a> {
    /// The code.
    pub code: Code,
    /// A paragraph that explains the code.
    pub explanation: &'a str,
    /// The address of its page.
    pub page: Option<String>,
}

/// An entry of a log.
#[derive(Clone, Copy, Debug)]
pub struct SarifResult<'a> {
    /// The message.
    pub diagnostic: &'a Diagnostic,
    /// A fingerprint that is equal for the same finding in every version of the file, on whichever line it is.
    pub fingerprint: Option<&'a str>,
}

/// Returns a complete log with fingerprints, without a newline at the end. `notes` are about the run, such as skipped
/// files, and become notifications of the tool.
pub fn sarif_log(
    results: &[SarifResult<'_>],
    notes: &[Diagnostic],
    rules: &[SarifRule<'_>],
    tool: &Tool<'_>,
) -> String {
    let mut ids: Vec<&str> = results.iter().map(|result| result.diagnostic.code.id()).collect();
    ids.sort_unstable();
    ids.dedup();
    let rules: Vec<Value> = ids.iter().map(|id| rule(id, rules)).collect();
    let results: Vec<Value> = results
        .iter()
        .map(|of| {
            let mut result = result(of.diagnostic, &ids);
            if let Some(fingerprint) = of.fingerprint {
                result["partialFingerprints"] = object!({"hieratic/v1": fingerprint});
            }
            result
        })
        .collect();
    let mut run = object!({
        "tool": {"driver": {"name": tool.name, "version": tool.version, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "results": results,
    });
    if !notes.is_empty() {
        let notes: Vec<Value> = notes.iter().map(notification).collect();
        run["invocations"] = object!([{"executionSuccessful": true, "toolExecutionNotifications": notes}]);
    }
    let log = object!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    });
    sanitize_json(&log.to_string())
}

/// A code as the viewers show it.
fn rule(id: &str, rules: &[SarifRule<'_>]) -> Value {
    let Some(known) = rules.iter().find(|rule| rule.code == id) else { return object!({"id": id}) };
    let mut rule = object!({
        "id": id,
        "shortDescription": {"text": known.code.title()},
        "fullDescription": {"text": known.explanation},
    });
    if let Some(page) = &known.page {
        rule["helpUri"] = page.as_str().into();
    }
    rule
}

/// A message about the run.
fn notification(note: &Diagnostic) -> Value {
    let mut value = object!({
        "descriptor": {"id": note.code.id()},
        "level": note.severity.name(),
        "message": {"text": text_of(note)},
    });
    if let Some(location) = note.locations.first() {
        value["locations"] = object!([of_location(location)]);
    }
    value
}

/// The message with its notes and help.
pub(super) fn text_of(diagnostic: &Diagnostic) -> String {
    let texts = std::iter::once(&diagnostic.message).chain(&diagnostic.notes).chain(&diagnostic.help);
    texts.map(String::as_str).collect::<Vec<_>>().join("\n")
}

fn result(diagnostic: &Diagnostic, ids: &[&str]) -> Value {
    let (primary, related): (Vec<&Label>, Vec<&Label>) = diagnostic.labels.iter().partition(|label| label.primary);
    let mut locations: Vec<Value> = primary.into_iter().map(of_label).collect();
    let mut others: Vec<Value> = related.into_iter().map(of_label).collect();
    // A position without a source is primary only if there is no better one.
    let rest = diagnostic.locations.iter().map(of_location);
    if locations.is_empty() {
        locations.extend(rest)
    } else {
        others.extend(rest)
    }

    let text = text_of(diagnostic);
    let mut result = object!({
        "ruleId": diagnostic.code.id(),
        "level": diagnostic.severity.name(),
        "message": {"text": text},
        "locations": locations,
    });
    if let Ok(index) = ids.binary_search(&diagnostic.code.id()) {
        result["ruleIndex"] = index.into();
    }
    if !others.is_empty() {
        result["relatedLocations"] = others.into();
    }
    result
}

fn of_label(label: &Label) -> Value {
    let (start, end) = label.source.ends(label.span);
    let mut location = physical(label.source.name());
    location["physicalLocation"]["region"] = object!({
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    });
    if !label.text.is_empty() {
        location["message"] = object!({"text": label.text});
    }
    location
}

fn of_location(location: &Location) -> Value {
    let mut value = physical(&location.file);
    // Numbers below 1 are not allowed, nor is a column without a line.
    if let Some(line) = location.line.filter(|line| *line > 0) {
        let mut region = Map::from_iter([("startLine".to_string(), line.into())]);
        if let Some(column) = location.column.filter(|column| *column > 0) {
            region.insert("startColumn".into(), column.into());
        }
        value["physicalLocation"]["region"] = region.into();
    }
    value
}

fn physical(file: &str) -> Value {
    object!({"physicalLocation": {"artifactLocation": {"uri": uri(file)}}})
}

/// The characters that a path in a URI may hold as they are (RFC 3986, section 3.3), without the colon, which would end
/// a scheme.
const NOT_IN_PATHS: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// A path as a URI: relative paths stay relative, to the root of the repository as viewers take it.
fn uri(file: &str) -> String {
    let path = utf8_percent_encode(file, NOT_IN_PATHS);
    let is_on_drive =
        cfg!(windows) && matches!(file.as_bytes(), [letter, b':', b'/', ..] if letter.is_ascii_alphabetic());
    match file.starts_with('/') {
        true => format!("file://{path}"),
        false if is_on_drive => format!("file:///{path}"),
        false => path.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("data/common.yaml"), "data/common.yaml");
        assert_eq!(uri("/etc/a b.yaml"), "file:///etc/a%20b.yaml");
        assert_eq!(uri("<stdin>"), "%3Cstdin%3E");
        assert_eq!(uri("a:é%"), "a%3A%C3%A9%25");
    }
}
