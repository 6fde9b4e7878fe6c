//! Runs the user's editor.

use std::io::Result;
use std::path::Path;
use std::process::{Command, ExitStatus};
#[cfg(unix)]
use std::sync::Arc;
#[cfg(unix)]
use std::sync::atomic::{AtomicBool, Ordering};

/// Editors that are tried where the user names none, as the reference does.
const KNOWN: [&str; 5] =
    ["/usr/bin/sensible-editor", "/usr/bin/editor", "/usr/bin/vim", "/usr/bin/vi", "/usr/bin/nano"];

/// The editor's command: `$EDITOR`, else one that is known.
pub(super) fn command() -> Option<String> {
    let named = std::env::var("EDITOR").ok().filter(|editor| !editor.trim().is_empty());
    named.or_else(|| KNOWN.iter().find(|path| Path::new(path).is_file()).map(|path| (*path).to_owned()))
}

/// Opens a file in the editor and waits for it. Returns `None` if this process received a signal to end meanwhile; it
/// ends the editor then.
#[cfg(unix)]
pub(super) fn run(editor: &str, file: &Path) -> Result<Option<ExitStatus>> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    /// The interval at which signals are checked while the editor runs.
    const STEP: std::time::Duration = std::time::Duration::from_millis(20);
    let ended = Arc::new(AtomicBool::new(false));
    let ignored = Arc::new(AtomicBool::new(false));
    let mut handlers = Vec::new();
    for signal in [SIGTERM, SIGHUP] {
        handlers.push(signal_hook::flag::register(signal, Arc::clone(&ended))?);
    }
    // The editor handles the signals that the terminal sends to both processes.
    for signal in [SIGINT, SIGQUIT] {
        handlers.push(signal_hook::flag::register(signal, Arc::clone(&ignored))?);
    }
    let mut child = shell(editor, file).spawn()?;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if ended.load(Ordering::Relaxed) {
            child.kill()?;
            child.wait()?;
            break None;
        }
        std::thread::sleep(STEP);
    };
    handlers.into_iter().for_each(|handler| {
        signal_hook::low_level::unregister(handler);
    });
    // A signal that came at the end counts, too.
    Ok(status.filter(|_| !ended.load(Ordering::Relaxed)))
}

/// Opens a file in the editor and waits for it.
#[cfg(not(unix))]
pub(super) fn run(editor: &str, file: &Path) -> Result<Option<ExitStatus>> {
    shell(editor, file).status().map(Some)
}

/// The editor's command may have arguments and quotes, which the shell reads.
#[cfg(unix)]
fn shell(editor: &str, file: &Path) -> Command {
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(format!("{editor} \"$1\"")).arg("sh").arg(file);
    command
}

#[cfg(not(unix))]
fn shell(editor: &str, file: &Path) -> Command {
    let mut words = editor.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or(editor));
    command.args(words).arg(file);
    command
}
