//! The handlers of the API's routes.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hieratic::budget::Budget;
use hieratic::dependencies::AccessLog;
use hieratic::{Facts, Hash, Strategy, Value};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Map;
use sha2::{Digest, Sha256};

use super::types::{
    EnvironmentQuery, EnvironmentsResponse, ExplainRequest, ExplainResponse, Explained, FactsResponse, FindQuery,
    Health, HierarchyQuery, KeysResponse, LayersResponse, ListQuery, LookupRequest, LookupResponse, NodesResponse,
};
#[cfg(test)]
use super::types::{FindResponse, HierarchyResponse, SpreadResponse};
use crate::answer_memory::{self, MemoryReservation};
use crate::chosen_facts::ChosenFacts;
use crate::lookups::{self, LookupOptions};
use crate::nodes::NodeSelector;
use crate::problem::Problem;
use crate::{Shared, json, search};

type JsonObject = Map<String, serde_json::Value>;
pub(super) type ApiResult = Result<Body, Problem>;

/// An answer as JSON, written where the work was done.
pub(crate) struct Body(Bytes);

impl IntoResponse for Body {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], self.0).into_response()
    }
}

/// The maximum number of keys in one request.
const MAX_KEYS: usize = 1000;

/// The maximum number of names in one answer.
const MAX_NAMES: usize = 10_000;

/// The default number of names in an answer.
const DEFAULT_NAMES: usize = 1000;

/// The maximum number of places of repeated nodes in an answer.
const MAX_REPEATED: usize = 100;

/// The default number of results of each kind in an answer.
const DEFAULT_RESULTS: usize = 50;

/// The maximum number of results of each kind in an answer.
const MAX_RESULTS: usize = 1000;

/// The maximum length of a type, in bytes. A mismatch is reported for every part of a value, which a long type
/// multiplies.
const MAX_TYPE_LENGTH: usize = 4096;

/// Looks keys up for a node.
#[cfg_attr(test, utoipa::path(post, path = "/v1/lookup", request_body = LookupRequest, responses(
    (status = 200, description = "One answer for every key, with or without a value", body = LookupResponse),
    (status = "4XX", description = "The request is invalid", body = Problem, content_type = "application/problem+json"),
    (status = "5XX", description = "The request cannot be answered at the moment", body = Problem, content_type = "application/problem+json")
)))]
pub(crate) async fn lookup(State(service): State<Shared>, headers: HeaderMap, body: Bytes) -> ApiResult {
    answer(&service, move |service, budget| {
        let request: LookupRequest = read(&headers, &body)?;
        if request.keys.is_empty() || request.keys.len() > MAX_KEYS {
            return Err(Problem::bad_request(format!("expected 1 to {MAX_KEYS} keys, got {}", request.keys.len())));
        }
        let selector = node_selector(request.node, request.facts, request.trusted, request.variables)?;
        let options = LookupOptions {
            merge: merge(request.merge)?,
            default: request.default.as_ref().map(json::to_value).transpose().map_err(Problem::bad_request)?,
            value_type: match &request.value_type {
                Some(text) if text.len() > MAX_TYPE_LENGTH => {
                    let detail = format!("`type` has {} bytes; the maximum is {MAX_TYPE_LENGTH}", text.len());
                    return Err(Problem::bad_request(detail));
                }
                Some(text) => Some(
                    hieratic::puppet_types::parse(text)
                        .map_err(|error| Problem::bad_request(format!("`type` is not a valid type: {error}")))?,
                ),
                None => None,
            },
            strict_knockout: request.strict_knockout,
            origins: request.origins,
            reveal: allowed(service, request.reveal)?,
        };
        let keys = request.keys;
        let environment = environment_name(service, request.environment);
        let node = selector.name().map(String::from);
        let answers = service.nodes.ask(&environment, &selector, budget, &|node| {
            let mut room = MemoryReservation::new(&service.answers);
            let mut answers = Vec::new();
            for key in &keys {
                // A request that was cancelled is not started.
                if node.budget.ended().is_err() {
                    break;
                }
                let answer = lookups::lookup(node, key, &options);
                room.grow(answer.value.as_ref().map_or(0, answer_memory::min_json_bytes))?;
                answers.push(answer);
            }
            Ok::<_, Problem>(answers)
        })??;
        answers.iter().for_each(|answer| service.metrics.answered(answer));
        Ok(LookupResponse { environment, node, answers })
    })
    .await
}

