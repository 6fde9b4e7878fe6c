//! [`Events`]: server-sent events that notify open pages of changed files.
//!
//! While an environment has listeners, its files are [fingerprinted](crate::fingerprint) periodically. A change is sent once
//! two fingerprints in a row are equal. Streams are bounded in number and time, give way to other connections, and end
//! with the service.

use std::collections::HashMap;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Query, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use http_body::Frame;
use serde::Deserialize;
use tokio::sync::{Semaphore, mpsc, watch};
#[cfg(test)]
use utoipa::IntoParams;

use crate::fingerprint::{EnvironmentFiles, EnvironmentFingerprint};
use crate::problem::Problem;
use crate::{Shared, limits};

/// The maximum number of open streams.
const MAX_STREAMS: usize = 64;

/// The interval of keep-alive comments. It is shorter than the time that a client may be idle.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(5);

/// The maximum duration of a stream; browsers reconnect.
const MAX_DURATION: Duration = Duration::from_secs(600);

/// The interval between two fingerprints.
const WATCH_INTERVAL: Duration = Duration::from_secs(1);

/// The minimum pause after a fingerprint, as a multiple of the time that it took.
const PAUSE_FACTOR: u32 = 20;

/// The maximum number of events queued for a slow client.
const MAX_QUEUED: usize = 4;

/// The streams of all environments.
pub(crate) struct Events {
    watched: Mutex<HashMap<String, watch::Sender<EnvironmentFingerprint>>>,
    open: Arc<AtomicUsize>,
    ended: watch::Sender<bool>,
    /// Limits the number of environments that are fingerprinted at once.
    looks: Semaphore,
}

impl Default for Events {
    fn default() -> Events {
        Events {
            watched: Mutex::default(),
            open: Arc::default(),
            ended: watch::Sender::new(false),
            looks: Semaphore::new(1),
        }
    }
}

impl Events {
    /// Ends all streams.
    pub(crate) fn end(&self) {
        self.ended.send_replace(true);
    }

    /// Returns the last fingerprint of an environment, if it has listeners.
    pub(crate) fn last_fingerprint(&self, environment: &str) -> Option<EnvironmentFingerprint> {
        self.watched().get(environment).map(|sender| sender.borrow().clone())
    }

    fn watched(&self) -> std::sync::MutexGuard<'_, HashMap<String, watch::Sender<EnvironmentFingerprint>>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self) -> Result<StreamGuard, Problem> {
        let place = StreamGuard(self.open.clone());
        if self.open.fetch_add(1, Ordering::Relaxed) >= MAX_STREAMS {
            return Err(Problem::unavailable(format!("more than {MAX_STREAMS} streams of events are open")));
        }
        Ok(place)
    }
}

/// A counted stream, which is uncounted on drop.
struct StreamGuard(Arc<AtomicUsize>);

impl Drop for StreamGuard {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Selects the environment of a stream.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub(crate) struct EventsQuery {
    /// The environment's name; the service's default without it.
    environment: Option<String>,
    /// The `id` of the last known event: if files have changed since, the first event reports it. The header
    /// `Last-Event-ID` takes precedence.
    since: Option<String>,
}

/// Reports changes of files, as server-sent events.
#[cfg_attr(test, utoipa::path(get, path = "/v1/events", params(EventsQuery), responses(
    (status = 200, description = "Events: `state` at the start, `changed` whenever files have changed", body = String, content_type = "text/event-stream"),
    (status = "4XX", description = "The environment does not exist", body = Problem, content_type = "application/problem+json"),
    (status = "5XX", description = "Too many streams are open", body = Problem, content_type = "application/problem+json")
)))]
pub(crate) async fn events(
    State(service): State<Shared>,
    headers: HeaderMap,
    query: Result<Query<EventsQuery>, axum::extract::rejection::QueryRejection>,
) -> Result<Response, Problem> {
    let Query(query) = query.map_err(|error| Problem::bad_request(error.body_text()))?;
    let environment = query.environment.unwrap_or_else(|| service.nodes.environments.default_name());
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()).map(String::from).or(query.since);
    let place = service.events.enter()?;
    let known = service.events.last_fingerprint(&environment);
    let name = environment.clone();
    let (places, fingerprint) = limits::work(&service, move |service, _| {
        let places = EnvironmentFiles::new(service, &name)?;
        let fingerprint = known.unwrap_or_else(|| places.fingerprint());
        Ok((places, fingerprint))
    })
    .await?;
    let states = listen(&service, &environment, places, fingerprint);
    let (sender, receiver) = mpsc::channel(MAX_QUEUED);
    tokio::spawn(send(sender, states, service.events.ended.subscribe(), environment, last, place));
    let mut response = Body::new(Frames(receiver)).into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static("text/event-stream"));
    Ok(response)
}

