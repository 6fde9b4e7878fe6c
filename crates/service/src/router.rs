//! The routes, and their handlers.

use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, HeaderValue, Request, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use axum::{Router, body::Body};

use crate::problem::Problem;
use crate::reads::Reads;
use crate::{Shared, access, api, events, findings, history, limits, page};

/// The content security policy of pages: they may use the style sheet and the one script of the service, and send
/// requests to the service. Inline scripts do not run.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; \
                      base-uri 'none'; frame-ancestors 'none'";

/// An address, the parts of the repository that it reads, and its handler.
struct Route {
    path: &'static str,
    /// Each part is read with its own permissions.
    reads: &'static [Reads],
    handler: MethodRouter<Shared>,
}

/// The address of the health check, which needs no token.
const HEALTH_PATH: &str = "/healthz";

/// The pages that show the files as they are next to what revisions had.
const BOTH: &[Reads] = &[Reads::WorkingTree, history::READS];

/// All addresses but that one.
fn guarded() -> Vec<Route> {
    vec![
        Route { path: "/v1/lookup", reads: &[Reads::WorkingTree], handler: post(api::lookup) },
        Route { path: "/v1/explain", reads: &[Reads::WorkingTree], handler: post(api::explain) },
        Route { path: "/v1/environments", reads: &[Reads::WorkingTree], handler: get(api::environments) },
        Route { path: "/v1/nodes", reads: &[Reads::WorkingTree], handler: get(api::nodes) },
        Route { path: "/v1/nodes/{node}/keys", reads: &[Reads::WorkingTree], handler: get(api::keys) },
        Route { path: "/v1/nodes/{node}/layers/{key}", reads: &[Reads::WorkingTree], handler: get(api::layers) },
        Route { path: "/v1/nodes/{node}/facts", reads: &[Reads::WorkingTree], handler: get(api::facts) },
        Route { path: "/v1/find", reads: &[Reads::WorkingTree], handler: get(api::find) },
        Route { path: "/v1/hierarchy", reads: &[Reads::WorkingTree], handler: get(api::hierarchy) },
        Route { path: "/v1/keys/{key}/values", reads: &[Reads::WorkingTree], handler: get(api::spread) },
        Route { path: "/v1/findings", reads: &[findings::READS], handler: get(api::findings) },
        Route { path: "/v1/changes", reads: &[history::READS], handler: get(api::changes) },
        Route { path: "/v1/history", reads: &[history::READS], handler: get(api::history) },
        Route { path: "/v1/events", reads: &[Reads::WorkingTree], handler: get(events::events) },
        Route { path: "/v1/openapi.json", reads: &[Reads::Nothing], handler: get(api::openapi_json) },
        Route { path: "/metrics", reads: &[Reads::Nothing], handler: get(api::metrics) },
        Route { path: "/", reads: BOTH, handler: get(page::start) },
        Route { path: "/node", reads: BOTH, handler: get(page::node) },
        Route { path: "/catalog", reads: &[Reads::WorkingTree], handler: get(page::catalog) },
        Route { path: "/key", reads: &[Reads::WorkingTree], handler: get(page::key) },
        Route { path: "/file", reads: BOTH, handler: get(page::file) },
        Route { path: "/suggest", reads: &[Reads::WorkingTree], handler: get(page::suggest) },
        Route { path: "/find", reads: &[Reads::WorkingTree], handler: get(page::find) },
        Route { path: "/hierarchy", reads: &[Reads::WorkingTree], handler: get(page::hierarchy) },
        Route { path: "/level", reads: BOTH, handler: get(page::level) },
        Route { path: "/spread", reads: &[Reads::WorkingTree], handler: get(page::spread) },
        Route { path: "/compare", reads: BOTH, handler: get(page::compare) },
        Route { path: "/changes", reads: &[history::READS], handler: get(page::changes) },
        Route { path: "/changes/counts", reads: &[history::READS], handler: get(page::counts) },
        Route { path: "/history", reads: &[history::READS], handler: get(page::history) },
        Route { path: "/findings", reads: &[findings::READS, history::READS], handler: get(page::findings) },
        Route { path: "/finding", reads: &[findings::READS], handler: get(page::finding) },
        Route { path: "/style.css", reads: &[Reads::Nothing], handler: get(page::style) },
        Route { path: "/script.js", reads: &[Reads::Nothing], handler: get(page::script) },
        Route { path: "/icon.svg", reads: &[Reads::Nothing], handler: get(page::icon) },
        Route { path: "/favicon.ico", reads: &[Reads::Nothing], handler: get(page::icon) },
    ]
}

/// Returns the routes, with the parts of the repository that each reads. A route that reads several parts has several
/// entries.
pub fn routes() -> Vec<(&'static str, Reads)> {
    let guarded = guarded().into_iter().flat_map(|route| route.reads.iter().map(move |reads| (route.path, *reads)));
    guarded.chain([(HEALTH_PATH, Reads::Nothing)]).collect()
}

/// All addresses.
pub(crate) fn router(service: Shared) -> Router {
    let guarded = guarded().into_iter().fold(Router::new(), |all, route| all.route(route.path, route.handler));
    let guarded = guarded
        .fallback(page::nowhere)
        // Layers run from the last to the first: a request without access is refused before its body is read.
        .layer(middleware::from_fn_with_state(service.clone(), limits::received))
        .layer(middleware::from_fn_with_state(service.clone(), access::guard));
    Router::new()
        .route(HEALTH_PATH, get(api::health))
        .merge(guarded)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(service.limits.body))
        .layer(middleware::from_fn_with_state(service.clone(), limits::in_time))
        .layer(middleware::from_fn(plain_faults))
        .with_state(service)
}

async fn wrong_method() -> Problem {
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "the method is not allowed for this URL")
        .help("GET /v1/openapi.json describes the API")
}

/// Adds the heads that every answer has, and makes problems of the answers that the libraries give by themselves, and pages of problems
/// for browsers.
async fn plain_faults(request: Request<Body>, next: Next) -> Response {
    let accepts_html = page::accepts_html(&request);
    let mut response = next.run(request).await;
    if response.status() == StatusCode::PAYLOAD_TOO_LARGE {
        response = Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "the request is larger than --body-limit")
            .help("send fewer facts, or start the service with a larger --body-limit")
            .into_response();
    }
    if accepts_html {
        response = page::with_page(response);
    }
    let headers = response.headers_mut();
    let fixed: [(HeaderName, &str); 4] = [
        (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
