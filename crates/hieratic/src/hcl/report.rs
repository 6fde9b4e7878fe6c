//! The reports of answers for tools and people.

use hieratic_hcl_eval::{Problems, Severity};
use hieratic_hcl_types::Value;
use serde_json::{Map, Value as Json, json};

use super::{HclOutput, HclValue};

impl HclOutput {
    /// Returns the answer as one JSON object: `value`, `type`, `string`, `json`, `logs` and `error`, and `special` for
    /// a value that JSON cannot represent.
    ///
    /// `value` and `json` are the value with all digits of its numbers, or the tree of a body; `type` is a type
    /// constraint; `string` is the value in a template. `error` is null or an object with `phase` (`parse` or `eval`),
    /// `summary`, `detail`, `line`, `col`, `end_line`, `end_col` (zero if the error has no position), and `also`, the
    /// summaries of further errors.
    pub fn report(&self) -> Json {
        let (value, ty, infinite) = match &self.value {
            None => (Json::Null, Json::Null, false),
            Some(HclValue::Body { tree, infinite }) => {
                (if *infinite { Json::Null } else { tree.clone() }, "body".into(), *infinite)
            }
            Some(HclValue::Value(value)) => match value.to_json() {
                Ok(json) => (json, value.ty().constraint().into(), false),
                // JSON has no infinite number: the field `special` marks it.
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
        report.insert("logs".to_owned(), warnings(&self.problems));
        report.insert("error".to_owned(), self.error());
        if infinite {
            report.insert("special".to_owned(), "infinite".into());
        }
        Json::Object(report)
    }

    fn error(&self) -> Json {
        let mut errors = self.problems.iter().filter(|problem| problem.severity == Severity::Error);
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

/// Converts a value as a template does: only strings, numbers and bools.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.to_string()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(value) => Some(value.to_string()),
        _ => None,
    }
}

fn warnings(problems: &Problems) -> Json {
    let warnings = problems.iter().filter(|problem| problem.severity == Severity::Warning);
    warnings.map(|warning| json!(["warning", format!("{}; {}", warning.summary, warning.detail)])).collect()
}
