//! [`ExternalRuby`]: an installed Ruby as a child process, for code that is not supported here.
//!
//! Both sides exchange lines of JSON. The host sends a request. Until the response arrives, the child can request
//! variables, functions and other services of Puppet, and the host may send nested requests before it answers. The
//! protocol gives the child only what it requests, but it is a process with all rights of the user. That is why it is
//! only started with the user's permission. => [`ExternalRuby`]: an installed Ruby as a child process, for code that
//! this crate does not support.
//!
//! Both sides exchange lines of JSON. The host sends a request. Until the response arrives, the child can request
//! variables, functions and other services of Puppet, and the host may send nested requests before it answers. The
//! child is a process with all rights of the user, and is therefore started only with the user's permission.

mod wire;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use hieratic_value::Value;

use crate::host::{Host, HostError, HostErrorKind};
use crate::interpreter::{ErrorKind, Ruby, RubyError};
use crate::puppet::FunctionDeclaration;
use wire::Wire;

/// The program of the child: Hieratic's version of the Puppet API, and the request loop.
const DRIVER: &str = concat!(
    include_str!("driver.rb"),
    include_str!("../prelude/partial.rb"),
    include_str!("../prelude/puppet.rb"),
    "\nloop { HieraticWire.wait }\n"
);

/// The largest message of a child, in bytes.
const MAX_MESSAGE: u64 = 64 << 20;

/// The timeout of a request. It includes the time in which the host answers nested requests.
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// An installed Ruby in a child process.
#[derive(Debug)]
pub struct ExternalRuby {
    process: Mutex<Process>,
    wire: Mutex<Wire>,
}

#[derive(Debug)]
struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<Result<String, String>>,
}

/// A message of the child.
enum ChildMessage {
    Request(String, Vec<Value>),
    Done(Value),
    Failed { class: String, message: String, file: String, line: u32 },
    Ended(String),
}

/// Creates the error for a child that does not follow the protocol.
fn broken(message: impl Into<String>) -> RubyError {
    let kind = ErrorKind::Raised { class: "RuntimeError".to_owned(), host: None };
    RubyError { message: message.into(), kind, file: "".into(), line: 0 }
}

impl ExternalRuby {
    /// Starts an installed Ruby by its command. The child does not inherit environment variables.
    ///
    /// # Errors
    /// The program cannot be started.
    pub fn start(mut command: Command) -> Result<ExternalRuby, String> {
        command.args(["--disable-gems", "-W0", "-e", DRIVER]).env_clear().current_dir("/");
        command.env("LANG", "C.UTF-8").env("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the process has no pipes".to_owned());
        };
        let (sender, lines) = sync_channel(1);
        // A blocked read cannot be cancelled; the thread of it can be abandoned.
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            loop {
                let mut line = String::new();
                let read = (&mut output).take(MAX_MESSAGE).read_line(&mut line);
                let message = match read {
                    Ok(0) => Err("it has ended".to_owned()),
                    Ok(_) if !line.ends_with('\n') => {
                        Err(format!("its message exceeds {MAX_MESSAGE} bytes, or it has ended"))
                    }
                    Ok(_) => Ok(line),
                    Err(error) => Err(error.to_string()),
                };
                let is_end = message.is_err();
                if sender.send(message).is_err() || is_end {
                    return;
                }
            }
        });
        Ok(ExternalRuby { process: Mutex::new(Process { child, input, lines }), wire: Mutex::default() })
    }

    /// Renders a template, as [`Ruby::render`] does. The host can use `ruby` for nested code.
    ///
    /// # Errors
    /// An exception, or a child that does not answer.
    pub fn render(
        &self,
        host: &mut dyn Host,
        interpreter: &mut Ruby,
        template: &str,
        name: &str,
        path: Option<&str>,
    ) -> Result<Arc<str>, RubyError> {
        let path: Value = path.map_or(Value::Undef, Into::into);
        let done = self.run(host, interpreter, "render", &[template.into(), name.into(), path])?;
        Ok(done.to_text().into())
    }

    /// Loads a file, and returns the declaration of a function that it defines.
    ///
    /// # Errors
    /// As [`render`](Self::render).
    pub fn function(
        &self,
        host: &mut dyn Host,
        interpreter: &mut Ruby,
        path: &str,
        name: &str,
    ) -> Result<Option<FunctionDeclaration>, RubyError> {
        let done = self.run(host, interpreter, "declare", &[path.into(), name.into()])?;
        Ok(match done {
            Value::Undef => None,
            Value::String(_) => Some(FunctionDeclaration {
                name: name.to_owned(),
                local_types: Vec::new(),
                dispatches: None,
                returns_value: true,
                arity: None,
            }),
            described => Some(FunctionDeclaration::from_value(name, &described)),
        })
    }

    /// Calls a function of a file, as [`Ruby::call`] does.
    ///
    /// # Errors
    /// As [`render`](Self::render).
    #[allow(clippy::too_many_arguments, reason = "those of a call, and who takes part in it")]
    pub fn call(
        &self,
        host: &mut dyn Host,
        interpreter: &mut Ruby,
        path: &str,
        name: &str,
        dispatch: Option<usize>,
        arguments: &[Value],
        has_block: bool,
    ) -> Result<Value, RubyError> {
        let dispatch = dispatch.map_or(Value::Undef, |index| Value::Integer(i64::try_from(index).unwrap_or(i64::MAX)));
        // The arguments are taken apart by the code, not by the request.
        let arguments = Value::from(arguments.to_vec());
        self.run(host, interpreter, "call", &[path.into(), name.into(), dispatch, arguments, has_block.into()])
    }

    /// Sends a request, and answers nested requests until the response arrives.
    fn run(&self, host: &mut dyn Host, interpreter: &mut Ruby, kind: &str, rest: &[Value]) -> Result<Value, RubyError> {
        locked(&self.wire).begin();
        let done = self.run_within(host, interpreter, kind, rest);
        locked(&self.wire).end();
        done
    }

    fn run_within(
        &self,
        host: &mut dyn Host,
        interpreter: &mut Ruby,
        kind: &str,
        rest: &[Value],
    ) -> Result<Value, RubyError> {
        let until = Instant::now() + TIMEOUT;
        let plain = |value: &Value| locked(&self.wire).written(value);
        let folders: Vec<Value> = host.library_folders().into_iter().map(Into::into).collect();
        self.send(&format!("[\"libraries\",{}]\n", plain(&Value::from(folders))))?;
        self.receive(until)?;
        let rest: Vec<String> = rest.iter().map(plain).collect();
        self.send(&format!("[\"{kind}\",{}]\n", rest.join(",")))?;
        loop {
            match self.receive(until)? {
                ChildMessage::Done(value) => return Ok(value),
                ChildMessage::Ended(message) => return Err(broken(message)),
                ChildMessage::Failed { class, message, file, line } => {
                    let kind = match class.as_str() {
                        "SyntaxError" => ErrorKind::Syntax,
                        "NotImplementedError" => ErrorKind::Refused,
                        _ => ErrorKind::Raised { class, host: None },
                    };
                    return Err(RubyError { message, kind, file: file.into(), line });
                }
                ChildMessage::Request(name, arguments) => {
                    let answer = match answer(host, interpreter, &name, &arguments) {
                        Ok(value) => format!("[\"answer\",{}]\n", plain(&value)),
                        Err(error) if error.kind != HostErrorKind::Rescued => {
                            let message = plain(&error.message.as_str().into());
                            self.send(&format!("[\"ended\",{message}]\n"))?;
                            self.receive(until)?;
                            let (file, line) = ("".into(), 0);
                            let message = error.message.clone();
                            return Err(RubyError { message, kind: ErrorKind::Host(error), file, line });
                        }
                        Err(error) => format!("[\"error\",{}]\n", plain(&error.message.as_str().into())),
                    };
                    self.send(&answer)?;
                }
            }
        }
    }

    fn send(&self, line: &str) -> Result<(), RubyError> {
        let mut process = locked(&self.process);
        process.input.write_all(line.as_bytes()).map_err(|error| broken(format!("the Ruby of --ruby: {error}")))
    }

    fn receive(&self, until: Instant) -> Result<ChildMessage, RubyError> {
        let mut process = locked(&self.process);
        let line = match process.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(Ok(line)) => line,
            Ok(Err(reason)) => return Err(broken(format!("the Ruby of --ruby: {reason}"))),
            Err(RecvTimeoutError::Timeout) => {
                // Its state is unknown now, so it cannot be used again.
                let _ = process.child.kill();
                return Err(broken(format!("the Ruby of --ruby takes more than {} seconds", TIMEOUT.as_secs())));
            }
            Err(RecvTimeoutError::Disconnected) => return Err(broken("the Ruby of --ruby has ended")),
        };
        drop(process);
        locked(&self.wire).parse(&line).ok_or_else(|| broken("the Ruby of --ruby does not speak as agreed"))
    }
}