/// Explains every step of the lookup of a key.
#[cfg_attr(test, utoipa::path(post, path = "/v1/explain", request_body = ExplainRequest, responses(
    (status = 200, description = "The explanation", body = ExplainResponse),
    (status = "4XX", description = "The request is invalid", body = Problem, content_type = "application/problem+json"),
    (status = "5XX", description = "The request cannot be answered at the moment", body = Problem, content_type = "application/problem+json")
)))]
pub(crate) async fn explain(State(service): State<Shared>, headers: HeaderMap, body: Bytes) -> ApiResult {
    answer(&service, move |service, budget| {
        let request: ExplainRequest = read(&headers, &body)?;
        let selector = node_selector(request.node, request.facts, request.trusted, request.variables)?;
        let reveal = allowed(service, request.reveal)?;
        let options = LookupOptions { merge: merge(request.merge)?, reveal, ..LookupOptions::default() };
        let environment = environment_name(service, request.environment);
        let node = selector.name().map(String::from);
        let explained = service.nodes.ask(&environment, &selector, budget, &|node| {
            lookups::explain(node, &request.key, &options, request.only_options)
        })?;
        let Explained { answer, text, explanation } = explained;
        Ok(ExplainResponse { environment, node, answer, text, explanation })
    })
    .await
}

/// Lists the environments.
#[cfg_attr(test, utoipa::path(get, path = "/v1/environments", responses(
    (status = 200, description = "The environments", body = EnvironmentsResponse)
)))]
pub(crate) async fn environments(State(service): State<Shared>) -> ApiResult {
    answer(&service, |service, _| {
        let default = service.nodes.environments.default_name();
        Ok(EnvironmentsResponse { environments: service.nodes.environments.names(), default })
    })
    .await
}

/// Lists the nodes whose facts are stored.
#[cfg_attr(test, utoipa::path(get, path = "/v1/nodes", params(ListQuery), responses(
    (status = 200, description = "The nodes", body = NodesResponse),
    (status = "5XX", description = "The facts cannot be read at the moment", body = Problem, content_type = "application/problem+json")
)))]
pub(crate) async fn nodes(
    State(service): State<Shared>,
    query: Result<Query<ListQuery>, axum::extract::rejection::QueryRejection>,
) -> ApiResult {
    let query = query_parameters(query)?;
    answer(&service, move |service, _| {
        let limit = query.limit.unwrap_or(DEFAULT_NAMES).clamp(1, MAX_NAMES);
        let (nodes, more) = lookups::select_names(service.names()?, &query.search, query.after.as_deref(), limit);
        let repeated = service.stored.repeated()?.iter().take(MAX_REPEATED).cloned().collect();
        Ok(NodesResponse { nodes, more, repeated })
    })
    .await
}

/// Lists the keys that a node's hierarchies can answer.
#[cfg_attr(test, utoipa::path(get, path = "/v1/nodes/{node}/keys", params(("node" = String, Path, description = "The node's name"), ListQuery),
    responses(
    (status = 200, description = "The keys", body = KeysResponse),
    (status = "4XX", description = "The node does not exist", body = Problem, content_type = "application/problem+json"),
    (status = "5XX", description = "The data cannot be read", body = Problem, content_type = "application/problem+json")
)))]
pub(crate) async fn keys(
    State(service): State<Shared>,
    path: Result<Path<String>, axum::extract::rejection::PathRejection>,
    query: Result<Query<ListQuery>, axum::extract::rejection::QueryRejection>,
) -> ApiResult {
    let (node, query) = (path_parameters(path)?, query_parameters(query)?);
    answer(&service, move |service, budget| {
        let environment = environment_name(service, query.environment);
        let limit = query.limit.unwrap_or(DEFAULT_NAMES).clamp(1, MAX_NAMES);
        let selector = NodeSelector::Stored(node.clone());
        let found = service.nodes.ask(&environment, &selector, budget, &|node| {
            lookups::keys(node, &query.search, query.after.as_deref(), limit)
        })?;
        let (keys, more) = found?;
        Ok(KeysResponse { environment, node, keys, more })
    })
    .await
}

/// Lists the values that each level defines for a key.
#[cfg_attr(test, utoipa::path(get, path = "/v1/nodes/{node}/layers/{key}", params(
    ("node" = String, Path, description = "The node's name"), ("key" = String, Path, description = "The key"), EnvironmentQuery),
    responses(
    (status = 200, description = "The levels", body = LayersResponse),
    (status = "4XX", description = "The node does not exist", body = Problem, content_type = "application/problem+json"),
    (status = "5XX", description = "The data cannot be read", body = Problem, content_type = "application/problem+json")
)))]
pub(crate) async fn layers(
    State(service): State<Shared>,
    path: Result<Path<(String, String)>, axum::extract::rejection::PathRejection>,
    query: Result<Query<EnvironmentQuery>, axum::extract::rejection::QueryRejection>,
) -> ApiResult {
    let ((node, key), query) = (path_parameters(path)?, query_parameters(query)?);
    answer(&service, move |service, budget| {
        let environment = environment_name(service, query.environment);
        let selector = NodeSelector::Stored(node.clone());
        let (answer, layers) = service.nodes.ask(&environment, &selector, budget, &|node| {
            (lookups::lookup(node, &key, &LookupOptions::default()), lookups::layers(node, &key, false))
        })?;
        Ok(LayersResponse { environment, node, answer, layers: layers? })
    })
    .await
}

