//! [`InlineServer`]: a server without threads, for WebAssembly.

use std::io::{self, BufRead, Write};

use crossbeam_channel::{Receiver, unbounded};
use lsp_server::Message;

use crate::client::{Client, DiagnosticsQueue};
use crate::global_state::FolderSessions;
use crate::options::ServerOptions;
use crate::server::Server;
use crate::session::Threading;
use crate::transport::{self, Incoming};

/// A server that handles messages and checks files in the calling thread.
pub struct InlineServer {
    server: Server,
    outgoing: Receiver<Message>,
    diagnostics: DiagnosticsQueue,
    sessions: FolderSessions,
}

impl InlineServer {
    /// Creates a server that is not yet initialized.
    pub fn new(options: ServerOptions) -> InlineServer {
        let diagnostics = DiagnosticsQueue::default();
        let (sender, outgoing) = unbounded();
        let client = Client::new(sender, diagnostics.clone());
        let server = Server::new(options, client, Threading::None);
        InlineServer { server, outgoing, diagnostics, sessions: FolderSessions::default() }
    }

    /// Handles all messages of the input, checks the changed files, and writes the server's messages. Returns whether
    /// the session continues.
    ///
    /// # Errors
    /// The input is not a sequence of messages, or the output cannot be written.
    pub fn handle(&mut self, mut input: impl BufRead, mut output: impl Write) -> io::Result<bool> {
        let goes_on = loop {
            match transport::read(&mut input)? {
                Incoming::Message(message) => {
                    if !self.server.on_message(message)? {
                        break false;
                    }
                }
                Incoming::Unrelated => {}
                Incoming::Malformed(message) => transport::refuse(&mut output, &message)?,
                Incoming::End => break true,
            }
        };
        if let Some(session) = &self.server.session {
            session.global.check_pending(&mut self.sessions);
        }
        for message in self.outgoing.try_iter() {
            transport::write(&mut output, message, &self.diagnostics)?;
        }
        output.flush()?;
        Ok(goes_on)
    }
}
