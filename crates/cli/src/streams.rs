//! [`Stream`]: the only access to standard output and standard error.
//!
//! All output goes through one of the two streams. Each records its first failed write. `main` checks this at the end
//! ([`end`]), so that no verb can report success after its answer was lost.

use std::io::{ErrorKind, Result, Write};
use std::sync::{Mutex, PoisonError};

use crate::pager;

/// The stream of answers.
pub(crate) static ANSWERS: Stream = Stream { target: Target::Output, state: Mutex::new(State::Open) };

/// The stream of messages.
pub(crate) static MESSAGES: Stream = Stream { target: Target::Error, state: Mutex::new(State::Open) };

/// A standard stream of the process.
#[derive(Debug)]
pub(crate) struct Stream {
    target: Target,
    state: Mutex<State>,
}

#[derive(Clone, Copy, Debug)]
enum Target {
    Output,
    Error,
}

/// The state of a stream.
#[derive(Debug)]
enum State {
    Open,
    /// The reader has gone away, as `head` does when it has enough.
    Closed,
    /// Something was lost, for this reason.
    Lost(std::io::Error),
}

impl Stream {
    /// Writes all bytes at once. After a failure nothing more is written: output after a gap would mislead.
    pub(crate) fn write(&self, bytes: &[u8]) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if !matches!(*state, State::Open) {
            return;
        }
        let written = match self.target {
            Target::Output => pager::write(bytes),
            Target::Error => pager::keeps(bytes).then_some(Ok(())),
        };
        *state = match written.unwrap_or_else(|| self.target.write(bytes)) {
            Ok(()) => State::Open,
            Err(error) if error.kind() == ErrorKind::BrokenPipe => State::Closed,
            Err(error) => State::Lost(error),
        };
    }

    /// Returns whether the stream is closed.
    pub(crate) fn is_gone(&self) -> bool {
        !matches!(*self.state.lock().unwrap_or_else(PoisonError::into_inner), State::Open)
    }

    /// Returns whether output was lost.
    pub(crate) fn is_lost(&self) -> bool {
        self.lost().is_some()
    }

    /// Returns the reason why output was lost, if it was.
    pub(crate) fn lost(&self) -> Option<String> {
        match &*self.state.lock().unwrap_or_else(PoisonError::into_inner) {
            State::Lost(error) => Some(error.to_string()),
            State::Open | State::Closed => None,
        }
    }
}

impl Target {
    /// Past the buffers and the leniency of the standard library, which takes a stream that cannot be written for one that swallows
    /// everything.
    #[cfg(unix)]
    fn write(self, bytes: &[u8]) -> Result<()> {
        use std::os::fd::AsFd;
        let stream = match self {
            Target::Output => std::io::stdout().as_fd().try_clone_to_owned(),
            Target::Error => std::io::stderr().as_fd().try_clone_to_owned(),
        };
        write_all(&mut std::fs::File::from(stream?), bytes)
    }

    #[cfg(not(unix))]
    fn write(self, bytes: &[u8]) -> Result<()> {
        match self {
            Target::Output => write_all(&mut std::io::stdout().lock(), bytes),
            Target::Error => write_all(&mut std::io::stderr().lock(), bytes),
        }
    }
}

/// Writes and flushes. It also waits for a pipe that another process has made non-blocking.
fn write_all(out: &mut impl Write, mut bytes: &[u8]) -> Result<()> {
    const PAUSE: std::time::Duration = std::time::Duration::from_millis(1);
    while !bytes.is_empty() {
        match out.write(bytes) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(count) => bytes = &bytes[count..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::sleep(PAUSE),
            Err(error) => return Err(error),
        }
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A writer that takes three bytes at a time, and fails with the given errors.
    struct Narrow(Vec<u8>, Vec<ErrorKind>);

    impl Write for Narrow {
        fn write(&mut self, bytes: &[u8]) -> Result<usize> {
            if let Some(kind) = self.1.pop() {
                return Err(kind.into());
            }
            let count = bytes.len().min(3);
            self.0.extend_from_slice(&bytes[..count]);
            Ok(count)
        }

        fn flush(&mut self) -> Result<()> {
            Ok(())
        }
    }

    #[test]
    fn partial_writes_are_completed_or_reported() {
        let mut patient = Narrow(Vec::new(), vec![ErrorKind::WouldBlock, ErrorKind::Interrupted]);
        write_all(&mut patient, b"12345678").unwrap();
        assert_eq!(patient.0, b"12345678");
        let mut full = Narrow(Vec::new(), vec![ErrorKind::StorageFull]);
        assert_eq!(write_all(&mut full, b"1").unwrap_err().kind(), ErrorKind::StorageFull);
    }
}
