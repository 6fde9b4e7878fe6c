//! The base protocol: messages with a header that contains their length, over any pair of streams.
//!
//! An unreadable message is answered with an error, and reading continues after it. Only the end of the stream, or a
//! header without a usable length, ends the connection.

use std::io::{self, BufRead, Read as _, Write};

use serde_json::Value;

/// The maximum size of a message, in bytes.
const MAX_BYTES: usize = 256 << 20;

/// The maximum length of a header line, in bytes.
const MAX_HEADER_LINE_BYTES: u64 = 8 << 10;

/// A message that was read.
#[derive(Debug)]
pub(crate) enum Incoming {
    /// A message.
    Message(Value),
    /// Bytes that are not a message, and the reason.
    Malformed(String),
    /// Nothing comes any more.
    End,
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
            return match is_first {
                true => Ok(Incoming::End),
                false => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the stream ends in a header")),
            };
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
            length = value.trim().parse().ok();
        }
    }
    let Some(length) = length else {
        return Ok(Incoming::Malformed("the header has no Content-Length".to_owned()));
    };
    if length > MAX_BYTES {
        // The rest must be skipped, so that the next message is found.
        let skipped = io::copy(&mut io::Read::take(&mut *input, length as u64), &mut io::sink())?;
        return match skipped < length as u64 {
            true => Ok(Incoming::End),
            false => Ok(Incoming::Malformed(format!("a message of {length} bytes is larger than {MAX_BYTES}"))),
        };
    }
    let mut body = Vec::new();
    if io::Read::take(&mut *input, length as u64).read_to_end(&mut body)? < length {
        return Ok(Incoming::End);
    }
    Ok(match serde_json::from_slice(&body) {
        Ok(message) => Incoming::Message(message),
        Err(error) => Incoming::Malformed(error.to_string()),
    })
}

/// A line of a header without what ends it; none at the end.
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

/// Writes a message.
///
/// # Errors
/// An error of the stream: the client has disconnected.
pub(crate) fn write(output: &mut impl Write, message: &Value) -> io::Result<()> {
    let body = serde_json::to_vec(message)?;
    write!(output, "Content-Length: {}\r\n\r\n", body.len())?;
    output.write_all(&body)?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_messages_are_reported_and_skipped() {
        let stream = "Content-Length: 2\r\n\r\n[}Content-Type: x\r\ncontent-length: 7\r\n\r\n{\"a\":1}\r\nX: 1\r\n\r\nContent-Length: 9\r\n\r\n{";
        let mut input = stream.as_bytes();
        assert!(matches!(read(&mut input), Ok(Incoming::Malformed(_))));
        assert!(matches!(read(&mut input), Ok(Incoming::Message(message)) if message["a"] == 1));
        assert!(matches!(read(&mut input), Ok(Incoming::Malformed(_))));
        assert!(matches!(read(&mut input), Ok(Incoming::End)));
        assert!(read(&mut "x".repeat(10_000).as_bytes()).is_err());
        assert!(matches!(read(&mut "".as_bytes()), Ok(Incoming::End)));
    }

    #[test]
    fn written_messages_can_be_read() {
        let mut out = Vec::new();
        write(&mut out, &serde_json::json!({"a": "\u{1f600}"})).unwrap();
        assert!(matches!(read(&mut out.as_slice()), Ok(Incoming::Message(message)) if message["a"] == "\u{1f600}"));
    }
}
