//! `--serve`: compiles catalogs on request, with one line of JSON per request and response.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Mutex, PoisonError};

use hieratic::catalog::{CatalogAnswer, CatalogRequest, CatalogService};
use hieratic::{Error, ErrorKind, Value};

use crate::output;
use crate::request_lines::{MAX_REQUEST, RequestLine, read_line};
use crate::streams::ANSWERS;
use crate::usage::usage;

/// The maximum number of requests per processor that wait. Further requests are read when some of them are answered.
const WAITING: usize = 4;

/// Answers requests until standard input ends. The answers come in the order in which they are ready.
pub(super) fn serve(service: &CatalogService) -> Result<ExitCode, Error> {
    if cfg!(target_os = "wasi") {
        return serve_in_order(service);
    }
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

/// Answers one request after the other, without threads.
fn serve_in_order(service: &CatalogService) -> Result<ExitCode, Error> {
    let mut input = io::stdin().lock();
    loop {
        match read_line(&mut input) {
            Ok(Some(line)) => print_answer(service, line),
            Ok(None) => return Ok(ExitCode::SUCCESS),
            Err(error) => return Err(usage(format!("standard input cannot be read: {error}"))),
        }
    }
}

fn work(service: &CatalogService, receiver: &Mutex<Receiver<RequestLine>>) {
    loop {
        let line = receiver.lock().unwrap_or_else(PoisonError::into_inner).recv();
        // The sender is dropped at the end of the input.
        let Ok(line) = line else { return };
        if ANSWERS.is_gone() {
            // The rest is only taken, so that the reader of requests does not wait.
            continue;
        }
        print_answer(service, line);
    }
}

/// Answers a line. Empty lines are ignored.
fn print_answer(service: &CatalogService, line: RequestLine) {
    let answer = match line {
        RequestLine::Request(line) if line.trim_ascii().is_empty() => return,
        RequestLine::Request(line) => answer(service, &line),
        RequestLine::TooLong => refused(format!("a request has more than {MAX_REQUEST} bytes")),
    };
    let mut text = answer.to_json();
    text.push('\n');
    output::print(text.as_bytes());
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
