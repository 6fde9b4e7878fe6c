//! The routes `/v1/changes` and `/v1/history`. The bodies are written by the same code as the output of the command;
//! the types here describe them.

use axum::extract::{Query, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
#[cfg(test)]
use utoipa::{IntoParams, ToSchema};

use super::handlers::{ApiResult, answer, environment_name, query_parameters};
#[cfg(test)]
use super::types::Any;
use crate::changes::{ComparisonRequest, ComparisonState};
use crate::problem::Problem;
use crate::{Shared, changes, history, json};

/// Selects the sides of a comparison, and its nodes and keys.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub(crate) struct ChangesQuery {
    /// The environment's name; the service's default without it.
    environment: Option<String>,
    /// The revision to compare with: a branch, a tag or a commit; `HEAD` without it.
    #[serde(default)]
    base: String,
    /// The revision of the head (default: the working tree).
    #[serde(default)]
    head: String,
    /// Compares with the merge base of both revisions instead.
    #[serde(default)]
    merge_base: bool,
    /// Only this node.
    #[serde(default)]
    node: String,
    /// Only keys that contain this, ignoring case; with `*` or `?` a pattern of whole keys.
    #[serde(default)]
    key: String,
}

/// The changes, as `hieratic diff --format json` prints them.
#[cfg(test)]
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is there for the description alone")]
pub(crate) struct ChangesResponse {
    /// The base with its commit.
    base: String,
    /// The head with its commit, or `the working tree`.
    head: String,
    /// A summary in one sentence: the changes and their nodes, the failures, and the parts that were not compared.
    headline: String,
    summary: ChangesSummary,
    overview: ChangesOverview,
    /// The changes that affect the same nodes; those of the most nodes first.
    groups: Vec<ChangesGroup>,
    /// The nodes whose lookups fail on one side.
    broken: Vec<BrokenNodes>,
    /// Empty: the service compares no catalogs.
    catalogs: Vec<ChangesGroup>,
    /// Class parameters whose type or default changes.
    parameters: Vec<ChangedParameter>,
    /// Empty: `/v1/findings` has the findings of the files as they are.
    #[schema(value_type = Vec<Any>)]
    findings: Vec<Json>,
    /// The Nomad jobs that change, as the settings run them; empty if the comparison is limited to a node or keys.
    #[schema(value_type = Vec<Any>)]
    jobs: Vec<Json>,
    /// The nodes and files that could not be compared, as sentences.
    not_compared: Vec<String>,
}

/// Counts of the changes.
#[cfg(test)]
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is there for the description alone")]
pub(crate) struct ChangesSummary {
    /// The number of nodes that were compared.
    nodes: usize,
    /// The number of nodes that were looked up; each other node is equal to one of them.
    #[schema(rename = "asked")]
    looked_up: usize,
    /// Whether the nodes were derived from the paths of data files, because no facts are stored.
    made_up: bool,
    /// The number of nodes with changes.
    changed_nodes: usize,
    /// The number of keys that change.
    changed_keys: usize,
    /// 0: the service compares no catalogs.
    changed_resources: usize,
    /// The number of lookups that fail in the head and succeed in the base.
    failures: usize,
}

/// The changes that affect the same nodes.
#[cfg(test)]
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is there for the description alone")]
pub(crate) struct ChangesGroup {
    nodes: ChangedNodes,
    changes: Vec<ChangedKey>,
}

/// The keys that change, each with all nodes on which it changes in the same way.
#[cfg(test)]
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is there for the description alone")]
pub(crate) struct ChangesOverview {
    /// Those that fail first, then those that change on the most nodes.
    keys: Vec<OverviewEntry>,
    /// Empty: the service compares no catalogs.
    resources: Vec<OverviewEntry>,
}

/// A key that changes.
#[cfg(test)]
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is there for the description alone")]
pub(crate) struct OverviewEntry {
    /// The key.
    name: String,
    /// `new`, `changed` or `removed`.
    state: String,
    /// "fails", or that the value differs by node.
    #[schema(required = false)]
    effect: Option<String>,
    /// The value in the base, or the parts of it that differ, as YAML on one line.
    before: Option<String>,
    /// The value in the head, in the same form.
    after: Option<String>,
    /// The number of other changes of the same key, which other nodes have.
    #[schema(required = false)]
    others: Option<usize>,
    /// The number of nodes.
    nodes: usize,
    /// The nodes, in words.
    which: String,
    /// The lines that cause the change.
    places: Vec<ChangePlace>,
}

