//! [`serve`]: reads messages, changes documents, and passes requests to the pool.

use std::io::{self, BufRead, Write};

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, ResponseError};
use lsp_types::notification::{self, Notification as _};
use lsp_types::request::{self, Request as _};
use serde_json::{Value, json};

use crate::client::{Client, DiagnosticsQueue, error_response, from_value};
use crate::dispatch::{NotificationDispatcher, RequestDispatcher};
use crate::handlers;
use crate::options::ServerOptions;
use crate::server_capabilities::server_capabilities;
use crate::session::{ClientSession, Threading};
use crate::{extensions, transport};

/// Serves one client until it ends the session or the streams end.
///
/// # Errors
/// The client sends `exit` without `shutdown`, or a stream fails.
pub fn serve(
    options: ServerOptions,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let diagnostics = DiagnosticsQueue::default();
    let (connection, threads) = transport::connect(input, output, diagnostics.clone())?;
    let client = Client::new(connection.sender.clone(), diagnostics);
    let has_shut_down = Server::new(options, client, Threading::Several).run(connection)?;
    // The writer ends when the server has dropped all handles of the client.
    threads.join()?;
    if has_shut_down {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the client left without shutting the server down"))
}

pub(crate) struct Server {
    options: ServerOptions,
    client: Client,
    threading: Threading,
    /// `None` before the client has introduced itself.
    pub(crate) session: Option<ClientSession>,
    has_shut_down: bool,
}

impl Server {
    pub(crate) fn new(options: ServerOptions, client: Client, threading: Threading) -> Server {
        Server { options, client, threading, session: None, has_shut_down: false }
    }

    /// Handles messages until the client is done or gone. Returns whether it has shut the server down.
    fn run(mut self, connection: Connection) -> io::Result<bool> {
        let Connection { sender, receiver } = connection;
        drop(sender);
        for message in receiver {
            if !self.on_message(message)? {
                break;
            }
        }
        if let Some(session) = self.session.take() {
            session.end();
        }
        Ok(self.has_shut_down)
    }

    /// Handles a message. Returns whether the client has more to say.
    pub(crate) fn on_message(&mut self, message: Message) -> io::Result<bool> {
        match message {
            Message::Request(request) => self.on_request(request)?,
            Message::Notification(one) if one.method == notification::Exit::METHOD => return Ok(false),
            Message::Notification(notification) => self.on_notification(notification),
            // No request of the server needs its response.
            Message::Response(_) => {}
        }
        Ok(true)
    }

    fn on_request(&mut self, request: Request) -> io::Result<()> {
        match (request.method.as_str(), &mut self.session) {
            (request::Initialize::METHOD, None) => {
                let answer = self.initialize(request.params)?;
                self.client.respond(request.id, answer);
            }
            (request::Initialize::METHOD, Some(_)) => {
                self.refuse(request.id, ErrorCode::InvalidRequest, "the server is initialized already");
            }
            (request::Shutdown::METHOD, _) => {
                self.has_shut_down = true;
                self.client.respond(request.id, Ok(Value::Null));
            }
            (_, None) => {
                self.refuse(request.id, ErrorCode::ServerNotInitialized, "the first request is `initialize`");
            }
            _ if self.has_shut_down => {
                self.refuse(request.id, ErrorCode::InvalidRequest, "the server was shut down");
            }
            (_, Some(session)) => dispatch_request(request, session),
        }
        Ok(())
    }

    fn refuse(&self, id: RequestId, code: ErrorCode, message: &str) {
        self.client.respond(id, Err(error_response(code, message)));
    }

    /// Starts the session, and returns the answer to the client.
    fn initialize(&mut self, parameters: Value) -> io::Result<Result<Value, ResponseError>> {
        let parameters = match from_value(parameters) {
            Ok(parameters) => parameters,
            Err(error) => return Ok(Err(error)),
        };
        let session = ClientSession::start(self.client.clone(), &self.options, parameters, self.threading)?;
        let encoding = session.global.capabilities.encoding;
        self.session = Some(session);
        Ok(Ok(json!({
            "capabilities": server_capabilities(encoding),
            "serverInfo": {"name": "hieratic", "version": env!("CARGO_PKG_VERSION")},
        })))
    }

    fn on_notification(&mut self, notification: Notification) {
        // The protocol has the server drop notifications before `initialize`.
        if let Some(session) = &mut self.session {
            dispatch_notification(notification, session);
        }
    }
}

fn dispatch_request(request: Request, session: &mut ClientSession) {
    use handlers::request as handler;
    RequestDispatcher::new(request, session)
        .on_session::<request::ExecuteCommand>(handlers::command::execute)
        .on_session::<extensions::SettledRequest>(handler::settled)
        .on::<extensions::Expand>(handler::expand)
        .on::<extensions::NotJudgedRequest>(handler::not_judged)
        .on::<request::Completion>(handler::completion)
        .on::<request::HoverRequest>(handler::hover)
        .on::<request::SignatureHelpRequest>(handler::signature_help)
        .on::<request::GotoDefinition>(handler::definition)
        .on::<request::References>(handler::references)
        .on::<request::PrepareRenameRequest>(handler::prepare_rename)
        .on::<request::Rename>(handler::rename)
        .on::<request::CallHierarchyPrepare>(handler::prepare_call_hierarchy)
        .on::<request::CallHierarchyIncomingCalls>(handler::incoming_calls)
        .on::<request::CallHierarchyOutgoingCalls>(handler::outgoing_calls)
        .on::<extensions::ClassGraphRequest>(handler::class_graph)
        .on::<request::DocumentHighlightRequest>(handler::highlights)
        .on::<request::DocumentSymbolRequest>(handler::document_symbols)
        .on::<request::WorkspaceSymbolRequest>(handler::workspace_symbols)
        .on::<request::FoldingRangeRequest>(handler::folding_ranges)
        .on::<request::SelectionRangeRequest>(handler::selection_ranges)
        .on::<request::DocumentLinkRequest>(handler::document_links)
        .on::<request::Formatting>(handler::formatting)
        .on::<request::SemanticTokensFullRequest>(handler::semantic_tokens)
        .on::<request::SemanticTokensRangeRequest>(handler::semantic_tokens_in_range)
        .on::<request::InlayHintRequest>(handler::inlay_hints)
        .on::<request::CodeLensRequest>(handler::code_lenses)
        .on::<request::CodeActionRequest>(handler::code_actions)
        .on::<request::CodeActionResolveRequest>(handler::resolve_code_action)
        .finish();
}

fn dispatch_notification(notification: Notification, session: &mut ClientSession) {
    use handlers::notification as handler;
    NotificationDispatcher::new(notification, session)
        .on::<notification::Initialized>(handler::initialized)
        .on::<notification::DidOpenTextDocument>(handler::did_open)
        .on::<notification::DidChangeTextDocument>(handler::did_change)
        .on::<notification::DidCloseTextDocument>(handler::did_close)
        .on::<notification::DidSaveTextDocument>(handler::did_save)
        .on::<notification::DidChangeWatchedFiles>(handler::did_change_watched_files)
        .on::<notification::DidChangeWorkspaceFolders>(handler::did_change_workspace_folders)
        .on::<notification::Cancel>(handler::cancel)
        .finish();
}