/// Finds keys, values, nodes, files and facts on all nodes.
#[cfg_attr(test, utoipa::path(get, path = "/v1/find", params(FindQuery), responses(
    (status = 200, description = "The results", body = FindResponse),
    (status = "4XX", description = "The environment does not exist", body = Problem, content_type = "application/problem+json"),
    (status = "5XX", description = "The data cannot be read", body = Problem, content_type = "application/problem+json")
)))]
pub(crate) async fn find(
    State(service): State<Shared>,
    query: Result<Query<FindQuery>, axum::extract::rejection::QueryRejection>,
) -> ApiResult {
    let query = query_parameters(query)?;
    answer(&service, move |service, budget| {
        let environment = environment_name(service, query.environment);
        let limit = query.limit.unwrap_or(DEFAULT_RESULTS).clamp(1, MAX_RESULTS);
        let index = service.fleet.index(service, &environment, budget)?;
        let name = service.namer(&environment)?;
        let mut found = search::find(&index, &environment, &query.q, limit, &name, budget)?;
        search::locate_parts(service, &mut found, budget)?;
        Ok(found)
    })
    .await
}

/// Lists the values of a key on all nodes.
#[cfg_attr(test, utoipa::path(get, path = "/v1/keys/{key}/values", params(("key" = String, Path, description = "The key"), EnvironmentQuery), responses(
    (status = 200, description = "The values", body = SpreadResponse),
    (status = "4XX", description = "The environment does not exist", body = Problem, content_type = "application/problem+json"),
    (status = "5XX", description = "The data cannot be read", body = Problem, content_type = "application/problem+json")
)))]
pub(crate) async fn spread(
    State(service): State<Shared>,
    path: Result<Path<String>, axum::extract::rejection::PathRejection>,
    query: Result<Query<EnvironmentQuery>, axum::extract::rejection::QueryRejection>,
) -> ApiResult {
    let (key, query) = (path_parameters(path)?, query_parameters(query)?);
    answer(&service, move |service, budget| {
        let environment = environment_name(service, query.environment);
        let index = service.fleet.index(service, &environment, budget)?;
        let name = service.namer(&environment)?;
        let chosen = ChosenFacts::new(service, &environment)?;
        search::spread(&index, &environment, &key, &name, &chosen, budget)
    })
    .await
}

/// Counts the files and keys that each level of the hierarchies contributes, on all nodes and on groups of them.
#[cfg_attr(test, utoipa::path(get, path = "/v1/hierarchy", params(HierarchyQuery), responses(
    (status = 200, description = "The levels", body = HierarchyResponse),
    (status = "4XX", description = "The environment does not exist", body = Problem, content_type = "application/problem+json"),
    (status = "5XX", description = "The data cannot be read", body = Problem, content_type = "application/problem+json")
)))]
pub(crate) async fn hierarchy(
    State(service): State<Shared>,
    query: Result<Query<HierarchyQuery>, axum::extract::rejection::QueryRejection>,
) -> ApiResult {
    let query = query_parameters(query)?;
    answer(&service, move |service, budget| {
        let environment = environment_name(service, query.environment);
        let index = service.fleet.index(service, &environment, budget)?;
        search::hierarchy(&index, &environment, query.by.as_deref(), budget)
    })
    .await
}

/// Returns the stored facts of a node.
#[cfg_attr(test, utoipa::path(get, path = "/v1/nodes/{node}/facts", params(("node" = String, Path, description = "The node's name")), responses(
    (status = 200, description = "The facts", body = FactsResponse),
    (status = "4XX", description = "The node does not exist", body = Problem, content_type = "application/problem+json"),
    (status = "5XX", description = "The facts cannot be read", body = Problem, content_type = "application/problem+json")
)))]
pub(crate) async fn facts(
    State(service): State<Shared>,
    path: Result<Path<String>, axum::extract::rejection::PathRejection>,
) -> ApiResult {
    let node = path_parameters(path)?;
    answer(&service, move |service, _| {
        let facts = service.stored.facts(&node, &AccessLog::default())?.facts;
        let serde_json::Value::Object(facts) = json::of_value(&Value::Hash(facts.facts().clone()), false) else {
            return Err(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "the facts are not an object"));
        };
        Ok(FactsResponse { node, facts })
    })
    .await
}

/// This description.
#[cfg_attr(test, utoipa::path(get, path = "/v1/openapi.json", responses((status = 200, description = "The description of the API", body = Object))))]
pub(crate) async fn openapi_json() -> Body {
    Body(Bytes::from_static(super::OPENAPI.as_bytes()))
}

