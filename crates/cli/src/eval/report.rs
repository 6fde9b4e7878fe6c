//! An evaluation as one JSON object.

use hieratic::code::{Evaluation, Report, ReportedError, ReportedLog};
use hieratic::{Hash, Redactor, Value};

/// The report of an evaluation. Secrets are redacted unless the redactor reveals them.
pub(super) fn from_evaluation(evaluation: &Evaluation, redactor: &Redactor) -> Report {
    let redact = |text: &String| redactor.text(text).into_owned();
    let report = match &evaluation.value {
        Ok(value) if redactor.reveals() => evaluation.report_of(&redactor.open_value(value)),
        Ok(value) => {
            let plain = evaluation.report();
            // The type is that of the value itself. It may quote it.
            Report { kind: plain.kind.as_ref().map(redact), ..evaluation.report_of(&redactor.open_value(value)) }
        }
        Err(_) => evaluation.report(),
    };
    let quoted = evaluation.value.as_ref().err().and_then(|failure| failure.quoted.as_deref());
    let logs = evaluation.logs.iter().zip(report.logs).map(|(log, ReportedLog { level, text })| {
        let text =
            if log.site.is_none() { redactor.text(&text).into_owned() } else { redactor.message(&text).into_owned() };
        ReportedLog { level, text }
    });
    let error = report.error.map(|error| ReportedError {
        message: redactor.message_with(&error.message, quoted.as_slice()).into_owned(),
        ..error
    });
    Report { logs: logs.collect(), error, ..report }
}

/// The report in one line.
pub(super) fn json(report: &Report) -> String {
    json_with(report, [])
}

/// The report in one line, with what only one language has to say.
pub(super) fn json_with<const MORE: usize>(report: &Report, more: [(&str, Value); MORE]) -> String {
    let text = |text: &Option<String>| text.as_deref().map_or(Value::Undef, Value::from);
    let logs: Value = report
        .logs
        .iter()
        .map(|ReportedLog { level, text }| vec![level.as_str().into(), text.as_str().into()].into())
        .collect();
    let error = match &report.error {
        None => Value::Undef,
        Some(ReportedError { message, line, column }) => {
            let number = |number: &Option<u32>| number.map_or(Value::Undef, |number| Value::from(i64::from(number)));
            let pairs = [("message", message.as_str().into()), ("line", number(line)), ("column", number(column))];
            pairs.into_iter().collect::<Hash>().into()
        }
    };
    let object: Hash = [
        ("value", text(&report.value)),
        ("string", text(&report.string)),
        ("type", text(&report.kind)),
        ("json", report.json.clone().unwrap_or_default()),
        ("logs", logs),
        ("error", error),
    ]
    .into_iter()
    .chain(more)
    .collect();
    line(&object.into())
}

/// Data as JSON in one line.
pub(super) fn line(value: &Value) -> String {
    // A value that cannot be written as JSON, such as one of 100 levels, is replaced by an error.
    hieratic_output::json(value).unwrap_or_else(|error| format!("{{\"error\":{{\"message\":\"{error}\"}}}}"))
}
