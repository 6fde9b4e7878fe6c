//! [`RequestDispatcher`] and [`NotificationDispatcher`]: the handler of a message by its type, as in rust-analyzer.

use lsp_server::{ErrorCode, Notification, Request, ResponseError};
use lsp_types::notification::Notification as NotificationType;
use lsp_types::request::Request as RequestType;

use crate::client::{error_response, from_value};
use crate::progress::RequestProgress;
use crate::session::{ClientSession, PendingRequest};
use crate::snapshot::Snapshot;

/// Finds the handler of a request.
pub(crate) struct RequestDispatcher<'s> {
    request: Option<Request>,
    session: &'s mut ClientSession,
}

impl<'s> RequestDispatcher<'s> {
    pub(crate) fn new(request: Request, session: &'s mut ClientSession) -> RequestDispatcher<'s> {
        RequestDispatcher { request: Some(request), session }
    }

    /// Handles a request in the thread pool, with the state of this moment.
    pub(crate) fn on<R>(&mut self, handler: fn(&Snapshot, R::Params) -> Result<R::Result, ResponseError>) -> &mut Self
    where
        R: RequestType,
        R::Params: Send + 'static,
    {
        if let Some((request, parameters)) = self.take::<R>() {
            self.session.answer_in_pool(request, move |snapshot| handler(snapshot, parameters));
        }
        self
    }

    /// Handles a request that changes the session at once, so that messages after it see the change.
    pub(crate) fn on_session<R: RequestType>(
        &mut self,
        handler: fn(&mut ClientSession, PendingRequest, R::Params),
    ) -> &mut Self {
        if let Some((request, parameters)) = self.take::<R>() {
            handler(self.session, request, parameters);
        }
        self
    }

    /// Refuses a request that has no handler.
    pub(crate) fn finish(&mut self) {
        if let Some(Request { id, method, .. }) = self.request.take() {
            let error = error_response(ErrorCode::MethodNotFound, format!("{method} is not answered"));
            self.session.client.respond(id, Err(error));
        }
    }

    /// Takes the request if it is of a type. Parameters that make no sense are answered with an error.
    fn take<R: RequestType>(&mut self) -> Option<(PendingRequest, R::Params)> {
        let Request { id, params, .. } = self.request.take_if(|request| request.method == R::METHOD)?;
        let progress = RequestProgress::new(&self.session.client, R::METHOD, &params);
        match from_value(params) {
            Ok(parameters) => Some((PendingRequest { id, method: R::METHOD, progress }, parameters)),
            Err(error) => {
                progress.end();
                self.session.client.respond(id, Err(error));
                None
            }
        }
    }
}

/// Finds the handler of a notification.
pub(crate) struct NotificationDispatcher<'s> {
    notification: Option<Notification>,
    session: &'s mut ClientSession,
}

impl<'s> NotificationDispatcher<'s> {
    pub(crate) fn new(notification: Notification, session: &'s mut ClientSession) -> NotificationDispatcher<'s> {
        NotificationDispatcher { notification: Some(notification), session }
    }

    /// Handles a notification. There is no response, so an error is written to the log of the client.
    pub(crate) fn on<N: NotificationType>(
        &mut self,
        handler: fn(&mut ClientSession, N::Params) -> Result<(), ResponseError>,
    ) -> &mut Self {
        if let Some(Notification { params, .. }) = self.notification.take_if(|one| one.method == N::METHOD) {
            let handled = from_value(params).and_then(|parameters| handler(self.session, parameters));
            if let Err(ResponseError { message, .. }) = handled {
                self.session.client.log(format!("hieratic: {}: {message}", N::METHOD));
            }
        }
        self
    }

    /// Ignores a notification that has no handler. Those that begin with `$/` are optional for every server.
    pub(crate) fn finish(&mut self) {
        self.notification = None;
    }
}
