//! [`connect`]: an [`lsp_server::Connection`] over any pair of streams, which tolerates malformed messages.
//!
//! `lsp_server` ends a connection at the first message that it cannot read: one malformed message of an extension would
//! end the server with all its caches. Therefore this module has its own threads for a connection. The reader answers a
//! malformed message with an error and continues with the next one. Only the end of the stream, or a header without a
//! usable length, ends it. The writer computes diagnostics when it writes them.

use std::io::{self, BufRead, Read as _, Write};
use std::thread::{Builder, JoinHandle};

use crossbeam_channel::{Receiver, Sender, never, select, unbounded};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError};
use lsp_types::notification::{Exit, Notification as _};
use serde_json::{Map, Value, json};

use crate::client::{DiagnosticsQueue, error_response};

/// The maximum size of a message, in bytes.
const MAX_BYTES: usize = 256 << 20;

/// The maximum length of a header line, in bytes.
const MAX_HEADER_LINE_BYTES: u64 = 8 << 10;

/// The threads of a connection.
pub(crate) struct IoThreads {
    reader: JoinHandle<io::Result<()>>,
    writer: JoinHandle<io::Result<()>>,
}

impl IoThreads {
    /// Waits until both streams have ended. The sender of the connection must be dropped before.
    ///
    /// # Errors
    /// An error of the input. One of the output means that the client has disconnected, which the input reports, too.
    pub(crate) fn join(self) -> io::Result<()> {
        let read = self.reader.join().unwrap_or_else(|_| Err(io::Error::other("the reader of messages failed")));
        // A client that has gone reads no response, so the error is dropped.
        let _ = self.writer.join();
        read
    }
}

/// Connects the server with a client.
///
/// # Errors
/// The threads cannot be started.
pub(crate) fn connect(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    diagnostics: DiagnosticsQueue,
) -> io::Result<(Connection, IoThreads)> {
    let (incoming, receiver) = unbounded();
    let (sender, outgoing) = unbounded();
    let (refuse, refused) = unbounded();
    let reader = Builder::new().name("reads".to_owned()).spawn(move || read_all(input, &incoming, &refuse))?;
    let writer =
        Builder::new().name("writes".to_owned()).spawn(move || write_all(output, &outgoing, &refused, &diagnostics))?;
    Ok((Connection { sender, receiver }, IoThreads { reader, writer }))
}

/// A message that was read.
#[derive(Debug)]
pub(crate) enum Incoming {
    /// A message.
    Message(Message),
    /// A response without the id of a request, which is ignored.
    Unrelated,
    /// Bytes that are not a message.
    Malformed(MalformedMessage),
    /// Nothing comes any more.
    End,
}

/// The response to bytes that are not a message.
#[derive(Debug)]
pub(crate) struct MalformedMessage {
    /// The id of the request as it was sent; null if there is none. [`Response`] has no place for both.
    id: Value,
    error: ResponseError,
}

impl MalformedMessage {
    fn new(id: Value, code: ErrorCode, message: impl Into<String>) -> MalformedMessage {
        MalformedMessage { id, error: error_response(code, message) }
    }
}

/// Reads messages until the end or the notification `exit`.
fn read_all(mut input: impl BufRead, incoming: &Sender<Message>, refuse: &Sender<MalformedMessage>) -> io::Result<()> {
    loop {
        let is_received = match read(&mut input)? {
            Incoming::Message(message) => {
                let is_exit = matches!(&message, Message::Notification(one) if one.method == Exit::METHOD);
                incoming.send(message).is_ok() && !is_exit
            }
            Incoming::Unrelated => true,
            Incoming::Malformed(message) => refuse.send(message).is_ok(),
            Incoming::End => false,
        };
        if !is_received {
            return Ok(());
        }
    }
}

