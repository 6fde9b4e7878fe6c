//! A process that answers one request per line.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use hieratic_budget::{Budget, Exhausted};
use hieratic_json as json;
use hieratic_output as render;
use hieratic_value::{Hash, Value};

/// The maximum length of an answer, so that a faulty process cannot exhaust memory.
const MAX_ANSWER: u64 = 256 << 20;

/// The interval at which a waiting thread checks for cancellation.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The result of a request.
pub(super) enum Response {
    /// The process answered: with a value, with none, or with its own error.
    Answered(Result<Option<Value>, String>),
    /// The process broke the protocol.
    ProtocolError(String),
    /// The request was cancelled.
    Cancelled(Exhausted),
}

/// A running executable.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<std::io::Result<String>>,
    next_id: i64,
}

impl Process {
    /// Starts a command in a folder.
    pub(super) fn start(mut command: Command, arguments: &[String], folder: &Path) -> Result<Process, String> {
        let mut child = command
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot start {}: {error}", command.get_program().to_string_lossy()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("cannot communicate with the process".into());
        };
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            loop {
                let mut line = String::new();
                let read = output.by_ref().take(MAX_ANSWER).read_line(&mut line);
                let goes_on = match read {
                    // The end of the output, which the receiver notices when the sender is dropped.
                    Ok(0) => return,
                    Ok(_) => sender.send(Ok(line)).is_ok(),
                    Err(error) => {
                        let _ = sender.send(Err(error));
                        false
                    }
                };
                if !goes_on {
                    return;
                }
            }
        });
        Ok(Process { child, input, lines, next_id: 1 })
    }

    /// Sends one request. Unless an answer is given, the process must not be used again.
    pub(super) fn request(&mut self, request: Vec<(Value, Value)>, timeout: Duration, budget: &Budget) -> Response {
        match self.answer(request, timeout, budget) {
            Ok(Ok(answer)) => Response::Answered(answer),
            Ok(Err(exhausted)) => Response::Cancelled(exhausted),
            Err(message) => Response::ProtocolError(message),
        }
    }

    fn answer(
        &mut self,
        request: Vec<(Value, Value)>,
        timeout: Duration,
        budget: &Budget,
    ) -> Result<Result<Result<Option<Value>, String>, Exhausted>, String> {
        let id = self.next_id;
        self.next_id += 1;
        let request: Hash = std::iter::once(("id".into(), Value::Integer(id))).chain(request).collect();
        let mut line = render::json(&Value::Hash(request)).map_err(|error| error.to_string())?.trim_end().to_string();
        line.push('\n');
        self.input
            .write_all(line.as_bytes())
            .and_then(|()| self.input.flush())
            .map_err(|error| format!("cannot write to the process: {error}"))?;
        let start = Instant::now();
        let answer = loop {
            let left = timeout.saturating_sub(start.elapsed());
            match self.lines.recv_timeout(left.min(POLL_INTERVAL)) {
                Ok(Ok(answer)) => break answer,
                Ok(Err(error)) => return Err(format!("cannot read its answer: {error}")),
                Err(RecvTimeoutError::Timeout) if left > POLL_INTERVAL => {
                    if let Err(exhausted) = budget.waits() {
                        return Ok(Err(exhausted));
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    return Err(format!("no answer within {} s", timeout.as_secs_f64()));
                }
                Err(RecvTimeoutError::Disconnected) => return Err("the process exited without an answer".into()),
            }
        };
        let value = json::parse(answer.as_bytes()).map_err(|_| "its answer is not JSON".to_string())?;
        let Value::Hash(answer) = value else { return Err("its answer is not a JSON object".into()) };
        if answer.get("id") != Some(&Value::Integer(id)) {
            return Err(format!("its answer does not have the id {id} of the request"));
        }
        if let Some(error) = answer.get("error") {
            return Ok(Ok(Err(error.to_text())));
        }
        if answer.get("not_found").is_some_and(Value::is_truthy) {
            return Ok(Ok(Ok(None)));
        }
        match answer.get("value") {
            Some(value) => Ok(Ok(Ok(Some(value.clone())))),
            None => Err("its answer has neither `value` nor `not_found` nor `error`".into()),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The process may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
