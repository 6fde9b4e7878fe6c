//! `--serve`: catalogs on request, as lines of JSON on standard input and output.

use std::io::{self, BufRead};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Mutex, PoisonError};

use hieratic::catalog::{CatalogAnswer, CatalogRequest, CatalogService};
use hieratic::{Error, ErrorKind, Value};

use crate::output;
use crate::streams::ANSWERS;
use crate::usage::usage;

/// The maximum size of a request, in bytes.
const MAX_REQUEST: usize = 64 << 20;

/// The maximum number of requests per processor that wait. Those who send more wait until some are answered.
const WAITING: usize = 4;

/// A line of standard input.
enum Line {
    Request(Vec<u8>),
    TooLong,
}

/// Answers requests until standard input ends. The answers come in the order in which they are ready.
pub(super) fn serve(service: &CatalogService) -> Result<ExitCode, Error> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let (sender, receiver) = sync_channel(workers * WAITING);
    let receiver = Mutex::new(receiver);
    let read = std::thread::scope(|scope| {
        for _ in 0..workers {
            // Deep code grows its stack, so the initial size does not matter.
            scope.spawn(|| work(service, &receiver));
        }
        let mut input = io::stdin().lock();
        let read = loop {
            let line = match read_line(&mut input) {
                Ok(Some(line)) => line,
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            };
            // The workers are there until the sender is dropped. Lost output is reported at the end.
            if ANSWERS.is_gone() || sender.send(line).is_err() {
                break Ok(());
            }
        };
        // The workers end after the last request.
        drop(sender);
        read
    });
    match read {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(error) => Err(usage(format!("standard input cannot be read: {error}"))),
    }
}

/// Reads a line, or skips one that is too long. `None` at the end of the input.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
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
                (true, _) => Some(Line::TooLong),
                (false, true) => None,
                (false, false) => Some(Line::Request(line)),
            });
        }
        let end = part.iter().position(|byte| *byte == b'\n');
        let taken = end.unwrap_or(part.len());
        is_too_long |= line.len() + taken > MAX_REQUEST;
        if is_too_long {
            line = Vec::new();
        } else {
            line.extend_from_slice(&part[..taken]);
        }
        input.consume(taken + usize::from(end.is_some()));
        if end.is_some() {
            return Ok(Some(if is_too_long { Line::TooLong } else { Line::Request(line) }));
        }
    }
}

fn work(service: &CatalogService, receiver: &Mutex<Receiver<Line>>) {
    loop {
        let line = receiver.lock().unwrap_or_else(PoisonError::into_inner).recv();
        // The sender is dropped at the end of the input.
        let Ok(line) = line else { return };
        if ANSWERS.is_gone() {
            // The rest is only taken, so that the reader of requests does not wait.
            continue;
        }
        let answer = match line {
            Line::Request(line) if line.trim_ascii().is_empty() => continue,
            Line::Request(line) => answer(service, &line),
            Line::TooLong => refused(format!("a request has more than {MAX_REQUEST} bytes")),
        };
        let mut text = answer.to_json();
        text.push('\n');
        output::print(text.as_bytes());
    }
}

/// Answers a request, also after a panic, which no input should cause.
fn answer(service: &CatalogService, line: &[u8]) -> CatalogAnswer {
    let request = match CatalogRequest::parse(line) {
        Ok(request) => request,
        Err(invalid) => return CatalogAnswer::invalid(&invalid),
    };
    catch_unwind(AssertUnwindSafe(|| service.answer(&request))).unwrap_or_else(|_| CatalogAnswer {
        id: request.id.clone(),
        ..refused("internal error: the request failed because of a bug in hieratic".into())
    })
}

fn refused(message: String) -> CatalogAnswer {
    CatalogAnswer::refused(Value::Undef, &Error::new(ErrorKind::Fatal, hieratic::codes::CATALOG_REQUEST, message))
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
                Line::Request(line) => String::from_utf8(line).unwrap(),
                Line::TooLong => "too long".to_owned(),
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