/// Some nodes.
#[cfg(test)]
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is there for the description alone")]
pub(crate) struct ChangedNodes {
    /// The number of nodes.
    count: usize,
    /// The names of the nodes.
    names: Vec<String>,
    /// The facts that select exactly these nodes, if some do.
    #[schema(required = false, value_type = Option<Object>)]
    facts: Option<Json>,
}

/// A key whose answer changes.
#[cfg(test)]
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is there for the description alone")]
pub(crate) struct ChangedKey {
    key: String,
    /// The parts that differ; empty if there were too many changes to inspect each one.
    parts: Vec<ChangedPart>,
    /// The causes of the change.
    causes: Vec<String>,
    /// Additional notes.
    #[schema(required = false)]
    remarks: Option<Vec<String>>,
    /// The first cause that is in a file.
    #[schema(required = false)]
    place: Option<ChangePlace>,
}

/// A part of a value on one side.
#[cfg(test)]
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is there for the description alone")]
pub(crate) struct ChangedPart {
    /// `base` or `head`.
    side: String,
    /// The keys and indexes that lead to it. For an element of a set, null or a hash with its name or id replaces the
    /// index.
    #[schema(value_type = Vec<Any>)]
    path: Vec<Json>,
    /// Whether an element is in another order. What else has changed in it is in other parts.
    #[schema(required = false)]
    moved: Option<bool>,
    /// The value, unless there is an error; secrets are redacted.
    #[schema(required = false, value_type = Any)]
    value: Option<Json>,
    /// The reason why there is no value.
    #[schema(required = false)]
    error: Option<String>,
    /// The origin of the value: file and line, relative to the repository.
    #[schema(required = false)]
    origin: Option<String>,
    /// Whether a part of the value is redacted.
    #[schema(required = false)]
    redacted: Option<bool>,
}

/// A line of a file.
#[cfg(test)]
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is there for the description alone")]
pub(crate) struct ChangePlace {
    /// The file, relative to the repository.
    file: String,
    /// The line, counted from 1.
    line: u32,
}

/// Nodes whose lookups fail on one side.
#[cfg(test)]
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is there for the description alone")]
pub(crate) struct BrokenNodes {
    nodes: ChangedNodes,
    /// `lookup`.
    what: String,
    /// The error in the base.
    base: Option<String>,
    /// The error in the head.
    head: Option<String>,
}

/// A class parameter whose declaration changes.
#[cfg(test)]
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is there for the description alone")]
pub(crate) struct ChangedParameter {
    key: String,
    /// The type and default in the base, if the parameter exists there.
    base: Option<String>,
    /// The type and default in the head, if the parameter exists there.
    head: Option<String>,
    place: ChangePlace,
}

/// Lists the changes between two revisions, or between a revision and the working tree.
#[cfg_attr(test, utoipa::path(get, path = "/v1/changes", params(ChangesQuery), responses(
    (status = 200, description = "The changes", body = ChangesResponse),
    (status = "4XX", description = "The environment, a revision or the node does not exist, or there is no git repository", body = Problem, content_type = "application/problem+json"),
    (status = "5XX", description = "The comparison takes longer than a request may: it continues, retry", body = Problem, content_type = "application/problem+json")
)))]
pub(crate) async fn changes(
    State(service): State<Shared>,
    query: Result<Query<ChangesQuery>, axum::extract::rejection::QueryRejection>,
) -> ApiResult {
    let ChangesQuery { environment, base, head, merge_base, node, key } = query_parameters(query)?;
    answer(&service, move |service, budget| {
        let environment = environment_name(service, environment);
        let request = ComparisonRequest {
            environment,
            base,
            head,
            from_merge_base: merge_base,
            node,
            key,
            ..ComparisonRequest::default()
        };
        // The rest of the request's time is needed to report that the comparison is still running.
        let patience = service.limits.time.mul_f32(0.8);
        match changes::request_comparison(service, &request, patience, budget)? {
            ComparisonState::Done(report) => match report.to_value() {
                Ok(value) => Ok(json::of_value(&value, false)),
                Err(fault) => Err(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, fault.to_string())),
            },
            ComparisonState::Running(since) => {
                let detail = format!("the comparison is in progress, for {} s so far", since.as_secs());
                Err(Problem::unavailable(detail)
                    .help("retry within a minute to get the result, or restrict the comparison to a node or keys"))
            }
        }
    })
    .await
}

