//! The input of encryption and decryption: from a flag, a file, standard input or the terminal.

use std::io::{IsTerminal, Read};
use std::path::Path;

use hieratic::Error;
use hieratic_diagnostics::render::{escape_commands, visible_line};
use zeroize::Zeroizing;

use super::faults::input_error;
use crate::files;
use crate::streams::MESSAGES;

/// The bytes of a file.
pub(super) fn file(path: &Path) -> Result<Zeroizing<Vec<u8>>, Error> {
    let read = files::read(path).map(Zeroizing::new);
    read.map_err(|error| files::unreadable(path, &error))
}

/// The text of a file.
pub(super) fn text(path: &Path) -> Result<Zeroizing<String>, Error> {
    let bytes = file(path)?;
    as_text(&bytes, path).map(|text| Zeroizing::new(text.to_owned()))
}

/// The bytes of a file as text.
pub(super) fn as_text<'b>(bytes: &'b [u8], path: &Path) -> Result<&'b str, Error> {
    std::str::from_utf8(bytes).map_err(|error| {
        let (place, at) = (path.display(), error.valid_up_to());
        input_error(format!("{place} is not valid UTF-8 at byte {at}")).help("save the file as UTF-8")
    })
}

/// All of standard input.
pub(super) fn standard_input() -> Result<Zeroizing<Vec<u8>>, Error> {
    let mut bytes = Zeroizing::new(Vec::new());
    let read = std::io::stdin().lock().read_to_end(&mut bytes);
    read.map_err(|error| input_error(format!("standard input cannot be read: {error}")))?;
    Ok(bytes)
}

/// Reads a line from the terminal without echo, or from standard input if there is no terminal.
pub(super) fn password() -> Result<Zeroizing<Vec<u8>>, Error> {
    let unreadable = |error: std::io::Error| input_error(format!("the password cannot be read: {error}"));
    #[cfg(not(target_os = "wasi"))]
    if std::io::stdin().is_terminal() {
        let line = rpassword::prompt_password("Enter password: ").map_err(unreadable)?;
        return Ok(Zeroizing::new(line.into_bytes()));
    }
    let mut line = Zeroizing::new(String::new());
    MESSAGES.write(b"Enter password: ");
    std::io::stdin().read_line(&mut line).map_err(unreadable)?;
    Ok(Zeroizing::new(line.trim_end_matches(['\n', '\r']).as_bytes().to_vec()))
}

/// Asks a question at the terminal. Without a terminal, the answer is no.
pub(super) fn confirmed(question: &str) -> bool {
    if !std::io::stdin().is_terminal() {
        return false;
    }
    MESSAGES.write(format!("{} (y/N): ", escape_commands(&visible_line(question))).as_bytes());
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).is_ok() && matches!(line.trim().to_lowercase().as_str(), "y" | "yes")
}
