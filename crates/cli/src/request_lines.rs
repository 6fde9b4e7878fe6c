//! [`RequestLine`]: the requests on standard input, one per line, within a limit.

use std::io::{self, BufRead};

/// The maximum size of a request, in bytes.
pub(crate) const MAX_REQUEST: usize = 64 << 20;

/// A line of standard input.
pub(crate) enum RequestLine {
    Request(Vec<u8>),
    /// It has more than [`MAX_REQUEST`] bytes, which are not kept.
    TooLong,
}

/// Reads a line, or skips one that is too long. `None` at the end of the input.
pub(crate) fn read_line(input: &mut impl BufRead) -> io::Result<Option<RequestLine>> {
    let mut line = Vec::new();
    let mut is_too_long = false;
    loop {
        let part = match input.fill_buf() {
            Ok(part) => part,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if part.is_empty() {
            return Ok(match (is_too_long, line.is_empty()) {
                (true, _) => Some(RequestLine::TooLong),
                (false, true) => None,
                (false, false) => Some(RequestLine::Request(line)),
            });
        }
        let end = part.iter().position(|byte| *byte == b'\n');
        let used = end.unwrap_or(part.len());
        is_too_long |= line.len() + used > MAX_REQUEST;
        if is_too_long {
            line = Vec::new();
        } else {
            line.extend_from_slice(&part[..used]);
        }
        input.consume(used + usize::from(end.is_some()));
        if end.is_some() {
            return Ok(Some(if is_too_long { RequestLine::TooLong } else { RequestLine::Request(line) }));
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn lines(input: &[u8]) -> Vec<String> {
        let mut input = io::BufReader::with_capacity(7, input);
        let mut lines = Vec::new();
        while let Some(line) = read_line(&mut input).unwrap() {
            lines.push(match line {
                RequestLine::Request(line) => String::from_utf8(line).unwrap(),
                RequestLine::TooLong => "too long".to_owned(),
            });
        }
        lines
    }

    #[test]
    fn lines_end_at_newlines_and_at_the_end() {
        assert_eq!(lines(b"a\n\nlonger than seven\nlast"), ["a", "", "longer than seven", "last"]);
        assert!(lines(b"").is_empty());
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped() {
        let mut input = vec![b'x'; MAX_REQUEST + 1];
        input.extend_from_slice(b"\nnext\n");
        assert_eq!(lines(&input), ["too long", "next"]);
    }
}