/// Selects the key and the node of a history.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub(crate) struct HistoryQuery {
    /// The environment's name; the service's default without it.
    environment: Option<String>,
    /// The node.
    node: String,
    /// The key.
    key: String,
    /// The commit to begin at, as `next` names it; `HEAD` without it.
    #[serde(default)]
    from: String,
}

/// The commits that changed an answer, newest first.
#[derive(Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub(crate) struct HistoryResponse {
    /// The environment.
    environment: String,
    /// The node.
    node: String,
    /// The key.
    key: String,
    /// Whether the value is secret today. Its past is not shown then.
    secret: bool,
    /// The commits, as `hieratic history --render-as json` prints them.
    #[cfg_attr(test, schema(value_type = Vec<HistoryEntry>))]
    changes: Vec<Json>,
    /// The commit at which to continue, if there are older ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    /// Whether the repository is a shallow clone, so that older commits are missing.
    shallow: bool,
}

/// A commit that changed the answer.
#[cfg(test)]
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is there for the description alone")]
pub(crate) struct HistoryEntry {
    /// The id of the commit.
    commit: String,
    /// The author's name.
    author: String,
    /// The author's mail address.
    mail: String,
    /// The day, in UTC.
    date: String,
    /// The first line of its message.
    summary: String,
    /// The parts of the answer that the commit changed.
    parts: Vec<HistoryPart>,
}

/// A part of a value that differs.
#[cfg(test)]
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is there for the description alone")]
pub(crate) struct HistoryPart {
    /// The keys and indexes that lead to it.
    #[schema(value_type = Vec<Any>)]
    path: Vec<Json>,
    /// The path before the commit, if an element is in another order. What else has changed in it is in other parts.
    #[schema(required = false, value_type = Option<Vec<Any>>)]
    moved_from: Option<Vec<Json>>,
    /// The part before the commit; null if it did not exist.
    before: Option<HistorySide>,
    /// The part after the commit; null if it does not exist.
    after: Option<HistorySide>,
}

/// A part of a value at a commit.
#[cfg(test)]
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is there for the description alone")]
pub(crate) struct HistorySide {
    /// The value, unless there is an error; secrets are redacted.
    #[schema(required = false, value_type = Any)]
    value: Option<Json>,
    /// The reason why there is no value.
    #[schema(required = false)]
    error: Option<String>,
    /// The origin of the value: file and line, relative to the repository.
    #[schema(required = false)]
    origin: Option<String>,
}

/// Lists the commits that changed the answer to a key for a node.
#[cfg_attr(test, utoipa::path(get, path = "/v1/history", params(HistoryQuery), responses(
    (status = 200, description = "The commits", body = HistoryResponse),
    (status = "4XX", description = "The environment or the node does not exist, or there is no git repository", body = Problem, content_type = "application/problem+json"),
    (status = "5XX", description = "The data cannot be read", body = Problem, content_type = "application/problem+json")
)))]
pub(crate) async fn history(
    State(service): State<Shared>,
    query: Result<Query<HistoryQuery>, axum::extract::rejection::QueryRejection>,
) -> ApiResult {
    let HistoryQuery { environment, node, key, from } = query_parameters(query)?;
    answer(&service, move |service, budget| {
        let environment = environment_name(service, environment);
        let history::KeyHistory { history, is_secret, root, .. } =
            history::key_history(service, &environment, &node, &key, &from, budget)?;
        let origin = |origin: &hieratic::lookup::Origin| history::origin(&root, origin);
        let changes = history.entries.iter().map(|entry| json::of_value(&entry.to_value(&origin), false)).collect();
        let next = history.next.map(|commit| commit.to_string());
        Ok(HistoryResponse { environment, node, key, secret: is_secret, changes, next, shallow: history.is_cut_off })
    })
    .await
}
