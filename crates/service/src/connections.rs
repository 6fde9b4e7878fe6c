//! [`Connections`]: the open connections, and since when each has been idle.
//!
//! A client has to finish each of its parts within [`CLIENT_TIMEOUT`], with every protocol, and even if it sends
//! slowly: the handshake, the head of the first or next request, the receipt of the answer. The time for a body is that
//! of its request. At the maximum number of connections, the one that has been idle for the longest is closed.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{Request, Version};
use http_body::{Frame, SizeHint};
use hyper::body::Incoming;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Notify;

/// The time that a client has for each of its parts.
pub(crate) const CLIENT_TIMEOUT: Duration = Duration::from_millis(CLIENT_TIMEOUT_MILLIS);
const CLIENT_TIMEOUT_MILLIS: u64 = 10_000;

/// All connections.
#[derive(Debug)]
pub(crate) struct Connections {
    open: Mutex<HashMap<u64, Arc<Connection>>>,
    max: usize,
    next: AtomicU64,
}

/// One connection, and its state.
#[derive(Debug)]
pub(crate) struct Connection {
    start: Instant,
    /// Requests of which the head is there and the answer is not.
    requests: AtomicU32,
    /// Those among them that the service works on.
    working: AtomicU32,
    /// Answers that are being sent.
    sending: AtomicU32,
    /// The end of the last activity, in milliseconds since the start.
    since: AtomicU64,
    /// The last time at which a part of an answer was written, in milliseconds since the start.
    last_write: AtomicU64,
    /// Whether the connection speaks HTTP/2. The service writes more than answers there, so only the answers that the
    /// client takes count.
    is_http2: AtomicBool,
    close: Notify,
}

/// An entry of the table of connections, which is removed on drop.
pub(crate) struct ConnectionGuard {
    all: Arc<Connections>,
    id: u64,
    pub(crate) connection: Arc<Connection>,
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        self.all.open().remove(&self.id);
    }
}

impl Connections {
    pub(crate) fn new(most: usize) -> Connections {
        Connections { open: Mutex::default(), max: most.max(1), next: AtomicU64::new(0) }
    }

    fn open(&self) -> std::sync::MutexGuard<'_, HashMap<u64, Arc<Connection>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether another connection may be served. At the maximum, it closes the connection that has been idle
    /// for the longest. It returns false if the service is working for all of them.
    pub(crate) fn has_room(&self) -> bool {
        let open = self.open();
        open.len() < self.max || Self::close_idle(&open)
    }

    /// Closes the connection that the service has waited for the longest.
    pub(crate) fn close_longest_idle(&self) {
        Self::close_idle(&self.open());
    }

    fn close_idle(open: &HashMap<u64, Arc<Connection>>) -> bool {
        let idle = open.values().filter(|one| one.working.load(Ordering::Relaxed) == 0 && !one.is_closing());
        let oldest = idle.min_by_key(|one| one.start + Duration::from_millis(one.since.load(Ordering::Relaxed)));
        oldest.inspect(|one| one.shut()).is_some()
    }

    /// Takes a connection in.
    pub(crate) fn enter(self: &Arc<Connections>) -> ConnectionGuard {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let connection = Arc::new(Connection {
            start: Instant::now(),
            requests: AtomicU32::new(0),
            working: AtomicU32::new(0),
            sending: AtomicU32::new(0),
            since: AtomicU64::new(0),
            last_write: AtomicU64::new(0),
            is_http2: AtomicBool::new(false),
            close: Notify::new(),
        });
        self.open().insert(id, connection.clone());
        ConnectionGuard { all: self.clone(), id, connection }
    }
}

/// The value of `since` for a connection that is about to be closed.
const CLOSING: u64 = u64::MAX;

impl Connection {
    fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(CLOSING - 1)
    }

    fn is_closing(&self) -> bool {
        self.since.load(Ordering::Relaxed) == CLOSING
    }

    fn shut(&self) {
        self.since.store(CLOSING, Ordering::Relaxed);
        self.close.notify_one();
    }

    /// Something has ended, and the client has its time again.
    fn touch(&self) {
        let now = self.now();
        // One that is about to be closed stays so.
        let _ =
            self.since.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |since| (since != CLOSING).then_some(now));
    }

    /// Counts a request as worked on as long as the value lives.
    pub(crate) fn working(self: &Arc<Connection>) -> CountGuard {
        CountGuard::new(self, |connection| &connection.working)
    }

    /// Since when the client has not done its part, if it is its turn.
    fn idle_since(&self) -> Option<u64> {
        // The last part of an answer is still being written after it was handed out.
        let since = self.since.load(Ordering::Relaxed).max(self.last_write.load(Ordering::Relaxed));
        let is_waiting = self.sending.load(Ordering::Relaxed) > 0 || self.requests.load(Ordering::Relaxed) == 0;
        is_waiting.then_some(since)
    }

    /// Ends when the connection is to be closed.
    pub(crate) async fn overdue(&self) {
        loop {
            let left = match self.idle_since() {
                Some(CLOSING) => return,
                Some(since) => (since + CLIENT_TIMEOUT_MILLIS).saturating_sub(self.now()),
                None => CLIENT_TIMEOUT_MILLIS,
            };
            if left == 0 {
                return;
            }
            tokio::select! {
                () = tokio::time::sleep(Duration::from_millis(left)) => {}
                () = self.close.notified() => return,
            }
        }
    }
}

