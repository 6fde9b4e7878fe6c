//! Which address leads where.

use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, HeaderValue, Request, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Router, body::Body};

use crate::problem::Problem;
use crate::{Shared, access, api, events, limits, page};

/// What pages may do: show themselves, with the style and the one script of the service, and ask the service. Nothing in a page runs.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; \
                      base-uri 'none'; frame-ancestors 'none'";

/// All addresses.
pub(crate) fn router(service: Shared) -> Router {
    let guarded = Router::new()
        .route("/v1/lookup", post(api::lookup))
        .route("/v1/explain", post(api::explain))
        .route("/v1/environments", get(api::environments))
        .route("/v1/nodes", get(api::nodes))
        .route("/v1/nodes/{node}/keys", get(api::keys))
        .route("/v1/nodes/{node}/layers/{key}", get(api::layers))
        .route("/v1/nodes/{node}/facts", get(api::facts))
        .route("/v1/find", get(api::find))
        .route("/v1/hierarchy", get(api::hierarchy))
        .route("/v1/keys/{key}/values", get(api::spread))
        .route("/v1/findings", get(api::findings))
        .route("/v1/changes", get(api::changes))
        .route("/v1/history", get(api::history))
        .route("/v1/events", get(events::events))
        .route("/v1/openapi.json", get(api::openapi_json))
        .route("/metrics", get(api::metrics))
        .route("/", get(page::start))
        .route("/node", get(page::node))
        .route("/key", get(page::key))
        .route("/find", get(page::find))
        .route("/hierarchy", get(page::hierarchy))
        .route("/spread", get(page::spread))
        .route("/compare", get(page::compare))
        .route("/changes", get(page::changes))
        .route("/history", get(page::history))
        .route("/findings", get(page::findings))
        .route("/finding", get(page::finding))
        .route("/style.css", get(page::style))
        .route("/script.js", get(page::script))
        .fallback(nowhere)
        // From the outside in: who may not ask is told so before anything is read of what he sends.
        .layer(middleware::from_fn_with_state(service.clone(), limits::received))
        .layer(middleware::from_fn_with_state(service.clone(), access::guard));
    Router::new()
        .route("/healthz", get(api::health))
        .merge(guarded)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(service.limits.body))
        .layer(middleware::from_fn_with_state(service.clone(), limits::in_time))
        .layer(middleware::from_fn(plain_faults))
        .with_state(service)
}

async fn nowhere() -> Problem {
    Problem::not_found("there is nothing at this URL").help("GET /v1/openapi.json describes the API")
}

async fn wrong_method() -> Problem {
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "the method is not allowed for this URL")
        .help("GET /v1/openapi.json describes the API")
}

/// Adds the heads that every answer has, and makes problems of the answers that the libraries give by themselves.
async fn plain_faults(request: Request<Body>, next: Next) -> Response {
    let mut response = next.run(request).await;
    if response.status() == StatusCode::PAYLOAD_TOO_LARGE {
        response = Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "the request is larger than --body-limit")
            .help("send fewer facts, or start the service with a larger --body-limit")
            .into_response();
    }
    let headers = response.headers_mut();
    let fixed: [(HeaderName, &str); 4] = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
