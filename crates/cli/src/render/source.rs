//! The source of a template.

use std::io::Read;
use std::path::Path;

use hieratic::Error;
use hieratic::expressions::Vault;
use hieratic::sandbox::Files;

use crate::code::invalid_text;
use crate::files;
use crate::usage::usage;
use hieratic::sandbox::SlashPath as _;

/// The text of the template, which Ansible Vault may have encrypted.
pub(super) fn text(path: &Path, files: &Files, vault: &Vault) -> Result<String, Error> {
    let (name, bytes) = if is_standard_input(path) {
        let mut bytes = Vec::new();
        ("standard input".to_owned(), std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes))
    } else {
        (path.to_slashes(), files.read(path))
    };
    let unreadable = |error| files::unreadable(path, &error);
    let text = String::from_utf8(bytes.map_err(unreadable)?)
        .map_err(|error| invalid_text(&name, error.as_bytes(), error.utf8_error().valid_up_to()))?;
    if !Vault::is_encrypted(text.as_bytes()) {
        return Ok(text);
    }
    vault.decrypt(&text).map_err(|reason| {
        usage(format!("the template {name} cannot be decrypted: {reason}"))
            .help("pass the password with --vault-password-file FILE, or with --vault-id LABEL@FILE")
    })
}

pub(super) fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}