/// Reports that the service is running. It needs no token.
#[cfg_attr(test, utoipa::path(get, path = "/healthz", security(()), responses((status = 200, description = "It is", body = Health))))]
pub(crate) async fn health() -> Json<Health> {
    Json(Health { status: "ok".into() })
}

/// Numbers for Prometheus.
#[cfg_attr(test, utoipa::path(get, path = "/metrics", responses((status = 200, description = "The numbers", body = String, content_type = "application/openmetrics-text"))))]
pub(crate) async fn metrics(State(service): State<Shared>) -> impl IntoResponse {
    service.metrics.kept_nodes.set(i64::try_from(service.nodes.kept()).unwrap_or(i64::MAX));
    ([(header::CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], service.metrics.text())
}

/// Runs work that may block, and answers with its result as JSON.
pub(super) async fn answer<T: Serialize>(
    service: &Shared,
    work: impl FnOnce(&crate::Service, &Budget) -> Result<T, Problem> + Send + 'static,
) -> ApiResult {
    let written = crate::limits::work(service, move |service, budget| {
        let answer = work(service, budget)?;
        let written = serde_json::to_vec(&answer).map_err(|error| {
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, format!("the answer cannot be written: {error}"))
        })?;
        MemoryReservation::new(&service.answers).into_bytes(written)
    });
    written.await.map(Body)
}

/// Returns the environment of a request, which is the default one unless the request names another.
pub(super) fn environment_name(service: &crate::Service, environment: Option<String>) -> String {
    environment.unwrap_or_else(|| service.nodes.environments.default_name())
}

/// Parses the body of a request.
fn read<T: DeserializeOwned>(headers: &HeaderMap, body: &[u8]) -> Result<T, Problem> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json")) {
        // Browsers do not send this content type across origins without permission.
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "the request is not JSON")
            .help("send it with `Content-Type: application/json`"));
    }
    serde_json::from_slice(body).map_err(|error| Problem::bad_request(format!("the request cannot be read: {error}")))
}

/// Returns the parameters in the path of an address, such as a node.
pub(super) fn path_parameters<T>(path: Result<Path<T>, axum::extract::rejection::PathRejection>) -> Result<T, Problem> {
    let Path(names) = path.map_err(|error| {
        Problem::bad_request(error.body_text()).help("percent-encode the names in the path as UTF-8")
    })?;
    Ok(names)
}

pub(super) fn query_parameters<T>(
    query: Result<Query<T>, axum::extract::rejection::QueryRejection>,
) -> Result<T, Problem> {
    query.map(|Query(query)| query).map_err(|error| Problem::bad_request(error.body_text()))
}

fn allowed(service: &crate::Service, reveal: bool) -> Result<bool, Problem> {
    if reveal && !service.reveal {
        return Err(Problem::new(StatusCode::FORBIDDEN, "the service does not reveal secrets")
            .help("remove `reveal`, or start the service with --reveal"));
    }
    Ok(reveal)
}

/// The node that a request means.
fn node_selector(
    node: Option<String>,
    facts: Option<JsonObject>,
    trusted: Option<JsonObject>,
    variables: Option<JsonObject>,
) -> Result<NodeSelector, Problem> {
    let Some(facts) = facts else {
        if trusted.is_some() || variables.is_some() {
            return Err(Problem::bad_request("`trusted` and `variables` require `facts`"));
        }
        let node = node.ok_or_else(|| {
            Problem::bad_request("the node is missing").help("name it in `node`, or send its `facts`")
        })?;
        return Ok(NodeSelector::Stored(node));
    };
    let whole = serde_json::json!([node, facts, trusted, variables]).to_string();
    let hash = |part: &JsonObject| json::to_hash(part).map_err(Problem::bad_request);
    let mut known = Facts::new(node.as_deref(), hash(&facts)?);
    if let Some(trusted) = &trusted {
        known.set_trusted(hash(trusted)?);
    }
    if let Some(variables) = &variables {
        for (name, value) in &hash(variables)? {
            if let Value::String(name) = name {
                known.set_variable(name, value.clone());
            }
        }
    }
    Ok(NodeSelector::Sent {
        facts: Box::new(known),
        digest: Sha256::digest(whole.as_bytes()).into(),
        bytes: whole.len() as u64,
    })
}

fn merge(merge: Option<serde_json::Value>) -> Result<Option<Strategy>, Problem> {
    let Some(merge) = merge else { return Ok(None) };
    let value = json::to_value(&merge).map_err(Problem::bad_request)?;
    let value = match value {
        Value::String(name) => {
            let options: Hash = [("strategy", Value::String(name))].into_iter().collect();
            options.into()
        }
        other => other,
    };
    let strategy = Strategy::parse(&value).map_err(|error| Problem::of_error(StatusCode::BAD_REQUEST, &error))?;
    Ok(Some(strategy))
}