/// Listens to an environment, the files of which are looked at from now on, if they are not already.
fn listen(
    service: &Shared,
    environment: &str,
    places: EnvironmentFiles,
    fingerprint: EnvironmentFingerprint,
) -> watch::Receiver<EnvironmentFingerprint> {
    let mut watched = service.events.watched();
    if let Some(sender) = watched.get(environment) {
        return sender.subscribe();
    }
    let (sender, receiver) = watch::channel(fingerprint);
    watched.insert(environment.into(), sender);
    tokio::spawn(watch_files(service.clone(), environment.into(), places));
    receiver
}

/// Watches the files of an environment while it has listeners.
async fn watch_files(service: Shared, environment: String, mut places: EnvironmentFiles) {
    let mut ended = service.events.ended.subscribe();
    let mut pause = WATCH_INTERVAL;
    let mut before: Option<EnvironmentFingerprint> = None;
    loop {
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            _ = ended.changed() => {}
        }
        {
            let mut watched = service.events.watched();
            let is_unused = watched.get(&environment).is_none_or(|sender| sender.receiver_count() == 0);
            if is_unused || *ended.borrow() {
                watched.remove(&environment);
                return;
            }
        }
        // The semaphore is not closed while the service lives.
        let Ok(_look) = service.events.looks.acquire().await else { return };
        let (shared, name, old) = (service.clone(), environment.clone(), places.clone());
        let looked = tokio::task::spawn_blocking(move || {
            let start = Instant::now();
            // An environment may fail to open while it is being changed. Its folders are still the same.
            let places = EnvironmentFiles::new(&shared, &name).unwrap_or(old);
            let fingerprint = places.fingerprint();
            (places, fingerprint, start.elapsed())
        });
        // A task that panicked is repeated.
        let Ok((now, fingerprint, took)) = looked.await else { continue };
        places = now;
        pause = WATCH_INTERVAL.max(took * PAUSE_FACTOR);
        let watched = service.events.watched();
        let Some(sender) = watched.get(&environment) else { return };
        if *sender.borrow() == fingerprint {
            before = None;
        } else if before.as_ref() == Some(&fingerprint) {
            sender.send_replace(fingerprint);
            before = None;
        } else {
            before = Some(fingerprint);
        }
    }
}

/// Sends what happens until the client, the stream's time or the service has come to an end.
async fn send(
    sender: mpsc::Sender<Bytes>,
    mut states: watch::Receiver<EnvironmentFingerprint>,
    mut ended: watch::Receiver<bool>,
    environment: String,
    last: Option<String>,
    _place: StreamGuard,
) {
    let event = |name: &str, fingerprint: &EnvironmentFingerprint| {
        let id = fingerprint.as_str();
        let data = serde_json::json!({"environment": environment, "state": id});
        Bytes::from(format!("id: {id}\nevent: {name}\ndata: {data}\n\n"))
    };
    let end = tokio::time::sleep(MAX_DURATION);
    let mut end = std::pin::pin!(end);
    let fingerprint = states.borrow_and_update().clone();
    let has_changed = last.is_some_and(|last| last != fingerprint.as_str());
    let mut next = event(if has_changed { "changed" } else { "state" }, &fingerprint);
    // A client that takes no events is not waited for.
    while !*ended.borrow_and_update() && sender.try_send(next).is_ok() {
        next = tokio::select! {
            changed = states.changed() => match changed {
                Ok(()) => event("changed", &states.borrow_and_update()),
                // The environment is watched no more, and the stream ends.
                Err(_) => return,
            },
            () = tokio::time::sleep(KEEP_ALIVE_INTERVAL) => Bytes::from_static(b":\n\n"),
            _ = ended.changed() => return,
            () = &mut end => return,
            () = sender.closed() => return,
        };
    }
}

/// The events as the body of an answer.
struct Frames(mpsc::Receiver<Bytes>);

impl HttpBody for Frames {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(context).map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_bounded_and_make_room_when_they_end() {
        let events = Events::default();
        let mut open: Vec<StreamGuard> = (0..MAX_STREAMS).map(|_| events.enter().unwrap()).collect();
        assert_eq!(events.enter().err().unwrap().status, 503);
        open.pop();
        assert!(events.enter().is_ok());
    }
}
