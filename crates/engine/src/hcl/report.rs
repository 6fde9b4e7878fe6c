//! Answers as tools and people are told them.

use hieratic_cty::Value;
use hieratic_diagnostics as told;
use hieratic_hcl::{Diagnostic, Diagnostics, Range, Severity};
use serde_json::{Map, Value as Json, json};

use super::{HclAnswer, HclValue};
use crate::codes;

impl HclAnswer {
    /// The answer as one JSON object: `value`, `type`, `string`, `json`, `logs` and `error`, and `special` for a value that
    /// JSON cannot hold.
    ///
    /// `value` and `json` are the value with all digits of its numbers, of a body its tree; `type` is a type constraint;
    /// `string` is what a template makes of it. `error` is null or an object with `phase` (`parse` or `eval`), `summary`,
    /// `detail`, `line`, `col`, `end_line`, `end_col` (zero where the error has no place), and `also`, the summaries of
    /// further errors.
    pub fn report(&self) -> Json {
        let (value, ty, infinite) = match &self.value {
            None => (Json::Null, Json::Null, false),
            Some(HclValue::Body { tree, infinite }) => {
                (if *infinite { Json::Null } else { tree.clone() }, "body".into(), *infinite)
            }
            Some(HclValue::Value(value)) => match value.to_json() {
                Ok(json) => (json, value.ty().constraint().into(), false),
                Err(_) => (Json::Null, value.ty().constraint().into(), value.is_wholly_known()),
            },
        };
        let string = match &self.value {
            Some(HclValue::Value(value)) => text(value).map_or(Json::Null, Json::String),
            _ => Json::Null,
        };
        let mut report = Map::new();
        report.insert("value".to_owned(), value.clone());
        report.insert("string".to_owned(), string);
        report.insert("type".to_owned(), ty);
        report.insert("json".to_owned(), value);
        report.insert("logs".to_owned(), warnings(&self.diagnostics));
        report.insert("error".to_owned(), self.error());
        if infinite {
            report.insert("special".to_owned(), "infinite".into());
        }
        Json::Object(report)
    }

    fn error(&self) -> Json {
        let mut errors = self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        let Some(first) = errors.next() else { return Json::Null };
        let mut error = json!({
            "phase": if self.unread { "parse" } else { "eval" },
            "summary": first.summary,
            "detail": first.detail,
            "line": 0, "col": 0, "end_line": 0, "end_col": 0,
        });
        if let Some(range) = &first.subject {
            let (start, end) = (range.start(), range.end());
            error["line"] = start.line.into();
            error["col"] = start.column.into();
            error["end_line"] = end.line.into();
            error["end_col"] = end.column.into();
        }
        let also: Vec<Json> = errors.map(|error| error.summary.as_ref().into()).collect();
        if !also.is_empty() {
            error["also"] = also.into();
        }
        error
    }
}

/// What a template makes of a value: of text, numbers and bools only.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.to_string()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(value) => Some(value.to_string()),
        _ => None,
    }
}

fn warnings(diagnostics: &Diagnostics) -> Json {
    let warnings = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Warning);
    warnings.map(|warning| json!(["warning", format!("{}; {}", warning.summary, warning.detail)])).collect()
}

/// Converts a diagnostic of HCL: the summary is the message, with a label on the range, and the detail is a note.
///
/// The text that it is about is shared, and so is where the lines of it begin.
///
/// ```
/// use hieratic::{HclKind, HclQuestion, evaluate_hcl, hcl_diagnostic, hcl_functions};
///
/// let question = HclQuestion { kind: HclKind::Body, name: "a.hcl".into(), text: "a = x\nb = y\n".into(), ..Default::default() };
/// let answer = evaluate_hcl(&question, &hcl_functions(None));
/// let told: Vec<_> = answer.diagnostics.iter().map(hcl_diagnostic).collect();
/// let text = |at: usize| told[at].labels[0].source.text().as_ptr();
/// assert_eq!((told.len(), text(0)), (2, text(1)));
/// ```
pub fn hcl_diagnostic(diagnostic: &Diagnostic) -> told::Diagnostic {
    let severity = match diagnostic.severity {
        Severity::Error => told::Severity::Error,
        Severity::Warning => told::Severity::Warning,
    };
    let mut out = told::Diagnostic::new(severity, codes::HCL, diagnostic.summary.as_ref());
    // Some messages of the reference have no place, but are about one.
    if let Some(range) = diagnostic.subject.as_ref().or(diagnostic.context.as_ref()) {
        out = placed(out, range);
    }
    if !diagnostic.detail.is_empty() {
        out = out.note(diagnostic.detail.as_ref());
    }
    match &diagnostic.hint {
        Some(hint) => out.help(hint.as_ref()),
        None => out,
    }
}

fn placed(diagnostic: told::Diagnostic, range: &Range) -> told::Diagnostic {
    let source = &range.source;
    if source.name().is_empty() {
        // What was given on the command line has no place.
        return diagnostic;
    }
    let start = source.start();
    if start.line == 1 && start.column == 1 && source.as_text().content().is_text() {
        return diagnostic.label(source.as_text().clone(), range.span, "");
    }
    // A text within another one, such as a template in JSON, has no lines of its own.
    let start = range.start();
    diagnostic.location(source.name().as_ref(), Some(start.line), Some(start.column))
}
