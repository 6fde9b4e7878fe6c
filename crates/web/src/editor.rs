//! [`Editor`]: the language server, called with incoming messages.

use std::io::{self, BufRead, Write};

use hieratic_lsp::InlineServer;

/// The language server of the command line of this process, started by the first call.
#[derive(Default)]
pub struct Editor {
    server: Option<InlineServer>,
}

impl Editor {
    /// Handles the messages of the input, and writes those of the server. Returns whether the session continues.
    ///
    /// # Errors
    /// The command line does not select the server, the input is not a sequence of messages, or the output cannot be
    /// written.
    pub fn handle(&mut self, input: impl BufRead, output: impl Write) -> io::Result<bool> {
        if self.server.is_none() {
            self.server = hieratic_cli::language_server();
        }
        match &mut self.server {
            Some(server) => server.handle(input, output),
            None => Err(io::Error::other("the command line is not one of a language server")),
        }
    }
}