/// Counts as long as it lives.
pub(crate) struct CountGuard {
    connection: Arc<Connection>,
    count: fn(&Connection) -> &AtomicU32,
}

impl CountGuard {
    fn new(connection: &Arc<Connection>, count: fn(&Connection) -> &AtomicU32) -> CountGuard {
        count(connection).fetch_add(1, Ordering::Relaxed);
        connection.touch();
        CountGuard { connection: connection.clone(), count }
    }
}

impl Drop for CountGuard {
    fn drop(&mut self) {
        self.connection.touch();
        (self.count)(&self.connection).fetch_sub(1, Ordering::Relaxed);
    }
}

/// A router that links each request to its connection, and counts the requests of the connection.
#[derive(Clone)]
pub(crate) struct ConnectionService {
    pub(crate) router: TowerToHyperService<axum::Router>,
    pub(crate) connection: Arc<Connection>,
}

impl hyper::service::Service<Request<Incoming>> for ConnectionService {
    type Response = axum::http::Response<TrackedBody>;
    type Error = std::convert::Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        let counted = CountGuard::new(&self.connection, |connection| &connection.requests);
        request.extensions_mut().insert(self.connection.clone());
        self.connection.is_http2.store(request.version() == Version::HTTP_2, Ordering::Relaxed);
        let answered = self.router.call(request);
        Box::pin(async move {
            let response = answered.await?;
            let sending = CountGuard::new(&counted.connection, |connection| &connection.sending);
            drop(counted);
            Ok(response.map(|body| TrackedBody { body, rest: Bytes::new(), sending }))
        })
    }
}

/// The body of an answer, which is being sent as long as it is there.
pub(crate) struct TrackedBody {
    body: Body,
    /// The rest of a body part that was too large to be sent at once.
    rest: Bytes,
    sending: CountGuard,
}

/// The size of the parts of an answer, in bytes. The next part is requested once the client has taken most of the
/// previous ones. If an answer were handed out as a whole, it would count as finished before any of it is sent, and its
/// client as idle.
const PART_BYTES: usize = 16 << 10;

impl TrackedBody {
    /// Returns the next part of the rest.
    fn next_part(&mut self) -> Frame<Bytes> {
        let connection = &self.sending.connection;
        if connection.is_http2.load(Ordering::Relaxed) {
            connection.last_write.store(connection.now(), Ordering::Relaxed);
        }
        Frame::data(self.rest.split_to(self.rest.len().min(PART_BYTES)))
    }
}

impl HttpBody for TrackedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if !self.rest.is_empty() {
            return Poll::Ready(Some(Ok(self.next_part())));
        }
        match std::task::ready!(Pin::new(&mut self.body).poll_frame(context)) {
            Some(Ok(frame)) => Poll::Ready(Some(Ok(match frame.into_data() {
                Ok(data) => {
                    self.rest = data;
                    self.next_part()
                }
                Err(other) => other,
            }))),
            end => Poll::Ready(end),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (mut hint, rest) = (self.body.size_hint(), self.rest.len() as u64);
        if let Some(upper) = hint.upper() {
            hint.set_upper(upper + rest);
        }
        hint.set_lower(hint.lower() + rest);
        hint
    }
}

/// A stream that notes when something could be written.
pub(crate) struct TrackedStream<S> {
    pub(crate) stream: S,
    pub(crate) connection: Arc<Connection>,
}

impl<S: AsyncRead + Unpin> AsyncRead for TrackedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TrackedStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.record_write(&written);
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[std::io::IoSlice<'_>],
    ) -> Poll<std::io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.record_write(&written);
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

impl<S> TrackedStream<S> {
    fn record_write(&self, written: &Poll<std::io::Result<usize>>) {
        // Over HTTP/2 the service also answers to pings, however many.
        if matches!(written, Poll::Ready(Ok(_))) && !self.connection.is_http2.load(Ordering::Relaxed) {
            self.connection.last_write.store(self.connection.now(), Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_idle_connection_is_closed() {
        let all = Arc::new(Connections::new(2));
        let (old, new) = (all.enter(), all.enter());
        let working = old.connection.working();
        new.connection.touch();
        assert!(all.has_room() && new.connection.is_closing() && !old.connection.is_closing());
        // The service waits for no other connection.
        assert!(!all.has_room());
        drop(working);
        assert!(all.has_room() && old.connection.is_closing());
        drop((old, new));
        assert!(all.has_room());
    }

    #[test]
    fn only_clients_that_are_waited_for_are_idle() {
        let all = Arc::new(Connections::new(2));
        let one = all.enter().connection.clone();
        assert!(one.idle_since().is_some());
        let request = CountGuard::new(&one, |one| &one.requests);
        assert!(one.idle_since().is_none());
        let sending = CountGuard::new(&one, |one| &one.sending);
        drop(request);
        one.last_write.store(1_000_000, Ordering::Relaxed);
        assert_eq!(one.idle_since(), Some(1_000_000));
        // The last part may still be in flight.
        drop(sending);
        assert_eq!(one.idle_since(), Some(1_000_000));
        one.shut();
        assert_eq!(one.idle_since(), Some(CLOSING));
    }
}
