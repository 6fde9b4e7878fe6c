//! The route `/v1/findings`: the findings of `check`.

use std::time::Duration;

use axum::extract::{Query, State};
use serde::{Deserialize, Serialize};
#[cfg(test)]
use utoipa::{IntoParams, ToSchema};

use super::handlers::{ApiResult, answer, environment_name, query_parameters};
use crate::Shared;
use crate::findings::{self, CheckRequest, DisplayedFinding, Filter, FindingPosition};
use crate::problem::Problem;

/// The default number of findings in an answer.
const DEFAULT_FINDINGS: usize = 100;

/// The maximum number of findings in an answer.
const MAX_FINDINGS: usize = 10_000;

/// The maximum time to wait for a check, unless the time of a request is shorter.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// Selects the environment and the findings.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub(crate) struct FindingsQuery {
    /// The environment's name; the service's default without it.
    environment: Option<String>,
    /// The id of the rule.
    #[serde(default)]
    rule: String,
    /// `error`, `warning` or `note`.
    #[serde(default)]
    severity: String,
    /// A part of the name of the file, in any case of letters.
    #[serde(default)]
    file: String,
    /// A node: only findings in the data files that it reads, and in the configuration of its environment.
    node: Option<String>,
    /// Includes unneeded data and unused keys. Such findings are left out for secrets.
    #[serde(default)]
    hygiene: bool,
    /// The maximum number of findings (default: 100).
    #[cfg_attr(test, param(minimum = 1, maximum = 10000))]
    limit: Option<usize>,
}

/// The findings of `hieratic check` for an environment.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct FindingsResponse {
    /// The environment.
    environment: String,
    /// Whether the findings are those of the current files. If not, a check is running: retry.
    complete: bool,
    /// The number of files that were checked.
    files: usize,
    /// The number of nodes that were looked up.
    nodes: usize,
    /// The number of findings that comments suppress.
    ignored: usize,
    /// The parts that were not checked, with the reason: `3 manifests (modules of Puppetfile are missing: install
    /// them)`.
    not_judged: Vec<String>,
    /// The number of errors. `severity` does not filter this count, nor the next two.
    errors: usize,
    /// The number of warnings.
    warnings: usize,
    /// The number of notes.
    notes: usize,
    /// The rules that findings are of, the most frequent first; `rule` does not apply to their counts.
    rules: Vec<RuleRow>,
    /// The findings, the worst first.
    findings: Vec<FindingRow>,
    /// Whether there are more findings.
    more: bool,
}

/// A rule, and how many findings it has.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct RuleRow {
    /// The id of the rule.
    rule: String,
    /// The title of the rule.
    title: String,
    /// The number of findings of the rule.
    count: usize,
}

/// A finding.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct FindingRow {
    /// The id of the rule; `/finding?rule=ID` is its page.
    rule: String,
    /// `error`, `warning` or `note`.
    severity: String,
    /// The message; if a secret is involved, the title of the rule.
    message: String,
    /// Additional notes.
    notes: Vec<String>,
    /// Suggestions to fix the finding.
    help: Vec<String>,
    /// The position of the finding, if it is in a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<PlaceRow>,
    /// The related positions.
    related: Vec<PlaceRow>,
    /// The fingerprint, which does not change when the finding moves to another line.
    fingerprint: String,
}

/// A position in a file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct PlaceRow {
    /// The file, relative to the environment.
    file: String,
    /// The line, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    /// The column in characters, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    /// The source line, truncated if it is long; absent if it may contain a secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The label of the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
}

/// Lists the findings of `hieratic check` for an environment.
#[cfg_attr(test, utoipa::path(get, path = "/v1/findings", params(FindingsQuery), responses(
    (status = 200, description = "The findings", body = FindingsResponse),
    (status = "4XX", description = "The environment or the node does not exist", body = Problem, content_type = "application/problem+json"),
    (status = "5XX", description = "The data cannot be read", body = Problem, content_type = "application/problem+json")
)))]
pub(crate) async fn findings(
    State(service): State<Shared>,
    query: Result<Query<FindingsQuery>, axum::extract::rejection::QueryRejection>,
) -> ApiResult {
    let query = query_parameters(query)?;
    let shared = service.clone();
    answer(&service, move |service, budget| {
        let environment = environment_name(service, query.environment);
        if !["", "error", "warning", "note"].contains(&query.severity.as_str()) {
            let detail = format!("unknown severity '{}'", query.severity);
            return Err(Problem::bad_request(detail).help("use error, warning or note"));
        }
        let within =
            query.node.map(|node| findings::files_of_node(service, &environment, &node, budget)).transpose()?;
        let extent = CheckRequest { environment: environment.clone(), hygiene: query.hygiene };
        let known = findings::request_check(&shared, &extent, MAX_WAIT.min(service.limits.time / 2), budget)?;
        let filter = Filter { rule: query.rule, severity: query.severity, file: query.file, within, new: None };
        let limit = query.limit.unwrap_or(DEFAULT_FINDINGS).clamp(1, MAX_FINDINGS);
        let checked = known.result.as_deref();
        let chosen = filter.apply(checked.map(|checked| checked.findings.as_slice()).unwrap_or_default());
        let [errors, warnings, notes] = chosen.severities;
        let rule = |(rule, count): &(&'static hieratic_lint::Rule, usize)| RuleRow {
            rule: rule.id().into(),
            title: rule.code.title().into(),
            count: *count,
        };
        Ok(FindingsResponse {
            environment,
            complete: known.is_current,
            files: checked.map_or(0, |checked| checked.files),
            nodes: checked.map_or(0, |checked| checked.nodes),
            ignored: checked.map_or(0, |checked| checked.ignored),
            not_judged: checked.map(|checked| checked.not_judged.clone()).unwrap_or_default(),
            errors,
            warnings,
            notes,
            rules: chosen.rules.iter().map(rule).collect(),
            findings: chosen.findings.iter().take(limit).map(|found| row(found)).collect(),
            more: chosen.findings.len() > limit || checked.is_some_and(|checked| checked.all > checked.findings.len()),
        })
    })
    .await
}

fn row(found: &DisplayedFinding) -> FindingRow {
    let related = |(at, text): &(FindingPosition, String)| PlaceRow {
        label: Some(text.clone()).filter(|text| !text.is_empty()),
        ..place(at)
    };
    FindingRow {
        rule: found.rule.id().into(),
        severity: found.severity.name().into(),
        message: found.message.clone(),
        notes: found.notes.clone(),
        help: found.help.clone(),
        place: found.place.as_ref().map(place),
        related: found.related.iter().map(related).collect(),
        fingerprint: found.fingerprint.clone(),
    }
}

fn place(at: &FindingPosition) -> PlaceRow {
    let text = at.text.as_ref().map(|line| format!("{}{}{}", line.before, line.marked, line.after));
    PlaceRow { file: at.file.clone(), line: at.line, column: at.column, text, label: None }
}