/// Reads the next message.
///
/// # Errors
/// An error of the stream, or a header after which the next message cannot be found.
pub(crate) fn read(input: &mut impl BufRead) -> io::Result<Incoming> {
    let mut length: Option<usize> = None;
    let mut is_first = true;
    loop {
        let Some(line) = header_line(input)? else {
            if is_first {
                return Ok(Incoming::End);
            }
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the stream ends in a header"));
        };
        if line.is_empty() {
            if is_first {
                // Blank lines between messages do no harm.
                continue;
            }
            break;
        }
        is_first = false;
        let Some((name, value)) = line.split_once(':') else { continue };
        if name.trim().eq_ignore_ascii_case("content-length") {
            // A length that is not a number is reported below, as a header without one.
            length = value.trim().parse().ok();
        }
    }
    let Some(length) = length else {
        return Ok(unparsable("the header has no Content-Length"));
    };
    if length > MAX_BYTES {
        // The rest must be skipped, so that the next message is found.
        let skipped = io::copy(&mut io::Read::take(&mut *input, length as u64), &mut io::sink())?;
        if skipped < length as u64 {
            return Ok(Incoming::End);
        }
        return Ok(unparsable(format!("a message of {length} bytes is larger than {MAX_BYTES}")));
    }
    let mut body = Vec::new();
    if io::Read::take(&mut *input, length as u64).read_to_end(&mut body)? < length {
        return Ok(Incoming::End);
    }
    Ok(match serde_json::from_slice(&body) {
        Ok(Value::Object(fields)) => to_message(fields),
        Ok(_) => {
            let error = MalformedMessage::new(Value::Null, ErrorCode::InvalidRequest, "a message is an object");
            Incoming::Malformed(error)
        }
        Err(error) => unparsable(error.to_string()),
    })
}

fn unparsable(reason: impl Into<String>) -> Incoming {
    Incoming::Malformed(MalformedMessage::new(Value::Null, ErrorCode::ParseError, reason))
}

/// A line of a header without its end; none at the end of the stream.
fn header_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let read = io::Read::take(&mut *input, MAX_HEADER_LINE_BYTES).read_until(b'\n', &mut line)?;
    if read == 0 {
        return Ok(None);
    }
    if !line.ends_with(b"\n") && read as u64 == MAX_HEADER_LINE_BYTES {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a line of the header is too long"));
    }
    Ok(Some(String::from_utf8_lossy(&line).trim().to_owned()))
}

/// Converts the fields of an object. `serde` would take an object without method and result for a response.
fn to_message(mut fields: Map<String, Value>) -> Incoming {
    let id = fields.remove("id").filter(|id| !id.is_null());
    let params = fields.remove("params").unwrap_or(Value::Null);
    match fields.remove("method") {
        Some(Value::String(method)) => match id {
            None => Incoming::Message(Message::Notification(Notification { method, params })),
            Some(id) => match to_request_id(&id) {
                Some(id) => Incoming::Message(Message::Request(Request { id, method, params })),
                None => {
                    let expected = "the id of a request is a string, or an integer of 32 bits";
                    Incoming::Malformed(MalformedMessage::new(id, ErrorCode::InvalidRequest, expected))
                }
            },
        },
        _ if fields.contains_key("result") || fields.contains_key("error") => {
            let Some(id) = id.as_ref().and_then(to_request_id) else { return Incoming::Unrelated };
            let response_result = fields.remove("result").ok_or_else(|| to_error(fields.remove("error")));
            Incoming::Message(Message::Response(Response { id, response_result }))
        }
        _ => Incoming::Malformed(MalformedMessage::new(
            id.unwrap_or(Value::Null),
            ErrorCode::InvalidRequest,
            "a message has a method, a result or an error",
        )),
    }
}

/// Converts the error of a client's response. A client need not follow the protocol there: nothing depends on its fields.
fn to_error(error: Option<Value>) -> ResponseError {
    let field = |name| error.as_ref().and_then(|error| error.get(name));
    let code = field("code").and_then(Value::as_i64).and_then(|code| i32::try_from(code).ok());
    ResponseError {
        code: code.unwrap_or(ErrorCode::UnknownErrorCode as i32),
        message: field("message").and_then(Value::as_str).unwrap_or_default().to_owned(),
        data: field("data").cloned(),
    }
}

fn to_request_id(id: &Value) -> Option<RequestId> {
    match id {
        Value::String(text) => Some(RequestId::from(text.clone())),
        Value::Number(number) => Some(RequestId::from(i32::try_from(number.as_i64()?).ok()?)),
        _ => None,
    }
}

