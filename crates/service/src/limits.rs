//! Limits of time and number.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::problem::Problem;
use crate::{Service, Shared};

/// Bounds the time of a request, its body included, and counts it.
pub(crate) async fn in_time(State(service): State<Shared>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map_or("none", |path| path.as_str()).to_string();
    let start = Instant::now();
    let underway = service.metrics.underway();
    let response = match tokio::time::timeout(service.limits.time, next.run(request)).await {
        Ok(response) => response,
        Err(_) => {
            let seconds = service.limits.time.as_secs_f64();
            Problem::new(StatusCode::GATEWAY_TIMEOUT, format!("there was no answer within {seconds} seconds"))
                .help("ask for fewer keys at once, or start the service with a longer --timeout")
                .into_response()
        }
    };
    drop(underway);
    service.metrics.requested(&route, response.status().as_u16(), start.elapsed());
    response
}

/// Does work that may wait for files on a thread where that disturbs nobody, when there is a place for it.
///
/// The place is taken until the work is done, be it that nobody waits for the outcome any more.
pub(crate) async fn work<T: Send + 'static>(
    service: &Shared,
    work: impl FnOnce(&Service) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let place = service.places.clone().acquire_owned().await;
    let place = place.map_err(|_| Problem::unavailable("the service is ending"))?;
    let shared = Arc::clone(service);
    let outcome = tokio::task::spawn_blocking(move || {
        let outcome = work(&shared);
        drop(place);
        outcome
    });
    // The only way to fail is a panic, which no input is to cause; the request is told, the service goes on.
    outcome.await.unwrap_or_else(|_| {
        Err(Problem::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "the question could not be worked on: this is a fault of the service",
        ))
    })
}