/// Locks a mutex, ignoring poison: only one thread uses it, and a panic elsewhere leaves its content consistent.
fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Drop for Process {
    fn drop(&mut self) {
        // The child may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Answers a request of the child.
fn answer(host: &mut dyn Host, interpreter: &mut Ruby, name: &str, arguments: &[Value]) -> Result<Value, HostError> {
    let text = |at: usize| arguments.get(at).map(Value::to_text).unwrap_or_default();
    let list = |at: usize| arguments.get(at).and_then(Value::as_array).map(<[Value]>::to_vec).unwrap_or_default();
    let strings = |list: Vec<String>| Value::from(list.into_iter().map(Value::from).collect::<Vec<_>>());
    Ok(match name {
        "variable" => host.variable(&text(0))?.unwrap_or_default(),
        "variable?" => host.variable(&text(0))?.is_some().into(),
        "variables" => {
            let all = host.variables()?;
            // As `scope.to_hash` asks: without those that are undef.
            let is_compact = arguments.first() == Some(&Value::Boolean(false));
            let all = all.iter().filter(|(_, value)| !is_compact || !value.is_undef());
            let pairs = all.map(|(name, value)| (Value::String(name.clone()), value.clone()));
            Value::from(pairs.collect::<hieratic_value::Hash>())
        }
        "set_variable" => {
            host.set_variable(&text(0), arguments.get(1).cloned().unwrap_or_default())?;
            Value::Undef
        }
        "call" => host.call_function(&text(0), &list(1), None, interpreter)?,
        "call_at_top" => host.call_function_at_top(&text(0), &list(1), None, interpreter)?,
        "call_block" => host.call_block(&Value::Integer(0), &list(1), interpreter)?,
        "function?" => host.knows_function(&text(0)).into(),
        "old_function" => host.old_function(&text(0)).map_or(Value::Undef, Into::into),
        "module" => host.module(&text(0)).map_or(Value::Undef, Into::into),
        "own_resource" => host.own_resource().map_or(Value::Undef, |(kind, title)| strings(vec![kind, title])),
        "all_tags" => strings(host.all_tags()),
        "classes" => strings(host.classes()),
        "setting" => host.setting(&text(0)).unwrap_or_default(),
        "resource" => host.resource(&text(0), &text(1)).unwrap_or_default(),
        "log" => {
            host.log(&text(0), text(1));
            Value::Undef
        }
        other => return Err(HostError::refused(format!("the Ruby of --ruby asks for '{other}', which nothing knows"))),
    })
}