/// Writes messages until the server drops its sender, or the client disconnects.
fn write_all(
    mut output: impl Write,
    outgoing: &Receiver<Message>,
    refused: &Receiver<MalformedMessage>,
    diagnostics: &DiagnosticsQueue,
) -> io::Result<()> {
    let (mut reader_has_ended, no_messages) = (false, never());
    loop {
        let refusals = if reader_has_ended { &no_messages } else { refused };
        select! {
            recv(outgoing) -> message => match message {
                Ok(message) => write(&mut output, message, diagnostics)?,
                Err(_) => break,
            },
            recv(refusals) -> message => match message {
                Ok(message) => refuse(&mut output, &message)?,
                // The reader has ended. The server still answers.
                Err(_) => reader_has_ended = true,
            },
        }
    }
    for message in refused.try_iter() {
        refuse(&mut output, &message)?;
    }
    Ok(())
}

pub(crate) fn write(output: &mut impl Write, message: Message, diagnostics: &DiagnosticsQueue) -> io::Result<()> {
    match diagnostics.complete(message) {
        Some(message) => message.write(output),
        None => Ok(()),
    }
}

pub(crate) fn refuse(output: &mut impl Write, MalformedMessage { id, error }: &MalformedMessage) -> io::Result<()> {
    let body = serde_json::to_vec(&json!({"jsonrpc": "2.0", "id": id, "error": error}))?;
    write!(output, "Content-Length: {}\r\n\r\n", body.len())?;
    output.write_all(&body)?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(incoming: io::Result<Incoming>) -> Option<i32> {
        match incoming {
            Ok(Incoming::Malformed(message)) => Some(message.error.code),
            _ => None,
        }
    }

    #[test]
    fn invalid_messages_are_reported_and_skipped() {
        let request = r#"{"id":7,"method":"a"}"#;
        let stream = format!(
            "Content-Length: 2\r\n\r\n[}}Content-Type: x\r\ncontent-length: {}\r\n\r\n{request}\r\nX: 1\r\n\r\nContent-Length: 9\r\n\r\n{{",
            request.len()
        );
        let mut input = stream.as_bytes();
        assert_eq!(code(read(&mut input)), Some(ErrorCode::ParseError as i32));
        assert!(matches!(read(&mut input), Ok(Incoming::Message(Message::Request(one))) if one.method == "a"));
        assert_eq!(code(read(&mut input)), Some(ErrorCode::ParseError as i32));
        assert!(matches!(read(&mut input), Ok(Incoming::End)));
        assert!(read(&mut "x".repeat(10_000).as_bytes()).is_err());
        assert!(matches!(read(&mut "".as_bytes()), Ok(Incoming::End)));
    }

    #[test]
    fn an_object_is_a_message_by_its_fields() {
        let read = |text: &str| read(&mut format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
        assert!(matches!(read(r#"{"method":"a"}"#), Ok(Incoming::Message(Message::Notification(_)))));
        assert!(matches!(read(r#"{"id":null,"method":"a"}"#), Ok(Incoming::Message(Message::Notification(_)))));
        assert!(matches!(read(r#"{"id":"x","method":"a"}"#), Ok(Incoming::Message(Message::Request(_)))));
        assert!(matches!(read(r#"{"id":1,"result":null}"#), Ok(Incoming::Message(Message::Response(_)))));
        assert!(matches!(read(r#"{"id":1.5,"result":null}"#), Ok(Incoming::Unrelated)));
        for invalid in [r#"{"id":7}"#, "[1]", r#"{"id":99999999999,"method":"a"}"#, r#"{"id":[],"method":"a"}"#] {
            assert_eq!(code(read(invalid)), Some(ErrorCode::InvalidRequest as i32), "{invalid}");
        }
    }

    #[test]
    fn written_messages_can_be_read() {
        let mut out = Vec::new();
        let message = Message::Notification(Notification { method: "a".into(), params: json!({"a": "\u{1f600}"}) });
        write(&mut out, message, &DiagnosticsQueue::default()).unwrap();
        let read = read(&mut out.as_slice());
        assert!(matches!(read, Ok(Incoming::Message(Message::Notification(one))) if one.params["a"] == "\u{1f600}"));
    }
}
