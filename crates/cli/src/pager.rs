//! The pager for long answers on a terminal, as in git.
//!
//! `HIERATIC_PAGER` names it, then `PAGER`, then `less` is tried. It starts with the first bytes of an answer. `less`
//! is started with options that end it at once if the answer fits on the screen. Messages are printed after it has
//! ended.

use std::io::{IsTerminal, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// The state of the pager of the process.
enum Pager {
    /// Answers are written as they are.
    Off,
    /// The first bytes of an answer start it.
    Waiting,
    Running {
        child: Child,
        input: ChildStdin,
        /// The messages that wait for its end.
        messages: Vec<u8>,
    },
}

static PAGER: Mutex<Pager> = Mutex::new(Pager::Off);

/// Lets the answers of the process go through the pager, if they go to a terminal.
pub(crate) fn enable() {
    let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb" || term.is_empty());
    if std::io::stdout().is_terminal() && std::io::stdin().is_terminal() && !is_dumb {
        *PAGER.lock().unwrap_or_else(PoisonError::into_inner) = Pager::Waiting;
    }
}

/// The command of the pager; `None` if there is to be none.
fn command(variable: impl Fn(&str) -> Option<String>) -> Option<String> {
    let named = variable("HIERATIC_PAGER").or_else(|| variable("PAGER"));
    match named.as_deref().map(str::trim) {
        Some("" | "cat") => None,
        Some(command) => Some(command.to_owned()),
        None => Some("less".to_owned()),
    }
}

/// Writes bytes of an answer to the pager; `None` if there is none.
pub(crate) fn write(bytes: &[u8]) -> Option<std::io::Result<()>> {
    let mut pager = PAGER.lock().unwrap_or_else(PoisonError::into_inner);
    if matches!(*pager, Pager::Waiting) {
        // A pager that cannot be started is not needed: the answer is the same without it.
        *pager = start().unwrap_or(Pager::Off);
    }
    match &mut *pager {
        Pager::Running { input, .. } => Some(input.write_all(bytes).and_then(|()| input.flush())),
        Pager::Off | Pager::Waiting => None,
    }
}

fn start() -> Option<Pager> {
    let command = command(|name| std::env::var(name).ok())?;
    // As git does: the command may have arguments, so a shell reads it.
    let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut child = Command::new(shell);
    child.args([flag, &command]).stdin(Stdio::piped());
    if std::env::var_os("LESS").is_none() {
        // End if all fits on the screen, keep colors, leave the text on the screen.
        child.env("LESS", "FRX");
    }
    let mut child = child.spawn().ok()?;
    let input = child.stdin.take()?;
    ignore_interruptions();
    Some(Pager::Running { child, input, messages: Vec::new() })
}

/// Keeps a message until the pager has ended. Returns false if there is no pager.
pub(crate) fn keeps(message: &[u8]) -> bool {
    match &mut *PAGER.lock().unwrap_or_else(PoisonError::into_inner) {
        Pager::Running { messages, .. } => {
            messages.extend_from_slice(message);
            true
        }
        Pager::Off | Pager::Waiting => false,
    }
}

/// Returns whether a pager is running, which an interruption is for.
#[cfg(unix)]
pub(crate) fn is_running() -> bool {
    matches!(*PAGER.lock().unwrap_or_else(PoisonError::into_inner), Pager::Running { .. })
}

/// Waits until the reader has ended the pager. Returns the messages that waited for that.
pub(crate) fn finish() -> Vec<u8> {
    let pager = std::mem::replace(&mut *PAGER.lock().unwrap_or_else(PoisonError::into_inner), Pager::Off);
    let Pager::Running { mut child, input, messages } = pager else { return Vec::new() };
    drop(input);
    // The answer was written; the exit status of the pager does not affect the command.
    let _ = child.wait();
    messages
}

/// Ctrl-C is for the pager while it runs: it ends a search, not the command.
fn ignore_interruptions() {
    #[cfg(unix)]
    {
        use std::sync::Arc;
        use std::sync::atomic::AtomicBool;
        // Without the handler, an interruption ends the command as before.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::new(AtomicBool::new(false)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_name_the_pager() {
        let of = |pairs: &[(&str, &str)]| {
            command(|name| pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()))
        };
        assert_eq!(of(&[]).as_deref(), Some("less"));
        assert_eq!(of(&[("PAGER", "more -s")]).as_deref(), Some("more -s"));
        assert_eq!(of(&[("PAGER", "more"), ("HIERATIC_PAGER", "bat -p")]).as_deref(), Some("bat -p"));
        assert_eq!(of(&[("PAGER", "more"), ("HIERATIC_PAGER", "")]), None);
        assert_eq!(of(&[("PAGER", "cat")]), None);
    }
}
