//! Limits of time, size and concurrency.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use axum::body::{Body, Bytes};
use axum::extract::{Extension, MatchedPath, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hieratic::budget::Budget;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use tokio::sync::oneshot;

use crate::connections::Connection;
use crate::problem::Problem;
use crate::scheduler::ScheduledRequest;
use crate::{Service, Shared};

/// Bounds the time of a request, its body included, and counts it.
pub(crate) async fn in_time(State(service): State<Shared>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map_or("none", |path| path.as_str()).to_string();
    let start = Instant::now();
    let underway = service.metrics.underway();
    let response = match tokio::time::timeout(service.limits.time, next.run(request)).await {
        Ok(response) => response,
        Err(_) => late(&service).into_response(),
    };
    drop(underway);
    service.metrics.requested(&route, response.status().as_u16(), start.elapsed());
    response
}

fn late(service: &Service) -> Problem {
    let seconds = service.limits.time.as_secs_f64();
    Problem::new(StatusCode::GATEWAY_TIMEOUT, format!("no answer within {seconds} seconds"))
        .help("try again, request fewer keys at once, or start the service with a longer --timeout")
}

/// The size up to which a request body is accepted regardless of the others, in bytes.
const SMALL_BODY_BYTES: usize = 64 << 10;

/// The maximum size of all larger request bodies in flight, in bytes.
const MAX_TOTAL_BODY_BYTES: usize = 256 << 20;

/// Reads the body of a request, before anything is done with it; one that is too large is refused as soon as that is known.
pub(crate) async fn received(
    State(service): State<Shared>,
    connection: Option<Extension<Arc<Connection>>>,
    request: Request,
    next: Next,
) -> Response {
    let most = service.limits.body;
    let (head, body) = request.into_parts();
    let content_length =
        head.headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if content_length.is_some_and(|length| length > most as u64) {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    }
    let reservation = BodyReservation { all: &service.bodies, bytes: 0 };
    let (bytes, _taken) = match read(body, most, reservation).await {
        Ok(read) => read,
        Err(refused) => return refused,
    };
    // From here on it is the service that the client waits for.
    let _working = connection.map(|Extension(connection)| connection.working());
    next.run(Request::from_parts(head, Body::from(bytes))).await
}

async fn read(
    body: Body,
    most: usize,
    mut reservation: BodyReservation<'_>,
) -> Result<(Bytes, BodyReservation<'_>), Response> {
    let mut body = Limited::new(body, most);
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| match error.downcast_ref::<LengthLimitError>() {
            Some(_) => StatusCode::PAYLOAD_TOO_LARGE.into_response(),
            None => Problem::bad_request("the request ended early").into_response(),
        })?;
        // Trailers are not part of a body.
        let Ok(data) = frame.into_data() else { continue };
        bytes.extend_from_slice(&data);
        if !reservation.grow(bytes.len()) {
            return Err(Problem::unavailable("too many large requests are in flight").into_response());
        }
    }
    Ok((bytes.into(), reservation))
}

/// The part of all bodies that a large one takes.
struct BodyReservation<'s> {
    all: &'s AtomicUsize,
    bytes: usize,
}

impl BodyReservation<'_> {
    fn grow(&mut self, bytes: usize) -> bool {
        if bytes <= SMALL_BODY_BYTES {
            return true;
        }
        let more = bytes - std::mem::replace(&mut self.bytes, bytes);
        self.all.fetch_add(more, Ordering::Relaxed) + more <= MAX_TOTAL_BODY_BYTES
    }
}

impl Drop for BodyReservation<'_> {
    fn drop(&mut self) {
        self.all.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Cancels the work when the request ends: with an answer, at its deadline, or because the client has disconnected.
struct CancelOnDrop(Budget);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// The maximum number of queued requests, as a multiple of the permits.
const QUEUE_FACTOR: usize = 4;

/// Runs work that may block on a thread for blocking work, once there is a permit.
///
/// The work holds the permit until it is done or turns out to be long. When the request is cancelled, the work ends at
/// its next step.
pub(crate) async fn work<T: Send + 'static>(
    service: &Shared,
    work: impl FnOnce(&Service, &Budget) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let waiting = Waiting::new(&service.waiting);
    if service.places.available_permits() == 0 && waiting.count > QUEUE_FACTOR * service.limits.at_once.max(1) {
        return Err(busy());
    }
    let place = service.places.clone().acquire_owned().await;
    let place = place.map_err(|_| Problem::unavailable("the service is shutting down"))?;
    drop(waiting);
    let scheduled = ScheduledRequest::new(service.scheduler.clone(), place);
    let limits = service.limits.of_answer();
    let budget = Budget::with_yield_hook(limits, scheduled.clone());
    let _ends = CancelOnDrop(budget.clone());
    let shared = Arc::clone(service);
    let (sender, outcome) = oneshot::channel();
    let run = move || {
        let release = ReleaseOnDrop(scheduled);
        let outcome = work(&shared, &budget);
        let outcome = match budget.ended() {
            Err(_) if release.0.is_refused() => Err(busy()),
            Err(_) => Err(late(&shared)),
            Ok(()) => outcome,
        };
        drop(release);
        // The request may have been cancelled.
        let _ = sender.send(outcome);
    };
    // The runtime has more than a hundred functions for each type of work: boxed, all work is of one type.
    drop(tokio::task::spawn_blocking(Box::new(run) as Box<dyn FnOnce() + Send>));
    // The channel only fails after a panic, which no input should cause. The request gets an error, and the service
    // keeps running.
    outcome.await.unwrap_or_else(|_| {
        Err(Problem::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal error: the request failed because of a bug in the service",
        ))
    })
}

fn busy() -> Problem {
    Problem::unavailable("the service is busy").help("retry later, or request fewer keys at once")
}

/// Releases the permit or turn of the work when it ends, even after a panic.
struct ReleaseOnDrop(Arc<ScheduledRequest>);

impl Drop for ReleaseOnDrop {
    fn drop(&mut self) {
        self.0.finish();
    }
}

/// A queued request, which is counted until it gets a permit.
struct Waiting<'s> {
    all: &'s AtomicUsize,
    count: usize,
}

impl Waiting<'_> {
    fn new(all: &AtomicUsize) -> Waiting<'_> {
        Waiting { all, count: all.fetch_add(1, Ordering::Relaxed) + 1 }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.all.fetch_sub(1, Ordering::Relaxed);
    }
}
